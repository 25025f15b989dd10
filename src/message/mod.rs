//! The one place that words what people and agents read.
//!
//! Lower-case start after the prefix, values in backticks, one fact a line, the next command last.

pub(crate) mod evidence;
pub(crate) mod hooks;
pub(crate) mod lint;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod report;
pub(crate) mod smells;
pub(crate) mod spec;
pub(crate) mod spike;
pub(crate) mod squash;
pub(crate) mod stats;
pub(crate) mod timeline;
pub(crate) mod verify;
pub(crate) mod watch;

use std::fmt::Write as _;

use crate::error::Error;
use crate::journal::event::Counts;
use crate::journal::state::{State, TestResults};
use crate::policy::compare::Comparison;
use crate::policy::declared::Refusal;
use crate::policy::shell_gate::DenyReason as CommandDenial;
use crate::policy::write_gate::{DenyReason, FrozenBy};
use crate::policy::{CommitLabel, KeepReason, LoopDecision, Remark, RevertReason};
use crate::policy::{Mode, Phase, Verdict};
use crate::tcr_gate::{Denial, Objection};
use crate::tcr_loop::outcome::{Action, Outcome};
use crate::tcr_loop::session::Off;

/// How a headline is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Plain,
}

/// A headline, facts, and the next steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) tone: Tone,
    pub(crate) headline: String,
    pub(crate) facts: Vec<String>,
    pub(crate) hints: Vec<String>,
}

impl Message {
    pub(crate) fn new(tone: Tone, headline: impl Into<String>) -> Self {
        Message {
            tone,
            headline: headline.into(),
            facts: Vec::new(),
            hints: Vec::new(),
        }
    }

    pub(crate) fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The text, with colour codes that a plain stream strips.
    pub(crate) fn render(&self) -> String {
        let (on, off) = match self.tone {
            Tone::Good => ("\x1b[32m", "\x1b[0m"),
            Tone::Bad => ("\x1b[31m", "\x1b[0m"),
            Tone::Plain => ("", ""),
        };
        let mut text = format!("{on}tcr:{off} {}\n", self.headline);
        for fact in &self.facts {
            for line in fact.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        for hint in &self.hints {
            let _ = writeln!(text, "hint: {hint}");
        }
        text
    }
}

impl Message {
    /// The text without colour, for agents.
    pub(crate) fn plain(&self) -> String {
        Message {
            tone: Tone::Plain,
            ..self.clone()
        }
        .render()
    }
}

/// The words for an error.
pub(crate) fn error(error: &Error) -> Message {
    let mut message = Message::new(Tone::Bad, error.to_string());
    message.hints.extend(error.hint());
    message
}

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The counts of a run: `3 passed, 1 failed`.
pub(crate) fn counts(counts: Counts) -> String {
    let mut parts = vec![format!("{} passed", counts.passed)];
    if counts.failed > 0 {
        parts.push(format!("{} failed", counts.failed));
    }
    if counts.skipped > 0 {
        parts.push(format!("{} skipped", counts.skipped));
    }
    parts.join(", ")
}

/// `12 ms`, `3.4 s`, `2 min 5 s`.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// What a run said, in a few words.
pub(crate) fn results(results: &TestResults) -> String {
    let verdict = results.verdict.map_or("unknown", Verdict::name);
    let took = if results.cached {
        "known result".into()
    } else {
        duration(results.duration_ms)
    };
    if results.total == 0 {
        let how = if results.confirmed {
            ""
        } else {
            ", by exit status alone"
        };
        return format!("{verdict}{how} ({took})");
    }
    let counted = Counts {
        passed: results.passed.len(),
        failed: results.failed.len(),
        skipped: results.skipped.len(),
    };
    format!("{verdict}: {} ({took})", counts(counted))
}

/// What may be written in a phase, for people.
pub(crate) fn allowed_now(phase: Phase) -> &'static str {
    match phase {
        Phase::Plan => "the spec and its plan; no tests or source yet",
        Phase::Red => "tests (and stubs that let them load); source waits for a failing test",
        Phase::Green => "source, until the failing tests pass; tests are frozen",
        Phase::Refactor => "source and tests, as long as the tests stay green",
        Phase::Done => "anything: the cycle is over",
    }
}

