//! The gate: a tool call is allowed or denied before it runs.
//!
//! It gives the early, friendly "no"; the loop judges by content afterwards what can't be known
//! here. Whatever goes wrong on the way is a denial.

mod accepted;
#[cfg(test)]
mod corpus_tests;
mod effects;
mod foreign_command;
mod foreign_tool;
mod pending;
mod script;
mod start_up;
mod test_place;
mod wanted;
mod way;
mod world;

use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};

use crate::branch::Detail;
use crate::branch::classes::Classes;
use crate::branch::drift::{self, Drifted};
use crate::branch::off::effective_mode;
use crate::branch::place::{self, Place};
use crate::branch::state::State;
use crate::branch::{caller, sealed};
use crate::clients::event::{AgentEvent, ToolCall};
use crate::command_line::{Analysis, ShellEffect, analyze};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::git::repo::{Head, Repo};
use crate::git::{command, refs};
use crate::languages::StubRules;
use crate::message::refusals;
use crate::outcome::gate::{Denial, Objection};
use crate::parts::content::content_change_by;
use crate::parts::manifest;
use crate::person::call;
use crate::rules::shell_gate::{self, Branches};
use crate::rules::write_gate::{
    Change, GateState, Oracle, decide_write, is_lifted_by_pending_tests,
};
use crate::rules::{CycleKind, GateDecision, Mode, PathClass, Phase};
use crate::test_run::jobs;
use crate::this_process;
use foreign_command::may_run;
use pending::{Candidate, PendingTests};
use wanted::{Wanted, Writing};
use world::{Guarded, World};

/// A repository whose tool calls are judged.
pub(crate) struct Gate {
    repo: Repo,
    config: Config,
    /// None where the branch is not one that TCR is at work on. Without what the tests said.
    state: Option<State>,
    /// The link of the chain that the state was read from.
    link: Option<gix::ObjectId>,
    classes: Classes,
    mode: Mode,
    base: String,
    wip: String,
    current: Option<String>,
    head: Option<Head>,
    /// The first frozen file that is not as it was certified, once it was looked for.
    drift: OnceCell<Option<Drifted>>,
    /// The tree that is compared with, once it was looked up.
    accepted: OnceCell<Option<gix::ObjectId>>,
    /// Files of this call that may bring tests.
    own: RefCell<Vec<Candidate>>,
    /// Files that this call writes, from the root.
    written: RefCell<Vec<String>>,
    /// The call does nothing but through git.
    only_git: Cell<bool>,
    /// Changed tests that are not committed, once they were looked for.
    pending: OnceCell<PendingTests>,
    /// Where files are guarded whatever they are called, once it was asked.
    guarded: OnceCell<Guarded>,
}

impl Gate {
    /// The gate of a repository; none if TCR is not installed there.
    pub(crate) fn of(repo: Repo) -> Result<Option<Gate>> {
        let found = sealed::look(&repo)?;
        if found.was_put_back {
            return Err(refusals::seal_was_removed());
        }
        let Some(sealed) = found.sealed else {
            if sealed::is_missing(&repo)? {
                return Err(refusals::seal_is_missing());
            }
            return Ok(None);
        };
        let place = match place::locate_in(&repo, Detail::WithoutResults) {
            Ok(place) => Some(place),
            // In the middle of a rebase, or before the first commit, only protected paths are guarded.
            Err(Error::Detached | Error::Unborn(_)) => None,
            Err(error) => return Err(error),
        };
        Gate::new(repo, sealed.config, place).map(Some)
    }

