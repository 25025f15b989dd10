//! Who calls: a person, or an agent's hand. A person is shown by the processes above us, never
//! assumed because nothing speaks against it.
//!
//! Terminals, multiplexers, editors, schedulers, containers and CI all pass. What does not: a
//! process below a client, below a test run of ours, or one that an agent's call has left behind.

pub(crate) mod call;
pub(crate) mod processes;
pub(crate) mod prompts;
pub(crate) mod trace;

use std::path::Path;
use std::sync::OnceLock;

use crate::clients::{self, Client};
use crate::env_vars;
use crate::git::repo::Repo;
use crate::this_process;
use processes::Process;
use trace::{Origin, Trace};

/// Whose hand is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hand {
    Person,
    /// An agent of this client.
    Client(&'static str),
    /// A test, a linter or another program that a run of ours has started.
    TestRun,
    /// A process that an agent's call has left behind.
    LeftBehind,
}

impl Hand {
    /// What is put down as the one who acts; none for a person.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Hand::Person => None,
            Hand::Client(name) => Some(name),
            Hand::TestRun => Some("test-run"),
            Hand::LeftBehind => Some("left-behind"),
        }
    }
}

/// The agent that calls, or what else is no person.
pub(crate) fn calling_agent() -> Option<&'static str> {
    calling_hand().name()
}

/// Whose hand this process is.
pub(crate) fn calling_hand() -> Hand {
    static HAND: OnceLock<Hand> = OnceLock::new();
    *HAND.get_or_init(found_out)
}

fn found_out() -> Hand {
    if let Some(client) = env_vars::calling_agent() {
        return Hand::Client(client);
    }
    if env_vars::trusts_environment() {
        return Hand::Person;
    }
    let repo = this_process::folder().ok();
    let repo = repo.and_then(|folder| Repo::discover(&folder).ok());
    let trace = repo.as_ref().map(trace::read).unwrap_or_default();
    let is_test_run_here = |process: &Process| match &repo {
        Some(repo) => runs_in(process, repo.root()),
        None => true,
    };
    let world = World {
        marks: &|process| env_vars::agent_marked(&processes::environment(process.pid)),
        is_test_run_here: &is_test_run_here,
        others: &|| processes::since(0),
    };
    hand(&processes::own_chain(), &trace, &world)
}

/// Whether a process works in a folder or below it. What can't be told is no excuse.
fn runs_in(process: &Process, root: &Path) -> bool {
    processes::folder(process.pid).is_none_or(|folder| folder.starts_with(root))
}

/// What the rule may ask of the system.
struct World<'w> {
    /// The client whose marks a process was started with.
    marks: &'w dyn Fn(&Process) -> Option<&'static str>,
    /// Whether a run of ours is one of this repository.
    is_test_run_here: &'w dyn Fn(&Process) -> bool,
    /// Everything that runs.
    others: &'w dyn Fn() -> Vec<Process>,
}

/// Whose hand a process is, by itself and its ancestors, the process first.
fn hand(chain: &[Process], trace: &Trace, world: &World<'_>) -> Hand {
    let above = chain.get(1..).unwrap_or_default();
    for process in above {
        if let Some(client) = client_of(process).or_else(|| (world.marks)(process)) {
            return Hand::Client(client);
        }
    }
    let is_run = |process: &&Process| is_ours(process) && !is_demo(process);
    if above.iter().filter(is_run).any(world.is_test_run_here) {
        return Hand::TestRun;
    }
    let parents = chain.iter().skip(1).map(Some).chain([None]);
    for (process, parent) in chain.iter().zip(parents) {
        if is_left_behind(process, parent, trace) && !is_shown_by_client(process, trace, world) {
            return Hand::LeftBehind;
        }
    }
    Hand::Person
}

/// Programs that clients are scripts of.
const INTERPRETERS: &[&str] = &["node", "nodejs", "bun", "deno", "MainThread"];

