//! The words of the spec cycle.

pub(crate) mod bugs;
pub(crate) mod certify;
pub(crate) mod done;

use super::phase::{NEXT_WITHOUT_PHASES, NEXT_WITHOUT_RESULT, next_step};
use super::{Message, Tone, count, path_list, short_id};
use crate::branch::cycle::{Authors, SpecFacts};
use crate::branch::state::State;
use crate::outcome::spec::{CycleStatus, Superseded};
use crate::rules::spec::{Spec, SpecRefusal};
use crate::rules::{Mode, Phase, Refusal, Verdict};

/// Who acts in a phase of the spec cycle.
pub(crate) fn role(phase: Phase, ready_to_freeze: bool) -> &'static str {
    match phase {
        Phase::Plan => "planner",
        Phase::Red if ready_to_freeze => "validator",
        Phase::Red => "test author",
        Phase::Green | Phase::Refactor => "coder",
        Phase::Done => "person",
    }
}

/// The command that leads out of a phase.
pub(crate) fn next_gate(phase: Phase) -> &'static str {
    match phase {
        Phase::Plan => "plan",
        Phase::Red => "freeze",
        Phase::Green | Phase::Refactor => "phase done",
        Phase::Done => "squash",
    }
}

/// The next step, in a mode.
pub(crate) fn next_in_mode(state: &State, mode: Mode, ready_to_freeze: bool) -> String {
    if state.never_ran() {
        return NEXT_WITHOUT_RESULT.into();
    }
    match mode {
        Mode::Tcr if state.spec.is_none() => NEXT_WITHOUT_PHASES.into(),
        Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Observe | Mode::Off => {
            next_in(state, ready_to_freeze)
        }
    }
}

/// The next step in the cycle of a state, with the role that takes it in a spec cycle.
pub(crate) fn next_in(state: &State, ready_to_freeze: bool) -> String {
    if state.spec.is_none() {
        return next_step(state.phase).into();
    }
    if let Some(open) = state.open_test_bug() {
        return format!(
            "a person decides: `git tcr test-bug accept {0}` or `git tcr test-bug reject {0}`",
            open.number
        );
    }
    let who = role(state.phase, ready_to_freeze);
    match state.phase {
        Phase::Plan => format!("{who}: {}", next_step(Phase::Plan)),
        Phase::Red if ready_to_freeze => format!(
            "{who} (not who wrote the tests): `git tcr freeze --verdict pass --by ID`, or `--auto`"
        ),
        Phase::Red => {
            format!("{who}: a failing test for each scenario, named after it, then `git tcr run`")
        }
        Phase::Green | Phase::Refactor if passes(state) => {
            format!(
                "{who}: `git tcr phase done`; to reshape the code first: `git tcr phase refactor`"
            )
        }
        Phase::Green | Phase::Refactor => format!(
            "{who}: make the certified tests pass, then `git tcr phase done`; a test is wrong: `git tcr test-bug FILE:LINE TEXT`"
        ),
        Phase::Done if state.wip.is_none() => {
            "git tcr start --spec FILE; without a spec: git tcr phase red".into()
        }
        Phase::Done => next_step(Phase::Done).into(),
    }
}

/// Whether the certified tests pass, as far as is known.
fn passes(state: &State) -> bool {
    let results = state.accepted_results();
    results.is_some_and(|results| results.verdict == Some(Verdict::Green))
}

/// What may be written now, in a mode.
pub(crate) fn allowed_in(state: &State, mode: Mode) -> &'static str {
    match mode {
        Mode::Tcr if state.oracle_in_force().is_none() => {
            "anything: what makes the tests fail is taken back"
        }
        Mode::Observe => "anything: what the rules have against it is recorded",
        Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Off => allowed_now(state),
    }
}

/// What may be written now.
pub(crate) fn allowed_now(state: &State) -> &'static str {
    if state.open_test_bug().is_some() {
        return "docs only: a person decides on a test bug first";
    }
    match (state.phase, state.oracle_in_force()) {
        (Phase::Green, Some(_)) => {
            "source, until the certified tests pass; spec and tests are frozen"
        }
        (Phase::Refactor, Some(_)) => {
            "source, as long as the tests stay green; spec and tests are frozen"
        }
        (phase, _) => super::phase::allowed_now(phase),
    }
}

