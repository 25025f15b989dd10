//! Manifests as parts: what names dependencies, what steers how tests are found, built and run,
//! and what only describes the package. Each format family has its own file; here is what they
//! have in common.
//!
//! A format reads a manifest as *entries*: a key (its path through the document), the part it
//! belongs to, and a value without layout and comments. Two versions are compared entry by entry,
//! and one version can take single entries from another.

mod composer;
mod deno;
mod entry;
mod gemfile;
mod go_mod;
mod gradle;
mod ini;
mod json;
mod justfile;
mod makefile;
mod marked_lines;
mod names;
mod package_json;
mod pieces;
mod properties;
mod rules;
mod statements;
mod targets;
mod toml_manifest;
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub use entry::{Key, Part};
pub use names::{is_dependency_list, is_lock_file};

use entry::{Change, Entry, Format};

/// More keys than this, or keys times bytes, are not taken over one by one: no manifest written by
/// hand differs so much.
const MOST_KEYS: usize = 500;
const MOST_WORK: usize = 20_000_000;

/// Entries by key, in the normal form in which they are compared.
pub type Entries = BTreeMap<Key, Value>;

/// A manifest by its parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Split {
    /// What names dependencies.
    pub dependencies: Entries,
    /// What steers how tests are found, built and run.
    pub steering: Entries,
    /// What describes the package, and everything else.
    pub about: Entries,
}

/// What differs between two versions of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestChange {
    /// A dependency was added, changed or removed.
    pub dependencies: bool,
    /// Something that steers the tests was changed.
    pub steering: bool,
    /// The description, or anything else.
    pub about: bool,
    /// The keys of the steering part that differ, for messages: `scripts.test`.
    pub steering_keys: Vec<String>,
}

impl ManifestChange {
    /// Whether nothing but layout and comments differs.
    pub fn is_nothing(&self) -> bool {
        !(self.dependencies || self.steering || self.about)
    }

    fn add(&mut self, key: &Key, part: Part) {
        match part {
            Part::Dependencies => self.dependencies = true,
            Part::Steering => {
                self.steering = true;
                self.steering_keys.push(key.join("."));
            }
            Part::About => self.about = true,
        }
    }
}

/// A manifest that can't be read by its format. Whoever asks takes it for a change of steering,
/// and says that it can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Unreadable {
    /// Counted from 1.
    pub line: usize,
    /// What the reader says.
    pub reason: String,
}

impl Unreadable {
    fn at(text: &str, offset: usize, reason: impl Into<String>) -> Unreadable {
        let before = text.as_bytes().iter().take(offset);
        Unreadable {
            line: before.filter(|byte| **byte == b'\n').count() + 1,
            reason: reason.into(),
        }
    }
}

/// Whether a file of this name is read as a manifest.
pub fn is_manifest(path: &[u8]) -> bool {
    names::format_of(path).is_some()
}

/// The parts of a manifest; `None` if it is none, or can't be read.
pub fn split(path: &[u8], content: &[u8]) -> Option<Split> {
    let entries = read(names::format_of(path)?, content).ok()?;
    let mut split = Split::default();
    for entry in entries {
        let part = match entry.part {
            Part::Dependencies => &mut split.dependencies,
            Part::Steering => &mut split.steering,
            Part::About => &mut split.about,
        };
        part.insert(entry.key, entry.value);
    }
    Some(split)
}

/// What differs between two versions of a manifest; `None` stands for a file that is not there.
///
/// Only the new version has to be readable: what can't be read in the old one counts as not there.
/// A file that is no manifest is all description.
pub fn compare(
    path: &[u8],
    old: Option<&[u8]>,
    new: Option<&[u8]>,
) -> Result<ManifestChange, Unreadable> {
    let mut change = ManifestChange::default();
    if old == new {
        return Ok(change);
    }
    let Some(format) = names::format_of(path) else {
        change.about = true;
        return Ok(change);
    };
    // A tool looks for the file itself, whatever is in it.
    change.about = old.is_none() || new.is_none();
    let new_entries = new.map_or(Ok(Vec::new()), |new| read(format, new))?;
    let old_entries = old.and_then(|old| read(format, old).ok());
    let is_new = old.is_none();
    let old_entries = old_entries.unwrap_or_default();
    for (key, part) in differences(format, &old_entries, &new_entries, is_new) {
        change.add(&key, part);
    }
    if is_new && names::is_only_called_by_name(path) {
        // The tests ran without it, and nothing looks for it by itself.
        change = ManifestChange {
            about: true,
            ..ManifestChange::default()
        };
    }
    Ok(change)
}

