//! What a declaration declares: functions, types, values, fields.

use super::super::brace::{function_words, member_words, structs_hold_members};
use super::super::plain::{
    is_import, is_plain_data, is_plain_signature, is_require, is_stub_body, is_trivial_value,
    outside_brackets,
};
use super::{DEEPEST, Declarations, Place};
use crate::languages::Language;
use crate::rules::scan::{Kind, Token};

impl<'a, 't> Declarations<'a, 't> {
    pub(super) fn finish(
        &mut self,
        header: &[&'a Token<'t>],
        place: Place,
        first_line: usize,
    ) -> Option<()> {
        let outer = outside_brackets(header);
        let has = |names: &[&str]| outer.iter().any(|word| names.contains(word));
        let leading = outer
            .iter()
            .find(|word| {
                !matches!(
                    **word,
                    "export" | "public" | "private" | "declare" | "global"
                )
            })
            .copied()
            .unwrap_or_default();
        let is_strict_php = self.language == Language::Php
            && matches!(header, [a, _, b, ..] if a.is("declare") && b.is("strict_types"));
        if is_strict_php || is_import(self.language, header, leading) {
            return self.end_of_statement();
        }
        if has(function_words(self.language)) {
            return self.function(header, first_line);
        }
        let is_alias = matches!(leading, "type" | "typealias" | "associatedtype");
        if is_alias && !has(&["struct", "interface"]) {
            return self.type_alias();
        }
        if self.is_container(&outer, header) {
            return self.container(&outer, header);
        }
        match self.language {
            Language::JavaScript if place == Place::Top => self.binding(header, first_line),
            _ if self.declares_function(&outer, header, place) => self.function(header, first_line),
            _ if place == Place::Members => self.field(header, first_line),
            _ => None,
        }
    }

