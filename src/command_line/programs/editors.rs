//! `sed` and `awk`: what their scripts write, run and print.

use super::super::code::{awk as awk_code, sed as sed_code};
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text;
use super::{filters, matching};

pub(super) fn sed<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    // `-i` takes an optional suffix that is attached to it, so it ends a bundle of letters.
    let arguments: Vec<String> = call.arguments.iter().map(|a| without_suffix(a)).collect();
    let takes = Takes::new("efl", "expression file line-length");
    let options = Options::parse(&arguments, &takes);
    let mut scripts: Vec<String> = options
        .values("-e --expression")
        .map(str::to_owned)
        .collect();
    scripts.extend(spelled_out(shell, options.values("-f --file")));
    let mut files = options.operands.as_slice();
    if scripts.is_empty()
        && !options.has("-f --file")
        && let Some((script, rest)) = files.split_first()
    {
        scripts.push(script.clone());
        files = rest;
    }
    let in_place = options.has("-i -I --in-place");
    if in_place {
        // BSD's `sed -i '' script file`: an empty script there is the suffix.
        if scripts.first().is_some_and(String::is_empty) {
            scripts.extend(files.first().cloned());
            files = files.get(1..).unwrap_or(&[]);
        }
        for file in files {
            shell.write(file, call.name);
        }
    }
    for script in &scripts {
        let found = sed_code::read(script);
        for file in &found.files {
            shell.write(file, call.name);
        }
        for command in &found.commands {
            shell.run_text_in_child(command);
        }
    }
    if !files.is_empty() {
        return Outcome::opaque();
    }
    let extended = options.has("-E -r --regexp-extended");
    let substitutes = move |text: &str| {
        scripts.iter().try_fold(text.to_owned(), |text, script| {
            sed_code::substituted(script, extended, &text)
        })
    };
    match (shell.input(), options.has("-n --quiet --silent")) {
        // A listing is looked up only if somebody asks for it.
        (listing @ Stream::Lazy(_), false) => Outcome::printing(
            listing.map(move |text| substitutes(text).unwrap_or_else(text::unknown)),
        ),
        (_, false) => filters::recoded(shell, substitutes),
        (_, true) => filters::recoded(shell, |_| None),
    }
}

/// The scripts in files, as far as the command itself says what is in them.
fn spelled_out<'a>(shell: &Shell<'_>, files: impl Iterator<Item = &'a str>) -> Vec<String> {
    files
        .filter_map(|file| shell.stream_of(file))
        .map(|stream| stream.text())
        .filter(|script| text::is_known(script))
        .collect()
}

fn without_suffix(argument: &str) -> String {
    if argument.starts_with("--") || !argument.starts_with('-') {
        return argument.to_owned();
    }
    let stops = argument.find(['e', 'f', 'i', 'I']);
    match stops.map(|at| argument.split_at(at + 1)) {
        Some((letters, _)) if letters.ends_with(['i', 'I']) => letters.to_owned(),
        _ => argument.to_owned(),
    }
}

pub(super) fn awk<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("FvfieEl", "field-separator assign file include source load");
    let options = Options::parse_leading(call.arguments, &takes);
    // `name=value` among the files is an assignment as well.
    let is_name = |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let between = options
        .operands
        .iter()
        .map(String::as_str)
        .filter(|word| word.split_once('=').is_some_and(|(name, _)| is_name(name)));
    let variables: Vec<(String, String)> = options
        .values("-v --assign")
        .chain(between)
        .filter_map(|assignment| assignment.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut programs: Vec<String> = options.values("-e --source").map(str::to_owned).collect();
    programs.extend(spelled_out(shell, options.values("-f --file -E")));
    let mut files = options.operands.as_slice();
    if programs.is_empty()
        && !options.has("-f --file -E")
        && let Some((program, rest)) = files.split_first()
    {
        programs.push(program.clone());
        files = rest;
    }
    if options
        .values("-i --include")
        .any(|name| name.starts_with("inplace"))
    {
        for file in files {
            shell.write(file, call.name);
        }
    }
    for program in &programs {
        let found = awk_code::read(program, &variables, files);
        for file in &found.files {
            shell.write(file, call.name);
        }
        for command in &found.commands {
            shell.run_text_in_child(command);
        }
    }
    let separates = options.has("-F --field-separator");
    if let ([program], true) = (programs.as_slice(), files.is_empty() && !separates)
        && let Some(template) = awk_code::LineTemplate::of(program)
    {
        return Outcome::printing(shell.input().map(move |text| filled(&template, text)));
    }
    // What it prints from literals may be meant for a shell.
    let printed: String = programs
        .iter()
        .map(|program| awk_code::printed(program))
        .collect();
    Outcome::text(printed)
}

/// What a program that prints one line for another makes of a text.
fn filled(template: &awk_code::LineTemplate, text: &str) -> String {
    let is_wanted = |line: &&str| match &template.pattern {
        Some(pattern) => !text::is_known(line) || matching::may_match(pattern, line, false),
        None => true,
    };
    let lines = text.lines().filter(is_wanted);
    lines.map(|line| template.fill(line)).collect()
}