/// The client that a process is.
pub(crate) fn client_of(process: &Process) -> Option<&'static str> {
    let names: Vec<String> = process.names().collect();
    let is_interpreter = names.iter().any(|name| INTERPRETERS.contains(&&**name));
    // An option or two come before the script.
    let scripts = process.words.iter().skip(1).take(4);
    let scripts: Vec<&Path> = scripts.map(Path::new).filter(|_| is_interpreter).collect();
    clients::running(&names, &scripts).map(Client::name)
}

fn is_ours(process: &Process) -> bool {
    process.names().any(|name| name == "git-tcr")
}

/// The demo and the tour call commands for people, in repositories of their own.
fn is_demo(process: &Process) -> bool {
    let command = process.words.get(1).map(String::as_str);
    matches!(command, Some("demo" | "tour"))
}

/// Programs that run what people and agents type.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "pwsh"];
/// Programs that take over the children of others that ended.
const REAPERS: &[&str] = &[
    "systemd",
    "launchd",
    "init",
    "tini",
    "dumb-init",
    "docker-init",
    "catatonit",
    "conmon",
    "containerd-shim",
    "s6-svscan",
    "runsvdir",
];
/// Programs by which people come in, and that nobody else starts for them.
const DOORS: &[&str] = &[
    "sshd",
    "sshd-session",
    "sshd-auth",
    "dropbear",
    "mosh-server",
    "login",
    "agetty",
    "cron",
    "crond",
    "atd",
];
/// Servers that go on without the terminal they were started from, and have people's below them.
const MULTIPLEXERS: &[&str] = &["tmux", "screen", "zellij", "dtach", "abduco"];

/// Whether a call of an agent has left this process behind: it is known to have outlived one, or it
/// lost its parent while a call was under way, or while something lived that had outlived one.
fn is_left_behind(process: &Process, parent: Option<&Process>, trace: &Trace) -> bool {
    let survived = |known: &trace::Survivor| known.is(process);
    if trace.survivors.iter().any(survived) {
        return true;
    }
    let here = trace.survivors.iter().filter(|known| !known.elsewhere);
    let earliest = here.min_by_key(|known| known.began);
    let since = earliest.map(|known| known.origin());
    let origins = trace.open.iter().chain(since.as_ref());
    origins
        .into_iter()
        .any(|origin| is_orphan(process, parent, origin))
}

/// Whether the outermost process hides what is above it: it counts processes of its own since a call
/// began, and is in no container, which has a root folder of its own too.
fn is_apart(process: &Process, origin: &Origin) -> bool {
    let (Some(own), Some(its)) = (&process.space, &origin.space) else {
        return false;
    };
    let is_since = process.began >= origin.clock || own.clock != its.clock;
    own.processes != its.processes && own.root == its.root && is_since
}

/// Whether a process lost its parent since a call began, as far as it can be told.
fn is_orphan(process: &Process, parent: Option<&Process>, origin: &Origin) -> bool {
    if is_apart(process, origin) {
        return true;
    }
    let is_door = process.is_foreign || process.names().any(|name| DOORS.contains(&&*name));
    if process.began < origin.clock || is_door || process.scope != origin.scope {
        return false;
    }
    let Some(parent) = parent else {
        return process.parent == 1;
    };
    let is_one = |known: &[&str]| parent.names().any(|name| known.contains(&&*name));
    // Where a shell is the first process of a container, people type into it.
    is_one(REAPERS) || (parent.pid == 1 && !is_one(SHELLS))
}

/// Whether a multiplexer's server is one that a person looks at: somebody's terminal is attached.
fn is_shown_by_client(process: &Process, trace: &Trace, world: &World<'_>) -> bool {
    const TOGETHER: u64 = 200;
    let is_one = |process: &Process| {
        let mut names = process.names();
        names.any(|name| MULTIPLEXERS.contains(&name.to_lowercase().as_str()))
    };
    is_one(process)
        && (world.others)().iter().any(|other| {
            other.pid != process.pid
                && is_one(other)
                && other.has_terminal
                && other.began + TOGETHER >= process.began
                && hand(&processes::chain(other.pid), trace, world) == Hand::Person
        })
}

#[cfg(test)]
mod tests;
