//! Edits of JSON with comments that leave every other byte alone, and can be taken back.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// JSON, comments, and commas before a closing bracket.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The settings with their places; `None` for a text without any.
pub(super) fn parse(text: &str) -> Result<Option<Value<'_>>, String> {
    parse_to_ast(text, &CollectOptions::default(), &OPTIONS)
        .map(|result| result.value)
        .map_err(|error| error.to_string())
}

/// The settings as a value without places; `null` for a text without any.
pub(in crate::clients) fn to_value(text: &str) -> Result<serde_json::Value, String> {
    jsonc_parser::parse_to_serde_value::<Option<serde_json::Value>>(text, &OPTIONS)
        .map(Option::unwrap_or_default)
        .map_err(|error| error.to_string())
}

/// Whether there are comments in a text that can be read.
pub(super) fn has_comments(text: &str) -> bool {
    let options = ParseOptions {
        allow_comments: false,
        ..OPTIONS
    };
    needs(text, &options)
}

/// Whether there are commas before a closing bracket in a text that can be read.
pub(super) fn has_trailing_commas(text: &str) -> bool {
    let options = ParseOptions {
        allow_trailing_commas: false,
        ..OPTIONS
    };
    needs(text, &options)
}

/// Whether a text can be read, but not with these options.
fn needs(text: &str, options: &ParseOptions) -> bool {
    let reads = |options| parse_to_ast(text, &CollectOptions::default(), options).is_ok();
    reads(&OPTIONS) && !reads(options)
}

/// Where an object or a list is, and what is in it.
#[derive(Debug, Clone)]
pub(super) struct Container {
    range: Range<usize>,
    children: Vec<Range<usize>>,
}

impl Container {
    /// `None` for a plain value.
    pub(super) fn of(value: &Value<'_>) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Container::of_object(object)),
            Value::Array(array) => Some(Container::of_array(array)),
            _ => None,
        }
    }

    pub(super) fn of_object(object: &Object<'_>) -> Self {
        Container {
            range: span(object),
            children: object.properties.iter().map(span).collect(),
        }
    }

    pub(super) fn of_array(array: &Array<'_>) -> Self {
        Container {
            range: span(array),
            children: array.elements.iter().map(span).collect(),
        }
    }
}

fn span(node: &impl Ranged) -> Range<usize> {
    let range = node.range();
    range.start..range.end
}

/// How a text is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) newline: &'static str,
    pub(super) unit: String,
}

impl Layout {
    /// As the first entry of the outermost object has it.
    pub(super) fn of(text: &str, root: Option<&Container>) -> Self {
        let first = root.and_then(|root| root.children.first());
        let unit = first
            .and_then(|child| own_line_indent(text, child.start))
            .filter(|indent| !indent.is_empty())
            .unwrap_or("  ");
        let crlf = text
            .split_once('\n')
            .is_some_and(|(line, _)| line.ends_with('\r'));
        Layout {
            newline: if crlf { "\r\n" } else { "\n" },
            unit: unit.into(),
        }
    }
}

/// A place for one more child at the end of a container.
#[derive(Debug)]
pub(super) struct Gap {
    /// The indent of the child, if it gets lines of its own.
    indent: Option<String>,
    comma_at: Option<usize>,
    body_at: usize,
    comma_after: bool,
    /// The indent of the closing bracket, if it needs to be moved to a line of its own.
    closing: Option<String>,
}

impl Gap {
    pub(super) fn at_end_of(text: &str, container: &Container, layout: &Layout) -> Self {
        let close = container.range.end.saturating_sub(1);
        match container.children.last() {
            Some(last) => Gap::after(text, last, close),
            None => Gap::within(text, container.range.start, close, layout),
        }
    }

    fn after(text: &str, last: &Range<usize>, close: usize) -> Self {
        let trailing = comma_after(text, last.end);
        let anchor = trailing.map_or(last.end, |comma| comma + 1);
        let indent = own_line_indent(text, last.start).map(Into::into);
        Gap {
            body_at: match indent {
                Some(_) => behind_comment(text, anchor, close),
                None => anchor,
            },
            indent,
            comma_at: trailing.is_none().then_some(last.end),
            comma_after: trailing.is_some(),
            closing: None,
        }
    }

    fn within(text: &str, open: usize, close: usize, layout: &Layout) -> Self {
        let body_at = behind_comment(text, open + 1, close);
        let outer = line_indent(text, open);
        let in_one_line = open > 0 && !text.trim_end().contains('\n');
        let is_split = text
            .get(body_at..close)
            .is_some_and(|rest| rest.contains('\n'));
        Gap {
            indent: (!in_one_line).then(|| format!("{outer}{}", layout.unit)),
            comma_at: None,
            body_at,
            comma_after: false,
            closing: (!in_one_line && !is_split).then(|| outer.into()),
        }
    }

