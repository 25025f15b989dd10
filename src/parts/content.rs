//! What a change of a file's content comes to, for the gate before it is made and for the loop
//! after it was.

use crate::languages::{self, Code, Language, SourceChange, StubRules, TestChange, Unreadable};
use crate::parts::{layout, manifest, snapshot, summary};
use crate::rules::path_class::{PathClass, may_hold_tests};
use crate::rules::write_gate::{Change, SourcePart, TestPart};

/// The class of a path with regard to its content, and what is known of the change. `None` stands
/// for a file that is not there.
pub fn content_change(
    path: &[u8],
    by_name: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    content_change_by(StubRules::default(), path, by_name, before, after)
}

/// The same, by some rules of what a stub is.
pub fn content_change_by(
    stubs: StubRules,
    path: &[u8],
    by_name: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    if before == after {
        return (by_name, NOTHING);
    }
    let class = summary::class_of(path, by_name, before, after);
    match class {
        PathClass::Source | PathClass::Mixed => source_change(stubs, path, class, before, after),
        PathClass::Test => (class, tests_of(test_part(path, before, after))),
        PathClass::Harness => (class, tests_of(harness_part(path, before, after))),
        PathClass::Other if manifest::is_manifest(path) => manifest_change(path, before, after),
        PathClass::Protected | PathClass::Spec | PathClass::Docs | PathClass::Other => {
            (class, Change::Content)
        }
    }
}

const NOTHING: Change = Change::Parts {
    tests: TestPart::Same,
    source: SourcePart::Same,
};

fn tests_of(tests: TestPart) -> Change {
    let source = SourcePart::Same;
    Change::Parts { tests, source }
}

/// Dependencies and the description are nobody's business, what steers the tests is harness. So is
/// what can't be read: it may steer anything.
fn manifest_change(
    path: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    match manifest::compare(path, before, after) {
        Ok(change) if !change.steering => (PathClass::Other, Change::Content),
        Ok(_) | Err(_) => (PathClass::Harness, Change::Content),
    }
}