/// The next step in a phase.
pub(crate) fn next_step(phase: Phase) -> &'static str {
    match phase {
        Phase::Plan => "write the plan, then `git tcr plan FILE`",
        Phase::Red => "write a failing test, then `git tcr run`",
        Phase::Green => "make the failing tests pass, then `git tcr run`",
        Phase::Refactor => {
            "reshape the code, then `git tcr run`; `git tcr phase red` for new behaviour"
        }
        Phase::Done => "git tcr squash",
    }
}

/// The words for what the loop did.
pub(crate) fn outcome(outcome: &Outcome, output_limit: Option<usize>) -> Message {
    let mut message = Message::new(tone_of(outcome), headline(outcome));
    message.facts.extend(outcome.put_back.iter().cloned());
    if !outcome.undone.is_empty() {
        message.facts.push(format!(
            "put back, because `{}` does not allow it: {}",
            outcome.phase,
            path_list(&outcome.undone)
        ));
    }
    if !outcome.reason.is_empty() {
        message.facts.push(outcome.reason.clone());
    }
    if let Some(results) = &outcome.test_results {
        message
            .facts
            .push(format!("tests: {}", self::results(results)));
        message.facts.extend(failing(results));
    }
    if let Some(would) = &outcome.would {
        message.facts.push(format!("would have: {would}"));
    }
    message.facts.extend(outcome.remarks.iter().cloned());
    if !outcome.edited_meanwhile.is_empty() {
        message.facts.push(format!(
            "edited meanwhile and left as they are: {}",
            path_list(&outcome.edited_meanwhile)
        ));
    }
    if !outcome.leftovers.is_empty() {
        message.facts.push(format!(
            "left behind by the tests, not committed: {} (ignore them in `.gitignore`)",
            path_list(&outcome.leftovers)
        ));
    }
    message.facts.extend(quoted_output(outcome, output_limit));
    message.facts.extend(lint::facts(outcome, output_limit));
    message.facts.extend(smells::in_one_line(&outcome.smells));
    message.facts.extend(smells::to_mend(&outcome.smells));
    message.hints.extend(outcome.hints.iter().cloned());
    message
}

fn tone_of(outcome: &Outcome) -> Tone {
    match outcome.action {
        Action::Commit | Action::Activate => Tone::Good,
        Action::Revert => Tone::Bad,
        Action::Keep if outcome.is_no() || outcome.is_undecided() => Tone::Bad,
        Action::Keep | Action::Record | Action::None => Tone::Plain,
    }
}

fn headline(outcome: &Outcome) -> String {
    let files = count(outcome.files.len(), "file", "files");
    match outcome.action {
        Action::Activate => format!("active on `{}`", outcome.base),
        Action::Commit => {
            let label = outcome.label.unwrap_or("commit");
            let commit = outcome.commit.as_deref().unwrap_or_default();
            format!(
                "committed as {label}: {files}, `{}` on `{}`{}",
                short_id(commit),
                outcome.branch,
                moved(outcome)
            )
        }
        Action::Revert => format!(
            "reverted: {files}, kept as recover {}{}",
            outcome.recover.unwrap_or_default(),
            moved(outcome)
        ),
        Action::Keep => format!("kept, not committed: {files} in phase `{}`", outcome.phase),
        Action::Record => format!(
            "recorded in phase `{}`, nothing touched{}",
            outcome.phase,
            moved(outcome)
        ),
        Action::None => "nothing to do".into(),
    }
}

fn moved(outcome: &Outcome) -> String {
    if outcome.phase == outcome.next_phase {
        String::new()
    } else {
        format!(", phase `{}` → `{}`", outcome.phase, outcome.next_phase)
    }
}

/// The first characters of an object id.
pub(crate) fn short_id(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// A few paths, and how many more.
pub(crate) fn path_list(paths: &[String]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = paths
        .iter()
        .take(NAMED)
        .map(|path| format!("`{path}`"))
        .collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn failing(results: &TestResults) -> Option<String> {
    const NAMED: usize = 5;
    if results.failed.is_empty() {
        return None;
    }
    let named: Vec<String> = results
        .failed
        .iter()
        .take(NAMED)
        .map(|test| format!("`{test}`"))
        .collect();
    let more = match results.failed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("failing: {}{more}", named.join(", ")))
}

fn quoted_output(outcome: &Outcome, limit: Option<usize>) -> Option<String> {
    let limit = limit.filter(|limit| *limit > 0)?;
    let results = outcome.test_results.as_ref()?;
    let shown = match results.verdict {
        Some(Verdict::Green) | None => return None,
        Some(Verdict::Red | Verdict::Broken) => results.output.trim(),
    };
    if shown.is_empty() {
        return None;
    }
    let quoted: Vec<String> = crate::tcr_loop::results::tail(shown, limit)
        .lines()
        .map(|line| format!("| {line}"))
        .collect();
    Some(quoted.join("\n"))
}

/// The label of a commit as its trailer has it.
pub(crate) fn label_trailer(label: CommitLabel) -> &'static str {
    match label {
        CommitLabel::PartialGreen => CommitLabel::Green.name(),
        label => label.name(),
    }
}

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
                "{}; tests are never reverted here",
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

