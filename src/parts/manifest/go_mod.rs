//! `go.mod` and `go.work`.

use super::Unreadable;
use super::entry::{Change, Format, Key, Part};
use super::pieces::{self, Piece};

use Part::{About, Dependencies, Steering};

pub(super) const GO_MOD: Format = Format {
    read: |text| Ok(pieces::entries(&read(text)?)),
    take,
    effect,
};

fn part_of(directive: &str) -> Part {
    match directive {
        // `go get` writes the first two of these when it adds a dependency.
        "go" | "toolchain" | "require" | "tool" => Dependencies,
        "replace" | "exclude" | "godebug" | "ignore" | "use" => Steering,
        _ => About,
    }
}

fn effect(change: &Change<'_>) -> Part {
    // One more module of the workspace.
    if change.is_added() && change.is_below(&["use"]) {
        return About;
    }
    change.part
}

fn read(text: &str) -> Result<Vec<Piece>, Unreadable> {
    let mut found: Vec<Piece> = Vec::new();
    let mut block: Option<String> = None;
    for (span, line) in pieces::lines(text) {
        let words = words_of(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match (block.as_deref(), words.as_slice()) {
            (_, []) => {}
            (Some(_), [")"]) => block = None,
            (Some(directive), rest) => found.push(piece(directive, rest, span)),
            (None, [directive, "("]) => block = Some((*directive).to_owned()),
            (None, [directive, rest @ ..]) if is_directive(directive) => {
                found.push(piece(directive, rest, span));
            }
            (None, [..]) => {
                return Err(Unreadable::at(text, span.start, "it is not a directive"));
            }
        }
    }
    if block.is_some() {
        return Err(Unreadable::at(text, text.len(), "a block is not closed"));
    }
    pieces::number(&mut found);
    Ok(found)
}

fn is_directive(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The words of a line before its comment, with brackets apart.
fn words_of(line: &str) -> Vec<String> {
    let code = line
        .find("//")
        .map_or(line, |at| line.get(..at).unwrap_or_default());
    let mut words: Vec<String> = code.split_whitespace().map(str::to_owned).collect();
    if let [first, ..] = words.as_mut_slice()
        && let Some(name) = first.strip_suffix('(').filter(|name| !name.is_empty())
    {
        *first = name.to_owned();
        words.insert(1, "(".to_owned());
    }
    words
}

/// The name of what is required or replaced is part of the key, so that one line is one entry.
fn piece(directive: &str, rest: &[&str], span: std::ops::Range<usize>) -> Piece {
    let left = rest.split(|word| *word == "=>").next().unwrap_or_default();
    let named = match directive {
        "require" => left.get(..1).unwrap_or_default(),
        "replace" | "exclude" | "use" | "tool" | "ignore" | "retract" => left,
        _ => &[],
    };
    let mut key: Key = vec![directive.to_owned()];
    if !named.is_empty() {
        key.push(named.join(" "));
    }
    let text = rest.join(" ");
    Piece {
        key,
        part: part_of(directive),
        alone: Some(format!("{directive} {text}")),
        value: text,
        span,
        is_bound: false,
    }
}

fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let (ours, theirs) = (read(base).ok()?, read(from).ok()?);
    pieces::take((base, &ours), (from, &theirs), keys)
}
