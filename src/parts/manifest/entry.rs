//! What every format of manifests reads and answers.

use serde_json::Value;

use super::Unreadable;

/// The path to a value through the document.
pub type Key = Vec<String>;

/// The part of a manifest that a key belongs to; where two versions differ in that, the later
/// one of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What describes the package, and everything that is nothing else.
    About,
    /// What names dependencies.
    Dependencies,
    /// What steers how tests are found, built and run.
    Steering,
}

/// One value of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) part: Part,
    /// Without layout and comments.
    pub(super) value: Value,
}

/// One key that differs between two versions.
pub(super) struct Change<'a> {
    pub(super) key: &'a Key,
    /// The part the key belongs to.
    pub(super) part: Part,
    pub(super) old: Option<&'a Value>,
    pub(super) new: Option<&'a Value>,
    /// There was no such file.
    pub(super) is_new: bool,
}

impl Change<'_> {
    pub(super) fn is_below(&self, start: &[&str]) -> bool {
        self.key.len() > start.len() && start.iter().zip(self.key).all(|(a, b)| a == b)
    }

    pub(super) fn is_at(&self, key: &[&str]) -> bool {
        self.key.len() == key.len() && key.iter().zip(self.key).all(|(a, b)| a == b)
    }

    pub(super) fn is_added(&self) -> bool {
        self.old.is_none()
    }

    pub(super) fn name(&self) -> &str {
        self.key.last().map_or("", String::as_str)
    }

    /// The new list has all of the old one, and more.
    pub(super) fn only_adds_to_a_list(&self) -> bool {
        let empty = Vec::new();
        let list = |value: Option<&Value>| match value {
            None => Some(empty.clone()),
            Some(Value::Array(list)) => Some(list.clone()),
            Some(_) => None,
        };
        match (list(self.old), list(self.new)) {
            (Some(old), Some(new)) => old.iter().all(|element| new.contains(element)),
            (_, None) | (None, _) => false,
        }
    }

    /// A dependency that is known by version, or not at all, and now comes from the project's own
    /// files: whoever writes these could put anything in its place.
    pub(super) fn diverts(&self) -> bool {
        let is_local = |value: &Value| is_local(value, 0);
        self.new.is_some_and(is_local) && !self.old.is_some_and(is_local)
    }

    /// As [`diverts`](Change::diverts), for a dependency that was there before.
    pub(super) fn diverts_known(&self) -> bool {
        !self.is_added() && self.diverts()
    }
}

/// Words that take a dependency from a folder of the machine.
const LOCAL: &[&str] = &[
    "link:",
    "portal:",
    "workspace:",
    "patch:",
    "./",
    "../",
    "/",
    "~/",
];

fn is_local(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) => {
            LOCAL.iter().any(|start| text.starts_with(start)) || text.contains("file:")
        }
        Value::Object(table) if depth < 4 => {
            table.contains_key("path")
                || table.get("type").is_some_and(|kind| kind == "path")
                || table.values().any(|value| is_local(value, depth + 1))
        }
        Value::Array(list) if depth < 4 => list.iter().any(|value| is_local(value, depth + 1)),
        Value::Object(_) | Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
            false
        }
    }
}

/// How manifests of one format are read and written.
pub(super) struct Format {
    /// All entries, each key once.
    pub(super) read: fn(&str) -> Result<Vec<Entry>, Unreadable>,
    /// `base` with these keys as they are in `from`: set, replaced or taken out.
    pub(super) take: fn(base: &str, from: &str, keys: &[Key]) -> Option<String>,
    /// The part that a change of a key belongs to, in the light of both values.
    pub(super) effect: fn(&Change<'_>) -> Part,
}

/// The part of a change is the part of its key.
pub(super) fn as_declared(change: &Change<'_>) -> Part {
    match change.part {
        Part::Dependencies if change.diverts_known() => Part::Steering,
        part => part,
    }
}

/// Whether a script, task or target of this name may belong to the tests when it is new: any other
/// name is called by nobody yet.
pub(super) fn may_run_in_tests(name: &str) -> bool {
    // PDM takes what is called `_` for settings of all scripts.
    const STARTS: &[&str] = &["pre", "post", "test", "_"];
    const NAMES: &[&str] = &["install", "dependencies", "uninstall"];
    let name = name.to_ascii_lowercase();
    STARTS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name.as_str())
}
