//! Worlds to play against the way out: what is known of a range, and somebody who answers.

mod stories;
mod truth;
mod wild;

use super::super::answer::{Said, TestId};
use super::asking::cost;
use super::*;

/// What is known of a range, whoever answers.
#[derive(Debug, Clone)]
struct Known {
    claims: Vec<Claim>,
    old: BTreeMap<TestId, OldTest>,
    knows_old: bool,
    touched: BTreeSet<TestId>,
    functions: Vec<Function>,
    harness: bool,
    names_library: bool,
    acts: bool,
    switched_off: BTreeSet<TestId>,
    values: bool,
    unreadable: bool,
    can: Can,
    control: Option<Control>,
}

impl Known {
    fn range<'a>(
        &'a self,
        known_failures: &'a BTreeSet<TestId>,
        answers: &'a BTreeMap<Question, Answer>,
    ) -> Range<'a> {
        Range {
            claims: &self.claims,
            old_tests: &self.old,
            knows_old_results: self.knows_old,
            touched: &self.touched,
            functions: &self.functions,
            known_failures,
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

    /// Answers what is asked; holds the bounds while it does.
    fn play(&self, mut answer: impl FnMut(&Ask) -> Answer) -> (Report, BTreeMap<Question, Answer>) {
        let known_failures = BTreeSet::new();
        let mut answers = BTreeMap::new();
        let mut suites = 0;
        loop {
            let range = self.range(&known_failures, &answers);
            let asked = next(&range);
            assert_eq!(asked, next(&range), "the same facts, the same answer");
            match asked {
                Next::Ask(ask) => {
                    let said = answer(&ask);
                    let ran = !matches!(said.said, Said::Nothing(_));
                    suites += cost(&range, ask.question) * usize::from(ran);
                    assert!(suites <= MOST_SUITES, "{suites} suites");
                    let was = answers.insert(ask.question, said);
                    assert_eq!(was, None, "asked twice");
                }
                Next::Done(report) => {
                    let rounds = answers.keys();
                    let rounds = rounds.filter(|which| matches!(which, Question::Needed { .. }));
                    let most = usize::try_from(MOST_ROUNDS + 1).expect("small");
                    assert!(rounds.count() <= most);
                    return (report, answers);
                }
            }
        }
    }
}

fn function(number: Number) -> Function {
    Function {
        number,
        path: "src/lib.py".to_owned(),
        line: number,
        name: format!("f{number}"),
        body: Body::Code,
    }
}

fn tests_said(tests: BTreeMap<TestId, Ran>, hollowed: BTreeSet<Number>) -> Answer {
    Answer {
        said: Said::Tests {
            beyond_tests: false,
            confirmed: true,
            fails_unnamed: false,
        },
        tests,
        hollowed,
    }
}

fn ran(end: End) -> Ran {
    Ran {
        end,
        shows: BTreeSet::new(),
        misses_removed_names: false,
    }
}

const STRICT: Terms = Terms {
    accepts_unproven: false,
    blocks_untested: true,
};
