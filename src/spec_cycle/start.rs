//! `start` and `plan`: the way from a spec to the first test.

use crate::branch::state::State;
use crate::git::repo::Repo;
use std::path::Path;

use gix::bstr::ByteSlice;

use super::{TextFile, refused};
use crate::branch::classes::Classes;
use crate::branch::cycle::{PlanFacts, Predecessor, SpecFacts};
use crate::branch::session::{Plan, Session};
use crate::clock;
use crate::error::{Error, Result};
use crate::git::align::FromTo;
use crate::git::snapshot::Snapshot;
use crate::git::trees::{self, Change};
use crate::message;
use crate::message::refusals;
use crate::rules::spec::{self, Spec, SpecRefusal, normalised_hash};
use crate::rules::{Declaration, Declared, PathClass, Phase, Refusal, declare};

/// What a cycle is to begin with; paths from the root.
pub(crate) struct Begin<'p> {
    pub(crate) spec: &'p Path,
    pub(crate) id: Option<&'p str>,
    pub(crate) prd: Option<&'p Path>,
}

/// What `plan` did.
pub(crate) struct Planned {
    pub(crate) plan: PlanFacts,
    /// The commit with the spec and the plan.
    pub(crate) commit: Option<String>,
}

impl Session<'_> {
    /// Begins a spec cycle.
    pub(crate) fn start_spec(&mut self, begin: &Begin<'_>) -> Result<Spec> {
        self.at_work()?;
        let (file, spec) = read_spec_file(self.repo, begin.spec)?;
        self.state.is_work_now(&file.path);
        let snapshot = self.snapshot()?;
        let prd = self.check_prd(begin.prd, &spec)?;
        // The spec itself is no work that would be judged.
        let standing = self.standing_beside(&snapshot, &file.path)?;
        match declare(&standing, Declaration::Start) {
            Ok(Declared::StartSpecCycle) => {}
            Ok(_) => return Err(Error::internal("a start led to something else")),
            Err(refusal) => return Err(refused(refusal, "start", self.state.phase)),
        }
        let facts = self
            .state
            .spec_facts(&file, &spec, begin.id, prd, &snapshot);
        self.begin_cycle(facts, None, &snapshot)?;
        Ok(spec)
    }

    /// The state of a cycle that begins now, in `plan`.
    pub(super) fn begin_cycle(
        &mut self,
        facts: SpecFacts,
        old: Option<(Predecessor, FromTo)>,
        snapshot: &Snapshot,
    ) -> Result<()> {
        let mut plan = Plan::default();
        let ended = self.state.spec.is_some();
        self.forget_cycle(&mut plan)?;
        self.state.cycle += u64::from(ended);
        let label = if old.is_some() { "supersede" } else { "start" };
        let mut event = self.declared_event(label, message::spec::started(&facts));
        self.state.seen_tree = Some(snapshot.tree.to_string());
        self.state.spec = Some(facts);
        if let (Some(spec), Some((predecessor, worktree))) = (&mut self.state.spec, old) {
            spec.supersedes = Some(predecessor);
            plan.worktree = Some(worktree);
        }
        self.state.step = None;
        self.state.pending = None;
        self.state.enter(Phase::Plan, &clock::timestamp());
        self.classes = Classes::new(self.repo, self.config, self.state.spec_path())?;
        event.next_phase = self.state.phase;
        event.cycle = self.state.cycle;
        plan.events.push(event);
        self.write(snapshot.tree, plan).map(drop)
    }

    /// The document that a spec belongs to has to be active too.
    pub(super) fn check_prd(&self, given: Option<&Path>, spec: &Spec) -> Result<Option<String>> {
        let named = spec.prd.as_ref().map(Path::new);
        let Some(path) = given.or(named) else {
            return Ok(None);
        };
        let file = TextFile::read(self.repo, path, "document")?;
        spec::check_prd(&file.text).map_err(|why| bad_spec(&file.path, &why))?;
        Ok(Some(file.path))
    }

    /// The plan is there: tests may be written. Spec and plan are committed, so that a change of
    /// the spec can be told from here on.
    pub(crate) fn accept_plan(&mut self, path: &Path) -> Result<Planned> {
        self.at_work()?;
        if let Ok(plan) = TextFile::read(self.repo, path, "plan") {
            self.state.is_work_now(&plan.path);
        }
        let snapshot = self.snapshot()?;
        match declare(&self.standing(&snapshot)?, Declaration::Plan) {
            Ok(_) => {}
            Err(refusal) => return Err(refused(refusal, "plan", self.state.phase)),
        }
        let facts = self.state.spec.clone();
        let Some(mut facts) = facts else {
            return Err(refused(Refusal::NoSpecCycle, "plan", self.state.phase));
        };
        let (spec_file, spec) = read_spec_file(self.repo, Path::new(&facts.path))?;
        self.check_prd(facts.prd.as_deref().map(Path::new), &spec)?;
        let file = TextFile::read(self.repo, path, "plan")?;
        if file.path == facts.path {
            return Err(refusals::spec_as_plan());
        }
        if file.text.trim().is_empty() {
            return Err(refusals::empty_plan(&file.path));
        }
        let must_haves = spec::plan::must_haves(&file.text)
            .map_err(|why| bad_spec(&file.path, &SpecRefusal::FrontMatter(why)))?;
        if self.commits() && self.is_ahead_of_plan(&snapshot)? {
            return Err(refused(Refusal::Dirty, "plan", self.state.phase));
        }
        self.note_authors(snapshot.tree)?;
        let who = self.who()?;
        self.state.authors.plan.insert(who);
        facts.hash = normalised_hash(&spec_file.text);
        self.state.spec = Some(facts);
        let accepted = PlanFacts {
            path: file.path.clone(),
            hash: normalised_hash(&file.text),
            must_haves,
            at: clock::timestamp(),
            ..PlanFacts::default()
        };
        self.state.plan = Some(accepted.clone());
        let commit = self.commit_plan(&snapshot)?;
        Ok(Planned {
            plan: accepted,
            commit,
        })
    }

    /// Whether tests or source are uncommitted: they were not to be written yet.
    fn is_ahead_of_plan(&self, snapshot: &Snapshot) -> Result<bool> {
        for change in &snapshot.changes {
            let (class, _) = self.content_of(change)?;
            match class {
                PathClass::Test | PathClass::Harness | PathClass::Mixed | PathClass::Source => {
                    return Ok(true);
                }
                PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => {}
            }
        }
        Ok(false)
    }

    fn commit_plan(&mut self, snapshot: &Snapshot) -> Result<Option<String>> {
        let label = "plan";
        let note = self.state.plan.as_ref().map(|plan| plan.path.clone());
        let mut event = self.declared_event(label, note.unwrap_or_default());
        let mut plan = Plan::default();
        // What a test could see is left for the loop to judge.
        let settled: Vec<Change> = snapshot
            .changes
            .iter()
            .filter(|change| match self.class(change.path.as_bstr()) {
                PathClass::Docs | PathClass::Spec => !change.is_submodule(),
                _ => false,
            })
            .cloned()
            .collect();
        if self.commits() && !settled.is_empty() {
            let head_tree = self.head_tree()?;
            let tree = trees::with_changes(self.repo, head_tree, settled.iter())?;
            let commit = self.wip_commit(tree, label, "", &settled)?;
            event.commit = Some(commit.to_string());
            event.files = settled.len();
            plan.commit = Some(commit);
            plan.index = Some(FromTo::new(head_tree, tree));
            plan.notes.push(self.summary_note(commit, label, None)?);
            self.keep_staged(snapshot, &mut plan)?;
            let results = self.state.accepted_results().cloned();
            self.state.accepted_tree = tree.to_string();
            self.state.accepted_results = results.map(|mut results| {
                results.tree = tree.to_string();
                results
            });
            self.state.hold = None;
        }
        let commit = event.commit.clone();
        self.state.enter(Phase::Red, &clock::timestamp());
        event.next_phase = self.state.phase;
        plan.events.push(event);
        self.write(snapshot.tree, plan)?;
        Ok(commit)
    }
}

