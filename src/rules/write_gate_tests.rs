use super::*;

impl GateState {
    /// The start of every free cycle.
    pub(in crate::rules) const FREE_RED: GateState = GateState {
        mode: Mode::Both,
        phase: Phase::Red,
        cycle: CycleKind::Free,
        oracle: Oracle::None,
        in_force: true,
        test_bug_open: false,
        waived: false,
        project_unlocked: true,
    };
}

const CHANGES: [Change; 11] = [
    Change::Unknown,
    Change::Content,
    Change::Stub,
    Change::NewSnapshot,
    parts(TestPart::Same, SourcePart::Stub),
    parts(TestPart::Same, SourcePart::Changed),
    parts(TestPart::Layout, SourcePart::Same),
    parts(TestPart::Added, SourcePart::Same),
    parts(TestPart::Changed, SourcePart::Same),
    parts(TestPart::Changed, SourcePart::Stub),
    parts(TestPart::Changed, SourcePart::Changed),
];

const fn parts(tests: TestPart, source: SourcePart) -> Change {
    Change::Parts { tests, source }
}

/// Everything the rules can be asked about in a mode.
fn every_state(mode: Mode) -> impl Iterator<Item = GateState> {
    let flags = |bits: u8| {
        let on = move |bit: u8| bits & (1 << bit) != 0;
        (on(0), on(1), on(2), on(3))
    };
    Phase::ALL.into_iter().flat_map(move |phase| {
        [CycleKind::Free, CycleKind::Spec]
            .into_iter()
            .flat_map(move |cycle| {
                [Oracle::None, Oracle::Frozen, Oracle::Drifted]
                    .into_iter()
                    .flat_map(move |oracle| {
                        (0..16).map(move |bits| {
                            let (in_force, test_bug_open, waived, project_unlocked) = flags(bits);
                            GateState {
                                mode,
                                phase,
                                cycle,
                                oracle,
                                in_force,
                                test_bug_open,
                                waived,
                                project_unlocked,
                            }
                        })
                    })
            })
    })
}

/// One letter per class, in the order of `PathClass::ALL`: `A`llow, `D`eny.
fn row(state: &GateState, change: Change) -> String {
    PathClass::ALL
        .into_iter()
        .map(
            |class| match decide_write(state, class, change).objection() {
                None => 'A',
                Some(_) => 'D',
            },
        )
        .collect()
}

