//! What is known of a range before anything is asked.

use std::collections::{BTreeMap, BTreeSet};

use super::left_out::LeftOut;
use super::trees::{self as proof_trees, Numbered, changed_source};
use super::{Asked, Work, names};
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::languages::{self, Code, Form, Test};
use crate::rules::Verdict;
use crate::rules::way_out::{
    Answer, Body, Can, Change, Claim, Control, Function, OldTest, Question, Range, Report, Whose,
};
use crate::rules::{Before, SourceKind};
use crate::step::answers::parameters;
use crate::step::moves::{self, Moves, is_same};
use crate::step::parts::{Part, PartKind, Parts, renamed_names, text_of};
use crate::step::touched::Touched;
use crate::test_run::{Selection, Wanted};

/// More old files than this are not searched for a body that moved.
const MOST_OLD_FILES: usize = 60;

/// What is known of a range.
pub(super) struct Facts {
    claims: Vec<Claim>,
    old_tests: BTreeMap<String, OldTest>,
    knows_old_results: bool,
    touched: BTreeSet<String>,
    pub(super) functions: Vec<Function>,
    known_failures: BTreeSet<String>,
    harness_changed: bool,
    source_names_test_library: bool,
    acts_at_load: bool,
    switched_off: BTreeSet<String>,
    has_unreadable_source: bool,
    can: Can,
    control: Control,
    pub(super) removed_names: BTreeSet<String>,
}

/// The control breaks all source: it has the number of no function.
const CONTROL: u32 = 0;

/// What the facts are made of.
pub(super) struct Grounds<'a> {
    pub(super) parts: &'a Parts,
    pub(super) left_out: &'a LeftOut,
    pub(super) whole: Option<&'a TestResults>,
    pub(super) old: Option<&'a TestResults>,
    /// The old results are those of the suite.
    pub(super) knows_old_results: bool,
    pub(super) can_aim: bool,
}

impl Facts {
    pub(super) fn of(work: &Work<'_>, grounds: &Grounds<'_>) -> Result<Facts> {
        let parts = grounds.parts;
        let numbered =
            proof_trees::needed(work.repo, work.tip, parts, Form::NotImplemented, &|_| false)?;
        let functions = numbered.functions.iter();
        let functions = functions
            .filter(|one| !grounds.left_out.has_path(&one.path))
            .filter(|one| !is_left_out(one, grounds.left_out))
            .filter(|one| !stood_elsewhere(one, parts));
        let passing: BTreeSet<String> = grounds
            .whole
            .map(|whole| whole.passed.iter().cloned().collect())
            .unwrap_or_default();
        let touched = touched(grounds);
        let claims = claims(work, &passing, &touched)?;
        let asked = claims.iter().flat_map(|claim| &claim.tests);
        let switched_off = grounds
            .whole
            .map(|whole| Touched::of(parts).switched_off(asked, whole));
        Ok(Facts {
            switched_off: switched_off.unwrap_or_default(),
            claims,
            old_tests: old_tests(grounds),
            knows_old_results: grounds.knows_old_results,
            touched,
            functions: functions.map(function).collect(),
            known_failures: work.known_failures.clone(),
            harness_changed: asked_parts(grounds).any(is_harness),
            source_names_test_library: changed_source(parts).any(|(part, new)| {
                languages::names_test_library(new)
                    && !part.old.as_ref().is_some_and(languages::names_test_library)
            }),
            acts_at_load: changed_source(parts).any(|(part, new)| {
                let before = part.old.as_ref().map(languages::done_at_load);
                let before = before.unwrap_or_default();
                !languages::done_at_load(new).is_subset(&before)
            }),
            has_unreadable_source: asked_parts(grounds).any(is_unreadable_source),
            can: Can {
                name_tests: grounds.whole.is_none_or(names_its_tests),
                aim: grounds.can_aim,
            },
            control: Control {
                number: CONTROL,
                tests: passing,
            },
            removed_names: removed_names(parts),
        })
    }

