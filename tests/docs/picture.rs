//! The picture of the demo in the README, made from a real run.

use std::fmt::Write as _;
use std::process::Command;

use crate::support::{PROGRAM, Ran};

/// The part of the story that the picture shows.
const FROM: &str = "The test comes first";
const TO: &str = "With green tests";
const WIDTH: usize = 100;

const HEAD: &str = "<style>rect{fill:#f7f8fa;stroke:#d9dee7}text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1c2330;white-space:pre}.b{font-weight:700}.g{fill:#1a7f4b}.r{fill:#c2323e}.c{fill:#0b7285}\
@media(prefers-color-scheme:dark){rect{fill:#0f1520;stroke:#273142}text{fill:#dfe6f1}.g{fill:#3ecb85}.r{fill:#ff7b84}.c{fill:#5bc8d9}}</style>";

#[test]
fn the_picture_of_the_demo_tells_its_story() {
    let path = super::docs("demo.svg");
    // Each run has other ids and times: it is made anew only when asked for.
    if std::env::var_os("UPDATE_PICTURE").is_some() {
        std::fs::write(&path, picture(&story())).expect("a picture");
    }
    let picture = std::fs::read_to_string(&path).expect("a picture");
    for part in [
        "committed as red",
        "kept, not committed",
        "committed as green",
        "$ git tcr run",
    ] {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn colours_become_classes_and_markup_is_escaped() {
    let line = "\u{1b}[36m$ cat > a\u{1b}[0m <b>";
    assert_eq!(
        spans(line),
        "<tspan class=\"c\">$ cat &gt; a</tspan><tspan> &lt;b&gt;</tspan>"
    );
}

/// What the demo prints between two of its sentences, colours included.
fn story() -> String {
    let mut command = Command::new(PROGRAM);
    command.arg("demo").env("CLICOLOR_FORCE", "1");
    let told = Ran::from(command.output().expect("the program runs"))
        .success()
        .stdout;
    let told: Vec<&str> = told
        .lines()
        .skip_while(|line| !line.contains(FROM))
        .take_while(|line| !line.contains(TO))
        .collect();
    told.join("\n").trim_end().to_owned()
}

fn picture(text: &str) -> String {
    const LINE: usize = 18;
    const EDGE: usize = 16;
    let lines: Vec<String> = text.lines().flat_map(wrapped).collect();
    let (width, height) = (WIDTH * 8 + 2 * EDGE, lines.len() * LINE + 2 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"a part of git tcr demo\">{HEAD}<rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n",
        width - 1,
        height - 1
    );
    for (number, line) in lines.iter().enumerate() {
        let y = EDGE + 13 + number * LINE;
        let _ = writeln!(svg, "<text x=\"{EDGE}\" y=\"{y}\">{}</text>", spans(line));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A long line without colours goes on in the next.
fn wrapped(line: &str) -> Vec<String> {
    if line.contains('\u{1b}') || line.chars().count() <= WIDTH {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.chars().count() + word.chars().count() + 1 > WIDTH {
            lines.push(format!("    {word}"));
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

fn spans(line: &str) -> String {
    let mut svg = String::new();
    let mut class = "";
    for part in line.split('\u{1b}') {
        let (code, text) = match part.strip_prefix('[').and_then(|rest| rest.split_once('m')) {
            Some((code, text)) => (Some(code), text),
            None => (None, part),
        };
        class = match code {
            Some("1") => "b",
            Some("31") => "r",
            Some("32") => "g",
            Some("36") => "c",
            Some(_) => "",
            None => class,
        };
        if text.is_empty() {
            continue;
        }
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let _ = match class {
            "" => write!(svg, "<tspan>{text}</tspan>"),
            class => write!(svg, "<tspan class=\"{class}\">{text}</tspan>"),
        };
    }
    svg
}