/// The next step when work was kept.
pub(crate) fn keep_hint(reason: KeepReason, phase: Phase) -> Option<String> {
    match reason {
        KeepReason::Broken { .. } => {
            Some("mend what keeps the tests from running, then `git tcr run`".into())
        }
        KeepReason::NothingToRevert(_) | KeepReason::WouldRevert(_) => {
            Some("mend it, then `git tcr run`; or go back: `git tcr recover green`".into())
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

/// Why a declared phase or step was refused, and the next command.
pub(crate) fn refusal(refusal: Refusal, asked: Phase) -> (String, String) {
    let (what, hint) = match refusal {
        Refusal::Off => ("git tcr is off on this branch".into(), "git tcr on"),
        Refusal::AlreadyThere => (
            format!("the work is in `{asked}` already"),
            "git tcr status",
        ),
        Refusal::NoSpecCycle => (
            format!("`{asked}` belongs to a spec cycle, and none is running"),
            "git tcr status",
        ),
        Refusal::SpecCycleRuns => ("a spec cycle is running".into(), "git tcr status"),
        Refusal::WrongPhase { needs } => (
            format!("`{asked}` can't be declared here: it follows `{needs}`"),
            "git tcr status",
        ),
        Refusal::ByResultOnly => (
            "`green` is not declared: a failing test leads there".into(),
            "write a failing test, then `git tcr run`",
        ),
        Refusal::ByStartOnly => (
            "`plan` is not declared: starting a spec leads there".into(),
            "git tcr status",
        ),
        Refusal::NotGreen => (
            format!("`{asked}` needs passing tests on this very tree"),
            "git tcr run",
        ),
        Refusal::NotValidlyRed => (
            "the tests of this tree do not fail validly".into(),
            "git tcr run",
        ),
        Refusal::Unconfirmed => (
            "the result rests on the exit status alone".into(),
            "set `red_confirm` in `.tcr.toml`, then `git tcr install`",
        ),
        Refusal::Dirty => (
            format!("uncommitted work would be judged by the rules of `{asked}`"),
            "git tcr run",
        ),
        Refusal::ReasonMissing => (
            "going back from `green` to mend a test needs a reason".into(),
            "git tcr phase red --why \"what is wrong with the test\"",
        ),
        Refusal::OracleFrozen => (
            "the tests are certified and frozen".into(),
            "git tcr status",
        ),
        Refusal::TestBugOpen => (
            "a test was reported as wrong: a person decides first".into(),
            "git tcr status",
        ),
        Refusal::TestsDoNotQualify => (
            "some new tests fail for a reason that does not count".into(),
            "git tcr run",
        ),
        Refusal::ScenarioUnnamed => (
            "a scenario of the spec is named by no test".into(),
            "git tcr status",
        ),
        Refusal::ValidatorIsAuthor => (
            "whoever wrote the plan or the tests can't certify them".into(),
            "git tcr status",
        ),
        Refusal::ValidatorUnknown => ("it can't be told who certifies".into(), "git tcr status"),
        Refusal::LintFindings => ("the lint command has findings".into(), "git tcr status"),
        Refusal::ArtifactsMissing => (
            "something the plan promised is missing".into(),
            "git tcr status",
        ),
        Refusal::NotFrozen => ("nothing is certified yet".into(), "git tcr status"),
        Refusal::OracleDrifted => (
            "spec or tests are not as they were certified".into(),
            "git tcr run",
        ),
        Refusal::PersonOnly => (
            "only a person may do this".into(),
            "ask the person at the keyboard",
        ),
    };
    (what, hint.into())
}

/// Why nothing is done on a branch, and the next command.
pub(crate) fn off(why: Off, base: &str) -> (String, String) {
    let (what, hint) = match why {
        Off::Spike => (
            format!("a spike is open on `{base}`: the rules wait"),
            spike::WAYS_OUT,
        ),
        Off::Switched => (format!("git tcr is off on `{base}`"), "git tcr on"),
        Off::ByConfig => (
            "`.tcr.toml` says `enabled = false`".into(),
            "set `enabled = true`, then `git tcr install`",
        ),
        Off::ByMode => (
            format!("the mode on `{base}` is `off`"),
            "git tcr mode both",
        ),
        Off::ByBranch => (
            format!("`{base}` is not among the `branches` of `.tcr.toml`"),
            "add it there, then `git tcr install`",
        ),
    };
    (what, hint.into())
}

/// The way on after a revert.
pub(crate) fn after_revert(phase: Phase, number: u64) -> String {
    let next = match phase {
        Phase::Green | Phase::Refactor => "a smaller step",
        Phase::Plan | Phase::Red | Phase::Done => "a failing test first",
    };
    format!(
        "{next}; the work is kept: `git tcr recover show {number}`; several edits at once: `git tcr step`"
    )
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

/// The note on a WIP commit.
pub(crate) fn commit_summary(label: &str, cycle: u64, results: Option<&TestResults>) -> String {
    let mut text = format!("phase: {label}\ncycle: {cycle}\n");
    if let Some(results) = results {
        let _ = writeln!(
            text,
            "verdict: {}",
            results.verdict.map_or("unknown", Verdict::name)
        );
        if results.total > 0 {
            let counted = crate::tcr_loop::counts_of(results);
            let _ = writeln!(text, "tests: {}", counts(counted));
        }
        let _ = writeln!(text, "duration: {}", duration(results.duration_ms));
    }
    text
}

/// A tool call that was denied: what, why, the state it was decided on, the allowed next steps.
pub(crate) fn denial(denial: &Denial) -> Message {
    let (headline, why, hint) = match &denial.objection {
        Objection::Write {
            shown,
            class,
            reason,
            ..
        } => {
            let (why, hint) = write_denial(*reason, denial.phase);
            (
                format!(
                    "denied: `{shown}` ({}) may not be written now",
                    class.name()
                ),
                why,
                hint,
            )
        }
        Objection::Command(reason) => {
            let (why, hint) = command_denial(reason);
            ("denied: this command may not be run here".into(), why, hint)
        }
        Objection::Unparsed(why) => (
            "denied: this command can't be understood before it runs".into(),
            why.clone(),
            "write it in a simpler way, or in several calls".into(),
        ),
        Objection::UnreadablePatch => (
            "denied: this patch names no file".into(),
            "what it would change can't be judged".into(),
            "name each file: `*** Update File: PATH`".into(),
        ),
    };
    let state = format!(
        "phase `{}`, mode `{}`, branch `{}`",
        denial.phase, denial.mode, denial.branch
    );
    let mut message = Message::new(Tone::Bad, headline).fact(why).fact(state);
    if let Some(diff) = &denial.drift {
        message = message.fact(diff.clone());
    }
    message.hint(hint)
}

fn write_denial(reason: DenyReason, phase: Phase) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    match reason {
        DenyReason::Protected => (
            "it steers git tcr, git or the client's hooks: only people write it".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: true } => (
            "the spec is frozen: a person supersedes it with another one".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: false } => (
            "the spec is settled: it is written in `plan`".into(),
            next_step(phase).into(),
        ),
        DenyReason::PlanFirst => (
            "tests and source wait for the plan".into(),
            next_step(Phase::Plan).into(),
        ),
        DenyReason::NoFailingTest { content_unknown } => {
            let why = if content_unknown {
                "no failing test asks for it, and that it is only a stub can't be seen"
            } else {
                "no failing test asks for it, and it is more than a stub"
            };
            (
                why.into(),
                "new behaviour: write a failing test; no new behaviour: `git tcr phase refactor`"
                    .into(),
            )
        }
        DenyReason::FailingTestElsewhere => (
            "the failing test is another project's".into(),
            "make the failing test pass first, or write one for this project".into(),
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => (
            "tests are frozen until the failing ones pass".into(),
            "make them pass; if a test is wrong: `git tcr phase red --why TEXT`".into(),
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        } => (
            "the certified tests are frozen".into(),
            "coder: make them pass; if a test is wrong: `git tcr test-bug FILE:LINE TEXT`".into(),
        ),
        DenyReason::OracleDrifted => (
            "spec or frozen tests differ from what was certified".into(),
            "git tcr run".into(),
        ),
        DenyReason::TestBugOpen => (
            "a test was reported as wrong: a person decides first".into(),
            ask,
        ),
    }
}

fn command_denial(reason: &CommandDenial) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    let run = "git tcr run".to_owned();
    match reason {
        CommandDenial::LosesWork => (
            "it would overwrite or throw away work".into(),
            "git tcr recover".into(),
        ),
        CommandDenial::MovesBranch => ("it would move the branch under git tcr".into(), run),
        CommandDenial::LeavesWipBranch => ("it would leave the WIP branch".into(), ask),
        CommandDenial::RewritesHistory => ("it would rewrite recorded steps".into(), run),
        CommandDenial::SkipsHooks => ("it would pass by the hooks".into(), run),
        CommandDenial::ChangesConfig { key: Some(key) } => (
            format!("it would change `{key}`, which hooks and records depend on"),
            ask,
        ),
        CommandDenial::ChangesConfig { key: None } => (
            "it would change config that hooks and records depend on".into(),
            ask,
        ),
        CommandDenial::ChangesRecords => (
            "refs and notes of git tcr change through git tcr alone".into(),
            run,
        ),
        CommandDenial::ChangesWipBranch => (
            "the WIP branch and its base move through git tcr alone".into(),
            run,
        ),
        CommandDenial::PublishesWip => ("the WIP branch does not leave this machine".into(), ask),
        CommandDenial::DropsRecovery => ("it would make recovery impossible".into(), ask),
        CommandDenial::HidesChanges => ("it would hide changes from git".into(), run),
        CommandDenial::OtherWorktree => ("it would work outside the guarded worktree".into(), ask),
        CommandDenial::ForeignRepository => (
            "it would point git at something else".into(),
            "run git in the repository itself".into(),
        ),
        CommandDenial::RunsHook => ("hooks are run by git and by the client".into(), run),
        CommandDenial::PeoplesCommand { command } => {
            (format!("`git tcr {command}` is for people"), ask)
        }
        CommandDenial::NotTheCaller {
            identity: Some(identity),
        } => (
            format!("tests are certified under the identity of this very call, `{identity}`"),
            format!("git tcr freeze --verdict pass --by {identity}"),
        ),
        CommandDenial::NotTheCaller { identity: None } => (
            "this client can't tell its agents apart: only a person or `--auto` may freeze".into(),
            "git tcr freeze --auto".into(),
        ),
        CommandDenial::Disarms(_) => ("it would disarm git tcr".into(), ask),
    }
}

/// The gate itself failed: that is a denial, and the person has a way out.
pub(crate) fn gate_failed(error: &Error) -> String {
    let mut message = self::error(error);
    message.headline = format!("denied: {}", message.headline);
    message
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .plain()
}

/// The gate was called for something that is not the moment before a tool call.
pub(crate) fn gate_misused() -> String {
    Message::new(
        Tone::Bad,
        "denied: the gate is for the moment before a tool call",
    )
    .hint("git tcr install")
    .plain()
}

/// The gate did not come to an answer in time.
pub(crate) fn gate_too_slow(seconds: u64) -> String {
    Message::new(Tone::Bad, format!("denied: not judged within {seconds} s"))
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .hint("try it again, in several smaller calls")
        .plain()
}

/// A client's message that can't be read.
pub(crate) fn unreadable_payload(why: &str) -> String {
    Message::new(
        Tone::Bad,
        format!("denied: the client's message can't be read: {why}"),
    )
    .hint("update git tcr, or ask the person at the keyboard")
    .plain()
}

/// What an agent is told when its session starts.
pub(crate) fn session_start(state: &State, mode: Mode, next: &str) -> String {
    let phase = state.phase;
    let headline = match &state.spec {
        Some(spec) => format!(
            "this repository is under git tcr: spec cycle `{}`, phase `{phase}`, mode `{mode}`",
            spec.id
        ),
        None => format!(
            "this repository is under git tcr: phase `{phase}`, cycle {}, mode `{mode}`",
            state.cycle
        ),
    };
    Message::new(Tone::Plain, headline)
        .fact("a failing test comes first; green is committed, red is reverted, after each change")
        .fact(format!("may be written now: {}", spec::allowed_now(state)))
        .fact("the tests run by themselves after each change: don't run the whole suite yourself")
        .fact("a change that needs several edits: `git tcr step` first, `git tcr run` at its end")
        .fact("when the work is done, tell the person to squash it")
        .hint(next)
        .plain()
}
