//! Scripts of braces and lines as statements, without knowing their language: comments and
//! strings are told apart, brackets are counted.

use std::ops::Range;

use super::Unreadable;

/// A statement with its place, from the start of its first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// Without comments, white space as single blanks.
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// The statements at the outermost level of a text, in which `//` and `/* */` are comments.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Unreadable> {
    let mut found = Vec::new();
    let mut current = Statement {
        text: String::new(),
        span: 0..0,
    };
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = token_at(rest);
        let token = rest.get(..step.length).unwrap_or_default();
        let starts = current.text.is_empty()
            && !matches!(step.kind, Kind::Comment | Kind::Blank | Kind::NewLine);
        if starts {
            current.span = at..at;
        }
        at += step.length;
        match step.kind {
            Kind::Comment | Kind::Blank => blank(&mut current.text),
            Kind::NewLine if depth == 0 => end(&mut current, &mut found, at),
            Kind::NewLine => blank(&mut current.text),
            Kind::Open => {
                depth += 1;
                current.text.push_str(token);
            }
            Kind::Close => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| Unreadable::at(text, at, "a bracket that was not opened"))?;
                current.text.push_str(token);
            }
            Kind::Semicolon if depth == 0 => end(&mut current, &mut found, at),
            Kind::Semicolon | Kind::Other | Kind::Text => current.text.push_str(token),
        }
    }
    if depth > 0 {
        return Err(Unreadable::at(text, text.len(), "a bracket is not closed"));
    }
    end(&mut current, &mut found, text.len());
    Ok(found)
}

fn blank(text: &mut String) {
    if !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
}

fn end(current: &mut Statement, found: &mut Vec<Statement>, at: usize) {
    let text = current.text.trim_end().to_owned();
    if !text.is_empty() {
        let span = current.span.start..at;
        found.push(Statement { text, span });
    }
    current.text.clear();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Comment,
    Blank,
    NewLine,
    Open,
    Close,
    Semicolon,
    /// A string in quotes.
    Text,
    Other,
}

struct Token {
    kind: Kind,
    length: usize,
}

fn token_at(rest: &str) -> Token {
    let token = |kind, length| Token { kind, length };
    let first = rest.chars().next().unwrap_or(' ');
    let after = |mark: &str, from: usize| {
        let tail = rest.get(from..).unwrap_or_default();
        tail.find(mark)
            .map_or(rest.len(), |at| from + at + mark.len())
    };
    if rest.starts_with("//") {
        return token(Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return token(Kind::Comment, after("*/", 2));
    }
    for quotes in ["\"\"\"", "'''"] {
        if rest.starts_with(quotes) {
            return token(Kind::Text, after(quotes, 3));
        }
    }
    match first {
        '"' | '\'' => token(Kind::Text, quoted(rest, first)),
        '\n' => token(Kind::NewLine, 1),
        ';' => token(Kind::Semicolon, 1),
        '{' | '(' | '[' => token(Kind::Open, 1),
        '}' | ')' | ']' => token(Kind::Close, 1),
        c if c.is_whitespace() => token(Kind::Blank, c.len_utf8()),
        c => token(Kind::Other, c.len_utf8()),
    }
}

/// The length of a string up to its quote, or to the end of its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == '\n' {
            return at;
        }
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}
