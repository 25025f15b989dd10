//! What agents' calls leave behind that tells their processes from a person's: when each call began
//! and below which program, and what outlived it.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::processes::{self, Process, Space};
use super::{SHELLS, client_of, is_orphan};
use crate::env_vars;
use crate::git::repo::Repo;
use crate::person::call;

/// When and where a call began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// In the count that processes begin in.
    #[serde(default)]
    pub(crate) clock: u64,
    /// What the system accounts the client to.
    #[serde(default)]
    pub(crate) scope: String,
    /// What the client sees of the machine.
    #[serde(default)]
    pub(crate) space: Option<Space>,
}

impl Origin {
    /// Of the call whose hook this process is. The gate asks, so nothing but ourselves is looked at.
    pub(crate) fn of_this_hook() -> Origin {
        Origin {
            clock: processes::now(),
            scope: processes::own_scope(),
            space: processes::own_space(),
        }
    }
}

/// The client that a hook was called by; `chain` is that of the hook.
fn client_above(chain: &[Process]) -> Option<u32> {
    // Between us and a client that has another name there is a shell.
    const UNNAMED: usize = 2;
    let named = chain.iter().position(|one| client_of(one).is_some());
    chain.get(named.unwrap_or(UNNAMED)).map(|client| client.pid)
}

/// A process that outlived the call it began in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Survivor {
    pub(crate) pid: u32,
    pub(crate) began: u64,
    /// What it was started with, for people.
    #[serde(default)]
    pub(crate) words: String,
    #[serde(default)]
    pub(super) scope: String,
    #[serde(default)]
    pub(super) space: Option<Space>,
    /// It is at work in another repository.
    #[serde(default)]
    pub(super) elsewhere: bool,
    /// It runs below the client, and may be of a call that goes on.
    #[serde(default)]
    pub(super) below: bool,
    /// What changed because of it was named.
    #[serde(default)]
    pub(super) told: bool,
}

impl Survivor {
    pub(super) fn is(&self, process: &Process) -> bool {
        (self.pid, self.began) == (process.pid, process.began)
    }

    fn lives(&self) -> bool {
        processes::one(self.pid).is_some_and(|process| self.is(&process))
    }

    /// Since when its own children may have lost their parent.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            clock: self.began,
            scope: self.scope.clone(),
            space: self.space.clone(),
        }
    }
}

/// What is known of agents' calls in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Calls whose end nobody told.
    pub(crate) open: Vec<Origin>,
    pub(crate) survivors: Vec<Survivor>,
}

fn path(repo: &Repo) -> PathBuf {
    repo.common_dir().join("tcr").join("survivors")
}

/// What is known now.
pub(crate) fn read(repo: &Repo) -> Trace {
    Trace {
        open: call::open(repo)
            .into_iter()
            .map(|begun| begun.origin)
            .collect(),
        survivors: survivors(repo),
    }
}

fn survivors(repo: &Repo) -> Vec<Survivor> {
    let text = std::fs::read_to_string(path(repo)).unwrap_or_default();
    let now = processes::now();
    let known = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    // One that begins in the future was of a time before the machine was started anew.
    known.filter(|one: &Survivor| one.began <= now).collect()
}

/// Looks for what outlives calls that began at `origins`. `settles` says that the turn is over, and
/// with it every call.
pub(crate) fn note_survivors(repo: &Repo, origins: &[Origin], settles: bool) {
    let before = survivors(repo);
    let mut known = before.clone();
    if let Some(earliest) = origins.iter().map(|origin| origin.clock).min() {
        let ours = processes::own_chain();
        let began = processes::since(earliest);
        let is_new = |process: &&Process| {
            !before.iter().any(|one| one.is(process))
                && !ours.iter().any(|one| one.pid == process.pid)
        };
        let new = began.iter().filter(is_new);
        let client = client_above(&ours);
        known.extend(new.filter_map(|process| survivor(repo, process, &began, (origins, client))));
    }
    if settles {
        known.retain(|one| !one.below || one.lives());
        known.iter_mut().for_each(|one| one.below = false);
    }
    if known != before {
        write(repo, &known);
    }
}

fn survivor(
    repo: &Repo,
    process: &Process,
    began: &[Process],
    (origins, client): (&[Origin], Option<u32>),
) -> Option<Survivor> {
    let parent = processes::one(process.parent);
    let found = |below: bool, origin: &Origin| Survivor {
        pid: process.pid,
        began: process.began,
        words: process.words.join(" "),
        scope: origin.scope.clone(),
        space: origin.space.clone(),
        elsewhere: processes::folder(process.pid).is_some_and(|folder| is_elsewhere(repo, &folder)),
        below,
        told: false,
    };
    origins.iter().find_map(|origin| {
        if is_orphan(process, parent.as_ref(), origin) {
            return Some(found(false, origin));
        }
        is_left_below(process, began, origin, client).then(|| found(true, origin))
    })
}

/// Whether a folder is one of another repository.
fn is_elsewhere(repo: &Repo, folder: &Path) -> bool {
    let root = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    root.is_some_and(|root| root != repo.root())
}

/// Whether a process that began in a call goes on below the client: a shell, or what bears the
/// marks of one. Servers of the client itself, for languages and tools, do not.
fn is_left_below(
    process: &Process,
    began: &[Process],
    origin: &Origin,
    client: Option<u32>,
) -> bool {
    let Some(client) = client.filter(|client| process.parent == *client) else {
        return false;
    };
    if process.began < origin.clock {
        return false;
    }
    let marked = |pid| env_vars::agent_marked(&processes::environment(pid)).is_some();
    let is_shell = process.names().any(|name| SHELLS.contains(&&*name));
    // The shell of a hook is one of ours.
    let is_hook = process.words.iter().any(|word| word.contains("git-tcr"))
        || began
            .iter()
            .any(|one| one.parent == process.pid && one.name() == "git-tcr");
    !is_hook && (is_shell || (marked(process.pid) && !marked(client)))
}

/// Takes the survivors of which nothing was told yet: what changed since can't be told from theirs.
pub(crate) fn take_untold(repo: &Repo) -> Vec<Survivor> {
    let mut known = survivors(repo);
    let untold: Vec<Survivor> = (known.iter())
        .filter(|one| !one.elsewhere && (!one.told || one.lives()))
        .cloned()
        .collect();
    if !untold.is_empty() {
        known.iter_mut().for_each(|one| one.told = true);
        write(repo, &known);
    }
    untold
}

/// A new session begins: what has ended was of another one.
pub(crate) fn forget_ended(repo: &Repo) {
    let known = survivors(repo);
    let counts = |one: &&Survivor| !one.told || one.lives();
    let living: Vec<Survivor> = known.iter().filter(counts).cloned().collect();
    if living != known {
        write(repo, &living);
    }
}

/// What can't be written is found by the next look, or by the replay elsewhere.
fn write(repo: &Repo, survivors: &[Survivor]) {
    const MOST: usize = 1_000;
    let mut text = Vec::new();
    for one in survivors.iter().rev().take(MOST).rev() {
        if let Ok(line) = serde_json::to_vec(one) {
            text.extend(line);
            text.push(b'\n');
        }
    }
    let path = path(repo);
    drop(path.parent().map(std::fs::create_dir_all));
    let beside = path.with_extension("new");
    let written = std::fs::File::create(&beside).and_then(|mut file| file.write_all(&text));
    drop(written.and_then(|()| std::fs::rename(&beside, &path)));
}
