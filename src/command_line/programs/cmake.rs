//! `cmake -E`, which stands in for the usual tools, and scripts that the command wrote.

use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::outputs;

pub(super) fn cmake<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    match call.arguments {
        [option, verb, rest @ ..] if option == "-E" => run_tool(shell, verb, rest),
        arguments => {
            let script = arguments.iter().skip_while(|a| *a != "-P").nth(1);
            if let Some(written) = script.and_then(|file| shell.stream_of(file)) {
                run_script(shell, &written.text());
            }
        }
    }
    outputs::generic(shell, call.arguments)
}

fn run_tool(shell: &Shell<'_>, verb: &str, rest: &[String]) {
    let program = match verb {
        "rm" | "remove" | "remove_directory" => "rm",
        "copy" | "copy_if_different" | "copy_directory" => "cp",
        "rename" => "mv",
        "create_symlink" => "ln",
        "env" | "time" | "touch" | "tar" => verb,
        _ => return,
    };
    let mut words = vec![program.to_owned()];
    words.extend_from_slice(rest);
    shell.clone().run_words(words);
}

/// `file(WRITE FILE …)`, `file(REMOVE FILE…)`, `execute_process(COMMAND WORD…)`.
fn run_script(shell: &Shell<'_>, script: &str) {
    for (command, inner) in script.split(')').filter_map(|call| call.split_once('(')) {
        let words: Vec<String> = inner
            .split_whitespace()
            .map(|word| word.trim_matches('"').to_owned())
            .collect();
        let Some((verb, rest)) = words.split_first() else {
            continue;
        };
        match (command.trim().to_lowercase().as_str(), verb.as_str()) {
            ("file", "WRITE" | "APPEND" | "TOUCH") => {
                rest.iter()
                    .take(1)
                    .for_each(|file| shell.write(file, "cmake"));
            }
            ("file", "REMOVE" | "REMOVE_RECURSE") => {
                rest.iter().for_each(|file| shell.delete(file, "cmake"));
            }
            ("file", "RENAME") => run_tool(shell, "rename", rest),
            ("execute_process", "COMMAND") => drop(shell.clone().run_words(rest.to_vec())),
            _ => {}
        }
    }
}
