//! The words of `git tcr recover`.

use std::fmt::Write as _;

use super::{Message, Tone, count, path_list, short_id};
use crate::branch::recover::{Entry, Shown};
use crate::outcome::recover::{BackAtGreen, Restored};

/// There is nothing to bring back.
pub(crate) fn nothing_reverted() -> Message {
    Message::new(Tone::Plain, "nothing was taken back on this branch")
}

/// A line for each entry, and what can be done with them.
pub(crate) fn list(entries: &[Entry], older: usize) -> String {
    let mut text = String::new();
    for entry in entries {
        let _ = writeln!(text, "{}", line(entry));
    }
    if older > 0 {
        let all = entries.len() + older;
        let _ = writeln!(text, "{older} older: `git tcr recover list -n {all}`");
    }
    text.push_str("hint: git tcr recover show NUMBER, git tcr recover restore NUMBER\n");
    text
}

/// One entry with its diff.
pub(crate) fn shown(shown: &Shown) -> String {
    let mut text = format!("{}\n{}", line(&shown.entry), shown.diff);
    if let Some(staged) = &shown.staged {
        let _ = write!(
            text,
            "staged, and nowhere else:\n{}hint: git restore --staged --source={} PATH\n",
            staged.diff,
            short_id(&staged.commit)
        );
    }
    text
}

fn line(entry: &Entry) -> String {
    let files = count(entry.files.len(), "file", "files");
    format!(
        "{:>4}  {}  {files}: {}  {}",
        entry.number,
        entry.at,
        path_list(&entry.files),
        entry.why
    )
}

/// What was brought back, and the next step.
pub(crate) fn restored(number: u64, restored: &Restored) -> Message {
    restored_in_brief(number, restored).hint("change it, then `git tcr run`")
}

/// What was brought back, without the next step.
pub(crate) fn restored_in_brief(number: u64, restored: &Restored) -> Message {
    let files = count(restored.files.len(), "file", "files");
    let headline = format!("brought back recover {number}: {files}");
    let mut message =
        Message::new(Tone::Good, headline).fact(format!("files: {}", path_list(&restored.files)));
    if let Some(saved) = restored.saved {
        message = message.fact(format!("what was there before is kept as recover {saved}"));
    }
    if !restored.kept.is_empty() {
        message = message.fact(super::step::edited_meanwhile(&restored.kept));
    }
    message.fact("it is not taken back again until it changes")
}

/// The last green is back.
pub(crate) fn back_at_green(back: &BackAtGreen, next_step: &str) -> Message {
    let place = match back.is_fork {
        true => "where the work began",
        false => "the last green",
    };
    let headline = format!("back at {place}, `{}`", short_id(&back.green));
    let mut message = Message::new(Tone::Good, headline);
    if let Some(saved) = back.saved {
        message = message.fact(format!("the work since is kept as recover {saved}"));
    }
    if !back.kept.is_empty() {
        message = message.fact(super::step::edited_meanwhile(&back.kept));
    }
    message.hint(next_step)
}
