//! Runs the user's tests and says what they said.

mod environment;
mod gather;
mod inject;
pub(crate) mod jobs;
pub(crate) mod lint_run;
mod lists_only;
mod output;
mod prefixes;
mod processes;
pub(crate) mod progress;
mod recognise;
pub(crate) mod results;
mod spawn;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use regex::Regex;

use crate::clock;
use crate::rules::verdict::{
    Exit, Failure, JudgeRules, Judgement, Report, TestCase, fingerprint, judge,
};
use crate::rules::{Cause, RedNeeds, TestStatus, Verdict};

use crate::runners::aim::{self, Aim};
use crate::runners::command::Found;
use crate::runners::formats::nothing_ran;
use crate::runners::{Runner, formats};
use gather::{Gathered, Silent};
use inject::Injection;
use recognise::{Project, recognise};
use spawn::Finished;
pub(crate) use spawn::Question;

pub use crate::runners::aim::{Selection, Wanted};
pub use environment::Variable;

/// How much of the beginning, and of the end, of the output goes into the result.
const SHOWN: usize = 512 * 1024;

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
    /// A file of results that the command itself writes, from `dir`.
    pub report: Option<&'a str>,
    /// Tests that are expected to fail.
    pub known_failures: &'a BTreeSet<String>,
    /// The environment of this process; what a test must not see is taken out.
    pub environment: &'a [Variable],
    /// Words in front of the command, for a place to run it in; usually none.
    pub prefix: &'a [OsString],
    /// The only tests to run, where the runner can be told; all if there are none.
    pub only: Option<&'a Selection>,
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
    /// The runners whose results were read.
    pub runners: Vec<&'static Runner>,
    /// The run was limited to the wanted tests, and its report has no others.
    pub aimed: bool,
    /// The test that was running when the run was ended, if the report tells.
    pub running_at_end: Option<String>,
}

/// Runs the tests; `on_line` gets the last line of output now and then.
pub fn run_tests(request: &Request<'_>, on_line: &mut dyn FnMut(&str)) -> TestRun {
    let found = recognise(request.command, &OnDisk(request.dir));
    // Without a folder for reports there is still the output.
    let only = request
        .only
        .filter(|_| request.report.is_none() && aim::can_aim_at(&found));
    let aim = only.map(|only| Aim::new(only, request.dir));
    let prepare = |again: &dyn Fn(&Runner) -> bool| {
        Injection::prepare(&found, request.environment, aim.as_ref(), again).unwrap_or_default()
    };
    let mut injection = prepare(&|_| false);
    let started = clock::now();
    // Of one that was asked, where that changes what it prints.
    let readable = found.iter().find_map(|one| {
        let injection = injection.as_ref()?;
        one.runner.readable.filter(|_| injection.asks(one.runner))
    });
    let mut on_line = |line: &str| match readable {
        Some(readable) => on_line(readable(line).trim_end()),
        None => on_line(line),
    };
    let mut finished = run_once(request, injection.as_ref(), &mut on_line);
    let mut readings = reports_of(injection.as_ref());
    for is_last in [false, true] {
        let said = &finished.output.text;
        let is_to_blame = |injection: &Injection| injection.is_blamed(said, &finished.exit);
        let has_ended = matches!(finished.exit, Exit::Code(_));
        if !readings.is_empty() || !has_ended || !injection.as_ref().is_some_and(is_to_blame) {
            break;
        }
        let names_one = found.iter().any(|one| inject::blames(one.runner, said));
        let again = |runner: &Runner| !names_one || inject::blames(runner, said);
        injection = (!is_last).then(|| prepare(&again)).flatten();
        finished = run_once(request, injection.as_ref(), &mut on_line);
        readings = reports_of(injection.as_ref());
    }
    if let Some(readable) = readable {
        finished.output.text = readable(&finished.output.text);
    }
    let was_asked = |runner: &Runner| {
        let injection = injection.as_ref();
        runner.tells_unasked || injection.is_some_and(|injection| injection.asks(runner))
    };
    let left = gather::Left {
        dir: request.dir,
        started,
        named: request.report,
        output: &finished.output,
    };
    let mut gathered = gather::gather(&left, &found, readings);
    let running_at_end = running_at_end(&finished.exit, gathered.report.as_ref());
    if let Some(report) = &mut gathered.report {
        settle_death(&finished.exit, report);
    }
    let aimed = match only.filter(|_| injection.is_some()) {
        Some(only) => is_limited(only, request.dir, &finished.exit, &mut gathered),
        None => false,
    };
    if !aimed {
        gathered = gathered.with_silent(&found, &was_asked);
    }
    let mut run = judged(request, gathered, finished);
    run.aimed = aimed;
    if run.exit == Exit::Timeout
        && let Some(test) = &running_at_end
    {
        run.judgement.reason += &format!(": `{test}` was running");
    }
    run.running_at_end = running_at_end;
    if aimed && run.judgement.beyond_tests {
        // A threshold or a linter speaks of the whole, not of some tests.
        run.judgement.verdict = Verdict::Green;
        run.judgement.beyond_tests = false;
    }
    if run.judgement.verdict == Verdict::Green
        && let Some(call) = lists_only::lists_only(&found)
    {
        run.judgement.verdict = Verdict::Broken;
        run.judgement.confirmed = true;
        run.judgement.reason = format!("`{call}` only says which tests there are and runs none");
    }
    if was_cut_short(&run) {
        run.judgement.reason += &hint_to_let_all_end(&found);
    }
    run
}

