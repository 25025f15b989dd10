//! JSON manifests: read with the places of all values, changed without touching any other byte.

use std::ops::Range;

use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::Unreadable;
use super::entry::Key;

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const WITH_COMMENTS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    ..STRICT
};

/// A document as npm and Composer read it.
pub(super) fn read(text: &str) -> Result<Value, Unreadable> {
    value(text, &STRICT)
}

/// A document that may have comments and commas before a closing bracket.
pub(super) fn read_with_comments(text: &str) -> Result<Value, Unreadable> {
    value(text, &WITH_COMMENTS)
}

fn value(text: &str, options: &ParseOptions) -> Result<Value, Unreadable> {
    let unreadable = |error: jsonc_parser::errors::ParseError| {
        Unreadable::at(text, error.range().start, error.kind().to_string())
    };
    // A text after the document is an error to this reader only.
    parse_to_ast(text, &CollectOptions::default(), options).map_err(unreadable)?;
    let value = jsonc_parser::parse_to_serde_value::<Option<Value>>(text, options);
    match value.map_err(unreadable)?.unwrap_or_default() {
        Value::Object(table) => Ok(Value::Object(table)),
        _ => Err(Unreadable::at(text, 0, "it is not an object")),
    }
}

/// `base` with these keys as they are in `from`.
pub(super) fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let mut text = base.to_owned();
    for key in keys {
        let theirs = find(from, key).map(|place| (place, from));
        text = match (find(&text, key), theirs) {
            (Some(ours), Some((place, from))) => {
                let value = from.get(place.value)?;
                replaced(&text, &ours.value, value)?
            }
            (Some(ours), None) => without_empty(without(&text, &ours)?, from, key)?,
            (None, Some((place, from))) => inserted(&text, key, from.get(place.value)?)?,
            (None, None) => text,
        };
    }
    Some(text)
}

/// Where a property is.
struct Place {
    property: Range<usize>,
    value: Range<usize>,
    /// The end of the property before it in the same object.
    previous: Option<usize>,
    next: Option<usize>,
}

fn find(text: &str, key: &[String]) -> Option<Place> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &WITH_COMMENTS).ok()?;
    let Some(Node::Object(root)) = &parsed.value else {
        return None;
    };
    place_in(root, key)
}

fn place_in(object: &Object<'_>, key: &[String]) -> Option<Place> {
    let (name, rest) = key.split_first()?;
    // The last of several wins, as in every reader of JSON.
    let at = object
        .properties
        .iter()
        .rposition(|property| property.name.as_str() == name)?;
    let property = object.properties.get(at)?;
    if !rest.is_empty() {
        return match &property.value {
            Node::Object(inner) => place_in(inner, rest),
            _ => None,
        };
    }
    let neighbour = |at: Option<usize>| at.and_then(|at| object.properties.get(at));
    Some(Place {
        property: span(property),
        value: span(&property.value),
        previous: neighbour(at.checked_sub(1)).map(|property| span(property).end),
        next: neighbour(at.checked_add(1)).map(|property| span(property).start),
    })
}

fn span(node: &impl Ranged) -> Range<usize> {
    node.range().start..node.range().end
}

fn replaced(text: &str, range: &Range<usize>, with: &str) -> Option<String> {
    Some(format!(
        "{}{with}{}",
        text.get(..range.start)?,
        text.get(range.end..)?
    ))
}

/// With the comma and the white space that belong to the property.
fn without(text: &str, place: &Place) -> Option<String> {
    let cut = match (place.next, place.previous) {
        (Some(next), _) => place.property.start..next,
        (None, Some(previous)) => previous..place.property.end,
        (None, None) => place.property.clone(),
    };
    replaced(text, &cut, "")
}

/// Without the objects above a key that are empty now, unless the other version has them.
fn without_empty(text: String, from: &str, key: &[String]) -> Option<String> {
    let parents = key.get(..key.len().checked_sub(1)?)?;
    let (Some(place), None) = (find(&text, parents), find(from, parents)) else {
        return Some(text);
    };
    let inner = text.get(place.value.clone())?.strip_prefix('{')?;
    match inner.trim() {
        "}" => without_empty(without(&text, &place)?, from, parents),
        _ => Some(text),
    }
}

/// At the end of the object it belongs in, in lines of its own if the others have that.
fn inserted(text: &str, key: &[String], value: &str) -> Option<String> {
    let (name, parents) = key.split_last()?;
    let property = format!("{}: {value}", Value::from(name.as_str()));
    let parsed = parse_to_ast(text, &CollectOptions::default(), &WITH_COMMENTS).ok()?;
    let Some(Node::Object(root)) = &parsed.value else {
        return None;
    };
    let Some(object) = object_at(root, parents) else {
        return inserted(text, parents, &format!("{{ {property} }}"));
    };
    match object.properties.last() {
        Some(last) => {
            let before = text.get(..span(last).start)?;
            let blanks = before.len() - before.trim_end().len();
            let gap = before.get(before.len() - blanks..)?;
            let end = span(last).end;
            replaced(text, &(end..end), &format!(",{gap}{property}"))
        }
        None => replaced(text, &span(object), &format!("{{ {property} }}")),
    }
}

fn object_at<'a, 'b>(object: &'b Object<'a>, path: &[String]) -> Option<&'b Object<'a>> {
    let Some((name, rest)) = path.split_first() else {
        return Some(object);
    };
    match &object.get(name)?.value {
        Node::Object(inner) => object_at(inner, rest),
        _ => None,
    }
}
