//! Why a step ended as it did, and the next command.

use std::collections::BTreeSet;

use super::path_list;
use crate::languages::Unreadable;
use crate::outcome::step::{Kept, Seen, Settled, WhyUnclear};
use crate::rules::write_gate::{DenyReason, FrozenBy};
use crate::rules::{Decision, KeepReason, Label, NoAnswer, Scope, TakeBack, Why};
use crate::rules::{Mode, Phase};

/// What was settled, in a few words.
pub(crate) fn settled(settled: &Settled) -> String {
    match settled {
        Settled::Commit(commit) => format!("committed as {}", commit.label.name()),
        Settled::Keep(kept) => format!("kept: {}", kept.name()),
        Settled::TakeBack(back) => format!("taken back: {}", back.why.name()),
        Settled::Record { would, .. } => decision(would),
        Settled::Await(_) => "awaited the failing tests".into(),
        Settled::Nothing => "done nothing".into(),
    }
}

/// What a decision comes to, in a few words.
pub(crate) fn decision(decision: &Decision) -> String {
    match decision {
        Decision::Commit(commit) => format!("committed as {}", commit.label.name()),
        Decision::Keep(keep) => format!("kept: {}", reason(keep.why, None)),
        Decision::TakeBack(back) => format!("taken back: {}", taken_back(*back)),
        Decision::Nothing | Decision::Await(_) => "done nothing".into(),
    }
}

/// What a commit of the WIP branch says of itself beside its phase.
pub(crate) fn wip_trailers(label: Label, awaited: Option<&BTreeSet<String>>) -> Vec<String> {
    match label {
        Label::Red => crate::message::squash::test_trailers(awaited.into_iter().flatten()),
        Label::Green { partial: true } => vec!["TCR-Partial: true".into()],
        Label::Declared => vec!["TCR-Declared: true".into()],
        Label::Test
        | Label::Green { partial: false }
        | Label::Refactor
        | Label::Chore
        | Label::Docs
        | Label::Tcr => Vec::new(),
    }
}

/// What has to be said beside a commit.
pub(crate) fn beside_commit(label: Label, seen: &Seen) -> Vec<String> {
    let mut said = Vec::new();
    match label {
        Label::Test => said.push("the tests pass as they are, so they unlock nothing".into()),
        Label::Red if seen.fails_without_source => {
            said.push("shown by experiment: they fail without the new source".into());
        }
        Label::Red
        | Label::Green { .. }
        | Label::Declared
        | Label::Refactor
        | Label::Chore
        | Label::Docs
        | Label::Tcr => {}
    }
    if seen.unconfirmed {
        said.push("judged by the exit status alone: no report could be read".into());
    }
    said
}

/// Why work is kept.
pub(crate) fn kept(kept: Kept, seen: &Seen) -> String {
    match kept {
        Kept::Rules(why) => reason(why, Some(seen)),
        Kept::Relaxed(Why::Unasked) => "no failing test asks for this source".into(),
        Kept::Relaxed(Why::Patience) => "the tests still fail".into(),
        Kept::Relaxed(Why::Frozen) => "it is frozen, and there is nothing to take back".into(),
        Kept::Held => "it was restored on purpose and has not changed since".into(),
        Kept::Unclear => "no failing test asks for it, and it can't be told who wrote it".into(),
        Kept::LintFindings => "the tests pass, and the lint command has findings".into(),
        Kept::LintFailed => "the tests pass, but the lint command could not run".into(),
        Kept::LintWrote => {
            "the tests pass, but the lint command changed files after they ran".into()
        }
        Kept::Smells => "the step brings findings that block a commit".into(),
        Kept::Validator => {
            "the tests pass, and the validator has something against the source".into()
        }
        Kept::AsksForTests => format!(
            "the source asks whether it is being tested, so the tests prove nothing: {}",
            path_list(&seen.asking_for_tests)
        ),
        Kept::FullRunNeeded => "only some of the tests ran".into(),
        Kept::Unstable => unstable(&seen.unstable),
        Kept::Entangled | Kept::EditedMeanwhile => left_there(kept, Phase::Red),
    }
}

