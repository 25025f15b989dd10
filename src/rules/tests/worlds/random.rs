//! Any world at all: what no answer may make the rules do.

use proptest::prelude::*;

use super::super::decision::{Commit, Keep, KeepReason, Label, Move, Scope, TakeBack, Why};
use super::super::patience::{Patience, with_patience};
use super::super::plain;
use super::*;

fn cause() -> impl Strategy<Value = Cause> {
    prop_oneof![
        Just(Cause::Error),
        Just(Cause::Stub),
        Just(Cause::Assertion)
    ]
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        6 => Just(Fate::Passes),
        1 => Just(Fate::FailsOnce),
        3 => cause().prop_map(Fate::Fails),
        1 => Just(Fate::Skips),
        1 => Just(Fate::CutOff),
        1 => Just(Fate::Hangs),
        1 => Just(Fate::NotThere),
    ]
}

fn gone() -> impl Strategy<Value = Gone> {
    prop_oneof![Just(Gone::Missing), Just(Gone::Removed), Just(Gone::Moved)]
}

fn test() -> impl Strategy<Value = Test> {
    let fates = prop::collection::vec(fate(), Tree::ALL.len());
    let wild = (any::<bool>(), any::<bool>(), gone(), fates);
    let wild = wild.prop_map(|(touched, is_remembered, gone, fates)| Test {
        touched,
        is_remembered,
        gone,
        fates: Tree::ALL.into_iter().zip(fates).collect(),
    });
    // Most tests of a real suite pass and go on passing.
    let tame = Test {
        touched: false,
        is_remembered: true,
        gone: Gone::Missing,
        fates: Tree::ALL.map(|tree| (tree, Fate::Passes)).into(),
    };
    prop_oneof![2 => wild, 1 => Just(tame)]
}

fn no_answer() -> impl Strategy<Value = NoAnswer> {
    prop_oneof![
        Just(NoAnswer::NoLab),
        Just(NoAnswer::NoTime),
        Just(NoAnswer::Broken),
        Just(NoAnswer::Void),
        Just(NoAnswer::NotHollow),
    ]
}

fn load() -> impl Strategy<Value = Load> {
    prop_oneof![
        12 => Just(Load::Loads),
        4 => (any::<bool>(), any::<bool>()).prop_map(|(parses, missing_package)| {
            Load::Unloadable { parses, missing_package }
        }),
        1 => no_answer().prop_map(Load::Nothing),
        1 => Just(Load::BeyondTests),
        1 => any::<bool>().prop_map(|confirmed| Load::Unnamed { confirmed }),
    ]
}

fn changed() -> impl Strategy<Value = Changed> {
    let tests = prop_oneof![
        Just(TestsPart::Same),
        Just(TestsPart::Changed),
        Just(TestsPart::Added),
    ];
    let source = prop_oneof![
        2 => Just(SourceKind::Same),
        1 => Just(SourceKind::Declares),
        1 => Just(SourceKind::Stub),
        1 => Just(SourceKind::NoGrammar),
        3 => Just(SourceKind::Code),
    ];
    let bits = (any::<bool>(), any::<bool>(), any::<bool>());
    (tests, source, bits).prop_map(|(tests, source, (other, layout, docs))| Changed {
        tests,
        source,
        other,
        layout,
        docs,
    })
}

/// Some of the tests, by one bit each.
fn some_of(tests: &BTreeMap<TestId, Test>, bits: u32) -> BTreeSet<TestId> {
    let chosen = tests.keys().enumerate();
    let chosen = chosen.filter(|(at, _)| bits >> at & 1 == 1);
    chosen.map(|(_, id)| id.clone()).collect()
}

fn world() -> impl Strategy<Value = World> {
    let phase = prop::sample::select(Phase::ALL.to_vec());
    let cycle = prop_oneof![3 => Just(CycleKind::Free), 1 => Just(CycleKind::Spec)];
    let needs = prop_oneof![
        3 => Just(RedNeeds::Error),
        1 => Just(RedNeeds::Stub),
        1 => Just(RedNeeds::Assertion),
    ];
    let bits = any::<[bool; 7]>();
    let tests = prop::collection::vec(test(), 0..8);
    let loads = prop::collection::vec(load(), Tree::ALL.len());
    let sets = any::<[u32; 3]>();
    (phase, cycle, needs, bits, changed(), tests, loads, sets).prop_map(
        |(phase, cycle, red_needs, bits, changed, tests, loads, sets)| {
            let named = tests.into_iter().enumerate();
            let mut tests: BTreeMap<TestId, Test> = named
                .map(|(at, test)| (format!("test_{at}"), test))
                .collect();
            for test in tests.values_mut() {
                test.touched &= changed.tests != TestsPart::Same;
            }
            World {
                phase,
                cycle,
                changed,
                red_needs,
                can_aim: bits[0],
                tests_name_what_is_new: bits[5],
                suite_is_quick: bits[6],
                has_plain_tests: bits[1],
                has_lab: bits[2] || bits[3],
                is_settling: bits[4],
                tests_came_along: bits[6] && bits[4],
                awaited: match phase {
                    Phase::Green => some_of(&tests, sets[0]),
                    Phase::Red if cycle == CycleKind::Spec => some_of(&tests, sets[0]),
                    Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => BTreeSet::new(),
                },
                known: some_of(&tests, sets[1] & sets[2]),
                failing_since_fork: some_of(&tests, sets[2] & !sets[1]),
                loads: Tree::ALL.into_iter().zip(loads).collect(),
                tests,
            }
        },
    )
}

