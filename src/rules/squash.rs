//! Which commits the base branch gets of a WIP branch: one for all cycles, or one each; commits
//! made by hand stay commits of their own.

use std::ops::Range;

/// What `TCR-Phase` says of a commit that somebody made with git: it is theirs, message and all.
pub const MADE_WITH_GIT: &str = "hand";

/// One commit of a WIP branch, read from its message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WipCommit {
    /// The first line.
    pub subject: String,
    /// `TCR-Phase`; none if somebody else made it.
    pub label: Option<String>,
    /// `TCR-Cycle`
    pub cycle: Option<u64>,
    /// `TCR-Verdict`
    pub verdict: Option<String>,
    /// `TCR-Declared`: a green that only declares, so no red asked for it.
    pub declared: bool,
    /// `TCR-Test`: the tests that failed at a red.
    pub tests: Vec<String>,
    /// `TCR-Weakened`: tests that were removed or switched off.
    pub weakened: Vec<String>,
    /// `TCR-Untested`: files kept from a spike.
    pub untested: Vec<String>,
    /// `Agent-Type`
    pub agent: Option<String>,
    /// `Co-authored-by`
    pub co_authors: Vec<String>,
}

/// Whether a WIP commit leaves the tests passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaves {
    Passing,
    Failing,
    /// As they were before it.
    AsBefore,
}

impl WipCommit {
    /// Reads the message of a commit.
    pub fn read(message: &str) -> WipCommit {
        let mut commit = WipCommit {
            subject: message.lines().next().unwrap_or_default().trim().to_owned(),
            ..WipCommit::default()
        };
        for (key, value) in trailers(message) {
            match key.to_ascii_lowercase().as_str() {
                "tcr-phase" if value == MADE_WITH_GIT => {}
                "tcr-phase" => commit.label = Some(value.to_owned()),
                "tcr-cycle" => commit.cycle = value.parse().ok(),
                "tcr-verdict" => commit.verdict = Some(value.to_owned()),
                // Some of the awaited tests still fail.
                "tcr-partial" => commit.verdict = Some("red".to_owned()),
                "tcr-declared" => commit.declared = true,
                "tcr-test" => commit.tests.push(value.to_owned()),
                "tcr-weakened" => commit.weakened.push(value.to_owned()),
                "tcr-untested" => commit.untested.push(value.to_owned()),
                "agent-type" => commit.agent = Some(value.to_owned()),
                "co-authored-by" => commit.co_authors.push(value.to_owned()),
                _ => {}
            }
        }
        commit
    }

    /// Whether it is a person's: made with git, or found in the worktree.
    pub fn is_by_hand(&self) -> bool {
        matches!(
            self.label.as_deref(),
            None | Some("baseline" | "by-hand" | "pulled")
        )
    }

    /// Whether it is a failing test that was asked for.
    pub fn is_red(&self) -> bool {
        self.label.as_deref() == Some("red")
    }

    fn leaves(&self) -> Leaves {
        match (self.label.as_deref(), self.verdict.as_deref()) {
            (Some("red"), _) | (Some("green"), Some("red")) => Leaves::Failing,
            (Some("green" | "refactor" | "tcr" | "sync" | "recover"), _) => Leaves::Passing,
            _ => Leaves::AsBefore,
        }
    }
}

/// A message without the trailers that our hook added to it.
pub fn without_hook_trailers(message: &str) -> String {
    let is_ours = trailers(message).contains(&("TCR-Phase", MADE_WITH_GIT));
    if !is_ours {
        return message.to_owned();
    }
    let kept = message.lines().filter(|line| {
        let key = line.split(':').next().unwrap_or_default();
        !matches!(key, "TCR-Phase" | "TCR-Cycle")
    });
    let kept: Vec<&str> = kept.collect();
    format!("{}\n", kept.join("\n").trim_end())
}

/// The `Key: value` lines of a message's last paragraph.
pub fn trailers(message: &str) -> Vec<(&str, &str)> {
    let paragraph = message.trim_end().rsplit("\n\n").next().unwrap_or_default();
    if !message.trim_end().contains("\n\n") {
        return Vec::new();
    }
    paragraph
        .lines()
        .filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            let is_key = !key.is_empty()
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            is_key.then(|| (key, value.trim()))
        })
        .collect()
}

