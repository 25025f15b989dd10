//! The words of a squash: what it did, the body for the pull request, the note on its commits.

mod commit;
pub(crate) mod refused;

use std::fmt::Write as _;

use super::{Message, Tone, count, counts, path_list, short_id};
use crate::branch::state::TestResults;
use crate::outcome::squash::{Squash, Undone};
use crate::rules::Verdict;
use crate::rules::squash::{WipCommit, cycles};
pub(crate) use commit::{
    Trailers, by_hand_subject, editor_help, lets_unproven_through, proposal, test_trailers,
    with_kind, with_trailers,
};
use commit::{tests_of, untested_of};

/// The note on a squashed commit.
pub(crate) fn summary(
    commits: &[WipCommit],
    archive: &str,
    results: Option<&TestResults>,
) -> String {
    let mut text = format!(
        "phase: squash\ncycles: {}\ncommits: {}\narchive: {archive}\n",
        cycles(commits),
        commits.len()
    );
    if let Some(results) = results {
        let verdict = results.verdict.map_or("unknown", Verdict::name);
        let _ = writeln!(text, "verdict: {verdict}");
        if results.total > 0 {
            let _ = writeln!(text, "tests: {}", counts(results.counts()));
        }
    }
    text
}

/// The body for the pull request, in Markdown.
pub(crate) fn body(squash: &Squash) -> String {
    let tests = tests_of(&squash.commits);
    let mut text = String::new();
    for part in squash.parts.iter().filter(|part| !part.kept) {
        let _ = writeln!(text, "## {}\n", part.subject());
    }
    if !tests.is_empty() {
        text.push_str("Tests made to pass, in order:\n\n");
        for test in &tests {
            let _ = writeln!(text, "- `{test}`");
        }
        text.push('\n');
    }
    if let Some(proof) = &squash.proof {
        text.push_str(&super::proof::body(proof));
    }
    let untested = untested_of(&squash.commits);
    if !untested.is_empty() {
        text.push_str("Untested, kept from a spike:\n\n");
        for path in &untested {
            let _ = writeln!(text, "- `{path}`");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "{} in {}. Check it with `git tcr fetch && git tcr verify --replay`.",
        count(cycles(&squash.commits), "cycle", "cycles"),
        count(squash.commits.len(), "commit", "commits"),
    );
    text
}

/// Why a tree is tested as a commit of its own: the base moved on.
pub(crate) fn carried_over_to(onto: &str) -> String {
    format!("carried over to `{onto}`")
}

/// Why it went back.
pub(crate) fn not_passing(why: &str) -> String {
    format!("{why}, the tests do not pass")
}

/// The same: a hook changed files.
pub(crate) const REFORMATTED: &str = "reformatted by your `pre-commit` hook";

pub(crate) fn reformatted(files: &[String]) -> String {
    format!("{REFORMATTED}, and tested: {}", path_list(files))
}

/// The same: docs are never tested.
pub(crate) const DOCS: &str = "docs ride along";

/// What an undo is called in the journal.
pub(crate) const UNDONE: &str = "the squash was undone";

/// What an undo did.
pub(crate) fn undone(undone: &Undone) -> Message {
    let mut message = Message::new(Tone::Good, format!("the work is back on `{}`", undone.wip))
        .fact(format!(
            "`{}` is at {} again",
            undone.base,
            short_id(&undone.before)
        ))
        .fact(format!(
            "the squashed commits are kept as recover {}",
            undone.recover
        ));
    if !undone.pushed.is_empty() {
        message = message.fact(format!(
            "they were pushed already: {} still has them, and takes others only by force",
            path_list(&undone.pushed)
        ));
    }
    message.hint("git tcr squash")
}

/// What a squash did, or would do.
pub(crate) fn squash(squash: &Squash) -> Message {
    let base = &squash.base;
    let made = squash.parts.len();
    let headline = match (squash.dry_run, made) {
        (false, 0) => format!("`{base}` has it all already: no commit was needed"),
        (true, 0) => format!("`{base}` has it all already: no commit would be made"),
        (false, _) => format!(
            "`{}` became {} on `{base}`",
            squash.wip,
            count(made, "commit", "commits")
        ),
        (true, _) => format!(
            "`{}` would become {} on `{base}`",
            squash.wip,
            count(made, "commit", "commits")
        ),
    };
    let tone = if squash.dry_run {
        Tone::Plain
    } else {
        Tone::Good
    };
    let mut message = Message::new(tone, headline);
    for part in &squash.parts {
        let id = part.id.as_deref().map_or("new", short_id);
        let kept = if part.kept { " (as it was)" } else { "" };
        message = message.fact(format!("{id} {}{kept}", part.subject()));
    }
    if squash.carried_over {
        message = message.fact(format!("carried over to the tip of `{}`", squash.onto));
    }
    if squash.tests_first {
        message = message.fact(match squash.dry_run {
            true => "nobody knows the result of its tip: the tests run first",
            false => "nobody knew the result of its tip: the tests ran first",
        });
    }
    if !squash.docs.is_empty() {
        message = message.fact(format!("docs that ride along: {}", path_list(&squash.docs)));
    }
    if let Some(proof) = &squash.proof {
        for fact in super::proof::facts(proof) {
            message = message.fact(fact);
        }
    }
    for fact in &squash.remarks {
        message = message.fact(fact.clone());
    }
    if squash.dry_run {
        return message.hint("git tcr squash");
    }
    message
        .fact(format!("the history is kept as `{}`", squash.archive))
        .hint("git tcr squash --undo goes back; git tcr push shares the evidence")
}
