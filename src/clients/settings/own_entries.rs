//! Our entries in a client's settings: known again, compared, and taken out.

use jsonc_parser::ast;
use serde_json::Value;

use super::dialect::{self, Foreign};
use super::entries::{self, MARK, PLUGIN_HEAD, Times};
use super::json_text::{self, Container};
use super::{Removed, Unmergeable, parse, property};
use crate::clients::{Client, Hooks};

/// What was made for an entry, and goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// The file.
    File,
    /// All that is in a file that was there.
    Content,
    /// The `hooks` object.
    Hooks,
    /// The `version`.
    Version,
    /// The list of the event.
    Event,
    /// A line of its own for the closing bracket of what it was put into.
    Closing,
}

impl Made {
    const ALL: [Made; 6] = [
        Made::File,
        Made::Content,
        Made::Hooks,
        Made::Version,
        Made::Event,
        Made::Closing,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Made::File => "+file",
            Made::Content => "+content",
            Made::Hooks => "+hooks",
            Made::Version => "+version",
            Made::Event => "+event",
            Made::Closing => "+closing",
        }
    }
}

/// What is wrong with installed entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The entry for this event is not there.
    Missing(String),
    /// The entry for this event is not as it should be.
    Edited(String),
    /// All hooks are switched off by this setting.
    SwitchedOff(&'static str),
    /// The file can't be read.
    Unreadable(Unmergeable),
    /// The file can be read, but not by the client.
    UnreadableForClient(Foreign),
}

