//! Cuts Python text into logical lines: statements with their indentation, strings and brackets
//! taken as one, comments left out.

use super::scan::{Kind, Token};

/// One statement, or several joined by `;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Logical<'t> {
    /// First and last physical line, from 0.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Width of the indentation; a tab counts as one.
    pub(super) indent: usize,
    pub(super) tokens: Vec<Token<'t>>,
}

impl Logical<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }
}

/// The statements of a text, and the lines that carry a comment with its text.
pub(super) fn logical_lines(text: &str) -> (Vec<Logical<'_>>, Vec<(usize, &str)>) {
    let mut reader = Reader {
        text,
        at: 0,
        line: 0,
        depth: 0,
        lines: Vec::new(),
        comments: Vec::new(),
        open: None,
    };
    while reader.at < text.len() {
        reader.step();
    }
    reader.close();
    (reader.lines, reader.comments)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    depth: usize,
    lines: Vec<Logical<'t>>,
    comments: Vec<(usize, &'t str)>,
    open: Option<Logical<'t>>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn close(&mut self) {
        self.lines.extend(self.open.take());
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        match first {
            '\n' => {
                if self.depth == 0 {
                    self.close();
                }
                self.advance(1);
            }
            '\\' if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") => {
                let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
                self.advance(end);
            }
            c if c.is_whitespace() => self.advance(c.len_utf8()),
            '#' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                self.comments
                    .push((self.line, rest.get(..end).unwrap_or_default()));
                self.advance(end);
            }
            _ => self.token(rest, first),
        }
    }

    fn token(&mut self, rest: &'t str, first: char) {
        let (kind, length) = match string(rest) {
            Some(length) => (Kind::Literal, length),
            None if first.is_ascii_digit() => (Kind::Number, word_length(rest)),
            None if first.is_alphabetic() || first == '_' => (Kind::Word, word_length(rest)),
            None => (Kind::Punct, first.len_utf8()),
        };
        match (kind, first) {
            (Kind::Punct, '(' | '[' | '{') => self.depth += 1,
            (Kind::Punct, ')' | ']' | '}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let token = Token {
            kind,
            text: rest.get(..length).unwrap_or_default(),
            start: self.at,
            line: self.line,
        };
        let last = token.last_line();
        if self.open.is_none() {
            self.open = Some(Logical {
                first: token.line,
                last,
                indent: self.indentation(),
                tokens: Vec::new(),
            });
        }
        if let Some(logical) = &mut self.open {
            logical.last = last;
            logical.tokens.push(token);
        }
        self.advance(length);
    }

    /// Of the physical line that is being read.
    fn indentation(&self) -> usize {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }

    fn advance(&mut self, length: usize) {
        let passed = self.rest().get(..length).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at += length.max(1);
    }
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len())
}

/// The length of a string literal with its prefix.
fn string(rest: &str) -> Option<usize> {
    let prefix = rest
        .bytes()
        .take(3)
        .take_while(|byte| b"rRbBuUfFtT".contains(byte))
        .count();
    let body = rest.get(prefix..)?;
    let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple = quote.to_string().repeat(3);
    let (mark, over_lines) = match body.starts_with(&triple) {
        true => (triple.as_str(), true),
        false => (body.get(..1)?, false),
    };
    let mut at = mark.len();
    while let Some(here) = body.get(at..).filter(|text| !text.is_empty()) {
        if here.starts_with(mark) {
            return Some(prefix + at + mark.len());
        }
        let c = here.chars().next()?;
        at += c.len_utf8();
        match c {
            '\\' => at += here.chars().nth(1).map_or(0, char::len_utf8),
            '\n' if !over_lines => return Some(prefix + at - 1),
            _ => {}
        }
    }
    Some(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_cut_at_their_ends() {
        let text = "import a  # x\n\ndef f(a,\n      b):\n    '''doc\n  # no\n'''\n    return [\n1]\nx = 'a\\'b' \\\n  + 1\n";
        let (lines, comments) = logical_lines(text);
        let seen: Vec<(usize, usize, usize, &str)> = lines
            .iter()
            .map(|l| (l.first, l.last, l.indent, l.word(0)))
            .collect();
        assert_eq!(
            seen,
            [
                (0, 0, 0, "import"),
                (2, 3, 0, "def"),
                (4, 6, 4, "'''doc\n  # no\n'''"),
                (7, 8, 4, "return"),
                (9, 10, 0, "x"),
            ]
        );
        assert_eq!(comments, [(0, "# x")]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_cut(text in "[a-z'\"#\\\\:()\n é]{0,60}") {
            let (lines, _) = logical_lines(&text);
            for line in lines {
                proptest::prop_assert!(line.first <= line.last);
                proptest::prop_assert!(!line.tokens.is_empty());
            }
        }
    }
}
