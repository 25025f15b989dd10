//! `Gemfile`, `gems.rb` and `*.gemspec`. They are programs: what is not known to name dependencies
//! or to describe the gem steers.

use super::entry::{Change, Format, Key, Part};
use super::pieces::{self, Piece};

use Part::{About, Dependencies, Steering};

pub(super) const GEMFILE: Format = Format {
    read: |text| Ok(pieces::entries(&read(text, gemfile_part))),
    take: |base, from, keys| take(base, from, keys, gemfile_part),
    effect,
};

pub(super) const GEMSPEC: Format = Format {
    read: |text| Ok(pieces::entries(&read(text, gemspec_part))),
    take: |base, from, keys| take(base, from, keys, gemspec_part),
    effect,
};

const GEMFILE_WORDS: &[&str] = &[
    "source",
    "gem",
    "group",
    "ruby",
    "platforms",
    "platform",
    "gemspec",
    "git_source",
    "git",
    "github",
    "end",
    "}",
    "plugin",
    "install_if",
];

fn gemfile_part(line: &str) -> Part {
    let word = line.split([' ', '(']).next().unwrap_or_default();
    // A line that goes on, with options of the gem before it.
    let is_option =
        line.starts_with(':') || word.ends_with(':') || line.starts_with(['"', '\'', ']', ')']);
    match GEMFILE_WORDS.contains(&word) || is_option {
        true => Dependencies,
        false => Steering,
    }
}

fn gemspec_part(line: &str) -> Part {
    const STEERING: &[&str] = &[
        "require_path",
        "extensions",
        "load_path",
        "LOAD_PATH",
        "eval",
        "system",
        "`",
    ];
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if has(&[
        "add_dependency",
        "add_development_dependency",
        "add_runtime_dependency",
        "required_ruby_version",
    ]) {
        Dependencies
    } else if has(STEERING) {
        Steering
    } else {
        About
    }
}

fn effect(change: &Change<'_>) -> Part {
    let is_local = |value: &serde_json::Value| {
        let text = value.as_str().unwrap_or_default();
        text.contains("path:") || text.contains(":path")
    };
    let diverts = change.new.is_some_and(is_local) && change.old.is_some_and(|old| !is_local(old));
    match change.part {
        Dependencies if diverts => Steering,
        part => part,
    }
}

fn read(text: &str, part_of: fn(&str) -> Part) -> Vec<Piece> {
    let mut found = Vec::new();
    for (span, line) in pieces::lines(text) {
        let code = without_comment(line).trim();
        if code.is_empty() {
            continue;
        }
        found.push(Piece {
            key: key_of(code),
            part: part_of(code),
            value: code.split_whitespace().collect::<Vec<_>>().join(" "),
            span,
            alone: None,
            // Which block a line belongs to is not known.
            is_bound: line.starts_with([' ', '\t']) || part_of(code) == Steering,
        });
    }
    pieces::number(&mut found);
    found
}

/// A gem by its name, anything else by its text.
fn key_of(code: &str) -> Key {
    let gem = code
        .strip_prefix("gem ")
        .or_else(|| code.strip_prefix("gem("));
    match gem.map(|rest| rest.trim_start_matches([' ', '"', '\''])) {
        Some(name) => {
            let name = name.split(['"', '\'', ',']).next().unwrap_or_default();
            vec!["gem".to_owned(), name.to_owned()]
        }
        None => vec![code.split_whitespace().collect::<Vec<_>>().join(" ")],
    }
}

/// Without what follows `#` outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return line.get(..at).unwrap_or_default(),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None | Some(_), _) => {}
        }
    }
    line
}

fn take(base: &str, from: &str, keys: &[Key], part_of: fn(&str) -> Part) -> Option<String> {
    let (ours, theirs) = (read(base, part_of), read(from, part_of));
    pieces::take((base, &ours), (from, &theirs), keys)
}