/// `base` with the steering part of another version, in the layout of `base`. `None` if it can't
/// be put together; then only the whole file can be taken.
pub fn with_steering_of(path: &[u8], base: &[u8], steering_from: &[u8]) -> Option<Vec<u8>> {
    with_part_of(path, base, Part::Steering, steering_from)
}

/// `base` with one part of another version, as [`with_steering_of`] does it for steering.
pub fn with_part_of(path: &[u8], base: &[u8], part: Part, from: &[u8]) -> Option<Vec<u8>> {
    let format = names::format_of(path)?;
    let theirs = read(format, from).ok()?;
    let ours = read(format, base).ok()?;
    let keys = keys_of(differences(format, &theirs, &ours, false), part);
    if keys.is_empty() {
        return Some(base.to_vec());
    }
    if keys.len() > MOST_KEYS || keys.len().saturating_mul(base.len()) > MOST_WORK {
        return None;
    }
    let made = (format.take)(text_of(base)?, text_of(from)?, &keys)?;
    // What was put together is read again: no reader is trusted to write.
    let result = read(format, made.as_bytes()).ok()?;
    let part_is_theirs = keys_of(differences(format, &theirs, &result, false), part).is_empty();
    // A table that is empty now, or no longer, goes with the key that was taken.
    let is_taken = |key: &Key| keys.iter().any(|taken| taken.starts_with(key));
    let rest_is_ours = differences(format, &ours, &result, false)
        .iter()
        .all(|(key, _)| is_taken(key));
    (part_is_theirs && rest_is_ours).then(|| made.into_bytes())
}

fn keys_of(differences: Vec<(Key, Part)>, wanted: Part) -> Vec<Key> {
    differences
        .into_iter()
        .filter(|(_, part)| *part == wanted)
        .map(|(key, _)| key)
        .collect()
}

/// Without the mark that some editors put in front.
fn text_of(content: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(content).ok()?;
    Some(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn read(format: &Format, content: &[u8]) -> Result<Vec<Entry>, Unreadable> {
    let text = std::str::from_utf8(content).map_err(|error| {
        let good = content.get(..error.valid_up_to()).unwrap_or_default();
        let good = String::from_utf8_lossy(good);
        Unreadable::at(&good, good.len(), "it is not UTF-8")
    })?;
    (format.read)(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The keys whose values differ, each with the part that its change belongs to.
fn differences(format: &Format, old: &[Entry], new: &[Entry], is_new: bool) -> Vec<(Key, Part)> {
    let by_key = |entries: &[Entry]| -> BTreeMap<Key, (Part, Value)> {
        entries
            .iter()
            .map(|entry| (entry.key.clone(), (entry.part, entry.value.clone())))
            .collect()
    };
    let (old, new) = (by_key(old), by_key(new));
    let keys: BTreeSet<&Key> = old.keys().chain(new.keys()).collect();
    let mut found = Vec::new();
    for key in keys {
        let (before, after) = (old.get(key), new.get(key));
        if before.map(|entry| &entry.1) == after.map(|entry| &entry.1) {
            continue;
        }
        let parts = [before, after].into_iter().flatten().map(|entry| entry.0);
        let change = Change {
            key,
            part: parts.max().unwrap_or(Part::About),
            old: before.map(|entry| &entry.1),
            new: after.map(|entry| &entry.1),
            is_new,
        };
        found.push((key.clone(), (format.effect)(&change)));
    }
    found
}

#[cfg(test)]
mod tests;
