//! Programs whose output the command itself spells out.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::{text, words};

pub(super) fn echo<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_option = |word: &&String| {
        word.len() > 1
            && word.starts_with('-')
            && word
                .chars()
                .skip(1)
                .all(|c| matches!(c, 'n' | 'e' | 'E' | 'r' | 'l'))
    };
    let options = call.arguments.iter().take_while(is_option).count();
    let (flags, words) = call.arguments.split_at(options);
    let has = |letter| flags.iter().any(|flag| flag.contains(letter));
    let mut line = words.join(" ");
    if has('e') {
        line = words::unescape_ansi_c(&line);
    }
    if !has('n') {
        line.push('\n');
    }
    Outcome::text(line)
}

pub(super) fn seq<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let numbers: Option<Vec<i64>> = call.arguments.iter().map(|n| n.parse().ok()).collect();
    let (first, step, last) = match numbers.as_deref() {
        Some([last]) => (1, 1, *last),
        Some([first, last]) => (*first, 1, *last),
        Some([first, step, last]) if *step > 0 => (*first, *step, *last),
        _ => return Outcome::opaque(),
    };
    let step = usize::try_from(step).unwrap_or(1);
    let lines = (first..=last)
        .step_by(step)
        .take(1_000)
        .map(|n| format!("{n}\n"));
    Outcome::text(lines.collect::<String>())
}

pub(super) fn basename<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("s", "suffix");
    let options = Options::parse(call.arguments, &takes);
    let many = options.has("-a --multiple -s --suffix");
    let (paths, suffix) = match options.operands.as_slice() {
        [path, suffix] if !many => (std::slice::from_ref(path), Some(suffix.as_str())),
        paths => (paths, options.value("-s --suffix")),
    };
    lines(paths, |path| {
        let name = text::base_name(path);
        suffix
            .and_then(|suffix| name.strip_suffix(suffix))
            .unwrap_or(name)
            .to_owned()
    })
}

pub(super) fn dirname<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    lines(call.arguments, |path| text::dir_name(path).to_owned())
}

/// `realpath`, `readlink`.
pub(super) fn realpath<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &Takes::new("", "relative-to relative-base"));
    lines(&options.operands, |path| match shell.known_path(path) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => text::unknown(),
    })
}

/// `mktemp` prints a name in the temporary directory, unless told otherwise.
pub(super) fn mktemp<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("p", "tmpdir suffix");
    let options = Options::parse(call.arguments, &takes);
    let temporary = shell
        .variable("TMPDIR")
        .unwrap_or_else(|| "/tmp".to_owned());
    let directory = options
        .value("-p --tmpdir")
        .unwrap_or(&temporary)
        .to_owned();
    let template = options.operands.first();
    // A name that nothing has, and another one each time.
    let name = shell.session.fresh_name();
    let filled = |template: &str| match template.rfind("XXX") {
        Some(end) => {
            let (before, suffix) = template.split_at(end + 3);
            format!("{}{name}{suffix}", before.trim_end_matches('X'))
        }
        None => template.to_owned(),
    };
    let path = match template {
        Some(template) if !options.has("-p -t --tmpdir") => filled(template),
        Some(template) => format!("{directory}/{}", filled(template)),
        None => format!("{directory}/tmp.{name}"),
    };
    match options.has("-d --directory") {
        true => shell.make_directory(&path),
        false => shell.write(&path, call.name),
    }
    Outcome::text(path + "\n")
}

/// `which`, `type`: the name stands for the path it prints.
pub(super) fn which<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let names: Vec<String> = call
        .arguments
        .iter()
        .filter(|a| !a.starts_with('-'))
        .cloned()
        .collect();
    match names.as_slice() {
        [name] => Outcome::text(format!("/usr/bin/{name}\n")),
        _ => Outcome::opaque(),
    }
}

fn lines<'c>(words: &[String], change: impl Fn(&str) -> String) -> Outcome<'c> {
    let changed = words.iter().flat_map(|word| word.split('\n')).map(|word| {
        let mut line = if text::is_known(word) {
            change(word)
        } else {
            word.to_owned()
        };
        line.push('\n');
        line
    });
    Outcome::text(changed.collect::<String>())
}
