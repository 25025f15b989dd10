//! A word, taken apart.

use super::extent;
use super::parameter::{self, Expansion};

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Unquoted text: globs in it are alive.
    Plain(String),
    /// Quoted or escaped text.
    Quoted(String),
    /// What stands between double quotes.
    Double(Vec<Piece>),
    /// `~` and what follows it up to the first slash.
    Tilde(String),
    /// `$x`, `${x…}`.
    Parameter(Expansion),
    /// `$(…)` or backquotes.
    Command(String),
    /// `$((…))`.
    Arithmetic(String),
}

const UNCLOSED: &str = "a quote or bracket in it is not closed";

/// Takes an ordinary word apart.
pub(super) fn of_word(word: &str) -> Result<Vec<Piece>, String> {
    let mut reader = Reader::new(word);
    reader.tilde();
    while let Some(c) = reader.peek() {
        match c {
            '\\' => reader.escape(),
            '\'' => {
                let inner = reader.delimited(1, extent::single_quoted)?;
                reader.pieces.push(Piece::Quoted(inner.to_owned()));
            }
            '"' => {
                let inner = reader.delimited(1, extent::double_quoted)?;
                reader.pieces.push(Piece::Double(of_quoted(inner)?));
            }
            '`' => reader.backquotes()?,
            '$' => reader.dollar(false)?,
            _ => reader.plain(),
        }
    }
    Ok(reader.pieces)
}

/// Takes apart what stands between double quotes, or in a here-document that is expanded.
pub(super) fn of_quoted(text: &str) -> Result<Vec<Piece>, String> {
    let mut reader = Reader::new(text);
    while let Some(c) = reader.peek() {
        match c {
            '\\' => reader.quoted_escape(),
            '`' => reader.backquotes()?,
            '$' => reader.dollar(true)?,
            _ => reader.plain(),
        }
    }
    Ok(reader.pieces)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    pieces: Vec<Piece>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader {
            text,
            at: 0,
            pieces: Vec::new(),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The inside of a construct whose opener has `opener` bytes; `end_of` finds its end.
    fn delimited(
        &mut self,
        opener: usize,
        end_of: impl Fn(&str, usize) -> Option<usize>,
    ) -> Result<&'a str, String> {
        let start = self.at + opener;
        let end = end_of(self.text, start).ok_or(UNCLOSED)?;
        let inner = self.text.get(start..end - 1).ok_or(UNCLOSED)?;
        self.at = end;
        Ok(inner)
    }

    fn tilde(&mut self) {
        let Some(after) = self.text.strip_prefix('~') else {
            return;
        };
        let name = after.split(['/', ':']).next().unwrap_or("");
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
        if name.chars().all(plain) {
            self.pieces.push(Piece::Tilde(name.to_owned()));
            self.at = 1 + name.len();
        }
    }

    fn escape(&mut self) {
        let mut chars = self.rest().chars();
        chars.next();
        match chars.next() {
            Some('\n') => self.at += 2,
            Some(c) => {
                self.pieces.push(Piece::Quoted(c.to_string()));
                self.at += 1 + c.len_utf8();
            }
            None => self.text_piece(1),
        }
    }

    fn quoted_escape(&mut self) {
        match self.rest().as_bytes().get(1) {
            Some(b'\n') => self.at += 2,
            Some(&byte @ (b'$' | b'`' | b'"' | b'\\')) => {
                self.pieces
                    .push(Piece::Quoted(char::from(byte).to_string()));
                self.at += 2;
            }
            _ => self.text_piece(1),
        }
    }

    fn backquotes(&mut self) -> Result<(), String> {
        let inner = self.delimited(1, |text, from| extent::escaped_until(text, from, b'`'))?;
        let mut command = String::with_capacity(inner.len());
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('\\', Some('`' | '\\' | '$')) => command.extend(chars.next()),
                _ => command.push(c),
            }
        }
        self.pieces.push(Piece::Command(command));
        Ok(())
    }

    fn dollar(&mut self, quoted: bool) -> Result<(), String> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        match bytes.get(1) {
            Some(b'(') => {
                let inner = self.delimited(2, extent::command)?;
                self.pieces.push(match arithmetic(inner) {
                    Some(expression) => Piece::Arithmetic(expression.to_owned()),
                    None => Piece::Command(inner.to_owned()),
                });
            }
            Some(b'{') => {
                let inner = self.delimited(2, |text, from| extent::braced(text, from, quoted))?;
                self.pieces.push(Piece::Parameter(parameter::parse(inner)?));
            }
            Some(b'[') if !quoted => match rest.find(']') {
                Some(end) => {
                    let inner = rest.get(2..end).unwrap_or("");
                    self.pieces.push(Piece::Arithmetic(inner.to_owned()));
                    self.at += end + 1;
                }
                None => self.text_piece(1),
            },
            Some(b'\'') if !quoted => {
                let inner =
                    self.delimited(2, |text, from| extent::escaped_until(text, from, b'\''))?;
                let plain = super::unescape_ansi_c(inner);
                self.pieces.push(Piece::Quoted(plain));
            }
            Some(b'"') if !quoted => {
                let inner = self.delimited(2, extent::double_quoted)?;
                self.pieces.push(Piece::Double(of_quoted(inner)?));
            }
            _ => match parameter::bare_name(rest.get(1..).unwrap_or("")) {
                Some(name) => {
                    self.at += 1 + name.len();
                    self.pieces.push(Piece::Parameter(Expansion::plain(name)));
                }
                None => self.text_piece(1),
            },
        }
        Ok(())
    }

    /// Everything up to the next character that means something.
    fn plain(&mut self) {
        let rest = self.rest();
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| matches!(c, '\\' | '\'' | '"' | '`' | '$'))
            .map_or(rest.len(), |(at, _)| at);
        self.text_piece(length);
    }

    fn text_piece(&mut self, length: usize) {
        let text = self.rest().get(..length).unwrap_or("");
        self.pieces.push(Piece::Plain(text.to_owned()));
        self.at += length;
    }
}

/// The expression, if the inside of `$(…)` is the inside of `$((…))`.
fn arithmetic(inner: &str) -> Option<&str> {
    let expression = inner.strip_prefix('(')?.strip_suffix(')')?;
    (extent::command(inner, 1) == Some(inner.len())).then_some(expression)
}
