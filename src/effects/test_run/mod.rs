//! Runs the user's tests and says what they said.

mod environment;
mod output;
mod processes;
mod recognise;
pub mod report;
mod signals;
mod spawn;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use regex::Regex;

use crate::policy::RedNeeds;
use crate::policy::judge::{Exit, JudgeRules, Judgement, Report, fingerprint, judge};

pub use environment::Variable;

/// How much of the beginning, and of the end, of the output goes into the result.
const SHOWN: usize = 64 * 1024;

/// The user's test command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestCommand {
    /// A line for the shell, as the config has it.
    Shell(String),
    /// A program and its arguments, as given after `--`.
    Args(Vec<OsString>),
}

/// What to run, and how to judge it.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The command.
    pub command: &'a TestCommand,
    /// Where it runs: the root of the project.
    pub dir: &'a Path,
    /// After this long the run, with all it started, is ended.
    pub timeout: Duration,
    /// The weakest cause that makes a red valid.
    pub red_needs: RedNeeds,
    /// The pattern in the output that confirms a red where there is no report.
    pub red_confirm: Option<&'a Regex>,
    /// Tests that are expected to fail.
    pub known_failures: &'a BTreeSet<String>,
    /// The environment of this process; what a test must not see is taken out.
    pub environment: &'a [Variable],
}

/// What a test run said.
#[derive(Debug)]
pub struct TestRun {
    /// What it comes to.
    pub judgement: Judgement,
    /// What was read of its tests, if anything could be.
    pub report: Option<Report>,
    /// How the command ended.
    pub exit: Exit,
    /// Somebody asked this process to stop, so the run says nothing.
    pub interrupted: bool,
    /// Both streams as they came, the beginning and the end of them.
    pub output: String,
    /// How long it took.
    pub duration: Duration,
    /// The same for the same failures, whatever the times, addresses and temporary paths.
    pub fingerprint: Option<String>,
}

/// Runs the tests; `on_line` gets the last line of output now and then.
pub fn run_tests(request: &Request<'_>, on_line: &mut dyn FnMut(&str)) -> TestRun {
    let finished = spawn::run(
        request.command,
        request.dir,
        request.environment,
        request.timeout,
        on_line,
    );
    let report: Option<Report> = None;
    let text = &finished.output.text;
    let rules = JudgeRules {
        red_needs: request.red_needs,
        red_confirm_matched: request.red_confirm.map(|pattern| pattern.is_match(text)),
        known_failures: request.known_failures,
    };
    TestRun {
        judgement: judge(&finished.exit, report.as_ref(), text, &rules),
        fingerprint: report.as_ref().and_then(|report| fingerprint(report, text)),
        report,
        exit: finished.exit,
        interrupted: finished.interrupted,
        output: output::head_and_tail(finished.output.text, SHOWN, SHOWN),
        duration: finished.duration,
    }
}