    /// Whether the closing bracket is moved to a line of its own. It can't be seen afterwards, so
    /// [`remove`] has to be told.
    pub(super) fn moves_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// The text with a child in the gap, which is printed by `print`.
    pub(super) fn fill(
        &self,
        text: &str,
        layout: &Layout,
        key: Option<&str>,
        value: &serde_json::Value,
    ) -> String {
        let newline = layout.newline;
        let mut body = String::new();
        if let Some(indent) = &self.indent {
            body.push_str(newline);
            body.push_str(indent);
        }
        body.push_str(&printed(layout, self.indent.as_deref(), key, value));
        if self.comma_after {
            body.push(',');
        }
        if let Some(outer) = &self.closing {
            body.push_str(newline);
            body.push_str(outer);
        }
        let mut text = text.to_string();
        text.insert_str(self.body_at, &body);
        if let Some(at) = self.comma_at {
            text.insert(at, ',');
        }
        text
    }
}

/// A property or a value, over several lines if there is an indent.
fn printed(
    layout: &Layout,
    indent: Option<&str>,
    key: Option<&str>,
    value: &serde_json::Value,
) -> String {
    let key = key.map(|key| serde_json::Value::from(key).to_string());
    let Some(indent) = indent else {
        let key = key.map(|key| format!("{key}:")).unwrap_or_default();
        return format!("{key}{value}");
    };
    let key = key.map(|key| format!("{key}: ")).unwrap_or_default();
    let lines = pretty(value, &layout.unit);
    format!("{key}{lines}").replace('\n', &format!("{}{indent}", layout.newline))
}

/// Over several lines; strings hold no line ends, as JSON escapes them.
pub(super) fn pretty(value: &serde_json::Value, unit: &str) -> String {
    use serde::Serialize;
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    value
        .serialize(&mut serializer)
        .expect("a JSON value is written to memory");
    String::from_utf8_lossy(&out).into_owned()
}

/// Takes a child out, with the white space and the comma that came with it.
pub(super) fn remove(
    text: &str,
    container: &Container,
    index: usize,
    closing_was_moved: bool,
) -> Option<String> {
    let child = container.children.get(index)?;
    let itself = start_with_line(text, child.start)..child.end;
    let mut cuts = vec![itself];
    if let Some(comma) = comma_after(text, child.end) {
        cuts.push(comma..comma + 1);
    } else if let Some(before) = index
        .checked_sub(1)
        .and_then(|at| container.children.get(at))
    {
        let comma = comma_after(text, before.end)?;
        cuts.push(comma..comma + 1);
    }
    if closing_was_moved && container.children.len() == 1 {
        cuts.push(child.end..end_of_moved_line(text, container, child.end));
    }
    cuts.sort_by_key(|cut| cut.start);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for cut in cuts {
        kept.push_str(text.get(at..cut.start)?);
        at = cut.end;
    }
    kept.push_str(text.get(at..)?);
    Some(kept)
}

fn end_of_moved_line(text: &str, container: &Container, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let outer = line_indent(text, container.range.start);
    ["\r\n", "\n"]
        .iter()
        .map(|newline| format!("{newline}{outer}"))
        .find(|moved| rest.starts_with(moved.as_str()))
        .map_or(from, |moved| from + moved.len())
}

/// The start of a child, or the end of the line before, if only blanks lie between.
fn start_with_line(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']);
    match before.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line).len(),
        None => start,
    }
}

/// The blanks before a position, if there is nothing else in its line.
fn own_line_indent(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let indent = before.get(before.rfind('\n')? + 1..)?;
    indent
        .chars()
        .all(|c| c == ' ' || c == '\t')
        .then_some(indent)
}

/// The blanks at the start of the line of a position.
fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.get(start..).unwrap_or_default();
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(0);
    line.get(..end).unwrap_or_default()
}

/// The end of the line, if nothing but a comment is left in it before `close`.
fn behind_comment(text: &str, from: usize, close: usize) -> usize {
    let rest = text.get(from..close).unwrap_or_default();
    let Some((line, _)) = rest.split_once('\n') else {
        return from;
    };
    let line = line.strip_suffix('\r').unwrap_or(line);
    let comment = line.trim();
    let whole_block = comment
        .strip_prefix("/*")
        .is_some_and(|inner| inner.find("*/") == inner.len().checked_sub(2));
    if comment.starts_with("//") || whole_block {
        from + line.len()
    } else {
        from
    }
}

/// The comma that follows, past white space and comments.
fn comma_after(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with(',') {
            return Some(at);
        } else if trimmed.starts_with("//") {
            at += trimmed.find('\n')?;
        } else if let Some(inner) = trimmed.strip_prefix("/*") {
            at += inner.find("*/")? + 4;
        } else {
            return None;
        }
    }
}
