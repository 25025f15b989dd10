use std::collections::BTreeSet;

use super::*;
use crate::policy::compare::Comparison;
use crate::policy::{ChangedClasses, PathClass, Targets};

/// What a run can say beside the last accepted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// Nothing is known by name.
    Silent,
    /// A new test fails.
    NewFails,
    /// A test of the red fails as before.
    StillFails,
    /// A changed test fails.
    ChangedFails,
    /// A new test passes.
    NewPasses,
    /// A test of the red passes.
    Fixed,
    /// A test that passed fails.
    Regressed,
    /// A test that passed is gone.
    Vanished,
    /// A test that passed is gone from a file that was changed.
    Removed,
    /// A test that passed is skipped, in a file that was changed.
    Skipped,
    /// A test of the red is gone.
    Silenced,
}

const BESIDE: [Beside; 11] = [
    Beside::Silent,
    Beside::NewFails,
    Beside::StillFails,
    Beside::ChangedFails,
    Beside::NewPasses,
    Beside::Fixed,
    Beside::Regressed,
    Beside::Vanished,
    Beside::Removed,
    Beside::Skipped,
    Beside::Silenced,
];

fn comparison(beside: Beside) -> Comparison {
    let one = || BTreeSet::from(["t".to_owned()]);
    let none = Comparison::default();
    match beside {
        Beside::Silent => none,
        Beside::NewFails => Comparison {
            new_failing: one(),
            ..none
        },
        Beside::StillFails => Comparison {
            still_failing: one(),
            ..none
        },
        Beside::ChangedFails => Comparison {
            regressions: one(),
            touched: one(),
            ..none
        },
        Beside::NewPasses => Comparison {
            new_passing: one(),
            ..none
        },
        Beside::Fixed => Comparison {
            fixed: one(),
            ..none
        },
        Beside::Regressed => Comparison {
            regressions: one(),
            ..none
        },
        Beside::Vanished => Comparison {
            vanished: one(),
            ..none
        },
        Beside::Removed => Comparison {
            vanished: one(),
            touched: one(),
            ..none
        },
        Beside::Skipped => Comparison {
            newly_skipped: one(),
            touched: one(),
            ..none
        },
        Beside::Silenced => Comparison {
            silenced: one(),
            ..none
        },
    }
}

/// `t`ests, `h`arness, `s`ource, `~` stubs, `o`ther, `d`ocs.
fn changed(letters: &str) -> ChangedClasses {
    let has = |letter| letters.contains(letter);
    ChangedClasses {
        tests: has('t'),
        harness: has('h'),
        source: match (has('s'), has('~')) {
            (true, _) => SourcePart::Changed,
            (false, true) => SourcePart::Stub,
            (false, false) => SourcePart::Same,
        },
        other: has('o'),
        docs: has('d'),
    }
}

fn situation(comparison: &Comparison) -> Situation<'_> {
    Situation {
        mode: Mode::Both,
        phase: Phase::Red,
        cycle: CycleKind::Free,
        oracle_frozen: false,
        verdict: Verdict::Green,
        confirmed: true,
        trusted: true,
        quick: false,
        flaky: false,
        changed: changed("t"),
        comparison,
        targets: Targets::default(),
        on_broken: OnBroken::Keep,
        revert_at: RevertAt::Edit,
        step_open: false,
        ends_step: false,
        freeze_tests: true,
        held: false,
        first_round: false,
    }
}