/// How the commits are put together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grouping {
    /// One commit per cycle.
    pub by_cycle: bool,
    /// What was made by hand goes in with the rest.
    pub fold_by_hand: bool,
}

/// One commit that the base branch gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A commit made by hand, as it is.
    Kept(usize),
    /// These commits as one.
    Squashed(Range<usize>),
}

impl Part {
    /// The last of its commits.
    pub fn last(&self) -> usize {
        match self {
            Part::Kept(at) => *at,
            Part::Squashed(range) => range.end.saturating_sub(1),
        }
    }

    /// The commits in it.
    pub fn range(&self) -> Range<usize> {
        match self {
            Part::Kept(at) => *at..*at + 1,
            Part::Squashed(range) => range.clone(),
        }
    }
}

/// Puts the commits of a WIP branch, oldest first, together. No commit of the base ends in the
/// middle of a cycle: what was made by hand there goes in with the cycle.
pub fn parts(commits: &[WipCommit], grouping: Grouping) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open = 0..0;
    let mut passing = true;
    for (at, commit) in commits.iter().enumerate() {
        let is_kept = commit.is_by_hand() && !grouping.fold_by_hand && passing;
        // These come along with whatever was there before them.
        let belongs_before = matches!(commit.label.as_deref(), Some("docs" | "sync"));
        let ends_cycle = grouping.by_cycle
            && passing
            && !belongs_before
            && (commits
                .get(open.start)
                .is_some_and(|first| first.cycle != commit.cycle)
                // A red written while refactoring still bears the number of the cycle before.
                || (commit.is_red() && has_red(commits, &open)));
        if (is_kept || ends_cycle) && !open.is_empty() {
            parts.push(Part::Squashed(open.clone()));
            open = at..at;
        }
        if is_kept {
            parts.push(Part::Kept(at));
            open = at + 1..at + 1;
            continue;
        }
        if open.is_empty() {
            open = at..at;
        }
        open.end = at + 1;
        match commit.leaves() {
            Leaves::Passing => passing = true,
            Leaves::Failing => passing = false,
            Leaves::AsBefore => {}
        }
    }
    if !open.is_empty() {
        parts.push(Part::Squashed(open));
    }
    parts
}

fn has_red(commits: &[WipCommit], range: &Range<usize>) -> bool {
    let within = commits.get(range.clone()).unwrap_or_default();
    within.iter().any(WipCommit::is_red)
}

/// How many cycles were begun.
pub fn cycles<'a>(commits: impl IntoIterator<Item = &'a WipCommit>) -> usize {
    let (mut count, mut passing) = (0, true);
    for commit in commits {
        count += usize::from(passing && commit.is_red());
        match commit.leaves() {
            Leaves::Passing => passing = true,
            Leaves::Failing => passing = false,
            Leaves::AsBefore => {}
        }
    }
    count
}

