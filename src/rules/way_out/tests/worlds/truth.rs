//! True worlds, where every answer follows from what the tests call and check: honest work, and code
//! that no test needs.

use proptest::prelude::*;

use super::super::super::answer::{Before, NoAnswer};
use super::super::super::facts::Form;
use super::*;
use crate::rules::Cause;

/// What a test does with the functions of the range.
#[derive(Debug, Clone)]
struct TrueTest {
    /// The functions that it calls, in this order.
    calls: Vec<Number>,
    /// It notices if one of them says nothing.
    checks: bool,
    /// Its failure shows what it ran into.
    shows: bool,
    /// It can be loaded without the range's source.
    loads_alone: bool,
}

/// A range where answers follow from what the tests do.
#[derive(Debug, Clone)]
struct TrueWorld {
    known: Known,
    tests: BTreeMap<TestId, TrueTest>,
    has_lab: bool,
}

impl TrueWorld {
    fn answer(&self, ask: &Ask) -> Answer {
        let all: BTreeSet<Number> = self.known.functions.iter().map(|f| f.number).collect();
        let in_lab = ask.question != Question::Whole;
        if in_lab && !self.has_lab {
            return Answer::nothing(NoAnswer::NoLab);
        }
        let (hollow, form) = match ask.question {
            Question::Whole | Question::Before | Question::OldTests | Question::Unchanged(_) => {
                return self.run(ask, |_| ran(End::Passed), BTreeSet::new());
            }
            Question::TestsAlone => {
                return self.run(ask, |test| test.alone(), BTreeSet::new());
            }
            Question::Hollow(form) => (all, form),
            Question::BothEmpty(_) | Question::Spared => (all, Form::Empty),
            Question::Needed { form, .. } => (ask.hollow.clone(), form),
            Question::Control => {
                return self.run(ask, |_| ran(End::Failed(Cause::Stub)), ask.hollow.clone());
            }
        };
        self.run(ask, |test| test.hollow(&hollow, form), hollow.clone())
    }

    fn run(&self, ask: &Ask, end: impl Fn(&TrueTest) -> Ran, hollowed: BTreeSet<Number>) -> Answer {
        let is_asked = |id: &TestId| match &ask.aim {
            Aim::Suite => true,
            Aim::Tests(tests) => tests.contains(id) || !self.known.can.aim,
        };
        let tests = self.tests.iter().filter(|(id, _)| is_asked(id));
        let tests = tests.map(|(id, test)| (id.clone(), end(test)));
        tests_said(tests.collect(), hollowed)
    }
}

impl TrueTest {
    fn alone(&self) -> Ran {
        ran(match (self.loads_alone, self.calls.is_empty()) {
            (false, _) => End::CantLoad,
            (true, false) => End::Failed(Cause::Error),
            (true, true) => End::Passed,
        })
    }

    fn hollow(&self, hollow: &BTreeSet<Number>, form: Form) -> Ran {
        let Some(first) = self.calls.iter().find(|number| hollow.contains(number)) else {
            return ran(End::Passed);
        };
        match form {
            Form::Empty if self.checks => ran(End::Failed(Cause::Assertion)),
            Form::Empty => ran(End::Passed),
            Form::NotImplemented => Ran {
                shows: self.shows.then_some(*first).into_iter().collect(),
                ..ran(End::Failed(Cause::Stub))
            },
        }
    }
}

/// How a true world is made.
#[derive(Debug, Clone)]
struct Plan {
    functions: u32,
    claims: Vec<Whose>,
    checks: bool,
    shows: bool,
    loads_alone: bool,
    can_aim: bool,
    has_lab: bool,
    names_library: bool,
    acts: bool,
    has_control: bool,
}

fn plan() -> impl Strategy<Value = Plan> {
    let claims = prop_oneof![
        Just(vec![Whose::Range]),
        (1_u64..4).prop_map(|most| (1..=most).map(Whose::Cycle).collect()),
    ];
    let bits = any::<[bool; 8]>();
    (1_u32..5, claims, bits).prop_map(|(functions, claims, bits)| Plan {
        functions,
        claims,
        checks: bits[0] || bits[1],
        shows: bits[2] || bits[3],
        loads_alone: bits[4],
        can_aim: bits[5] || bits[0],
        has_lab: bits[6] || bits[7],
        names_library: bits[1] && bits[0],
        acts: bits[2] != bits[4],
        has_control: bits[3],
    })
}