fn show(decision: &LoopDecision) -> String {
    let arrow = |next: &NextPhase| match next {
        NextPhase::Stay => String::new(),
        NextPhase::To(phase) => format!(" > {phase}"),
        NextPhase::EndCycle => " > end".to_owned(),
    };
    match decision {
        LoopDecision::Commit { label, next, .. } => format!("{label:?}{}", arrow(next)),
        LoopDecision::Revert {
            scope,
            reason,
            judge_rest,
        } => {
            let scope = match scope {
                RevertScope::SourceAndOther => "",
                RevertScope::Everything => "all ",
            };
            format!(
                "revert {scope}{reason:?}{}",
                if *judge_rest { " +rest" } else { "" }
            )
        }
        LoopDecision::Keep { reason } => match reason {
            KeepReason::NothingToRevert(reason) => format!("keep {reason:?}"),
            KeepReason::WouldRevert(reason) => format!("would revert {reason:?}"),
            KeepReason::Broken { stub_missing: true } => "keep Broken, stub?".to_owned(),
            KeepReason::Broken {
                stub_missing: false,
            } => "keep Broken".to_owned(),
            other => format!("keep {other:?}"),
        },
        LoopDecision::Record { would, next } => {
            let would = would
                .as_ref()
                .map(|w| format!(" ({})", show(w)))
                .unwrap_or_default();
            format!("record{would}{}", arrow(next))
        }
        LoopDecision::Nothing => "nothing".to_owned(),
    }
}

use Beside::*;
use Verdict::{Broken, Green, Red};

type Row = (
    Phase,
    &'static str,
    Verdict,
    Beside,
    (usize, usize),
    &'static str,
    &'static str,
);

