//! What the loop does with a result: phase × verdict × mode × kind of cycle.
//!
//! The table is in `in_red`, `in_green`, `in_refactor` and `in_mode_tcr`; what softens a revert
//! (an open step, a flaky test, restored work) and what a mode makes of a decision come after it.

use super::loop_decision::{
    CommitLabel, KeepReason, LoopDecision, NextPhase, Remark, RevertReason, RevertScope,
};
use super::phase::{CycleKind, Mode, Phase};
use super::situation::{OnBroken, RevertAt, Situation};
use super::verdict::Verdict;
use super::write_gate::SourcePart;

/// Decides what happens to the work after a test run.
pub fn decide_loop(s: &Situation<'_>) -> LoopDecision {
    if s.mode == Mode::Off {
        return LoopDecision::Nothing;
    }
    if !s.trusted {
        return record(NextPhase::Stay);
    }
    let decision = softened(s, judged(s));
    match s.mode {
        Mode::Both | Mode::Tcr => decision,
        Mode::Relaxed => without_revert(decision),
        Mode::Tdd | Mode::Observe => recorded(decision),
        Mode::Off => LoopDecision::Nothing,
    }
}

fn judged(s: &Situation<'_>) -> LoopDecision {
    if !s.changed.needs_judgement() {
        return record(unchanged(s));
    }
    if s.first_round {
        return commit(s, CommitLabel::Baseline, NextPhase::Stay, &[]);
    }
    match s.mode {
        Mode::Tcr => in_mode_tcr(s),
        Mode::Both | Mode::Tdd | Mode::Relaxed | Mode::Observe | Mode::Off => by_phase(s),
    }
}

fn by_phase(s: &Situation<'_>) -> LoopDecision {
    match s.phase {
        Phase::Plan | Phase::Done => record(NextPhase::Stay),
        Phase::Red => in_red(s),
        Phase::Green => in_green(s),
        Phase::Refactor => in_refactor(s),
    }
}

/// But for docs the tree is the accepted one, yet its result may be new: a person wrote the failing
/// test or the code, or an unconfirmed result was confirmed.
fn unchanged(s: &Situation<'_>) -> NextPhase {
    if s.quick || s.mode == Mode::Tcr || s.comparison.has_regression() {
        return NextPhase::Stay;
    }
    match (s.phase, s.verdict) {
        (Phase::Red | Phase::Refactor, Verdict::Red) if s.confirmed && fails_by_name(s) => {
            to_green(s)
        }
        (Phase::Green, Verdict::Green) if s.targets.left == 0 => end_of_cycle(s),
        (
            Phase::Plan | Phase::Red | Phase::Green | Phase::Refactor | Phase::Done,
            Verdict::Green | Verdict::Red | Verdict::Broken,
        ) => NextPhase::Stay,
    }
}

// Phase `red`

fn in_red(s: &Situation<'_>) -> LoopDecision {
    match s.verdict {
        Verdict::Broken => broken_keep(s),
        Verdict::Green | Verdict::Red if s.comparison.has_regression_beside_changed_tests() => {
            revert(s, RevertReason::Regression)
        }
        Verdict::Green => passing_in_red(s),
        Verdict::Red => failing_in_red(s),
    }
}

fn passing_in_red(s: &Situation<'_>) -> LoopDecision {
    let something_new_passes =
        !s.comparison.new_passing.is_empty() || !s.comparison.fixed.is_empty();
    match s.changed.source {
        SourcePart::Changed => revert(s, RevertReason::SourceBeforeTest),
        SourcePart::Stub if s.changed.tests || something_new_passes => {
            revert(s, RevertReason::StubPasses)
        }
        // Stubs are often written before the test. They prove nothing yet, so they are neither
        // committed nor taken away.
        SourcePart::Stub => keep(KeepReason::StubsWait),
        SourcePart::Same if s.changed.only_other() => {
            commit(s, CommitLabel::Chore, NextPhase::Stay, &[])
        }
        SourcePart::Same => {
            let at_once: &[Remark] = match s.changed.tests {
                true => &[Remark::PassedAtOnce],
                false => &[],
            };
            commit(s, CommitLabel::Test, NextPhase::Stay, at_once)
        }
    }
}