/// Why a step of the spec cycle was refused, and the next command.
pub(crate) fn refusal(refusal: Refusal, asked: &str, phase: Phase) -> (String, String) {
    let status = "git tcr status".to_owned();
    match refusal {
        Refusal::NoSpecCycle => (
            format!("`{asked}` belongs to a spec cycle, and none is running"),
            "git tcr start --spec FILE".into(),
        ),
        Refusal::SpecCycleRuns => (
            "a spec cycle is running: end it before another one starts".into(),
            "git tcr phase done, or a person: git tcr phase done --abandon".into(),
        ),
        Refusal::WrongPhase { needs } => (
            format!("`{asked}` is done in `{needs}`, and this is `{phase}`"),
            status,
        ),
        Refusal::Dirty => (
            format!("uncommitted work has to be judged before `{asked}`"),
            "git tcr run".into(),
        ),
        Refusal::NotValidlyRed => (
            "the tests of this tree do not fail validly".into(),
            "test author: write a failing test for each scenario, then `git tcr run`".into(),
        ),
        Refusal::TestsDoNotQualify => (
            "some new tests prove nothing".into(),
            "test author: mend or remove them, then `git tcr run`".into(),
        ),
        Refusal::ScenarioUnnamed => (
            "a scenario of the spec is named by no failing test".into(),
            "test author: name the scenario in the test's name, or in a comment above it".into(),
        ),
        Refusal::ValidatorIsAuthor => (
            "whoever wrote the plan or the tests can't certify them".into(),
            "validator: somebody else has to look; or `git tcr freeze --auto`".into(),
        ),
        Refusal::ValidatorUnknown => (
            "it can't be told who certifies: the gate did not see this identity make the call"
                .into(),
            "a person: `git tcr freeze --verdict pass --by NAME`; or `git tcr freeze --auto`"
                .into(),
        ),
        Refusal::NotGreen => (
            "the certified tests do not pass on this tree".into(),
            "coder: make them pass, then `git tcr run`".into(),
        ),
        Refusal::LintFindings => (
            "the lint command is not clean".into(),
            "coder: mend what it says, then `git tcr phase done`".into(),
        ),
        Refusal::ArtifactsMissing => (
            "something that the plan promised is missing".into(),
            "coder: add it, then `git tcr phase done`".into(),
        ),
        Refusal::NotProven => (
            "the way out does not hold".into(),
            "a test that asks for nothing: git tcr test-bug; code that no test needs: remove it, \
             then `git tcr run`"
                .into(),
        ),
        Refusal::OracleDrifted => (
            "spec or tests are not as they were certified".into(),
            "git tcr run".into(),
        ),
        Refusal::NotFrozen => (
            "nothing is certified and frozen here".into(),
            "git tcr status".into(),
        ),
        other => super::phase::refusal(other, phase),
    }
}

/// A spec, plan or document that can't be used.
pub(crate) fn bad_file(path: &str, why: &SpecRefusal) -> (String, String) {
    let hint = match why {
        SpecRefusal::NoScenario => {
            "planner: write `#### Scenario: TITLE` with its Given, When and Then lines"
        }
        SpecRefusal::Duplicate { .. } | SpecRefusal::Untitled { .. } => {
            "planner: give each scenario a title of its own"
        }
        SpecRefusal::NotActive(_) => "a person: set `status: active` once it is agreed upon",
        SpecRefusal::FrontMatter(_) => "planner: mend the front matter",
    };
    (format!("`{path}` can't be used: {why}"), hint.into())
}

/// The spec in the tree is not the one that was planned.
pub(crate) fn spec_changed(path: &str) -> (String, String) {
    (
        format!("`{path}` is not the spec that was planned: its content changed since"),
        "git tcr run".into(),
    )
}

/// The note of a cycle that begins.
pub(crate) fn started(spec: &SpecFacts) -> String {
    format!("`{}` from `{}`", spec.id, spec.path)
}

