//! Shell patterns: matching text, stripping, and the paths a glob stands for.

use std::path::{Path, PathBuf};

use super::limits;
use super::scope::Shell;
use super::text;

/// Steps one operation may take; a pattern that needs more is taken to match.
const MAX_MATCH_STEPS: u32 = 100_000;
/// No name is matched by a longer pattern; the stack grows with it.
const MAX_PATTERN: usize = 1_000;
/// Entries one glob may look at.
const MAX_ENTRIES: usize = 5_000;

/// Whether `text` matches the shell pattern.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    match_here(&characters(pattern), &characters(text), &mut 0)
}

fn match_here(pattern: &[char], text: &[char], steps: &mut u32) -> bool {
    *steps += 1;
    if *steps > MAX_MATCH_STEPS || pattern.len() > MAX_PATTERN {
        return true;
    }
    let Some((&first, rest)) = pattern.split_first() else {
        return text.is_empty();
    };
    if let (Some(kind), Some('(')) = (extended(first), rest.first())
        && let Some((alternatives, after)) = alternatives(rest)
    {
        return match_extended(kind, &alternatives, after, text, steps);
    }
    match first {
        '*' => (0..=text.len()).any(|at| match_here(rest, text.get(at..).unwrap_or(&[]), steps)),
        '?' => text
            .split_first()
            .is_some_and(|(_, t)| match_here(rest, t, steps)),
        '[' => match (bracket(rest), text.split_first()) {
            (Some((set, after)), Some((&c, t))) => set.holds(c) && match_here(after, t, steps),
            (Some(_), None) => false,
            (None, _) => literal('[', rest, text, steps),
        },
        '\\' => match rest.split_first() {
            Some((&escaped, after)) => literal(escaped, after, text, steps),
            None => literal('\\', rest, text, steps),
        },
        _ => literal(first, rest, text, steps),
    }
}

fn literal(c: char, rest: &[char], text: &[char], steps: &mut u32) -> bool {
    text.split_first()
        .is_some_and(|(&t, after)| t == c && match_here(rest, after, steps))
}

fn extended(c: char) -> Option<char> {
    matches!(c, '@' | '?' | '*' | '+' | '!').then_some(c)
}

/// The alternatives of `(a|b)` and what follows it.
fn alternatives(pattern: &[char]) -> Option<(Vec<&[char]>, &[char])> {
    let mut depth = 0usize;
    let mut start = 1;
    let mut found = Vec::new();
    for (at, c) in pattern.iter().enumerate() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 1 => {
                found.push(pattern.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            found.push(pattern.get(start..at)?);
            return Some((found, pattern.get(at + 1..)?));
        }
    }
    None
}

fn match_extended(
    kind: char,
    alternatives: &[&[char]],
    after: &[char],
    text: &[char],
    steps: &mut u32,
) -> bool {
    if matches!(kind, '?' | '*') && match_here(after, text, steps) {
        return true;
    }
    (0..=text.len()).any(|at| {
        let (head, tail) = text.split_at(at);
        let is_one = alternatives.iter().any(|a| match_here(a, head, steps));
        match kind {
            '!' => !is_one && match_here(after, tail, steps),
            '@' | '?' => is_one && match_here(after, tail, steps),
            _ if is_one && match_here(after, tail, steps) => true,
            // Repeated: what is left must make progress.
            _ => is_one && at > 0 && match_extended('*', alternatives, after, tail, steps),
        }
    })
}

struct Bracket<'p> {
    members: &'p [char],
    negated: bool,
}

impl Bracket<'_> {
    fn holds(&self, c: char) -> bool {
        let text: String = self.members.iter().collect();
        let class = CLASSES
            .iter()
            .any(|(name, has)| text.contains(name) && has(c));
        let mut found = class;
        let mut members = self.members;
        while let Some((&from, rest)) = members.split_first() {
            match rest {
                ['-', to, ..] => {
                    found |= (from..=*to).contains(&c);
                    members = rest.get(2..).unwrap_or(&[]);
                }
                _ => {
                    found |= from == c;
                    members = rest;
                }
            }
        }
        found != self.negated
    }
}

