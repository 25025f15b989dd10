//! Programs that pass text on: what comes out of them is known if what goes in is.

use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::{decode, text};
use super::{matching, outputs};

/// The input of a filter: its files if it names some, else what it is fed. Files are not read.
fn input<'c>(shell: &Shell<'c>, files: &[String]) -> Stream<'c> {
    let mut streams = files
        .iter()
        .map(|file| shell.stream_of(file).unwrap_or_else(Stream::unknown));
    match streams.next() {
        None => shell.input(),
        Some(first) => streams.fold(first, Stream::then),
    }
}

pub(super) fn cat<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    Outcome::printing(input(shell, &options.operands))
}

/// `head`, `tail`, `uniq`, `shuf`: each line that comes out went in.
pub(super) fn some_lines<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = match call.name {
        "uniq" => Takes::new("fsw", "skip-fields skip-chars check-chars"),
        _ => Takes::new("ncko", "lines bytes output"),
    };
    let options = Options::parse(call.arguments, &takes);
    outputs::by_option(shell, call, &options);
    // `uniq IN OUT` writes its second operand.
    if let ("uniq", [_, output]) = (call.name, options.operands.as_slice()) {
        shell.write(output, call.name);
    }
    Outcome::printing(input(shell, &options.operands))
}

pub(super) fn sort<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "oktST",
        "output key field-separator buffer-size temporary-directory compress-program",
    );
    let options = Options::parse(call.arguments, &takes);
    outputs::by_option(shell, call, &options);
    if let Some(program) = options.value("--compress-program") {
        shell.run_text_in_child(program);
    }
    Outcome::printing(input(shell, &options.operands))
}

pub(super) fn grep<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "efABCmdDgtTjM",
        "regexp file include exclude exclude-dir context max-count pre glob type",
    );
    let options = Options::parse(call.arguments, &takes);
    if let Some(program) = options.value("--pre") {
        shell.run_text_in_child(program);
    }
    let (pattern, files) = match options.value("-e --regexp") {
        Some(pattern) => (Some(pattern.to_owned()), options.operands.as_slice()),
        None => match options.operands.split_first() {
            Some((pattern, files)) => (Some(pattern.clone()), files),
            None => (None, &[][..]),
        },
    };
    if options.has("-l -L --files-with-matches --files-without-match --files") {
        let all = options.has("--files");
        let roots = if all { &options.operands } else { files };
        let found = super::listings::files_below(shell, roots);
        let lists_matches = options.has("-l --files-with-matches")
            && !options.has("-v -i -x -w -z --invert-match --ignore-case");
        let held = pattern.filter(|_| lists_matches);
        return match held.and_then(|pattern| matching::certain_text(&pattern)) {
            Some(text) => super::listings::that_hold(shell, found, text),
            None => found,
        };
    }
    let rewrites = options.has("-c -o -l -L -n -q");
    match pattern {
        Some(pattern) if files.is_empty() && !rewrites => {
            let inverted = options.has("-v --invert-match");
            let ignores_case = options.has("-i --ignore-case");
            Outcome::printing(
                shell
                    .input()
                    .map(move |text| kept(text, &pattern, inverted, ignores_case)),
            )
        }
        _ => Outcome::opaque(),
    }
}

/// The lines `grep` keeps, and those it may keep.
fn kept(text: &str, pattern: &str, inverted: bool, ignores_case: bool) -> String {
    let is_plain = !pattern.contains(['*', '[', '(', '|', '+', '?', '\\', '{']);
    let keep = |line: &&str| {
        let may_match = matching::may_match(pattern, line, ignores_case);
        match inverted {
            _ if !text::is_known(line) => true,
            true => !may_match || !is_plain,
            false => may_match,
        }
    };
    text.lines()
        .filter(keep)
        .map(|line| format!("{line}\n"))
        .collect()
}

