//! Code of any language, cut into words, texts in quotes and the marks between them.

use crate::command_line::text::is_one_of;
use crate::command_line::words::unescape_ansi_c;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A name with all that hangs on it by dots, a number, an option.
    Word(String),
    /// In these quotes.
    Literal(char, String),
    /// A bracket, `,`, `:`, `=`, `|`, `~` for every comparison and `>` for an arrow.
    Mark(char),
    /// A line, or a statement, ends here; with how far the next one is indented.
    End(usize),
}

/// The pieces of a program, and which bracket each stands in.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    /// An apostrophe quotes what follows it.
    pub(super) is_lisp: bool,
    /// The bracket around each piece, and for one that opens where it is closed.
    parents: Vec<Option<usize>>,
    closes: Vec<usize>,
}

/// Comparisons, arrows and assignments, the longest first.
const SIGNS: &[(&str, char)] = &[
    ("===", '~'),
    ("!==", '~'),
    ("==", '~'),
    ("!=", '~'),
    ("<=", '~'),
    (">=", '~'),
    ("=~", '~'),
    ("=>", '>'),
    ("||", '~'),
    ("|", '|'),
    (":=", '='),
    ("=", '='),
    (",", ','),
    (":", ':'),
];

impl Pieces {
    pub(super) fn of(code: &str) -> Pieces {
        let is_lisp = code.trim_start().starts_with(['(', ';']);
        let mut found = Pieces {
            all: cut(code, is_lisp),
            is_lisp,
            ..Pieces::default()
        };
        let mut open = Vec::new();
        found.closes = vec![found.all.len(); found.all.len()];
        for (at, piece) in found.all.iter().enumerate() {
            if let Piece::Mark(')' | ']' | '}') = piece
                && let Some(opening) = open.pop()
                && let Some(close) = found.closes.get_mut::<usize>(opening)
            {
                *close = at;
            }
            found.parents.push(open.last().copied());
            if let Piece::Mark('(' | '[' | '{') = piece {
                open.push(at);
            }
        }
        found
    }

    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match self.all.get(at) {
            Some(Piece::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn text(&self, at: usize) -> Option<&str> {
        match self.all.get(at) {
            Some(Piece::Literal(_, text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.all.get(at) {
            Some(Piece::Mark(mark)) => Some(*mark),
            _ => None,
        }
    }

    /// The bracket around a piece.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.parents.get(at).copied().flatten()
    }

    /// Where what opens here is closed.
    pub(super) fn close(&self, open: usize) -> usize {
        self.closes.get(open).copied().unwrap_or(self.all.len())
    }

    /// Whether a bracket holds statements.
    pub(super) fn is_block(&self, open: usize) -> bool {
        let before = open.checked_sub(1).and_then(|before| self.all.get(before));
        let begins = match before {
            None | Some(Piece::End(_) | Piece::Mark(')' | '>')) => true,
            Some(Piece::Word(word)) => !is_one_of(word, "in of return yield"),
            _ => false,
        };
        self.mark(open) == Some('{') && begins
    }

    /// The texts directly between two places.
    pub(super) fn texts(&self, from: usize, to: usize) -> Vec<&str> {
        (from..to).filter_map(|at| self.text(at)).collect()
    }

    pub(super) fn brackets(&self) -> impl Iterator<Item = char> {
        let mark = |piece: &Piece| match piece {
            Piece::Mark(mark) => Some(*mark),
            _ => None,
        };
        self.all.iter().filter_map(mark)
    }
}

fn cut(code: &str, is_lisp: bool) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut line_starts = true;
    while let Some(c) = rest.chars().next() {
        let is_comment = line_starts
            && ["# ", "// ", "-- ", ";; "]
                .iter()
                .any(|mark| rest.starts_with(mark));
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let length = match (c, sign) {
            _ if is_comment => rest.find('\n').unwrap_or(rest.len()),
            ('\n' | ';', _) => {
                let after = rest.get(1..).unwrap_or("");
                found.push(Piece::End(
                    after.len() - after.trim_start_matches([' ', '\t']).len(),
                ));
                1
            }
            ('"' | '\'' | '`', _) => match literal(rest, c, is_lisp) {
                Some((text, length)) => {
                    found.push(Piece::Literal(c, text));
                    length
                }
                None => 1,
            },
            (_, Some((sign, mark))) => {
                found.push(Piece::Mark(*mark));
                sign.len()
            }
            ('>', _) => {
                found.push(Piece::Word(">".to_owned()));
                1
            }
            ('(' | '[' | '{' | ')' | ']' | '}', _) => {
                found.push(Piece::Mark(c));
                1
            }
            _ => word(rest, &mut found),
        };
        line_starts = c == '\n' || (line_starts && c.is_whitespace());
        rest = rest.get(length.max(1)..).unwrap_or("");
    }
    found
}

/// A word, if one begins here, and the length of what was read. `->` is one more dot.
fn word(code: &str, found: &mut Vec<Piece>) -> usize {
    let is_end = |c: char| !(c.is_alphanumeric() || "_-./~*?!\\$@+".contains(c));
    let mut length = code.find(is_end).unwrap_or(code.len());
    while let Some(rest) = code.get(length..)
        && rest.starts_with('>')
        && code.get(..length).is_some_and(|word| word.ends_with('-'))
    {
        let more = rest.get(1..).unwrap_or("");
        length += 1 + more.find(is_end).unwrap_or(more.len());
    }
    let word = code.get(..length).unwrap_or("");
    if length > 0 {
        found.push(Piece::Word(word.replace("->", ".")));
    }
    length.max(code.chars().next().map_or(1, char::len_utf8))
}

/// A text in quotes and its length; a lone apostrophe quotes nothing.
fn literal(code: &str, quote: char, is_lisp: bool) -> Option<(String, usize)> {
    let triple = quote.to_string().repeat(3);
    if let Some(rest) = code.strip_prefix(&triple) {
        let end = rest.find(&triple).unwrap_or(rest.len());
        let length = (3 + end + 3).min(code.len());
        return Some((rest.get(..end)?.to_owned(), length));
    }
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '(' if at == 1 && quote == '\'' && is_lisp => return None,
            _ if c == quote => {
                let text = code.get(1..at)?;
                return Some((unescape_ansi_c(text), at + 1));
            }
            '\n' if quote == '\'' => return None,
            _ => {}
        }
    }
    None
}