fn reports_of(injection: Option<&Injection>) -> BTreeMap<&'static Runner, Vec<formats::Reading>> {
    injection.map(Injection::reports).unwrap_or_default()
}

/// Whether a run that was to be limited to some tests was; its report then has no others. One that ended well
/// without a word found none of them.
fn is_limited(only: &Selection, dir: &Path, exit: &Exit, gathered: &mut Gathered) -> bool {
    if gathered.report.is_none() && *exit == Exit::Code(0) {
        gathered.report = Some(Report {
            ended: true,
            ..Report::default()
        });
    }
    let report = gathered.report.as_mut();
    report.is_some_and(|report| aim::limit(only, dir, report))
}

/// The test that was running when a run was ended from outside; the one that began last.
fn running_at_end(exit: &Exit, report: Option<&Report>) -> Option<String> {
    match exit {
        Exit::Timeout | Exit::Signal(_) => report?.unfinished.last().cloned(),
        Exit::Code(_) | Exit::NotStarted(_) => None,
    }
}

/// A process that dies of what it did inside a test fails that test; those after it are unknown.
fn settle_death(exit: &Exit, report: &mut Report) {
    let signal = match exit {
        Exit::Signal(signal) => *signal,
        Exit::Code(code) => code - 128,
        Exit::Timeout | Exit::NotStarted(_) => return,
    };
    // Those that a process brings upon itself; others came from outside.
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        _ => return,
    };
    let message = format!("the process died in this test: signal {signal} ({name})");
    for id in std::mem::take(&mut report.unfinished) {
        let file = id.split_once("::").map(|(file, _)| file.to_owned());
        report.tests.push(TestCase {
            id: &id,
            file: file.as_deref(),
            status: TestStatus::Failed(Cause::Error),
            inconclusive: false,
            message: &message,
        });
        report.cut_off = true;
    }
}

/// Whether tests failed, and others were stopped.
fn was_cut_short(run: &TestRun) -> bool {
    let is_stopped = |report: &Report| {
        report.load_errors.is_empty()
            && (!report.ended || !report.unfinished.is_empty() || run.exit == Exit::Code(130))
    };
    run.judgement.verdict != Verdict::Green
        && !run.judgement.failing.is_empty()
        && run.report.as_ref().is_some_and(is_stopped)
}

fn hint_to_let_all_end(found: &[Found]) -> String {
    let mut options = found
        .iter()
        .filter_map(|one| one.package.as_ref()?.lets_end);
    options.next().map_or(String::new(), |option| {
        format!("; when one package fails the others are stopped, unless the test command has `{option}`")
    })
}

/// How a command ended that is no test run.
#[derive(Debug)]
pub struct PlainRun {
    /// How it ended.
    pub exit: Exit,
    /// Somebody asked this process to stop.
    pub interrupted: bool,
    /// Both streams as they came, the beginning and the end of them.
    pub output: String,
}

/// Runs a command as tests are run, without asking for or reading a report.
pub fn run_plain(
    command: &TestCommand,
    dir: &Path,
    environment: &[Variable],
    timeout: Duration,
    on_line: &mut dyn FnMut(&str),
) -> PlainRun {
    let finished = spawn::run(&[], command, dir, environment, timeout, on_line);
    PlainRun {
        exit: finished.exit,
        interrupted: finished.interrupted,
        output: output::head_and_tail(finished.output.text, SHOWN, SHOWN),
    }
}

