//! `git tcr watch`: the loop for a person in an editor.
//!
//! One thread waits for whatever happens next (a file, a key, a signal, the end of the work) and
//! draws; another does the work. Nothing is polled.

mod answers;
mod file_events;
mod front;
mod keys;
mod layout;
mod notice;
mod screen;
mod turns;
mod view;
mod wake;
mod worker;

use clap::Args;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::open;
use crate::branch::sealed;
use crate::clock;
use crate::commands::watch::file_events::{FileEvents, Worth};
use crate::error::{Error, ExitStatus, Result};
use crate::message::{Message, watch as words};
use crate::step::rounds::LeftAt;
use answers::TRIES;
use front::Front;
use layout::{Activity, Happened, Shown};
use turns::Turns;
use view::{Settings, View};
use wake::Wake;
use worker::{Job, Worker};

/// `watch`
#[derive(Debug, Clone, Args)]
pub(crate) struct WatchArgs {
    /// Ring the bell when work was taken back or could not be judged.
    #[arg(long)]
    pub(crate) bell: bool,
    /// Show each result as a desktop notification, too.
    #[arg(long)]
    pub(crate) notify: bool,
    /// Take turns: say so when this many minutes are over.
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) timer: Option<u32>,
    /// Who takes turns, in this order: `--with Ada,Grace`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "timer")]
    pub(crate) with: Vec<String>,
    /// Print lines instead of a screen, as is done where there is no terminal.
    #[arg(long)]
    pub(crate) plain: bool,
    /// Print JSON, one result a line, as `git tcr run --json` does.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The worktree is gone over when this part of the debounce is left: what it takes in a large
/// repository is then not waited for.
const LAST_PART: u32 = 2;
/// A stream of changes that does not end is looked at after this many times the debounce.
const PATIENCE: u32 = 10;
/// The clock on the screen shows minutes, and seconds while tests run.
const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);
/// The system's clock and the process's differ by more than this after a sleep.
const SLEPT: u64 = 5;
/// How long a test run that is ended may take before the watch ends without it.
const TO_STOP: Duration = Duration::from_secs(10);

pub(crate) fn watch(args: &WatchArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    sealed::require(&repo)?;
    // The folder it was called in may go with a branch; the root stays.
    std::env::set_current_dir(repo.root())
        .map_err(|error| Error::io("enter", repo.root(), error))?;
    let (sender, wakes) = mpsc::channel();
    let deliver = sender.clone();
    let files = FileEvents::start(&repo, move |event| {
        // The process is about to end if nobody listens.
        drop(deliver.send(Wake::Files(event)));
    })?;
    drop(repo);
    wake::on_signals(sender.clone())?;
    let (view, settings) = view::read()?;
    let front = Front::open(args)?;
    if front.has_keys() {
        wake::on_keys(sender.clone());
    }
    let mut watch = Watch::new(args, front, files, Worker::start(sender), view, settings);
    watch.begin()?;
    watch.follow(&wakes)
}

/// What is being done.
#[derive(Debug)]
enum Busy {
    /// Looking, deciding, writing.
    Working,
    /// Another git tcr has the worktree.
    Waiting(String),
    Testing {
        command: String,
        since: Instant,
    },
}

struct Watch {
    bell: bool,
    notify: bool,
    front: Front,
    files: FileEvents,
    worker: Worker,
    settings: Settings,
    view: Option<View>,
    busy: Option<Busy>,
    /// What was asked for while it was busy.
    asked_for: Option<Job>,
    paused: bool,
    /// When the worktree is looked at, and the first change that asked for it.
    due: Option<Instant>,
    changed_since: Option<Instant>,
    /// The worker has gone over the worktree since the last change.
    is_ready: bool,
    /// How the last look left the worktree.
    left_at: Option<LeftAt>,
    /// How often in a row nothing could be decided.
    tries: u32,
    /// Why nothing could be decided until it was given up.
    given_up: Option<String>,
    /// What keeps it from working.
    held: Option<Message>,
    happened: Vec<Happened>,
    turns: Option<Turns>,
    prompt: Option<String>,
    /// What the keys do is on the screen.
    help: bool,
    quitting: Option<Instant>,
    /// A signal is on its way that was sent to end a running test.
    own_signal: bool,
    began: Began,
    /// Both clocks at the last wake-up.
    clocks: (Instant, u64),
}

