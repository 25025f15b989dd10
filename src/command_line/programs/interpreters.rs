//! Python, Node, Ruby and Perl: inline code is read, script files only if the command wrote them.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use super::{general, recipes};

/// Runs the inline programs; without any the program is the script, as far as the command spells
/// it out, or what comes in.
fn interpret<'c>(shell: &mut Shell<'c>, inline: &[String], operands: &[String]) -> Outcome<'c> {
    if !inline.is_empty() {
        for program in inline {
            read(shell, program, operands);
        }
        // Its output may be a command spelled in a way that is not seen through here.
        return Outcome::text(text::disguised());
    }
    let script = match operands.first() {
        // Node finds `x.js` under the name `x`.
        Some(file) => shell
            .stream_of(file)
            .or_else(|| shell.stream_of(&format!("{file}.js"))),
        None => Some(shell.input()),
    };
    if let Some(script) = script {
        read(shell, &script.text(), operands.get(1..).unwrap_or(&[]));
    }
    Outcome::opaque()
}

/// Reads a program, and before it what it imports as far as the command wrote it.
fn read(shell: &mut Shell<'_>, program: &str, arguments: &[String]) {
    if !text::is_known(program) {
        return;
    }
    for imported in shell.written_and_named(program, &["py", "js", "cjs", "mjs", "ts"]) {
        general::run_code(shell, &imported, &[]);
    }
    general::run_code(shell, program, arguments);
}

fn owned<'a>(values: impl Iterator<Item = &'a str>) -> Vec<String> {
    values.map(str::to_owned).collect()
}

pub(super) fn python<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    // What follows the program or module is its own.
    let ends = |a: &String| a.starts_with("-m") || ends_with_command(a);
    let all = call.arguments;
    let end = all.iter().position(ends).map_or(all.len(), |at| at + 1);
    let attached = all
        .get(end.wrapping_sub(1))
        .is_some_and(|a| a.starts_with("-m") && a.len() > 2);
    let (own, rest) = all.split_at((end + usize::from(!attached)).min(all.len()));
    let options = Options::parse_leading(own, &Takes::new("cmWXQ", "check-hash-based-pycs"));
    if let Some(module) = options.value("-m") {
        return python_module(shell, module, rest);
    }
    let inline = owned(options.values("-c"));
    if call.name == "ipython" {
        for command in inline
            .iter()
            .filter_map(|code| code.trim().strip_prefix('!'))
        {
            shell.run_text_in_child(command);
        }
    }
    let mut operands = options.operands.clone();
    operands.extend_from_slice(rest);
    interpret(shell, &inline, &operands)
}

fn ends_with_command(argument: &str) -> bool {
    argument.starts_with('-')
        && !argument.starts_with("--")
        && argument.contains('c')
        && !argument.contains(['X', 'W'])
}

/// A module is a program of that name; one that nobody here knows is the project's own.
fn python_module<'c>(shell: &mut Shell<'c>, module: &str, arguments: &[String]) -> Outcome<'c> {
    if super::is_known(module) {
        let mut words = vec![module.to_owned()];
        words.extend_from_slice(arguments);
        return shell.clone().run_words(words);
    }
    read(shell, &format!("import {module}"), &[]);
    super::outputs::generic(shell, arguments)
}

/// `node`, `bun`, `deno`, `tsx`.
pub(super) fn javascript<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "erp",
        "eval print require import loader experimental-loader input-type",
    );
    // `-pe CODE` prints what the code is worth.
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .map(|a| {
            if a == "-pe" {
                "-p".to_owned()
            } else {
                a.clone()
            }
        })
        .collect();
    let options = Options::parse_leading(&arguments, &takes);
    let mut inline = owned(options.values("-e -p --eval --print"));
    for file in owned(options.values("-r --require --import --loader")) {
        if let Some(program) = shell.stream_of(&file) {
            read(shell, &program.text(), &[]);
        }
    }
    recipes::run_tasks(shell, call);
    match options.operands.first().map(String::as_str) {
        Some("run") if options.operands.get(1).is_some_and(|script| script == "-") => {
            return interpret(shell, &inline, &[]);
        }
        Some("eval") if call.name == "deno" => inline.extend(
            options
                .operands
                .iter()
                .skip(1)
                .filter(|a| !a.starts_with('-'))
                .cloned(),
        ),
        Some("x" | "exec" | "run" | "test" | "install" | "task" | "fmt") if call.name != "node" => {
            general::call(shell, call.name, call.arguments);
            let files = options.operands.iter().skip(1);
            let scripts = files.filter_map(|file| shell.stream_of(file));
            for script in scripts.collect::<Vec<_>>() {
                read(shell, &script.text(), &[]);
            }
            return super::runners::script_runner(shell, call);
        }
        _ => {}
    }
    interpret(shell, &inline, &options.operands)
}

/// `ruby` and `perl`: `-e` for code, `-i` edits the files in place.
pub(super) fn line_language<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = match call.name {
        "ruby" => Takes::new("eIrEK", ""),
        _ => Takes::new("eEIMm", ""),
    };
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .flat_map(|a| split_in_place(a))
        .collect();
    let options = Options::parse_leading(&arguments, &takes);
    let inline = owned(options.values("-e -E"));
    // Perl's `$^I` is `-i` from within.
    if options.has("-i") || inline.iter().any(|code| code.contains("$^I")) {
        for file in options.operands.iter().skip(usize::from(inline.is_empty())) {
            shell.write(file, call.name);
        }
    }
    general::call(shell, call.name, call.arguments)
}

/// `-pi.bak -e`: the suffix belongs to `-i` and hides no further letters, unless it is none:
/// `-pie` is `-p -i` with the suffix `e`, yet people mean `-p -i -e`.
fn split_in_place(argument: &str) -> Vec<String> {
    if argument.starts_with("--") || !argument.starts_with('-') {
        return vec![argument.to_owned()];
    }
    match argument.find(['i', 'e', 'E', 'M', 'I']) {
        Some(at) if argument.get(at..=at) == Some("i") => {
            let (letters, suffix) = argument.split_at(at + 1);
            let mut split = vec![letters.to_owned()];
            if suffix == "e" || suffix == "pe" {
                split.push(format!("-{suffix}"));
            }
            split
        }
        _ => vec![argument.to_owned()],
    }
}
