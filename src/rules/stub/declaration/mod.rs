//! Reads declarations in a run of tokens and says whether they are stubs.

mod kinds;

use std::collections::BTreeSet;

use super::brace::{ends_by_line, may_end_statement};
use super::plain::is_plain_data;
use crate::languages::Language;
use crate::rules::scan::{Kind, Token};

/// Types nested deeper than this are not read: no one writes them by hand.
const DEEPEST: usize = 32;

/// What may stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside any type.
    Top,
    /// Among the members of a type that holds functions.
    Members,
    /// Among the fields or variants of a type that holds data.
    Fields,
}

/// Declarations, read from first to last.
pub(super) struct Declarations<'a, 't> {
    language: Language,
    tokens: &'a [Token<'t>],
    /// Lines that carry the marker.
    marked: &'a BTreeSet<usize>,
    at: usize,
    /// How many types enclose these declarations.
    depth: usize,
}

impl<'a, 't> Declarations<'a, 't> {
    pub(super) fn new(
        language: Language,
        tokens: &'a [Token<'t>],
        marked: &'a BTreeSet<usize>,
    ) -> Self {
        Declarations {
            language,
            tokens,
            marked,
            at: 0,
            depth: 0,
        }
    }

    /// Whether all of it is complete declarations that are stubs.
    pub(super) fn are_stubs(mut self, place: Place) -> bool {
        if place == Place::Fields {
            return is_plain_data(self.tokens, self.language)
                && self
                    .tokens
                    .last()
                    .is_some_and(|t| t.is(",") || t.is(";") || self.by_line());
        }
        while self.at < self.tokens.len() {
            if self.declaration(place).is_none() {
                return false;
            }
        }
        true
    }

    fn carries_marker(&self, first: usize, last: usize) -> bool {
        self.marked
            .range(first..)
            .next()
            .is_some_and(|line| *line <= last)
    }

    fn by_line(&self) -> bool {
        ends_by_line(self.language)
    }

    fn peek(&self) -> Option<&'a Token<'t>> {
        self.tokens.get(self.at)
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.next_is(text);
        self.at += usize::from(found);
        found
    }

    /// The tokens between the bracket that is next and the one that closes it.
    fn group(&mut self) -> Option<&'a [Token<'t>]> {
        let start = self.at + 1;
        let mut depth = 0usize;
        for (offset, token) in self.tokens.get(self.at..)?.iter().enumerate() {
            match token.text {
                "{" | "(" | "[" if token.kind == Kind::Punct => depth += 1,
                "}" | ")" | "]" if token.kind == Kind::Punct => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                self.at += offset + 1;
                return self.tokens.get(start..self.at - 1);
            }
        }
        None
    }

    fn declaration(&mut self, place: Place) -> Option<()> {
        if self.take(";") || self.access_label() || self.php_open() || self.directive()? {
            return Some(());
        }
        self.attributes()?;
        let first_line = self.peek()?.line;
        if self.language == Language::Rust && self.take("pub") && self.next_is("(") {
            self.group()?;
        }
        let header = self.header()?;
        self.finish(&header, place, first_line)
    }

    fn php_open(&mut self) -> bool {
        let opens = self.language == Language::Php
            && matches!(self.tokens.get(self.at..self.at + 3), Some([a, b, c]) if a.is("<") && b.is("?") && c.is("php"));
        self.at += if opens { 3 } else { 0 };
        opens
    }

    /// `public:` of C++.
    fn access_label(&mut self) -> bool {
        let is_label = self.language == Language::Cpp
            && matches!(
                self.tokens.get(self.at..self.at + 2),
                Some([a, b]) if matches!(a.text, "public" | "private" | "protected") && b.is(":")
            );
        self.at += if is_label { 2 } else { 0 };
        is_label
    }

    /// Only what loads other files; a definition could hold anything.
    fn directive(&mut self) -> Option<bool> {
        let Some(token) = self.peek().filter(|t| t.kind == Kind::Directive) else {
            return Some(false);
        };
        let words: Vec<&str> = token
            .text
            .trim_start_matches('#')
            .split_whitespace()
            .collect();
        let whole_file = self.at == 0 || self.tokens.first().is_some_and(|t| t.line == 0);
        let allowed = match words.as_slice() {
            ["include" | "import", ..] | ["pragma", "once"] | ["nullable", _] => true,
            // Guards of a new header.
            ["ifndef" | "define", _] => whole_file,
            ["endif", ..] => whole_file && self.at + 1 == self.tokens.len(),
            _ => false,
        };
        self.at += 1;
        allowed.then_some(true)
    }

    /// Attributes and annotations that change no behaviour of their own.
    fn attributes(&mut self) -> Option<()> {
        loop {
            if self.language == Language::Rust && self.take("#") {
                self.take("!");
                let inside = self.group()?;
                let harmless = inside.first().is_some_and(|token| {
                    matches!(
                        token.text,
                        "derive"
                            | "allow"
                            | "expect"
                            | "warn"
                            | "deny"
                            | "forbid"
                            | "doc"
                            | "must_use"
                            | "non_exhaustive"
                            | "repr"
                            | "inline"
                            | "deprecated"
                    )
                });
                if !harmless {
                    return None;
                }
            } else if self.next_is("@") && self.language != Language::JavaScript {
                self.at += 2;
                if self.next_is("(") {
                    return None;
                }
            } else {
                return Some(());
            }
        }
    }

    /// The tokens up to a body, an `=` or the end of the statement; groups in parentheses included.
    fn header(&mut self) -> Option<Vec<&'a Token<'t>>> {
        let mut header: Vec<&'a Token<'t>> = Vec::new();
        let mut angles = 0usize;
        while let Some(token) = self.peek() {
            let is_arrow = header.last().is_some_and(|t| t.is("-") || t.is("="));
            match token.text {
                "<" if token.kind == Kind::Punct => angles += 1,
                ">" if token.kind == Kind::Punct && !is_arrow => angles = angles.saturating_sub(1),
                _ => {}
            }
            let ends = match token.text {
                "{" if token.kind == Kind::Punct => !self.is_import_list(&header),
                ";" | "}" if token.kind == Kind::Punct => true,
                "=" if token.kind == Kind::Punct => angles == 0,
                _ => self.by_line() && self.line_ends(&header, token),
            };
            if ends {
                break;
            }
            let start = self.at;
            match token.text {
                "(" | "[" | "{" if token.kind == Kind::Punct => drop(self.group()?),
                _ => self.at += 1,
            }
            header.extend(self.tokens.get(start..self.at)?);
        }
        (!header.is_empty()).then_some(header)
    }

    fn line_ends(&self, header: &[&Token<'_>], next: &Token<'_>) -> bool {
        header
            .last()
            .is_some_and(|last| last.last_line() < next.line && may_end_statement(last))
    }

    /// `import { a } from`, `use a::{b}`, `export { a }`.
    fn is_import_list(&self, header: &[&Token<'_>]) -> bool {
        match header.first().map(|token| token.text) {
            Some("import" | "use") => true,
            // `const { a } = require("a")`
            Some("const" | "let" | "var") => header.len() == 1,
            Some("export") => header.iter().all(|t| matches!(t.text, "export" | "type")),
            Some(_) | None => false,
        }
    }

    fn end_of_statement(&mut self) -> Option<()> {
        let ended = self.take(";") || self.by_line() || self.at == self.tokens.len();
        ended.then_some(())
    }

    fn rest_of_statement(&mut self) -> &'a [Token<'t>] {
        let start = self.at;
        while let Some(token) = self.peek() {
            let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
            let on_new_line = self.at > start
                && self.by_line()
                && before.is_some_and(|last| last.last_line() < token.line);
            if token.is(";") || token.is("}") || on_new_line {
                break;
            }
            match token.text {
                "(" | "[" | "{" if token.kind == Kind::Punct => {
                    if self.group().is_none() {
                        break;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.tokens.get(start..self.at).unwrap_or_default()
    }
}