/// Compares the entries with what they should be.
pub(crate) fn findings(client: Client, text: &str, times: Times) -> Vec<Finding> {
    let wanted = match &client.hooks {
        Hooks::Entries(own) => entries::settings(client, own, times),
        Hooks::Plugin(template) if text == entries::plugin(template, times) => return Vec::new(),
        Hooks::Plugin(_) if !text.starts_with(PLUGIN_HEAD) => {
            return vec![Finding::Unreadable(Unmergeable::Foreign)];
        }
        Hooks::Plugin(_) => return vec![Finding::Edited("plugin".into())],
    };
    let foreign = dialect::unreadable_for(client, text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let settings = match json_text::to_value(text) {
        Ok(settings) => settings,
        Err(error) => return vec![Finding::Unreadable(Unmergeable::NotJson(error))],
    };
    let mut found: Vec<Finding> = client
        .switches
        .iter()
        .filter(|(path, off)| settings.pointer(path) == Some(&Value::Bool(*off)))
        .map(|(path, _)| Finding::SwitchedOff(path.trim_start_matches('/')))
        .collect();
    found.extend(foreign.map(Finding::UnreadableForClient));
    let events = wanted.get("hooks").and_then(Value::as_object);
    for (event, entries) in events.into_iter().flatten() {
        let list = settings.pointer(&format!("/hooks/{event}"));
        let list = list
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let wanted = entries.get(0).unwrap_or(entries);
        if !list.iter().any(|entry| unmarked(entry) == *wanted) {
            let edited = list
                .iter()
                .any(|entry| entry.to_string().contains("git-tcr"));
            let event = event.clone();
            found.push(if edited {
                Finding::Edited(event)
            } else {
                Finding::Missing(event)
            });
        }
    }
    found
}

/// The command that a client's settings run before a tool call.
pub(crate) fn gate_command(text: &str) -> Option<String> {
    fn find(value: &Value) -> Option<&str> {
        match value {
            Value::String(text) => calls(text, "gate").then_some(text),
            Value::Array(entries) => entries.iter().find_map(find),
            Value::Object(fields) => fields.values().find_map(find),
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let settings = json_text::to_value(text).ok()?;
    find(&settings).map(str::to_owned)
}

/// Whether a command calls one of ours: by its name, or as the program that is written down.
fn calls(command: &str, name: &str) -> bool {
    ["git-tcr", "\"$tcr\""]
        .iter()
        .any(|program| command.contains(&format!("{program} {name} --client ")))
}

/// An entry without the names of what was made for it.
fn unmarked(entry: &Value) -> Value {
    match entry {
        Value::String(text) => match split_mark(text) {
            Some((command, _)) => command.into(),
            None => entry.clone(),
        },
        Value::Array(entries) => entries.iter().map(unmarked).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), unmarked(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// A command of ours up to its mark, and what was made for it.
fn split_mark(command: &str) -> Option<(&str, Vec<Made>)> {
    let end = command.rfind(MARK)? + MARK.len();
    let (command, names) = command.split_at(end);
    let made = names
        .split_whitespace()
        .map(|name| Made::ALL.into_iter().find(|made| made.name() == name));
    Some((command, made.collect::<Option<_>>()?))
}

/// Takes all our entries out of settings.
pub(super) fn take_out(text: &str) -> Result<Removed, Unmergeable> {
    let mut left = Removed::Nothing;
    loop {
        let text = match &left {
            Removed::Nothing => text,
            Removed::Text(text) => text,
            Removed::File => return Ok(left),
        };
        match without_last(text)? {
            Removed::Nothing => return Ok(left),
            less => left = less,
        }
    }
}

/// One entry less, the last first: each was put behind the others.
fn without_last(text: &str) -> Result<Removed, Unmergeable> {
    let value = parse(text)?;
    let Some(ast::Value::Object(root)) = &value else {
        return Ok(Removed::Nothing);
    };
    let Some(ast::Value::Object(hooks)) = property(root, "hooks")? else {
        return Ok(Removed::Nothing);
    };
    let last = hooks
        .properties
        .iter()
        .enumerate()
        .rev()
        .find(|(_, event)| holds_own(&event.value));
    let Some((at, event)) = last else {
        return Ok(Removed::Nothing);
    };
    let made = made_for_all(&event.value);
    if hooks
        .properties
        .iter()
        .all(|event| made_for_all(&event.value).is_some())
    {
        let all: Vec<Made> = hooks
            .properties
            .iter()
            .filter_map(|event| made_for_all(&event.value))
            .flatten()
            .collect();
        if has_any(&all, &[Made::File, Made::Content, Made::Hooks]) {
            return without_hooks(text, root, &all);
        }
    }
    match made {
        Some(made)
            if has_any(
                &made,
                &[Made::Event, Made::File, Made::Content, Made::Hooks],
            ) =>
        {
            let moved = has_any(&made, &[Made::Event]) && has_any(&made, &[Made::Closing]);
            cut(text, Container::of_object(hooks), at, moved)
        }
        _ => without_entry(text, &event.value),
    }
}

fn has_any(made: &[Made], of: &[Made]) -> bool {
    made.iter().any(|made| of.contains(made))
}

/// Takes out the whole `hooks`, and what else was made with it.
fn without_hooks(
    text: &str,
    root: &ast::Object<'_>,
    made: &[Made],
) -> Result<Removed, Unmergeable> {
    let ours = |name: &str| {
        name == "hooks"
            || (name == "version" && has_any(made, &[Made::Version, Made::File, Made::Content]))
    };
    let only_ours = root
        .properties
        .iter()
        .all(|property| ours(property.name.as_str()));
    if only_ours && has_any(made, &[Made::File]) {
        return Ok(Removed::File);
    }
    if only_ours && has_any(made, &[Made::Content]) {
        let rest = text.get(root.range.end..).unwrap_or_default();
        return Ok(Removed::Text(
            rest.strip_prefix('\n').unwrap_or(rest).into(),
        ));
    }
    let moved = has_any(made, &[Made::Closing]) && has_any(made, &[Made::Hooks]);
    let mut left = text.to_string();
    for key in ["hooks", "version"].into_iter().filter(|key| ours(key)) {
        let next = match parse(&left)? {
            Some(ast::Value::Object(root)) => {
                let at = root
                    .properties
                    .iter()
                    .position(|property| property.name.as_str() == key);
                match at {
                    Some(at) => cut(&left, Container::of_object(&root), at, moved)?,
                    None => Removed::Nothing,
                }
            }
            _ => Removed::Nothing,
        };
        if let Removed::Text(next) = next {
            left = next;
        }
    }
    Ok(Removed::Text(left))
}

/// Takes the last entry of ours out of a list that has others.
fn without_entry(text: &str, list: &ast::Value<'_>) -> Result<Removed, Unmergeable> {
    let ast::Value::Array(entries) = list else {
        return Ok(Removed::Nothing);
    };
    let last = entries
        .elements
        .iter()
        .enumerate()
        .rev()
        .find(|(_, entry)| holds_own_entry(entry));
    let Some((at, entry)) = last else {
        return Ok(Removed::Nothing);
    };
    match (made_for(entry), entry.as_object()) {
        (Some(made), _) => {
            let moved = made == [Made::Closing];
            cut(text, Container::of_array(entries), at, moved)
        }
        // A group that someone has put another hook into.
        (None, Some(group)) => match property(group, "hooks")? {
            Some(hooks) => without_entry(text, hooks),
            None => Ok(Removed::Nothing),
        },
        (None, None) => Ok(Removed::Nothing),
    }
}

pub(super) fn cut(
    text: &str,
    container: Container,
    at: usize,
    moved: bool,
) -> Result<Removed, Unmergeable> {
    let left = json_text::remove(text, &container, at, moved)
        .ok_or_else(|| Unmergeable::NotJson("our entry can't be cut out".into()))?;
    // Comments in odd places: better to leave it to a person than to break the file.
    parse(&left)?;
    Ok(Removed::Text(left))
}

/// What was made for an entry of ours; `None` for someone else's.
fn made_for(entry: &ast::Value<'_>) -> Option<Vec<Made>> {
    let object = entry.as_object()?;
    match object.get_array("hooks") {
        Some(hooks) => list_made_for(hooks),
        None => ["command", "bash"].into_iter().find_map(|key| {
            let command = object.get_string(key)?;
            own_command(&command.value)
        }),
    }
}

fn own_command(command: &str) -> Option<Vec<Made>> {
    let calls_us = ["gate", "loop", "session"]
        .iter()
        .any(|name| calls(command, name));
    match split_mark(command) {
        Some((_, made)) => Some(made),
        None => calls_us.then(Vec::new),
    }
}

fn list_made_for(entries: &ast::Array<'_>) -> Option<Vec<Made>> {
    let all: Option<Vec<_>> = entries.elements.iter().map(made_for).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.concat())
}

/// What was made for a list of nothing but our entries.
fn made_for_all(list: &ast::Value<'_>) -> Option<Vec<Made>> {
    list_made_for(list.as_array()?)
}

fn holds_own(list: &ast::Value<'_>) -> bool {
    list.as_array()
        .is_some_and(|entries| entries.elements.iter().any(holds_own_entry))
}

fn holds_own_entry(entry: &ast::Value<'_>) -> bool {
    let in_group = || {
        let hooks = entry.as_object()?.get_array("hooks")?;
        Some(hooks.elements.iter().any(|hook| made_for(hook).is_some()))
    };
    made_for(entry).is_some() || in_group().unwrap_or(false)
}