/// Plays the step and what is left of it; the decisions, each with the world it was made in.
fn round(mut world: World, patience: Patience) -> Vec<(World, Played, Decision)> {
    let mut made = Vec::new();
    let mut patience = patience;
    loop {
        let played = world.play();
        let (decision, spent) = with_patience(played.decision.clone(), patience, world.phase);
        patience.spent = spent;
        made.push((world.clone(), played, decision.clone()));
        assert!(made.len() < 10, "a round without end: {made:?}");
        match decision {
            Decision::Commit(commit) => {
                follow(&mut world, &commit);
                let ends = commit.label == Label::Red && world.cycle == CycleKind::Spec;
                if ends || world.changed == Changed::NOTHING {
                    return made;
                }
            }
            Decision::Keep(_) | Decision::TakeBack(_) | Decision::Nothing | Decision::Await(_) => {
                return made;
            }
        }
    }
}

fn follow(world: &mut World, commit: &Commit) {
    match commit.next {
        Move::Stay => {}
        Move::ToGreen => world.phase = Phase::Green,
        Move::NextCycle => world.phase = Phase::Red,
    }
    if let Some(awaited) = &commit.awaited {
        world.awaited = awaited.clone();
    }
    match commit.label {
        Label::Docs => world.changed.docs = false,
        Label::Red
        | Label::Test
        | Label::Green { .. }
        | Label::Declared
        | Label::Refactor
        | Label::Chore
        | Label::Tcr => {
            let tree = world.tree(commit.tree);
            world.accept(tree);
        }
    }
}

/// The tests of a run that speak against calling it green.
fn against(world: &World, answer: &Answer) -> Vec<TestId> {
    let failing = answer.tests.iter().filter(|(id, fact)| match fact.outcome {
        Outcome::Failed(_) => !world.awaited.contains(*id) && !world.known.contains(*id),
        Outcome::Unknown | Outcome::Hung => true,
        Outcome::Passed | Outcome::Flaky | Outcome::Skipped => false,
    });
    failing.map(|(id, _)| id.clone()).collect()
}

fn check_commit(world: &World, played: &Played, commit: &Commit) {
    if commit.label == Label::Docs {
        assert!(world.changed.docs && !world.changed.needs_judgement());
        return;
    }
    let answer = &played.answers[&commit.tree];
    let Said::Tests {
        beyond_tests,
        confirmed,
        fails_unnamed,
    } = answer.said
    else {
        panic!("commits what did not run: {commit:?}");
    };
    match commit.label {
        Label::Red => {
            let awaited = commit.awaited.as_ref().expect("a red is awaited");
            let failed = |id: &TestId| match answer.tests.get(id).map(|fact| fact.outcome) {
                Some(Outcome::Failed(cause)) => world.red_needs.accepts(cause),
                Some(
                    Outcome::Passed
                    | Outcome::Flaky
                    | Outcome::Skipped
                    | Outcome::Unknown
                    | Outcome::Hung,
                )
                | None => false,
            };
            assert!((fails_unnamed && confirmed) || awaited.iter().any(failed));
            assert_ne!(world.changed.tests, TestsPart::Same);
        }
        Label::Test
        | Label::Green { .. }
        | Label::Declared
        | Label::Refactor
        | Label::Chore
        | Label::Tcr => {
            assert!(!beyond_tests && !fails_unnamed);
            assert_eq!(against(world, answer), Vec::<TestId>::new(), "{commit:?}");
        }
        Label::Docs => {}
    }
    if let (Label::Green { .. }, Some(left)) = (commit.label, &commit.awaited) {
        assert!(left.len() < world.awaited.len() || world.awaited.is_empty());
    }
}

