//! The words of `git tcr spike`.

use super::{Message, Tone, count, path_list, short_id, step};
use crate::outcome::spike::{Dropped, Kept};

/// The next step while a spike is open.
pub(crate) const WAYS_OUT: &str = "git tcr spike drop, or git tcr spike keep";

/// A spike has begun.
pub(crate) fn started(saved: Option<u64>) -> Message {
    let message = Message::new(Tone::Good, "a spike: the rules wait until it is over");
    let message = match saved {
        Some(number) => message.fact(format!(
            "what was uncommitted is kept as recover {number}, and comes back with `drop`"
        )),
        None => message,
    };
    message.hint(WAYS_OUT)
}

/// A spike was thrown away.
pub(crate) fn dropped(dropped: &Dropped, next_step: &str) -> Message {
    let mut message = Message::new(Tone::Good, "the spike is over: back to where it began");
    if let Some(number) = dropped.recover {
        message = message.fact(match dropped.files.is_empty() {
            true => step::staged_kept(number),
            false => format!(
                "its work is kept as recover {number}: {}",
                path_list(&dropped.files)
            ),
        });
    }
    if !dropped.edited_meanwhile.is_empty() {
        message = message.fact(step::edited_meanwhile(&dropped.edited_meanwhile));
    }
    message.hint(next_step)
}

/// A spike was kept.
pub(crate) fn kept(kept: &Kept, next_step: &str) -> Message {
    let Some(commit) = &kept.commit else {
        return Message::new(Tone::Good, "the spike is over: it changed nothing").hint(next_step);
    };
    let files = count(kept.files.len(), "file", "files");
    Message::new(
        Tone::Good,
        format!(
            "the spike is over: {files} committed as untested, `{}`",
            short_id(commit)
        ),
    )
    .fact(format!("files: {}", path_list(&kept.files)))
    .fact("the squash names them as untested")
    .hint(next_step)
}

/// The trailers of a commit that nobody tested.
pub(crate) fn trailers(files: &[String]) -> Vec<String> {
    const NAMED: usize = 30;
    let line = |path: &String| {
        let printable: String = path.chars().filter(|c| !c.is_control()).collect();
        format!("TCR-Untested: {printable}")
    };
    files.iter().take(NAMED).map(line).collect()
}

/// A second spike.
pub(crate) fn open_already() -> &'static str {
    "a spike is open already"
}

/// There is nothing to end.
pub(crate) fn none_open() -> &'static str {
    "no spike is open"
}

/// What can't be done while a spike is open.
pub(crate) fn first_end_it() -> &'static str {
    "a spike is open: nobody knows yet what becomes of its work"
}
