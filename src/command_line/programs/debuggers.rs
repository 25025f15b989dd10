//! Debuggers: what their commands run, besides the program that is looked at.

use super::super::code::{self, Language};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::wrappers;

/// `gdb -ex 'shell CMD'`, `lldb -o 'platform shell CMD'`, and Python in either.
pub(super) fn debugger<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut rest = call.arguments.iter();
    while let Some(argument) = rest.next() {
        let is_command = matches!(
            argument.as_str(),
            "-ex" | "-iex" | "--eval-command" | "-o" | "-O" | "--one-line"
        );
        let Some(command) = rest.as_slice().first().filter(|_| is_command) else {
            continue;
        };
        let command = command.trim().trim_start_matches("platform ");
        match command.split_once(char::is_whitespace) {
            Some(("shell" | "!", text)) => drop(shell.run_text_in_child(text)),
            Some(("python" | "py" | "script", code)) => {
                code::run(shell, code, Language::Python, call.name, &[]);
            }
            _ => {}
        }
    }
    wrappers::plain(shell, call)
}
