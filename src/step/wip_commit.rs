//! Commits for the WIP branch, and their messages.

use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::config::MessageParts;
use crate::error::Result;
use crate::git::notes::Note;
use crate::git::trees::Change;
use crate::git::{objects, refs};
use crate::message;

impl Session<'_> {
    /// The summary that `git log --notes=tcr` shows.
    pub(crate) fn summary_note(
        &self,
        commit: gix::ObjectId,
        label: &str,
        results: Option<&TestResults>,
    ) -> Result<Note> {
        let text = message::outcome::commit_summary(label, self.cycle_of(label), results);
        let blob = objects::blob(self.repo, text.as_bytes())?;
        Ok(Note::new(refs::NOTES, commit, blob))
    }

    /// Writes a commit for the WIP branch.
    pub(crate) fn wip_commit(
        &self,
        tree: gix::ObjectId,
        label: &str,
        tests: &str,
        changes: &[Change],
    ) -> Result<gix::ObjectId> {
        let message = self.wip_message(label, tests, changes, &[]);
        objects::commit(self.repo, tree, &[self.head], &message)
    }

    /// The message of a commit on the WIP branch, with more trailers if there are any.
    pub(crate) fn wip_message(
        &self,
        label: &str,
        tests: &str,
        changes: &[Change],
        trailers: &[String],
    ) -> String {
        let cycle = self.cycle_of(label).to_string();
        let files = file_list(changes);
        let subject = self.config.message_for(&MessageParts {
            phase: label,
            cycle: &cycle,
            tests,
            files: &files,
        });
        let mut message = format!(
            "{}\n\nTCR-Phase: {label}\nTCR-Cycle: {cycle}\n",
            subject.trim_end()
        );
        if let Some(by) = &self.by {
            message.push_str(&format!("Agent-Type: {by}\n"));
        }
        for trailer in trailers {
            message.push_str(trailer);
            message.push('\n');
        }
        message
    }
}

fn file_list(changes: &[Change]) -> String {
    const NAMED: usize = 3;
    let names: Vec<String> = changes
        .iter()
        .take(NAMED)
        .map(|change| change.path.to_string())
        .collect();
    match changes.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
