//! What a change of a file does: to its tests, to its source.

use std::collections::BTreeMap;

use super::code::Code;
use super::growth::grown;
use super::items::Item;
use super::stub::added;
use super::test_items::{TestChange, holds, test_change, test_part};
use super::tokens::{joined, tokens};

/// What a change does, both parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// For a test file, or the test part of a mixed one. Of a file that is taken as a test file but
    /// holds its tests as a mixed one does (Rust's `tests/`), a change of `source` is one of helpers.
    pub tests: TestChange,
    /// For a file taken as source, or the source part of a mixed one.
    pub source: SourceChange,
    /// The source asks in more places than before whether it is being tested.
    pub new_guard: bool,
}

/// What a change does to source, from nothing to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceChange {
    /// Layout and comments at most.
    Same,
    /// Only adds types, constants with plain values, imports, signatures. Good for a stub too.
    Declares,
    /// Also adds functions, arms or branches that do nothing, answer something empty or say "not
    /// implemented".
    Stub,
    /// Anything else.
    Code,
}

/// What else counts as a stub.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StubRules {
    /// A body or file marked `STUB:TDD`.
    pub marker: bool,
}

/// What a change does. `None`: the file is not there.
pub fn change(old: Option<&Code>, new: Option<&Code>) -> Change {
    change_by(&StubRules::default(), old, new)
}

/// What a change does, by some rules of what a stub is.
pub fn change_by(rules: &StubRules, old: Option<&Code>, new: Option<&Code>) -> Change {
    let source = source_change(rules, old, new);
    let asks = match source {
        SourceChange::Same => 0,
        SourceChange::Declares | SourceChange::Stub | SourceChange::Code => guards(new),
    };
    Change {
        tests: test_change(old, new),
        source,
        new_guard: asks > 0 && asks > guards(old),
    }
}

fn source_change(rules: &StubRules, old: Option<&Code>, new: Option<&Code>) -> SourceChange {
    let before = old.map(Code::items).unwrap_or_default();
    let after = new.map(Code::items).unwrap_or_default();
    let (before, after) = (source_items(&before), source_items(&after));
    let is_lost = before.keys().any(|key| !after.contains_key(key));
    if is_lost {
        return SourceChange::Code;
    }
    let mut change = SourceChange::Same;
    let Some(new) = new else {
        return change;
    };
    for (key, item) in after {
        let one = match (old, before.get(key)) {
            (Some(old), Some(was)) => grown((old, was), (new, item)),
            (Some(_) | None, _) => added(new, item, rules),
        };
        change = change.max(one);
        if change == SourceChange::Code {
            break;
        }
    }
    change
}

fn source_items<'a, 't>(items: &'a [Item<'t>]) -> BTreeMap<&'a str, &'a Item<'t>> {
    items
        .iter()
        .filter(|item| !item.is_test_part)
        .map(|item| (item.key.as_str(), item))
        .collect()
}

/// How often the source asks whether it is being tested.
fn guards(code: Option<&Code>) -> usize {
    let Some(code) = code else {
        return 0;
    };
    let part = test_part(code).unwrap_or_default();
    let all: Vec<_> = tokens(code.syntax, code.root(), &code.text)
        .into_iter()
        .filter(|token| !holds(&part, token.at))
        .collect();
    let said = joined(&all);
    let words = code.syntax.words().guards;
    words.iter().map(|guard| said.matches(guard).count()).sum()
}
