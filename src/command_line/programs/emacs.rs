//! `emacs --batch`: files it visits are written if what it evaluates saves them.

use super::super::code::prefix::{self, Dialect};
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;

pub(super) fn emacs<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    // Its long options may be written with one dash.
    let arguments: Vec<String> = call.arguments.iter().map(|a| with_two_dashes(a)).collect();
    let takes = Takes {
        short: "fl",
        long: &["eval", "execute", "funcall", "load", "directory", "script"],
    };
    let options = Options::parse(&arguments, &takes);
    let evaluated: Vec<&str> = options
        .values(&["-f", "--funcall", "--eval", "--execute"])
        .collect();
    let loaded = options.values(&["-l", "--load", "--script"]);
    let scripts: Vec<String> = loaded
        .filter_map(|file| shell.stream_of(file))
        .map(|script| script.text())
        .collect();
    for script in &scripts {
        prefix::run(shell, script, Dialect::Lisp, call.name);
    }
    for code in &evaluated {
        prefix::run(shell, code, Dialect::Lisp, call.name);
    }
    let saves = evaluated
        .iter()
        .any(|code| code.contains("save-buffer") || code.contains("save-some-buffers"));
    if saves {
        let visited = evaluated
            .iter()
            .flat_map(|code| arguments_of(code, &["find-file"]));
        for file in options.operands.iter().map(String::as_str).chain(visited) {
            shell.write(file, call.name);
        }
    }
    Outcome::opaque()
}

fn with_two_dashes(argument: &str) -> String {
    match argument {
        "-batch" | "-eval" | "-execute" | "-funcall" | "-load" => format!("-{argument}"),
        _ => argument.to_owned(),
    }
}

/// The strings that directly follow one of these functions.
fn arguments_of<'a>(code: &'a str, functions: &[&str]) -> Vec<&'a str> {
    let after = functions.iter().flat_map(|function| {
        code.split(&format!("({function} \""))
            .skip(1)
            .collect::<Vec<_>>()
    });
    after.filter_map(|rest| rest.split('"').next()).collect()
}
