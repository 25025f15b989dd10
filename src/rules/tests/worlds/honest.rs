//! Honest worlds, in any order of edits: a test that fails without the source, or can't load without
//! it and fails where its bodies are hollow, and passes with it. And worlds whose source no test
//! needs.

use proptest::prelude::*;

use super::super::decision::{Label, Move, Scope, Why};
use super::super::patience::{Patience, with_patience};
use super::*;

/// How much of the source is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    None,
    Hollow(Form),
    Half,
    Full,
}

/// A tree: are the tests in it, and how much of the source?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct At {
    tests: bool,
    source: Level,
}

/// The order in which tests and source are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    TestFirst,
    StubFirst,
    TestThenStub,
    Together,
    HalfTogether,
    ByHalves,
}

impl Order {
    const ALL: [Order; 6] = [
        Order::TestFirst,
        Order::StubFirst,
        Order::TestThenStub,
        Order::Together,
        Order::HalfTogether,
        Order::ByHalves,
    ];

    fn edits(self, stub: Form) -> Vec<At> {
        let at = |tests, source| At { tests, source };
        let full = at(true, Level::Full);
        let stub = Level::Hollow(stub);
        match self {
            Order::TestFirst => vec![at(true, Level::None), full],
            Order::StubFirst => vec![at(false, stub), at(true, stub), full],
            Order::TestThenStub => vec![at(true, Level::None), at(true, stub), full],
            Order::Together => vec![full],
            Order::HalfTogether => vec![at(true, Level::Half), full],
            Order::ByHalves => vec![at(true, Level::None), at(true, Level::Half), full],
        }
    }

    /// Whether it goes through without a lab: the test fails before the code is there.
    fn is_plain(self, loads_alone: bool) -> bool {
        match self {
            Order::StubFirst | Order::TestThenStub => true,
            Order::TestFirst | Order::ByHalves => loads_alone,
            Order::Together | Order::HalfTogether => false,
        }
    }
}

/// What is true of a piece of work, whatever the order.
#[derive(Debug, Clone)]
struct Work {
    order: Order,
    phase: Phase,
    cycle: CycleKind,
    /// The tests can be loaded without the source.
    loads_alone: bool,
    /// They see the difference between an empty value and the right one.
    empty_fails: bool,
    stub: Form,
    has_grammar: bool,
    /// How many tests it has; one of them existed and is changed.
    new_tests: usize,
    changes_one: bool,
    has_flaky: bool,
    has_forgotten: bool,
    can_aim: bool,
    tests_name_what_is_new: bool,
    suite_is_quick: bool,
    has_plain_tests: bool,
    has_lab: bool,
}

/// The work, and where it stands.
struct Desk {
    work: Work,
    phase: Phase,
    awaited: BTreeSet<TestId>,
    accepted: At,
    worktree: At,
    patience: Patience,
    came_along: bool,
}

impl Work {
    fn is_possible(&self) -> bool {
        let lab = self.has_lab || self.order.is_plain(self.loads_alone);
        // A stub that passes is no failing test yet.
        let stub = self.empty_fails || self.stub == Form::NotImplemented;
        let readable = self.has_grammar
            || self.loads_alone
            || matches!(self.order, Order::StubFirst | Order::TestThenStub);
        // Without aim each of these costs the suite, and five are the most.
        let suites = usize::from(self.has_flaky)
            + 2 * usize::from(self.has_forgotten)
            + 2 * usize::from(!self.loads_alone && !self.empty_fails)
            + usize::from(self.changes_one);
        let cheap = self.can_aim || suites <= 2;
        let phase = self.cycle == CycleKind::Free || self.phase == Phase::Red;
        // The second half needs a test of its own.
        let halves = match self.order {
            Order::HalfTogether | Order::ByHalves => self.new_tests > 1,
            Order::TestFirst | Order::StubFirst | Order::TestThenStub | Order::Together => true,
        };
        // Who changes what a test says is not refactoring.
        let is_respecified = self.phase == Phase::Refactor && self.changes_one;
        lab && stub && readable && cheap && phase && halves && !is_respecified
    }

    fn fate(&self, at: At, nth: usize) -> Fate {
        let is_old = nth == 0 && self.changes_one;
        match (at.tests, at.source) {
            (false, _) if is_old => Fate::Passes,
            (false, _) => Fate::NotThere,
            (true, Level::None) => Fate::Fails(Cause::Assertion),
            (true, Level::Hollow(Form::NotImplemented)) => Fate::Fails(Cause::Stub),
            (true, Level::Hollow(Form::Empty)) if self.empty_fails => Fate::Fails(Cause::Assertion),
            (true, Level::Hollow(Form::Empty)) => Fate::Passes,
            (true, Level::Half) if nth > 0 => Fate::Fails(Cause::Error),
            (true, Level::Half | Level::Full) => Fate::Passes,
        }
    }