/// (phase, oracle, row) of a change whose content is known and no stub.
type Table = [(Phase, Oracle, &'static str)];

// The classes:                      protected, spec, harness, test, mixed, source, docs, other
const FREE: &Table = &[
    (Phase::Plan, Oracle::None, "DADDDDAA"),
    (Phase::Red, Oracle::None, "DDAADDAA"),
    (Phase::Green, Oracle::None, "DDDDDAAA"),
    (Phase::Refactor, Oracle::None, "DDAAAAAA"),
    (Phase::Done, Oracle::None, "DAAAAAAA"),
];
const SPEC: &Table = &[
    (Phase::Plan, Oracle::None, "DADDDDAA"),
    (Phase::Red, Oracle::None, "DDAADDAA"),
    (Phase::Green, Oracle::Frozen, "DDDDDAAA"),
    (Phase::Green, Oracle::Drifted, "DDDDDDAA"),
    (Phase::Refactor, Oracle::Frozen, "DDDDDAAA"),
    (Phase::Refactor, Oracle::Drifted, "DDDDDDAA"),
    (Phase::Done, Oracle::Frozen, "DAAAAAAA"),
    (Phase::Done, Oracle::Drifted, "DAAAAAAA"),
];
const TCR: &Table = &[
    (Phase::Plan, Oracle::None, "DAAAAAAA"),
    (Phase::Red, Oracle::None, "DAAAAAAA"),
    (Phase::Green, Oracle::None, "DAAAAAAA"),
    (Phase::Refactor, Oracle::None, "DAAAAAAA"),
    (Phase::Done, Oracle::None, "DAAAAAAA"),
    (Phase::Green, Oracle::Frozen, "DDDDDAAA"),
    (Phase::Green, Oracle::Drifted, "DDDDDDAA"),
    (Phase::Refactor, Oracle::Frozen, "DDDDDAAA"),
    (Phase::Done, Oracle::Frozen, "DAAAAAAA"),
];

#[test]
fn every_phase_class_mode_and_cycle() {
    for mode in Mode::ALL {
        for cycle in [CycleKind::Free, CycleKind::Spec] {
            let table = match (mode, cycle) {
                (Mode::Both | Mode::Tdd | Mode::Relaxed | Mode::Observe, CycleKind::Free) => FREE,
                (Mode::Both | Mode::Tdd | Mode::Relaxed | Mode::Observe, CycleKind::Spec) => SPEC,
                (Mode::Tcr | Mode::Off, _) => TCR,
            };
            for (phase, oracle, expected) in table {
                let state = GateState {
                    mode,
                    phase: *phase,
                    cycle,
                    oracle: *oracle,
                    ..GateState::FREE_RED
                };
                let expected = if mode == Mode::Off {
                    "DAAAAAAA"
                } else {
                    expected
                };
                assert_eq!(row(&state, Change::Content), expected, "{state:?}");
            }
        }
    }
}

#[test]
fn observe_denies_nothing_and_says_what_it_would() {
    for state in every_state(Mode::Observe) {
        for class in PathClass::ALL {
            for change in CHANGES {
                let seen = decide_write(&state, class, change);
                let both = decide_write(
                    &GateState {
                        mode: Mode::Both,
                        ..state
                    },
                    class,
                    change,
                );
                assert_eq!(
                    seen,
                    GateDecision::Allow {
                        would_deny: both.objection()
                    }
                );
            }
        }
    }
}

#[test]
fn the_gating_modes_gate_alike() {
    for mode in [Mode::Tdd, Mode::Relaxed] {
        for state in every_state(mode) {
            for class in PathClass::ALL {
                for change in CHANGES {
                    let both = GateState {
                        mode: Mode::Both,
                        ..state
                    };
                    assert_eq!(
                        decide_write(&state, class, change),
                        decide_write(&both, class, change)
                    );
                }
            }
        }
    }
}

#[test]
fn what_holds_in_every_state() {
    for state in Mode::ALL.into_iter().flat_map(every_state) {
        for change in CHANGES {
            let decide = |class| decide_write(&state, class, change);
            assert_eq!(
                decide(PathClass::Protected).objection(),
                Some(DenyReason::Protected)
            );
            assert_eq!(decide(PathClass::Docs), GateDecision::ALLOW);
            assert_eq!(decide(PathClass::Other), GateDecision::ALLOW);
            if !state.in_force || state.mode == Mode::Off {
                assert_eq!(row(&state, change), "DAAAAAAA", "{state:?}");
            }
            for class in PathClass::ALL {
                let unwaived = decide_write(
                    &GateState {
                        waived: false,
                        ..state
                    },
                    class,
                    change,
                );
                if unwaived == GateDecision::ALLOW {
                    assert_eq!(decide(class), GateDecision::ALLOW, "a waiver only lifts");
                }
            }
        }
    }
}

#[test]
fn stubs_unlock_source_in_red_only() {
    let row_in = |phase, change| {
        row(
            &GateState {
                phase,
                ..GateState::FREE_RED
            },
            change,
        )
    };
    assert_eq!(row_in(Phase::Red, Change::Stub), "DDAAAAAA");
    assert_eq!(row_in(Phase::Plan, Change::Stub), "DADDDDAA");
    assert_eq!(row_in(Phase::Green, Change::Stub), "DDDDAAAA");
}

#[test]
fn source_in_red_needs_known_content() {
    let decide = |change| decide_write(&GateState::FREE_RED, PathClass::Source, change);
    for (change, content_unknown) in [(Change::Unknown, true), (Change::Content, false)] {
        let expected = GateDecision::Deny(DenyReason::NoFailingTest { content_unknown });
        assert_eq!(decide(change), expected);
    }
}

#[test]
fn files_with_both_parts_are_judged_by_part() {
    use SourcePart as S;
    use TestPart as T;
    let frozen = (Oracle::Frozen, CycleKind::Spec);
    let free = (Oracle::None, CycleKind::Free);
    let table = [
        (Phase::Plan, free, parts(T::Changed, S::Same), false),
        (Phase::Plan, free, parts(T::Same, S::Stub), false),
        (Phase::Plan, free, Change::Unknown, false),
        (Phase::Red, free, parts(T::Changed, S::Same), true),
        (Phase::Red, free, parts(T::Changed, S::Stub), true),
        (Phase::Red, free, parts(T::Same, S::Stub), true),
        (Phase::Red, free, parts(T::Changed, S::Changed), false),
        (Phase::Red, free, parts(T::Same, S::Changed), false),
        (Phase::Red, free, Change::Unknown, true),
        (Phase::Green, free, parts(T::Same, S::Changed), true),
        (Phase::Green, free, parts(T::Changed, S::Changed), false),
        (Phase::Green, free, parts(T::Layout, S::Changed), true),
        (Phase::Green, free, parts(T::Added, S::Changed), true),
        (Phase::Green, frozen, parts(T::Added, S::Changed), false),
        (Phase::Green, frozen, parts(T::Layout, S::Same), false),
        (Phase::Green, free, Change::Unknown, true),
        (Phase::Refactor, free, parts(T::Changed, S::Changed), true),
        (Phase::Refactor, frozen, parts(T::Added, S::Changed), false),
        (Phase::Refactor, frozen, parts(T::Changed, S::Same), false),
        (Phase::Refactor, frozen, parts(T::Same, S::Changed), true),
        (Phase::Done, frozen, parts(T::Changed, S::Changed), true),
    ];
    for (phase, (oracle, cycle), change, allowed) in table {
        let state = GateState {
            phase,
            oracle,
            cycle,
            ..GateState::FREE_RED
        };
        let decision = decide_write(&state, PathClass::Mixed, change);
        assert_eq!(
            decision == GateDecision::ALLOW,
            allowed,
            "{phase} {oracle:?} {change:?}"
        );
    }
}

#[test]
fn in_green_tests_may_be_added_in_the_free_cycle() {
    use TestPart as T;
    for (oracle, cycle, part, allowed) in [
        (Oracle::None, CycleKind::Free, T::Added, true),
        (Oracle::None, CycleKind::Free, T::Layout, true),
        (Oracle::None, CycleKind::Free, T::Changed, false),
        (Oracle::None, CycleKind::Spec, T::Added, false),
        (Oracle::Frozen, CycleKind::Spec, T::Added, false),
        (Oracle::Frozen, CycleKind::Spec, T::Layout, false),
        (Oracle::Frozen, CycleKind::Spec, T::Same, true),
    ] {
        let green = GateState {
            phase: Phase::Green,
            oracle,
            cycle,
            ..GateState::FREE_RED
        };
        for class in [PathClass::Test, PathClass::Harness] {
            let decision = decide_write(&green, class, parts(part, SourcePart::Same));
            assert_eq!(
                decision == GateDecision::ALLOW,
                allowed,
                "{cycle:?} {part:?}"
            );
        }
    }
}

#[test]
fn pending_tests_ask_for_source_in_the_free_cycle() {
    let spec = GateState {
        cycle: CycleKind::Spec,
        ..GateState::FREE_RED
    };
    let unasked = DenyReason::NoFailingTest {
        content_unknown: true,
    };
    assert!(is_lifted_by_pending_tests(&GateState::FREE_RED, unasked));
    assert!(!is_lifted_by_pending_tests(&spec, unasked));
    for other in [DenyReason::Protected, DenyReason::PlanFirst] {
        assert!(!is_lifted_by_pending_tests(&GateState::FREE_RED, other));
    }
}

#[test]
fn new_snapshots_may_be_added_in_green() {
    for (oracle, cycle) in [
        (Oracle::None, CycleKind::Free),
        (Oracle::Frozen, CycleKind::Spec),
    ] {
        let green = GateState {
            phase: Phase::Green,
            oracle,
            cycle,
            ..GateState::FREE_RED
        };
        let decide = |change| decide_write(&green, PathClass::Test, change);
        assert_eq!(decide(Change::NewSnapshot), GateDecision::ALLOW);
        assert_ne!(decide(Change::Content), GateDecision::ALLOW);
    }
}

#[test]
fn the_reason_fits_what_stands_in_the_way() {
    let green = GateState {
        phase: Phase::Green,
        ..GateState::FREE_RED
    };
    let oracle = GateState {
        cycle: CycleKind::Spec,
        oracle: Oracle::Frozen,
        ..green
    };
    let drifted = GateState {
        oracle: Oracle::Drifted,
        ..oracle
    };
    let table = [
        (
            green,
            PathClass::Test,
            DenyReason::TestsFrozen {
                by: FrozenBy::FailingTest,
            },
        ),
        (
            oracle,
            PathClass::Harness,
            DenyReason::TestsFrozen {
                by: FrozenBy::Oracle,
            },
        ),
        (
            oracle,
            PathClass::Spec,
            DenyReason::SpecSettled { frozen: true },
        ),
        (
            green,
            PathClass::Spec,
            DenyReason::SpecSettled { frozen: false },
        ),
        (drifted, PathClass::Source, DenyReason::OracleDrifted),
        (
            GateState {
                test_bug_open: true,
                ..oracle
            },
            PathClass::Source,
            DenyReason::TestBugOpen,
        ),
        (
            GateState {
                project_unlocked: false,
                ..green
            },
            PathClass::Source,
            DenyReason::FailingTestElsewhere,
        ),
        (
            GateState {
                phase: Phase::Plan,
                ..green
            },
            PathClass::Source,
            DenyReason::PlanFirst,
        ),
    ];
    for (state, class, reason) in table {
        assert_eq!(
            decide_write(&state, class, Change::Content),
            GateDecision::Deny(reason)
        );
    }
}

#[test]
fn a_waiver_lifts_the_discipline_but_not_the_seal() {
    let waived = GateState {
        waived: true,
        ..GateState::FREE_RED
    };
    assert_eq!(row(&waived, Change::Content), "DAAAAAAA");
    let certified = GateState {
        phase: Phase::Green,
        cycle: CycleKind::Spec,
        oracle: Oracle::Frozen,
        ..waived
    };
    assert_eq!(row(&certified, Change::Content), "DDDDDAAA");
}
