//! The trees of the way out: old tests on new source, empty functions, broken source.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use crate::error::Result;
use crate::git::objects;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::languages::{self, Code, Form, HollowRequest, Scope};
use crate::rules::PathClass;
use crate::rules::SourceKind;
use crate::step::parts::{Part, PartKind, Parts};

/// More source files than this are not made empty.
const MOST_FILES: usize = 3_000;
/// What no language reads.
const NONSENSE: &[u8] = b"(((\n";

/// The final tree with tests and what is around them as they were; none where they can't be told
/// apart from the source.
pub(super) fn old_tests(repo: &Repo, tip: ObjectId, parts: &Parts) -> Result<Option<ObjectId>> {
    let mut changes = Vec::new();
    for part in parts.parts.iter().filter(|part| !part.layout) {
        match &part.kind {
            PartKind::Tests(_) | PartKind::AroundTests { .. } => {
                changes.push(part.change.inverse())
            }
            PartKind::Source { tests, .. } if !tests.is_none() => {
                let Some(text) = languages::combine(part.new.as_ref(), part.old.as_ref()) else {
                    return Ok(None);
                };
                changes.push(with_content(repo, &part.change, text.as_bytes())?);
            }
            PartKind::Source { .. } | PartKind::Dependencies | PartKind::Other | PartKind::Docs => {
            }
        }
    }
    trees::with_changes(repo, tip, changes.iter()).map(Some)
}

/// A tree with every function of its source hollow but those it keeps; none where there are too many
/// or none. Files are read in one order, so a function has the same number whatever is kept.
pub(super) fn all_hollow(
    repo: &Repo,
    tree: ObjectId,
    class: &dyn Fn(&BStr) -> PathClass,
    form: Form,
    keep: &BTreeSet<u32>,
) -> Result<Option<ObjectId>> {
    some_hollow(repo, tree, class, form, |_, _, _| Ok(keep.clone()))
}

/// A tree with every function empty that another tree has with the same body.
pub(super) fn unchanged_empty(
    repo: &Repo,
    (tree, other): (ObjectId, ObjectId),
    class: &dyn Fn(&BStr) -> PathClass,
) -> Result<Option<ObjectId>> {
    some_hollow(
        repo,
        tree,
        class,
        Form::Empty,
        |file, code, first_number| {
            let leaf = trees::lookup(repo, other, file.path.as_bstr())?;
            if leaf == file.after {
                return Ok(BTreeSet::new());
            }
            let content = leaf.map(|leaf| trees::content(repo, leaf)).transpose()?;
            let before = content.and_then(|content| Code::read(&file.path, &content).ok());
            let own = functions_beside(before.as_ref(), code);
            let all = hollow_file(code, Form::Empty, first_number, &BTreeSet::new()).functions;
            let changed = all
                .into_iter()
                .filter(|one| own.contains(&(one.line, one.name.clone())));
            Ok(changed.map(|one| one.number).collect())
        },
    )
}

fn hollow_file(
    code: &Code,
    form: Form,
    first_number: u32,
    keep: &BTreeSet<u32>,
) -> languages::Hollowed {
    let request = HollowRequest {
        scope: Scope::All,
        form,
        first_number,
        keep,
        whole: &BTreeSet::new(),
    };
    languages::hollow(None, code, &request)
}

/// A tree with the functions of its source hollow but for those that are to be kept, as a file, its
/// code and the number of its first function tell.
fn some_hollow(
    repo: &Repo,
    tree: ObjectId,
    class: &dyn Fn(&BStr) -> PathClass,
    form: Form,
    kept: impl Fn(&Change, &Code, u32) -> Result<BTreeSet<u32>>,
) -> Result<Option<ObjectId>> {
    let mut changes = Vec::new();
    let mut first_number = 1;
    let Some(files) = source_files(repo, tree, class)? else {
        return Ok(None);
    };
    for file in files {
        let Some(leaf) = file.after else { continue };
        let content = trees::content(repo, leaf)?;
        let Ok(code) = Code::read(&file.path, &content) else {
            continue;
        };
        let kept = kept(&file, &code, first_number)?;
        let hollowed = hollow_file(&code, form, first_number, &kept);
        for function in &hollowed.functions {
            first_number = first_number.max(function.number.saturating_add(1));
        }
        if hollowed.functions.iter().any(|function| function.hollowed) {
            changes.push(with_content(repo, &file, hollowed.text.as_bytes())?);
        }
    }
    match changes.is_empty() {
        true => Ok(None),
        false => trees::with_changes(repo, tree, changes.iter()).map(Some),
    }
}

/// A tree in which no source file can be read by its language; none where there are too many.
pub(super) fn all_broken(
    repo: &Repo,
    tree: ObjectId,
    class: &dyn Fn(&BStr) -> PathClass,
) -> Result<Option<ObjectId>> {
    let Some(files) = source_files(repo, tree, class)? else {
        return Ok(None);
    };
    let mut changes = Vec::new();
    for file in files {
        let Some(leaf) = file.after else { continue };
        let content = trees::content(repo, leaf)?;
        changes.push(with_content(repo, &file, &[NONSENSE, &content].concat())?);
    }
    trees::with_changes(repo, tree, changes.iter()).map(Some)
}

