//! Our entries in the clients' settings: put in, compared, taken out.
//!
//! Taking out gives back the bytes that were there before. Nothing else remembers them, so each of
//! our commands ends with the names of what was made for it. The shell ignores those words.

pub(crate) mod dialect;
pub(crate) mod entries;
pub(super) mod json_text;
pub(crate) mod own_entries;
pub(crate) mod switches;
#[cfg(test)]
mod tests;

use jsonc_parser::ast;
use serde_json::{Map, Value};

use super::{Client, Hooks};
use entries::{MARK, PLUGIN_HEAD, Times};
use json_text::{Container, Gap, Layout};
use own_entries::Made;

/// Why settings can't be merged into; they are left as they are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unmergeable {
    /// Not even text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// Not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(String),
    /// Something is of another kind than the client expects.
    #[error("`{name}` is not {wanted}")]
    WrongKind {
        /// What.
        name: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// A key is there more than once.
    #[error("`{0}` is there twice")]
    Twice(String),
    /// A file of another origin where ours belongs.
    #[error("it is not ours")]
    Foreign,
}

/// The text without our entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Removed {
    /// There were none.
    Nothing,
    /// What was there before.
    Text(String),
    /// Nothing was there before: the file can go.
    File,
}

/// The settings with our entries as they should be now: the same text, if they are.
pub(crate) fn plan(
    client: Client,
    existing: Option<&str>,
    times: Times,
) -> Result<String, Unmergeable> {
    let wanted = match &client.hooks {
        Hooks::Entries(own) => entries::settings(client, own, times),
        Hooks::Plugin(template) => return plan_plugin(existing, template, times),
    };
    let without = match existing.map(|text| (text, remove(client, text))) {
        None | Some((_, Ok(Removed::File))) => return Ok(whole(&wanted, Made::File)),
        Some((text, Ok(Removed::Nothing))) => text.to_string(),
        Some((_, Ok(Removed::Text(text)))) => text,
        Some((_, Err(error))) => return Err(error),
    };
    let (bom, text) = split_bom(&without);
    Ok(match parse(text)? {
        None => format!("{bom}{}{text}", whole(&wanted, Made::Content)),
        Some(_) => format!("{bom}{}", merged(text, &wanted)?),
    })
}

fn plan_plugin(
    existing: Option<&str>,
    template: &str,
    times: Times,
) -> Result<String, Unmergeable> {
    match existing {
        Some(text) if !text.starts_with(PLUGIN_HEAD) => Err(Unmergeable::Foreign),
        _ => Ok(entries::plugin(template, times)),
    }
}

/// The settings without our entries.
pub(crate) fn remove(client: Client, text: &str) -> Result<Removed, Unmergeable> {
    if let Hooks::Plugin(_) = client.hooks {
        let ours = text.starts_with(PLUGIN_HEAD);
        return Ok(if ours {
            Removed::File
        } else {
            Removed::Nothing
        });
    }
    let (bom, body) = split_bom(text);
    Ok(match own_entries::take_out(body)? {
        Removed::Text(rest) => Removed::Text(format!("{bom}{rest}")),
        other => other,
    })
}

/// Whether two texts of a file are the same without our entries; `None` stands for no file.
pub(crate) fn differ_only_by_ours(
    client: Client,
    before: Option<&str>,
    after: Option<&str>,
) -> bool {
    let theirs = |text: Option<&str>| match text {
        None => Some(None),
        Some(text) => match remove(client, text) {
            Ok(Removed::Nothing) => Some(Some(text.to_owned())),
            Ok(Removed::Text(rest)) => Some(Some(rest)),
            Ok(Removed::File) => Some(None),
            Err(_) => None,
        },
    };
    match (theirs(before), theirs(after)) {
        (Some(before), Some(after)) => before == after,
        _ => false,
    }
}

/// A byte order mark stays where it is.
fn split_bom(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split_at(text.len() - rest.len())
}

pub(super) fn parse(text: &str) -> Result<Option<ast::Value<'_>>, Unmergeable> {
    json_text::parse(text).map_err(Unmergeable::NotJson)
}

/// A file with nothing but our entries.
fn whole(wanted: &Map<String, Value>, made: Made) -> String {
    let settings = marked(&Value::Object(wanted.clone()), &[made]);
    format!("{}\n", json_text::pretty(&settings, "  "))
}