fn reason(why: KeepReason, seen: Option<&Seen>) -> String {
    match why {
        KeepReason::Unloadable => match seen.and_then(|seen| seen.missing_name.as_deref()) {
            Some(name) => format!("the tests can't load: `{name}` is missing"),
            None => told_by_run(seen, "the tests can't load"),
        },
        KeepReason::DoesNotParse => match seen.and_then(|seen| seen.does_not_parse.as_ref()) {
            Some((file, line)) => format!("`{file}:{line}` does not parse"),
            None => told_by_run(seen, "a test does not parse"),
        },
        KeepReason::Unproven => {
            "the tests pass even with empty bodies: none asks for this source".into()
        }
        KeepReason::Unasked => "the tests pass without this source: none asks for it".into(),
        KeepReason::StubsWait => match seen.and_then(|seen| seen.unreadable.as_ref()) {
            Some((file, why)) => unreadable(file, *why),
            None => "a stub waits for the failing test that needs it".into(),
        },
        KeepReason::RedStill => "tests still fail".into(),
        KeepReason::Lost => "tests that passed no longer do".into(),
        KeepReason::TestRemoved => "a test was removed, which `refactor` does not do".into(),
        KeepReason::UnchangedDie => "tests that the step does not touch die of errors".into(),
        KeepReason::NoRed => told_by_run(seen, "no test fails for a reason that counts"),
        KeepReason::BeyondTests => "every test passes, yet the test command fails".into(),
        KeepReason::Unconfirmed => "tests fail, and no report tells which".into(),
        KeepReason::Broken => told_by_run(seen, "the tests could not run"),
        KeepReason::Unknown => told_by_run(seen, "some tests did not run"),
        KeepReason::NoAnswer(why) => no_answer(why, seen),
        KeepReason::Flaky => "some tests pass only now and then".into(),
    }
}

/// Source of which nobody can tell what it does waits like a stub.
fn unreadable(file: &str, why: Unreadable) -> String {
    match why {
        Unreadable::NoGrammar => format!("`{file}` waits for the failing test that needs it"),
        Unreadable::NotText => {
            format!("`{file}` is not UTF-8, so it can't be read: it waits for a failing test")
        }
        Unreadable::TooLarge => {
            format!("`{file}` is too large to be read: it waits for a failing test")
        }
        Unreadable::Syntax { line } => {
            format!("`{file}:{line}` does not parse: it waits to be fixed, and for a failing test")
        }
    }
}

fn no_answer(why: NoAnswer, seen: Option<&Seen>) -> String {
    let words = seen.and_then(|seen| seen.no_answer.as_deref());
    let words = words.map(|words| format!(" ({words})")).unwrap_or_default();
    match why {
        NoAnswer::NoLab => format!("whether the test needs the source can't be tried here{words}"),
        NoAnswer::NoTime => "trying it would take too long".into(),
        NoAnswer::Broken => told_by_run(seen, "the experiment broke off"),
        NoAnswer::Void => format!("files changed during the experiment{words}"),
        NoAnswer::NotHollow => "the source can't be made hollow to try the test without it".into(),
    }
}

/// What the run said of itself, else these words.
fn told_by_run(seen: Option<&Seen>, otherwise: &str) -> String {
    match seen.map(|seen| seen.said.as_str()) {
        None | Some("") => otherwise.into(),
        Some(said) => said.into(),
    }
}

/// The next step when work is kept.
pub(crate) fn way_on(kept: Kept, seen: &Seen, phase: Phase) -> Vec<String> {
    let one = |hint: &str| vec![hint.to_owned()];
    match kept {
        Kept::Rules(why) => way_on_by_rules(why, seen, phase),
        Kept::Relaxed(_) => one("fix it, then `git tcr run`; or go back: `git tcr recover green`"),
        Kept::Held => one("change it, then `git tcr run`"),
        Kept::Unclear => one("a person has it judged with `git tcr run`"),
        Kept::LintFindings => one("fix what it names, then `git tcr run`"),
        Kept::LintFailed => one(
            "make the lint command run, or take `lint` out of `.tcr.toml` and `git tcr install`; then `git tcr run`",
        ),
        Kept::LintWrote | Kept::Unstable | Kept::FullRunNeeded | Kept::EditedMeanwhile => {
            one("git tcr run")
        }
        Kept::Smells => {
            one("fix what is named, or say why not: `tcr:allow RULE: REASON`; then `git tcr run`")
        }
        Kept::AsksForTests => one("take the question out of the source, then `git tcr run`"),
        Kept::Validator => one("coder: take out what no test asks for, then `git tcr run`"),
        Kept::Entangled => one(DISENTANGLE),
    }
}