fn failing_in_red(s: &Situation<'_>) -> LoopDecision {
    let undone_elsewhere = match s.mode {
        Mode::Both | Mode::Tcr => true,
        // Forbidden source was reported and stays there: it must not block the next red for ever.
        Mode::Tdd | Mode::Relaxed | Mode::Observe | Mode::Off => false,
    };
    if s.changed.source == SourcePart::Changed && undone_elsewhere {
        return revert(s, RevertReason::SourceBeforeTest);
    }
    if s.changed.only_other() {
        return failing_beside_other_in_red(s);
    }
    if !fails_by_name(s) {
        return failing_without_names(s);
    }
    let asks_for_more = s
        .comparison
        .failing()
        .any(|test| s.comparison.new_failing.contains(test) || s.comparison.touched.contains(test));
    match (s.confirmed, s.cycle) {
        (false, _) => commit(s, CommitLabel::Test, NextPhase::Stay, &[]),
        // Tests added beside those that already fail for this spec.
        (true, CycleKind::Spec) if !asks_for_more => {
            commit(s, CommitLabel::Test, NextPhase::Stay, &[])
        }
        (true, CycleKind::Spec | CycleKind::Free) => red(s),
    }
}

/// A manifest edited while tests of this cycle already fail (a spec cycle, or the way back from
/// `green`): as long as no further test fails, it is as good as beside a green.
fn failing_beside_other_in_red(s: &Situation<'_>) -> LoopDecision {
    if fails_by_name(s) && s.comparison.new_failing.is_empty() {
        commit(s, CommitLabel::Chore, NextPhase::Stay, &[])
    } else {
        revert(s, RevertReason::Red)
    }
}

fn failing_without_names(s: &Situation<'_>) -> LoopDecision {
    if s.changed.other || (s.changed.source == SourcePart::Changed) {
        revert(s, RevertReason::Unattributed)
    } else if !s.changed.tests {
        match s.changed.source {
            SourcePart::Stub => keep(KeepReason::StubsWait),
            SourcePart::Same | SourcePart::Changed => revert(s, RevertReason::Unattributed),
        }
    } else if s.confirmed {
        red(s)
    } else {
        commit(s, CommitLabel::Test, NextPhase::Stay, &[])
    }
}

fn red(s: &Situation<'_>) -> LoopDecision {
    let early: &[Remark] = match s.changed.source {
        SourcePart::Changed => &[Remark::SourceBeforeTest],
        SourcePart::Same | SourcePart::Stub => &[],
    };
    commit(s, CommitLabel::Red, to_green(s), early)
}

// Phase `green`

fn in_green(s: &Situation<'_>) -> LoopDecision {
    let thawed = !s.freeze_tests && s.cycle == CycleKind::Free && !s.oracle_frozen;
    let regressed = match thawed {
        true => s.comparison.has_regression_beside_changed_tests(),
        false => s.comparison.has_regression(),
    };
    match s.verdict {
        Verdict::Broken => broken(s),
        Verdict::Green | Verdict::Red if regressed => revert(s, RevertReason::Regression),
        Verdict::Green => passing_in_green(s, thawed),
        Verdict::Red => failing_in_green(s, thawed),
    }
}

fn passing_in_green(s: &Situation<'_>, thawed: bool) -> LoopDecision {
    // Where tests may be edited in `green`, one may also be taken out; it is named.
    let silenced = &s.comparison.silenced;
    let removed = thawed && !silenced.is_empty() && silenced.is_subset(&s.comparison.touched);
    if s.targets.left > 0 && !removed {
        revert(s, RevertReason::TargetSilenced)
    } else {
        commit(s, CommitLabel::Green, end_of_cycle(s), &[])
    }
}