    fn new(repo: Repo, config: Config, place: Option<Place>) -> Result<Gate> {
        let mut place = place;
        let loaded = place.as_mut().and_then(|place| place.loaded.take());
        let (link, state) = loaded.map(|loaded| (loaded.tip, loaded.state)).unzip();
        let base = place
            .as_ref()
            .map(|place| place.base.to_string())
            .unwrap_or_default();
        let mode = match (&state, &place) {
            (Some(state), Some(place)) => effective_mode(state, &config, place.base.as_bstr()),
            (None, Some(_)) if config.enabled && config.acts_on(&base) => config.mode,
            _ => Mode::Off,
        };
        let spec = state.as_ref().and_then(State::spec_path);
        Ok(Gate {
            classes: Classes::new(&repo, &config, spec)?,
            wip: place
                .as_ref()
                .map(|place| refs::short(&place.wip).to_string())
                .unwrap_or_default(),
            current: place
                .as_ref()
                .map(|place| refs::short(&place.head.branch).to_string()),
            head: place.map(|place| place.head),
            guarded: OnceCell::new(),
            repo,
            config,
            state,
            link,
            mode,
            base,
            drift: OnceCell::new(),
            accepted: OnceCell::new(),
            own: RefCell::default(),
            written: RefCell::default(),
            only_git: Cell::new(false),
            pending: OnceCell::new(),
        })
    }

    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    /// The phase that counts; `red` before any cycle has begun.
    pub(crate) fn phase(&self) -> Phase {
        self.state.as_ref().map_or(Phase::Red, |state| state.phase)
    }

    fn note_written(&self, wanted: &[Wanted]) {
        let inside = |wanted: &Wanted| {
            let path = wanted.path.strip_prefix(self.repo.root()).ok()?;
            Some(path.to_string_lossy().into_owned())
        };
        self.written
            .borrow_mut()
            .extend(wanted.iter().filter_map(inside));
    }

    /// Leaves word that a call begins, for the loop and for the next prompt.
    pub(crate) fn note_call(&self, call: &ToolCall) -> Result<()> {
        call::note(&self.repo, self.head.as_ref(), call, self.written.take())
    }

    /// What stands against a tool call, made in `cwd`. In mode `observe` it is only noted.
    pub(crate) fn judge(&self, event: &AgentEvent, call: &ToolCall, cwd: &Path) -> Option<Denial> {
        let world = World::new(&self.repo, cwd);
        let objection = match call {
            ToolCall::Reading { .. } => None,
            ToolCall::Shell {
                command,
                cwd: inner,
            } => {
                let dir = inner
                    .as_ref()
                    .map_or_else(|| cwd.to_owned(), |inner| cwd.join(inner));
                self.judge_command(command, event, &World::new(&self.repo, &dir))
            }
            call => match wanted::of_call(call, &world) {
                Ok(wanted) => {
                    self.take_in(wanted.iter());
                    self.note_written(&wanted);
                    wanted
                        .iter()
                        .find_map(|wanted| self.judge_write(wanted))
                        .or_else(|| self.judge_foreign_input(call, &wanted))
                        .or_else(|| self.judge_foreign_command(call, &world))
                }
                Err(objection) => Some(objection),
            },
        };
        if objection.is_none() {
            self.note_tests();
        }
        objection.map(|objection| Denial {
            objection,
            phase: self.phase(),
            mode: self.mode,
            branch: self.current.clone().unwrap_or_default(),
            drift: self
                .drift
                .get()
                .cloned()
                .flatten()
                .map(|drifted| drifted.diff),
        })
    }

    /// The input of another tool, where it says more than which files are written.
    fn judge_foreign_input(&self, call: &ToolCall, wanted: &[Wanted]) -> Option<Objection> {
        match call {
            ToolCall::Unknown { input, .. } => self.judge_unseen_input(&input.to_string(), wanted),
            _ => None,
        }
    }

    /// A command that another tool runs. What does not read like shell is no command of a shell, unless
    /// the tool says that it is one.
    fn judge_foreign_command(&self, call: &ToolCall, world: &World<'_>) -> Option<Objection> {
        let ToolCall::Unknown { name, input } = call else {
            return None;
        };
        let command = may_run(name, input)?;
        let dir = world.resolve(command.cwd.as_deref().unwrap_or("."));
        let world = World::new(&self.repo, &dir);
        match world.with_context(|context| analyze(&command.text, context)) {
            Analysis::Unparsed { why } => command.is_shell.then_some(Objection::Unparsed(why)),
            Analysis::Effects(effects) => {
                self.take_in_effects(&effects, &world);
                effects
                    .iter()
                    .find_map(|effect| self.judge_effect(effect, &world))
                    .or_else(|| self.judge_unseen_start_up(&command.text, &effects))
            }
        }
    }

