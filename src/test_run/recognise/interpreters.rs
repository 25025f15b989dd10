//! Programs that run what is named, or written, in one of their arguments: interpreters, and scripts of the
//! project.

use super::{Call, Place, RUNNERS, Search, Sign, base_name, skip_options};

/// An interpreter: its names, what its scripts are written in, and its options whose value is the next word.
type Interpreter = (
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

const INTERPRETERS: [Interpreter; 4] = [
    (
        &["node", "nodejs", "tsx", "ts-node", "electron", "swc-node"],
        "node",
        &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "-C",
            "--conditions",
            "--env-file",
            "--project",
            "-P",
            "--tsconfig",
        ],
    ),
    (
        &["ruby", "jruby", "truffleruby"],
        "ruby",
        &["-I", "-r", "-C"],
    ),
    (&["php"], "php", &["-d", "-c", "-z"]),
    (&["perl"], "perl", &["-I"]),
];

/// Programs that start others, also where an interpreter is asked to run them.
const STARTERS: [&str; 12] = [
    "rails", "rake", "bundle", "composer", "coverage", "tox", "nox", "invoke", "poetry", "uv",
    "pdm", "hatch",
];

/// Looks at what a program is to run.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let known = INTERPRETERS
        .iter()
        .find(|(names, ..)| names.contains(&call.name));
    if let Some((_, host, with_value)) = known {
        if let Some((program, rest)) = call.positional(with_value) {
            script(search, host, program, rest, call, at);
        }
        return;
    }
    match call.name {
        "nox" => by_content(search, "noxfile.py", call, at),
        "invoke" | "inv" => by_content(search, "tasks.py", call, at),
        name if is_python(name) => python(search, call, at),
        _ => own_script(search, call, at),
    }
}

fn by_content(search: &mut Search<'_>, file: &str, call: &Call<'_>, at: &Place) {
    let content = search.file(at, file).unwrap_or_default();
    search.told("python", &content, call, at);
}

/// A script that an interpreter runs: a runner by its name or by its words, or what starts one.
fn script(
    search: &mut Search<'_>,
    host: &str,
    program: &str,
    rest: &[String],
    call: &Call<'_>,
    at: &Place,
) {
    let inner = Call {
        program,
        name: base_name(program),
        arguments: rest,
        assignments: call.assignments,
    };
    if STARTERS.contains(&inner.name) {
        let mut words = vec![inner.name.to_owned()];
        words.extend_from_slice(rest);
        search.command(&words, at);
        return;
    }
    if search.known(&inner, Some(host), call, at) {
        return;
    }
    let content = search.file(at, program).unwrap_or_default();
    search.told(host, &content, call, at);
}

fn is_python(name: &str) -> bool {
    ["python", "pypy", "py"].iter().any(|stem| {
        name.strip_prefix(stem).is_some_and(|version| {
            version
                .chars()
                .all(|char| char.is_ascii_digit() || char == '.')
        })
    })
}

fn python(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let mut options = call
        .arguments
        .iter()
        .take_while(|word| word.starts_with('-'));
    // Isolated interpreters read none of the variables we would set.
    let is_isolated =
        options.any(|word| !word.starts_with("--") && word != "-m" && word.contains(['I', 'E']));
    let at = &if is_isolated {
        at.elsewhere()
    } else {
        at.clone()
    };
    let module = call.arguments.iter().position(|word| word == "-m");
    let after = module.map(|position| call.arguments.split_at(position + 1).1);
    let words = after.unwrap_or_else(|| skip_options(call.arguments, &["-W", "-X", "-m"]));
    if let Some((program, rest)) = words.split_first() {
        script(search, "python", program, rest, call, at);
    }
}

/// A program of the project: a script that may start a runner, or a compiled test.
fn own_script(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    if !call.program.contains('/') {
        return;
    }
    let Some(content) = search.file(at, call.program) else {
        if call.name.to_lowercase().contains("test") {
            for runner in RUNNERS.iter().filter(|runner| runner.is_compiled) {
                search.add(runner, Sign::Guess, call, at);
            }
        }
        return;
    };
    let first_line = content.lines().next().unwrap_or_default();
    if !first_line.starts_with("#!") {
        return;
    }
    let interpreter = first_line
        .trim_start_matches("#!")
        .split_whitespace()
        .map(base_name)
        .find(|word| *word != "env" && !word.starts_with('-'))
        .unwrap_or_default();
    let by = Call {
        program: interpreter,
        name: interpreter,
        arguments: &[],
        assignments: &[],
    };
    match interpreter {
        "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" => {
            search.task("file", call.program, Some(content), at);
        }
        _ if search.known(&by, None, call, at) => {}
        _ => {
            let mut words = vec![interpreter.to_owned(), call.program.to_owned()];
            words.extend_from_slice(call.arguments);
            search.command(&words, &at.deeper());
        }
    }
}