/// The parts with one of them put together with the next, because it can't stand alone.
pub fn folded_into_next(parts: &[Part], at: usize) -> Vec<Part> {
    let mut folded = parts.to_vec();
    if let (Some(part), Some(next)) = (parts.get(at), parts.get(at + 1)) {
        let whole = Part::Squashed(part.range().start..next.range().end);
        folded.splice(at..at + 2, [whole]);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `red:1 green:1 hand baseline:1`
    fn history(text: &str) -> Vec<WipCommit> {
        let one = |word: &str| {
            let (label, cycle) = word.split_once(':').unwrap_or((word, "0"));
            let (label, verdict) = match label {
                "partial" => ("green", Some("red".to_owned())),
                label => (label, None),
            };
            WipCommit {
                label: (label != "hand").then(|| label.to_owned()),
                cycle: cycle.parse().ok(),
                verdict,
                ..WipCommit::default()
            }
        };
        text.split_whitespace().map(one).collect()
    }

    /// `0 1-3`: a commit kept, and three squashed.
    fn shown(parts: &[Part]) -> String {
        let one = |part: &Part| match part {
            Part::Kept(at) => format!("{at}"),
            Part::Squashed(range) => format!("{}-{}", range.start, range.end - 1),
        };
        parts.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn commits_become_parts() {
        let all = Grouping::default();
        let cycles = Grouping {
            by_cycle: true,
            ..all
        };
        let folded = Grouping {
            fold_by_hand: true,
            ..all
        };
        let table = [
            ("", all, ""),
            ("red:1 green:1", all, "0-1"),
            ("red:1 green:1 red:2 green:2 refactor:2", all, "0-4"),
            ("red:1 green:1 red:2 green:2 refactor:2", cycles, "0-1 2-4"),
            ("baseline:1 red:1 green:1", all, "0 1-2"),
            ("baseline:1 red:1 green:1", folded, "0-2"),
            ("red:1 green:1 hand red:2 green:2", all, "0-1 2 3-4"),
            ("red:1 hand green:1", all, "0-2"),
            ("red:1 partial:1 hand green:1", all, "0-3"),
            ("red:1 partial:1 by-hand:1 green:1 hand", all, "0-3 4"),
            ("hand hand", all, "0 1"),
            (
                "test:1 red:1 green:1 chore:2 red:2 green:2",
                cycles,
                "0-2 3-5",
            ),
            ("red:1 green:1 sync:1 red:2 recover:2", cycles, "0-2 3-4"),
            ("red:1 green:1 docs:2 red:2 green:2", cycles, "0-2 3-4"),
            ("red:1 green:1 refactor:1 red:1 green:2", cycles, "0-2 3-4"),
        ];
        for (text, grouping, expected) in table {
            assert_eq!(shown(&parts(&history(text), grouping)), expected, "{text}");
        }
    }

    #[test]
    fn cycles_are_counted_by_their_reds() {
        for (text, expected) in [
            ("", 0),
            ("baseline:1 hand", 0),
            ("red:1 green:1 refactor:1 red:1 green:2", 2),
            ("red:1 red:1 partial:1 green:1", 1),
        ] {
            assert_eq!(super::cycles(&history(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_part_that_can_not_stand_alone_goes_into_the_next() {
        let found = parts(&history("baseline:1 red:1 green:1"), Grouping::default());
        assert_eq!(shown(&folded_into_next(&found, 0)), "0-2");
        assert_eq!(shown(&folded_into_next(&found, 1)), "0 1-2");
    }

    #[test]
    fn messages_are_read() {
        let commit = WipCommit::read(
            "WIP: a thing\n\nTCR-Phase: red\nTCR-Cycle: 3\nTCR-Test: a::b\nTCR-Test: c\n\
             Co-authored-by: Bo <bo@example.com>\n",
        );
        assert_eq!(commit.label.as_deref(), Some("red"));
        assert_eq!(commit.cycle, Some(3));
        assert_eq!(commit.tests, ["a::b", "c"]);
        assert_eq!(commit.co_authors, ["Bo <bo@example.com>"]);
        assert!(WipCommit::read("TCR-Phase: red").label.is_none());
        let with_git = "Notes\n\nBy hand.\n\nTCR-Phase: hand\nTCR-Cycle: 1\n";
        assert_eq!(WipCommit::read(with_git).label, None);
        assert_eq!(without_hook_trailers(with_git), "Notes\n\nBy hand.\n");
        let signed = "Notes\n\nSigned-off-by: Bo\nTCR-Phase: hand\nTCR-Cycle: 1\n";
        assert_eq!(
            without_hook_trailers(signed),
            "Notes\n\nSigned-off-by: Bo\n"
        );
        assert_eq!(
            without_hook_trailers("Notes\n\nTCR-Cycle: 1\n"),
            "Notes\n\nTCR-Cycle: 1\n"
        );
        assert!(WipCommit::read("by hand\n\nTCR-Phase: red\n\nmore\n").is_by_hand());
        assert_eq!(WipCommit::read(""), WipCommit::default());
    }
}
