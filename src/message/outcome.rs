//! What the loop did: the headline, the facts, the quoted output.

use std::fmt::Write as _;

use super::{Message, Tone, count, counts, duration, lint, path_list, short_id, smells};
use crate::journal::event::Counts;
use crate::journal::state::TestResults;
use crate::policy::{CommitLabel, Verdict};
use crate::tcr_loop::outcome::{Action, Outcome};

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

/// The words for what the loop did.
pub(crate) fn message(outcome: &Outcome, output_limit: Option<usize>) -> Message {
    let mut message = Message::new(tone_of(outcome), headline(outcome));
    message.facts.extend(outcome.put_back.iter().cloned());
    if !outcome.undone.is_empty() {
        let kept = match outcome.undone_recover {
            Some(number) => format!(", kept as recover {number}"),
            None => String::new(),
        };
        message.facts.push(format!(
            "put back, because `{}` does not allow it{kept}: {}",
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
        let kept = super::reasons::edited_meanwhile(&outcome.edited_meanwhile);
        message.facts.push(kept);
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

/// The end of what the tests printed, where they did not pass.
pub(super) fn quoted_output(outcome: &Outcome, limit: Option<usize>) -> Option<String> {
    let limit = limit.filter(|limit| *limit > 0)?;
    let results = outcome.test_results.as_ref()?;
    let shown = match results.verdict {
        Some(Verdict::Green) | None => return None,
        Some(Verdict::Red | Verdict::Broken) => results.output.trim(),
    };
    if shown.is_empty() {
        return None;
    }
    let quoted: Vec<String> = last_lines(shown, limit)
        .lines()
        .map(|line| format!("| {line}"))
        .collect();
    Some(quoted.join("\n"))
}

/// The end of a text in whole lines, or of its last line if that alone is too long.
fn last_lines(text: &str, limit: usize) -> &str {
    let end = crate::tcr_loop::results::tail(text, limit);
    let before = text.strip_suffix(end).unwrap_or_default();
    match end.split_once('\n') {
        Some((_, whole)) if !before.is_empty() && !before.ends_with('\n') => whole,
        _ => end,
    }
}

/// The label of a commit as its trailer has it.
pub(crate) fn label_trailer(label: CommitLabel) -> &'static str {
    match label {
        CommitLabel::PartialGreen => CommitLabel::Green.name(),
        label => label.name(),
    }
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

#[cfg(test)]
mod tests {
    use super::last_lines;

    #[test]
    fn output_is_quoted_in_whole_lines() {
        for (limit, quoted) in [
            (99, "one\ntwo\nthree"),
            (12, "two\nthree"),
            (9, "two\nthree"),
            (8, "three"),
            (5, "three"),
            (3, "ree"),
        ] {
            assert_eq!(last_lines("one\ntwo\nthree", limit), quoted, "{limit}");
        }
    }
}
