//! Certifying tests, and what stands in the way.

use super::{next_in, refusal};
use crate::branch::cycle::{Certificate, SpecFacts};
use crate::branch::state::State;
use crate::message::{Message, Tone, outcome, path_list, short_id};
use crate::outcome::spec::FreezeOutcome;
use crate::rules::declared::ValidatorVerdict;
use crate::rules::spec::coverage::{Covered, Unfit, UnfitReason};

/// What a validator said, in one line.
pub(crate) fn certificate(certificate: &Certificate) -> String {
    let mut line = format!("{} by {}", verdict(certificate.verdict), certificate.by);
    if !certificate.notes.trim().is_empty() {
        line.push_str(": ");
        line.push_str(&certificate.notes.trim().replace('\n', "; "));
    }
    line
}

fn verdict(verdict: ValidatorVerdict) -> &'static str {
    match verdict {
        ValidatorVerdict::Pass => "pass",
        ValidatorVerdict::Concerns => "concerns",
        ValidatorVerdict::Blocker => "blocker",
    }
}

/// The message of the oracle's commit.
pub(crate) fn oracle_commit(spec: &SpecFacts, certificate: &Certificate, red: &str) -> String {
    let notes = match certificate.notes.trim() {
        "" => String::new(),
        notes => format!("{notes}\n\n"),
    };
    format!(
        "freeze {}\n\n{notes}Spec-Id: {}\nSpec-Path: {}\nSpec-SHA256: {}\nValidator: {}\nValidator-Verdict: {}\nRed-Commit: {red}\n",
        spec.id,
        spec.id,
        spec.path,
        spec.hash,
        certificate.by,
        verdict(certificate.verdict)
    )
}

/// The words for `freeze`.
pub(crate) fn freeze(outcome: &FreezeOutcome, state: &State) -> Message {
    let mut message = match (&outcome.refusal, &outcome.oracle) {
        (Some(why), _) => {
            let (what, _) = refusal(*why, "freeze", state.phase);
            Message::new(Tone::Bad, format!("not frozen: {what}"))
        }
        (None, Some(oracle)) => Message::new(
            Tone::Good,
            format!("frozen as `{}`, phase `red` → `green`", short_id(oracle)),
        ),
        (None, None) => Message::new(Tone::Plain, "not frozen: the verdict is recorded"),
    };
    if let Some(said) = &outcome.certificate {
        message = message.fact(format!("verdict: {}", certificate(said)));
    }
    if let Some(results) = &outcome.results {
        message = message.fact(format!("tests: {}", self::outcome::results(results)));
    }
    for line in coverage_table(&outcome.coverage) {
        message = message.fact(line);
    }
    for line in outcome.unfit.iter().map(unfit) {
        message = message.fact(line);
    }
    if let Some(remark) = &outcome.remark {
        message = message.fact(remark.clone());
    }
    match &outcome.refusal {
        Some(why) => message.hint(refusal(*why, "freeze", state.phase).1),
        None if outcome.oracle.is_none() => {
            message.hint("test author: mend the tests as the notes say, then `git tcr run`")
        }
        None => message.hint(next_in(state, false)),
    }
}

/// Scenario and tests, a scenario a line.
pub(crate) fn coverage_table(coverage: &[Covered]) -> Vec<String> {
    let width = coverage
        .iter()
        .map(|covered| covered.scenario.chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    coverage
        .iter()
        .map(|covered| {
            let tests = match covered.tests.is_empty() {
                true => "missing: no failing test names it".to_owned(),
                false => path_list(&covered.tests),
            };
            format!("{:<width$}  {tests}", covered.scenario)
        })
        .collect()
}

/// A test that can't be frozen.
pub(crate) fn unfit(unfit: &Unfit) -> String {
    let why = match unfit.why {
        UnfitReason::PassesAlready => {
            "passes already, so it asks for nothing; one that guards what is there belongs before `git tcr start`"
        }
        UnfitReason::Skipped => "is skipped",
        UnfitReason::WrongCause => {
            "fails for a reason that does not count: let the stub return something, marked `STUB:TDD`, so that an assertion fails"
        }
        UnfitReason::NoAssertion => "asserts nothing",
    };
    format!("`{}` {why}", unfit.test)
}