pub(super) fn tr<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    let deletes = options.has("-d --delete");
    let is_simple = !options.has("-c -C --complement -s --squeeze-repeats -t");
    match (options.operands.as_slice(), is_simple) {
        ([from], true) if deletes => {
            let from = from.clone();
            Outcome::printing(
                shell
                    .input()
                    .map(move |text| decode::translated(text, &from, "", true)),
            )
        }
        ([from, to], true) => {
            let (from, to) = (from.clone(), to.clone());
            Outcome::printing(
                shell
                    .input()
                    .map(move |text| decode::translated(text, &from, &to, false)),
            )
        }
        _ => recoded(shell, |_| None),
    }
}

/// `rev` turns each line round.
pub(super) fn rev<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let reversed = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.chars().rev().collect::<String>() + "\n");
        lines.collect::<String>()
    };
    Outcome::printing(input(shell, call.arguments).map(reversed))
}

/// `tac` turns the lines round; as a set they stay the same.
pub(super) fn tac<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    Outcome::printing(
        input(shell, call.arguments)
            .map(|text| text.lines().rev().map(|line| format!("{line}\n")).collect()),
    )
}

/// `base64`, `base32`, `basenc`.
pub(super) fn base<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("wio", "wrap input output");
    let options = Options::parse(call.arguments, &takes);
    outputs::by_option(shell, call, &options);
    if !options.has("-d -D --decode") {
        return Outcome::opaque();
    }
    match call.name {
        "base32" => recoded(shell, decode::base32),
        _ => recoded(shell, decode::base64),
    }
}

pub(super) fn xxd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("clsogn", "");
    let options = Options::parse(call.arguments, &takes);
    if let [_, output] = options.operands.as_slice() {
        shell.write(output, call.name);
    }
    match options.has("-r") {
        true => recoded(shell, decode::hexadecimal),
        false => Outcome::opaque(),
    }
}

/// `gunzip -c`, `zcat`, `uudecode` and other decoders whose output is not worked out.
pub(super) fn unpacker<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    super::outputs::generic(shell, call.arguments);
    recoded(shell, |_| None)
}

/// What a decoder prints. Text spelled out in the command that can't be decoded here was disguised.
pub(super) fn recoded<'c>(
    shell: &Shell<'c>,
    decoder: impl Fn(&str) -> Option<String>,
) -> Outcome<'c> {
    match shell.input() {
        Stream::Text(encoded) if text::is_known(&encoded) && !encoded.is_empty() => {
            Outcome::text(decoder(&encoded).unwrap_or_else(text::disguised))
        }
        Stream::Text(encoded) if encoded.contains(text::DISGUISED) => {
            Outcome::text(text::disguised())
        }
        _ => Outcome::opaque(),
    }
}

pub(super) fn tee<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    let input = shell.input();
    let appends = options.has("-a --append");
    let content = input.known().map(|text| match appends {
        true => super::super::Content::Appended(text.to_owned()),
        false => super::super::Content::Whole(text.to_owned()),
    });
    for file in &options.operands {
        shell.write_content(file, call.name, content.clone());
    }
    Outcome::printing(input)
}

/// `cut -d X -f N`: one field of each line.
pub(super) fn cut<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("bcdf", "bytes characters delimiter fields");
    let options = Options::parse(call.arguments, &takes);
    let delimiter = options.value("-d --delimiter").unwrap_or("\t");
    let (Some(delimiter), Some(field)) = (
        delimiter.chars().next(),
        options
            .value("-f --fields")
            .and_then(|field| field.parse::<usize>().ok()),
    ) else {
        return recoded(shell, |_| None);
    };
    let field_of = move |line: &str| match text::is_known(line) {
        true => {
            let found = line.split(delimiter).nth(field.saturating_sub(1));
            format!("{}\n", found.unwrap_or(""))
        }
        false => text::unknown() + "\n",
    };
    let input = input(shell, &options.operands);
    Outcome::printing(input.map(move |text| text.lines().map(&field_of).collect()))
}

/// `paste`, `fold`, `wc` and others that make new text of the old.
pub(super) fn rewriter<'c>(shell: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    recoded(shell, |_| None)
}