/// phase, change, verdict, comparison, targets (before, now), free cycle, spec cycle
#[rustfmt::skip]
const TABLE: &[Row] = &[
    // red: tests pass at once
    (Phase::Red, "t", Green, NewPasses, (0, 0), "Test", "Test"),
    (Phase::Red, "h", Green, Silent, (0, 0), "Test", "Test"),
    (Phase::Red, "to", Green, NewPasses, (0, 0), "Test", "Test"),
    (Phase::Red, "t", Green, Removed, (0, 0), "Test", "Test"),
    (Phase::Red, "t", Green, Skipped, (0, 0), "keep Regression", "keep Regression"),
    (Phase::Red, "t", Green, Vanished, (0, 0), "keep Regression", "keep Regression"),
    (Phase::Red, "o", Green, Vanished, (0, 0), "revert Regression", "revert Regression"),
    (Phase::Red, "to", Green, Vanished, (0, 0), "revert Regression +rest", "revert Regression +rest"),
    (Phase::Red, "ts", Green, NewPasses, (0, 0), "revert SourceBeforeTest +rest", "revert SourceBeforeTest +rest"),
    (Phase::Red, "s", Green, Silent, (0, 0), "revert SourceBeforeTest", "revert SourceBeforeTest"),
    (Phase::Red, "t~", Green, NewPasses, (0, 0), "revert StubPasses +rest", "revert StubPasses +rest"),
    (Phase::Red, "~", Green, Silent, (0, 0), "keep StubsWait", "keep StubsWait"),
    (Phase::Red, "~", Green, Fixed, (0, 0), "revert StubPasses", "revert StubPasses"),
    (Phase::Red, "o", Green, Silent, (0, 0), "Chore", "Chore"),
    // red: tests fail
    (Phase::Red, "t", Red, NewFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "t~", Red, NewFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "th~o", Red, NewFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "t", Red, ChangedFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "~", Red, NewFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "h", Red, NewFails, (0, 0), "Red > green", "Red"),
    (Phase::Red, "t", Red, StillFails, (0, 0), "Red > green", "Test"),
    (Phase::Red, "t~", Red, Regressed, (0, 0), "revert Regression +rest", "revert Regression +rest"),
    (Phase::Red, "t", Red, Regressed, (0, 0), "keep Regression", "keep Regression"),
    (Phase::Red, "ts", Red, NewFails, (0, 0), "revert SourceBeforeTest +rest", "revert SourceBeforeTest +rest"),
    (Phase::Red, "o", Red, NewFails, (0, 0), "revert Red", "revert Red"),
    (Phase::Red, "o", Red, StillFails, (0, 0), "Chore", "Chore"),
    // red: tests fail, no one can say which
    (Phase::Red, "t", Red, Silent, (0, 0), "Red > green", "Red"),
    (Phase::Red, "t~", Red, Silent, (0, 0), "Red > green", "Red"),
    (Phase::Red, "to", Red, Silent, (0, 0), "revert Unattributed +rest", "revert Unattributed +rest"),
    (Phase::Red, "~", Red, Silent, (0, 0), "keep StubsWait", "keep StubsWait"),
    (Phase::Red, "h", Red, Silent, (0, 0), "keep Unattributed", "keep Unattributed"),
    (Phase::Red, "o", Red, Silent, (0, 0), "revert Red", "revert Red"),
    // red: broken
    (Phase::Red, "t", Broken, Silent, (0, 0), "keep Broken, stub?", "keep Broken, stub?"),
    (Phase::Red, "t~", Broken, Vanished, (0, 0), "keep Broken, stub?", "keep Broken, stub?"),
    (Phase::Red, "~", Broken, Silent, (0, 0), "keep Broken", "keep Broken"),
    (Phase::Red, "o", Broken, Silent, (0, 0), "keep Broken", "keep Broken"),
    // green
    (Phase::Green, "s", Green, Fixed, (2, 0), "Green > end", "Green"),
    (Phase::Green, "o", Green, Fixed, (1, 0), "Green > end", "Green"),
    (Phase::Green, "s", Green, Silenced, (1, 1), "revert TargetSilenced", "revert TargetSilenced"),
    (Phase::Green, "s", Green, Vanished, (1, 0), "revert Regression", "revert Regression"),
    (Phase::Green, "s", Green, Skipped, (1, 0), "revert Regression", "revert Regression"),
    (Phase::Green, "s", Red, StillFails, (2, 1), "PartialGreen", "PartialGreen"),
    (Phase::Green, "s", Red, StillFails, (2, 2), "revert NoProgress", "revert NoProgress"),
    (Phase::Green, "o", Red, StillFails, (2, 2), "revert NoProgress", "revert NoProgress"),
    (Phase::Green, "s", Red, Regressed, (2, 1), "revert Regression", "revert Regression"),
    (Phase::Green, "ts", Red, ChangedFails, (2, 1), "revert Regression +rest", "revert Regression +rest"),
    (Phase::Green, "s", Broken, Silent, (1, 1), "keep Broken", "keep Broken"),
    // refactor
    (Phase::Refactor, "s", Green, Silent, (0, 0), "Refactor", "Refactor"),
    (Phase::Refactor, "t", Green, Silent, (0, 0), "Refactor", "Refactor"),
    (Phase::Refactor, "tso", Green, NewPasses, (0, 0), "Refactor", "Refactor"),
    (Phase::Refactor, "o", Green, Silent, (0, 0), "Chore", "Chore"),
    (Phase::Refactor, "s", Green, Vanished, (0, 0), "revert Regression", "revert Regression"),
    (Phase::Refactor, "ts", Green, Removed, (0, 0), "revert Regression +rest", "revert Regression +rest"),
    (Phase::Refactor, "t", Green, Removed, (0, 0), "keep Regression", "keep Regression"),
    (Phase::Refactor, "s", Red, Regressed, (0, 0), "revert Regression", "revert Regression"),
    (Phase::Refactor, "s", Red, NewFails, (0, 0), "revert Red", "revert Red"),
    (Phase::Refactor, "o", Red, NewFails, (0, 0), "revert Red", "revert Red"),
    (Phase::Refactor, "t", Red, NewFails, (0, 0), "Red > green", "keep Red"),
    (Phase::Refactor, "t~", Red, NewFails, (0, 0), "Red > green", "revert Red +rest"),
    (Phase::Refactor, "t", Red, ChangedFails, (0, 0), "Red > green", "keep Regression"),
    (Phase::Refactor, "ts", Red, NewFails, (0, 0), "revert Red +rest", "revert Red +rest"),
    (Phase::Refactor, "s", Broken, Silent, (0, 0), "keep Broken", "keep Broken"),
    // plan and done
    (Phase::Plan, "tso", Green, NewPasses, (0, 0), "record", "record"),
    (Phase::Plan, "o", Red, Regressed, (0, 0), "record", "record"),
    (Phase::Plan, "s", Broken, Silent, (0, 0), "record", "record"),
    (Phase::Done, "tso", Green, NewPasses, (0, 0), "record", "record"),
    (Phase::Done, "s", Red, Regressed, (0, 0), "record", "record"),
    (Phase::Done, "s", Broken, Silent, (0, 0), "record", "record"),
    // nothing changed since the accepted tree
    (Phase::Red, "", Red, NewFails, (0, 0), "record > green", "record"),
    (Phase::Red, "", Red, Regressed, (0, 0), "record", "record"),
    (Phase::Red, "", Red, Silent, (0, 0), "record", "record"),
    (Phase::Red, "", Green, Silent, (0, 0), "record", "record"),
    (Phase::Green, "", Green, Fixed, (1, 0), "record > end", "record"),
    (Phase::Green, "", Green, Silenced, (1, 1), "record", "record"),
    (Phase::Green, "", Red, StillFails, (1, 1), "record", "record"),
    (Phase::Refactor, "", Red, NewFails, (0, 0), "record > green", "record"),
    (Phase::Done, "", Broken, Silent, (0, 0), "record", "record"),
    // docs alone are not judged: it is as if nothing had changed
    (Phase::Red, "d", Red, NewFails, (0, 0), "record > green", "record"),
    (Phase::Red, "d", Red, Regressed, (0, 0), "record", "record"),
    (Phase::Green, "d", Green, Fixed, (1, 0), "record > end", "record"),
    (Phase::Red, "td", Red, NewFails, (0, 0), "Red > green", "Red"),

];