type Class = (&'static str, fn(char) -> bool);

const CLASSES: [Class; 6] = [
    ("[:alpha:]", char::is_alphabetic),
    ("[:digit:]", |c| c.is_ascii_digit()),
    ("[:alnum:]", char::is_alphanumeric),
    ("[:lower:]", char::is_lowercase),
    ("[:upper:]", char::is_uppercase),
    ("[:punct:]", |c| c.is_ascii_punctuation()),
];

fn bracket(pattern: &[char]) -> Option<(Bracket<'_>, &[char])> {
    let negated = matches!(pattern.first(), Some('!' | '^'));
    let start = usize::from(negated);
    let mut at = start + 1;
    loop {
        match pattern.get(at)? {
            '[' if pattern.get(at + 1) == Some(&':') => at += 2,
            ':' if pattern.get(at + 1) == Some(&']') => at += 2,
            ']' => break,
            _ => at += 1,
        }
    }
    let members = pattern.get(start..at)?;
    Some((Bracket { members, negated }, pattern.get(at + 1..)?))
}

/// `value` without the prefix that matches, or as it is.
pub(super) fn strip_prefix(pattern: &str, value: &str, longest: bool) -> String {
    let (pattern, value) = (characters(pattern), characters(value));
    let mut steps = 0;
    let end = matching_prefix(&pattern, &value, longest, &mut steps);
    value
        .get(end.unwrap_or(0)..)
        .unwrap_or(&[])
        .iter()
        .collect()
}

/// `value` without the suffix that matches, or as it is.
pub(super) fn strip_suffix(pattern: &str, value: &str, longest: bool) -> String {
    let (pattern, value) = (characters(pattern), characters(value));
    let mut steps = 0;
    let mut matches_from = |start: &usize| {
        value
            .get(*start..)
            .is_some_and(|tail| match_here(&pattern, tail, &mut steps))
    };
    let start = match longest {
        true => (0..=value.len()).find(|start| matches_from(start)),
        false => (0..=value.len()).rev().find(|start| matches_from(start)),
    };
    value
        .get(..start.unwrap_or(value.len()))
        .unwrap_or(&[])
        .iter()
        .collect()
}

/// `value` with what matches replaced.
pub(super) fn replace(pattern: &str, value: &str, with: &str, first_only: bool) -> String {
    let (pattern, value) = (characters(pattern), characters(value));
    let mut steps = 0;
    let mut result = String::new();
    let mut rest = value.as_slice();
    while let Some((first, after)) = rest.split_first() {
        if result.len() > limits::MAX_VALUE {
            return text::unknown();
        }
        match matching_prefix(&pattern, rest, true, &mut steps).filter(|end| *end > 0) {
            Some(end) => {
                result.push_str(with);
                rest = rest.get(end..).unwrap_or(&[]);
                if first_only {
                    break;
                }
            }
            None => {
                result.push(*first);
                rest = after;
            }
        }
    }
    result.extend(rest);
    result
}

fn characters(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// How long the prefix is that matches. The steps are shared by all attempts.
fn matching_prefix(
    pattern: &[char],
    value: &[char],
    longest: bool,
    steps: &mut u32,
) -> Option<usize> {
    let mut matches_to = |end: &usize| {
        value
            .get(..*end)
            .is_some_and(|head| match_here(pattern, head, steps))
    };
    // Without wildcards only one length can match.
    let fixed = !pattern
        .iter()
        .any(|c| matches!(c, '*' | '?' | '[' | '\\' | '(' | '|'));
    match (fixed, longest) {
        (true, _) => Some(pattern.len()).filter(|end| matches_to(end)),
        (false, true) => (0..=value.len()).rev().find(|end| matches_to(end)),
        (false, false) => (0..=value.len()).find(|end| matches_to(end)),
    }
}

/// The existing paths a glob stands for, spelled as the shell would spell them.
pub(super) fn matching_paths(pattern: &str, shell: &Shell<'_>) -> Vec<String> {
    let (start, mut found) = match pattern.strip_prefix('/') {
        Some(_) => (PathBuf::from("/"), vec!["/".to_owned()]),
        None => (PathBuf::from(&shell.cwd), vec![String::new()]),
    };
    let mut budget = MAX_ENTRIES;
    for component in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for prefix in &found {
            let directory = start.join(prefix);
            match component {
                "**" => descend(prefix, &directory, shell, &mut next, &mut budget),
                _ if !is_pattern(component) => next.push(joined(prefix, &unescaped(component))),
                _ => {
                    for name in (shell.context().list)(&directory) {
                        budget = left(budget, shell);
                        let name = name.to_string_lossy();
                        let hidden = name.starts_with('.') && !shell.globs_match_dots;
                        if budget > 0
                            && (!hidden || component.starts_with('.'))
                            && matches(component, &name)
                        {
                            next.push(joined(prefix, &name));
                        }
                    }
                }
            }
        }
        found = next;
    }
    found.sort();
    found
}

/// The budget after one more entry.
fn left(budget: usize, shell: &Shell<'_>) -> usize {
    match shell.session.may_look() {
        true => budget.saturating_sub(1),
        false => 0,
    }
}

/// `**`: the directory itself and every directory and file below it.
fn descend(
    prefix: &str,
    directory: &Path,
    shell: &Shell<'_>,
    found: &mut Vec<String>,
    budget: &mut usize,
) {
    found.push(prefix.to_owned());
    for name in (shell.context().list)(directory) {
        *budget = left(*budget, shell);
        let name = name.to_string_lossy();
        let path = directory.join(name.as_ref());
        if *budget == 0 || name.starts_with('.') || !(shell.context().is_dir)(&path) {
            continue;
        }
        if (shell.context().resolve_link)(&path).is_none() {
            descend(&joined(prefix, &name), &path, shell, found, budget);
        }
    }
}

fn joined(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        _ if prefix.ends_with('/') => format!("{prefix}{name}"),
        _ => format!("{prefix}/{name}"),
    }
}

