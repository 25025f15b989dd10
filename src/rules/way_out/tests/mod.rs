//! Every sentence of the way out as a table: what is known × what the experiments say → what was
//! asked, and what was found out.

use super::super::answer::{Before, NoAnswer, Said, TestId};
use super::super::facts::Form;
use super::*;
use crate::rules::Cause;

const WHOLE: Question = Question::Whole;
const BEFORE: Question = Question::Before;
const ALONE: Question = Question::TestsAlone;
const EMPTY: Question = Question::Hollow(Form::Empty);
const NOT_IMPLEMENTED: Question = Question::Hollow(Form::NotImplemented);
const OLD: Question = Question::OldTests;
const OLD_EMPTY: Question = Question::BothEmpty(Version::Old);
const NEW_EMPTY: Question = Question::BothEmpty(Version::New);
const CONTROL: Question = Question::Control;
const SPARED: Question = Question::Spared;
const NOW: Question = Question::Unchanged(Version::New);
const THEN: Question = Question::Unchanged(Version::Old);

const PASSES: End = End::Passed;
const FAILS: End = End::Failed(Cause::Assertion);
const STUB: End = End::Failed(Cause::Stub);

fn narrow(round: u32) -> Question {
    needed(round, Form::NotImplemented, false)
}

fn wide(round: u32) -> Question {
    needed(round, Form::NotImplemented, true)
}

fn empty_round(round: u32) -> Question {
    needed(round, Form::Empty, false)
}

fn empty_wide(round: u32) -> Question {
    needed(round, Form::Empty, true)
}

fn needed(round: u32, form: Form, wide: bool) -> Question {
    Question::Needed { round, form, wide }
}

/// A test that ended so, and shows these numbers.
type Line = (&'static str, End, &'static [Number]);

fn hollow(lines: &[Line], hollowed: &[Number]) -> Answer {
    let line = |(id, end, shows): &Line| {
        let ran = Ran {
            end: *end,
            shows: shows.iter().copied().collect(),
            misses_removed_names: false,
        };
        ((*id).to_owned(), ran)
    };
    Answer {
        said: Said::Tests {
            beyond_tests: false,
            confirmed: true,
            fails_unnamed: false,
        },
        tests: lines.iter().map(line).collect(),
        hollowed: hollowed.iter().copied().collect(),
    }
}

