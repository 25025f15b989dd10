//! Stubs in Python.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{MARKER, says_not_implemented};
use crate::rules::python_lines::{Logical, logical_lines};
use crate::rules::scan::{Kind, Token};

/// Judges insertions into a text: whether the lines of a range are stubs and nothing else.
pub(super) fn judge(text: &str) -> Box<dyn Fn(Range<usize>) -> bool + '_> {
    let (lines, comments) = logical_lines(text);
    let marked: BTreeSet<usize> = comments
        .iter()
        .filter(|(_, comment)| comment.contains(MARKER))
        .map(|(line, _)| *line)
        .collect();
    let last_lines: BTreeSet<usize> = lines.iter().map(|line| line.last).collect();
    let parents = parents(&lines);
    Box::new(move |range| {
        let insertion = Insertion {
            lines: &lines,
            parents: &parents,
            marked: &marked,
            last_lines: &last_lines,
            range,
        };
        insertion.is_stub()
    })
}

struct Insertion<'a, 't> {
    lines: &'a [Logical<'t>],
    /// The statement that encloses each.
    parents: &'a [Option<usize>],
    marked: &'a BTreeSet<usize>,
    last_lines: &'a BTreeSet<usize>,
    range: Range<usize>,
}

/// What a statement that opens a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Class,
    Function,
    Other,
}

