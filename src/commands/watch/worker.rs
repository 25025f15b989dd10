//! The thread that does the work, one thing after the other, while the screen stays alive. It
//! calls the same code as the commands do.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::notice;
use super::wake::Wake;
use crate::branch::place;
use crate::commands::{open, phase, recover, report, run};
use crate::error::{Error, Result};
use crate::git::index_lock;
use crate::git::repo::Repo;
use crate::git::snapshot;
use crate::message::{self, Message};
use crate::outcome::step::Outcome;
use crate::rules::Phase;
use crate::step::request::LoopRequest;
use crate::step::rounds::{self, LeftAt};
use crate::test_run::progress::Progress;

/// Something to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Judge the worktree, unless it is still as it was left.
    Look {
        unless_still: Option<LeftAt>,
        expects_restless: bool,
    },
    /// Run the tests whatever is known.
    RunNow,
    /// Declare a phase.
    Phase { to: Phase, why: Option<String> },
    /// Bring back what was reverted last.
    RecoverLast,
    /// Write the report and show it in a browser.
    OpenReport,
}

/// How far a job has come.
#[derive(Debug)]
pub(super) enum Note {
    Waiting(String),
    TestsStart(String),
    TestsEnd,
    Ended(Box<Result<Answer>>),
}

/// An order to the thread.
#[derive(Debug)]
enum Order {
    /// A look will follow if nothing changes: what it takes should be at hand.
    GetReady,
    /// Do this, with what is at hand if nothing changed since.
    Do { job: Job, is_ready: bool },
}

/// The repository, opened, while its worktree is gone over. What fails now fails again when it is needed,
/// and is told then.
fn get_ready() -> Option<Repo> {
    let repo = open::repository().ok()?;
    snapshot::look_ahead(&repo);
    Some(repo)
}

fn or_open(ready: Option<Repo>) -> Result<Repo> {
    ready.map_or_else(open::repository, Ok)
}

/// What came of a job.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// As the command would print it.
    pub(super) messages: Vec<Message>,
    /// The same for the screen.
    pub(super) on_screen: Vec<Message>,
    /// Where the loop ran.
    pub(super) outcome: Option<Outcome>,
    pub(super) left_at: Option<LeftAt>,
}

impl Answer {
    fn says(message: Message) -> Answer {
        Answer {
            messages: vec![message.clone()],
            on_screen: vec![message],
            ..Answer::default()
        }
    }
}

/// The thread, seen from outside.
pub(super) struct Worker {
    orders: Sender<Order>,
    last_line: Arc<Mutex<String>>,
}

impl Worker {
    pub(super) fn start(wakes: Sender<Wake>) -> Worker {
        let (orders, todo) = mpsc::channel();
        let last_line = Arc::new(Mutex::new(String::new()));
        let reporter = Reporter {
            wakes,
            last_line: Arc::clone(&last_line),
        };
        std::thread::spawn(move || work(&todo, reporter));
        Worker { orders, last_line }
    }

    /// Gives it something to do; `is_ready` says that nothing changed since it was to get ready.
    pub(super) fn give(&self, job: Job, is_ready: bool) -> Result<()> {
        self.orders
            .send(Order::Do { job, is_ready })
            .map_err(|_| Error::internal("the thread that does the work is gone"))
    }

    pub(super) fn get_ready(&self) {
        // If the thread is gone, the look will tell.
        drop(self.orders.send(Order::GetReady));
    }

