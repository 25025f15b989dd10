//! The words for what the lint command said.

use super::path_list;
use crate::detect::Candidate;
use crate::outcome::step::Outcome;

/// A linter that the project is set up for.
pub(crate) fn found(lint: &Candidate) -> String {
    format!(
        "found a linter: `{}` ({}); to let its findings hold commits back, take the `#` off `lint` in `.tcr.toml`, then `git tcr install`",
        lint.command, lint.why
    )
}

/// What kept work from being committed, with the beginning of what the linter printed.
pub(super) fn facts(outcome: &Outcome, output_limit: Option<usize>) -> Vec<String> {
    let Some(lint) = outcome.lint.as_ref().filter(|lint| !lint.lets_pass()) else {
        return Vec::new();
    };
    let mut facts = vec![match &lint.failed {
        Some(why) => format!("lint: {why}"),
        None => format!("lint: {}", lint.command),
    }];
    if !lint.wrote.is_empty() {
        facts.push(format!("changed by it: {}", path_list(&lint.wrote)));
    }
    let limit = output_limit.unwrap_or(0).min(lint.output.len());
    let quoted: Vec<String> = lint.output[..lint.output.floor_char_boundary(limit)]
        .lines()
        .map(|line| format!("| {line}"))
        .collect();
    if !quoted.is_empty() {
        facts.push(quoted.join("\n"));
    }
    facts
}