fn of_row(row: &Row, cycle: CycleKind, then: impl Fn(Situation<'_>) -> LoopDecision) -> String {
    let (phase, letters, verdict, beside, (left_before, left), ..) = *row;
    let found = comparison(beside);
    show(&then(Situation {
        phase,
        cycle,
        oracle_frozen: cycle == CycleKind::Spec && matches!(phase, Phase::Green | Phase::Refactor),
        verdict,
        changed: changed(letters),
        targets: Targets { left_before, left },
        ..situation(&found)
    }))
}

fn both_cycles(row: &Row, then: impl Fn(Situation<'_>) -> LoopDecision) -> [(String, String); 2] {
    [
        (of_row(row, CycleKind::Free, &then), row.5.to_owned()),
        (of_row(row, CycleKind::Spec, &then), row.6.to_owned()),
    ]
}

#[test]
fn every_row_of_the_table() {
    for row in TABLE {
        for (found, expected) in both_cycles(row, |s| decide_loop(&s)) {
            assert_eq!(found, expected, "{row:?}");
        }
    }
}

#[test]
fn relaxed_says_what_it_would_have_reverted() {
    for row in TABLE
        .iter()
        .filter(|row| !row.1.contains('s') || row.0 != Phase::Red)
    {
        let relaxed = |s: Situation<'_>| {
            decide_loop(&Situation {
                mode: Mode::Relaxed,
                ..s
            })
        };
        for (found, both) in both_cycles(row, relaxed) {
            let expected = match both.strip_prefix("revert ") {
                Some(reason) => format!("would revert {}", reason.trim_end_matches(" +rest")),
                None => both,
            };
            assert_eq!(found, expected, "{row:?}");
        }
    }
}

#[test]
fn tdd_and_observe_only_record() {
    for mode in [Mode::Tdd, Mode::Observe] {
        for row in TABLE
            .iter()
            .filter(|row| !row.1.contains('s') || row.0 != Phase::Red)
        {
            for (found, both) in both_cycles(row, |s| decide_loop(&Situation { mode, ..s })) {
                let expected = match both.split_once(" > ") {
                    _ if both.starts_with("record") || both == "nothing" => both,
                    Some((_, next)) => format!("record ({both}) > {next}"),
                    None => format!("record ({both})"),
                };
                assert_eq!(found, expected, "{row:?}");
            }
        }
    }
}

#[test]
fn source_that_could_not_be_undone_does_not_block_the_next_red() {
    let found = comparison(NewFails);
    let with = |mode| {
        decide_loop(&Situation {
            mode,
            verdict: Red,
            changed: changed("ts"),
            ..situation(&found)
        })
    };
    assert_eq!(show(&with(Mode::Relaxed)), "Red > green");
    assert_eq!(show(&with(Mode::Tdd)), "record (Red > green) > green");
    let LoopDecision::Commit { notes, .. } = with(Mode::Relaxed) else {
        unreachable!("committed above");
    };
    assert_eq!(notes, [Remark::SourceBeforeTest]);
}

#[test]
fn off_does_nothing() {
    for row in TABLE {
        let off = |s: Situation<'_>| {
            decide_loop(&Situation {
                mode: Mode::Off,
                ..s
            })
        };
        for (found, _) in both_cycles(row, off) {
            assert_eq!(found, "nothing");
        }
    }
}