/// What was there at the beginning, for the words at the end.
struct Began {
    at: u64,
    commits: u64,
    reverts: u64,
}

impl Watch {
    fn new(
        args: &WatchArgs,
        front: Front,
        files: FileEvents,
        worker: Worker,
        view: Option<View>,
        settings: Settings,
    ) -> Watch {
        let now = Instant::now();
        let seconds = clock::seconds_now();
        let (commits, reverts) = view
            .as_ref()
            .map_or((0, 0), |view| (view.commits, view.reverts));
        Watch {
            bell: args.bell,
            notify: args.notify,
            front,
            files,
            worker,
            settings,
            view,
            busy: None,
            asked_for: None,
            paused: false,
            due: None,
            changed_since: None,
            is_ready: false,
            left_at: None,
            tries: 0,
            given_up: None,
            held: None,
            happened: Vec::new(),
            turns: args
                .timer
                .map(|minutes| Turns::new(minutes, &args.with, now)),
            prompt: None,
            help: false,
            quitting: None,
            own_signal: false,
            began: Began {
                at: seconds,
                commits,
                reverts,
            },
            clocks: (now, seconds),
        }
    }

    /// Whatever changed before is looked at first.
    fn begin(&mut self) -> Result<()> {
        if let Some(view) = &self.view {
            self.front.line(&words::begins(
                &view.branch,
                view.phase,
                view.mode,
                view.allowed,
            ))?;
        }
        self.look()
    }

    fn look(&mut self) -> Result<()> {
        let is_last_try = self.tries + 1 >= TRIES;
        self.give(Job::Look {
            unless_still: self.left_at,
            expects_restless: is_last_try || self.given_up.is_some(),
        })
    }

    fn follow(mut self, wakes: &Receiver<Wake>) -> Result<ExitStatus> {
        loop {
            self.draw()?;
            let wait = self
                .next_deadline()
                .map(|at| at.saturating_duration_since(Instant::now()));
            let woken = match wait {
                Some(wait) => wakes.recv_timeout(wait),
                None => wakes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let now = Instant::now();
            self.notice_sleep();
            match woken {
                Ok(wake) => {
                    // One look at everything that is there, not one for each.
                    let all: Vec<Wake> = std::iter::once(wake).chain(wakes.try_iter()).collect();
                    self.on_wakes(all, now)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::internal("nothing can wake the watch up any more"));
                }
            }
            self.on_time()?;
            if self.is_over() {
                return self.end();
            }
        }
    }

    fn on_wakes(&mut self, wakes: Vec<Wake>, woken: Instant) -> Result<()> {
        let mut events = Vec::new();
        for wake in wakes {
            match wake {
                Wake::Files(Ok(event)) => events.push(event),
                // What can't be said in detail is a reason to look.
                Wake::Files(Err(_)) => self.changed(woken),
                Wake::Key(key) => self.on_key(key)?,
                Wake::Resized => {}
                Wake::Work(note) => self.on_note(note)?,
                Wake::Stop => self.on_stop_signal(),
            }
        }
        if events.is_empty() {
            return Ok(());
        }
        // In doubt it is looked at: the tree decides.
        match self.files.worth_of(&events).unwrap_or(Worth::Worktree) {
            Worth::Nothing => {}
            Worth::State => self.reread(),
            Worth::Worktree => self.changed(woken),
        }
        Ok(())
    }

    /// The worktree may have changed: it is looked at when it is quiet for a while. To find out whether a
    /// change matters takes time in a large repository; it is not waited for twice.
    fn changed(&mut self, at: Instant) {
        self.is_ready = false;
        let since = *self.changed_since.get_or_insert(at);
        let quiet = at + self.settings.debounce;
        self.due = Some(quiet.min(since + self.settings.debounce * PATIENCE));
    }

