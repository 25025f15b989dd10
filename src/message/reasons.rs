//! Why the loop decided as it did, and the next step.

use super::path_list;
use super::phase::next_step;
use crate::policy::compare::Comparison;
use crate::policy::write_gate::{DenyReason, FrozenBy};
use crate::policy::{KeepReason, LoopDecision, Mode, Phase, Remark, RevertReason};

/// What a decision comes to, in a few words.
pub(crate) fn decision(decision: &LoopDecision) -> String {
    match decision {
        LoopDecision::Commit { label, .. } => format!("committed as {}", label.name()),
        LoopDecision::Revert { reason, .. } => {
            format!(
                "reverted: {}",
                revert_reason(*reason, &Comparison::default())
            )
        }
        LoopDecision::Keep { reason } => format!("kept: {}", keep_reason(*reason)),
        LoopDecision::Record {
            would: Some(would), ..
        } => self::decision(would),
        LoopDecision::Record { would: None, .. } | LoopDecision::Nothing => "done nothing".into(),
    }
}

/// Why work was reverted.
pub(crate) fn revert_reason(reason: RevertReason, comparison: &Comparison) -> String {
    let lost: Vec<String> = comparison.lost().cloned().collect();
    match reason {
        RevertReason::Regression if lost.is_empty() => "tests that passed no longer do".into(),
        RevertReason::Regression => format!("tests that passed no longer do: {}", path_list(&lost)),
        RevertReason::SourceBeforeTest => "no failing test asked for this source".into(),
        RevertReason::StubPasses => {
            "with the stub in place the new test passes: it is an implementation".into()
        }
        RevertReason::Unattributed => "tests fail, and more than tests changed".into(),
        RevertReason::NoProgress => "the failing tests still fail".into(),
        RevertReason::TargetSilenced => {
            "a failing test was switched off or removed instead of made to pass".into()
        }
        RevertReason::Red => "the tests fail".into(),
        RevertReason::Broken => {
            "the tests could not run, and `on_broken` says to revert then".into()
        }
    }
}

/// Why work was kept without a commit.
pub(crate) fn keep_reason(reason: KeepReason) -> String {
    match reason {
        KeepReason::Broken { stub_missing: true } => {
            "the tests could not run: usually a stub is missing that lets them load".into()
        }
        KeepReason::Broken {
            stub_missing: false,
        } => "the tests could not run".into(),
        KeepReason::StubsWait => "stubs wait for the failing test that needs them".into(),
        KeepReason::NothingToRevert(reason) => {
            format!(
                "{}; what changed is never reverted here",
                revert_reason(reason, &Comparison::default())
            )
        }
        KeepReason::WouldRevert(reason) => {
            format!(
                "{}; mode `relaxed` reverts nothing",
                revert_reason(reason, &Comparison::default())
            )
        }
        KeepReason::StepOpen => "the step is still open".into(),
        KeepReason::Flaky => "it failed once and passed once: nothing is reverted for that".into(),
        KeepReason::Held => "it was restored on purpose and has not changed since".into(),
        KeepReason::FullRunNeeded => "only the quick tests ran".into(),
        KeepReason::ValidatorObjects => {
            "the tests pass, and the validator has something against the source".into()
        }
        KeepReason::LintFindings => "the tests pass, and the lint command has findings".into(),
        KeepReason::LintFailed => "the tests pass, but the lint command could not run".into(),
        KeepReason::Smells => "the step brings findings that block a commit".into(),
        KeepReason::LintWrote => {
            "the tests pass, but the lint command changed files after they ran".into()
        }
    }
}

