//! `xargs` and `parallel`: commands made of what comes in.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text;

/// Lines handed to the command one by one; the rest is unknown to it.
const MAX_ITEMS: usize = 200;

pub(super) fn xargs<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "aEdIJLnPRsS",
        "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var",
    );
    let options = Options::parse_leading(call.arguments, &takes);
    let source = match options.value("-a --arg-file") {
        Some(file) => shell.stream_of(file).unwrap_or_else(Stream::unknown),
        None => shell.input(),
    };
    let placeholder = options
        .value("-I -J --replace")
        .map(str::to_owned)
        .or_else(|| options.has("-i --replace").then(|| "{}".to_owned()));
    let delimiter = options.value("-d --delimiter").map(|given| {
        let given = super::super::words::unescape_ansi_c(given);
        given.chars().next().unwrap_or('\n')
    });
    let words = if options.operands.is_empty() {
        vec!["echo".to_owned()]
    } else {
        options.operands
    };
    feed(shell, &words, placeholder.as_deref(), delimiter, &source)
}

/// Runs the command on every item; looks the items up only if the command does something.
fn feed<'c>(
    shell: &mut Shell<'c>,
    words: &[String],
    placeholder: Option<&str>,
    delimiter: Option<char>,
    source: &Stream<'c>,
) -> Outcome<'c> {
    let before = shell.session.effect_count();
    let outcome = run(shell, words, placeholder, &[text::unknown()]);
    let is_listing = matches!(source, Stream::Lazy(_));
    if is_listing && shell.session.effect_count() == before {
        return outcome;
    }
    shell.session.forget_effects_after(before);
    let text = source.text();
    let mut items: Vec<String> = match (placeholder, delimiter) {
        (_, Some(delimiter)) => text.split(delimiter).map(str::to_owned).collect(),
        (Some(_), None) => text.lines().map(|line| line.trim().to_owned()).collect(),
        (None, None) => text.split(['\n', ' ', '\t', '\0']).map(unquoted).collect(),
    };
    items.retain(|item| !item.is_empty());
    if items.len() > MAX_ITEMS {
        items.truncate(MAX_ITEMS);
        items.push(text::unknown());
    }
    match placeholder {
        None => run(shell, words, None, &items),
        Some(_) => {
            let mut output = Stream::empty();
            for item in items {
                output = output.then(run(shell, words, placeholder, &[item]).output);
            }
            Outcome::printing(output)
        }
    }
}

fn unquoted(item: &str) -> String {
    item.trim_matches(['"', '\'']).to_owned()
}

fn run<'c>(
    shell: &mut Shell<'c>,
    words: &[String],
    placeholder: Option<&str>,
    items: &[String],
) -> Outcome<'c> {
    let words = match (placeholder, items) {
        (Some(placeholder), [item]) => words
            .iter()
            .map(|word| word.replace(placeholder, item))
            .collect(),
        _ => words.iter().chain(items).cloned().collect(),
    };
    let nothing = Some(Stream::empty());
    shell
        .clone()
        .with_input(nothing, |shell| shell.run_words(words))
}

/// `parallel CMD ::: items`, or items on standard input; the command is shell text.
pub(super) fn parallel<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "jaINnLPS",
        "jobs arg-file colsep joblog results tmpdir delay retries timeout",
    );
    let options = Options::parse_leading(call.arguments, &takes);
    let is_separator = |word: &String| word.starts_with(":::");
    let split = options.operands.iter().position(is_separator);
    let (command, items) = match split {
        Some(at) => {
            let (command, items) = options.operands.split_at(at);
            (
                command,
                items
                    .iter()
                    .filter(|item| !is_separator(item))
                    .cloned()
                    .collect(),
            )
        }
        None => {
            let source = match options.value("-a --arg-file") {
                Some(file) => shell.stream_of(file).unwrap_or_else(Stream::unknown),
                None => shell.input(),
            };
            let text = source.text();
            (
                options.operands.as_slice(),
                text.lines().map(str::to_owned).collect::<Vec<_>>(),
            )
        }
    };
    // One word is shell text; several are words, a shell among them with text of its own.
    let command = match command {
        [shell, rest @ ..] if matches!(text::base_name(shell), "sh" | "bash" | "zsh" | "dash") => {
            format!("{shell} {}", super::super::simple::quoted(rest))
        }
        words => words.join(" "),
    };
    for item in items.into_iter().take(MAX_ITEMS) {
        let line = match () {
            () if command.is_empty() => item,
            () if command.contains("{}") => command.replace("{}", &item),
            () => format!("{command} {item}"),
        };
        shell.run_text_in_child(&line);
    }
    Outcome::opaque()
}