impl State {
    pub(crate) fn spec_facts(
        &self,
        file: &TextFile,
        spec: &Spec,
        id: Option<&str>,
        prd: Option<String>,
        snapshot: &Snapshot,
    ) -> SpecFacts {
        let by_name = || {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            name.rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned()
        };
        let id = id.map(str::to_owned).or_else(|| spec.id.clone());
        let tests_before = self.accepted_results().map(|results| {
            let all = [&results.passed, &results.failed, &results.skipped];
            all.into_iter().flatten().cloned().collect()
        });
        SpecFacts {
            id: id.unwrap_or_else(by_name),
            path: file.path.clone(),
            hash: normalised_hash(&file.text),
            prd,
            start_tree: snapshot.tree.to_string(),
            tests_before: tests_before.unwrap_or_default(),
            ..SpecFacts::default()
        }
    }
}

pub(crate) fn read_spec_file(repo: &Repo, path: &Path) -> Result<(TextFile, Spec)> {
    let file = TextFile::read(repo, path, "spec")?;
    let spec = spec::read_spec(&file.text).map_err(|why| bad_spec(&file.path, &why))?;
    Ok((file, spec))
}

fn bad_spec(path: &str, why: &SpecRefusal) -> Error {
    let (what, hint) = message::spec::bad_file(path, why);
    Error::Refused { what, hint }
}