fn merged(text: &str, wanted: &Map<String, Value>) -> Result<String, Unmergeable> {
    let hooks = match wanted.get("hooks") {
        Some(Value::Object(hooks)) if container(text, &["hooks"])?.is_some() => hooks,
        _ => return with_hooks(text, wanted),
    };
    let mut text = text.to_string();
    for (event, entries) in hooks {
        let entry = entries.get(0).unwrap_or(entries);
        text = match container(&text, &["hooks", event])? {
            Some(_) => append(&text, &["hooks", event], None, entry, &[])?,
            None => append(&text, &["hooks"], Some(event), entries, &[Made::Event])?,
        };
    }
    Ok(text)
}

/// All the keys at once, of which `hooks` remembers how it was.
fn with_hooks(text: &str, wanted: &Map<String, Value>) -> Result<String, Unmergeable> {
    let mut made = vec![Made::Hooks];
    if gap(text, &[])?.moves_closing() {
        made.push(Made::Closing);
    }
    let mut text = text.to_string();
    for (key, value) in wanted {
        if key == "version" {
            if has_key(&text, key)? {
                continue;
            }
            made.push(Made::Version);
        }
        text = gap(&text, &[])?.fill(&text, &layout(&text)?, Some(key), &marked(value, &made));
    }
    Ok(text)
}

/// Puts a child at the end of the container under these keys.
fn append(
    text: &str,
    path: &[&str],
    key: Option<&str>,
    value: &Value,
    made: &[Made],
) -> Result<String, Unmergeable> {
    let gap = gap(text, path)?;
    let mut made = made.to_vec();
    if gap.moves_closing() {
        made.push(Made::Closing);
    }
    Ok(gap.fill(text, &layout(text)?, key, &marked(value, &made)))
}

fn gap(text: &str, path: &[&str]) -> Result<Gap, Unmergeable> {
    let container = container(text, path)?.ok_or_else(|| wrong_kind("the file", "an object"))?;
    Ok(Gap::at_end_of(text, &container, &layout(text)?))
}

fn layout(text: &str) -> Result<Layout, Unmergeable> {
    Ok(Layout::of(text, container(text, &[])?.as_ref()))
}

/// The settings, `hooks`, or the list of an event, if it is there.
fn container(text: &str, path: &[&str]) -> Result<Option<Container>, Unmergeable> {
    let value = parse(text)?;
    let mut value = value.as_ref();
    let mut name = "the file";
    for key in path {
        let Some(inner) = value else {
            return Ok(None);
        };
        let object = inner
            .as_object()
            .ok_or_else(|| wrong_kind(name, "an object"))?;
        value = property(object, key)?;
        name = key;
    }
    let Some(value) = value else {
        return Ok(None);
    };
    match (path.len(), value) {
        (0 | 1, ast::Value::Object(_)) | (2, ast::Value::Array(_)) => Ok(Container::of(value)),
        (0 | 1, _) => Err(wrong_kind(name, "an object")),
        _ => Err(wrong_kind(name, "a list")),
    }
}

fn has_key(text: &str, key: &str) -> Result<bool, Unmergeable> {
    match parse(text)? {
        Some(ast::Value::Object(root)) => Ok(property(&root, key)?.is_some()),
        _ => Ok(false),
    }
}

/// The value of a key, which must not be there twice: the clients obey the last one, others the
/// first.
pub(super) fn property<'a, 'b>(
    object: &'b ast::Object<'a>,
    key: &str,
) -> Result<Option<&'b ast::Value<'a>>, Unmergeable> {
    let mut found = object
        .properties
        .iter()
        .filter(|property| property.name.as_str() == key);
    let first = found.next();
    match found.next() {
        Some(_) => Err(Unmergeable::Twice(key.into())),
        None => Ok(first.map(|property| &property.value)),
    }
}

fn wrong_kind(name: &str, wanted: &'static str) -> Unmergeable {
    Unmergeable::WrongKind {
        name: name.into(),
        wanted,
    }
}

/// The entries with the names of what was made for them.
fn marked(value: &Value, made: &[Made]) -> Value {
    match value {
        Value::String(text) if text.ends_with(MARK) => {
            let names: String = made
                .iter()
                .map(|made| format!(" {}", made.name()))
                .collect();
            format!("{text}{names}").into()
        }
        Value::Array(entries) => entries.iter().map(|entry| marked(entry, made)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), marked(value, made)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}
