//! Wild worlds, where every answer is any answer: what none of them may make the rules do.

use proptest::prelude::*;

use super::super::super::answer::{Before, NoAnswer};
use super::super::super::facts::Form;
use super::super::asking::{Look, look};
use super::*;
use crate::rules::Cause;

/// Numbers that look like chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    fn one_in(&mut self, most: u64) -> bool {
        self.below(most) == 0
    }

    fn end(&mut self) -> End {
        match self.below(10) {
            0 => End::Flaky,
            1 => End::Failed(Cause::Error),
            2 | 3 => End::Failed(Cause::Assertion),
            4 => End::CantLoad,
            5 => End::Skipped,
            6 => End::Unknown,
            _ => End::Passed,
        }
    }

    fn why(&mut self) -> NoAnswer {
        match self.below(5) {
            0 => NoAnswer::NoLab,
            1 => NoAnswer::NoTime,
            2 => NoAnswer::Broken,
            3 => NoAnswer::Void,
            _ => NoAnswer::NotHollow,
        }
    }

    fn change(&mut self) -> Change {
        match self.below(7) {
            0 => Change::Same,
            1 => Change::Changed { only_names: true },
            2 => Change::Moved(self.test()),
            3 => Change::Renamed(self.test()),
            4 => Change::Removed,
            5 => Change::Rewritten(self.test()),
            _ => Change::Changed { only_names: false },
        }
    }

    fn before(&mut self) -> Before {
        match self.below(8) {
            0 => Before::Unknown,
            1 => Before::Failed,
            2 => Before::Skipped,
            3 => Before::Absent,
            _ => Before::Passed,
        }
    }

    fn test(&mut self) -> TestId {
        format!("test_{}", self.below(8))
    }

    fn tests(&mut self, most: u64) -> BTreeSet<TestId> {
        let count = self.below(most);
        (0..count).map(|_| self.test()).collect()
    }

    fn known(&mut self) -> Known {
        let claims = (0..self.below(4)).map(|number| Claim {
            of: match number {
                0 => Whose::Range,
                number => Whose::Cycle(number),
            },
            tests: self.tests(4),
            declares_only: self.one_in(8),
        });
        let claims: Vec<Claim> = claims.collect();
        let old = (0..self.below(8)).map(|_| {
            let (before, change) = (self.before(), self.change());
            (self.test(), OldTest { before, change })
        });
        let old = old.collect();
        let functions = 1..=u32::try_from(self.below(7)).expect("small");
        Known {
            touched: claims
                .iter()
                .flat_map(|claim| claim.tests.clone())
                .collect(),
            claims,
            old,
            knows_old: self.one_in(2),
            functions: functions.map(function).collect(),
            harness: self.one_in(3),
            names_library: self.one_in(3),
            acts: self.one_in(3),
            switched_off: BTreeSet::new(),
            values: self.one_in(3),
            unreadable: self.one_in(5),
            can: Can {
                name_tests: !self.one_in(8),
                aim: !self.one_in(3),
            },
            control: self.one_in(2).then(|| Control {
                number: 99,
                tests: self.tests(3),
            }),
        }
    }

    fn answer(&mut self, ask: &Ask, has_lab: bool) -> Answer {
        let is_whole = ask.question == Question::Whole;
        if !has_lab && !is_whole {
            return Answer::nothing(NoAnswer::NoLab);
        }
        if self.one_in(8) {
            return Answer::nothing(self.why());
        }
        let mut answer = tests_said(BTreeMap::new(), BTreeSet::new());
        if self.one_in(10) {
            answer.said = Said::Unloadable {
                parses: true,
                missing_package: self.one_in(2),
            };
            return answer;
        }
        let is_calm = is_whole || self.one_in(2);
        for at in 0..8 {
            let passes = is_calm && !self.one_in(20);
            let end = if passes { End::Passed } else { self.end() };
            let shows = ask.hollow.iter().copied();
            let ran = Ran {
                end,
                shows: shows.filter(|_| self.one_in(4)).collect(),
                misses_removed_names: self.one_in(4),
            };
            if !self.one_in(12) {
                answer.tests.insert(format!("test_{at}"), ran);
            }
        }
        let hollowed = ask.hollow.iter().copied();
        answer.hollowed = hollowed.filter(|_| !self.one_in(8)).collect();
        answer
    }
}

/// Every accusation rests on an answer.
fn check_reasons(known: &Known, report: &Report, answers: &BTreeMap<Question, Answer>) {
    let says = |question: Question, id: &TestId| {
        let answer = answers.get(&question);
        answer.map_or(Look::NotRun, |answer| look(answer, id))
    };
    for claim in &known.claims {
        if let Some(Proof::Unproven(tests)) = report.claims.get(&claim.of) {
            let passes = |id: &TestId| {
                let forms = [Form::Empty, Form::NotImplemented];
                says(Question::TestsAlone, id) == Look::Passed
                    || says(Question::Spared, id) == Look::Passed
                    || forms
                        .iter()
                        .any(|form| says(Question::Hollow(*form), id) == Look::Passed)
            };
            assert!(
                tests.iter().all(passes),
                "unproven without a run that passes"
            );
        }
    }
    for (id, fate) in &report.old_tests {
        match fate {
            Fate::Removed | Fate::RemovedWithItsCode | Fate::Weakened | Fate::Respecified => {
                let old = says(Question::OldTests, id);
                assert_eq!(old.gap().filter(|gap| *gap != Gap::CantLoad), None, "{id}");
            }
            Fate::Moved(_) | Fate::Renamed | Fate::Kept | Fate::Unknown(_) => {}
        }
    }
    for number in report.untested() {
        let passed = answers.iter().any(|(question, answer)| {
            matches!(question, Question::Needed { wide: true, .. })
                && answer.hollowed.contains(&number)
                && answer
                    .tests
                    .values()
                    .any(|ran| look_at(ran) == Look::Passed)
        });
        assert!(passed, "untested without a suite that passes");
    }
    if let Whole::NotGreen(_) = report.whole {
        let whole = &answers[&Question::Whole];
        assert!(!matches!(whole.said, Said::Nothing(_)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_world_makes_the_way_out_break_its_word(seed in 1_u64.., has_lab in any::<bool>()) {
        let mut chance = Chance(seed);
        let known = chance.known();
        let (report, answers) = known.play(|ask| chance.answer(ask, has_lab));
        check_reasons(&known, &report, &answers);
        if !has_lab && !matches!(report.whole, Whole::NotGreen(_)) {
            prop_assert_eq!(report.refusals(STRICT), []);
            prop_assert_eq!(report.trailers().weakened + report.trailers().removed, 0);
        }
    }
}