impl<'t> Insertion<'_, 't> {
    fn is_stub(&self) -> bool {
        self.lines.iter().enumerate().all(|(at, line)| {
            match (
                self.range.contains(&line.first),
                self.range.contains(&line.last),
            ) {
                (true, true) => self.is_allowed(at, line),
                (false, false) => !self.reaches_over(line) && !self.is_taken_over(at),
                (true, false) | (false, true) => false,
            }
        })
    }

    fn reaches_over(&self, line: &Logical<'_>) -> bool {
        line.first < self.range.start && line.last >= self.range.end
    }

    /// The statements that enclose one, innermost first.
    fn enclosing(&self, at: usize) -> Vec<(usize, &Logical<'t>)> {
        let parent = |at: usize| self.parents.get(at).copied().flatten();
        std::iter::successors(parent(at), |above| parent(*above))
            .filter_map(|above| Some((above, self.lines.get(above)?)))
            .collect()
    }

    fn is_inserted(&self, line: &Logical<'_>) -> bool {
        self.range.contains(&line.first)
    }

    /// An existing statement that an inserted header or decorator now holds.
    fn is_taken_over(&self, at: usize) -> bool {
        let held = self
            .enclosing(at)
            .iter()
            .any(|(_, line)| self.is_inserted(line));
        let decorated = at
            .checked_sub(1)
            .and_then(|before| self.lines.get(before))
            .is_some_and(|line| self.is_inserted(line) && line.word(0) == "@");
        held || decorated
    }

    fn is_allowed(&self, at: usize, line: &Logical<'t>) -> bool {
        let around = self.enclosing(at);
        let inner = around.first().copied();
        let blocks: Vec<Block> = around.iter().map(|(_, line)| block(line)).collect();
        let is_marked = self.is_marked(&around, line);
        match blocks.as_slice() {
            [Block::Function, rest @ ..] => {
                let (header_at, header) = match inner {
                    Some(header) if self.is_inserted(header.1) => header,
                    Some(_) | None => return false,
                };
                rest.iter().all(|block| *block == Block::Class)
                    && self.is_body(header_at, header, at, &line.tokens, is_marked)
            }
            blocks => {
                blocks.iter().all(|block| *block == Block::Class)
                    && self.is_declaration(at, line, is_marked)
            }
        }
    }

    /// On the statement itself, on the line above it, or on the header of its function.
    fn is_marked(&self, around: &[(usize, &Logical<'_>)], line: &Logical<'_>) -> bool {
        let carries = |line: &Logical<'_>| {
            let from = line.first.saturating_sub(1);
            (from..=line.last).any(|at| {
                let above_is_code = at < line.first && self.last_lines.contains(&at);
                self.marked.contains(&at) && !above_is_code
            })
        };
        let header = around.first().map(|(_, header)| *header);
        carries(line) || header.is_some_and(|h| block(h) == Block::Function && carries(h))
    }

    fn is_body(
        &self,
        header_at: usize,
        header: &Logical<'_>,
        at: usize,
        tokens: &[Token<'_>],
        is_marked: bool,
    ) -> bool {
        let is_first = at == header_at + 1 && header.last < self.range.end;
        let is_docstring = is_first && is_text(tokens);
        is_docstring || is_stub_statement(tokens) || (is_marked && is_trivial(tokens))
    }

    fn is_declaration(&self, at: usize, line: &Logical<'t>, is_marked: bool) -> bool {
        let tokens = line.tokens.as_slice();
        match line.word(0) {
            "import" | "from" => is_import(tokens),
            "@" => self.is_harmless_decorator(at, line),
            "class" => is_plain_class(tokens),
            "def" | "async" => is_plain_function(tokens, is_marked),
            "__all__" => is_list_of_names(tokens),
            "pass" => tokens.len() == 1 && self.in_new_class(at),
            "." => is_ellipsis(tokens) && self.in_new_class(at),
            _ => {
                (is_text(tokens) && self.documents(at))
                    || is_annotation(tokens)
                    || (is_marked && is_trivial_assignment(tokens))
            }
        }
    }

    fn in_new_class(&self, at: usize) -> bool {
        self.enclosing(at)
            .first()
            .is_some_and(|(_, header)| self.is_inserted(header))
    }

    /// The docstring of a new class or of a new file.
    fn documents(&self, at: usize) -> bool {
        match self.enclosing(at).first() {
            Some((header, line)) => header + 1 == at && self.is_inserted(line),
            None => at == 0,
        }
    }

    fn is_harmless_decorator(&self, at: usize, line: &Logical<'_>) -> bool {
        let name: String = line.tokens.iter().skip(1).map(|token| token.text).collect();
        let known = matches!(
            name.rsplit('.').next().unwrap_or_default(),
            "staticmethod"
                | "classmethod"
                | "property"
                | "abstractmethod"
                | "overload"
                | "override"
                | "dataclass"
                | "final"
        );
        let holds_new = self
            .lines
            .get(at + 1)
            .is_some_and(|next| self.is_inserted(next) && next.indent == line.indent);
        known && holds_new
    }
}

/// For each statement the nearest one above it that is indented less.
fn parents(lines: &[Logical<'_>]) -> Vec<Option<usize>> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        while open
            .last()
            .is_some_and(|(indent, _)| *indent >= line.indent)
        {
            open.pop();
        }
        found.push(open.last().map(|(_, at)| *at));
        open.push((line.indent, at));
    }
    found
}

fn block(line: &Logical<'_>) -> Block {
    match (line.word(0), line.word(1)) {
        ("class", _) => Block::Class,
        ("def", _) | ("async", "def") => Block::Function,
        _ => Block::Other,
    }
}

fn is_text(tokens: &[Token<'_>]) -> bool {
    let formatted = |token: &Token<'_>| {
        let prefix = token.text.split(['"', '\'']).next().unwrap_or_default();
        prefix.contains(['f', 'F', 't', 'T'])
    };
    !tokens.is_empty()
        && tokens
            .iter()
            .all(|t| t.kind == Kind::Literal && !formatted(t))
}

fn is_ellipsis(tokens: &[Token<'_>]) -> bool {
    tokens.len() == 3 && tokens.iter().all(|token| token.is("."))
}

fn is_import(tokens: &[Token<'_>]) -> bool {
    tokens
        .iter()
        .all(|token| token.kind == Kind::Word || matches!(token.text, "." | "," | "*" | "(" | ")"))
}

fn is_list_of_names(tokens: &[Token<'_>]) -> bool {
    tokens.iter().skip(1).all(|token| {
        token.kind == Kind::Literal || matches!(token.text, "=" | "+" | "[" | "]" | "(" | ")" | ",")
    })
}

/// `name: type` without a value and without a call.
fn is_annotation(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [name, colon, _, ..] if name.kind == Kind::Word && colon.is(":"))
        && !is_keyword(tokens.first())
        && is_type(tokens.get(2..).unwrap_or_default())
}

fn is_keyword(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|t| {
        matches!(
            t.text,
            "else" | "try" | "finally" | "lambda" | "match" | "case"
        )
    })
}

fn is_type(tokens: &[Token<'_>]) -> bool {
    tokens.iter().all(|token| match token.kind {
        Kind::Word => !matches!(token.text, "lambda" | "if" | "await" | "yield" | "for"),
        Kind::Literal => true,
        Kind::Punct => matches!(token.text, "." | "," | "[" | "]" | "|"),
        Kind::Number | Kind::Lifetime | Kind::Comment | Kind::Directive => false,
    })
}

/// Splits a header at the colon that opens its block.
fn header_and_rest<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a [Token<'t>], &'a [Token<'t>])> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, token.text) {
            (Kind::Punct, "(" | "[" | "{") => depth += 1,
            (Kind::Punct, ")" | "]" | "}") => depth = depth.checked_sub(1)?,
            (Kind::Punct, ":") if depth == 0 => {
                return Some((tokens.get(..at)?, tokens.get(at + 1..)?));
            }
            _ => {}
        }
    }
    None
}

fn is_plain_class(tokens: &[Token<'_>]) -> bool {
    let Some((header, rest)) = header_and_rest(tokens) else {
        return false;
    };
    let plain = header.iter().all(|token| {
        token.kind == Kind::Word || matches!(token.text, "(" | ")" | "," | "." | "[" | "]" | "=")
    });
    let calls = header.iter().filter(|token| token.is("(")).count() > 1;
    plain && !calls && (rest.is_empty() || is_stub_statement(rest))
}

fn is_plain_function(tokens: &[Token<'_>], is_marked: bool) -> bool {
    let Some((header, rest)) = header_and_rest(tokens) else {
        return false;
    };
    let body = rest.is_empty() || is_stub_statement(rest) || (is_marked && is_trivial(rest));
    body && has_plain_defaults(header)
}

/// Default values are literals, annotations are types: nothing is computed in the signature.
fn has_plain_defaults(header: &[Token<'_>]) -> bool {
    let calls = header.iter().filter(|token| token.is("(")).count() > 1
        && !header
            .windows(2)
            .any(|w| matches!(w, [a, b] if a.is("=") && b.is("(")));
    let speaks = header.iter().any(|token| match token.kind {
        Kind::Word => matches!(
            token.text,
            "lambda" | "if" | "await" | "yield" | "for" | "or" | "and"
        ),
        Kind::Punct => matches!(token.text, "+" | "%" | "@" | "<" | "~" | "{" | "}"),
        Kind::Number | Kind::Literal | Kind::Lifetime | Kind::Comment | Kind::Directive => false,
    });
    let plain = header.iter().enumerate().all(|(at, token)| {
        !token.is("=") || is_plain_default(header.get(at + 1..).unwrap_or_default())
    });
    !calls && !speaks && plain
}

fn is_plain_default(after: &[Token<'_>]) -> bool {
    let ends = |rest: &[Token<'_>]| rest.first().is_none_or(|t| matches!(t.text, "," | ")"));
    match after {
        [open, close, rest @ ..] if matches!((open.text, close.text), ("(", ")") | ("[", "]")) => {
            ends(rest)
        }
        [sign, value, rest @ ..] if sign.is("-") => value.kind == Kind::Number && ends(rest),
        [a, b, c, rest @ ..] if a.is(".") && b.is(".") && c.is(".") => ends(rest),
        [value, rest @ ..] => is_constant(value) && ends(rest),
        [] => false,
    }
}

fn is_constant(token: &Token<'_>) -> bool {
    let plain_text = token.kind == Kind::Literal && is_text(std::slice::from_ref(token));
    plain_text || token.kind == Kind::Number || matches!(token.text, "None" | "True" | "False")
}

/// `pass`, `...`, or raising "not implemented".
fn is_stub_statement(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [only] => only.is("pass"),
        [_, _, _] if is_ellipsis(tokens) => true,
        [raise, name] => raise.is("raise") && says_not_implemented(name.text),
        [raise, name, open, arguments @ .., close] => {
            let texts = arguments.iter().all(|t| is_text(std::slice::from_ref(t)));
            let says_so = says_not_implemented(name.text)
                || arguments.iter().any(|t| says_not_implemented(t.text));
            raise.is("raise")
                && name.kind == Kind::Word
                && open.is("(")
                && close.is(")")
                && texts
                && says_so
        }
        _ => false,
    }
}

/// A value that no one can take for an answer.
fn is_trivial(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [keyword, value @ ..] if keyword.is("return") => is_trivial_value(value),
        _ => is_trivial_assignment(tokens),
    }
}

fn is_trivial_assignment(tokens: &[Token<'_>]) -> bool {
    let Some(at) = tokens.iter().position(|token| token.is("=")) else {
        return false;
    };
    let (name, value) = (tokens.get(..at), tokens.get(at + 1..));
    let plain_name = name.is_some_and(|name| {
        name.iter()
            .all(|t| t.kind == Kind::Word || matches!(t.text, "." | ":" | "[" | "]" | "|" | ","))
    });
    plain_name && value.is_some_and(|value| !value.is_empty() && is_trivial_value(value))
}

fn is_trivial_value(value: &[Token<'_>]) -> bool {
    match value {
        [] => true,
        [only] => is_constant(only),
        [sign, number] if sign.is("-") => number.kind == Kind::Number,
        [open, close] => matches!(
            (open.text, close.text),
            ("(", ")") | ("[", "]") | ("{", "}")
        ),
        _ => false,
    }
}