/// The next step when work was kept; `has_green` if there is a green commit to go back to.
pub(crate) fn keep_hint(reason: KeepReason, phase: Phase, has_green: bool) -> Option<String> {
    match reason {
        KeepReason::Broken { .. } => {
            Some("mend what keeps the tests from running, then `git tcr run`".into())
        }
        KeepReason::NothingToRevert(_) | KeepReason::WouldRevert(_) if has_green => {
            Some("mend it, then `git tcr run`; or go back: `git tcr recover green`".into())
        }
        KeepReason::NothingToRevert(_) | KeepReason::WouldRevert(_) => {
            Some("mend it, then `git tcr run`".into())
        }
        KeepReason::Flaky | KeepReason::LintWrote => Some("git tcr run".into()),
        KeepReason::Smells => Some(
            "mend what is named, or say why not: `tcr:allow RULE: REASON`; then `git tcr run`"
                .into(),
        ),
        KeepReason::ValidatorObjects => {
            Some("coder: take out what no test asks for, then `git tcr run`".into())
        }
        KeepReason::LintFindings => Some("mend what it names, then `git tcr run`".into()),
        KeepReason::LintFailed => Some(
            "make the lint command run, or take `lint` out of `.tcr.toml` and `git tcr install`; then `git tcr run`"
                .into(),
        ),
        KeepReason::Held => Some("change it, then `git tcr run`".into()),
        KeepReason::StubsWait | KeepReason::StepOpen | KeepReason::FullRunNeeded => {
            Some(next_step(phase).into())
        }
    }
}

/// The way on where a test fails and nobody can tell which, or why.
pub(crate) const UNCONFIRMED_RED: &str = "source stays locked: set `red_confirm` in `.tcr.toml` to what a failing test prints and `git tcr install`; then change the test, and `git tcr run`";

/// What has to be said beside a commit.
pub(crate) fn remark(remark: Remark, comparison: &Comparison) -> String {
    let named = |tests: Vec<String>| path_list(&tests);
    match remark {
        Remark::PassedAtOnce => "the new test passes at once, so it unlocks nothing".into(),
        Remark::TestsWeakened => {
            format!(
                "tests removed or switched off: {}",
                named(comparison.weakened().into_iter().collect())
            )
        }
        Remark::TestsChanged => "tests were changed while refactoring".into(),
        Remark::Unconfirmed => "judged by the exit status alone: no report could be read".into(),
        Remark::Flaky => "some tests pass only now and then".into(),
        Remark::KnownFailuresPass => {
            format!(
                "known failures pass now: {}",
                named(comparison.known_fixed.iter().cloned().collect())
            )
        }
        Remark::SourceBeforeTest => "source was written before a failing test asked for it".into(),
    }
}

/// Changes that break the rules where the mode does not put them back.
pub(crate) fn should_not_have_changed(phase: Phase, paths: &[String]) -> String {
    format!(
        "`{phase}` does not allow this, and it was left as it is: {}",
        path_list(paths)
    )
}

/// A file whose source and tests can't be told apart.
pub(crate) fn entangled(phase: Phase) -> String {
    format!(
        "source and tests of these files can't be told apart, so `{phase}` can't be judged for them"
    )
}

/// What the phase does not allow was edited at the moment it was to be put back.
pub(crate) fn not_put_back(phase: Phase) -> String {
    format!("`{phase}` does not allow these changes, and they could not be put back")
}

/// The way on after a revert.
pub(crate) fn after_revert(mode: Mode, phase: Phase, number: u64) -> String {
    let next = match phase {
        // No failing test is asked for.
        _ if mode == Mode::Tcr => "a smaller step",
        Phase::Green | Phase::Refactor => "a smaller step",
        Phase::Plan | Phase::Red | Phase::Done => "a failing test first",
    };
    let kept = kept_as(number);
    format!("{next}; {kept}; several edits at once: `git tcr step`")
}

/// How to do all the same what was put back.
pub(crate) fn way_after_put_back(reason: DenyReason, number: u64) -> Option<String> {
    let way = match reason {
        DenyReason::NoFailingTest { .. } => "no new behaviour: `git tcr phase refactor`",
        DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => WRONG_TEST,
        DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        } => WRONG_CERTIFIED_TEST,
        DenyReason::FailingTestElsewhere => {
            "the failing test is another project's: make it pass first"
        }
        DenyReason::Protected
        | DenyReason::SpecSettled { .. }
        | DenyReason::PlanFirst
        | DenyReason::OracleDrifted
        | DenyReason::TestBugOpen => return None,
    };
    Some(format!("{way}; {}", kept_as(number)))
}