    fn judge_command(
        &self,
        command: &str,
        event: &AgentEvent,
        world: &World<'_>,
    ) -> Option<Objection> {
        let analysis = world.with_context(|context| analyze(command, context));
        let effects = match analysis {
            Analysis::Unparsed { why } => {
                return Some(Objection::Unparsed(why));
            }
            Analysis::Effects(effects) => effects,
        };
        self.take_in_effects(&effects, world);
        let identity = event.identity();
        let told_apart = event.client.tells_agents_apart && event.session.is_some();
        let objection = effects.iter().find_map(|effect| {
            self.judge_effect(effect, world).or_else(|| match effect {
                ShellEffect::Tcr(command) => {
                    let identity = told_apart.then_some(identity.as_str());
                    self.unless_off(shell_gate::judge_certifier(command, identity))
                }
                _ => None,
            })
        });
        let objection = objection
            .or_else(|| self.judge_unseen_start_up(command, &effects))
            .or_else(|| self.judge_scripts(command, world));
        if objection.is_none() {
            self.tell_who_calls(&effects, &identity);
        }
        objection
    }

    /// Tells the commands that note who acts who that is. Where it can't be told, they know no more
    /// than the client.
    fn tell_who_calls(&self, effects: &[ShellEffect], identity: &str) {
        let commands = effects.iter().filter_map(|effect| match effect {
            ShellEffect::Tcr(command) => command.verb(),
            _ => None,
        });
        for command in commands {
            if matches!(command, "start" | "plan" | "freeze" | "test-bug" | "run") {
                drop(caller::leave(&self.repo, command, identity));
            }
        }
    }

    fn unless_off(&self, reason: Option<shell_gate::DenyReason>) -> Option<Objection> {
        let reason = reason?;
        (self.mode != Mode::Off || reason.holds_when_off()).then_some(Objection::Command(reason))
    }

    fn branches(&self) -> Branches<'_> {
        Branches {
            current: self.current.as_deref(),
            wip: &self.wip,
            base: &self.base,
        }
    }

    fn judge_write(&self, wanted: &Wanted) -> Option<Objection> {
        if let Some(objection) = self.judge_start_up(wanted) {
            return Some(objection);
        }
        let (inside, by_name) = self.class(&wanted.path)?;
        let outcome = match &wanted.writing {
            // What is nowhere is not deleted by that name: it stands for others.
            Writing::Content {
                before: None,
                after: None,
            } => None,
            Writing::Content { after, .. } if self.content_decides(&inside, by_name) => {
                let before = self.accepted(&inside);
                let after = after.clone();
                let after = after.map(|after| accepted::as_stored(after, before.as_deref()));
                Some((before, after))
            }
            Writing::Content { .. } | Writing::Unknown => None,
        };
        let (class, change) = match (&outcome, &wanted.writing) {
            (Some((before, after)), _) => {
                let (before, after) = (before.as_deref(), after.as_deref());
                content_change_by(self.stub_rules(), &inside, by_name, before, after)
            }
            (None, Writing::Unknown) => (by_name, Change::Unknown),
            (None, Writing::Content { .. }) => (by_name, Change::Content),
        };
        let state = self.gate_state(&inside, class);
        let reason = match decide_write(&state, class, change) {
            GateDecision::Allow { would_deny } => would_deny?,
            GateDecision::Deny(reason) => reason,
        };
        if is_lifted_by_pending_tests(&state, reason) && self.is_asked_for(&inside) {
            return None;
        }
        Some(Objection::Write {
            path: wanted.path.clone(),
            shown: String::from_utf8_lossy(&inside).into_owned(),
            class,
            reason,
            way: self.way(&inside, reason, outcome.as_ref()),
        })
    }

    /// Whether it takes a look at the content to judge a change of this path: not where the worst
    /// that it could be is allowed, or the best is not.
    fn content_decides(&self, path: &[u8], by_name: PathClass) -> bool {
        use PathClass as Class;
        let may_be: &[Class] = match by_name {
            Class::Protected | Class::Spec => &[],
            Class::Harness => &[Class::Harness],
            Class::Test => &[Class::Test],
            Class::Mixed | Class::Source => &[Class::Source, Class::Mixed],
            Class::Docs if path.contains(&b'.') => &[],
            Class::Other if manifest::is_manifest(path) => &[Class::Harness],
            Class::Docs | Class::Other => &[Class::Source, Class::Harness],
        };
        let state = self.gate_state(path, by_name);
        let is_denied = |class: &Class| {
            let decision = decide_write(&state, *class, Change::Content);
            decision.objection().is_some()
        };
        may_be.iter().any(is_denied)
    }

    fn stub_rules(&self) -> StubRules {
        let cycle = self.state.as_ref().map(State::cycle_kind);
        StubRules {
            marker: cycle == Some(CycleKind::Spec),
        }
    }

    /// The path from the root, and its class; none for files that are none of our business.
    fn class(&self, path: &Path) -> Option<(Vec<u8>, PathClass)> {
        use std::os::unix::ffi::OsStrExt;
        let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
        let guarded = self.guarded.get_or_init(|| Guarded::around(&self.repo));
        if guarded.has(path) {
            return Some((bytes(path), PathClass::Protected));
        }
        let inside = bytes(path.strip_prefix(self.repo.root()).ok()?);
        let class = self.classes.classify(&inside);
        Some((inside, class))
    }

    /// What is known of the frozen files. Only source asks for it, and it is looked at once.
    fn oracle(&self, class: PathClass) -> Oracle {
        let Some(state) = self
            .state
            .as_ref()
            .filter(|state| state.oracle_in_force().is_some())
        else {
            return Oracle::None;
        };
        if !matches!(class, PathClass::Source | PathClass::Mixed) {
            return Oracle::Frozen;
        }
        let drift = self.drift.get_or_init(|| {
            // What can't be looked at is no proof that all is well.
            drift::first_drifted(&self.repo, state).unwrap_or_else(|error| {
                Some(Drifted {
                    path: "".into(),
                    diff: error.to_string(),
                })
            })
        });
        match drift {
            Some(_) => Oracle::Drifted,
            None => Oracle::Frozen,
        }
    }

    fn gate_state(&self, path: &[u8], class: PathClass) -> GateState {
        let encoded = refs::component(BStr::new(path));
        let state = self.state.as_ref();
        GateState {
            mode: self.mode,
            phase: self.phase(),
            cycle: state.map_or(CycleKind::Free, State::cycle_kind),
            oracle: self.oracle(class),
            in_force: self.mode != Mode::Off,
            test_bug_open: state.is_some_and(|state| state.open_test_bug().is_some()),
            waived: state
                .is_some_and(|state| state.waivers.iter().any(|waiver| waiver.path == encoded)),
            project_unlocked: state
                .is_none_or(|state| jobs::is_unlocked(&self.config, &state.awaited, path)),
        }
    }
}

