//! What a squashed history proves: every commit was recorded when it was made, every green came
//! after a red that failed, and the tests stayed as they were between the two.

use super::verdict::Verdict;

/// One commit of a squashed history, beside what was recorded of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProofStep {
    /// Its `TCR-Phase`; none if somebody else made it.
    pub label: Option<String>,
    /// Its `TCR-Verdict`.
    pub verdict: Option<String>,
    /// It only declares: nothing had to ask for it.
    pub declared: bool,
    /// The tests that it makes pass failed already when they were awaited: no red brought them.
    pub failed_before: bool,
    /// What the journal says.
    pub record: Option<Record>,
    /// What its note says.
    pub note: NoteState,
    /// Tests and harness that it changed, by path.
    pub tests_changed: Vec<String>,
}

/// What the journal says of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// What it was called.
    pub label: Option<String>,
    /// What the tests said.
    pub verdict: Option<Verdict>,
    /// How many of them failed, where they were counted.
    pub failed: Option<usize>,
}

/// A note beside what it should say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NoteState {
    /// There is none.
    #[default]
    Missing,
    /// It says what the journal says.
    Same,
    /// It says something else.
    Differs,
}

/// What is wrong with a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The journal does not know it.
    NotRecorded,
    /// The journal calls it something else, or has another result.
    RecordDiffers,
    /// Its note is gone.
    NoteMissing,
    /// Its note was edited.
    NoteDiffers,
    /// A red whose tests did not fail.
    RedDidNotFail,
    /// A green whose tests did not pass.
    GreenDidNotPass,
    /// A green that no red asked for.
    GreenWithoutRed,
    /// Tests changed between red and green.
    TestsChanged(Vec<String>),
    /// A person changed tests between red and green: worth a look.
    TestsChangedByHand(Vec<String>),
}

impl Flaw {
    /// Whether it is worth a look, and no more.
    pub fn is_remark(&self) -> bool {
        matches!(self, Flaw::TestsChangedByHand(_))
    }
}

/// Looks at a history, oldest first; flaws come with the place of their commit.
pub fn flaws(steps: &[ProofStep]) -> Vec<(usize, Flaw)> {
    let mut found = Vec::new();
    let mut red_is_open = false;
    let mut unrecorded_by_hand: Option<usize> = None;
    for (at, step) in steps.iter().enumerate() {
        let Some(label) = &step.label else {
            // Of several commits by hand in a row the journal knows the last.
            let is_recorded = step.record.is_some();
            unrecorded_by_hand = (!is_recorded).then(|| unrecorded_by_hand.unwrap_or(at));
            if red_is_open && !step.tests_changed.is_empty() {
                let tests = step.tests_changed.clone();
                found.push((at, Flaw::TestsChangedByHand(tests)));
            }
            continue;
        };
        if let Some(at) = unrecorded_by_hand.take() {
            found.push((at, Flaw::NotRecorded));
        }
        found.extend(of_record(step, label).map(|flaw| (at, flaw)));
        match label.as_str() {
            "red" => red_is_open = true,
            "green" => {
                if !red_is_open && !step.declared && !step.failed_before {
                    found.push((at, Flaw::GreenWithoutRed));
                }
                if !step.tests_changed.is_empty() && !step.declared {
                    found.push((at, Flaw::TestsChanged(step.tests_changed.clone())));
                }
                let is_partial = step.verdict.as_deref() == Some("red");
                red_is_open = red_is_open && is_partial;
            }
            "by-hand" if red_is_open && !step.tests_changed.is_empty() => {
                let tests = step.tests_changed.clone();
                found.push((at, Flaw::TestsChangedByHand(tests)));
            }
            _ => {}
        }
    }
    found.extend(unrecorded_by_hand.map(|at| (at, Flaw::NotRecorded)));
    found.sort_by_key(|(at, _)| *at);
    found
}

