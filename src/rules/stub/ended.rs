//! Stubs in the languages that close bodies with `end`: Ruby, Crystal, Elixir. Judged line by
//! line; what encloses an insertion is told by indentation, as everyone writes these.

use std::ops::Range;

use super::{MARKER, says_not_implemented};
use crate::languages::Language;

/// Judges insertions into a text: whether the lines of a range are stubs and nothing else.
pub(super) fn judge<'t>(
    language: Language,
    lines: &'t [&'t str],
) -> Box<dyn Fn(Range<usize>) -> bool + 't> {
    Box::new(move |range| {
        stands_in_module(lines, &range)
            && Reader {
                language,
                open: Vec::new(),
            }
            .are_stubs(lines.get(range).unwrap_or_default())
    })
}

/// Whether everything around the first line of code is a class or a module.
fn stands_in_module(lines: &[&str], range: &Range<usize>) -> bool {
    let inserted = lines.get(range.clone()).unwrap_or_default();
    let Some(first) = inserted.iter().find(|line| !line.trim().is_empty()) else {
        return true;
    };
    let mut indent = width(first);
    for line in lines.get(..range.start).unwrap_or_default().iter().rev() {
        if !line.trim().is_empty() && width(line) < indent {
            indent = width(line);
            if !opens_module(line.trim()) {
                return false;
            }
        }
    }
    true
}

fn width(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn opens_module(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    matches!(
        first,
        "class" | "module" | "defmodule" | "defprotocol" | "defimpl" | "abstract" | "struct"
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Module,
    Function,
}

struct Reader {
    language: Language,
    open: Vec<Open>,
}

impl Reader {
    fn are_stubs(mut self, lines: &[&str]) -> bool {
        lines.iter().all(|line| self.line(line)) && self.open.is_empty()
    }

    fn line(&mut self, line: &str) -> bool {
        let (code, is_marked) = match line.split_once('#') {
            // `#{…}` in a string computes something.
            Some((_, rest)) if rest.starts_with('{') => return false,
            // The mark may stand in a string, with code behind it.
            Some((code, _)) if code.matches(['"', '\'']).count() % 2 == 1 => return false,
            Some((code, comment)) => (code.trim(), comment.contains(MARKER)),
            None => (line.trim(), false),
        };
        if code.is_empty() {
            return true;
        }
        if code == "end" {
            return self.open.pop().is_some();
        }
        match self.open.last() {
            Some(Open::Function) => is_stub_statement(code) || (is_marked && is_trivial(code)),
            Some(Open::Module) | None => self.declaration(code),
        }
    }

    fn declaration(&mut self, code: &str) -> bool {
        let first = code.split_whitespace().next().unwrap_or_default();
        match first {
            "class" | "module" | "defmodule" | "defprotocol" | "defimpl" => self.module(code),
            "def" | "defp" => self.function(code),
            "require" | "require_relative" | "alias" | "import" | "use" | "include" | "extend" => {
                is_plain(code)
            }
            "attr_reader" | "attr_accessor" | "attr_writer" | "private" | "public"
            | "protected" => self.language != Language::Elixir && is_plain(code),
            "@spec" | "@type" | "@callback" | "@doc" | "@moduledoc" | "@typedoc" | "@behaviour"
            | "@impl" => self.language == Language::Elixir && is_one_line(code),
            _ => false,
        }
    }

    fn module(&mut self, code: &str) -> bool {
        match code
            .strip_suffix("; end")
            .or_else(|| code.strip_suffix(";end"))
        {
            Some(header) => is_plain(header),
            None => {
                self.open.push(Open::Module);
                is_plain(code)
            }
        }
    }

    fn function(&mut self, code: &str) -> bool {
        if let Some((header, body)) = one_liner(self.language, code) {
            return is_plain_signature(header) && (body.is_empty() || is_stub_statement(body));
        }
        self.open.push(Open::Function);
        let header = code.strip_suffix(" do").unwrap_or(code);
        is_plain_signature(header)
    }
}

/// `def f; … end`, `def f = …`, `def f, do: …`
fn one_liner(language: Language, code: &str) -> Option<(&str, &str)> {
    if language == Language::Elixir {
        let (header, body) = code.split_once("do:")?;
        return Some((header.trim_end().trim_end_matches(','), body.trim()));
    }
    if let Some(inside) = code.strip_suffix("end") {
        let (header, body) = inside.split_once(';')?;
        return Some((header, body.trim().trim_end_matches(';').trim()));
    }
    let (header, body) = code.split_once(" = ")?;
    // A default value, not a body.
    (!header.contains('(') || header.trim_end().ends_with(')')).then_some((header, body.trim()))
}

/// No call, no block, no second statement.
fn is_plain(code: &str) -> bool {
    is_one_line(code) && !code.contains(['(', '{', '`', '='])
}

fn is_one_line(code: &str) -> bool {
    !code.contains(';')
}

/// Default values that compute nothing.
fn is_plain_signature(header: &str) -> bool {
    let one_list = header.matches('(').count() <= 1;
    let defaults = header.split(['=', '\\']).skip(1).all(|after| {
        let value = after.split([',', ')']).next().unwrap_or_default().trim();
        value.is_empty() || is_literal(value)
    });
    is_one_line(header) && one_list && defaults && !header.contains(['{', '`', '+', '%'])
}

fn is_literal(value: &str) -> bool {
    let quoted = |mark: char| {
        value.len() >= 2
            && value.starts_with(mark)
            && value.ends_with(mark)
            && value.matches(mark).count() == 2
    };
    let number = value.trim_start_matches('-');
    matches!(
        value,
        "nil" | "true" | "false" | "[]" | "{}" | "%{}" | "\"\"" | "''"
    ) || quoted('"')
        || quoted('\'')
        || (!number.is_empty()
            && number
                .chars()
                .all(|c| c.is_ascii_digit() || c == '_' || c == '.'))
}

fn is_stub_statement(code: &str) -> bool {
    let Some(what) = code.strip_prefix("raise") else {
        return false;
    };
    let name = what.trim_start_matches([' ', '(']);
    let plain = !code.contains([';', '`', '{', '+'])
        && !code
            .split_whitespace()
            .any(|w| matches!(w, "if" | "unless" | "rescue" | "and" | "or"));
    plain && (what.starts_with(' ') || what.starts_with('(')) && says_not_implemented(name)
}

fn is_trivial(code: &str) -> bool {
    is_literal(code.strip_prefix("return").unwrap_or(code).trim())
}