    /// Of the old tests that a report speaks of, those that the range leaves as they were.
    pub(super) fn untouched(&self, report: &Report) -> BTreeSet<String> {
        let is_same = |id: &&String| {
            let old = self.old_tests.get(*id);
            old.is_none_or(|old| old.change == Change::Same)
        };
        report.old_tests.keys().filter(is_same).cloned().collect()
    }

    /// The facts as the rules take them.
    pub(super) fn range<'a>(&'a self, answers: &'a BTreeMap<Question, Answer>) -> Range<'a> {
        Range {
            claims: &self.claims,
            old_tests: &self.old_tests,
            knows_old_results: self.knows_old_results,
            touched: &self.touched,
            functions: &self.functions,
            known_failures: &self.known_failures,
            harness_changed: self.harness_changed,
            source_names_test_library: self.source_names_test_library,
            acts_at_load: self.acts_at_load,
            switched_off: &self.switched_off,
            values_changed: false,
            has_unreadable_source: self.has_unreadable_source,
            can: self.can,
            control: Some(&self.control),
            answers,
        }
    }
}

/// Whether a run says which tests it had.
fn names_its_tests(results: &TestResults) -> bool {
    let is_told = matches!(results.verdict, Some(Verdict::Green | Verdict::Red));
    !is_told || (results.confirmed && results.total > 0)
}

fn claims(
    work: &Work<'_>,
    passing: &BTreeSet<String>,
    touched: &BTreeSet<String>,
) -> Result<Vec<Claim>> {
    let asked = match work.asked {
        Asked::Cycles(asked) => asked.clone(),
        Asked::Range => {
            return Ok(vec![Claim {
                of: Whose::Range,
                tests: touched.clone(),
                declares_only: false,
            }]);
        }
    };
    let is_there = |test: &str| passing.contains(test);
    let asked = names::followed(work.repo, work.class, work.entries, asked, &is_there)?;
    let claims = asked.into_iter().filter(|(_, tests)| !tests.is_empty());
    let claims = claims.map(|(cycle, tests)| Claim {
        of: Whose::Cycle(cycle),
        tests,
        declares_only: false,
    });
    Ok(claims.collect())
}

/// The parts that are asked about.
fn asked_parts<'a>(grounds: &'a Grounds<'_>) -> impl Iterator<Item = &'a Part> {
    let left_out = grounds.left_out;
    let parts = grounds.parts.parts.iter();
    parts.filter(move |part| !part.layout && !left_out.has_path(&part.change.path.to_string()))
}

fn is_harness(part: &Part) -> bool {
    matches!(part.kind, PartKind::AroundTests { harness: true })
}

pub(super) fn is_unreadable_source(part: &Part) -> bool {
    match part.kind {
        PartKind::Source { source, .. } => source == SourceKind::NoGrammar,
        PartKind::Tests(_)
        | PartKind::AroundTests { .. }
        | PartKind::Dependencies
        | PartKind::Other
        | PartKind::Docs => false,
    }
}

fn is_left_out(one: &Numbered, left_out: &LeftOut) -> bool {
    let name = one.name.rsplit('.').next().unwrap_or(&one.name);
    left_out.has_function(&one.path, one.line, name)
}

/// Whether a body stood in another file before: it moved, and nobody wrote it.
fn stood_elsewhere(one: &Numbered, parts: &Parts) -> bool {
    let Some((own, new)) =
        changed_source(parts).find(|(part, _)| part.change.path == one.path.as_str())
    else {
        return false;
    };
    let name = one.name.rsplit('.').next().unwrap_or(&one.name).to_owned();
    let others = (parts.parts.iter())
        .filter(|part| part.change.path != own.change.path)
        .filter_map(|part| part.old.as_ref())
        .filter(|old| old.language() == new.language());
    others.take(MOST_OLD_FILES).any(|old| {
        let beside = proof_trees::functions_beside(Some(old), new);
        !beside.contains(&(one.line, name.clone()))
    })
}