    fn load(&self, at: At) -> Load {
        if at.tests && at.source == Level::None && !self.loads_alone {
            return Load::Unloadable {
                parses: true,
                missing_package: false,
            };
        }
        Load::Loads
    }

    fn source_kind(&self, from: Level, to: Level) -> SourceKind {
        if from == to {
            return SourceKind::Same;
        }
        match (self.has_grammar, from, to) {
            (false, _, _) => SourceKind::NoGrammar,
            (true, Level::None, Level::Hollow(_)) => SourceKind::Stub,
            (true, _, _) => SourceKind::Code,
        }
    }
}

impl Desk {
    fn new(work: &Work) -> Desk {
        let before = At {
            tests: false,
            source: Level::None,
        };
        let awaited: &[&str] = match work.phase {
            Phase::Green => &["earlier"],
            Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => &[],
        };
        Desk {
            work: work.clone(),
            phase: work.phase,
            awaited: awaited.iter().map(|id| (*id).to_owned()).collect(),
            accepted: before,
            worktree: before,
            patience: Patience {
                limit: 5,
                spent: 0,
                counts: true,
            },
            came_along: false,
        }
    }

    fn tree(&self, tree: Tree) -> At {
        let hollow = |form| match self.accepted.source {
            Level::None => Level::Hollow(form),
            there @ (Level::Hollow(_) | Level::Half | Level::Full) => there,
        };
        let source = match tree {
            Tree::Accepted => return self.accepted,
            Tree::Whole => return self.worktree,
            Tree::Alone => self.accepted.source,
            Tree::Empty => hollow(Form::Empty),
            Tree::NotImplemented => hollow(Form::NotImplemented),
        };
        At {
            tests: self.worktree.tests,
            source,
        }
    }

    /// The same in every tree.
    fn steady(fate: Fate) -> Test {
        Test {
            touched: false,
            is_remembered: true,
            gone: Gone::Missing,
            fates: Tree::ALL.map(|tree| (tree, fate)).into(),
        }
    }

    fn tests(&self) -> BTreeMap<TestId, Test> {
        let mut tests = BTreeMap::from([
            ("old".to_owned(), Desk::steady(Fate::Passes)),
            ("known".to_owned(), Desk::steady(Fate::Fails(Cause::Error))),
        ]);
        if self.work.has_flaky {
            let mut flaky = Desk::steady(Fate::Passes);
            flaky.fates.insert(Tree::Whole, Fate::FailsOnce);
            tests.insert("flaky".to_owned(), flaky);
        }
        if self.work.has_forgotten {
            let mut forgotten = Desk::steady(Fate::Passes);
            forgotten.is_remembered = false;
            forgotten.fates.insert(Tree::Whole, Fate::FailsOnce);
            tests.insert("forgotten".to_owned(), forgotten);
        }
        if self.work.phase == Phase::Green {
            let fate = |at: At| match at.source {
                Level::Full => Fate::Passes,
                Level::None | Level::Hollow(_) | Level::Half => Fate::Fails(Cause::Assertion),
            };
            tests.insert("earlier".to_owned(), self.test(false, fate));
        }
        for nth in 0..self.work.new_tests {
            let touched = self.worktree.tests != self.accepted.tests;
            let test = self.test(touched, |at| self.work.fate(at, nth));
            tests.insert(format!("new_{nth}"), test);
        }
        tests
    }

    fn test(&self, touched: bool, fate: impl Fn(At) -> Fate) -> Test {
        Test {
            touched,
            is_remembered: true,
            gone: Gone::Missing,
            fates: Tree::ALL
                .map(|tree| (tree, fate(self.tree(tree))))
                .into_iter()
                .collect(),
        }
    }

    fn world(&self) -> World {
        let work = &self.work;
        let tests = match (self.worktree.tests, self.accepted.tests) {
            (true, false) => TestsPart::Added,
            (true, true) | (false, _) => TestsPart::Same,
        };
        let load = |tree| (tree, work.load(self.tree(tree)));
        World {
            phase: self.phase,
            cycle: work.cycle,
            changed: Changed {
                tests,
                source: work.source_kind(self.accepted.source, self.worktree.source),
                ..Changed::NOTHING
            },
            red_needs: RedNeeds::Error,
            can_aim: work.can_aim,
            tests_name_what_is_new: work.tests_name_what_is_new,
            suite_is_quick: work.suite_is_quick,
            has_plain_tests: work.has_plain_tests,
            has_lab: work.has_lab,
            is_settling: false,
            tests_came_along: self.came_along,
            awaited: self.awaited.clone(),
            known: BTreeSet::from(["known".to_owned()]),
            failing_since_fork: BTreeSet::new(),
            loads: Tree::ALL.map(load).into(),
            tests: self.tests(),
        }
    }

