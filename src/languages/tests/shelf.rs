//! Languages are named on their shelf alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::languages::all;

/// Rooms and files of programs: there `python` and `go` are what somebody calls, not what a file is written
/// in. Each has its own list of what it knows.
const OF_PROGRAMS: &[&str] = &[
    "clients",
    "command_line",
    "detect",
    "gate/foreign_command.rs",
    "gate/script.rs",
    "lab",
    "runners",
    "test_run",
];

/// Words that mean something else where they stand: keys of a `Gemfile` and of a `go.mod`.
const OTHER_MEANINGS: &[(&str, &str)] = &[
    ("parts/manifest/gemfile.rs", "ruby"),
    ("parts/manifest/go_mod.rs", "go"),
];

/// Names that are plain English too: as parts of identifiers they say nothing.
const PLAIN: &[&str] = &["go", "swift", "crystal", "lisp"];

/// Names that say nothing anywhere.
const TOO_PLAIN: &[&str] = &["c", "r", "shell"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_of_tests = name == "tests" || name.ends_with("tests.rs");
        if path.is_dir() && !is_of_tests {
            sources(&path, found);
        } else if name.ends_with(".rs") && !is_of_tests {
            found.push(path);
        }
    }
}

/// The identifiers of a line, in words, and its whole string literals; no comments.
fn words_of(line: &str) -> (Vec<String>, Vec<String>) {
    let (mut identifiers, mut literals) = (String::new(), Vec::new());
    for (at, piece) in line.split('"').enumerate() {
        if at % 2 == 1 {
            literals.push(piece.to_lowercase());
            continue;
        }
        let code = piece.split("//").next().unwrap_or_default();
        let mut was_small = false;
        for c in code.chars() {
            if c.is_uppercase() && was_small {
                identifiers.push(' ');
            }
            was_small = c.is_lowercase();
            identifiers.push(if c.is_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                ' '
            });
        }
        if code.len() < piece.len() {
            break;
        }
        identifiers.push(' ');
    }
    let words = identifiers.split_whitespace().map(str::to_owned).collect();
    (words, literals)
}

#[test]
fn no_language_is_named_outside_of_the_shelf() {
    let names: BTreeSet<&str> = all()
        .map(|language| language.0.name)
        .filter(|name| !name.contains(' ') && !TOO_PLAIN.contains(name))
        .chain(["typescript", "csharp", "golang"])
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 300, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let path = file
            .strip_prefix(&root)
            .expect("below src")
            .to_string_lossy()
            .into_owned();
        let is_in = |room: &&str| Path::new(&path).starts_with(room);
        if is_in(&"languages") || OF_PROGRAMS.iter().any(is_in) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("source is UTF-8");
        let production = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for (number, line) in (1..).zip(production.lines()) {
            let (identifiers, literals) = words_of(line);
            let mut named = identifiers
                .iter()
                .filter(|word| !PLAIN.contains(&word.as_str()))
                .chain(&literals)
                .filter(|word| names.contains(word.as_str()))
                .filter(|word| !OTHER_MEANINGS.contains(&(path.as_str(), word.as_str())));
            if let Some(word) = named.next() {
                wrong.push(format!("src/{path}:{number}: {word}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_found_in_code_and_not_in_comments() {
    for (line, identifiers, literals) in [
        ("let is_python = x; // rust", "let is python x", ""),
        (
            "Language::JavaScript => \"Ruby\",",
            "language java script",
            "ruby",
        ),
        ("call(\"a // b\", perl)", "call perl", "a // b"),
    ] {
        let found = words_of(line);
        assert_eq!(
            (found.0.join(" "), found.1.join("|")),
            (identifiers.to_owned(), literals.to_owned())
        );
    }
}
