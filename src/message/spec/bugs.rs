//! Reports of wrong tests, and what a person decides.

use super::next_in;
use crate::branch::cycle::{BugStatus, TestBug};
use crate::branch::state::State;
use crate::message::{Message, Tone, count, path_list};
use crate::outcome::spec::Decided;

/// One report of a wrong test.
pub(crate) fn bug(bug: &TestBug) -> String {
    let status = match bug.status {
        BugStatus::Open => "reported",
        BugStatus::Accepted => "accepted",
        BugStatus::Rejected => "rejected",
    };
    format!(
        "{status} {}: `{}:{}` {}",
        bug.number, bug.file, bug.line, bug.text
    )
}

/// Another report waits.
pub(crate) fn bug_is_open(open: &TestBug) -> (String, String) {
    (
        format!(
            "test bug {} is open already: a person decides first",
            open.number
        ),
        format!(
            "git tcr test-bug accept {0}, or git tcr test-bug reject {0}",
            open.number
        ),
    )
}

/// A place that is not in the frozen tests.
pub(crate) fn not_a_frozen_line(file: &str, line: usize, lines: Option<usize>) -> (String, String) {
    let what = match lines {
        None => format!("`{file}` is not among the frozen files"),
        Some(lines) => format!(
            "`{file}` has {}, not a line {line}",
            count(lines, "line", "lines")
        ),
    };
    (what, "git tcr test-bug FILE:LINE TEXT".into())
}

/// A number that is no open report.
pub(crate) fn no_such_bug(number: u64) -> (String, String) {
    (
        format!("there is no open test bug {number} on this branch"),
        "git tcr status".into(),
    )
}

/// The words for `test-bug` and its decisions.
pub(crate) fn decided(decided: &Decided, state: &State) -> Message {
    let headline = match decided.bug.status {
        BugStatus::Open => "the cycle stops: source waits until a person decides".to_owned(),
        BugStatus::Accepted => format!(
            "test bug {} accepted: the oracle is in the archive, phase `red`",
            decided.bug.number
        ),
        BugStatus::Rejected => format!(
            "test bug {} rejected: the oracle holds, phase `{}`",
            decided.bug.number, state.phase
        ),
    };
    let mut message = Message::new(Tone::Plain, headline).fact(bug(&decided.bug));
    if let Some((number, files)) = &decided.parked {
        message = message.fact(format!(
            "put aside as recover {number} until source may be written again: {}",
            path_list(files)
        ));
    }
    if let Some(remark) = &decided.remark {
        message = message.fact(remark.clone());
    }
    message.hint(next_in(state, false))
}
