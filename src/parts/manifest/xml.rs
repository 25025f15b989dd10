//! `pom.xml`.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::Unreadable;
use super::entry::{Change, Entry, Format, Key, Part, as_declared};
use super::pieces;

use Part::{About, Dependencies, Steering};

pub(super) const POM: Format = Format { read, take, effect };

/// Deeper than any manifest is.
const DEEPEST: usize = 100;

/// An element with its place.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: String,
    text: String,
    children: Vec<Element>,
    span: Range<usize>,
    /// Where the closing tag begins; for `<a/>` the end of the element.
    close: usize,
}

fn read(text: &str) -> Result<Vec<Entry>, Unreadable> {
    let root = parse(text)?;
    let mut found = Vec::new();
    for child in &root.children {
        match child.name.as_str() {
            "dependencies" | "dependencyManagement" => dependencies(child, &mut found),
            "properties" | "parent" => members(child, &mut found),
            _ => found.push(entry(&[&child.name], part_of(&child.name), child)),
        }
    }
    pieces::number_keys(found.iter_mut().map(|entry| &mut entry.key));
    Ok(found)
}

fn part_of(name: &str) -> Part {
    match name {
        "repositories" | "pluginRepositories" => Dependencies,
        "build" | "profiles" | "modules" | "subprojects" | "packaging" => Steering,
        _ => About,
    }
}

fn effect(change: &Change<'_>) -> Part {
    let first = change.key.first().map_or("", String::as_str);
    match first {
        // One more module, beside those that are there.
        "modules" | "subprojects" if only_adds_modules(change) => About,
        "packaging" if change.is_new => About,
        _ => as_declared(change),
    }
}

fn only_adds_modules(change: &Change<'_>) -> bool {
    let lines = |value: Option<&Value>| -> Vec<String> {
        let text = value.and_then(Value::as_str).unwrap_or_default();
        text.split("<module>").skip(1).map(str::to_owned).collect()
    };
    let new = lines(change.new);
    let trimmed = |module: &String| module.split('<').next().unwrap_or_default().to_owned();
    let new: Vec<String> = new.iter().map(trimmed).collect();
    lines(change.old)
        .iter()
        .all(|old| new.contains(&trimmed(old)))
}

fn entry(key: &[&str], part: Part, element: &Element) -> Entry {
    Entry {
        key: key.iter().map(|name| (*name).to_owned()).collect(),
        part,
        value: Value::from(normal(element)),
    }
}

/// One entry for each dependency.
fn dependencies(element: &Element, found: &mut Vec<Entry>) {
    for child in &element.children {
        if child.name == "dependencies" {
            dependencies(child, found);
            continue;
        }
        let named = |name: &str| {
            let inner = child.children.iter().find(|inner| inner.name == name);
            inner.map_or("", |inner| inner.text.as_str())
        };
        let id = format!("{}:{}", named("groupId"), named("artifactId"));
        // A jar of the project itself could be anything.
        let part = match named("systemPath").is_empty() {
            true => Dependencies,
            false => Steering,
        };
        found.push(entry(&[&element.name, &id], part, child));
    }
}

/// One entry for each property.
fn members(element: &Element, found: &mut Vec<Entry>) {
    for child in &element.children {
        let part = match element.name.as_str() {
            "parent" if child.name == "relativePath" => Steering,
            "parent" => Dependencies,
            _ => property_part(&child.name),
        };
        found.push(entry(&[&element.name, &child.name], part, child));
    }
}

fn property_part(name: &str) -> Part {
    const STEERING: &[&str] = &[
        "test", "surefire", "failsafe", "argline", "compiler", "jacoco", "includes", "excludes",
        "groups", "sonar",
    ];
    let lower = name.to_ascii_lowercase();
    if lower.ends_with("version") {
        Dependencies
    } else if STEERING.iter().any(|word| lower.contains(word)) {
        Steering
    } else {
        About
    }
}

/// Without layout and comments.
fn normal(element: &Element) -> String {
    let mut text = format!("<{}{}>{}", element.name, element.attributes, element.text);
    for child in &element.children {
        text.push_str(&normal(child));
    }
    text.push_str("</>");
    text
}

fn parse(text: &str) -> Result<Element, Unreadable> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        let start = position(&reader);
        let event = reader.read_event().map_err(|error| {
            let at = usize::try_from(reader.error_position()).unwrap_or(0);
            Unreadable::at(text, at, error.to_string())
        })?;
        let end = position(&reader);
        let unreadable = |reason: &str| Unreadable::at(text, start, reason);
        match event {
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    return Err(unreadable("it is nested too deeply"));
                }
                let tag = tag_of(&tag).ok_or_else(|| unreadable("a bad tag"))?;
                open.push(Element {
                    span: start..end,
                    ..tag
                });
            }
            Event::Empty(tag) => {
                let tag = tag_of(&tag).ok_or_else(|| unreadable("a bad tag"))?;
                let element = Element {
                    span: start..end,
                    close: end,
                    ..tag
                };
                if let Some(parent) = open.last_mut() {
                    parent.children.push(element);
                }
            }
            Event::End(_) => {
                let element = open.pop();
                let (Some(mut element), Some(parent)) = (element, open.last_mut()) else {
                    return Err(unreadable("a tag that was not opened"));
                };
                element.close = start;
                element.span.end = end;
                parent.children.push(element);
            }
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                let words = text.get(start..end).unwrap_or_default();
                if let Some(parent) = open.last_mut() {
                    parent.text.push_str(words.trim());
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    let unreadable = |reason: &str| Unreadable::at(text, text.len(), reason);
    let mut document = match open.pop() {
        Some(document) if open.is_empty() => document,
        Some(_) | None => return Err(unreadable("a tag is not closed")),
    };
    document
        .children
        .pop()
        .ok_or_else(|| unreadable("it has no element"))
}

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

fn tag_of(tag: &quick_xml::events::BytesStart<'_>) -> Option<Element> {
    let name = tag.name().into_inner().to_owned();
    let mut attributes = String::new();
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        let (key, value) = (attribute.key.into_inner(), &attribute.value);
        attributes.push_str(&format!(" {key}={value:?}"));
    }
    Some(Element {
        name,
        attributes,
        ..Element::default()
    })
}

/// Elements of the root and properties are taken one by one; single dependencies are not placed.
fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let mut text = base.to_owned();
    let theirs = parse(from).ok()?;
    for key in keys {
        let root = parse(&text).ok()?;
        let our = find(&root, key).map(|element| element.span.clone());
        let their = find(&theirs, key).and_then(|element| from.get(element.span.clone()));
        match (our, their) {
            (Some(span), Some(with)) => text.replace_range(span, with),
            (Some(span), None) => {
                let before = text.get(..span.start)?.trim_end_matches([' ', '\t']).len();
                let before = text.get(..before)?.trim_end_matches(['\n', '\r']).len();
                text.replace_range(before..span.end, "");
            }
            (None, Some(with)) => {
                let parents = key.get(..key.len().checked_sub(1)?)?;
                let parent = if parents.is_empty() {
                    &root
                } else {
                    find(&root, parents)?
                };
                let indent = "  ".repeat(key.len());
                let at = text.get(..parent.close)?.trim_end().len();
                text.insert_str(at, &format!("\n{indent}{with}"));
            }
            (None, None) => return None,
        }
    }
    Some(text)
}

fn find<'a>(root: &'a Element, key: &[String]) -> Option<&'a Element> {
    let (name, rest) = key.split_first()?;
    let element = root.children.iter().find(|child| &child.name == name)?;
    if rest.is_empty() {
        Some(element)
    } else {
        find(element, rest)
    }
}
