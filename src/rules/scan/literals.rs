//! How long a literal is that a text begins with: what makes a string, in every language.

use crate::languages::Language;

/// A string or character literal, its quotes included.
pub(super) fn string(language: Language, rest: &str) -> Option<usize> {
    match language {
        Language::Rust => rust_literal(rest),
        Language::JavaScript => js_string(rest),
        Language::Go => fenced(rest, "`", "`").or_else(|| c_like_string(rest)),
        Language::CSharp => verbatim(rest)
            .or_else(|| triple(rest))
            .or_else(|| c_like_string(rest)),
        _ => triple(rest).or_else(|| c_like_string(rest)),
    }
}

/// A regular expression with its slashes, on one line.
pub(super) fn regex(rest: &str) -> Option<usize> {
    let mut in_set = false;
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_set = true,
            ']' => in_set = false,
            '/' if !in_set => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a literal between two marks, without escapes; an open one goes to the end.
fn fenced(rest: &str, open: &str, close: &str) -> Option<usize> {
    let inside = rest.strip_prefix(open)?;
    let end = inside.find(close).map(|at| open.len() + at + close.len());
    Some(end.unwrap_or(rest.len()))
}

fn triple(rest: &str) -> Option<usize> {
    fenced(rest, "\"\"\"", "\"\"\"").or_else(|| fenced(rest, "'''", "'''"))
}

/// C#'s `@"…"`, in which a doubled quote stands for one.
fn verbatim(rest: &str) -> Option<usize> {
    let open = ["@\"", "$@\"", "@$\""]
        .into_iter()
        .find(|m| rest.starts_with(m))?;
    let mut at = open.len();
    loop {
        let inside = rest.get(at..)?;
        match inside.find('"') {
            None => return Some(rest.len()),
            Some(quote) if inside.get(quote + 1..).is_some_and(|t| t.starts_with('"')) => {
                at += quote + 2;
            }
            Some(quote) => return Some(at + quote + 1),
        }
    }
}

/// A literal in quotes with backslash escapes, on one line; a lone quote is none.
fn c_like_string(rest: &str) -> Option<usize> {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    escaped_until(rest, quote, false)
}

fn escaped_until(rest: &str, quote: char, over_lines: bool) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if !over_lines => return None,
            _ if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    over_lines.then_some(rest.len())
}

fn rust_literal(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|after| after.starts_with(['"', '\'', '#']))
    })?;
    let after = rest.get(prefix.len()..)?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let is_raw = prefix.ends_with('r') && after.get(hashes..)?.starts_with('"');
    if is_raw {
        let marks = "#".repeat(hashes);
        let body = after.get(hashes..)?;
        return Some(prefix.len() + hashes + fenced(body, "\"", &format!("\"{marks}"))?);
    }
    if after.starts_with('"') {
        return Some(prefix.len() + escaped_until(after, '"', true)?);
    }
    let mut inside = after.strip_prefix('\'')?.chars();
    let is_char = match inside.next()? {
        '\\' => true,
        _ => inside.next() == Some('\''),
    };
    is_char.then(|| Some(prefix.len() + escaped_until(after, '\'', false)?))?
}

fn js_string(rest: &str) -> Option<usize> {
    match rest.chars().next()? {
        '`' => Some(js_template(rest)),
        '"' | '\'' => c_like_string(rest),
        _ => None,
    }
}

/// A template literal, with the templates inside its `${…}`.
fn js_template(rest: &str) -> usize {
    // What is open: a template, or the braces of an expression in one.
    let mut open = vec!['`'];
    let mut at = 1;
    while let (Some(inner), Some(here)) = (open.last().copied(), rest.get(at..)) {
        let Some(c) = here.chars().next() else { break };
        at += c.len_utf8();
        match (inner, c) {
            ('`', '\\') => at += here.chars().nth(1).map_or(0, char::len_utf8),
            ('`', '`') | ('{', '}') => {
                open.pop();
            }
            ('`', '$') if here.starts_with("${") => {
                open.push('{');
                at += 1;
            }
            ('{', '`' | '{') => open.push(c),
            ('{', '"' | '\'') => at += c_like_string(here).map_or(0, |length| length - 1),
            _ => {}
        }
    }
    at
}