    /// One judgement and what is left after its commits. Says what was taken back.
    fn judge(&mut self) -> Option<(Why, Scope)> {
        self.came_along = false;
        loop {
            let world = self.world();
            let played = world.play();
            assert!(played.suites <= step::MOST_SUITES);
            let (decision, spent) = with_patience(played.decision, self.patience, self.phase);
            self.patience.spent = spent;
            let commit = match decision {
                Decision::Commit(commit) => commit,
                Decision::TakeBack(taken) => return Some((taken.why, taken.scope)),
                Decision::Keep(_) | Decision::Nothing | Decision::Await(_) => return None,
            };
            self.accepted = self.tree(world.tree(commit.tree));
            self.came_along = true;
            self.awaited = commit.awaited.unwrap_or_else(|| self.awaited.clone());
            self.phase = match commit.next {
                Move::Stay => self.phase,
                Move::ToGreen => Phase::Green,
                Move::NextCycle => Phase::Red,
            };
            if commit.label == Label::Red && self.work.cycle == CycleKind::Spec {
                // A red ends the round; a freeze comes before what is left.
                self.phase = Phase::Green;
                return None;
            }
        }
    }
}

fn work() -> impl Strategy<Value = Work> {
    let order = prop::sample::select(Order::ALL.to_vec());
    let phase = prop_oneof![
        3 => Just(Phase::Red),
        1 => Just(Phase::Refactor),
        1 => Just(Phase::Green),
    ];
    let cycle = prop_oneof![3 => Just(CycleKind::Free), 1 => Just(CycleKind::Spec)];
    let stub = prop_oneof![Just(Form::Empty), Just(Form::NotImplemented)];
    let bits = any::<[bool; 11]>();
    (order, phase, cycle, stub, 1_usize..4, bits).prop_map(
        |(order, phase, cycle, stub, new_tests, bits)| Work {
            order,
            phase,
            cycle,
            loads_alone: bits[0],
            empty_fails: bits[1],
            stub,
            has_grammar: bits[2] || bits[3],
            new_tests,
            changes_one: bits[4],
            has_flaky: bits[5],
            has_forgotten: bits[6],
            can_aim: bits[7],
            tests_name_what_is_new: bits[9],
            suite_is_quick: bits[10],
            has_plain_tests: bits[8],
            has_lab: bits[2] || bits[4],
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn honest_work_ends_committed_whatever_the_order(work in work()) {
        prop_assume!(work.is_possible());
        let mut desk = Desk::new(&work);
        for edit in work.order.edits(work.stub) {
            desk.worktree = edit;
            let phase = desk.phase;
            prop_assert_eq!(desk.judge(), None);
            // What was left for a freeze is judged after it.
            if phase != desk.phase && work.cycle == CycleKind::Spec {
                prop_assert_eq!(desk.judge(), None);
            }
        }
        prop_assert_eq!(desk.accepted, desk.worktree);
        prop_assert_eq!(desk.awaited, BTreeSet::new());
    }

    #[test]
    fn source_that_no_test_needs_is_never_committed(
        work in work(),
        with_tests in any::<bool>(),
        judgements in 1_usize..8,
    ) {
        let source = if work.has_grammar { SourceKind::Code } else { SourceKind::NoGrammar };
        let mut desk = Desk::new(&work);
        desk.worktree = At { tests: with_tests, source: Level::Full };
        for _ in 0..judgements {
            let mut world = desk.world();
            // The tests pass whatever the source says; only loading may need it.
            for (id, test) in &mut world.tests {
                if id.starts_with("new") {
                    let there = |tree: &Tree| *tree != Tree::Accepted || desk.accepted.tests;
                    test.fates = Tree::ALL
                        .map(|tree| (tree, if there(&tree) { Fate::Passes } else { Fate::NotThere }))
                        .into();
                }
                if id == "earlier" {
                    test.fates = Tree::ALL.map(|tree| (tree, Fate::Fails(Cause::Assertion))).into();
                }
            }
            prop_assert!(matches!(world.changed.source, kind if kind == source));
            if let Decision::Commit(commit) = world.play().decision {
                let tree = world.tree(commit.tree);
                let is_free = commit.label == Label::Refactor && desk.phase == Phase::Refactor;
                prop_assert!(is_free || tree == Tree::Alone, "{commit:?}");
                if is_free {
                    break;
                }
                desk.accepted.tests |= with_tests;
                desk.came_along = true;
            }
        }
    }
}