/// The words for `start`.
pub(crate) fn start(state: &State, spec: &Spec) -> Message {
    let facts = state.spec.as_ref();
    let id = facts.map_or("", |facts| facts.id.as_str());
    let mut message = Message::new(
        Tone::Good,
        format!("spec cycle `{id}` has begun, phase `plan`"),
    )
    .fact(spec_line(state))
    .fact(scenario_list(spec));
    if let Some(prd) = facts.and_then(|facts| facts.prd.as_ref()) {
        message = message.fact(format!("belongs to `{prd}`"));
    }
    message.hint(next_in(state, false))
}

fn scenario_list(spec: &Spec) -> String {
    let titles: Vec<String> = spec.scenarios.iter().map(|s| s.title.clone()).collect();
    format!(
        "{}: {}",
        count(titles.len(), "scenario", "scenarios"),
        path_list(&titles)
    )
}

/// The spec and its hash.
pub(crate) fn spec_line(state: &State) -> String {
    match &state.spec {
        Some(spec) => format!(
            "spec `{}` in `{}`, sha256 `{}`",
            spec.id,
            spec.path,
            spec.hash.get(..12).unwrap_or(&spec.hash)
        ),
        None => "no spec".into(),
    }
}

/// The words for `plan`.
pub(crate) fn planned(state: &State, commit: Option<&str>) -> Message {
    let plan = state.plan.as_ref();
    let path = plan.map_or("", |plan| plan.path.as_str());
    let mut message = Message::new(Tone::Good, format!("plan `{path}` accepted, phase `red`"));
    if let Some(commit) = commit {
        message = message.fact(format!(
            "spec and plan are committed as `{}`",
            short_id(commit)
        ));
    }
    let artifacts = plan
        .map(|plan| plan.must_haves.artifacts.clone())
        .unwrap_or_default();
    if !artifacts.is_empty() {
        message = message.fact(format!(
            "has to be there at the end: {}",
            path_list(&artifacts)
        ));
    }
    message
        .fact("may be written now: tests, and stubs that let them load; the spec is settled")
        .hint(next_in(state, false))
}

/// The words for `supersede`.
pub(crate) fn superseded(done: &Superseded, state: &State) -> Message {
    let mut message = Message::new(
        Tone::Good,
        format!("`{}` is superseded, phase `plan`", done.predecessor.path),
    )
    .fact(spec_line(state));
    for (what, titles) in [
        ("added", &done.delta.added),
        ("modified", &done.delta.modified),
        ("removed", &done.delta.removed),
    ] {
        if !titles.is_empty() {
            message = message.fact(format!("{what}: {}", path_list(titles)));
        }
    }
    if !done.related.is_empty() {
        message = message.fact(format!(
            "related, look whether they still hold: {}",
            path_list(&done.related)
        ));
    }
    message.hint(next_in(state, false))
}

/// Frozen files that are not as certified.
pub(crate) fn drifted(paths: &[String]) -> String {
    format!("differs from what was certified: {}", path_list(paths))
}

/// The facts of a cycle for `status`.
pub(crate) fn status(status: &CycleStatus) -> Vec<String> {
    let mut facts = vec![format!(
        "spec `{}` in `{}`, next gate `{}`, next: {}",
        status.spec, status.path, status.next_gate, status.role
    )];
    facts.extend(status.needs.iter().map(|need| {
        let mark = if need.met { "✓" } else { "·" };
        format!("{mark} {}", need.what)
    }));
    if status.phase == Phase::Red {
        facts.extend(certify::coverage_table(&status.coverage));
        facts.extend(status.unfit.iter().map(certify::unfit));
    }
    if let Some(said) = &status.certificate {
        facts.push(format!("certified: {}", certify::certificate(said)));
    }
    if let Some(open) = &status.test_bug {
        facts.push(format!("test bug {}", bugs::bug(open)));
    }
    facts
}

/// Those who can't certify.
pub(crate) fn people(authors: &Authors) -> String {
    let mut names: Vec<String> = authors.plan.union(&authors.tests).cloned().collect();
    names.dedup();
    if names.is_empty() {
        "who wrote the plan or the tests".into()
    } else {
        path_list(&names)
    }
}

/// A commit that is not git tcr's changed frozen files: the oracle stays.
pub(crate) fn oracle_stays(paths: &[String]) -> String {
    format!(
        "the oracle stays as it was certified; that commit changed {}",
        path_list(paths)
    )
}