fn failing_in_green(s: &Situation<'_>, thawed: bool) -> LoopDecision {
    let more_asked = thawed && s.changed.tests && fails_by_name(s);
    if s.targets.left < s.targets.left_before {
        commit(s, CommitLabel::PartialGreen, NextPhase::Stay, &[])
    } else if more_asked && s.changed.source == SourcePart::Same {
        commit(s, CommitLabel::Red, NextPhase::Stay, &[])
    } else {
        revert(s, RevertReason::NoProgress)
    }
}

// Phase `refactor`

fn in_refactor(s: &Situation<'_>) -> LoopDecision {
    match s.verdict {
        Verdict::Broken => broken(s),
        Verdict::Green | Verdict::Red if lost_in_refactor(s) => revert(s, RevertReason::Regression),
        Verdict::Green if s.changed.only_other() => {
            commit(s, CommitLabel::Chore, NextPhase::Stay, &[])
        }
        Verdict::Green => {
            let changed: &[Remark] = match s.changed.tests {
                true => &[Remark::TestsChanged],
                false => &[],
            };
            commit(s, CommitLabel::Refactor, NextPhase::Stay, changed)
        }
        Verdict::Red if is_next_red(s) => red(s),
        Verdict::Red => revert(s, RevertReason::Red),
    }
}

/// The tests must stay the same ones. One that fails because it was itself changed may be the
/// beginning of the next cycle.
fn lost_in_refactor(s: &Situation<'_>) -> bool {
    let may_ask_more = s.cycle == CycleKind::Free && !s.oracle_frozen;
    let excused = |test: &String| may_ask_more && s.comparison.touched.contains(test);
    !s.comparison.vanished.is_empty()
        || !s.comparison.newly_skipped.is_empty()
        || !s.comparison.regressions.iter().all(excused)
}

fn is_next_red(s: &Situation<'_>) -> bool {
    let attributable = fails_by_name(s) || !s.changed.other;
    s.cycle == CycleKind::Free
        && !s.oracle_frozen
        && s.confirmed
        && s.changed.tests
        && s.changed.source != SourcePart::Changed
        && attributable
}

// Mode `tcr`

fn in_mode_tcr(s: &Situation<'_>) -> LoopDecision {
    match s.verdict {
        // Tests may be rewritten at any time in this mode, so those taken out of a changed file
        // are named, not missed.
        Verdict::Green if s.comparison.has_regression_beside_changed_tests() => {
            revert(s, RevertReason::Regression)
        }
        Verdict::Green => commit(s, CommitLabel::Tcr, NextPhase::Stay, &[]),
        Verdict::Red if s.comparison.has_regression() => revert(s, RevertReason::Regression),
        Verdict::Red => revert(s, RevertReason::Red),
        Verdict::Broken => broken(s),
    }
}

// What the rows share

fn fails_by_name(s: &Situation<'_>) -> bool {
    s.comparison.failing().next().is_some()
}

fn to_green(s: &Situation<'_>) -> NextPhase {
    match s.cycle {
        CycleKind::Free => NextPhase::To(Phase::Green),
        CycleKind::Spec => NextPhase::Stay,
    }
}

fn end_of_cycle(s: &Situation<'_>) -> NextPhase {
    match s.cycle {
        CycleKind::Free => NextPhase::EndCycle,
        CycleKind::Spec => NextPhase::Stay,
    }
}

fn broken(s: &Situation<'_>) -> LoopDecision {
    match s.on_broken {
        OnBroken::Keep => broken_keep(s),
        OnBroken::Revert if s.changed.only_other() && s.mode != Mode::Tcr => broken_keep(s),
        OnBroken::Revert => revert(s, RevertReason::Broken),
    }
}

fn broken_keep(s: &Situation<'_>) -> LoopDecision {
    keep(KeepReason::Broken {
        stub_missing: s.changed.tests,
    })
}

