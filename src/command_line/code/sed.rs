//! The files a `sed` script writes and the commands it runs.

use regex::Regex;

use super::Found;

/// Reads a script; one that `sed` would refuse yields what was read so far.
pub(in super::super) fn read(script: &str) -> Found {
    let mut reader = Reader {
        rest: script,
        found: Found::default(),
    };
    while reader.command().is_some() {}
    reader.found
}

/// The text after a script that only substitutes; none if it does more, or something that is not
/// worked out.
pub(in super::super) fn substituted(script: &str, extended: bool, text: &str) -> Option<String> {
    let mut changed = text.to_owned();
    for command in script.split(['\n', ';']).map(str::trim) {
        let command = command.strip_prefix('s')?;
        let delimiter = command.chars().next()?;
        if delimiter == '\\' || delimiter.is_alphanumeric() {
            return None;
        }
        let parts: Vec<&str> = command
            .get(delimiter.len_utf8()..)?
            .split(delimiter)
            .collect();
        let [pattern, replacement, flags] = parts.as_slice() else {
            return None;
        };
        if !matches!(*flags, "" | "g") {
            return None;
        }
        let pattern = Regex::new(&regex_of(pattern, extended)).ok()?;
        let replacement = replacement_of(replacement)?;
        let limit = usize::from(flags.is_empty());
        let lines = changed.split('\n').map(|line| match line {
            // What comes after the last line end is no line.
            "" => String::new(),
            line => pattern.replacen(line, limit, &*replacement).into_owned(),
        });
        changed = lines.collect::<Vec<_>>().join("\n");
    }
    Some(changed)
}

/// A pattern of `sed` as a pattern of ours: without `-E` the backslash gives brackets their
/// meaning instead of taking it.
fn regex_of(pattern: &str, extended: bool) -> String {
    let mut translated = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        let is_operator = |c: char| matches!(c, '(' | ')' | '{' | '}' | '+' | '?' | '|');
        match c {
            '\\' => {
                let next = chars.next().unwrap_or('\\');
                if extended || !is_operator(next) {
                    translated.push('\\');
                }
                translated.push(next);
            }
            _ if !extended && is_operator(c) => {
                translated.push('\\');
                translated.push(c);
            }
            _ => translated.push(c),
        }
    }
    translated
}

/// A replacement of `sed` in our spelling; none if it changes case or the like.
fn replacement_of(replacement: &str) -> Option<String> {
    let mut translated = String::new();
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        match c {
            '&' => translated.push_str("${0}"),
            '$' => translated.push_str("$$"),
            '\\' => match chars.next()? {
                digit if digit.is_ascii_digit() => translated.push_str(&format!("${{{digit}}}")),
                letter if letter.is_alphabetic() => return None,
                other => translated.push(other),
            },
            _ => translated.push(c),
        }
    }
    Some(translated)
}

