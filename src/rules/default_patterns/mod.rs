//! The classes of paths where the config says nothing: plain tables and string matching, because
//! the gate has no time to compile patterns.
//!
//! Names with a separator (`_test`, `.spec`, `conftest.py`) match in any case: no file system and
//! no runner gives `Calc_Test.rs` another meaning. CamelCase endings (`*Test.java`) do not, or
//! `Latest.java` would be a test.

mod harness;
mod product;
mod protected;
mod test_names;

use crate::languages::Language;

pub(super) use harness::{begins_with_runner, is_harness};
pub(super) use product::{is_cache, is_docs, is_source};
pub(super) use protected::{covers, is_client_file, is_git_dir, is_hook_folder, is_own_config};
pub(super) use test_names::{is_snapshot, is_test};

/// A path taken apart once for all tables.
pub(super) struct Name {
    /// In lower-case ASCII.
    components: Vec<Vec<u8>>,
    /// As they are spelt.
    spelt: Vec<Vec<u8>>,
}

impl Name {
    pub(super) fn new(path: &[u8]) -> Name {
        let parts = components(path);
        Name {
            spelt: parts.iter().map(|part| part.to_vec()).collect(),
            components: parts.iter().map(|part| part.to_ascii_lowercase()).collect(),
        }
    }

    fn base(&self) -> &[u8] {
        self.components.last().map_or(b"", Vec::as_slice)
    }

    fn folders(&self) -> &[Vec<u8>] {
        let count = self.components.len().saturating_sub(1);
        self.components.get(..count).unwrap_or_default()
    }

    fn extension(&self) -> &[u8] {
        split_extension(self.base()).1
    }

    fn stem(&self) -> &[u8] {
        split_extension(self.base()).0
    }

    fn spelt_stem(&self) -> &[u8] {
        split_extension(self.spelt.last().map_or(b"", Vec::as_slice)).0
    }

    fn language(&self) -> Option<Language> {
        Language::of_extension(self.extension())
    }

    fn joined(&self) -> Vec<u8> {
        self.components.join(&b'/')
    }
}

/// The parts of a path that name something.
pub(super) fn components(path: &[u8]) -> Vec<&[u8]> {
    path.split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
        .collect()
}

fn split_extension(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(dot) if dot > 0 => {
            let (stem, rest) = name.split_at(dot);
            (stem, rest.get(1..).unwrap_or_default())
        }
        Some(_) | None => (name, b""),
    }
}

fn among(name: &[u8], table: &[&str]) -> bool {
    table.iter().any(|entry| entry.as_bytes() == name)
}

fn ends_with_any(name: &[u8], table: &[&str]) -> bool {
    table.iter().any(|end| name.ends_with(end.as_bytes()))
}

fn starts_with_any(name: &[u8], table: &[&str]) -> bool {
    table.iter().any(|start| name.starts_with(start.as_bytes()))
}

fn contains(name: &[u8], part: &[u8]) -> bool {
    name.windows(part.len()).any(|window| window == part)
}