#[test]
fn mode_tcr_commits_green_and_reverts_all_the_rest() {
    let table = [
        ("ts", Green, Fixed, OnBroken::Keep, "Tcr"),
        ("t", Green, Removed, OnBroken::Keep, "Tcr"),
        (
            "s",
            Green,
            Vanished,
            OnBroken::Keep,
            "revert all Regression",
        ),
        (
            "ts",
            Green,
            Skipped,
            OnBroken::Keep,
            "revert all Regression",
        ),
        ("t", Red, NewFails, OnBroken::Keep, "revert all Red"),
        (
            "ts",
            Red,
            Regressed,
            OnBroken::Keep,
            "revert all Regression",
        ),
        ("t", Red, Silent, OnBroken::Keep, "revert all Red"),
        ("s", Broken, Silent, OnBroken::Keep, "keep Broken"),
        ("s", Broken, Silent, OnBroken::Revert, "revert all Broken"),
        ("o", Broken, Silent, OnBroken::Revert, "revert all Broken"),
        ("", Red, NewFails, OnBroken::Keep, "record"),
        ("d", Red, NewFails, OnBroken::Keep, "record"),
    ];
    for phase in Phase::ALL {
        for cycle in [CycleKind::Free, CycleKind::Spec] {
            for (letters, verdict, beside, on_broken, expected) in table {
                let found = comparison(beside);
                let s = Situation {
                    mode: Mode::Tcr,
                    phase,
                    cycle,
                    verdict,
                    on_broken,
                    changed: changed(letters),
                    ..situation(&found)
                };
                assert_eq!(
                    show(&decide_loop(&s)),
                    expected,
                    "{phase} {letters} {beside:?}"
                );
            }
        }
    }
}

#[test]
fn broken_is_reverted_on_request_only_where_code_is_written() {
    let none = Comparison::default();
    let table = [
        (Phase::Red, "t~", "keep Broken, stub?"),
        (Phase::Green, "s", "revert Broken"),
        (Phase::Green, "o", "keep Broken"),
        (Phase::Refactor, "so", "revert Broken"),
        (Phase::Refactor, "ts", "revert Broken +rest"),
        (Phase::Refactor, "t", "keep Broken"),
        (Phase::Done, "s", "record"),
    ];
    for (phase, letters, expected) in table {
        let s = Situation {
            phase,
            verdict: Broken,
            on_broken: OnBroken::Revert,
            changed: changed(letters),
            ..situation(&none)
        };
        assert_eq!(show(&decide_loop(&s)), expected, "{phase} {letters}");
    }
}

#[test]
fn a_red_without_regression_may_wait_for_the_end_of_the_step() {
    let table = [
        (StillFails, false, false, "keep StepOpen"),
        (StillFails, false, true, "revert NoProgress"),
        (Regressed, false, false, "revert Regression"),
        (Regressed, true, false, "keep StepOpen"),
        (StillFails, true, false, "keep StepOpen"),
    ];
    for (beside, step_open, ends_step, expected) in table {
        let found = comparison(beside);
        let s = Situation {
            phase: Phase::Green,
            verdict: Red,
            changed: changed("s"),
            revert_at: RevertAt::Step,
            step_open,
            ends_step,
            targets: Targets {
                left_before: 1,
                left: 1,
            },
            ..situation(&found)
        };
        assert_eq!(show(&decide_loop(&s)), expected, "{beside:?}");
    }
}