struct Reader<'a> {
    rest: &'a str,
    found: Found,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(is_skipped);
    }

    fn line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line
    }

    /// Text up to the delimiter, which is stepped over.
    fn until(&mut self, delimiter: char) -> Option<()> {
        let mut in_brackets = false;
        loop {
            match self.next()? {
                '\\' => {
                    self.next();
                }
                '[' if delimiter != '[' => in_brackets = true,
                ']' => in_brackets = false,
                c if c == delimiter && !in_brackets => return Some(()),
                // A bracket that was never one.
                '\n' => in_brackets = false,
                _ => {}
            }
        }
    }

    fn address(&mut self) {
        loop {
            self.skip(|c| {
                c.is_whitespace()
                    || matches!(c, ';' | '{' | '}' | '!' | ',' | '$' | '~' | '+')
                    || c.is_ascii_digit()
            });
            let delimiter = match self.rest.chars().next() {
                Some('/') => {
                    self.next();
                    '/'
                }
                Some('\\') => {
                    self.next();
                    match self.next() {
                        Some(delimiter) => delimiter,
                        None => return,
                    }
                }
                _ => return,
            };
            if self.until(delimiter).is_none() {
                return;
            }
            self.skip(|c| matches!(c, 'I' | 'M'));
        }
    }

    fn command(&mut self) -> Option<()> {
        self.address();
        match self.next()? {
            'w' | 'W' => {
                let file = self.line().trim().to_owned();
                self.found.files.push(file);
            }
            'r' | 'R' | 'a' | 'i' | 'c' | '#' => {
                while self.line().ends_with('\\') {
                    self.next();
                }
            }
            'e' => {
                let command = self.line().trim().to_owned();
                if !command.is_empty() {
                    self.found.commands.push(command);
                }
            }
            's' => {
                let delimiter = self.next()?;
                self.until(delimiter)?;
                let replacement_start = self.rest;
                self.plain_until(delimiter)?;
                let replacement_end =
                    replacement_start.len() - self.rest.len() - delimiter.len_utf8();
                let replacement = replacement_start.get(..replacement_end).unwrap_or("");
                self.substitution_flags(replacement);
            }
            'y' => {
                let delimiter = self.next()?;
                self.plain_until(delimiter)?;
                self.plain_until(delimiter)?;
            }
            'b' | 't' | 'T' | ':' => self.skip(|c| c != ';' && c != '\n' && c != '}'),
            _ => {}
        }
        Some(())
    }

    fn plain_until(&mut self, delimiter: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => {
                    self.next();
                }
                c if c == delimiter => return Some(()),
                _ => {}
            }
        }
    }

    fn substitution_flags(&mut self, replacement: &str) {
        while let Some(flag) = self.rest.chars().next() {
            match flag {
                'w' => {
                    self.next();
                    let file = self.line().trim().to_owned();
                    self.found.files.push(file);
                    return;
                }
                // What was matched is run as a command, with the replacement in it.
                'e' => {
                    self.next();
                    self.found.commands.push(replacement.to_owned());
                }
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {
                    self.next();
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_substitution_makes_of_a_text() {
        for (script, extended, expected) in [
            ("s/^/rm /", false, Some("rm a.b\nrm c\n")),
            ("s,$,.py,;s/a/x/", false, Some("x.b.py\nc.py\n")),
            (r"s/\(a\)\.\(b\)/\2\1/", false, Some("ba\nc\n")),
            (r"s/(a).(b)/[&]/", true, Some("[a.b]\nc\n")),
            ("s/(a)/x/", false, Some("a.b\nc\n")),
            ("1d", false, None),
            (r"s/a/\U&/", false, None),
        ] {
            let found = substituted(script, extended, "a.b\nc\n");
            assert_eq!(found.as_deref(), expected, "{script}");
        }
    }

    #[test]
    fn scripts_that_write_or_run() {
        for (script, files, commands) in [
            ("s/a/b/", vec![], vec![]),
            ("w out", vec!["out"], vec![]),
            ("/x/w out", vec!["out"], vec![]),
            ("1,$s/a/b/gw out", vec!["out"], vec![]),
            ("s|w x|y|;w out", vec!["out"], vec![]),
            ("s/[/]w a/b/", vec![], vec![]),
            ("/foo/{p;w a\n}\nw b", vec!["a", "b"], vec![]),
            ("1e rm x", vec![], vec!["rm x"]),
            ("s/.*/rm x/e", vec![], vec!["rm x"]),
            ("a w out", vec![], vec![]),
            ("y/w/x/", vec![], vec![]),
            ("$!N;w out", vec!["out"], vec![]),
            ("\\,x,w out", vec!["out"], vec![]),
            ("2i exit 0", vec![], vec![]),
            ("s/->/=>/p", vec![], vec![]),
        ] {
            let found = read(script);
            assert_eq!(found.files, files, "{script}");
            assert_eq!(found.commands, commands, "{script}");
        }
    }
}
