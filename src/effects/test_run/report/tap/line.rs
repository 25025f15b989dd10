//! The parts of one line of TAP.

/// What a result is marked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    Skip,
    Todo,
}

pub(super) fn result(body: &str) -> Option<(bool, &str)> {
    let (ok, rest) = match body.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, body.strip_prefix("ok")?),
    };
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((ok, rest.trim_start()))
}

/// `1..4`, and whether it skips the whole script.
pub(super) fn plan(body: &str) -> Option<(usize, bool)> {
    let rest = body.strip_prefix("1..")?;
    let (count, rest) = match rest.find(|byte: char| !byte.is_ascii_digit()) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let rest = rest.trim();
    if !(rest.is_empty() || rest.starts_with('#')) {
        return None;
    }
    let skips = rest
        .trim_start_matches('#')
        .trim_start()
        .get(..4)
        .is_some_and(|word| word.eq_ignore_ascii_case("skip"));
    Some((count.parse().ok()?, skips))
}

pub(super) fn split_number(rest: &str) -> (&str, &str) {
    let end = rest
        .find(|byte: char| !byte.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    if !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return ("", rest);
    }
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    (number, rest.strip_prefix("- ").unwrap_or(rest))
}

/// Splits off ` # SKIP reason`; a `#` with a backslash in front is part of the name.
pub(super) fn split_directive(rest: &str) -> (&str, Option<Directive>, &str) {
    for (at, _) in rest.match_indices('#').rev() {
        let before = rest.get(..at).unwrap_or_default();
        if before.ends_with('\\') || !(before.is_empty() || before.ends_with([' ', '\t'])) {
            continue;
        }
        let after = rest.get(at + 1..).unwrap_or_default().trim_start();
        let word = after
            .split(|byte: char| !byte.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let directive = if word.eq_ignore_ascii_case("skip") || word.eq_ignore_ascii_case("skipped")
        {
            Directive::Skip
        } else if word.eq_ignore_ascii_case("todo") {
            Directive::Todo
        } else {
            continue;
        };
        let reason = after.get(word.len()..).unwrap_or_default().trim();
        let name = before.strip_suffix([' ', '\t']).unwrap_or(before);
        return (strip_dash(name), Some(directive), reason);
    }
    (strip_dash(rest), None, "")
}

fn strip_dash(name: &str) -> &str {
    if name.trim() == "-" { "" } else { name }
}

/// bats adds how long a test took.
pub(super) fn strip_duration(name: &str) -> &str {
    let Some((before, after)) = name.rsplit_once(" # in ") else {
        return name;
    };
    match after.trim_end().split_once(' ') {
        Some((number, "ms" | "sec")) if number.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => name,
    }
}

pub(super) fn unescaped(name: &str) -> String {
    if !name.contains('\\') {
        return name.to_owned();
    }
    let mut plain = String::with_capacity(name.len());
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(next @ ('#' | '\\'))) => {
                plain.push(*next);
                characters.next();
            }
            _ => plain.push(character),
        }
    }
    plain
}