fn function(one: &Numbered) -> Function {
    Function {
        number: one.number,
        path: one.path.clone(),
        line: u32::try_from(one.line).unwrap_or(u32::MAX),
        name: one.name.clone(),
        body: Body::Code,
    }
}

/// The tests that the range adds or changes, by their names in the final tree.
fn touched(grounds: &Grounds<'_>) -> BTreeSet<String> {
    let Some(whole) = grounds.whole else {
        return BTreeSet::new();
    };
    let touched = Touched::of(grounds.parts);
    let all = whole.passed.iter().chain(&whole.failed).chain(&whole.flaky);
    let is_asked = |id: &&String| {
        let file = whole.files.get(*id);
        file.is_none_or(|file| !grounds.left_out.has_path(file))
    };
    all.filter(is_asked)
        .filter(|id| touched.has(id, whole))
        .cloned()
        .collect()
}

/// What the range does to the tests that the old tree had.
fn old_tests(grounds: &Grounds<'_>) -> BTreeMap<String, OldTest> {
    let Some(old) = grounds.old else {
        return BTreeMap::new();
    };
    let moves = Moves::of(grounds.parts);
    let names = renamed_names(grounds.parts);
    let data_changed = asked_parts(grounds).any(is_changed_data);
    let mut tests = BTreeMap::new();
    let mut note = |ids: &[String], before: Before| {
        for id in ids {
            let file = old.files.get(id);
            if file.is_some_and(|file| grounds.left_out.has_path(file)) {
                continue;
            }
            let change = match change_of(id, file, grounds, &moves, &names) {
                Change::Same if data_changed => Change::Changed { only_names: false },
                change => change,
            };
            tests.insert(id.clone(), OldTest { before, change });
        }
    };
    note(&old.unknown, Before::Unknown);
    note(&old.skipped, Before::Skipped);
    note(&old.failed, Before::Failed);
    note(&old.passed, Before::Passed);
    note(&old.flaky, Before::Passed);
    tests
}

fn change_of(
    id: &str,
    file: Option<&String>,
    grounds: &Grounds<'_>,
    moves: &Moves,
    names: &moves::Names,
) -> Change {
    let file = file.map(String::as_str);
    if let Some((to, name)) = moves.target(file, id) {
        return match same_case(grounds, id, to, name) {
            Some(target) if file.is_none_or(|file| file == to) => Change::Renamed(target),
            Some(target) => Change::Moved(target),
            None => Change::Removed,
        };
    }
    let rewritten = moves.rewritten(file, id);
    if let Some(target) = rewritten.and_then(|(to, name)| same_case(grounds, id, to, name)) {
        return Change::Rewritten(target);
    }
    let mut parts =
        asked_parts(grounds).filter(|part| file.is_none_or(|file| part.change.path == file));
    let found = parts.find_map(|part| change_in(part, id, file.is_some(), names));
    found.unwrap_or(Change::Same)
}

/// The test of a name that has the parameters of another one.
fn same_case(grounds: &Grounds<'_>, id: &str, file: &str, name: &str) -> Option<String> {
    let whole = grounds.whole?;
    let mut all = whole.passed.iter().chain(&whole.failed).filter(|other| {
        whole.files.get(*other).is_none_or(|own| own == file)
            && moves::names(other, name)
            && parameters(other) == parameters(id)
    });
    all.next().cloned()
}

/// What a part does to a test; none if nothing.
fn change_in(part: &Part, id: &str, is_own_file: bool, names: &moves::Names) -> Option<Change> {
    let tests = part.tests()?;
    let has = |tests: &[Test]| tests.iter().any(|test| moves::names(id, &test.name));
    if has(&tests.removed) {
        return Some(Change::Removed);
    }
    if let Some(test) = tests
        .changed
        .iter()
        .find(|test| moves::names(id, &test.name))
    {
        let only_names = differs_by_names(part, test, names);
        return Some(Change::Changed { only_names });
    }
    if is_own_file && part.change.after.is_none() {
        return Some(Change::Removed);
    }
    if is_own_file && is_shadowed(part, id, &tests.added) {
        return Some(Change::Changed { only_names: false });
    }
    // Helpers and fixtures of its file; what only grows leaves it as it was.
    let helpers = is_own_file && tests.other && !part.only_adds_tests();
    helpers.then_some(Change::Changed { only_names: false })
}