/// What is wrong between a commit and what was recorded of it.
fn of_record(step: &ProofStep, label: &str) -> impl Iterator<Item = Flaw> {
    let Some(record) = &step.record else {
        return vec![Flaw::NotRecorded].into_iter();
    };
    let mut flaws = Vec::new();
    let says_label = record.label.as_deref().is_none_or(|known| known == label);
    let says_verdict = match (&step.verdict, record.verdict) {
        (Some(claimed), Some(known)) => claimed == known.name(),
        _ => true,
    };
    if !says_label || !says_verdict {
        flaws.push(Flaw::RecordDiffers);
    }
    match step.note {
        NoteState::Missing => flaws.push(Flaw::NoteMissing),
        NoteState::Differs => flaws.push(Flaw::NoteDiffers),
        NoteState::Same => {}
    }
    // A run of some tests that die of errors is no valid red of the suite, and a red all the same.
    let did_not_fail = match record.verdict {
        Some(Verdict::Red | Verdict::Broken) => record.failed == Some(0),
        Some(Verdict::Green) | None => true,
    };
    let did_not_pass = match record.verdict {
        Some(Verdict::Green) => false,
        // Some of the tests of the red may still fail.
        Some(Verdict::Red) => step.verdict.as_deref() != Some("red"),
        Some(Verdict::Broken) | None => true,
    };
    match label {
        "red" if did_not_fail => flaws.push(Flaw::RedDidNotFail),
        "green" if did_not_pass => flaws.push(Flaw::GreenDidNotPass),
        _ => {}
    }
    flaws.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(label: &str) -> ProofStep {
        let verdict = match label {
            "red" => Verdict::Red,
            _ => Verdict::Green,
        };
        ProofStep {
            label: Some(label.into()),
            verdict: Some(verdict.name().into()),
            record: Some(Record {
                label: Some(label.into()),
                verdict: Some(verdict),
                failed: Some(usize::from(label == "red")),
            }),
            note: NoteState::Same,
            ..ProofStep::default()
        }
    }

    fn by_hand(recorded: bool) -> ProofStep {
        ProofStep {
            record: recorded.then(Record::default),
            ..ProofStep::default()
        }
    }

    /// The history with one of its commits changed.
    fn with(at: usize, change: impl Fn(&mut ProofStep)) -> Vec<(usize, Flaw)> {
        let mut steps = vec![step("red"), step("green"), step("refactor")];
        change(&mut steps[at]);
        flaws(&steps)
    }

    #[test]
    fn an_honest_history_has_no_flaw() {
        assert_eq!(with(0, |_| {}), []);
        let steps = [
            step("baseline"),
            by_hand(false),
            by_hand(true),
            step("red"),
            step("green"),
            step("sync"),
        ];
        assert_eq!(flaws(&steps), []);
    }

    #[test]
    fn tests_that_failed_already_ask_for_their_green() {
        let mut green = step("green");
        green.failed_before = true;
        assert_eq!(flaws(&[green]), []);
    }

    #[test]
    fn every_flaw_is_found() {
        let unlike = |label: &str| {
            Some(Record {
                label: Some(label.into()),
                ..Record::default()
            })
        };
        assert_eq!(with(2, |s| s.record = None), [(2, Flaw::NotRecorded)]);
        assert_eq!(
            with(2, |s| s.record = unlike("tcr")),
            [(2, Flaw::RecordDiffers)]
        );
        assert_eq!(
            with(2, |s| s.note = NoteState::Differs),
            [(2, Flaw::NoteDiffers)]
        );
        assert_eq!(
            with(2, |s| s.note = NoteState::Missing),
            [(2, Flaw::NoteMissing)]
        );
        assert_eq!(
            with(2, |s| s.verdict = Some("red".into())),
            [(2, Flaw::RecordDiffers)]
        );
        let tests = || vec!["tests/a".to_owned()];
        assert_eq!(
            with(1, |s| s.tests_changed = tests()),
            [(1, Flaw::TestsChanged(tests()))]
        );
        assert_eq!(with(2, |s| s.tests_changed = tests()), []);
        assert_eq!(with(0, |s| *s = step("test")), [(1, Flaw::GreenWithoutRed)]);
        let never_failed = with(0, |s| {
            s.verdict = None;
            s.record = Some(Record {
                label: Some("red".into()),
                verdict: Some(Verdict::Green),
                failed: Some(0),
            });
        });
        assert_eq!(never_failed, [(0, Flaw::RedDidNotFail)]);
        let never_passed = with(1, |s| {
            s.verdict = None;
            s.record = Some(Record {
                label: Some("green".into()),
                verdict: Some(Verdict::Red),
                failed: Some(1),
            });
        });
        assert_eq!(never_passed, [(1, Flaw::GreenDidNotPass)]);
        assert_eq!(flaws(&[by_hand(false)]), [(0, Flaw::NotRecorded)]);
        assert_eq!(
            flaws(&[by_hand(false), step("red")]),
            [(0, Flaw::NotRecorded)]
        );
    }

    #[test]
    fn tests_changed_by_hand_are_worth_a_look() {
        let edit = ProofStep {
            tests_changed: vec!["t".into()],
            ..by_hand(true)
        };
        let found = flaws(&[step("red"), edit.clone(), step("green")]);
        assert_eq!(found, [(1, Flaw::TestsChangedByHand(vec!["t".into()]))]);
        assert!(found[0].1.is_remark());
        assert_eq!(flaws(&[edit, step("red"), step("green")]), []);
    }

    #[test]
    fn a_green_may_come_in_parts() {
        let mut part = step("green");
        part.verdict = Some("red".into());
        part.record = Some(Record {
            label: Some("green".into()),
            verdict: Some(Verdict::Red),
            failed: Some(1),
        });
        assert_eq!(flaws(&[step("red"), part, step("green")]), []);
    }
}
