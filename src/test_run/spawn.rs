//! Starts the user's command and follows it to its end.
//!
//! One thread does it all: it waits for output, for signals and for the deadline in one `poll`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};

use crate::rules::verdict::Exit;

use super::TestCommand;
use super::environment::{self, Variable};
use super::output::{Output, Text};
use super::processes::{OrphansAdopted, Processes, RUN_MARK};
use crate::this_process::signals::SignalWatch;

/// How long a run that is asked to stop may take to clean up.
const GRACE: Duration = Duration::from_secs(2);
/// How long we look on after the last resort; only a process stuck in the kernel needs more.
const LAST_LOOK: Duration = Duration::from_secs(2);
/// How long output is awaited from processes that outlive the command.
const LINGER: Duration = Duration::from_millis(100);
/// How often we look at what is left of a run that is ending.
const TICK: Duration = Duration::from_millis(10);
/// The most that is read at once.
const CHUNK: usize = 64 * 1024;

/// What is known after a run.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) exit: Exit,
    /// Somebody asked us to stop, so the tests did not end by themselves.
    pub(super) interrupted: bool,
    pub(super) output: Text,
    pub(super) duration: Duration,
}

/// Runs `command`, behind the words of `prefix`, in `dir` with `variables` as its whole environment, cleaned of what a test must
/// not see. Returns when it has ended, with all it started if it had to be ended.
pub(super) fn run(
    prefix: &[OsString],
    command: &TestCommand,
    dir: &Path,
    variables: &[Variable],
    timeout: Duration,
    on_line: &mut dyn FnMut(&str),
) -> Finished {
    run_asked(prefix, command, dir, variables, timeout, None, on_line)
}

/// The same, for a command that is asked something.
pub(super) fn run_asked(
    prefix: &[OsString],
    command: &TestCommand,
    dir: &Path,
    variables: &[Variable],
    timeout: Duration,
    question: Option<Question>,
    on_line: &mut dyn FnMut(&str),
) -> Finished {
    let started = Instant::now();
    let deadline = started.checked_add(timeout);
    let start = words(prefix, command)
        .and_then(|words| Run::start(&words, dir, variables, question, deadline));
    let (exit, interrupted, output) = match start {
        Ok(run) => run.follow(on_line),
        Err(error) => (Exit::NotStarted(error.to_string()), false, Text::default()),
    };
    Finished {
        exit,
        interrupted,
        output,
        duration: started.elapsed(),
    }
}

/// Files in the place of a command's streams.
#[derive(Debug)]
pub(crate) struct Question {
    /// What it reads.
    pub(crate) input: File,
    /// Where its standard output goes.
    pub(crate) answer: File,
}

/// A command under way.
struct Run {
    handle: duct::Handle,
    processes: Processes,
    signals: SignalWatch,
    /// `None` once everybody has closed it.
    pipe: Option<PipeReader>,
    output: Output,
    status: Option<ExitStatus>,
    stage: Stage,
    deadline: Option<Instant>,
    timed_out: bool,
    stopped_by: Option<i32>,
    _orphans: OrphansAdopted,
}

/// Where the run stands; `deadline` belongs to the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// The command ended, something it started still holds its output.
    Lingering,
    /// It was asked to stop.
    Asked,
    /// It was killed.
    Killed,
}

impl Run {
    fn start(
        (program, arguments): &(OsString, Vec<OsString>),
        dir: &Path,
        variables: &[Variable],
        question: Option<Question>,
        deadline: Option<Instant>,
    ) -> io::Result<Run> {
        let signals = SignalWatch::start()?;
        let orphans = OrphansAdopted::new();
        let (pipe, writer) = io::pipe()?;
        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
        let mark = run_mark();
        let marked = (OsStr::new(RUN_MARK), mark.as_os_str());
        let environment = environment::for_tests(variables)
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
            .chain([marked]);
        let expression = duct::cmd(program.as_os_str(), arguments)
            .dir(dir)
            .full_env(environment);
        let expression = match question {
            Some(Question { input, answer }) => expression
                .stdin_file(input)
                .stdout_file(answer)
                .stderr_file(writer),
            // duct applies the last one first: the outer redirection is what the inner one sees.
            None => expression
                .stdin_null()
                .stderr_to_stdout()
                .stdout_file(writer),
        };
        let expression = expression.unchecked().before_spawn(|command| {
            command.process_group(0);
            Ok(())
        });
        let (handle, processes) = Processes::start(&mark, || {
            let handle = expression.start()?;
            let main = handle.pids().first().copied();
            let main = main.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
            match main {
                Some(main) => Ok((handle, main)),
                None => Err(io::Error::other("the command has no process id")),
            }
        })?;
        Ok(Run {
            handle,
            processes,
            signals,
            pipe: Some(pipe),
            output: Output::default(),
            status: None,
            stage: Stage::Running,
            deadline,
            timed_out: false,
            stopped_by: None,
            _orphans: orphans,
        })
    }

