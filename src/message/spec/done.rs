//! The end of a cycle, and its evidence.

use super::refusal;
use crate::branch::state::{LintResult, State};
use crate::message::{Message, Tone, count, path_list};
use crate::outcome::spec::{Ended, Finding, Handoff};

/// What the lint command said.
pub(crate) fn lint(lint: &LintResult) -> String {
    let mut text = match &lint.failed {
        Some(why) => format!("lint could not run: {why}"),
        None if !lint.wrote.is_empty() => format!("lint changed {}", path_list(&lint.wrote)),
        None => format!("lint has findings: {}", lint.command),
    };
    for line in lint.output.lines().take(8) {
        text.push_str("\n| ");
        text.push_str(line);
    }
    text
}

/// What the plan promised and is not there.
pub(crate) fn missing(paths: &[String]) -> String {
    format!("missing: {}", path_list(paths))
}

/// Where the evidence is, for the log.
pub(crate) fn evidence_at(number: u64) -> String {
    format!("evidence {number}")
}

/// The words for `phase done`.
pub(crate) fn ended(ended: &Ended, state: &State) -> Message {
    match ended {
        Ended::Done(handoff) => handed_over(handoff),
        Ended::Abandoned => Message::new(Tone::Plain, "the spec cycle was given up, phase `done`")
            .fact("what was frozen is kept in the archive")
            .hint("git tcr start --spec FILE, or git tcr phase red"),
        Ended::Refused {
            refusal: why,
            facts,
        } => {
            let (what, hint) = refusal(*why, "phase done", state.phase);
            let mut message = Message::new(
                Tone::Bad,
                format!("not done, phase `{}`: {what}", state.phase),
            );
            message.facts.extend(facts.iter().cloned());
            message.hint(hint)
        }
    }
}

fn handed_over(handoff: &Handoff) -> Message {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
    let mut message = Message::new(Tone::Good, "the spec cycle is done")
        .fact(handoff.spec.clone())
        .fact(format!("plan       {}", or_none(&handoff.plan)))
        .fact(format!("red        {}", handoff.red))
        .fact(format!("validator  {}", or_none(&handoff.validator)))
        .fact(format!("freeze     `{}`", handoff.freeze))
        .fact(format!("green      {}", handoff.green))
        .fact(format!("evidence   `{}`", handoff.evidence))
        .fact(format!("next       a person: `{}`", handoff.next));
    for truth in &handoff.truths {
        message = message.fact(format!("to be seen in review: {truth}"));
    }
    message.hint("git tcr evidence")
}

/// The words for `evidence --check`.
pub(crate) fn checked(findings: &[Finding]) -> Message {
    let wrong = findings.iter().filter(|finding| !finding.holds).count();
    let mut message = match wrong {
        0 => Message::new(Tone::Good, "the evidence holds"),
        wrong => Message::new(
            Tone::Bad,
            format!(
                "the evidence does not hold: {}",
                count(wrong, "finding", "findings")
            ),
        ),
    };
    for finding in findings {
        message = message.fact(match finding.holds {
            true => format!("✓ {}", finding.what),
            false => format!("✗ {}: {}", finding.what, finding.why),
        });
    }
    message
}

/// There is no evidence on a branch yet.
pub(crate) fn no_evidence(base: &str) -> (String, String) {
    (
        format!("branch `{base}` has no evidence yet: it is made when a spec cycle is done"),
        "git tcr phase done".into(),
    )
}