/// Asks a program: what it reads and where its answer goes are given; the output is what it printed
/// beside the answer.
pub(crate) fn run_asked(
    command: &TestCommand,
    dir: &Path,
    timeout: Duration,
    question: Question,
) -> PlainRun {
    let environment = crate::env_vars::all();
    let finished = spawn::run_asked(
        &[],
        command,
        dir,
        &environment,
        timeout,
        Some(question),
        &mut |_| {},
    );
    PlainRun {
        exit: finished.exit,
        interrupted: finished.interrupted,
        output: output::head_and_tail(finished.output.text, SHOWN, SHOWN),
    }
}

fn run_once(
    request: &Request<'_>,
    injection: Option<&Injection>,
    on_line: &mut dyn FnMut(&str),
) -> Finished {
    let variables = injection.map_or(request.environment, Injection::variables);
    spawn::run(
        request.prefix,
        request.command,
        request.dir,
        variables,
        request.timeout,
        on_line,
    )
}

fn judged(request: &Request<'_>, gathered: Gathered, finished: Finished) -> TestRun {
    let text = &finished.output.text;
    let rules = JudgeRules {
        red_needs: request.red_needs,
        red_confirm_matched: request.red_confirm.map(|pattern| pattern.is_match(text)),
        known_failures: request.known_failures,
    };
    let report = gathered.report;
    let plain = formats::plain(text);
    let nothing_ran = match report {
        Some(_) => None,
        None => nothing_ran::telling_line(&plain),
    };
    let mut judgement = judge(&finished.exit, report.as_ref(), nothing_ran, &rules);
    if let Some(silent) = gathered.silent
        && may_be_mistaken(&judgement, &silent, report.as_ref())
    {
        judgement.verdict = Verdict::Broken;
        judgement.confirmed = true;
        judgement.reason = format!(
            "`{}` left no result: it stopped before its end or ran nothing",
            silent.program
        );
    }
    TestRun {
        judgement,
        fingerprint: report.as_ref().and_then(|report| fingerprint(report, text)),
        report,
        exit: finished.exit,
        interrupted: finished.interrupted,
        output: output::head_and_tail(finished.output.text, SHOWN, SHOWN),
        duration: finished.duration,
        runners: gathered.runners,
        aimed: false,
        running_at_end: None,
    }
}

/// Whether a judgement rests on less than the runners behind the command should have told: a pass
/// without the results of one that must leave them, or a failure without any.
fn may_be_mistaken(judgement: &Judgement, silent: &Silent, report: Option<&Report>) -> bool {
    match judgement.verdict {
        Verdict::Broken => false,
        Verdict::Green => silent.was_asked,
        Verdict::Red => report.is_none() && !judgement.confirmed,
    }
}

/// Whether a run of the command in `dir` can be limited to some tests.
pub fn can_aim(command: &TestCommand, dir: &Path) -> bool {
    aim::can_aim_at(&recognise(command, &OnDisk(dir)))
}

/// Whether a line for the shell starts a runner and says so itself.
pub(crate) fn calls_runner(line: &str) -> bool {
    let command = TestCommand::Shell(line.to_owned());
    let found = recognise(&command, &NoFiles);
    found.iter().any(|one| one.sure)
}

/// What is quoted of the tests that failed, by id, with files as seen from `dir`.
pub fn failures(report: &Report, dir: &Path) -> BTreeMap<String, Failure> {
    let root = dir.to_string_lossy();
    formats::failures(report, &root, &|file| gather::is_file(dir, file))
}

/// A project without a file.
struct NoFiles;

impl Project for NoFiles {
    fn text(&self, _: &Path) -> Option<String> {
        None
    }

    fn folders(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
}

/// A project in a folder.
struct OnDisk<'a>(&'a Path);

impl Project for OnDisk<'_> {
    /// Only files that are of a size that people write.
    fn text(&self, file: &Path) -> Option<String> {
        const LARGEST: u64 = 512 * 1024;
        let path = self.0.join(file);
        let metadata = std::fs::metadata(&path).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        std::fs::read_to_string(path).ok()
    }

    /// Without those that tools fill.
    fn folders(&self, folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join(folder));
        let mut names: Vec<String> = (entries.into_iter().flatten().flatten())
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name != "node_modules" && !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests;
