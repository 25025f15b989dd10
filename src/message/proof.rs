//! The words of the way out: what is asked, what was found, why it is refused.

use std::fmt::Write as _;

use super::{count, path_list};
use crate::error::Error;
use crate::outcome::proof::{Cycle, Document, Place};
use crate::rules::way_out::{Question, Refusal, Version};

const ACCEPTED: &str = "Unproven and accepted by a person: these tests pass without the source";

/// What a run is for, while it runs.
pub(crate) fn question(question: Question) -> &'static str {
    match question {
        Question::Whole => "does it work",
        Question::Before => "as it was before",
        Question::TestsAlone => "tests without the source",
        Question::Hollow(_) => "tests with hollow source",
        Question::Spared => "tests with empty source",
        Question::Unchanged(Version::Old) => "other tests as they were, with empty source",
        Question::Unchanged(Version::New) => "other tests with empty source",
        Question::OldTests => "the old tests",
        Question::BothEmpty(_) => "changed tests with empty source",
        Question::Needed { .. } => "is it needed",
        Question::Control => "does the lab see a difference",
    }
}

/// Why the way out is refused, and the ways on.
pub(crate) fn refused(refusal: &Refusal, found: &Document) -> Error {
    let (what, hint) = why(refusal, found);
    Error::Refused { what, hint }
}

/// The same in two parts: what stands in the way, and what to do.
pub(crate) fn why(refusal: &Refusal, found: &Document) -> (String, String) {
    match refusal {
        Refusal::NotGreen(tests) => {
            let tests: Vec<String> = tests.iter().cloned().collect();
            let named = match tests.is_empty() {
                true => String::new(),
                false => format!(": {}", path_list(&tests)),
            };
            (
                format!("from what is committed alone the tests do not pass{named}"),
                "commit what they need, git tcr run".into(),
            )
        }
        Refusal::Unproven(_) => (
            unproven(found),
            "change the test so that it fails without the source and git tcr run; \
             a person may git tcr squash --accept-unproven"
                .into(),
        ),
        Refusal::Untested(_) => (
            untested(found),
            "write a test that fails without it, or remove it, then git tcr run".into(),
        ),
    }
}

/// Cycles whose tests pass without their source.
pub(crate) fn unproven(found: &Document) -> String {
    let cycles: Vec<String> = found.unproven.iter().map(cycle).collect();
    format!(
        "unproven, these tests pass without the source: {}",
        cycles.join("; ")
    )
}

/// What no test needs.
pub(crate) fn untested(found: &Document) -> String {
    format!("no test needs {}", path_list(&shown(&found.untested)))
}

/// What is worth a look, a line each.
pub(crate) fn remarks(found: &Document) -> Vec<String> {
    let lists = lists(found).into_iter();
    let lists = lists.filter(|(heading, _)| *heading != ACCEPTED);
    lists
        .map(|(heading, items)| format!("{}: {}", lowered(heading), path_list(&items)))
        .collect()
}

fn cycle(one: &Cycle) -> String {
    format!("cycle {} ({})", one.cycle, path_list(&one.tests))
}

fn shown(places: &[Place]) -> Vec<String> {
    places.iter().map(Place::shown).collect()
}

/// What a person let through, for the log.
pub(crate) fn accepted(found: &Document) -> String {
    let cycles: Vec<String> = found.unproven.iter().map(cycle).collect();
    format!("accepted unproven: {}", cycles.join("; "))
}

/// What was found, each of it where it is true, with its heading.
fn lists(found: &Document) -> Vec<(&'static str, Vec<String>)> {
    let called = found.called_not_checked.iter();
    let called = called.map(|place| format!("{} by {}", place.shown(), place.tests.join(", ")));
    let unproven = found.unproven.iter();
    let all = vec![
        (
            "Tests that check less than before",
            found.tests_weakened.clone(),
        ),
        ("Tests removed", found.tests_removed.clone()),
        (
            "Tests removed with the code they were about",
            found.tests_removed_with_their_code.clone(),
        ),
        (
            ACCEPTED,
            unproven.flat_map(|one| one.tests.clone()).collect(),
        ),
        ("Code that no test needs", shown(&found.untested)),
        ("Code that tests call and do not check", called.collect()),
        (
            "By hand, before or beside the cycles: not asked",
            found.not_asked.clone(),
        ),
    ];
    all.into_iter()
        .filter(|(_, items)| !items.is_empty())
        .collect()
}

/// What was found, for the body of a pull request.
pub(crate) fn body(found: &Document) -> String {
    let mut text = String::new();
    for (heading, items) in lists(found) {
        let _ = writeln!(text, "{heading}:\n");
        for item in items {
            let _ = writeln!(text, "- `{item}`");
        }
        text.push('\n');
    }
    if found.harness_changed {
        text.push_str("What steers the tests changed.\n\n");
    }
    text
}

/// What was found, a fact a line.
pub(crate) fn facts(found: &Document) -> Vec<String> {
    let mut facts = Vec::new();
    if !found.proven.is_empty() {
        let proven = count(found.proven.len(), "cycle", "cycles");
        facts.push(format!(
            "{proven} proven: the tests fail without the source"
        ));
    }
    facts.extend(
        lists(found)
            .into_iter()
            .map(|(heading, items)| format!("{}: {}", lowered(heading), path_list(&items))),
    );
    if !found.why_unknown.is_empty() {
        facts.push(format!(
            "could not tell all: {}",
            found.why_unknown.join(", ")
        ));
    }
    facts
}

fn lowered(heading: &str) -> String {
    let mut signs = heading.chars();
    match signs.next() {
        Some(first) => first.to_lowercase().chain(signs).collect(),
        None => String::new(),
    }
}