/// Whether another test of its name comes into its file, which may take its place.
fn is_shadowed(part: &Part, id: &str, added: &[Test]) -> bool {
    let before = part.old.as_ref().map(Code::tests).unwrap_or_default();
    let stood = |test: &Test| {
        let mut before = before.iter();
        before.any(|old| old.name == test.name && old.path == test.path)
    };
    let mut added = added.iter();
    added.any(|test| moves::names(id, &test.name) && stood(test))
}

fn differs_by_names(part: &Part, test: &Test, names: &moves::Names) -> bool {
    let (Some(old), Some(new)) = (&part.old, &part.new) else {
        return false;
    };
    let same_place = |other: &&Test| other.name == test.name && other.path == test.path;
    let before = old.tests();
    let Some(before) = before.iter().find(same_place) else {
        return false;
    };
    let (old, new) = (text_of(old, before), text_of(new, test));
    is_same(&old, &new, &test.name, &test.name, names)
}

/// Names that the source declared before and does not any more.
fn removed_names(parts: &Parts) -> BTreeSet<String> {
    let source = || {
        parts.parts.iter().filter(|part| match part.kind {
            PartKind::Source { .. } => true,
            PartKind::Tests(_)
            | PartKind::AroundTests { .. }
            | PartKind::Dependencies
            | PartKind::Other
            | PartKind::Docs => false,
        })
    };
    let names = |code: Option<&Code>| code.map(languages::declared_names).unwrap_or_default();
    let before: BTreeSet<String> = source().flat_map(|part| names(part.old.as_ref())).collect();
    let after: BTreeSet<String> = source().flat_map(|part| names(part.new.as_ref())).collect();
    let gone_files = source().filter(|part| part.change.after.is_none());
    let stems = gone_files.filter_map(|part| {
        let path = part.change.path.to_string();
        let name = path.rsplit('/').next()?.split('.').next()?.to_owned();
        Some(name)
    });
    before.difference(&after).cloned().chain(stems).collect()
}

/// The old tests that a range does something to.
pub(super) enum Suspicious {
    /// It leaves all of them alone.
    Nothing,
    /// It changes or takes out these, as the runner is told of them.
    These(Selection),
    /// It changes what any of them may use: data, helpers in files of their own.
    All,
}

/// The old tests that a range does something to.
pub(super) fn suspicious(parts: &Parts, left_out: &LeftOut) -> Suspicious {
    let mut tests = Vec::new();
    let parts = parts.parts.iter().filter(|part| !part.layout);
    for part in parts.filter(|part| !left_out.has_path(&part.change.path.to_string())) {
        if is_changed_data(part) {
            return Suspicious::All;
        }
        let Some(change) = part.tests() else { continue };
        let file = Some(part.change.path.to_string());
        let wanted = |test: &Test| Wanted {
            id: String::new(),
            file: file.clone(),
            name: test.name.clone(),
            path: test.path.clone(),
        };
        let helpers = change.other && !part.only_adds_tests() && part.change.before.is_some();
        match helpers {
            true => tests.push(Wanted {
                id: String::new(),
                file,
                name: String::new(),
                path: Vec::new(),
            }),
            false => tests.extend(change.changed.iter().chain(&change.removed).map(wanted)),
        }
    }
    match tests.is_empty() {
        true => Suspicious::Nothing,
        false => Suspicious::These(Selection { tests }),
    }
}

/// Data and helpers that the old tests had.
fn is_changed_data(part: &Part) -> bool {
    matches!(part.kind, PartKind::AroundTests { harness: false }) && part.change.before.is_some()
}
