//! `audit`: the way out, asked about any history. It reads and runs only: no ref, no note, no state,
//! and nothing in the worktree is changed; experiments run in a lab.
//!
//! ```text
//! range → two trees; its base → command, classes, config → proof → document
//! ```

mod document;
mod ground;
mod place;
mod range;
mod sarif;
mod shards;

use std::time::Instant;

use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::languages::StubRules;
use crate::message;
use crate::outcome::audit::{Audited, Document, Range, Verdict};
use crate::proof::{self, Asked, Known, Means, Proven, Work};
use crate::rules::CycleKind;
use crate::step::parts::Parts;
use crate::test_run::progress::Progress;

pub(crate) use sarif::sarif;
pub(crate) use shards::Shards;

use ground::Ground;
use place::Lab;
use range::Span;

/// What is asked for.
pub(crate) struct Request<'a> {
    /// The commits; by default those since the merge base with the upstream or the main branch.
    pub(crate) range: Option<&'a str>,
    /// Each commit by itself.
    pub(crate) each: bool,
    /// What makes a fresh checkout ready for its tests.
    pub(crate) setup: Option<&'a str>,
    /// The test command, in the place of the configured one.
    pub(crate) test: Option<&'a str>,
    pub(crate) deadline: Option<Instant>,
}

/// An audit that can be begun.
pub(crate) struct Audit<'a> {
    repo: &'a Repo,
    request: &'a Request<'a>,
    whole: Span,
    /// What is asked about, one by one.
    changes: Vec<Span>,
    ground: Ground,
}

impl<'a> Audit<'a> {
    /// Finds the commits, and how their tests are run. Nothing runs yet.
    pub(crate) fn new(repo: &'a Repo, request: &'a Request<'a>) -> Result<Audit<'a>> {
        let whole = Span::find(repo, request.range)?;
        let changes = match request.each {
            true => whole.each(repo)?,
            false => vec![whole.clone()],
        };
        let ground = Ground::find(repo, &whole, request.test)?;
        Ok(Audit {
            repo,
            request,
            whole,
            changes,
            ground,
        })
    }

    /// Asks about every change.
    pub(crate) fn ask(
        &self,
        known: &mut dyn Known,
        progress: &mut dyn Progress,
    ) -> Result<Audited> {
        let mut documents = Vec::new();
        let mut lab: Option<Lab> = None;
        for change in &self.changes {
            // A checkout is one commit's, the worktree serves all.
            let lab = match lab.as_mut().filter(|lab| lab.is_over_worktree()) {
                Some(lab) => lab,
                None => lab.insert(self.lab(change)?),
            };
            let found = self.prove(change, lab, known, progress)?;
            documents.push(self.document(change, found.as_ref())?);
        }
        Ok(self.audited(documents))
    }

    /// Takes the next way to run the tests that was found, after one that came to no test; false if
    /// there is none.
    pub(crate) fn take_next_command(&mut self, found: &Audited) -> Result<bool> {
        let ran_any = |one: &Document| one.works.passing > 0 || !one.works.failing.is_empty();
        let asked = |one: &Document| one.works.answer != "not_asked";
        let is_lost = found.changes.iter().any(asked) && !found.changes.iter().any(ran_any);
        Ok(is_lost && self.ground.take_next(self.repo)?)
    }

    /// What it will cost, in words.
    pub(crate) fn estimate(&self) -> Result<String> {
        let mut functions = 0;
        for change in &self.changes {
            functions += self.with_work(change, change.tree, proof::count_functions)?;
        }
        Ok(message::audit::estimate(self.changes.len(), functions))
    }

    fn lab(&self, change: &Span) -> Result<Lab> {
        match self.setup() {
            Some(setup) => Lab::fresh(self.repo, change, &setup),
            None => Lab::over_worktree(self.repo),
        }
    }

    fn document(&self, change: &Span, found: Option<&Proven>) -> Result<Document> {
        let parts = self.parts(change)?;
        document::document(self.repo, change, self.request.each, &parts, found)
    }

    fn audited(&self, changes: Vec<Document>) -> Audited {
        let verdict = Verdict::of_all(changes.iter().map(|change| change.verdict));
        Audited {
            version: 1,
            range: self.range(),
            test: self.ground.commands(),
            rules_from: self.ground.from,
            verdict,
            changes,
        }
    }

    fn range(&self) -> Range {
        Range {
            given: self.whole.given.clone(),
            base: self.whole.base.map(|base| base.to_string()),
            tip: self.whole.tip.to_string(),
            commits: self.whole.commits.len(),
        }
    }

    fn setup(&self) -> Option<String> {
        let configured = self.ground.config.setup.as_ref().map(ToString::to_string);
        self.request.setup.map(str::to_owned).or(configured)
    }

    fn parts(&self, change: &Span) -> Result<Parts> {
        let changes = trees::diff(self.repo, change.before, change.tree)?;
        let class = |path: &gix::bstr::BStr| self.ground.classes.classify(path);
        Parts::of(self.repo, &changes, &class, StubRules::default())
    }

    fn prove(
        &self,
        change: &Span,
        lab: &mut Lab,
        known: &mut dyn Known,
        progress: &mut dyn Progress,
    ) -> Result<Option<Proven>> {
        self.with_work(change, lab.worktree, |work| {
            let mut means = Means {
                lab: &mut lab.lab,
                known,
                progress,
                deadline: self.request.deadline,
            };
            proof::prove(work, &mut means)
        })
    }

    fn with_work<T>(
        &self,
        change: &Span,
        worktree: gix::ObjectId,
        then: impl FnOnce(&Work<'_>) -> Result<T>,
    ) -> Result<T> {
        let class = |path: &gix::bstr::BStr| self.ground.classes.classify(path);
        let none = std::collections::BTreeSet::new();
        then(&Work {
            repo: self.repo,
            class: &class,
            before: change.before,
            tip: change.tree,
            worktree,
            asked: Asked::Range,
            entries: &[],
            known_failures: &none,
            jobs: &self.ground.jobs,
            red_needs: self.ground.config.red_needs(CycleKind::Free),
            // A checkout is made ready before the lab is; the worktree is as it is.
            setup: None,
            whole: None,
        })
    }
}
