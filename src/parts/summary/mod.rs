//! A changed file as parts: what the rules ask of it.

use crate::rules::path_class::{PathClass, is_harness_when_new};

use super::by_content::class_by_content;
use super::manifest::{self, Unreadable};
use super::{layout, snapshot};

/// What of a file's source part changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceKind {
    /// Nothing but layout and comments.
    #[default]
    Same,
    /// Names, types and constants only.
    Declares,
    /// Functions whose bodies do nothing yet.
    Stub,
    /// Anything else.
    Code,
    /// There is no grammar that could tell.
    NoGrammar,
}

/// What a change of one file comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartChange {
    /// Tests, their data and snapshots.
    pub tests: bool,
    /// The tests that changed are all new: what was there is as it was.
    pub tests_only_added: bool,
    /// What steers the tests.
    pub harness: bool,
    /// The keys that steer, in a manifest: `scripts.test`.
    pub steering_keys: Vec<String>,
    /// Source.
    pub source: SourceKind,
    /// What asks for no test.
    pub other: bool,
    /// What names dependencies: it goes with the tests into every experiment.
    pub dependencies: bool,
    /// Prose.
    pub docs: bool,
    /// Something changed, and it is nobody's change.
    pub layout_only: bool,
    /// The new content can't be read by its format; it counts as harness.
    pub unreadable: Option<Unreadable>,
}

impl PartChange {
    fn layout() -> PartChange {
        PartChange {
            layout_only: true,
            ..PartChange::default()
        }
    }
}

/// The class of a file with regard to its content, which is asked where the name makes it `other`
/// or prose without an ending. Manifests and lock files are what their names say, and a new file
/// that is named after a runner steers.
pub fn class_of(
    path: &[u8],
    by_name: PathClass,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
) -> PathClass {
    let is_free = matches!(
        by_name,
        PathClass::Source | PathClass::Mixed | PathClass::Other
    );
    if is_free && old.is_none() && is_harness_when_new(path) {
        return PathClass::Harness;
    }
    let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_asked = match by_name {
        PathClass::Other => !manifest::is_manifest(path) && !manifest::is_lock_file(path),
        PathClass::Docs => !base.contains(&b'.'),
        PathClass::Protected
        | PathClass::Spec
        | PathClass::Harness
        | PathClass::Test
        | PathClass::Mixed
        | PathClass::Source => false,
    };
    let by_content = |content: Option<&[u8]>| class_by_content(path, content?);
    match is_asked {
        true => by_content(new)
            .or_else(|| by_content(old))
            .unwrap_or(by_name),
        false => by_name,
    }
}

/// What a change comes to, for every file that no grammar reads: `None` stands for a file that is
/// not there. Files of programming languages are only told by their class here.
pub fn change(
    path: &[u8],
    by_name: PathClass,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
) -> PartChange {
    if old == new {
        return PartChange::default();
    }
    let is_layout = || match (old, new) {
        (Some(old), Some(new)) => layout::is_same(path, old, new),
        (_, None) | (None, _) => false,
    };
    match class_of(path, by_name, old, new) {
        PathClass::Test => tests(path, old, new),
        PathClass::Harness if is_layout() => PartChange::layout(),
        // The first two are no part of any experiment; whoever asks takes them for steering.
        PathClass::Protected | PathClass::Spec | PathClass::Harness => PartChange {
            harness: true,
            ..PartChange::default()
        },
        PathClass::Mixed | PathClass::Source => PartChange {
            source: SourceKind::NoGrammar,
            ..PartChange::default()
        },
        PathClass::Docs => PartChange {
            docs: true,
            ..PartChange::default()
        },
        PathClass::Other => other(path, old, new, is_layout),
    }
}

/// Data of tests is compared byte by byte: a recorded layout is what the test asks for.
fn tests(path: &[u8], old: Option<&[u8]>, new: Option<&[u8]>) -> PartChange {
    let entries = snapshot::compare(path, old, new);
    PartChange {
        tests: true,
        tests_only_added: old.is_none() || entries.is_some_and(|entries| entries.only_adds()),
        ..PartChange::default()
    }
}

fn other(
    path: &[u8],
    old: Option<&[u8]>,
    new: Option<&[u8]>,
    is_layout: impl Fn() -> bool,
) -> PartChange {
    if manifest::is_lock_file(path) || manifest::is_dependency_list(path) {
        return PartChange {
            dependencies: true,
            layout_only: false,
            ..PartChange::default()
        };
    }
    if is_layout() {
        return PartChange::layout();
    }
    match manifest::compare(path, old, new) {
        Ok(change) if change.is_nothing() => PartChange::layout(),
        Ok(change) => PartChange {
            harness: change.steering,
            steering_keys: change.steering_keys,
            other: change.about,
            dependencies: change.dependencies,
            ..PartChange::default()
        },
        Err(unreadable) => PartChange {
            harness: true,
            unreadable: Some(unreadable),
            ..PartChange::default()
        },
    }
}

#[cfg(test)]
mod tests;
