//! Asking within bounds, and looking up what an answer says of one test.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::super::answer::{NoAnswer, Said, TestId};
use super::facts::{Aim, Answer, Ask, End, Number, Question, Ran, Range};
use super::report::Gap;

/// The way out costs at most this many runs of the suite.
pub const MOST_SUITES: usize = 4;

/// What was found out, or the question that has to be answered first.
pub(super) type Row<T> = Result<T, Ask>;

/// What an answer says of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Passed,
    Failed,
    CantLoad,
    NotRun,
    Nothing(NoAnswer),
}

impl Look {
    /// Without the step's source there is nothing to run: it does not load, or has no place.
    pub(super) fn needs_source(self) -> bool {
        matches!(self, Look::CantLoad | Look::Nothing(NoAnswer::NotHollow))
    }

    /// Why it says neither yes nor no; none if it does.
    pub(super) fn gap(self) -> Option<Gap> {
        match self {
            Look::Passed | Look::Failed => None,
            Look::CantLoad => Some(Gap::CantLoad),
            Look::NotRun => Some(Gap::NotRun),
            Look::Nothing(why) => Some(Gap::NoAnswer(why)),
        }
    }
}

/// The answer to a question about some tests; a question about none is not asked.
pub(super) fn ask_about<'r>(
    range: &'r Range<'_>,
    question: Question,
    tests: &BTreeSet<TestId>,
) -> Row<Cow<'r, Answer>> {
    if tests.is_empty() {
        return Ok(Cow::Owned(Answer::nothing(NoAnswer::Broken)));
    }
    ask(range, question, Aim::Tests(tests.clone()), &BTreeSet::new())
}

/// The answer to a question. One that does not fit into the bound has none.
pub(super) fn ask<'r>(
    range: &'r Range<'_>,
    question: Question,
    aim: Aim,
    hollow: &BTreeSet<Number>,
) -> Row<Cow<'r, Answer>> {
    if let Some(answer) = range.answers.get(&question) {
        return Ok(Cow::Borrowed(answer));
    }
    if spent(range) + cost(range, question) > MOST_SUITES {
        return Ok(Cow::Owned(Answer::nothing(NoAnswer::NoTime)));
    }
    Err(Ask {
        question,
        aim,
        hollow: hollow.clone(),
    })
}

fn spent(range: &Range<'_>) -> usize {
    let ran = range
        .answers
        .iter()
        .filter(|(_, answer)| match answer.said {
            Said::Nothing(NoAnswer::NoLab | NoAnswer::NotHollow) => false,
            Said::Nothing(NoAnswer::NoTime | NoAnswer::Broken | NoAnswer::Void)
            | Said::Tests { .. }
            | Said::Unloadable { .. } => true,
        });
    ran.map(|(question, _)| cost(range, *question)).sum()
}

/// How many runs of the suite a question costs.
pub(super) fn cost(range: &Range<'_>, question: Question) -> usize {
    let is_suite = match question {
        Question::Whole => true,
        Question::OldTests => range.harness_changed,
        Question::Needed { wide, .. } => wide,
        Question::Before
        | Question::TestsAlone
        | Question::Hollow(_)
        | Question::Spared
        | Question::Unchanged(_)
        | Question::BothEmpty(_)
        | Question::Control => false,
    };
    usize::from(is_suite || !range.can.aim)
}

/// What an answer says of a test.
pub(super) fn look(answer: &Answer, id: &TestId) -> Look {
    match (answer.said, answer.tests.get(id)) {
        (Said::Nothing(why), _) => Look::Nothing(why),
        (Said::Tests { .. } | Said::Unloadable { .. }, Some(ran)) => look_at(ran),
        (Said::Unloadable { .. }, None) => Look::CantLoad,
        (Said::Tests { .. }, None) => Look::NotRun,
    }
}

/// How a test of a run ended, as far as the way out is concerned.
pub(super) fn look_at(ran: &Ran) -> Look {
    match ran.end {
        End::Passed | End::Flaky => Look::Passed,
        End::Failed(_) => Look::Failed,
        End::CantLoad => Look::CantLoad,
        End::Skipped | End::Unknown => Look::NotRun,
    }
}

/// Whether a failing test misses names that the source removed.
pub(super) fn misses_removed_names(answer: &Answer, id: &TestId) -> bool {
    let ran = answer.tests.get(id);
    ran.is_some_and(|ran| ran.misses_removed_names)
}

/// The tests of which an answer says this.
pub(super) fn those(
    tests: &BTreeSet<TestId>,
    answer: &Answer,
    wanted: impl Fn(Look) -> bool,
) -> BTreeSet<TestId> {
    let those = tests.iter().filter(|id| wanted(look(answer, id)));
    those.cloned().collect()
}
