//! `evidence --check FILE`: what a statement says, held against the repository.

use gix::bstr::{BStr, ByteSlice};
use serde_json::Value;

use super::evidence::{PREDICATE, STATEMENT, all};
use crate::branch::classes::Classes;
use crate::branch::state::State;
use crate::error::Result;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::message::refusals;
use crate::outcome::spec::Finding;
use crate::rules::PathClass;
use crate::rules::spec::normalised_hash;

/// Checks a statement. An error if it is none, or another branch's.
pub(crate) fn check(
    repo: &Repo,
    classes: &Classes,
    base: &BStr,
    state: &State,
    text: &[u8],
) -> Result<Vec<Finding>> {
    let statement: Value =
        serde_json::from_slice(text).map_err(|error| refusals::no_evidence(Some(&error)))?;
    let is_ours = statement["_type"] == STATEMENT && statement["predicateType"] == PREDICATE;
    let tcr = &statement["predicate"]["tcr"];
    if !is_ours || !tcr.is_object() {
        return Err(refusals::no_evidence(None));
    }
    let of = tcr["base"].as_str().unwrap_or_default();
    if of.as_bytes() != base.as_bytes() {
        return Err(refusals::evidence_of(of, base));
    }
    let checker = Checker { repo, classes, tcr };
    let mut findings = vec![
        finding(
            "it is the evidence that was stored",
            match all(repo, base, state)?.contains(&statement) {
                true => Ok(()),
                false => Err("no stored evidence says the same".into()),
            },
        ),
        finding("the result is a pass", checker.passed(&statement)),
        finding(
            "the red commit has the tree that was tested",
            checker.tree_of("red"),
        ),
        finding(
            "the green commit has the tree that was tested",
            checker.tree_of("green"),
        ),
        finding("the spec in the oracle has the hash", checker.spec_hash()),
        finding(
            "the frozen files are the same in red and green",
            checker.frozen(),
        ),
        finding(
            "the certifier wrote neither plan nor tests",
            checker.certifier(),
        ),
        finding(
            "every scenario has a test that passes now",
            checker.scenarios(&statement),
        ),
    ];
    findings.shrink_to_fit();
    Ok(findings)
}

type Checked = std::result::Result<(), String>;

fn finding(what: &'static str, checked: Checked) -> Finding {
    Finding {
        what,
        holds: checked.is_ok(),
        why: checked.err().unwrap_or_default(),
    }
}

struct Checker<'c> {
    repo: &'c Repo,
    classes: &'c Classes,
    tcr: &'c Value,
}

impl Checker<'_> {
    fn id(&self, part: &str, field: &str) -> std::result::Result<gix::ObjectId, String> {
        let hex = self.tcr[part][field].as_str().unwrap_or_default();
        let id = gix::ObjectId::from_hex(hex.as_bytes())
            .map_err(|_| format!("`{part}.{field}` is no object id"))?;
        match self.repo.gix.has_object(id) {
            true => Ok(id),
            false => Err(format!("`{hex}` is not in this repository")),
        }
    }

    fn tree(&self, part: &str) -> std::result::Result<gix::ObjectId, String> {
        let commit = self.id(part, "commit")?;
        self.repo.tree_of(commit).map_err(|error| error.to_string())
    }

    /// Docs may have ridden along uncommitted; everything else is the same.
    fn tree_of(&self, part: &str) -> Checked {
        let (committed, tested) = (self.tree(part)?, self.id(part, "tree")?);
        let differs = trees::diff(self.repo, committed, tested).map_err(|e| e.to_string())?;
        let other = differs
            .iter()
            .find(|change| self.classes.classify(&change.path) != PathClass::Docs);
        match other {
            None => Ok(()),
            Some(change) => Err(format!("`{}` differs", change.path)),
        }
    }

    fn passed(&self, statement: &Value) -> Checked {
        let predicate = &statement["predicate"];
        let known = self.tcr["known_failures"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let failed = predicate["failedTests"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        if predicate["result"] != "PASSED" || self.tcr["green"]["verdict"] != "green" {
            return Err("it does not say that the tests passed".into());
        }
        match failed.iter().find(|test| !known.contains(test)) {
            Some(test) => Err(format!("`{}` failed", test.as_str().unwrap_or_default())),
            None => Ok(()),
        }
    }

    fn spec_hash(&self) -> Checked {
        let oracle = self.tree("oracle")?;
        let path = self.tcr["spec"]["path"].as_str().unwrap_or_default();
        let leaf = trees::lookup(self.repo, oracle, path.into()).map_err(|e| e.to_string())?;
        let leaf = leaf.ok_or_else(|| format!("the oracle does not hold `{path}`"))?;
        let bytes = trees::content(self.repo, leaf).map_err(|e| e.to_string())?;
        let hash = normalised_hash(&bytes.to_str_lossy());
        match self.tcr["spec"]["hash"] == hash.as_str() {
            true => Ok(()),
            false => Err(format!("it is `{hash}`")),
        }
    }

    fn frozen(&self) -> Checked {
        let oracle = self.tree("oracle")?;
        let (red, green) = (self.tree("red")?, self.tree("green")?);
        let nothing = gix::ObjectId::empty_tree(self.repo.gix.object_hash());
        let files = trees::diff(self.repo, nothing, oracle).map_err(|e| e.to_string())?;
        for file in files {
            let path = file.path.as_bstr();
            let at = |tree| trees::lookup(self.repo, tree, path).map_err(|e| e.to_string());
            match self.classes.classify(path) {
                PathClass::Test | PathClass::Harness => {}
                // Of the others a part is frozen, or blanks may differ.
                _ => continue,
            }
            if at(red)? != file.after || at(green)? != file.after {
                return Err(format!("`{path}` differs"));
            }
        }
        Ok(())
    }

    fn certifier(&self) -> Checked {
        let by = &self.tcr["validator"]["by"];
        let authors = &self.tcr["authors"];
        let wrote = |part: &str| {
            let names = authors[part].as_array();
            names.is_some_and(|names| names.contains(by))
        };
        if self.tcr["validator"]["verdict"] != "pass" {
            Err("nobody certified the tests".into())
        } else if wrote("plan") || wrote("tests") {
            Err(format!("{by} did"))
        } else {
            Ok(())
        }
    }

    fn scenarios(&self, statement: &Value) -> Checked {
        let passed = statement["predicate"]["passedTests"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let scenarios = self.tcr["scenarios"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        if scenarios.is_empty() {
            return Err("there is none".into());
        }
        for scenario in scenarios {
            let tests = scenario["tests"].as_array().cloned().unwrap_or_default();
            if tests.is_empty() || !tests.iter().all(|test| passed.contains(test)) {
                return Err(scenario["scenario"].as_str().unwrap_or_default().to_owned());
            }
        }
        Ok(())
    }
}
