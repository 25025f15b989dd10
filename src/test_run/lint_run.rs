//! Runs the lint command of a project.

use std::path::Path;
use std::time::Duration;

use crate::rules::lint::{LintVerdict, lint_verdict};
use crate::test_run::{self, TestCommand};

/// What the lint command said.
#[derive(Debug)]
pub(crate) struct LintRun {
    pub(crate) verdict: LintVerdict,
    /// Both streams as they came, the beginning and the end of them.
    pub(crate) output: String,
    /// Somebody asked this process to stop, so the run says nothing.
    pub(crate) interrupted: bool,
}

/// Runs the lint command in its folder; `on_line` gets the last line of output now and then.
pub(crate) fn run(
    command: &TestCommand,
    dir: &Path,
    timeout: Duration,
    on_line: &mut dyn FnMut(&str),
) -> LintRun {
    let environment = crate::env_vars::all();
    let ran = test_run::run_plain(command, dir, &environment, timeout, on_line);
    LintRun {
        verdict: lint_verdict(&ran.exit),
        output: ran.output,
        interrupted: ran.interrupted,
    }
}
