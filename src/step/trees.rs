//! The trees of experiments, put together from the parts of a step.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use super::parts::{Part, PartKind, Parts};
use crate::error::Result;
use crate::git::objects;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::languages::{self, HollowRequest, Scope};
use crate::rules::{Form, SourceKind};

/// Where a step leads from and to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) accepted: ObjectId,
    pub(crate) worktree: ObjectId,
}

/// Functions by number that must not be as `hollow` would have them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repairs {
    /// They run while tests load, so they keep their body.
    pub(crate) keep: BTreeSet<u32>,
    /// Old bodies do not build with what is around them now: every function that changed is hollow
    /// instead of as it was.
    pub(crate) old_bodies_go: bool,
}

/// A tree, and the functions in it that are hollow, by number.
#[derive(Debug, Clone)]
pub(crate) struct HollowTree {
    pub(crate) tree: ObjectId,
    pub(crate) functions: BTreeMap<u32, String>,
}

/// The accepted source with the step's tests; none where they can't be told apart.
pub(crate) fn tests_alone(repo: &Repo, ends: Ends, parts: &Parts) -> Result<Option<ObjectId>> {
    if parts.changed().source == SourceKind::Same {
        return Ok(Some(ends.worktree));
    }
    let has_tests_elsewhere = parts.parts.iter().any(|part| match &part.kind {
        PartKind::Tests(tests) => !tests.added.is_empty() || !tests.changed.is_empty(),
        PartKind::AroundTests { .. }
        | PartKind::Source { .. }
        | PartKind::Dependencies
        | PartKind::Other
        | PartKind::Docs => false,
    });
    let mut changes = Vec::new();
    for part in &parts.parts {
        let tests_change = part.tests().is_some_and(|tests| !tests.is_none());
        match &part.kind {
            PartKind::Docs
            | PartKind::Tests(_)
            | PartKind::AroundTests { .. }
            | PartKind::Dependencies => changes.push(part.change.clone()),
            PartKind::Source { .. } if part.layout => changes.push(part.change.clone()),
            PartKind::Source {
                source: SourceKind::Same,
                ..
            } => changes.push(part.change.clone()),
            PartKind::Source { .. } if tests_change => {
                match languages::combine(part.old.as_ref(), part.new.as_ref()) {
                    Some(text) => changes.push(with_text(repo, part, &text)?),
                    // An example of a function that is not there yet: other tests tell of it too.
                    None if has_tests_elsewhere => {}
                    None => return Ok(None),
                }
            }
            PartKind::Source { .. } | PartKind::Other => {}
        }
    }
    trees::with_changes(repo, ends.accepted, changes.iter()).map(Some)
}

/// The step with hollow bodies.
pub(crate) fn hollow(
    repo: &Repo,
    ends: Ends,
    parts: &Parts,
    form: Form,
    repairs: &Repairs,
) -> Result<HollowTree> {
    let mut hollow = HollowTree {
        tree: ends.worktree,
        functions: BTreeMap::new(),
    };
    let source = parts.changed().source;
    if form == Form::Empty && source.is_its_own_hollow() {
        return Ok(hollow);
    }
    let mut changes = Vec::new();
    let mut first_number = 1;
    for part in &parts.parts {
        let PartKind::Source { source, .. } = &part.kind else {
            continue;
        };
        if part.layout || *source == SourceKind::Same {
            continue;
        }
        let Some(new) = &part.new else {
            // Old bodies may need what a deleted file declares.
            changes.push(part.change.inverse());
            continue;
        };
        let request = HollowRequest {
            scope: match repairs.old_bodies_go {
                true => Scope::Needed { changed: true },
                false => Scope::Hollow,
            },
            form: match form {
                Form::Empty => languages::Form::Empty,
                Form::NotImplemented => languages::Form::NotImplemented,
            },
            first_number,
            keep: &repairs.keep,
            whole: &BTreeSet::new(),
        };
        let hollowed = languages::hollow(part.old.as_ref(), new, &request);
        for function in hollowed.functions {
            first_number = first_number.max(function.number.saturating_add(1));
            hollow.functions.insert(function.number, function.name);
        }
        changes.push(with_text(repo, part, &hollowed.text)?);
    }
    hollow.tree = trees::with_changes(repo, ends.worktree, changes.iter())?;
    Ok(hollow)
}

/// The file of a part with another text.
fn with_text(repo: &Repo, part: &Part, text: &str) -> Result<Change> {
    let id = objects::blob(repo, text.as_bytes())?;
    let leaf = part.change.after.or(part.change.before);
    Ok(Change {
        path: part.change.path.clone(),
        before: part.change.before,
        after: leaf.map(|leaf| Leaf { id, ..leaf }),
    })
}
