//! What a regular expression may match, as far as that can be told without running it.

/// Whether a line may match a pattern, in whichever dialect it is read.
pub(super) fn may_match(pattern: &str, line: &str, ignores_case: bool) -> bool {
    let fold = |s: &str| match ignores_case {
        true => s.to_lowercase(),
        false => s.to_owned(),
    };
    let line = fold(line);
    let pattern = fold(pattern).replace("\\|", "|");
    if pattern.contains(['(', '{']) {
        return certain_text(&pattern).is_none_or(|text| line.contains(&text));
    }
    pattern
        .split('|')
        .any(|alternative| one_may_match(&without_single_classes(alternative), &line))
}

fn one_may_match(pattern: &str, line: &str) -> bool {
    let (anchored_start, plain) = match pattern.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let (anchored_end, plain) = match plain.strip_suffix('$') {
        Some(rest) => (true, rest),
        None => (false, plain),
    };
    let plain = plain.replace("\\.", ".");
    if plain.contains(['*', '[', '+', '?', '\\', '{', '^', '$']) {
        return certain_text(pattern).is_none_or(|text| line.contains(&text));
    }
    match (anchored_start, anchored_end) {
        (true, true) => line == plain,
        (true, false) => line.starts_with(&plain),
        (false, true) => line.ends_with(&plain),
        (false, false) => line.contains(&plain),
    }
}

/// `[g]it` is `git`, spelled so that it does not match itself.
fn without_single_classes(pattern: &str) -> String {
    let characters: Vec<char> = pattern.chars().collect();
    let mut plain = String::new();
    let mut at = 0;
    while let Some(c) = characters.get(at) {
        match characters.get(at..at + 3) {
            Some(['[', single, ']']) if *single != '^' => {
                plain.push(*single);
                at += 3;
            }
            _ => {
                plain.push(*c);
                at += 1;
            }
        }
    }
    plain
}

/// The longest text that whatever matches the pattern must hold. What is in brackets of any kind is
/// left aside, since it may be optional or one of several.
pub(super) fn certain_text(pattern: &str) -> Option<String> {
    let mut runs = vec![String::new()];
    let mut depth = 0usize;
    let mut characters = pattern.chars().peekable();
    while let Some(c) = characters.next() {
        // Some dialects group with a backslash, some without.
        let c = match c {
            '\\' => match characters.next()? {
                special @ ('(' | ')' | '|') => special,
                _ => '\\',
            },
            plain => plain,
        };
        let is_plain = c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '/' | ':' | ',' | '=');
        let is_optional = matches!(characters.peek(), Some('*' | '?' | '{' | '\\'));
        match c {
            '|' if depth == 0 => return None,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '[' => while characters.next().is_some_and(|c| c != ']') {},
            '{' => while characters.next().is_some_and(|c| c != '}') {},
            _ => {}
        }
        match runs.last_mut() {
            Some(run) if is_plain && !is_optional && depth == 0 => run.push(c),
            _ => runs.push(String::new()),
        }
    }
    runs.into_iter()
        .max_by_key(String::len)
        .filter(|run| !run.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_match_must_hold() {
        for (pattern, text) in [
            ("add", Some("add")),
            ("def add", Some("def add")),
            ("old.*names?", Some("name")),
            ("\\bword\\b", Some("wor")),
            ("a{2,3}bc", Some("bc")),
            ("x*", None),
            ("a|b", None),
            ("(ab)?c", Some("c")),
            ("eval(s", Some("eval")),
            ("eval\\(s\\)", Some("eva")),
            ("a\\|bc", None),
            ("x[abc]*yz", Some("yz")),
        ] {
            assert_eq!(certain_text(pattern).as_deref(), text, "{pattern}");
        }
    }

    #[test]
    fn what_may_match() {
        for (pattern, line, may) in [
            ("git-tcr", "git-tcr", true),
            ("[g]it-tcr", "git-tcr", true),
            ("[n]ode", "git-tcr", false),
            ("node|vite", "git-tcr", false),
            ("node\\|git", "git-tcr", true),
            ("python.*server", "git-tcr", false),
            ("git.*r", "git-tcr", true),
            ("^git$", "git-tcr", false),
            ("\\.py$", "a.py", true),
            ("(node|vite)", "git-tcr", true),
            ("(node|vite).*run", "git-tcr", false),
        ] {
            assert_eq!(may_match(pattern, line, false), may, "{pattern}");
        }
    }
}