/// Where a tool call is made: the client's word, or the folder of this process.
pub(crate) fn folder_of(cwd: Option<&PathBuf>) -> Result<PathBuf> {
    match cwd {
        Some(cwd) if cwd.is_absolute() => Ok(cwd.clone()),
        _ => this_process::folder(),
    }
}

/// The repositories that a tool call may be about: the one it is made in, and the one whose hook
/// called us. An agent that leaves the project does not leave the rules with it.
pub(crate) fn repositories(cwd: &Path) -> Result<Vec<Repo>> {
    let here = folder_of(None)?;
    let mut found: Vec<Repo> = repository(cwd)?.into_iter().collect();
    if here != cwd {
        let other = repository(&here)?;
        let is_known = |repo: &Repo| found.iter().any(|known| known.root() == repo.root());
        found.extend(other.filter(|repo| !is_known(repo)));
    }
    Ok(found)
}

/// The repository around a folder, if it is one that TCR can be installed in.
fn repository(dir: &Path) -> Result<Option<Repo>> {
    if !dir.is_dir() {
        return Ok(None);
    }
    match Repo::discover(dir) {
        Ok(repo) => Ok(Some(repo)),
        Err(error @ Error::NotARepository(_)) => match was_installed_above(dir) {
            true => Err(error),
            false => Ok(None),
        },
        Err(Error::Bare(_)) => Ok(None),
        // Only git itself can read these references.
        Err(Error::RefStorage(_)) if !git_knows(dir, refs::CONFIG)? => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a git directory that git can't read any more lies above, and TCR was at work in it.
fn was_installed_above(dir: &Path) -> bool {
    dir.ancestors()
        .any(|folder| folder.join(".git/tcr").is_dir())
}

fn git_knows(dir: &Path, name: &str) -> Result<bool> {
    let found = command::git(dir, &["for-each-ref", "--count=1", name], b"")?;
    Ok(!found.is_empty())
}
