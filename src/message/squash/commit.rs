//! The messages of commits: of the WIP branch, and of those that a squash makes of them.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::message::count;
use crate::outcome::proof::Document;
use crate::rules::squash::{WipCommit, cycles, trailers};

/// This many tests are named in a WIP commit and in a proposed message.
const NAMED_TESTS: usize = 30;
/// Subjects are no longer than this.
const SUBJECT: usize = 68;
const NAME: usize = 200;

/// The tests that asked for the work, as a red commit says it.
pub(crate) fn test_trailers<'a>(tests: impl Iterator<Item = &'a String>) -> Vec<String> {
    let tests = tests.take(NAMED_TESTS);
    tests
        .map(|test| format!("TCR-Test: {}", one_line(test)))
        .collect()
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(NAME)
        .collect()
}

/// The message proposed for some commits of a WIP branch.
pub(crate) fn proposal(commits: &[WipCommit], base: &str, kind: Option<&str>) -> String {
    let tests = tests_of(commits);
    let subject = match tests.as_slice() {
        [] => format!("Work on {base}: {}", count(commits.len(), "step", "steps")),
        tests => subject_of(tests),
    };
    let mut text = with_kind(&subject, kind);
    text.push('\n');
    if !tests.is_empty() {
        text.push_str("\nTests made to pass:\n\n");
        for test in tests.iter().take(NAMED_TESTS) {
            let _ = writeln!(text, "- {test}");
        }
        if tests.len() > NAMED_TESTS {
            let _ = writeln!(text, "- and {} more", tests.len() - NAMED_TESTS);
        }
    }
    let by_hand: Vec<&WipCommit> = commits
        .iter()
        .filter(|commit| commit.label.is_none() && !commit.subject.is_empty())
        .collect();
    if !by_hand.is_empty() {
        text.push_str("\nMade by hand on the way:\n\n");
        for commit in by_hand.iter().take(NAMED_TESTS) {
            let _ = writeln!(text, "- {}", commit.subject);
        }
    }
    text
}

/// A subject with the conventional-commit type in front, if one is wanted.
pub(crate) fn with_kind(subject: &str, kind: Option<&str>) -> String {
    let Some(kind) = kind else {
        return subject.to_owned();
    };
    if subject.starts_with(&format!("{kind}:")) {
        return subject.to_owned();
    }
    let mut chars = subject.chars();
    let lowered: String = match (chars.next(), chars.clone().next()) {
        // `HTTP errors` stays as it is.
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => subject.to_owned(),
    };
    format!("{kind}: {lowered}")
}

/// The tests that the reds of some commits asked for, in order, each once.
pub(super) fn tests_of(commits: &[WipCommit]) -> Vec<String> {
    each_once(commits.iter().flat_map(|commit| &commit.tests))
}

fn each_once<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).cloned().collect()
}

fn subject_of(tests: &[String]) -> String {
    let mut subject = String::new();
    for (at, test) in tests.iter().enumerate() {
        let name = readable(test);
        let more = format!(" and {} more", tests.len() - at);
        let room = SUBJECT.saturating_sub(more.len() + 2);
        if at == 0 {
            subject = name.chars().take(SUBJECT - 12).collect();
        } else if subject.chars().count() + name.chars().count() <= room {
            subject.push_str(", ");
            subject.push_str(&name);
        } else {
            subject.push_str(&more);
            break;
        }
    }
    let mut chars = subject.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => subject,
    }
}

/// `tests/test_math.py::test_adds_numbers` as `adds numbers`.
fn readable(test: &str) -> String {
    let last = ["::", " > ", "/"]
        .into_iter()
        .fold(test.trim(), |rest, mark| {
            rest.rsplit(mark)
                .next()
                .filter(|end| !end.is_empty())
                .unwrap_or(rest)
        });
    // A file is known by its name, without what says its kind.
    let stem = match last.split_once('.') {
        Some((stem, end)) if !stem.is_empty() && !end.contains(' ') => stem,
        _ => last,
    };
    let words = stem.replace(['_', '-'], " ");
    let words = words.trim();
    let bare = words
        .strip_prefix("test ")
        .or_else(|| words.strip_suffix(" test"))
        .unwrap_or(words);
    if bare.is_empty() {
        test.to_owned()
    } else {
        bare.to_owned()
    }
}

/// The trailers of a squashed commit.
pub(crate) struct Trailers<'a> {
    pub(crate) commits: &'a [WipCommit],
    /// Archive and the commit in it that this one stands for.
    pub(crate) evidence: Vec<(String, String)>,
    /// What the way out found, on the last of the commits.
    pub(crate) proof: Option<&'a Document>,
}