fn check_taken_back(world: &World, played: &Played, taken: TakeBack) {
    match taken.why {
        Why::Frozen => {
            assert_eq!((world.phase, taken.scope), (Phase::Green, Scope::Tests));
            assert_ne!(world.changed.tests, TestsPart::Same, "nothing of its own");
        }
        Why::Unasked => {
            assert_eq!((world.phase, taken.scope), (Phase::Red, Scope::Source));
            assert_eq!(world.changed.source, SourceKind::Code);
            assert_eq!(world.changed.tests, TestsPart::Same);
        }
        Why::Patience => {
            let Decision::Keep(Keep { why, counted }) = played.decision else {
                panic!("out of patience with {:?}", played.decision);
            };
            assert!(counted);
            match why {
                KeepReason::RedStill | KeepReason::Lost | KeepReason::BeyondTests => {}
                other => panic!("out of patience for {other:?}"),
            }
            match taken.scope {
                Scope::AllButTests => assert_ne!(world.phase, Phase::Refactor),
                Scope::Step => assert_eq!(world.phase, Phase::Refactor),
                Scope::Tests | Scope::Source => panic!("out of patience with a part"),
            }
        }
    }
    if world.phase == Phase::Green {
        match taken.scope {
            Scope::Tests => assert_eq!(taken.why, Why::Frozen),
            Scope::AllButTests => {}
            Scope::Source | Scope::Step => panic!("{taken:?} in green"),
        }
    }
}

/// Something that had passed did fall: not to be run is not to be lost.
fn check_lost(world: &World, played: &Played) {
    let fell = |id: &TestId, fact: &TestFact| {
        let passed = match &world.tests[id].fates[&Tree::Accepted] {
            Fate::Passes | Fate::FailsOnce => true,
            Fate::Fails(_) | Fate::Skips | Fate::CutOff | Fate::Hangs | Fate::NotThere => false,
        };
        let falls = matches!(fact.outcome, Outcome::Failed(_) | Outcome::Skipped);
        passed && falls && fact.before != Before::Failed
    };
    let is_lost = played.answers.values().any(|answer| {
        let gone = answer.gone.values().any(|gone| *gone != Gone::Moved);
        gone || answer.tests.iter().any(|(id, fact)| fell(id, fact))
    });
    assert!(is_lost, "nothing was lost");
}

fn check(world: &World, played: &Played, decision: &Decision) {
    assert!(
        played.suites <= step::MOST_SUITES,
        "{} suites",
        played.suites
    );
    match decision {
        Decision::Commit(commit) => check_commit(world, played, commit),
        Decision::TakeBack(taken) => check_taken_back(world, played, *taken),
        Decision::Keep(kept) => {
            if kept.why == KeepReason::Lost {
                check_lost(world, played);
            }
        }
        Decision::Nothing => {}
        Decision::Await(tests) => assert_eq!(tests, &world.failing_since_fork),
    }
    let limits = Patience {
        limit: 0,
        spent: 0,
        counts: false,
    };
    let (uncounted, _) = with_patience(played.decision.clone(), limits, world.phase);
    assert_eq!(uncounted, played.decision, "nothing counts");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_world_makes_the_rules_break_their_word(
        world in world(),
        limit in 0_u64..3,
        spent in 0_u64..3,
        counts in any::<bool>(),
    ) {
        let patience = Patience { limit, spent, counts };
        for (world, played, decision) in round(world, patience) {
            check(&world, &played, &decision);
        }
    }

    #[test]
    fn strict_tcr_commits_nothing_red_and_takes_back_only_what_failed(world in world()) {
        let played = world.play_by(plain::commit_or_take_back);
        prop_assert!(played.suites <= 2);
        let whole = played.answers.get(&Experiment::Whole);
        match &played.decision {
            Decision::Commit(commit) => check_commit(&world, &played, commit),
            Decision::TakeBack(_) => {
                let whole = whole.expect("it ran");
                let ran = matches!(whole.said, Said::Tests { .. });
                prop_assert!(ran, "it did not run");
                let fell = |fact: &TestFact| matches!(fact.outcome, Outcome::Failed(_) | Outcome::Skipped);
                let is_red = matches!(world.loads[&Tree::Whole], Load::BeyondTests | Load::Unnamed { .. });
                prop_assert!(is_red || !whole.gone.is_empty() || whole.tests.values().any(fell));
            }
            Decision::Keep(kept) => prop_assert!(!kept.counted),
            Decision::Nothing => prop_assert!(!world.changed.needs_judgement()),
            Decision::Await(_) => prop_assert!(false, "nothing is awaited"),
        }
    }

    #[test]
    fn results_alone_take_nothing_back(world in world()) {
        let played = world.play_by(plain::results_only);
        match &played.decision {
            Decision::Commit(commit) => check_commit(&world, &played, commit),
            Decision::Keep(kept) => prop_assert!(!kept.counted),
            Decision::Nothing => prop_assert!(!world.changed.needs_judgement()),
            Decision::Await(_) | Decision::TakeBack(_) => prop_assert!(false, "{played:?}"),
        }
    }
}