fn source_files(
    repo: &Repo,
    tree: ObjectId,
    class: &dyn Fn(&BStr) -> PathClass,
) -> Result<Option<Vec<Change>>> {
    let nothing = ObjectId::empty_tree(repo.gix.object_hash());
    let all = trees::diff(repo, nothing, tree)?.into_iter();
    let source: Vec<Change> = all
        .filter(|file| !file.is_submodule() && !file.after.is_some_and(Leaf::is_link))
        .filter(|file| match class(file.path.as_bstr()) {
            PathClass::Source | PathClass::Mixed => true,
            PathClass::Protected
            | PathClass::Spec
            | PathClass::Harness
            | PathClass::Test
            | PathClass::Docs
            | PathClass::Other => false,
        })
        .collect();
    Ok((source.len() <= MOST_FILES).then_some(source))
}

/// A function that a range adds or changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbered {
    pub(super) number: u32,
    pub(super) path: String,
    pub(super) line: usize,
    /// With the containers around it.
    pub(super) name: String,
}

/// The final tree with some of the range's functions hollow.
pub(super) struct Needed {
    pub(super) tree: ObjectId,
    pub(super) hollowed: BTreeSet<u32>,
    /// All functions in question.
    pub(super) functions: Vec<Numbered>,
}

/// Makes some of the functions hollow that a range adds or changes.
pub(super) fn needed(
    repo: &Repo,
    tip: ObjectId,
    parts: &Parts,
    form: Form,
    is_hollow: &dyn Fn(u32) -> bool,
) -> Result<Needed> {
    let mut needed = Needed {
        tree: tip,
        hollowed: BTreeSet::new(),
        functions: Vec::new(),
    };
    let none = BTreeSet::new();
    let mut changes = Vec::new();
    let mut first_number = 1;
    for (part, new) in changed_source(parts) {
        let all = hollow_part(part.old.as_ref(), new, form, first_number, &none);
        let keep: BTreeSet<u32> = (all.functions.iter())
            .map(|function| function.number)
            .filter(|number| !is_hollow(*number))
            .collect();
        let text = match keep.len() == all.functions.len() {
            true => None,
            false => Some(hollow_part(
                part.old.as_ref(),
                new,
                form,
                first_number,
                &keep,
            )),
        };
        let hollowed = text.iter().flat_map(|one| &one.functions);
        let hollowed = hollowed.filter(|function| function.hollowed);
        needed
            .hollowed
            .extend(hollowed.map(|function| function.number));
        if let Some(hollow) = &text {
            changes.push(with_content(repo, &part.change, hollow.text.as_bytes())?);
        }
        for function in all.functions {
            first_number = first_number.max(function.number.saturating_add(1));
            let mut name = function.path;
            name.push(function.name);
            needed.functions.push(Numbered {
                number: function.number,
                path: part.change.path.to_string(),
                line: function.line,
                name: name.join("."),
            });
        }
    }
    needed.tree = trees::with_changes(repo, tip, changes.iter())?;
    Ok(needed)
}

fn hollow_part(
    old: Option<&Code>,
    new: &Code,
    form: Form,
    first_number: u32,
    keep: &BTreeSet<u32>,
) -> languages::Hollowed {
    let none = BTreeSet::new();
    let request = HollowRequest {
        scope: Scope::Needed { changed: true },
        form,
        first_number,
        keep,
        whole: &none,
    };
    languages::hollow(old, new, &request)
}

/// The source that a range changes and whose language can be read.
pub(super) fn changed_source(parts: &Parts) -> impl Iterator<Item = (&Part, &Code)> {
    parts.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Source { source, .. } if !part.layout && *source != SourceKind::Same => {
            Some((part, part.new.as_ref()?))
        }
        PartKind::Source { .. }
        | PartKind::Tests(_)
        | PartKind::AroundTests { .. }
        | PartKind::Dependencies
        | PartKind::Other
        | PartKind::Docs => None,
    })
}

/// The functions that one file adds or changes beside another, by line and name.
pub(super) fn functions_beside(old: Option<&Code>, new: &Code) -> BTreeSet<(usize, String)> {
    let hollowed = hollow_part(old, new, Form::NotImplemented, 1, &BTreeSet::new());
    let functions = hollowed.functions.into_iter();
    functions
        .map(|function| (function.line, function.name))
        .collect()
}

fn with_content(repo: &Repo, change: &Change, content: &[u8]) -> Result<Change> {
    let id = objects::blob(repo, content)?;
    let leaf = change.after.or(change.before);
    Ok(Change {
        path: change.path.clone(),
        before: change.before,
        after: leaf.map(|leaf| Leaf { id, ..leaf }),
    })
}
