//! The evidence of a cycle: an in-toto statement with the test-result predicate, and Markdown.

use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::EntryKind;
use serde_json::{Value, json};

use crate::branch::session::Session;
use crate::branch::state::{LintResult, State, TestResults};
use crate::clock;
use crate::error::{Error, Result};
use crate::git::objects;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::snapshot::Snapshot;
use crate::message;
use crate::outcome::proof::Document;
use crate::test_run::jobs;

pub(crate) use super::evidence_check::check;

/// The type of the statement.
pub(super) const STATEMENT: &str = "https://in-toto.io/Statement/v1";
/// The type of its predicate.
pub(super) const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

const JSON_FILE: &str = "evidence.json";
const MARKDOWN_FILE: &str = "evidence.md";

/// A stored evidence.
pub(crate) struct Evidence {
    pub(crate) statement: Value,
    pub(crate) markdown: String,
}

impl Session<'_> {
    /// The statement about the cycle that ends now.
    pub(super) fn make_evidence(
        &self,
        green: &TestResults,
        lint: Option<&LintResult>,
        snapshot: &Snapshot,
        proof: Option<&Document>,
    ) -> Result<Value> {
        let state = &self.state;
        let (Some(spec), Some(oracle)) = (&state.spec, &state.oracle) else {
            return Err(Error::internal("a cycle ends without its oracle"));
        };
        let commit = |id: &str| json!({"gitCommit": id});
        let red_tree = crate::branch::drift::object(&oracle.red_tree)?;
        let red = self.cached(
            red_tree,
            &jobs::about(self.config, self.repo.root(), &[])?,
            None,
        )?;
        let red_at = red.as_ref().map(|red| red.timestamp.clone());
        let lint = lint.map(|lint| json!({"command": lint.command, "clean": lint.clean}));
        let weakened = oracle.differs_in_head.len();
        Ok(json!({
            "_type": STATEMENT,
            "subject": [
                {"name": self.base.to_string(), "digest": commit(&self.head.to_string())},
                {"name": format!("{}:", self.base), "digest": {"gitTree": snapshot.tree.to_string()}},
            ],
            "predicateType": PREDICATE,
            "predicate": {
                "result": "PASSED",
                "configuration": [
                    {"name": spec.path, "digest": {"sha256": spec.hash}},
                    {"name": refs::oracle(self.base.as_bstr()), "digest": commit(&oracle.commit)},
                ],
                "passedTests": green.passed,
                "warnedTests": green.skipped,
                "failedTests": green.failed,
                "tcr": {
                    "version": 1,
                    "made_by": concat!("git-tcr ", env!("CARGO_PKG_VERSION")),
                    "at": clock::timestamp(),
                    "base": self.base.to_string(),
                    "cycle": state.cycle,
                    "spec": {
                        "id": spec.id, "path": spec.path, "hash": spec.hash, "prd": spec.prd,
                        "supersedes": spec.supersedes,
                    },
                    "plan": state.plan.as_ref().map(|plan| json!({
                        "path": plan.path, "hash": plan.hash, "must_haves": plan.must_haves,
                    })),
                    "scenarios": oracle.coverage,
                    "red": {
                        "commit": oracle.red_commit, "tree": oracle.red_tree,
                        "failed": oracle.failed, "at": red_at,
                    },
                    "oracle": {"commit": oracle.commit, "drifted_in_head": weakened},
                    "validator": oracle.certificate,
                    "concerns": state.concerns,
                    "green": {
                        "commit": self.head.to_string(), "tree": snapshot.tree.to_string(),
                        "verdict": green.verdict, "passed": green.passed.len(),
                        "failed": green.failed.len(), "skipped": green.skipped.len(),
                        "at": green.timestamp, "command": self.config.test,
                    },
                    "known_failures": state.known_failures,
                    "authors": state.authors,
                    "lint": lint,
                    "proof": proof,
                    "test_bugs": state.test_bugs,
                    "green_opinion": state.green_opinion.as_ref().map(|opinion| &opinion.certificate),
                },
            },
        }))
    }
}

/// The commit that holds a statement. The green and the oracle are its parents, so that what
/// it speaks of stays there.
pub(crate) fn evidence_commit(
    repo: &Repo,
    state: &State,
    head: gix::ObjectId,
    statement: &Value,
) -> Result<gix::ObjectId> {
    let json = serde_json::to_string_pretty(statement)
        .map_err(|_| Error::internal("the evidence is not JSON"))?;
    let markdown = message::evidence::markdown(statement);
    let tree = objects::tree(
        repo,
        &[
            (
                JSON_FILE,
                EntryKind::Blob,
                objects::blob(repo, json.as_bytes())?,
            ),
            (
                MARKDOWN_FILE,
                EntryKind::Blob,
                objects::blob(repo, markdown.as_bytes())?,
            ),
        ],
    )?;
    let mut parents = vec![head];
    if let Some(oracle) = &state.oracle {
        parents.push(crate::branch::drift::object(&oracle.commit)?);
    }
    let id = state.spec.as_ref().map_or("", |spec| spec.id.as_str());
    objects::commit(repo, tree, &parents, &format!("evidence for {id}\n"))
}

/// The newest evidence of a branch.
pub(crate) fn newest(repo: &Repo, base: &BStr, state: &State) -> Result<Option<Evidence>> {
    let number = state.last_evidence;
    let Some(commit) = refs::read(repo, &refs::evidence(base, number))? else {
        return Ok(None);
    };
    let corrupt = |why: &str| Error::Corrupt {
        what: refs::evidence(base, number),
        why: why.to_owned(),
    };
    let json = objects::file_in_commit(repo, commit, JSON_FILE)?
        .ok_or_else(|| corrupt("`evidence.json` is missing"))?;
    let statement = serde_json::from_slice(&json).map_err(|error| corrupt(&error.to_string()))?;
    let markdown = objects::file_in_commit(repo, commit, MARKDOWN_FILE)?.unwrap_or_default();
    Ok(Some(Evidence {
        statement,
        markdown: markdown.to_str_lossy().into_owned(),
    }))
}

/// Every stored statement of a branch.
pub(super) fn all(repo: &Repo, base: &BStr, state: &State) -> Result<Vec<Value>> {
    let mut statements = Vec::new();
    for number in 1..=state.last_evidence {
        if let Some(commit) = refs::read(repo, &refs::evidence(base, number))?
            && let Some(json) = objects::file_in_commit(repo, commit, JSON_FILE)?
            && let Ok(statement) = serde_json::from_slice(&json)
        {
            statements.push(statement);
        }
    }
    Ok(statements)
}