fn way_on_by_rules(why: KeepReason, seen: &Seen, phase: Phase) -> Vec<String> {
    let one = |hint: String| vec![hint];
    match why {
        KeepReason::Unloadable => one(match &seen.missing_name {
            Some(name) => format!("write the code or a stub for `{name}` now"),
            None => "write the code or a stub that they need now".into(),
        }),
        KeepReason::DoesNotParse => one("fix that line first, then `git tcr run`".into()),
        KeepReason::Unasked if seen.source_goes => {
            one("what goes is taken out in `git tcr phase refactor`, then `git tcr run`".into())
        }
        KeepReason::Unproven | KeepReason::Unasked => vec![
            "change a test so that it fails without the source, then `git tcr run`".into(),
            "or, if behaviour stays the same: `git tcr phase refactor`".into(),
        ],
        KeepReason::StubsWait => one(match seen.does_not_parse {
            Some(_) => "fix that line first, then `git tcr run`".into(),
            None => "write the failing test that needs it".into(),
        }),
        KeepReason::RedStill | KeepReason::Lost => one(match phase {
            Phase::Refactor => "fix it, then `git tcr run`; several edits: `git tcr step`".into(),
            Phase::Plan | Phase::Red | Phase::Green | Phase::Done => {
                "go on until they pass; everything that was printed: `git tcr output`".into()
            }
        }),
        KeepReason::TestRemoved => one("to remove a test: `git tcr phase red`, then `git tcr run`".into()),
        KeepReason::UnchangedDie | KeepReason::NoRed | KeepReason::Unknown => {
            one("see what was printed: `git tcr output`".into())
        }
        KeepReason::BeyondTests => one("see what failed: `git tcr output`".into()),
        KeepReason::Unconfirmed => one(UNCONFIRMED_RED.into()),
        KeepReason::Broken => {
            one("fix what keeps the tests from running, then `git tcr run`".into())
        }
        KeepReason::NoAnswer(NoAnswer::NoLab | NoAnswer::NotHollow) => one(
            "put a stub in the place of the new bodies, `git tcr run`, then write them again: `git tcr recover`"
                .into(),
        ),
        KeepReason::NoAnswer(NoAnswer::NoTime | NoAnswer::Broken | NoAnswer::Void)
        | KeepReason::Flaky => one("git tcr run".into()),
    }
}

/// Why work was taken back.
pub(crate) fn taken_back(back: TakeBack) -> &'static str {
    match (back.why, back.scope) {
        (Why::Unasked, _) => "no failing test asks for this source",
        (Why::Frozen, Scope::Tests) => "with these tests alone an awaited test passes",
        (Why::Frozen, _) => "it is frozen",
        (Why::Patience, _) => "the tests still fail after as many tries as `patience` allows",
    }
}

/// The way on after work was taken back.
pub(crate) fn after_taking_back(back: TakeBack, mode: Mode, phase: Phase, number: u64) -> String {
    let kept = kept_as(number);
    match (back.why, phase) {
        (Why::Unasked, _) if mode != Mode::Tcr => format!(
            "write the failing test first; no new behaviour: `git tcr phase refactor`; {kept}"
        ),
        (_, Phase::Plan | Phase::Red | Phase::Green | Phase::Refactor | Phase::Done) => {
            format!("a smaller step; {kept}; several edits as one: `git tcr step`")
        }
    }
}

