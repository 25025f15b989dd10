//! What a tool call would write, and as far as it can be known what comes out.

use std::path::PathBuf;

use super::foreign_tool::may_write;
use super::world::World;
use crate::clients::event::{Edit, ToolCall};
use crate::clients::{apply_patch, patched_text};
use crate::command_line::{Content, ShellEffect};
use crate::outcome::gate::Objection;

/// One file that would change.
pub(super) struct Wanted {
    /// Absolute, with links and dots resolved.
    pub(super) path: PathBuf,
    pub(super) writing: Writing,
}

/// What becomes of a file.
pub(super) enum Writing {
    /// It can't be known beforehand.
    Unknown,
    /// From one content to another; `None` for a file that is not there.
    Content {
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    },
}

/// What a file is after a call.
enum Outcome {
    Unknown,
    Gone,
    Text(Vec<u8>),
}

/// What a call of a tool other than the shell would write.
pub(super) fn of_call(call: &ToolCall, world: &World<'_>) -> Result<Vec<Wanted>, Objection> {
    let spelled = |path: &str, after: &dyn Fn(Option<&[u8]>) -> Outcome| {
        let path = world.resolve(path);
        let before = world.content(&path);
        let writing = match after(before.as_deref()) {
            Outcome::Unknown => Writing::Unknown,
            Outcome::Gone => Writing::Content {
                before,
                after: None,
            },
            Outcome::Text(text) => Writing::Content {
                before,
                after: Some(text),
            },
        };
        Wanted { path, writing }
    };
    // Some clients take blanks around a path for part of it, some do not.
    let one = |path: &str, after: &dyn Fn(Option<&[u8]>) -> Outcome| {
        let trimmed = Some(path.trim()).filter(|trimmed| *trimmed != path);
        let paths = std::iter::once(path).chain(trimmed);
        paths.map(|path| spelled(path, after)).collect::<Vec<_>>()
    };
    match call {
        ToolCall::Write { path, content } => {
            Ok(one(path, &|_| Outcome::Text(content.clone().into_bytes())))
        }
        ToolCall::Edit { path, edits } => Ok(one(path, &|before| {
            edited(before, edits).map_or(Outcome::Unknown, Outcome::Text)
        })),
        ToolCall::Notebook { path, .. } => Ok(one(path, &|_| Outcome::Unknown)),
        ToolCall::Delete { path } => Ok(one(path, &|_| Outcome::Gone)),
        ToolCall::Patch { text } => {
            let changes = apply_patch::changes(text).map_err(|_| Objection::UnreadablePatch)?;
            let texts = patched_text::texts(text, &|path| {
                let bytes = world.content(&world.resolve(path))?;
                String::from_utf8(bytes).ok()
            });
            let after = |path: &str| match texts.get(path) {
                Some(text) => Outcome::Text(text.clone().into_bytes()),
                None => Outcome::Unknown,
            };
            Ok(changes
                .iter()
                .flat_map(|change| match change {
                    apply_patch::Change::Write(path) => one(path, &|_| after(path)),
                    apply_patch::Change::Delete(path) => one(path, &|_| Outcome::Gone),
                })
                .collect())
        }
        // A tool's input is an object: what else it may be is for nobody to guess.
        ToolCall::Unknown { input, .. } if !(input.is_object() || input.is_null()) => Err(
            Objection::Unparsed("the tool's input is not an object".into()),
        ),
        ToolCall::Unknown { name, input } => Ok(may_write(name, input)
            .iter()
            .flat_map(|path| one(path, &|_| Outcome::Unknown))
            .collect()),
        ToolCall::Reading { .. } | ToolCall::Shell { .. } => Ok(Vec::new()),
    }
}

/// What a shell command would write to one file.
pub(super) fn of_effect(effect: &ShellEffect, world: &World<'_>) -> Option<Wanted> {
    let (path, after) = match effect {
        ShellEffect::Write {
            path,
            content: Some(Content::Whole(text)),
            ..
        } => (path, Some(Some(text.clone().into_bytes()))),
        ShellEffect::Write {
            path,
            content: Some(Content::Appended(text)),
            ..
        } => {
            let mut whole = world.content(path).unwrap_or_default();
            whole.extend_from_slice(text.as_bytes());
            (path, Some(Some(whole)))
        }
        ShellEffect::Write {
            path,
            content: None,
            ..
        } => (path, None),
        ShellEffect::Delete { path, .. } => (path, Some(None)),
        _ => return None,
    };
    let writing = match after {
        Some(after) => Writing::Content {
            before: world.content(path),
            after,
        },
        None => Writing::Unknown,
    };
    Some(Wanted {
        path: path.clone(),
        writing,
    })
}

/// The file with the edits applied; none if that can't be done as asked.
fn edited(before: Option<&[u8]>, edits: &[Edit]) -> Option<Vec<u8>> {
    let mut text = std::str::from_utf8(before.unwrap_or_default())
        .ok()?
        .to_owned();
    for edit in edits {
        if edit.old.is_empty() {
            if !text.is_empty() {
                return None;
            }
            text.clone_from(&edit.new);
        } else if !text.contains(&edit.old) {
            return None;
        } else if edit.all {
            text = text.replace(&edit.old, &edit.new);
        } else {
            text = text.replacen(&edit.old, &edit.new, 1);
        }
    }
    Some(text.into_bytes())
}
