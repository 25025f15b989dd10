//! Which tests differ between two trees.

use gix::bstr::ByteSlice;

use crate::effects::git::repo::Repo;
use crate::effects::git::trees::{self, Change, Leaf};
use crate::error::Result;
use crate::policy::PathClass;
use crate::policy::content::content_change;
use crate::policy::path_class::is_snapshot;
use crate::policy::write_gate::{Change as ChangeKind, TestPart};
use crate::tcr_loop::classes::Classes;

/// The paths of tests and harness that differ, and of files in which the tests do.
pub(super) fn tests_changed(
    repo: &Repo,
    classes: &Classes,
    before: gix::ObjectId,
    after: gix::ObjectId,
) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for change in trees::diff(repo, before, after)? {
        if changes_tests(repo, classes.classify(change.path.as_bstr()), &change)? {
            paths.push(change.path.to_string());
        }
    }
    Ok(paths)
}

fn changes_tests(repo: &Repo, class: PathClass, change: &Change) -> Result<bool> {
    match class {
        // Runners write the first version of a snapshot themselves.
        PathClass::Test => Ok(change.before.is_some() || !is_snapshot(&change.path)),
        PathClass::Harness => Ok(true),
        PathClass::Source | PathClass::Mixed => {
            let bytes =
                |leaf: Option<Leaf>| leaf.map(|leaf| trees::content(repo, leaf)).transpose();
            if change.is_submodule() {
                return Ok(false);
            }
            let (before, after) = (bytes(change.before)?, bytes(change.after)?);
            let (_, kind) =
                content_change(&change.path, class, before.as_deref(), after.as_deref());
            Ok(matches!(
                kind,
                ChangeKind::Parts {
                    tests: TestPart::Changed,
                    ..
                }
            ))
        }
        PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => Ok(false),
    }
}