#[test]
fn thawed_tests_in_green_may_ask_for_more_or_less() {
    let table = [
        ("t", Red, NewFails, (1, 1), "Red"),
        ("ts", Red, NewFails, (1, 1), "revert NoProgress +rest"),
        ("ts", Red, StillFails, (2, 1), "PartialGreen"),
        ("ts", Green, Removed, (1, 0), "Green > end"),
        ("ts", Green, Skipped, (1, 0), "revert Regression +rest"),
        ("s", Green, Silenced, (1, 1), "revert TargetSilenced"),
    ];
    for (letters, verdict, beside, (left_before, left), expected) in table {
        let found = comparison(beside);
        let s = Situation {
            phase: Phase::Green,
            freeze_tests: false,
            verdict,
            changed: changed(letters),
            targets: Targets { left_before, left },
            ..situation(&found)
        };
        assert_eq!(show(&decide_loop(&s)), expected, "{letters} {beside:?}");
    }
}

#[test]
fn quick_tests_can_only_revert() {
    let (fails, passes) = (comparison(Regressed), comparison(Fixed));
    let quick = |found, verdict| {
        show(&decide_loop(&Situation {
            phase: Phase::Green,
            quick: true,
            verdict,
            changed: changed("s"),
            ..situation(found)
        }))
    };
    assert_eq!(quick(&fails, Red), "revert Regression");
    assert_eq!(quick(&passes, Green), "keep FullRunNeeded");
}

#[test]
fn the_first_round_records_what_is_there_as_baseline() {
    for verdict in Verdict::ALL {
        let found = comparison(Regressed);
        let s = Situation {
            first_round: true,
            verdict,
            changed: changed("tso"),
            ..situation(&found)
        };
        assert_eq!(show(&decide_loop(&s)), "Baseline");
    }
}

#[test]
fn what_a_message_needs_is_remarked() {
    let notes = |s: Situation<'_>| match decide_loop(&s) {
        LoopDecision::Commit { notes, .. } => notes,
        other => unreachable!("{other:?}"),
    };
    let (passes, removed) = (comparison(NewPasses), comparison(Removed));
    let known = Comparison {
        known_fixed: BTreeSet::from(["k".to_owned()]),
        ..Comparison::default()
    };
    assert_eq!(notes(situation(&passes)), [Remark::PassedAtOnce]);
    assert_eq!(
        notes(situation(&removed)),
        [Remark::PassedAtOnce, Remark::TestsWeakened]
    );
    let chore = Situation {
        changed: changed("o"),
        confirmed: false,
        flaky: true,
        ..situation(&known)
    };
    assert_eq!(
        notes(chore),
        [
            Remark::KnownFailuresPass,
            Remark::Unconfirmed,
            Remark::Flaky
        ]
    );
    let refactor = Situation {
        phase: Phase::Refactor,
        ..situation(&passes)
    };
    assert_eq!(notes(refactor), [Remark::TestsChanged]);
}

#[test]
fn reverts_leave_what_they_must() {
    let taken = |scope: RevertScope| -> Vec<PathClass> {
        PathClass::ALL
            .into_iter()
            .filter(|class| scope.takes(*class))
            .collect()
    };
    use PathClass::{Harness, Mixed, Other, Source, Spec, Test};
    assert_eq!(taken(RevertScope::SourceAndOther), [Mixed, Source, Other]);
    assert_eq!(
        taken(RevertScope::Everything),
        [Spec, Harness, Test, Mixed, Source, Other]
    );
}

