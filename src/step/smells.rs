//! Findings in tests and changes: gathered for `git tcr smells`, and for each step of the loop.

use crate::branch::state::State;
use gix::bstr::ByteSlice;

use super::steps;
use crate::branch::classes::Classes;
use crate::branch::session::Session;
use crate::config::Config;
use crate::error::Result;
use crate::git::line_count;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change};
use crate::languages::Language;
use crate::message;
use crate::outcome::smells::{Smell, Smells};
use crate::outcome::step::Kept;
use crate::rules::smell::{Rule, Severity};
use crate::rules::timeline::{OutOfOrder, Step, out_of_order};
use crate::rules::{PathClass, Phase};
use crate::smells::{self, Examined, Role, Values};
use crate::step::effects::Carry;
use crate::step::judge::Judged;

/// Looks at files and changes by the rules of a config.
pub(crate) struct Examiner<'a> {
    config: &'a Config,
    classes: &'a Classes,
    /// Values that are written out in the tests of the work at hand.
    expected: Values,
    /// Where an agent works: the tree that its cycle began with. What its own comments allow since
    /// then does not count.
    since: Option<gix::ObjectId>,
    pub(crate) smells: Smells,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(config: &'a Config, classes: &'a Classes) -> Self {
        Examiner {
            config,
            classes,
            expected: Values::new(),
            since: None,
            smells: Smells::default(),
        }
    }

    /// What a file is for, if it is one that can be looked at.
    pub(crate) fn role(&self, path: &str) -> Option<Role> {
        let language = Language::of_path(path.as_bytes());
        match self.classes.classify(path.as_bytes()) {
            PathClass::Test | PathClass::Harness => Some(Role::Test),
            PathClass::Mixed => Some(Role::Mixed),
            PathClass::Source if language.is_some_and(Language::tests_stand_in_source) => {
                Some(Role::Mixed)
            }
            PathClass::Source => Some(Role::Source),
            PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => None,
        }
        .filter(|_| smells::can_read(path))
    }

    /// Takes note of what the tests among some changes expect, so that source is looked at for it.
    pub(crate) fn expect(&mut self, repo: &Repo, changes: &[Change]) -> Result<()> {
        for change in changes {
            let path = change.path.to_str_lossy();
            let has_tests = matches!(self.role(&path), Some(Role::Test | Role::Mixed));
            let after = change.after.filter(|_| has_tests && !change.is_submodule());
            if let Some(after) = after {
                let content = trees::content(repo, after)?;
                self.expected
                    .extend(smells::values_in_tests(&path, &content));
            }
        }
        Ok(())
    }

    /// Looks at a file.
    pub(crate) fn file(&mut self, path: &str, content: &[u8], role: Role) {
        if let Some(examined) = smells::examine(path, content, role, &self.expected) {
            self.take_in(path, examined);
        }
    }

    /// Looks at what a change brings.
    pub(crate) fn change(&mut self, repo: &Repo, change: &Change) -> Result<()> {
        let path = change.path.to_str_lossy();
        let (Some(role), Some(after), false) =
            (self.role(&path), change.after, change.is_submodule())
        else {
            return Ok(());
        };
        let mut after = trees::content(repo, after)?;
        if let Some(since) = self.since {
            let known = trees::lookup(repo, since, change.path.as_bstr())?;
            let known = known.map(|leaf| trees::content(repo, leaf)).transpose()?;
            after = smells::without_new_allowances(&after, &known.unwrap_or_default());
        }
        let Some(mut examined) = smells::examine(&path, &after, role, &self.expected) else {
            return Ok(());
        };
        if let Some(before) = change.before.filter(|_| !examined.findings.is_empty()) {
            let before = trees::content(repo, before)?;
            if let Some(before) = smells::examine(&path, &before, role, &self.expected) {
                examined.without(&before);
            }
        }
        self.take_in(&path, examined);
        Ok(())
    }

    /// Looks at the order of work.
    pub(crate) fn order(&mut self, found: &[OutOfOrder]) {
        for found in found {
            self.add(Smell {
                file: found.path.clone(),
                line: 0,
                rule: found.rule,
                severity: self.config.severity(found.rule),
                test: None,
                why: message::smells::why_out_of_order(found),
                fix: message::smells::fix(found.rule),
                commit: found.commit.clone(),
            });
        }
    }

    fn take_in(&mut self, path: &str, examined: Examined) {
        self.smells.files += 1;
        self.smells.tests += examined.tests;
        self.smells.allowed += examined.allowed;
        let trouble = examined.trouble.into_iter();
        let trouble = trouble.map(|trouble| message::smells::trouble(path, trouble));
        let bad = examined.bad_allows.iter();
        let bad = bad.map(|bad| message::smells::bad_allow(path, bad));
        self.smells.notes.extend(trouble.chain(bad));
        for finding in &examined.findings {
            self.add(Smell {
                file: path.to_owned(),
                line: finding.line,
                rule: finding.rule,
                severity: self.config.severity(finding.rule),
                test: finding.test.clone(),
                why: message::smells::why(finding),
                fix: message::smells::fix(finding.rule),
                commit: None,
            });
        }
    }

    fn add(&mut self, smell: Smell) {
        if smell.severity != Severity::Off {
            self.smells.findings.push(smell);
        }
    }
}

impl Session<'_> {
    /// Looks at what a step brings, if it is about to be committed.
    pub(crate) fn smell(&self, carry: &mut Carry) -> Result<()> {
        if !carry.commits_step() {
            return Ok(());
        }
        let mut examiner = Examiner::new(self.config, &self.classes);
        if self.by.is_some() {
            let cycle = steps::of_cycle(self.repo, &self.classes, self.head, self.state.cycle)?;
            let began = steps::tree_before(self.repo, &cycle)?;
            examiner.since = Some(began.map_or_else(|| self.head_tree(), Ok)?);
        }
        // Elsewhere no failing test asked for the source, so there is nothing to compare with.
        if self.state.phase == Phase::Green && carry.commits_code() {
            let steps = steps::of_cycle(self.repo, &self.classes, self.head, self.state.cycle)?;
            for step in &steps {
                let changes = steps::changes_of_step(self.repo, step)?;
                examiner.expect(self.repo, &changes)?;
            }
            examiner.order(&unasked_source(
                self.repo,
                &self.state,
                &self.classes,
                &carry.judged,
                steps,
            ));
        }
        for part in &carry.judged.parts.parts {
            examiner.change(self.repo, &part.change)?;
        }
        carry.smells = examiner.smells.findings;
        let blocks = |smell: &Smell| smell.severity == Severity::Block;
        if carry.smells.iter().any(blocks) {
            carry.hold_back(Kept::Smells);
        }
        Ok(())
    }
}

/// Whether this green brings more source than the tests of its cycle ask for.
fn unasked_source(
    repo: &Repo,
    state: &State,
    classes: &Classes,
    judged: &Judged,
    mut steps: Vec<Step>,
) -> Vec<OutOfOrder> {
    let lines = line_count::of(repo, &judged.snapshot.changes);
    steps.push(Step {
        label: Some("green".into()),
        cycle: Some(state.cycle),
        touched: steps::touched(classes, &judged.snapshot.changes),
        added_lines: lines.map_or(0, |lines| lines.added as usize),
        ..Step::default()
    });
    let mut found = out_of_order(&steps, &[]);
    found.retain(|found| found.rule == Rule::UnaskedSource);
    found
}