/// A message with the trailers of a squash at its end.
pub(crate) fn with_trailers(message: &str, trailers: &Trailers<'_>) -> String {
    let mut lines = Vec::new();
    let mut add = |line: String| {
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    for commit in trailers.commits {
        for author in &commit.co_authors {
            add(format!("Co-authored-by: {author}"));
        }
    }
    for agent in trailers
        .commits
        .iter()
        .filter_map(|commit| commit.agent.as_ref())
    {
        add(format!("Agent-Type: {agent}"));
    }
    add(format!("TCR-Cycles: {}", cycles(trailers.commits)));
    for (name, commit) in &trailers.evidence {
        add(format!("TCR-Evidence: {name} {commit}"));
    }
    let mut untested = untested_of(trailers.commits).len();
    if let Some(proof) = trailers.proof {
        untested += proof.untested.len();
        let numbers = [
            ("TCR-Tests-Weakened", proof.tests_weakened.len()),
            ("TCR-Tests-Removed", proof.tests_removed.len()),
        ];
        for (key, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
            add(format!("{key}: {number}"));
        }
    }
    if untested > 0 {
        add(format!("TCR-Untested: {untested}"));
    }
    if let Some(proof) = trailers.proof {
        proof_of(proof).into_iter().for_each(&mut add);
    }
    let message = message.trim_end();
    let own = crate::rules::squash::trailers(message);
    let last = message.rsplit("\n\n").next().unwrap_or_default();
    // What ends with trailers goes on in the same paragraph.
    let is_block = !own.is_empty() && own.len() == last.lines().count();
    lines.retain(|line| !is_block || !last.lines().any(|present| present == line));
    if lines.is_empty() {
        return format!("{message}\n");
    }
    let gap = if is_block { "\n" } else { "\n\n" };
    format!("{message}{gap}{}\n", lines.join("\n"))
}

/// What the trailer says of cycles that a person let through.
const UNPROVEN: &str = "unproven cycle";

/// Whether a squashed commit says that a person let unproven cycles through.
pub(crate) fn lets_unproven_through(message: &str) -> bool {
    let said = trailers(message);
    said.iter()
        .any(|(key, value)| *key == "TCR-Proof" && value.contains(UNPROVEN))
}

/// What could not be proven, and why, and that the tests are steered differently now.
fn proof_of(proof: &Document) -> Vec<String> {
    let mut said = Vec::new();
    if !proof.unproven.is_empty() {
        let cycles: Vec<String> = proof
            .unproven
            .iter()
            .map(|one| one.cycle.to_string())
            .collect();
        said.push(format!(
            "{UNPROVEN} {}, accepted by a person",
            cycles.join(", ")
        ));
    }
    if !proof.why_unknown.is_empty() {
        said.push(format!("unknown {}", proof.why_unknown.join(", ")));
    }
    let mut lines = Vec::new();
    if !said.is_empty() {
        lines.push(format!("TCR-Proof: {}", said.join("; ")));
    }
    if proof.harness_changed {
        lines.push("TCR-Harness-Changed: true".into());
    }
    lines
}

/// The files that came in without a test, each once.
pub(super) fn untested_of(commits: &[WipCommit]) -> Vec<String> {
    each_once(commits.iter().flat_map(|commit| &commit.untested))
}

/// The message of work that was there when TCR became active, or that a person left in the
/// worktree.
pub(crate) fn by_hand_subject(label: &str, files: &str) -> String {
    match label {
        "baseline" => format!("Work from before the first cycle: {files}"),
        _ => format!("Edits by hand: {files}"),
    }
}

/// What is shown below a message in the editor.
pub(crate) fn editor_help(trailers: &str) -> String {
    let mut text = String::from(
        "\n# Lines that begin with '#' are left out; an empty message ends the squash.\n\
         # These lines are added:\n",
    );
    for line in trailers.lines() {
        let _ = writeln!(text, "#   {line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_are_readable() {
        for (test, expected) in [
            ("tests/test_math.py::test_adds_numbers", "adds numbers"),
            ("tests/test_math.py::TestSum::test_adds", "adds"),
            ("tests/add.t", "add"),
            ("math > adds two numbers", "adds two numbers"),
            ("policy::tests::red_is_red", "red is red"),
            ("TestAdd/negative", "negative"),
            (
                "src/cart.test.ts > cart > is 1.5 times as big",
                "is 1.5 times as big",
            ),
            ("test_", "test"),
            ("/", "/"),
        ] {
            assert_eq!(readable(test), expected, "{test}");
        }
    }

    #[test]
    fn subjects_name_what_fits() {
        let tests: Vec<String> = ["adds", "subtracts", "multiplies"]
            .map(String::from)
            .to_vec();
        assert_eq!(subject_of(&tests), "Adds, subtracts, multiplies");
        let many: Vec<String> = (0..40).map(|n| format!("test number {n}")).collect();
        let subject = subject_of(&many);
        assert!(subject.chars().count() <= 72, "{subject}");
        assert!(subject.ends_with("more"), "{subject}");
        let long = vec!["x".repeat(500)];
        assert!(subject_of(&long).chars().count() <= 72);
    }

    #[test]
    fn conventional_types_go_in_front() {
        assert_eq!(with_kind("Adds", Some("feat")), "feat: adds");
        assert_eq!(
            with_kind("HTTP errors", Some("fix(net)")),
            "fix(net): HTTP errors"
        );
        assert_eq!(with_kind("feat: adds", Some("feat")), "feat: adds");
        assert_eq!(with_kind("Adds", None), "Adds");
    }

    #[test]
    fn trailers_join_a_block_that_is_there() {
        let commits = [WipCommit::read(
            "WIP\n\nTCR-Phase: red\nTCR-Cycle: 1\nCo-authored-by: Bo <b@example.com>\n",
        )];
        let trailers = || Trailers {
            commits: &commits,
            evidence: vec![("refs/tcr/archive/main/1".into(), "abc".into())],
            proof: None,
        };
        let plain = with_trailers("Adds\n", &trailers());
        assert_eq!(
            plain,
            "Adds\n\nCo-authored-by: Bo <b@example.com>\nTCR-Cycles: 1\n\
             TCR-Evidence: refs/tcr/archive/main/1 abc\n"
        );
        assert_eq!(with_trailers(&plain, &trailers()), plain);
        let signed = with_trailers("Adds\n\nSigned-off-by: A <a@example.com>\n", &trailers());
        assert!(
            signed.starts_with("Adds\n\nSigned-off-by: A <a@example.com>\nCo-authored-by:"),
            "{signed}"
        );
    }
}