impl Plan {
    /// One test per claim, which calls some of the functions; together they call all, or none.
    fn world(&self, calls_any: bool) -> TrueWorld {
        let claims = self.claims.iter().enumerate();
        let mut tests = BTreeMap::from([("old".to_owned(), self.test(Vec::new(), true))]);
        let made = claims.map(|(at, whose)| {
            let id = format!("new_{at}");
            let share = self.claims.len();
            let mine = |number: &Number| {
                let number = usize::try_from(*number).expect("small");
                calls_any && (number % share == at || self.functions < 4)
            };
            let calls = (1..=self.functions).filter(mine).collect();
            tests.insert(id.clone(), self.test(calls, self.loads_alone));
            Claim {
                of: *whose,
                tests: BTreeSet::from([id]),
                declares_only: false,
            }
        });
        let claims: Vec<Claim> = made.collect();
        let same = OldTest {
            before: Before::Passed,
            change: Change::Same,
        };
        let known = Known {
            touched: claims
                .iter()
                .flat_map(|claim| claim.tests.clone())
                .collect(),
            claims,
            old: BTreeMap::from([("old".to_owned(), same)]),
            knows_old: true,
            functions: (1..=self.functions).map(function).collect(),
            harness: false,
            names_library: self.names_library,
            acts: self.acts,
            switched_off: BTreeSet::new(),
            values: false,
            unreadable: false,
            can: Can {
                name_tests: true,
                aim: self.can_aim,
            },
            control: self.has_control.then(|| Control {
                number: 99,
                tests: BTreeSet::from(["old".to_owned()]),
            }),
        };
        TrueWorld {
            known,
            tests,
            has_lab: self.has_lab,
        }
    }

    fn test(&self, calls: Vec<Number>, loads_alone: bool) -> TrueTest {
        TrueTest {
            calls,
            checks: self.checks,
            shows: self.shows,
            loads_alone,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn honest_work_is_proven_and_nobody_accused(plan in plan()) {
        // Where it costs too much to ask, source that knows the test library is not believed.
        prop_assume!(plan.checks || plan.can_aim || !plan.names_library);
        let world = plan.world(true);
        let (report, _) = world.known.play(|ask| world.answer(ask));
        prop_assert_eq!(report.refusals(STRICT), []);
        // What a test calls and does not check is wanting.
        let is_wanting = report.ending() == Ending::Wanting;
        prop_assert!(!is_wanting || !plan.checks);
        let trailers = report.trailers();
        prop_assert_eq!((trailers.weakened, trailers.removed, trailers.untested), (0, 0, 0));
        let proven = report.claims.values().all(|proof| matches!(proof, Proof::Proven { .. }));
        prop_assert!(proven || !plan.has_lab, "{}", told::report(&report));
        if plan.has_lab && plan.can_aim {
            let known = |need: &Need| match need {
                Need::Needed(_) => true,
                Need::CalledNotChecked(_) => !plan.checks,
                Need::Untested | Need::Unknown(_) => false,
            };
            prop_assert!(report.functions.values().all(known), "{}", told::report(&report));
        }
    }

    #[test]
    fn code_that_no_test_needs_never_gets_through_unnamed(plan in plan()) {
        let world = plan.world(false);
        let (report, _) = world.known.play(|ask| world.answer(ask));
        prop_assert_ne!(report.ending(), Ending::Proven);
        for proof in report.claims.values() {
            let is_named = matches!(proof, Proof::Unproven(_) | Proof::Unknown(_));
            prop_assert!(is_named, "{}", told::report(&report));
        }
        for need in report.functions.values() {
            let is_named = matches!(need, Need::Untested | Need::Unknown(_));
            prop_assert!(is_named, "{}", told::report(&report));
        }
        if plan.has_lab && plan.can_aim {
            prop_assert!(!report.refusals(STRICT).is_empty());
        }
    }
}