/// How to do all the same what was taken back because it is frozen.
pub(crate) fn way_after_frozen(reason: DenyReason, number: u64) -> Option<String> {
    let way = match reason {
        DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => WRONG_TEST,
        DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        } => WRONG_CERTIFIED_TEST,
        DenyReason::FailingTestElsewhere => {
            "the failing test is another project's: make it pass first"
        }
        DenyReason::NoFailingTest { .. }
        | DenyReason::Protected
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
/// The way on where a test fails and nobody can tell which, or why.
pub(crate) const UNCONFIRMED_RED: &str = "source stays locked: set `red_confirm` in `.tcr.toml` to what a failing test prints and `git tcr install`; then `git tcr run`";
/// The way on from a file whose source and tests can't be told apart.
const DISENTANGLE: &str = "keep tests and source in items of their own, then `git tcr run`";
/// The way on when a file was edited at the wrong moment.
pub(crate) const TRY_AGAIN: &str = "`git tcr run` tries again";
/// The way on when the tests write files that git sees.
pub(crate) const IGNORE_WRITTEN: &str = "ignore files that the tests write, then `git tcr run`";
/// Results whose tree is no more.
pub(crate) const RESULTS_OF_BEFORE: &str =
    "the results are of what was there before, so they do not count";

/// The way on where results from elsewhere say nothing of what is left.
pub(crate) const JUDGE_THE_REST: &str = "git tcr run";

fn kept_as(number: u64) -> String {
    format!("the work: `git tcr recover show {number}`")
}

/// Changes that may be an agent's or a person's.
pub(crate) fn unclear(paths: &[String], why: &WhyUnclear) -> String {
    let why = match why {
        WhyUnclear::Interrupted => "a call of an agent was interrupted".to_owned(),
        WhyUnclear::LivedOn(processes) => {
            format!(
                "a process of an agent's call lived on (`{}`)",
                processes.join("`, `")
            )
        }
        WhyUnclear::Disarmed => "hooks had been disarmed".to_owned(),
    };
    format!(
        "changed while {why}, kept until a person's `git tcr run`: {}",
        path_list(paths)
    )
}

/// Changes that are frozen where the mode does not take them back.
pub(crate) fn should_not_have_changed(phase: Phase, paths: &[String]) -> String {
    format!(
        "`{phase}` does not allow this, and it was left as it is: {}",
        path_list(paths)
    )
}

/// Why frozen work was taken back.
pub(crate) fn frozen_in(phase: Phase) -> String {
    format!("it is frozen in `{phase}`")
}

/// Something that is frozen is still there.
pub(crate) fn left_there(kept: Kept, phase: Phase) -> String {
    match kept {
        Kept::EditedMeanwhile => {
            format!("`{phase}` does not allow these changes, and they were edited meanwhile")
        }
        _ => "source and tests of these files can't be told apart".into(),
    }
}

/// The way on from there.
pub(crate) fn way_on_from_there(kept: Kept) -> &'static str {
    match kept {
        Kept::EditedMeanwhile => TRY_AGAIN,
        _ => DISENTANGLE,
    }
}

/// Advice after work was taken back several times in a row.
pub(crate) fn many_times(streak: u64) -> Vec<String> {
    vec![format!(
        "taken back {streak} times in a row: take a smaller step, read the failing test again, ask whether it is right, look at `git tcr output`, or ask a person"
    )]
}

/// The options when the same failure comes again and again.
pub(crate) fn stuck() -> Vec<String> {
    vec![
        "stuck: the same failure again and again".into(),
        "back to the last green: `git tcr recover green`".into(),
        "or another approach, or ask a person".into(),
    ]
}

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
/// The line in the log where a step ends with nothing to judge.
pub(crate) const STEP_ENDS: &str = "ends, with nothing to judge";
pub(crate) const GONE: &str = "gone after a test run";

/// The same, with the entry that holds it.
pub(crate) fn gone(number: u64, paths: &[String]) -> String {
    format!("{GONE}, kept as recover {number}: {}", path_list(paths))
}

/// What only the index held.
pub(crate) fn staged_kept(number: u64) -> String {
    format!("staged content that was nowhere else is kept as recover {number}")
}

/// Source that was put aside to fix a test.
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

/// Commits that a call of an agent made itself.
pub(crate) fn own_commits(number: u64) -> String {
    format!(
        "commits made in the call are taken back and judged as edits; their tip is recover {number}"
    )
}

/// Submodules that moved.
pub(crate) fn submodules(paths: &[String]) -> String {
    format!("changed submodules, never taken back: {}", path_list(paths))
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