fn keep(reason: KeepReason) -> LoopDecision {
    LoopDecision::Keep { reason }
}

fn record(next: NextPhase) -> LoopDecision {
    LoopDecision::Record { would: None, next }
}

fn revert(s: &Situation<'_>, reason: RevertReason) -> LoopDecision {
    match s.mode {
        Mode::Tcr => LoopDecision::Revert {
            scope: RevertScope::Everything,
            reason,
            judge_rest: false,
        },
        Mode::Both | Mode::Tdd | Mode::Relaxed | Mode::Observe | Mode::Off => {
            if !s.changed.can_be_reverted() {
                return keep(KeepReason::NothingToRevert(reason));
            }
            LoopDecision::Revert {
                scope: RevertScope::SourceAndOther,
                reason,
                judge_rest: s.changed.stays_after_revert(),
            }
        }
    }
}

fn commit(s: &Situation<'_>, label: CommitLabel, next: NextPhase, more: &[Remark]) -> LoopDecision {
    let mut notes = more.to_vec();
    let mut note = |holds: bool, remark| notes.extend(holds.then_some(remark));
    note(!s.comparison.weakened().is_empty(), Remark::TestsWeakened);
    note(
        !s.comparison.known_fixed.is_empty(),
        Remark::KnownFailuresPass,
    );
    note(!s.confirmed, Remark::Unconfirmed);
    note(s.flaky, Remark::Flaky);
    LoopDecision::Commit { label, next, notes }
}

/// What stands against acting on a decision right now.
fn softened(s: &Situation<'_>, decision: LoopDecision) -> LoopDecision {
    match decision {
        LoopDecision::Commit { .. } if s.quick && !s.first_round => keep(KeepReason::FullRunNeeded),
        LoopDecision::Revert { .. } if s.held => keep(KeepReason::Held),
        LoopDecision::Revert { .. } if s.flaky => keep(KeepReason::Flaky),
        LoopDecision::Revert { .. } if s.step_open => keep(KeepReason::StepOpen),
        LoopDecision::Revert { reason, .. }
            if s.revert_at == RevertAt::Step && !s.ends_step && may_mend(reason) =>
        {
            keep(KeepReason::StepOpen)
        }
        LoopDecision::Commit { .. }
        | LoopDecision::Revert { .. }
        | LoopDecision::Keep { .. }
        | LoopDecision::Record { .. }
        | LoopDecision::Nothing => decision,
    }
}

/// Whether the rest of the step may still turn this into a green.
fn may_mend(reason: RevertReason) -> bool {
    match reason {
        RevertReason::Unattributed
        | RevertReason::NoProgress
        | RevertReason::Red
        | RevertReason::Broken => true,
        RevertReason::Regression
        | RevertReason::SourceBeforeTest
        | RevertReason::StubPasses
        | RevertReason::TargetSilenced => false,
    }
}

/// Mode `relaxed`.
fn without_revert(decision: LoopDecision) -> LoopDecision {
    match decision {
        LoopDecision::Revert { reason, .. } => keep(KeepReason::WouldRevert(reason)),
        LoopDecision::Commit { .. }
        | LoopDecision::Keep { .. }
        | LoopDecision::Record { .. }
        | LoopDecision::Nothing => decision,
    }
}

/// Modes `tdd` and `observe`: the phases move, so that the next answer of the gate is the one this
/// work deserves; nothing else does.
fn recorded(decision: LoopDecision) -> LoopDecision {
    let next = match &decision {
        LoopDecision::Commit { next, .. } => *next,
        LoopDecision::Revert { .. } | LoopDecision::Keep { .. } => NextPhase::Stay,
        LoopDecision::Record { .. } | LoopDecision::Nothing => return decision,
    };
    LoopDecision::Record {
        would: Some(Box::new(decision)),
        next,
    }
}

#[cfg(test)]
#[path = "transition_tests.rs"]
mod tests;
