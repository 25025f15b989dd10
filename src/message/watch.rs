//! The words of `git tcr watch`.

use super::{Message, Tone};
use crate::outcome::step::{Action, Because, Outcome};
use crate::rules::{Mode, Phase};

/// The keys, what each does in a word, and in a sentence.
pub(crate) const KEYS: &[(char, &str, &str)] = &[
    ('r', "run now", "run the tests now, even if paused"),
    ('f', "refactor", "reshape the code: `refactor`"),
    ('t', "next test (red)", "write the next test: `red`"),
    ('p', "pause", "let changes wait; again: go on"),
    ('u', "recover last", "bring back what was taken back last"),
    ('o', "open report", "show the report in a browser"),
    ('?', "help", "this page"),
    ('q', "quit", "end the watch, and a running test"),
];

/// How the page about the keys is left.
pub(crate) fn leave_help() -> &'static str {
    "any key: back"
}

/// The first line of the plain form.
pub(crate) fn begins(branch: &str, phase: Phase, mode: Mode, allowed: &str) -> Message {
    Message::new(
        Tone::Plain,
        format!("watching `{branch}`, phase `{phase}`, mode `{mode}`"),
    )
    .fact(format!("may be written now: {allowed}"))
    .hint(next(phase, mode))
}

/// The last line, on the way out.
pub(crate) fn ends(commits: u64, reverts: u64, seconds: u64) -> Message {
    Message::new(
        Tone::Plain,
        format!(
            "watched for {}: {}, {reverts} taken back",
            span(seconds),
            super::count(commits as usize, "commit", "commits")
        ),
    )
}

/// What the loop did, without what the screen shows in other places: results and next step.
pub(crate) fn outcome(outcome: &Outcome, output_limit: Option<usize>) -> Message {
    let without_results = Outcome {
        test_results: None,
        failing: Vec::new(),
        rounds: Vec::new(),
        ..outcome.clone()
    };
    let mut message = super::outcome::message(&without_results, None);
    if outcome.action == Action::Commit {
        message.headline = committed(outcome);
    }
    message
        .facts
        .extend(super::outcome::quoted_failures(outcome, output_limit));
    let next_step = super::phase::next_step(outcome.next_phase);
    let is_next = |hint: &str| hint == next_step || hint == super::phase::NEXT_WITHOUT_PHASES;
    message.hints.retain(|hint| !is_next(hint));
    for hint in &mut message.hints {
        *hint = where_saving_is_enough(hint, outcome.recover);
    }
    message
}

/// Branch and phase are on the screen already.
fn committed(outcome: &Outcome) -> String {
    let label = outcome.why.map_or("commit", Because::name);
    let files = match outcome.files.as_slice() {
        [only] => format!("`{only}`"),
        files => super::count(files.len(), "file", "files"),
    };
    let commit = outcome.commit.as_deref().unwrap_or_default();
    format!(
        "committed as {label}: {files}, `{}`",
        super::short_id(commit)
    )
}

/// What a hint says, and what is enough here.
const KEYS_FOR: &[(&str, &str)] = &[
    (", then `git tcr run`", " and save"),
    ("`git tcr phase refactor`", "`f`"),
    ("`git tcr phase red --why TEXT`", "`t`"),
];

/// A hint for a person who need not type a command.
fn where_saving_is_enough(hint: &str, recover: Option<u64>) -> String {
    let hint = KEYS_FOR
        .iter()
        .fold(hint.to_owned(), |hint, (command, key)| {
            hint.replace(command, key)
        });
    match recover {
        Some(number) => hint.replace(
            &format!("the work: `git tcr recover show {number}`"),
            "the work: `u` brings it back",
        ),
        None => hint,
    }
}

/// What to do in a phase, where saving a file is enough.
pub(crate) fn next(phase: Phase, mode: Mode) -> &'static str {
    if mode == Mode::Tcr {
        return "make a small change and save it";
    }
    match phase {
        Phase::Plan => "write the plan, then `git tcr plan FILE`",
        Phase::Red => "write a failing test and save it",
        Phase::Green => "make the failing tests pass",
        Phase::Refactor => "reshape the code while the tests stay green",
        Phase::Done => "git tcr squash",
    }
}

/// A time span in whole minutes.
pub(crate) fn span(seconds: u64) -> String {
    match seconds / 60 {
        0 => "less than a minute".into(),
        minutes @ 1..60 => format!("{minutes} min"),
        minutes => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// How long ago something was.
pub(crate) fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => "just now".into(),
        seconds => format!("{} ago", span(seconds)),
    }
}

/// The tests run.
pub(crate) fn running(command: &str, seconds: u64) -> String {
    format!("running `{command}`, {seconds} s")
}

/// Another git tcr has the worktree.
pub(crate) fn waiting(owner: &str) -> String {
    format!("waiting for another git tcr in this worktree ({owner})")
}

/// Nothing is done until the key is pressed again.
pub(crate) fn paused() -> &'static str {
    "paused: changes wait until `p` is pressed again"
}

/// Nothing has changed.
pub(crate) fn idle() -> &'static str {
    "waiting for a change"
}

/// The question before going back from `green`.
pub(crate) fn why_red() -> &'static str {
    "what is wrong with the test? "
}

/// Beside the question.
pub(crate) fn prompt_keys() -> &'static str {
    "enter: go back to `red`   esc: stay"
}

/// Whose turn it is and for how long.
pub(crate) fn turn(name: Option<&str>, seconds_left: u64) -> String {
    let left = span(seconds_left.saturating_add(59));
    match name {
        Some(name) => format!("{name}, {left} left"),
        None => format!("{left} left"),
    }
}

/// The turn is over.
pub(crate) fn turn_over(next: Option<&str>) -> Message {
    Message::new(
        Tone::Plain,
        match next {
            Some(name) => format!("time to switch: it is {name}'s turn"),
            None => "time to switch".into(),
        },
    )
}
