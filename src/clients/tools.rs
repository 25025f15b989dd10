//! What a call of a client's tool asks for.

use serde_json::Value;

use super::event::{Edit, ToolCall};
use super::payload::{BadPayload, Fields, object, wrong_type};

/// How a tool's input is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Write,
    Edit,
    MultiEdit,
    /// One tool for several actions, told apart by `command`.
    Editor,
    Notebook,
    Patch,
    Shell,
    /// Text typed into a shell that is already running.
    ShellInput,
    Delete,
    Reading,
}

/// A client's tools by their names in lower case, with blanks between them. What is not here is
/// unknown.
pub(super) type Vocabulary = &'static [(Kind, &'static str)];

const PATH: &[&str] = &["file_path", "filePath", "path"];
const NOTEBOOK_PATH: &[&str] = &["notebook_path", "file_path", "filePath", "path"];
const CONTENT: &[&str] = &["content", "file_text", "contents"];
const OLD: &[&str] = &["old_string", "oldString", "old_str", "oldText"];
const NEW: &[&str] = &["new_string", "newString", "new_str", "newText"];
const PATCH: &[&str] = &["command", "patchText", "input", "patch"];
/// How clients name the folder that a command runs in.
pub(crate) const SHELL_FOLDER: &[&str] = &[
    "workdir",
    "dir_path",
    "directory",
    "working_directory",
    "cwd",
];
const SHELL_INPUT: &[&str] = &["chars", "input"];
const ALL: &[&str] = &["replace_all", "replaceAll", "allow_multiple"];

/// Reads a tool call.
pub(super) fn read(
    vocabulary: Vocabulary,
    name: &str,
    input: &Value,
) -> Result<ToolCall, BadPayload> {
    let Some(kind) = kind(vocabulary, name) else {
        return Ok(unknown(name, input));
    };
    match (kind, input) {
        (Kind::Reading, _) => Ok(ToolCall::Reading { name: name.into() }),
        // Some models send the patch bare.
        (Kind::Patch, Value::String(text)) => Ok(ToolCall::Patch { text: text.clone() }),
        _ => with_fields(kind, name, input),
    }
}

/// A call that is only named, and judged by what it did.
pub(super) fn unknown(name: &str, input: &Value) -> ToolCall {
    ToolCall::Unknown {
        name: name.into(),
        input: input.clone(),
    }
}

fn kind(vocabulary: Vocabulary, name: &str) -> Option<Kind> {
    let name = name.to_ascii_lowercase();
    vocabulary
        .iter()
        .find(|(_, names)| names.split_whitespace().any(|known| known == name))
        .map(|(kind, _)| *kind)
}

fn with_fields(kind: Kind, name: &str, input: &Value) -> Result<ToolCall, BadPayload> {
    let fields = object(input, "tool input")?;
    match kind {
        Kind::Write => write(fields),
        Kind::Edit => Ok(ToolCall::Edit {
            path: path(fields, PATH)?,
            edits: vec![edit(fields)?],
        }),
        Kind::MultiEdit => multi_edit(fields),
        Kind::Editor => editor(fields, name, input),
        Kind::Notebook => notebook(fields),
        Kind::Patch => Ok(ToolCall::Patch {
            text: fields.needed_any_text(PATCH)?.into(),
        }),
        Kind::Shell => Ok(ToolCall::Shell {
            command: text(fields, "command")?,
            cwd: folder(fields)?,
        }),
        Kind::ShellInput => Ok(ToolCall::Shell {
            command: fields.any_text(SHELL_INPUT)?.unwrap_or_default().into(),
            cwd: None,
        }),
        Kind::Delete => Ok(ToolCall::Delete {
            path: path(fields, PATH)?,
        }),
        Kind::Reading => Ok(ToolCall::Reading { name: name.into() }),
    }
}

fn write(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    Ok(ToolCall::Write {
        path: path(fields, PATH)?,
        content: fields.needed_any_text(CONTENT)?.into(),
    })
}

fn edit(fields: Fields<'_>) -> Result<Edit, BadPayload> {
    let mut all = false;
    for name in ALL {
        all |= fields.flag(name)?;
    }
    let expected = fields.value("expected_replacements");
    let several = match expected {
        None => false,
        Some(count) => {
            count
                .as_f64()
                .ok_or_else(|| wrong_type("expected_replacements", "a number"))?
                > 1.0
        }
    };
    Ok(Edit {
        old: fields.needed_any_text(OLD)?.into(),
        new: fields.needed_any_text(NEW)?.into(),
        all: all || several,
    })
}

fn multi_edit(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let file = path(fields, PATH)?;
    let list = fields
        .value("edits")
        .ok_or_else(|| BadPayload::Missing("edits".into()))?
        .as_array()
        .ok_or_else(|| wrong_type("edits", "a list"))?;
    let mut edits = Vec::with_capacity(list.len());
    for entry in list {
        let entry = object(entry, "edits")?;
        // One file for all: an edit that names another can't be judged as part of this call.
        if entry.any_text(PATH)?.is_some_and(|own| own != file) {
            return Err(BadPayload::Ambiguous("file_path".into(), "edits".into()));
        }
        edits.push(edit(entry)?);
    }
    Ok(ToolCall::Edit { path: file, edits })
}

fn editor(fields: Fields<'_>, name: &str, input: &Value) -> Result<ToolCall, BadPayload> {
    match text(fields, "command")?.as_str() {
        "view" => Ok(ToolCall::Reading { name: name.into() }),
        "create" => write(fields),
        "str_replace" => Ok(ToolCall::Edit {
            path: path(fields, PATH)?,
            edits: vec![edit(fields)?],
        }),
        _ => Ok(unknown(name, input)),
    }
}

fn notebook(fields: Fields<'_>) -> Result<ToolCall, BadPayload> {
    let deletes = fields.text("edit_mode")? == Some("delete");
    let source = fields.any_text(&["new_source", "newCode"])?;
    if source.is_none() && !deletes {
        return Err(BadPayload::Missing("new_source".into()));
    }
    Ok(ToolCall::Notebook {
        path: path(fields, NOTEBOOK_PATH)?,
        source: source.unwrap_or_default().into(),
    })
}

fn folder(fields: Fields<'_>) -> Result<Option<String>, BadPayload> {
    let folder = fields.any_text(SHELL_FOLDER)?;
    Ok(folder.filter(|text| !text.is_empty()).map(Into::into))
}

fn path(fields: Fields<'_>, names: &[&str]) -> Result<String, BadPayload> {
    match fields.needed_any_text(names)? {
        "" => Err(BadPayload::Empty(
            names.first().copied().unwrap_or_default().into(),
        )),
        path => Ok(path.into()),
    }
}

fn text(fields: Fields<'_>, name: &str) -> Result<String, BadPayload> {
    fields.needed_any_text(&[name]).map(Into::into)
}