/// What to do about a frozen test that is wrong.
pub(super) const WRONG_TEST: &str = "if a test is wrong: `git tcr phase red --why TEXT`";
/// The same under a frozen oracle.
pub(super) const WRONG_CERTIFIED_TEST: &str =
    "if a test is wrong: `git tcr test-bug FILE:LINE TEXT`";

fn kept_as(number: u64) -> String {
    format!("the work is kept: `git tcr recover show {number}`")
}

/// Advice after several reverts in a row.
pub(crate) fn many_reverts(streak: u64) -> Vec<String> {
    vec![format!(
        "{streak} reverts in a row: take a smaller step, read the failing test again, ask whether it is right, run it by hand"
    )]
}

/// The options when the same failure comes again and again.
pub(crate) fn stuck() -> Vec<String> {
    vec![
        "stuck: the same failure again and again".into(),
        "back to the last green: `git tcr recover green`".into(),
        "or another approach, or a person: `git tcr allow PATH --once`".into(),
    ]
}

/// A branch that was never looked at before.
pub(crate) const FIRST_RUN: &str = "first run on this branch: what was there is the baseline";

/// The way on from a file whose source and tests can't be told apart.
pub(crate) const DISENTANGLE: &str =
    "keep tests and source in items of their own, then `git tcr run`";

/// The way on when a file was edited at the wrong moment.
pub(crate) const TRY_AGAIN: &str = "`git tcr run` tries again";

/// The way on when the tests write files that git sees.
pub(crate) const IGNORE_WRITTEN: &str = "ignore files that the tests write, then `git tcr run`";

/// Files changed under the tests.
pub(crate) fn unstable(paths: &[String]) -> String {
    format!(
        "files changed while the tests ran, twice, so the runs say nothing: {}",
        path_list(paths)
    )
}

/// Somebody, or the tests themselves, did what the phase does not allow while they ran.
pub(crate) fn changed_meanwhile(phase: Phase) -> String {
    format!("changed while the tests ran, and `{phase}` does not allow it")
}

/// Results whose tree is no more.
pub(crate) const RESULTS_OF_BEFORE: &str =
    "the results are of what was there before, so they do not count";

/// The way on after that.
pub(crate) const RUN_THEM: &str = "git tcr run";

/// What a command that was ended had begun, and this one has finished.
pub(crate) fn finished(entries: &[u64]) -> String {
    let kept = match entries {
        [] => String::new(),
        entries => {
            let numbers: Vec<String> = entries.iter().map(ToString::to_string).collect();
            format!("; its work is kept as recover {}", numbers.join(", "))
        }
    };
    format!("an earlier command was ended on its way, and is finished now{kept}")
}

/// Files that were saved while the rest was brought in line, and those that there was no room for.
pub(crate) fn edited_meanwhile(paths: &[String]) -> String {
    format!(
        "left as they are, edited meanwhile or with something else in their place: {}",
        path_list(paths)
    )
}

/// Why work is kept that was there before a test run, and not after it.
pub(crate) const GONE: &str = "gone after a test run";

/// The same, with the entry that holds it.
pub(crate) fn gone(number: u64, paths: &[String]) -> String {
    format!("{GONE}, kept as recover {number}: {}", path_list(paths))
}

/// What only the index held.
pub(crate) fn staged_kept(number: u64) -> String {
    format!("staged content that was nowhere else is kept as recover {number}")
}

/// Source that was put aside to mend a test.
pub(crate) fn parked_is_back(number: u64, left: &[String]) -> String {
    match left {
        [] => format!("the source put aside as recover {number} is back"),
        left => format!(
            "the source put aside as recover {number} is back, but for {}: \
             `git tcr recover show {number}`",
            path_list(left)
        ),
    }
}

/// Submodules that moved.
pub(crate) fn submodules(paths: &[String]) -> String {
    format!("changed submodules, never reverted: {}", path_list(paths))
}

/// Repositories that are not submodules.
pub(crate) fn nested_repositories(paths: &[String]) -> String {
    format!(
        "repositories in the worktree, never committed: {}",
        path_list(paths)
    )
}

/// Tests that failed and then passed on the same tree.
pub(crate) fn flaky(tests: &[String]) -> String {
    format!("failed once and then passed: {}", path_list(tests))
}