    /// What has to be done because of the time.
    fn on_time(&mut self) -> Result<()> {
        let now = Instant::now();
        if self
            .turns
            .as_mut()
            .is_some_and(|turns| turns.has_ended(now))
        {
            let next = self.turns.as_ref().and_then(Turns::name);
            let message = words::turn_over(next);
            self.front.bell()?;
            self.announce(&message);
            self.say(&message.clone(), message)?;
        }
        if self.next_look().is_some_and(|due| due <= now) {
            return self.look();
        }
        if self.next_look_ahead().is_some_and(|at| at <= now) {
            self.worker.get_ready();
            self.is_ready = true;
        }
        Ok(())
    }

    /// When the worktree is looked at next.
    fn next_look(&self) -> Option<Instant> {
        let is_free = self.busy.is_none() && !self.paused && self.quitting.is_none();
        self.due.filter(|_| is_free)
    }

    fn next_look_ahead(&self) -> Option<Instant> {
        let due = self.next_look().filter(|_| !self.is_ready)?;
        due.checked_sub(self.settings.debounce / LAST_PART)
    }

    /// One thing after the other.
    fn ask_for(&mut self, job: Job) -> Result<()> {
        if self.busy.is_some() {
            self.asked_for = Some(job);
            return Ok(());
        }
        self.give(job)
    }

    fn give(&mut self, job: Job) -> Result<()> {
        if matches!(job, Job::Look { .. } | Job::RunNow) {
            self.due = None;
            self.changed_since = None;
        }
        self.busy = Some(Busy::Working);
        self.worker.give(job, std::mem::take(&mut self.is_ready))
    }

    /// Reads where the work stands. What can't be read now is read after the next change.
    fn reread(&mut self) {
        self.files.watch_states();
        if let Ok((view, settings)) = view::read() {
            self.view = view;
            self.settings = settings;
        }
    }

    fn is_over(&self) -> bool {
        self.quitting
            .is_some_and(|since| self.busy.is_none() || since.elapsed() >= TO_STOP)
    }

    fn end(self) -> Result<ExitStatus> {
        let Watch {
            front, view, began, ..
        } = self;
        let (commits, reverts) = view
            .as_ref()
            .map_or((began.commits, began.reverts), |view| {
                (view.commits, view.reverts)
            });
        front.close(&words::ends(
            commits.saturating_sub(began.commits),
            reverts.saturating_sub(began.reverts),
            clock::seconds_now().saturating_sub(began.at),
        ))?;
        Ok(ExitStatus::Done)
    }

    /// After a sleep nobody knows what was changed from elsewhere.
    fn notice_sleep(&mut self) {
        let (then, seconds_then) = self.clocks;
        self.clocks = (Instant::now(), clock::seconds_now());
        let awake = then.elapsed().as_secs();
        if self.clocks.1.saturating_sub(seconds_then) > awake + SLEPT {
            self.changed(self.clocks.0);
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        let now = Instant::now();
        let look = self.next_look_ahead().or(self.next_look());
        let stop = self.quitting.map(|since| since + TO_STOP);
        let clock = self.front.has_keys().then(|| {
            let testing = matches!(self.busy, Some(Busy::Testing { .. }));
            now + if testing { SECOND } else { MINUTE }
        });
        let turn = self.turns.as_ref().map(|turns| now + turns.left(now));
        [look, stop, clock, turn].into_iter().flatten().min()
    }

    fn draw(&mut self) -> Result<()> {
        let activity = match &self.busy {
            Some(Busy::Testing { command, since }) => Activity::Running {
                since: words::running(command, since.elapsed().as_secs()),
                last_line: self.worker.last_line(),
            },
            Some(Busy::Waiting(owner)) => Activity::Waiting(owner.clone()),
            Some(Busy::Working) | None if self.paused => Activity::Paused,
            Some(Busy::Working) | None => match &self.held {
                Some(why) => Activity::Held(why.clone()),
                None => Activity::Idle,
            },
        };
        let now = Instant::now();
        let turn = self
            .turns
            .as_ref()
            .map(|turns| words::turn(turns.name(), turns.left(now).as_secs()));
        self.front.draw(&Shown {
            now: clock::seconds_now(),
            view: self.view.as_ref(),
            activity,
            happened: &self.happened,
            turn,
            prompt: self.prompt.as_deref(),
            help: self.help,
        })
    }
}
