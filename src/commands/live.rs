//! What is seen while the tests run: a live line on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::test_run::progress::Progress;

/// How often the clock on the live line moves.
const TICK: Duration = Duration::from_millis(100);

/// Shows what the loop is at. Everything goes to standard error, so that standard output holds
/// nothing but the result.
pub(crate) struct Live {
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl Live {
    /// Shows progress unless the output is for a program.
    pub(crate) fn new(json: bool) -> Self {
        Live {
            quiet: json,
            bar: None,
        }
    }
}

impl Progress for Live {
    fn waiting(&mut self, owner: &str) {
        // Standard error is free even where the result is for a program.
        say(&format!(
            "tcr: waiting for another git tcr in this worktree ({owner})"
        ));
    }

    fn tests_start(&mut self, command: &str) {
        if self.quiet {
            return;
        }
        if !std::io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(format!("`{command}`"));
        bar.enable_steady_tick(TICK);
        self.bar = Some(bar);
    }

    fn tests_line(&mut self, line: &str) {
        if let Some(bar) = &self.bar {
            let printable: String = line.chars().filter(|c| !c.is_control()).collect();
            bar.set_message(printable);
        }
    }

    fn tests_end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A line on standard error.
pub(crate) fn say(line: &str) {
    // A closed standard error is no reason to fail.
    drop(writeln!(std::io::stderr(), "{line}"));
}
