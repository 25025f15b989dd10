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

/// Many writers add how long a test took: ` # in 5 ms`, ` # time=5.2ms`.
pub(super) fn strip_duration(name: &str) -> &str {
    let Some((before, after)) = name.rsplit_once(" # ") else {
        return name;
    };
    let is_time = |text: &str| {
        let unit = text.trim_start_matches(|byte: char| byte.is_ascii_digit() || byte == '.');
        unit.len() < text.len() && matches!(unit.trim_start(), "ms" | "s" | "sec")
    };
    let time = after
        .strip_prefix("in ")
        .or_else(|| after.strip_prefix("time="));
    match time {
        Some(time) if is_time(time.trim_end()) => before,
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

#[cfg(test)]
mod tests {
    use super::strip_duration;

    #[test]
    fn how_long_a_test_took_is_no_part_of_its_name() {
        for name in [
            "a",
            "a # in 5 ms",
            "a # in 2 sec",
            "a # time=12.82ms",
            "a # time=1s",
        ] {
            assert_eq!(strip_duration(name), "a");
        }
        for name in [
            "a # in time",
            "a # time=",
            "a # time=soon",
            "a in 5 ms",
            "a #1",
        ] {
            assert_eq!(strip_duration(name), name);
        }
    }
}
