//! The pure rooms must stay functions of their arguments: this reads their text and looks for a way out.

use std::path::{Path, PathBuf};

/// The rooms that are functions of their arguments.
const PURE_ROOMS: [&str; 3] = ["rules", "languages", "parts"];

const FORBIDDEN_MODULES: [&str; 6] = ["fs", "process", "env", "time", "net", "thread"];
const FORBIDDEN_CRATES: [&str; 12] = [
    "crate::git",
    "crate::test_run",
    "crate::branch",
    "crate::install",
    "crate::env_vars",
    "crate::clock",
    "crate::this_process",
    "gix::",
    "duct::",
    "rustix::",
    "tempfile::",
    "which::",
];

/// Tests that read source or fixtures.
const LOOKING: [&str; 3] = ["purity_tests.rs", "tests/shelf.rs", "tests/by_language.rs"];

/// What of the outside world a source text mentions.
fn impurities(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
        .replace(":: ", "::");
    let mut found: Vec<String> = FORBIDDEN_CRATES
        .iter()
        .filter(|name| mentions(&code, name))
        .map(|name| (*name).to_owned())
        .collect();
    for after in code.split("std::").skip(1) {
        let group = match after.strip_prefix('{') {
            Some(group) => group.split(';').next().unwrap_or_default(),
            None => after.split([':', ';', ',', '}']).next().unwrap_or_default(),
        };
        let words = group.split(|c: char| !c.is_alphanumeric() && c != '_');
        found.extend(
            words
                .filter(|word| FORBIDDEN_MODULES.contains(word))
                .map(|word| format!("std::{word}")),
        );
    }
    found
}

fn mentions(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the source is where it was built");
    entries
        .map(|entry| entry.expect("a readable folder").path())
        .flat_map(|path| {
            if path.is_dir() {
                rust_files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| !LOOKING.iter().any(|name| path.ends_with(name)))
        .collect()
}

#[test]
fn pure_rooms_touch_nothing() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: Vec<PathBuf> = PURE_ROOMS
        .iter()
        .flat_map(|room| rust_files(&src.join(room)))
        .collect();
    assert!(files.len() >= 60, "the rules were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text file");
        assert_eq!(
            impurities(&text),
            Vec::<String>::new(),
            "{}",
            file.display()
        );
    }
}

#[test]
fn the_check_sees_every_spelling() {
    for text in [
        "use std::fs;",
        "use std::{collections::BTreeSet, fs::File};",
        "let x = std::env::var(name);",
        "use ::std::time::Instant;",
        "use std::\n    process::Command;",
        "crate::git::run()",
        "use duct::cmd;",
    ] {
        assert_ne!(impurities(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "use std::fmt;",
        "// std::fs is not for us",
        "use std::collections::{BTreeMap, BTreeSet};",
    ] {
        assert_eq!(impurities(text), Vec::<String>::new(), "{text}");
    }
}