fn ran(lines: &[(&'static str, End)]) -> Answer {
    let lines: Vec<Line> = lines.iter().map(|(id, end)| (*id, *end, &[][..])).collect();
    hollow(&lines, &[])
}

fn misses_removed(id: &'static str, end: End) -> Answer {
    let mut answer = ran(&[(id, end)]);
    answer
        .tests
        .get_mut(id)
        .expect("it ran")
        .misses_removed_names = true;
    answer
}

fn cant_load(missing_package: bool) -> Answer {
    let mut answer = ran(&[]);
    answer.said = Said::Unloadable {
        parses: true,
        missing_package,
    };
    answer
}

fn fails_beyond_names(beyond_tests: bool) -> Answer {
    let mut answer = ran(&[("old", PASSES)]);
    answer.said = Said::Tests {
        beyond_tests,
        confirmed: true,
        fails_unnamed: !beyond_tests,
    };
    answer
}

fn none(why: NoAnswer) -> Answer {
    Answer::nothing(why)
}

/// What is known before anything is asked.
#[derive(Clone)]
struct Given {
    claims: Vec<Claim>,
    old: BTreeMap<TestId, OldTest>,
    touched: BTreeSet<TestId>,
    functions: Vec<Function>,
    known: BTreeSet<TestId>,
    knows_old: bool,
    harness: bool,
    names_library: bool,
    acts: bool,
    switched_off: BTreeSet<TestId>,
    values: bool,
    unreadable: bool,
    can: Can,
    control: Option<Control>,
}

fn nothing() -> Given {
    Given {
        claims: Vec::new(),
        old: BTreeMap::new(),
        touched: BTreeSet::new(),
        functions: Vec::new(),
        known: BTreeSet::from(["known".to_owned()]),
        knows_old: true,
        harness: false,
        names_library: false,
        acts: false,
        switched_off: BTreeSet::new(),
        values: false,
        unreadable: false,
        can: Can {
            name_tests: true,
            aim: true,
        },
        control: None,
    }
}

fn set(tests: &[&str]) -> BTreeSet<TestId> {
    tests.iter().map(|id| (*id).to_owned()).collect()
}

/// A claim of these tests.
fn claim(of: Whose, tests: &[&str]) -> Given {
    nothing().with(|given| {
        given.touched.extend(set(tests));
        given.claims.push(Claim {
            of,
            tests: set(tests),
            declares_only: false,
        });
    })
}

fn cycle(tests: &[&str]) -> Given {
    claim(Whose::Cycle(1), tests)
}

/// A test named `old` that passed, and what the range does to it.
fn changed(change: Change) -> Given {
    was(Before::Passed, change)
}

fn was(before: Before, change: Change) -> Given {
    nothing().with(|given| {
        given
            .old
            .insert("old".to_owned(), OldTest { before, change });
    })
}

/// A changed test, and functions with these numbers.
fn functions(numbers: &[Number]) -> Given {
    nothing().with(|given| {
        given.touched.insert("new".to_owned());
        given.functions = numbers
            .iter()
            .map(|number| function(*number, Body::Code))
            .collect();
    })
}

fn function(number: Number, body: Body) -> Function {
    Function {
        number,
        path: "src/lib.py".to_owned(),
        line: 1,
        name: format!("f{number}"),
        body,
    }
}

const TEXT: Change = Change::Changed { only_names: false };
const NAMES: Change = Change::Changed { only_names: true };

impl Given {
    fn with(mut self, change: impl FnOnce(&mut Given)) -> Given {
        change(&mut self);
        self
    }

    fn range<'a>(&'a self, answers: &'a BTreeMap<Question, Answer>) -> Range<'a> {
        Range {
            claims: &self.claims,
            old_tests: &self.old,
            knows_old_results: self.knows_old,
            touched: &self.touched,
            functions: &self.functions,
            known_failures: &self.known,
            harness_changed: self.harness,
            source_names_test_library: self.names_library,
            acts_at_load: self.acts,
            switched_off: &self.switched_off,
            values_changed: self.values,
            has_unreadable_source: self.unreadable,
            can: self.can,
            control: self.control.as_ref(),
            answers,
        }
    }

    /// Answers what is asked; nothing else may be asked, and nothing less.
    fn found(&self, said: &[(Question, Answer)]) -> (Report, Vec<Ask>) {
        let mut answers = BTreeMap::new();
        let mut asks = Vec::new();
        let report = loop {
            match next(&self.range(&answers)) {
                Next::Ask(ask) => {
                    let found = said.iter().find(|(which, _)| *which == ask.question);
                    let (_, answer) =
                        found.unwrap_or_else(|| panic!("asked {}", told::question(ask.question)));
                    answers.insert(ask.question, answer.clone());
                    asks.push(ask);
                }
                Next::Done(report) => break report,
            }
        };
        let asked: Vec<String> = asks
            .iter()
            .map(|ask| told::question(ask.question))
            .collect();
        let expected: Vec<String> = said
            .iter()
            .map(|(which, _)| told::question(*which))
            .collect();
        assert_eq!(asked, expected, "{}", told::report(&report));
        (report, asks)
    }

    fn ends(&self, said: &[(Question, Answer)], expected: &str) {
        let (report, _) = self.found(said);
        assert_eq!(told::report(&report), expected);
    }
}

/// Tables of one name: what is given, what the experiments say in the order in which they are asked,
/// and what is found out.
macro_rules! rows {
    ($($name:ident { $($given:expr, [$($question:expr => $answer:expr),* $(,)?] => $end:expr;)* })*) => {
        $(#[test]
        fn $name() {
            $($given.ends(&[$(($question, $answer)),*], $end);)*
        })*
    };
}

/// The final tree, where everything passes.
fn works() -> Answer {
    ran(&[("new", PASSES), ("old", PASSES), ("other", PASSES)])
}

/// The same without `old`.
fn without_old() -> Answer {
    ran(&[("new", PASSES), ("other", PASSES)])
}

fn moved() -> Change {
    Change::Moved("new".to_owned())
}

fn renamed() -> Change {
    Change::Renamed("new".to_owned())
}

fn rewritten() -> Change {
    Change::Rewritten("new".to_owned())
}

mod needed;
mod old_tests;
mod proof;
mod report;
