//! What the loop did: the headline, the facts, the quoted output.

use std::fmt::Write as _;

use super::{Message, Tone, count, counts, duration, lint, path_list, short_id, smells};
use crate::branch::event::Counts;
use crate::branch::state::TestResults;
use crate::outcome::step::{Action, Because, Outcome};
use crate::rules::Verdict;

/// What a run said, in a few words.
pub(crate) fn results(results: &TestResults) -> String {
    let took = if results.cached {
        "known result".into()
    } else {
        duration(results.duration_ms)
    };
    format!("{} ({took})", verdict_and_counts(results))
}

/// How a run ended, and how many tests did how.
pub(crate) fn verdict_and_counts(results: &TestResults) -> String {
    let verdict = results.verdict.map_or("unknown", Verdict::name);
    if results.total == 0 {
        let how = if results.confirmed {
            ""
        } else {
            ", by exit status alone"
        };
        return format!("{verdict}{how}");
    }
    let counted = Counts {
        passed: results.passed.len(),
        failed: results.failed.len(),
        skipped: results.skipped.len(),
    };
    format!("{verdict}: {}", counts(counted))
}

/// A run that left no report, where the one before did.
pub(crate) fn no_report(reason: &str) -> String {
    format!("no report of the tests came, and the run before had one ({reason})")
}

/// A test that should have run, and how many others.
pub(crate) fn not_run(test: &str, others: usize) -> String {
    let more = match others {
        0 => String::new(),
        others => format!(" (and {others} more not run)"),
    };
    format!("`{test}` was not run, though it is still there{more}")
}

/// The words for what the loop did.
pub(crate) fn message(outcome: &Outcome, output_limit: Option<usize>) -> Message {
    let mut message = Message::new(tone_of(outcome), headline(outcome));
    message.facts.extend(outcome.put_back.iter().cloned());
    message.facts.extend(frozen(outcome));
    if !outcome.reason.is_empty() {
        message.facts.push(outcome.reason.clone());
    }
    message.facts.extend(quoted_failures(outcome, output_limit));
    if !outcome.lost.is_empty() {
        message
            .facts
            .push(format!("lost: {}", path_list(&outcome.lost)));
    }
    if let Some(results) = &outcome.test_results {
        let told = format!("tests: {}", self::results(results));
        message.facts.push(told);
    }
    let names_files = match outcome.action {
        Action::Keep | Action::TakeBack => !outcome.files.is_empty(),
        Action::Commit | Action::None => false,
    };
    if names_files {
        message
            .facts
            .push(format!("files: {}", path_list(&outcome.files)));
    }
    if let Some(would) = &outcome.would {
        message.facts.push(format!("would have: {would}"));
    }
    message.facts.extend(outcome.remarks.iter().cloned());
    if !outcome.edited_meanwhile.is_empty() {
        let kept = super::step::edited_meanwhile(&outcome.edited_meanwhile);
        message.facts.push(kept);
    }
    if !outcome.left_out.is_empty() {
        message.facts.push(format!(
            "in no commit: {} (ignore them in `.gitignore`)",
            path_list(&outcome.left_out)
        ));
    }
    message.facts.extend(lint::facts(outcome, output_limit));
    message.facts.extend(smells::in_one_line(&outcome.smells));
    message.facts.extend(smells::to_mend(&outcome.smells));
    message.hints.extend(outcome.hints.iter().cloned());
    message
}

/// What was taken back beside the judgement itself.
fn frozen(outcome: &Outcome) -> Option<String> {
    let beside = outcome
        .taken_back
        .iter()
        .filter(|taken| !outcome.files.contains(&taken.path));
    let paths: Vec<String> = beside.map(|taken| taken.path.clone()).collect();
    let number = outcome.recover.unwrap_or_default();
    (!paths.is_empty()).then(|| {
        format!(
            "taken back, frozen in `{}`: {} (recover {number})",
            outcome.phase,
            path_list(&paths)
        )
    })
}

fn tone_of(outcome: &Outcome) -> Tone {
    match outcome.action {
        Action::Commit => Tone::Good,
        Action::TakeBack => Tone::Bad,
        Action::Keep if outcome.is_no() || outcome.is_undecided() => Tone::Bad,
        Action::Keep | Action::None => Tone::Plain,
    }
}

fn headline(outcome: &Outcome) -> String {
    let files = count(outcome.files.len(), "file", "files");
    match outcome.action {
        Action::Commit => {
            let label = outcome.why.map_or("commit", Because::name);
            let commit = outcome.commit.as_deref().unwrap_or_default();
            format!(
                "committed as {label}: {files}, `{}` on `{}`{}",
                short_id(commit),
                outcome.branch,
                moved(outcome)
            )
        }
        Action::TakeBack => format!(
            "taken back: {files}, kept as recover {}{}",
            outcome.recover.unwrap_or_default(),
            moved(outcome)
        ),
        Action::Keep => {
            let tries = match outcome.tries_left {
                None => String::new(),
                Some(left) => format!(", {} left", count(left as usize, "try", "tries")),
            };
            format!(
                "kept, not committed: {files} in phase `{}`{tries}",
                outcome.phase
            )
        }
        Action::None if outcome.would.is_some() || outcome.phase != outcome.next_phase => format!(
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

/// The first failing tests with what their assertions say; without a report the end of what was
/// printed.
pub(super) fn quoted_failures(outcome: &Outcome, limit: Option<usize>) -> Vec<String> {
    const QUOTED: usize = 3;
    let limit = limit.unwrap_or_default();
    let mut left = limit;
    let mut quoted = Vec::new();
    for failing in outcome.failing.iter().take(QUOTED) {
        let place = match (&failing.file, failing.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        let said = first(failing.message.trim(), left);
        left = left.saturating_sub(said.len());
        let said = said.replace('\n', "\n| ");
        let said = match said.is_empty() {
            true => String::new(),
            false => format!(": {said}"),
        };
        quoted.push(format!("`{}` fails{place}{said}", failing.test));
    }
    match outcome.failing.len().saturating_sub(QUOTED) {
        0 => {}
        more => quoted.push(format!("and {more} more fail")),
    }
    let says_nothing = outcome
        .failing
        .iter()
        .all(|failing| failing.message.is_empty());
    if says_nothing {
        quoted.extend(quoted_output(outcome, limit));
    }
    quoted
}

fn first(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// The end of what the tests printed, where they did not pass.
fn quoted_output(outcome: &Outcome, limit: usize) -> Option<String> {
    let results = outcome.test_results.as_ref().filter(|_| limit > 0)?;
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
    let end = crate::test_run::results::tail(text, limit);
    let before = text.strip_suffix(end).unwrap_or_default();
    match end.split_once('\n') {
        Some((_, whole)) if !before.is_empty() && !before.ends_with('\n') => whole,
        _ => end,
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
            let counted = results.counts();
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
