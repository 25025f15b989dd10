//! Where a spec cycle stands, and what its next gate needs.

use crate::branch::state::State;
use crate::config::Config;
use crate::git::repo::Repo;
use gix::bstr::ByteSlice;

use super::freeze::run_tests;
use crate::branch::session::Session;
use crate::error::Result;
use crate::message;
use crate::outcome::spec::{CycleStatus, Need};
use crate::rules::spec::coverage::{coverage, unfit};
use crate::rules::spec::read_spec;
use crate::rules::{Phase, Verdict};

fn need(met: bool, what: impl Into<String>) -> Need {
    Need {
        what: what.into(),
        met,
    }
}

impl Session<'_> {
    /// Where the spec cycle stands; none if there is none.
    pub(crate) fn cycle_status(&self) -> Result<Option<CycleStatus>> {
        let Some(spec) = self.state.spec.clone() else {
            return Ok(None);
        };
        let mut status = CycleStatus {
            spec: spec.id.clone(),
            path: spec.path.clone(),
            hash: spec.hash.clone(),
            phase: self.state.phase,
            role: match self.state.open_test_bug() {
                Some(_) => "person",
                None => message::spec::role(self.state.phase, self.is_ready_to_freeze()),
            },
            next_gate: message::spec::next_gate(self.state.phase),
            needs: Vec::new(),
            coverage: Vec::new(),
            unfit: Vec::new(),
            oracle: self
                .state
                .oracle
                .as_ref()
                .map(|oracle| oracle.commit.clone()),
            certificate: self
                .state
                .oracle
                .as_ref()
                .map(|oracle| oracle.certificate.clone()),
            test_bug: self.state.open_test_bug().cloned(),
        };
        match self.state.phase {
            Phase::Plan => status
                .needs
                .push(need(false, "a plan: `git tcr plan FILE`")),
            Phase::Red => self.needs_of_freeze(&mut status)?,
            Phase::Green | Phase::Refactor => {
                needs_of_done(self.repo, self.config, &self.state, &mut status)
            }
            Phase::Done => {}
        }
        Ok(Some(status))
    }

    /// Whether the tests fail validly, so that a validator may look at them.
    pub(crate) fn is_ready_to_freeze(&self) -> bool {
        self.state.phase == Phase::Red
            && self
                .state
                .accepted_results()
                .is_some_and(|results| results.verdict == Some(Verdict::Red) && results.confirmed)
    }

    fn needs_of_freeze(&self, status: &mut CycleStatus) -> Result<()> {
        let results = self.state.accepted_results().cloned().unwrap_or_default();
        let run = run_tests(&results);
        let tree = self.head_tree()?;
        let frozen = self.files_to_freeze(tree)?;
        let files = self.test_files(&frozen)?;
        let text = std::fs::read_to_string(self.repo.root().join(&status.path)).unwrap_or_default();
        if let (Ok(spec), Some(facts)) = (read_spec(&text), &self.state.spec) {
            let needs = self.config.red_needs(self.state.cycle_kind());
            status.coverage = coverage(&spec.scenarios, &run, &files);
            let known = &self.state.known_failures;
            status.unfit = unfit(&run, &facts.tests_before, known, needs, &files);
        }
        let named = status
            .coverage
            .iter()
            .filter(|c| !c.tests.is_empty())
            .count();
        let all = status.coverage.len();
        status.needs = vec![
            need(
                self.is_ready_to_freeze(),
                "tests that fail validly on this very tree: `git tcr run`",
            ),
            need(
                all > 0 && named == all,
                format!("a failing test that names each scenario: {named} of {all}"),
            ),
            need(
                status.unfit.is_empty(),
                "no new test that passes already, is skipped, or asserts nothing",
            ),
            need(
                false,
                format!(
                    "somebody else's verdict: `git tcr freeze --verdict pass --by ID`{}; not by {}",
                    match self.config.validator.command {
                        Some(_) => " or `git tcr freeze --auto`",
                        None => "",
                    },
                    message::spec::people(&self.state.authors)
                ),
            ),
        ];
        Ok(())
    }
}

fn needs_of_done(repo: &Repo, config: &Config, state: &State, status: &mut CycleStatus) {
    let results = state.accepted_results();
    let passes = results.is_some_and(|results| results.verdict == Some(Verdict::Green));
    let left = state
        .awaited
        .iter()
        .filter(|test| !results.is_some_and(|results| results.passed.contains(test)))
        .count();
    let what = match left {
        0 => "the certified tests pass".to_owned(),
        left => format!(
            "the certified tests pass: {} left",
            message::count(left, "test", "tests")
        ),
    };
    status.needs.push(need(passes && left == 0, what));
    if config.lint.is_some() || config.projects.iter().any(|p| p.lint.is_some()) {
        let clean = state
            .lint
            .as_ref()
            .is_some_and(|lint| lint.lets_pass() && lint.tree == state.accepted_tree);
        status.needs.push(need(clean, "the lint command is clean"));
    }
    let bug = state.open_test_bug().map(|bug| bug.number);
    status.needs.push(match bug {
        None => need(true, "no test bug is open"),
        Some(number) => need(
            false,
            format!("a person's decision: `git tcr test-bug accept {number}` or `git tcr test-bug reject {number}`"),
        ),
    });
    let promised = state
        .plan
        .iter()
        .flat_map(|plan| &plan.must_haves.artifacts);
    for path in promised {
        let there = repo.on_disk(path.as_bytes().as_bstr()).exists();
        status.needs.push(need(there, format!("`{path}` is there")));
    }
    if let Some(oracle) = &state.oracle {
        status.coverage.clone_from(&oracle.coverage);
    }
}
