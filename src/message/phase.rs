//! What a phase allows, what comes next, and why a declaration was refused.

use super::{Message, Tone, path_list, spec, spike};
use crate::branch::off::Off;
use crate::branch::state::State;
use crate::error::Error;
use crate::rules::declared::Refusal;
use crate::rules::{Mode, Phase};

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

/// The next step where the tests have not run yet.
pub(crate) const NEXT_WITHOUT_RESULT: &str =
    "make the tests run, then `git tcr run`; their command is `test` in `.tcr.toml`";

/// The next step where no phase says what may be written.
pub(crate) const NEXT_WITHOUT_PHASES: &str =
    "make a small change, then `git tcr run`: green is committed, red is taken back";

/// Known failures that are awaited now.
pub(crate) fn awaits(before: Phase, tests: &[String]) -> Message {
    Message::new(Tone::Good, format!("phase `{before}` → `green`"))
        .fact(format!("to pass next: {}", path_list(tests)))
}

/// A test that is named and is no known failure.
pub(crate) fn no_known_failure(name: &str, known: &[String]) -> Error {
    let what = match known {
        [] => format!("`{name}` is no known failure: there are none"),
        known => format!(
            "`{name}` is no known failure; these are: {}",
            path_list(known)
        ),
    };
    let hint = "change the test or write another one that fails, then `git tcr run`".into();
    Error::Refused { what, hint }
}

/// A name that stands for several known failures.
pub(crate) fn several_known_failures(name: &str, found: &[String]) -> Error {
    let what = format!(
        "`{name}` stands for several known failures: {}",
        path_list(found)
    );
    let hint = "git tcr phase green TEST, with more of its name".into();
    Error::Refused { what, hint }
}

/// Tests are named with another phase.
pub(crate) fn tests_without_green() -> Error {
    Error::Usage {
        what: "tests are named with `green` alone: known failures that are to pass next".into(),
        hint: "git tcr phase green TEST".into(),
    }
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
        Refusal::NotProven => (
            "the way out does not hold: the tests do not ask for this source".into(),
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

/// A phase was declared; `parked` are the files put aside as an entry of `recover`.
pub(crate) fn declared(
    before: Phase,
    phase: Phase,
    recover: Option<u64>,
    parked: &[String],
) -> Message {
    let message = Message::new(Tone::Good, format!("phase `{before}` → `{phase}`"));
    match recover {
        Some(number) => message.fact(format!(
            "put aside as recover {number} until the next valid red: {}",
            path_list(parked)
        )),
        None => message,
    }
}

/// A declared phase with what may be done in it.
pub(crate) fn with_what_follows(mut declared: Message, allowed: &str, next: &str) -> Message {
    let allowed = format!("may be written now: {allowed}");
    declared.facts.insert(0, allowed);
    declared.hint(next)
}

/// Only the end of a cycle can be given up.
pub(crate) fn abandon_without_done() -> Error {
    Error::Usage {
        what: "`--abandon` goes with `done`".into(),
        hint: "git tcr phase done --abandon".into(),
    }
}

/// `done` is more than a change of phase.
pub(crate) fn done_is_a_command() -> Error {
    Error::Refused {
        what: "the end of a spec cycle has a command of its own".into(),
        hint: "git tcr phase done".into(),
    }
}

/// A longer step has begun.
pub(crate) fn step_open() -> Message {
    Message::new(
        Tone::Good,
        "a longer step is open: edits are not judged one by one",
    )
    .hint("git tcr run")
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
        .fact(
            "a failing test comes first; green is committed, red is taken back, after each change",
        )
        .fact(format!(
            "may be written now: {}",
            spec::allowed_in(state, mode)
        ))
        .fact("the tests run by themselves after each change: don't run the whole suite yourself")
        .fact("a change that needs several edits: `git tcr step` first, `git tcr run` at its end")
        .fact("when the work is done, tell the person to squash it")
        .hint(next)
        .plain()
}