fn is_pattern(component: &str) -> bool {
    let mut escaped = false;
    component.chars().any(|c| {
        let alive = !escaped;
        escaped = c == '\\' && !escaped;
        alive && matches!(c, '*' | '?' | '[' | '(')
    })
}

fn unescaped(component: &str) -> String {
    let mut plain = String::new();
    let mut chars = component.chars();
    while let Some(c) = chars.next() {
        plain.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_bash() {
        for (pattern, text, expected) in [
            ("*.py", "a.py", true),
            ("*.py", "a.rs", false),
            ("test_[cp]a*", "test_calc", true),
            ("[!a]*", "abc", false),
            ("[a-c]x", "bx", true),
            ("@(a|b)c", "bc", true),
            ("!(a|b)", "c", true),
            ("!(a|b)", "a", false),
            ("+(ab)", "ababab", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("[[:digit:]]*", "4x", true),
            ("[", "[", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn stripping_and_replacing() {
        assert_eq!(strip_prefix("*/", "a/b/c", false), "b/c");
        assert_eq!(strip_prefix("*/", "a/b/c", true), "c");
        assert_eq!(strip_suffix(".*", "a.b.c", false), "a.b");
        assert_eq!(strip_suffix(".*", "a.b.c", true), "a");
        assert_eq!(
            replace("specs", "specs/specs", "tests", true),
            "tests/specs"
        );
        assert_eq!(replace("?", "abc", "x", false), "xxx");
    }

    #[test]
    fn a_pattern_made_to_backtrack_ends() {
        let pattern = "*a".repeat(40) + "b";
        matches(&pattern, &"a".repeat(200));
    }
}