    fn follow(mut self, on_line: &mut dyn FnMut(&str)) -> (Exit, bool, Text) {
        let mut chunk = vec![0; CHUNK];
        let lost = loop {
            match self.step(&mut chunk, on_line) {
                Ok(false) => {}
                Ok(true) => break None,
                Err(error) => break Some(error),
            }
        };
        if lost.is_some() {
            self.processes.signal(Signal::KILL);
        }
        self.processes.reap_group();
        let exit = match (lost, self.stopped_by, self.status) {
            (Some(error), _, _) => Exit::NotStarted(format!("it could not be followed: {error}")),
            (None, Some(signal), _) => Exit::Signal(signal),
            (None, None, Some(status)) if !self.timed_out => exit_of(status),
            (None, None, _) => Exit::Timeout,
        };
        (exit, self.stopped_by.is_some(), self.output.into_text())
    }

    /// Waits for the next thing to happen and deals with it. `true`: the run is over.
    fn step(&mut self, chunk: &mut [u8], on_line: &mut dyn FnMut(&str)) -> io::Result<bool> {
        self.wait()?;
        self.read(chunk, on_line)?;
        self.signals.clear();
        if self.status.is_none() {
            self.status = self.handle.try_wait()?.map(|output| output.status);
        }
        if let Some(signal) = self.signals.take_stop() {
            self.stop_by(signal);
        }
        if self.is_over() {
            return Ok(true);
        }
        if self.stage == Stage::Running && self.status.is_some() {
            self.enter(Stage::Lingering, LINGER);
        }
        let is_late = self
            .deadline
            .is_some_and(|deadline| deadline <= Instant::now());
        match self.stage {
            _ if !is_late => {}
            Stage::Running => {
                self.timed_out = true;
                self.ask_to_stop(Signal::TERM);
            }
            Stage::Asked => self.enter(Stage::Killed, LAST_LOOK),
            Stage::Lingering | Stage::Killed => return Ok(true),
        }
        Ok(false)
    }

    /// Sleeps until there is output, a signal, or the stage is over.
    fn wait(&self) -> io::Result<()> {
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = match self.stage {
            // Whoever started us may have blocked the signal that tells of the end.
            Stage::Running if self.pipe.is_none() => Some(left.map_or(TICK, |left| left.min(TICK))),
            Stage::Running | Stage::Lingering => left,
            // Processes that are not our children end without telling us.
            Stage::Asked | Stage::Killed => left.map(|left| left.min(TICK)),
        };
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let wake = self.signals.fd();
        let mut both;
        let mut only_signals;
        let fds: &mut [PollFd<'_>] = match &self.pipe {
            Some(pipe) => {
                both = [
                    PollFd::from_borrowed_fd(wake, PollFlags::IN),
                    PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN),
                ];
                &mut both
            }
            None => {
                only_signals = [PollFd::from_borrowed_fd(wake, PollFlags::IN)];
                &mut only_signals
            }
        };
        match poll(fds, left.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes one chunk, so that a flood of output never keeps us from looking at the clock.
    fn read(&mut self, chunk: &mut [u8], on_line: &mut dyn FnMut(&str)) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        match pipe.read(chunk) {
            Ok(0) => self.pipe = None,
            Ok(read) => self.output.push(chunk.split_at(read).0, on_line),
            Err(error) if is_transient(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn is_over(&mut self) -> bool {
        match self.stage {
            Stage::Running | Stage::Lingering => self.status.is_some() && self.pipe.is_none(),
            Stage::Asked => self.status.is_some() && !self.processes.any_alive(),
            // Again and again, in case one started another just before it was hit.
            Stage::Killed => !self.processes.signal(Signal::KILL) && self.status.is_some(),
        }
    }

    /// Somebody asks us to stop: the tests hear it too, and a second time they are killed.
    fn stop_by(&mut self, signal: i32) {
        match self.stage {
            Stage::Running | Stage::Lingering => {
                self.stopped_by = Some(signal);
                self.ask_to_stop(Signal::from_named_raw(signal).unwrap_or(Signal::TERM));
            }
            Stage::Asked => self.enter(Stage::Killed, LAST_LOOK),
            Stage::Killed => {}
        }
    }

    fn ask_to_stop(&mut self, signal: Signal) {
        self.processes.signal(signal);
        self.enter(Stage::Asked, GRACE);
    }

    fn enter(&mut self, stage: Stage, limit: Duration) {
        self.stage = stage;
        self.deadline = Some(Instant::now() + limit);
    }
}

/// The program to start and its arguments.
fn words(prefix: &[OsString], command: &TestCommand) -> io::Result<(OsString, Vec<OsString>)> {
    // An absolute path: the system's fast way of starting a process needs one.
    let shell = |script: &String| ["/bin/sh".into(), "-c".into(), script.into()].to_vec();
    let command = match command {
        TestCommand::Shell(script) => shell(script),
        TestCommand::Args(words) if words.is_empty() => {
            return Err(io::Error::other("the test command is empty"));
        }
        TestCommand::Args(words) => words.clone(),
    };
    let mut words = prefix.iter().cloned().chain(command);
    let program = words.next().unwrap_or_default();
    Ok((program, words.collect()))
}

fn run_mark() -> OsString {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", std::process::id()).into()
}

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}

fn is_transient(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
#[path = "spawn_tests.rs"]
mod tests;