/// The promises, over every combination of what a decision depends on.
#[test]
fn what_holds_in_every_situation() {
    let comparisons: Vec<_> = BESIDE
        .into_iter()
        .map(|beside| (beside, comparison(beside)))
        .collect();
    for mode in Mode::ALL {
        for phase in Phase::ALL {
            for cycle in [CycleKind::Free, CycleKind::Spec] {
                for verdict in Verdict::ALL {
                    for (beside, found) in &comparisons {
                        let base = Situation {
                            mode,
                            phase,
                            cycle,
                            verdict,
                            ..situation(found)
                        };
                        every_flag(base, |s| check_promises(s, *beside));
                    }
                }
            }
        }
    }
}

fn every_flag(base: Situation<'_>, check: impl Fn(&Situation<'_>)) {
    let sources = [SourcePart::Same, SourcePart::Stub, SourcePart::Changed];
    for bits in 0u16..1 << 9 {
        let on = |bit: u16| bits & (1 << bit) != 0;
        for source in sources {
            check(&Situation {
                confirmed: on(0),
                flaky: on(1),
                held: on(2),
                step_open: on(3),
                first_round: on(4),
                trusted: !(on(4) && on(5)),
                on_broken: if on(5) {
                    OnBroken::Revert
                } else {
                    OnBroken::Keep
                },
                freeze_tests: !on(6),
                changed: ChangedClasses {
                    tests: on(7),
                    source,
                    other: on(8),
                    ..ChangedClasses::NOTHING
                },
                targets: Targets {
                    left_before: 1,
                    left: usize::from(on(6)),
                },
                ..base
            });
        }
    }
}

fn check_promises(s: &Situation<'_>, beside: Beside) {
    let decision = decide_loop(s);
    let next = match &decision {
        LoopDecision::Commit { next, .. } | LoopDecision::Record { next, .. } => *next,
        LoopDecision::Revert { .. } | LoopDecision::Keep { .. } | LoopDecision::Nothing => {
            NextPhase::Stay
        }
    };
    let commits = matches!(decision, LoopDecision::Commit { .. });
    let reverts = matches!(decision, LoopDecision::Revert { .. });
    let context = || format!("{s:?}\n{decision:?}");

    if !matches!(s.mode, Mode::Both | Mode::Tcr) {
        assert!(!reverts, "{}", context());
    }
    if matches!(s.mode, Mode::Tdd | Mode::Observe | Mode::Off) || !s.trusted {
        assert!(!commits && !reverts, "{}", context());
    }
    if s.held || s.flaky || s.step_open || s.first_round {
        assert!(!reverts, "{}", context());
    }
    if s.cycle == CycleKind::Spec || !s.trusted || s.mode == Mode::Tcr {
        assert_eq!(next, NextPhase::Stay, "{}", context());
    }
    match next {
        NextPhase::To(Phase::Green) => {
            let from = matches!(s.phase, Phase::Red | Phase::Refactor);
            assert!(from && s.verdict == Red && s.confirmed, "{}", context());
        }
        NextPhase::EndCycle => {
            assert!(
                s.phase == Phase::Green && s.verdict == Green,
                "{}",
                context()
            );
        }
        NextPhase::To(other) => unreachable!("{other} is not reached by results: {}", context()),
        NextPhase::Stay => {}
    }
    if commits && !s.first_round {
        assert_ne!(s.verdict, Broken, "{}", context());
        assert!(
            !matches!(beside, Regressed | Vanished | Skipped),
            "{}",
            context()
        );
        assert!(s.changed.needs_judgement(), "{}", context());
    }
    if let LoopDecision::Revert {
        scope,
        judge_rest,
        reason,
    } = &decision
    {
        assert_eq!(
            *scope == RevertScope::Everything,
            s.mode == Mode::Tcr,
            "{}",
            context()
        );
        assert!(
            s.changed.can_be_reverted() || s.mode == Mode::Tcr,
            "{}",
            context()
        );
        let rest = s.mode == Mode::Both && s.changed.stays_after_revert();
        assert_eq!(*judge_rest, rest, "{}", context());
        if s.verdict == Broken {
            assert_eq!(
                (*reason, s.on_broken),
                (RevertReason::Broken, OnBroken::Revert),
                "{}",
                context()
            );
        }
    }
}