/// The keys of a manifest that steer the tests and differ.
pub fn steering_keys(path: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<String> {
    let change = manifest::compare(path, before, after);
    change.map_or(Vec::new(), |change| change.steering_keys)
}

fn harness_part(path: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) -> TestPart {
    match (before, after) {
        (Some(before), Some(after)) if layout::is_same(path, before, after) => TestPart::Layout,
        _ => TestPart::Changed,
    }
}

type Read = Result<Option<Code>, Unreadable>;

fn read(path: &[u8], content: Option<&[u8]>) -> Read {
    content.map(|content| Code::read(path, content)).transpose()
}

/// What becomes of a file of tests: everything in it is about tests.
fn test_part(path: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) -> TestPart {
    // Whatever a new file says, no test that was there says less for it.
    if before.is_none() {
        return TestPart::Added;
    }
    if let Some(entries) = snapshot::compare(path, before, after) {
        return match entries.only_adds() {
            true => TestPart::Added,
            false => TestPart::Changed,
        };
    }
    let (Ok(Some(old)), Ok(Some(new))) = (read(path, before), read(path, after)) else {
        return TestPart::Changed;
    };
    if old.same_code(&new) {
        return TestPart::Layout;
    }
    let change = languages::change(Some(&old), Some(&new));
    let holds_tests = !old.tests().is_empty() || !new.tests().is_empty();
    // A file of helpers is used by tests that stand elsewhere.
    match holds_tests && tests_only_grow(&change.tests, &old, &new) {
        true => TestPart::Added,
        false => TestPart::Changed,
    }
}

/// Whether a file of tests only grows: every test it had is as it was, and of the rest only imports
/// changed.
pub fn tests_only_grow(change: &TestChange, old: &Code, new: &Code) -> bool {
    change.changed.is_empty() && change.removed.is_empty() && keeps_lines(old.text(), new.text())
}

/// Whether every line is still there in its order, imports aside.
fn keeps_lines(old: &str, new: &str) -> bool {
    let mut present = new.lines().map(str::trim);
    let mut wanted = old.lines().map(str::trim).filter(|line| !is_import(line));
    wanted.all(|line| present.any(|other| other == line))
}

fn is_import(line: &str) -> bool {
    const BEGINNINGS: [&str; 7] = [
        "import ", "from ", "use ", "require", "#include", "const {", "using ",
    ];
    line.is_empty()
        || line.contains("require(")
        || BEGINNINGS.iter().any(|start| line.starts_with(start))
}

fn source_change(
    stubs: StubRules,
    path: &[u8],
    class: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (PathClass, Change) {
    let (Ok(old), Ok(new)) = (read(path, before), read(path, after)) else {
        // Which part is hit can't be told: where there may be two, the tests judge the outcome.
        let mut texts = [before, after].into_iter().flatten();
        let class = match texts.any(|text| may_name_tests(path, text)) {
            true => PathClass::Mixed,
            false => class,
        };
        return (class, Change::Unknown);
    };
    let change = languages::change_by(&stubs, old.as_ref(), new.as_ref());
    let source = match change.source {
        // A file that goes takes its source with it, whatever was in it.
        _ if new.is_none() => SourcePart::Changed,
        // A new file says something by being there.
        SourceChange::Same if old.is_none() => SourcePart::Stub,
        SourceChange::Same => SourcePart::Same,
        SourceChange::Declares | SourceChange::Stub => SourcePart::Stub,
        SourceChange::Code => SourcePart::Changed,
    };
    let is_mixed = |code: &Option<Code>| code.as_ref().is_some_and(Code::is_mixed);
    if !is_mixed(&old) && !is_mixed(&new) {
        let tests = TestPart::Same;
        return (class, Change::Parts { tests, source });
    }
    let tests = part_of_mixed(&change.tests, old.as_ref(), new.as_ref());
    (PathClass::Mixed, Change::Parts { tests, source })
}

/// Whether a text may hold tests besides source.
fn may_name_tests(path: &[u8], text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let marks = Language::of_path(path).map_or(&[][..], Language::test_marks);
    marks.iter().any(|mark| text.contains(mark))
}

/// What becomes of the tests in a source file.
fn part_of_mixed(change: &TestChange, old: Option<&Code>, new: Option<&Code>) -> TestPart {
    if change.is_none() {
        return TestPart::Same;
    }
    let had_tests = old.is_some_and(Code::is_mixed);
    let is_kept = change.changed.is_empty() && change.removed.is_empty();
    // What is no test may have grown too, by an import: the old source beside the new tests tells.
    let has_grown = || {
        let beside = languages::combine(old, new)?;
        Some(keeps_lines(old?.text(), &beside))
    };
    match !had_tests || (is_kept && (!change.other || has_grown() == Some(true))) {
        true => TestPart::Added,
        false => TestPart::Changed,
    }
}

/// What changed tests that are not committed yet have to say about source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pending {
    /// Nothing asks for source here.
    Nothing,
    /// A test was added or changed.
    Tests,
    /// A file of tests does not parse, at this line (from 1).
    DoesNotParse(usize),
}

/// Whether a change of a file brings tests that may ask for source.
pub fn pending_tests(
    path: &[u8],
    by_name: PathClass,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Pending {
    let is_asked = match by_name {
        PathClass::Test => true,
        PathClass::Source | PathClass::Mixed => may_hold_tests(path),
        PathClass::Protected
        | PathClass::Spec
        | PathClass::Harness
        | PathClass::Docs
        | PathClass::Other => false,
    };
    let Some(content) = after.filter(|_| is_asked && before != after) else {
        return Pending::Nothing;
    };
    if by_name == PathClass::Test
        && let Err(Unreadable::Syntax { line }) = Code::read(path, content)
    {
        return Pending::DoesNotParse(line);
    }
    match content_change(path, by_name, before, after).1 {
        Change::Parts {
            tests: TestPart::Added | TestPart::Changed,
            ..
        } => Pending::Tests,
        Change::Parts {
            tests: TestPart::Same | TestPart::Layout,
            ..
        }
        | Change::Unknown
        | Change::Content
        | Change::Stub
        | Change::NewSnapshot => Pending::Nothing,
    }
}

/// Whether a change of source leaves everything that was there as it is, so that it only adds.
pub fn only_adds(before: Option<&[u8]>, after: Option<&[u8]>) -> bool {
    let text =
        |content: Option<&[u8]>| String::from_utf8_lossy(content.unwrap_or_default()).into_owned();
    after.is_some() && keeps_lines(&text(before), &text(after))
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