    /// The newest line that the tests printed.
    pub(super) fn last_line(&self) -> String {
        self.last_line
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn work(todo: &Receiver<Order>, mut reporter: Reporter) {
    let mut ready = None;
    for order in todo {
        match newest(order, todo) {
            Order::GetReady => ready = get_ready(),
            Order::Do { job, is_ready } => {
                let ready = ready.take().filter(|_| is_ready);
                let answer = carry_out(job, ready, &mut reporter);
                reporter.tell(Note::Ended(Box::new(answer)));
            }
        }
    }
}

/// Of several orders to get ready only the last counts, and none if there is something to do by now:
/// where a look takes long, they would pile up.
fn newest(mut order: Order, todo: &Receiver<Order>) -> Order {
    let mut is_skipped = false;
    while matches!(order, Order::GetReady)
        && let Ok(next) = todo.try_recv()
    {
        order = next;
        is_skipped = true;
    }
    match order {
        // What is at hand is from before.
        Order::Do { job, .. } if is_skipped => Order::Do {
            job,
            is_ready: false,
        },
        order => order,
    }
}

fn carry_out(job: Job, ready: Option<Repo>, reporter: &mut Reporter) -> Result<Answer> {
    match job {
        Job::Look {
            unless_still,
            expects_restless,
        } => judge(
            LoopRequest {
                unless_still,
                expects_restless,
                step_goes_on: true,
                ..LoopRequest::default()
            },
            &or_open(ready)?,
            reporter,
        ),
        Job::RunNow => judge(
            LoopRequest {
                force: true,
                expects_restless: true,
                ..LoopRequest::default()
            },
            &or_open(ready)?,
            reporter,
        ),
        Job::Phase { to, why } => {
            let declared = phase::declare(to, why.as_deref(), reporter)?;
            Ok(Answer {
                messages: vec![declared.message()],
                on_screen: vec![declared.brief()],
                ..Answer::default()
            })
        }
        Job::RecoverLast => recover_last(reporter),
        Job::OpenReport => {
            let (path, message) = report::write_default()?;
            notice::in_browser(&path);
            Ok(Answer::says(message))
        }
    }
}

fn judge(request: LoopRequest, repo: &Repo, reporter: &mut Reporter) -> Result<Answer> {
    // While git switches branches the files are neither here nor there.
    index_lock::wait_until_free(repo)?;
    let request = LoopRequest {
        by: crate::person::calling_agent().map(str::to_owned),
        ..request
    };
    let done = rounds::run(repo, &request, reporter)?;
    let limit = done.shown_output();
    Ok(Answer {
        messages: run::messages(&done),
        on_screen: done
            .rounds()
            .map(|outcome| message::watch::outcome(outcome, limit))
            .collect(),
        left_at: done.left_at,
        outcome: Some(done.outcome),
    })
}

fn recover_last(reporter: &mut Reporter) -> Result<Answer> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let (entries, _) = crate::branch::recover::list(&repo, place.kept_under(), 1)?;
    let Some(last) = entries.first() else {
        return Ok(Answer::says(message::recover::nothing_reverted()));
    };
    let restored = recover::bring_back(last.number, reporter)?;
    Ok(Answer::says(message::recover::restored_in_brief(
        last.number,
        &restored,
    )))
}

/// Tells the screen how the work goes.
struct Reporter {
    wakes: Sender<Wake>,
    last_line: Arc<Mutex<String>>,
}

impl Reporter {
    fn tell(&self, note: Note) {
        // Nobody listens any more: the process is about to end.
        drop(self.wakes.send(Wake::Work(note)));
    }

    fn set_line(&self, line: &str) {
        let mut last = self
            .last_line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        line.clone_into(&mut last);
    }
}

impl Progress for Reporter {
    fn waiting(&mut self, owner: &str) {
        self.tell(Note::Waiting(owner.to_owned()));
    }

    fn tests_start(&mut self, command: &str) {
        self.set_line("");
        self.tell(Note::TestsStart(command.to_owned()));
    }

    fn tests_line(&mut self, line: &str) {
        // It is looked at when the screen is drawn next: tests may print a lot.
        self.set_line(line);
    }

    fn tests_end(&mut self) {
        self.tell(Note::TestsEnd);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done of these orders.
    fn done(orders: Vec<Order>) -> Vec<String> {
        let (sender, todo) = mpsc::channel();
        for order in orders {
            sender.send(order).expect("it is received");
        }
        drop(sender);
        let mut done = Vec::new();
        while let Ok(order) = todo.recv() {
            done.push(match newest(order, &todo) {
                Order::GetReady => "get ready".into(),
                Order::Do { is_ready, .. } => format!("do, ready: {is_ready}"),
            });
        }
        done
    }

    fn job(is_ready: bool) -> Order {
        let job = Job::RunNow;
        Order::Do { job, is_ready }
    }

    #[test]
    fn orders_to_get_ready_do_not_pile_up() {
        let ready = || Order::GetReady;
        assert_eq!(done(vec![ready(), ready(), ready()]), ["get ready"]);
        let late = done(vec![ready(), ready(), job(true), job(false), ready()]);
        let expected = ["do, ready: false", "do, ready: false", "get ready"];
        assert_eq!(late, expected);
        assert_eq!(done(vec![job(true)]), ["do, ready: true"]);
    }
}