    /// A function without a word for it: a name before the parentheses and, outside a type, a type
    /// before the name, or it could be a call.
    fn declares_function(&self, outer: &[&str], header: &[&Token<'_>], place: Place) -> bool {
        let Some(open) = header.iter().position(|token| token.is("(")) else {
            return false;
        };
        let named = |back: usize| open.checked_sub(back).and_then(|at| header.get(at));
        let has_name = named(1).is_some_and(|token| token.kind == Kind::Word);
        let has_type = named(2).is_some_and(|token| {
            let is_type = token.kind == Kind::Word && !is_operator(token.text);
            is_type || matches!(token.text, ">" | "]" | "*" | "&" | "?")
        });
        match self.language {
            Language::C | Language::Cpp | Language::CSharp | Language::Java | Language::Dart => {
                has_name && (has_type || place == Place::Members)
            }
            Language::JavaScript | Language::Groovy => has_name && place == Place::Members,
            Language::Swift | Language::Kotlin => {
                place == Place::Members
                    && outer.iter().any(|w| matches!(*w, "init" | "constructor"))
            }
            _ => false,
        }
    }

    fn function(&mut self, header: &[&'a Token<'t>], first_line: usize) -> Option<()> {
        if !is_plain_signature(self.language, header) {
            return None;
        }
        match self.peek().map(|token| token.text) {
            Some("{") => {
                let body = self.group()?;
                self.body(body, first_line)?;
                self.take(";");
                Some(())
            }
            Some("=") => {
                self.at += 1;
                self.take(">");
                let body = self.rest_of_statement();
                self.body(body, first_line)?;
                self.end_of_statement()
            }
            Some(_) | None => self.end_of_statement(),
        }
    }

    fn body(&self, body: &[Token<'_>], first_line: usize) -> Option<()> {
        let last_line = self.tokens.get(self.at.saturating_sub(1))?.last_line();
        let is_marked = self.carries_marker(first_line, last_line);
        let allowed = is_stub_body(self.language, body) || (is_marked && is_trivial_value(body));
        allowed.then_some(())
    }

    /// Types have no behaviour, so anything goes up to the end of the statement.
    fn type_alias(&mut self) -> Option<()> {
        if self.take("=") {
            loop {
                self.rest_of_statement();
                let goes_on = self.next_is("|") || self.next_is("&");
                if !goes_on {
                    break;
                }
            }
        }
        self.end_of_statement()
    }

    fn is_container(&self, outer: &[&str], header: &[&Token<'_>]) -> bool {
        let has = |names: &[&str]| outer.iter().any(|word| names.contains(word));
        let returns_one = matches!(self.language, Language::C | Language::Cpp)
            && header.iter().any(|token| token.is("("));
        let known = has(&["struct", "union", "enum", "mod", "namespace", "interface"])
            || has(member_words(self.language));
        let is_js_module = self.language == Language::JavaScript && has(&["module"]);
        !returns_one && (known || (is_js_module && self.next_is("{")))
    }

    fn container(&mut self, outer: &[&str], header: &[&'a Token<'t>]) -> Option<()> {
        // `class A extends mixin(b)`
        let calls = self.language == Language::JavaScript && header.iter().any(|t| t.is("("));
        if calls || !is_plain_signature(self.language, header) || self.next_is("=") {
            return None;
        }
        if !self.next_is("{") {
            return self.end_of_statement();
        }
        let has = |names: &[&str]| outer.iter().any(|word| names.contains(word));
        let body = self.group()?;
        let is_data = has(&["enum", "union"])
            || (has(&["struct"]) && !structs_hold_members(self.language))
            || (has(&["interface"]) && self.language == Language::Go);
        let is_type_only = has(&["interface"]) && self.language == Language::JavaScript;
        let allowed = if is_type_only {
            true
        } else if is_data {
            is_plain_data(body, self.language)
        } else {
            let place = if has(&["mod", "namespace", "module"]) {
                Place::Top
            } else {
                Place::Members
            };
            let mut inner = Declarations::new(self.language, body, self.marked);
            inner.depth = self.depth + 1;
            inner.depth < DEEPEST && inner.are_stubs(place)
        };
        // `typedef struct { … } name;`, `struct { … };`
        while self.peek().is_some_and(|t| t.kind == Kind::Word) && has(&["typedef"]) {
            self.at += 1;
        }
        self.take(";");
        allowed.then_some(())
    }

    /// `const f = (a) => { … }`, `const a = require("a")`, `module.exports = { a }`,
    /// `exports.f = (a) => { … }`.
    fn binding(&mut self, header: &[&'a Token<'t>], first_line: usize) -> Option<()> {
        if !self.take("=") {
            return None;
        }
        let mut value = self.rest_of_statement();
        self.end_of_statement()?;
        if is_require(value) || is_marked_value(self, value, first_line) {
            return Some(());
        }
        let exports = header
            .first()
            .is_some_and(|token| matches!(token.text, "module" | "exports"));
        if exports {
            let plain = value
                .iter()
                .all(|t| t.kind == Kind::Word || matches!(t.text, "{" | "}" | ","));
            let calls_nothing = !value.iter().any(|t| t.is("function") || t.is("new"));
            if plain && calls_nothing {
                return Some(());
            }
        }
        let declares = header
            .first()
            .is_some_and(|t| matches!(t.text, "const" | "let" | "var" | "export"));
        if !declares && !exports {
            return None;
        }
        if value.first().is_some_and(|token| token.is("async")) {
            value = value.get(1..)?;
        }
        self.function_value(value, first_line)
    }

    fn function_value(&self, value: &'a [Token<'t>], first_line: usize) -> Option<()> {
        let mut inner = Declarations::new(self.language, value, self.marked);
        let start = inner.at;
        if !inner.take("function") && !inner.next_is("(") && !inner.next_is("<") {
            // `a => { … }`
            inner.peek().filter(|token| token.kind == Kind::Word)?;
        }
        while inner.at < value.len() && !inner.next_is("{") && !inner.next_is("=") {
            match inner.peek()?.text {
                "(" | "[" => drop(inner.group()?),
                _ => inner.at += 1,
            }
        }
        let signature: Vec<&Token<'_>> = value.get(start..inner.at)?.iter().collect();
        if inner.take("=") && !inner.take(">") {
            return None;
        }
        let body = inner.next_is("{").then(|| inner.group()).flatten()?;
        let whole = inner.at == value.len() && is_plain_signature(self.language, &signature);
        self.body(body, first_line)?;
        whole.then_some(())
    }

    fn field(&mut self, header: &[&Token<'_>], first_line: usize) -> Option<()> {
        if self.next_is("{") {
            // Properties of C#.
            let accessors = self.group()?;
            let plain = accessors.iter().all(|token| {
                matches!(
                    token.text,
                    "get" | "set" | "init" | "private" | "protected" | "internal" | ";"
                )
            });
            return plain.then_some(());
        }
        if self.take("=") {
            let value = self.rest_of_statement();
            self.end_of_statement()?;
            return is_marked_value(self, value, first_line).then_some(());
        }
        let declares = header.len() > 1 || self.language == Language::JavaScript;
        self.end_of_statement().filter(|()| declares)
    }
}

/// Words that make a call of the name behind them.
fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "new"
            | "await"
            | "return"
            | "throw"
            | "yield"
            | "else"
            | "delete"
            | "case"
            | "goto"
            | "co_await"
            | "co_return"
            | "typeof"
            | "sizeof"
            | "do"
    )
}

fn is_marked_value(reader: &Declarations<'_, '_>, value: &[Token<'_>], first_line: usize) -> bool {
    let last_line = value.last().map_or(first_line, Token::last_line);
    let is_marked = reader.carries_marker(first_line, last_line);
    is_marked && is_trivial_value(value)
}
