//! What names stand for: assignments and loops.

use super::super::brackets::{arguments, bracketed, opening};
use super::super::calls::{Receiver, kind};
use super::super::tables::{entry_of, key_and_value};
use super::super::tokens::{Language, TOP_LEVEL, Token};
use super::super::values::value;
use super::{MAX_CONSTANTS, Reader};

/// Tokens before `in` that may be what a loop binds.
const MAX_TARGETS: usize = 16;
/// How many names may stand between a loop and the list it goes over.
const MAX_INDIRECTIONS: usize = 4;

impl<'t> Reader<'t> {
    /// `x = …`, `for x in …`, `[…].forEach(x => …)`, `def f(x)`: what a name stands for from here
    /// on.
    pub(super) fn constant(&mut self, at: usize) {
        self.leave_scopes(at);
        if self.name(at) == Some("class") {
            self.class = self.name(at + 1);
        }
        self.rename(at);
        self.define(at);
        self.note_arguments(at);
        if self.followed >= MAX_CONSTANTS {
            return;
        }
        self.assign(at);
        self.bind_loop(at);
        self.bind_each(at);
    }

    /// `import os as o`, `{writeFileSync: w}`.
    fn rename(&mut self, at: usize) {
        let is_renaming = self.name(at + 1) == Some("as");
        let is_destructuring = self.symbol(at + 1) == Some(':')
            && matches!(self.symbol(at + 3), Some(',' | '}'))
            && self.language == Language::JavaScript;
        if let (Some(name), Some(alias)) = (self.name(at), self.name(at + 2))
            && (is_renaming || is_destructuring)
        {
            self.renamed.insert(alias, name);
        }
    }

    fn assign(&mut self, at: usize) {
        // Python's `x := …` has a colon before it.
        let sign = at + 1 + usize::from(self.symbol(at + 1) == Some(':'));
        let is_assignment = self.symbol(sign) == Some('=')
            && self.symbol(sign + 1) != Some('=')
            && self.symbol(sign + 1) != Some('>');
        let Some(name) = self.name(at).filter(|_| is_assignment) else {
            return;
        };
        let statement = self.statement(sign + 1);
        // `const a = …, b = …` declares one after the other.
        let expression = match self.language {
            Language::JavaScript => arguments(statement).first().copied().unwrap_or(statement),
            _ => statement,
        };
        if self.assign_several(at, expression) {
            return;
        }
        self.note_path(name, expression);
        self.rename_function(name, expression);
        if self.symbol(at.wrapping_sub(1)) == Some('.') {
            let value = value(expression, &self.constants);
            self.constants.insert_attribute(name, value);
            return;
        }
        let otherwise = self.otherwise(sign + 1 + expression.len());
        self.bind(name, [vec![expression], otherwise].concat());
    }

    /// `a, b = x, y`, where `b` is at `last`: each name stands for its own value.
    fn assign_several(&mut self, last: usize, expression: &'t [Token]) -> bool {
        let mut names = vec![last];
        while let Some(before) = names.last().and_then(|at| at.checked_sub(2))
            && self.symbol(before + 1) == Some(',')
            && self.name(before).is_some()
            && names.len() < MAX_TARGETS
        {
            names.push(before);
        }
        let starts_statement = names.last().is_some_and(|first| {
            let before = first.checked_sub(1).map(|before| self.symbol(before));
            matches!(before, None | Some(Some('\n' | ';' | TOP_LEVEL)))
        });
        let values = arguments(expression);
        if names.len() < 2 || names.len() != values.len() || !starts_statement {
            return false;
        }
        for (at, value) in names.into_iter().rev().zip(values) {
            if let Some(name) = self.name(at) {
                self.note_path(name, value);
                self.bind(name, vec![trimmed(value)]);
            }
        }
        true
    }

    /// The other side of Python's `x if condition else y`, whose `if` is at `at`.
    fn otherwise(&self, at: usize) -> Vec<&'t [Token]> {
        if self.language != Language::Python || self.name(at) != Some("if") {
            return Vec::new();
        }
        let condition = self.statement(at + 1);
        let is_else = |token: &Token| matches!(token, Token::Name(name) if name == "else");
        let other = condition.iter().position(is_else);
        other.map_or_else(Vec::new, |other| vec![self.statement(at + other + 2)])
    }

    /// `w = open`, `const w = fs.writeFileSync`: a function under another name.
    fn rename_function(&mut self, alias: &'t str, expression: &'t [Token]) {
        let is_chain = expression
            .iter()
            .all(|token| matches!(token, Token::Name(_) | Token::Symbol('.')));
        if let Some(Token::Name(function)) = expression.last()
            && is_chain
            && !self.constants.has(function)
            && kind(function, Receiver::Import, self.language).is_some()
        {
            self.renamed.insert(alias, function);
        }
    }

    fn bind(&mut self, name: &'t str, alternatives: Vec<&'t [Token]>) {
        self.followed += 1;
        let values = alternatives.iter().map(|one| value(one, &self.constants));
        let values = values.collect::<Vec<_>>().join("\n");
        self.constants.insert(name, values);
        for table in &alternatives {
            self.bind_entries(name, table);
        }
        self.spelled.insert(name, alternatives);
    }

    /// `table = {"key": …}`: what `table["key"]` and `table.key` stand for.
    fn bind_entries(&mut self, table: &str, expression: &'t [Token]) {
        if expression.first() != Some(&Token::Symbol('{')) {
            return;
        }
        for entry in whole_bracket(expression).map_or_else(Vec::new, arguments) {
            let Some((key, entry)) = key_and_value(trimmed(entry)) else {
                continue;
            };
            if let [Token::Text(key) | Token::Name(key)] = key {
                self.followed += 1;
                let value = value(trimmed(entry), &self.constants);
                self.constants.insert(&entry_of(table, key), value);
            }
        }
    }

    fn note_path(&mut self, name: &'t str, expression: &[Token]) {
        let makes_path = |token: &Token| {
            let Token::Name(name) = token else {
                return false;
            };
            matches!(
                name.as_str(),
                "Path" | "Pathname" | "iterdir" | "rglob" | "glob"
            )
        };
        if expression.iter().any(makes_path) {
            self.paths.insert(name);
        }
    }

    /// `for a, b in rows`: each name stands for its column of the rows.
    fn bind_loop(&mut self, at: usize) {
        if !matches!(self.name(at), Some("in" | "of")) {
            return;
        }
        self.bind_targets(self.targets(at), self.statement(at + 1));
    }

    fn bind_targets(&mut self, targets: Vec<&'t str>, iterated: &'t [Token]) {
        let columns = self.columns(iterated, targets.len());
        for (index, target) in targets.into_iter().enumerate() {
            match columns.get(index) {
                Some(cells) if !cells.is_empty() => self.bind(target, cells.clone()),
                // Of what can't be taken apart, the first is the one that most often is a path.
                _ if index == 0 => self.bind(target, vec![iterated]),
                _ => self.constants.remove(target),
            }
            self.note_path(target, iterated);
        }
    }

    /// The names between `for` and the `in` at `at`.
    fn targets(&self, at: usize) -> Vec<&'t str> {
        let mut names = Vec::new();
        for before in (at.saturating_sub(MAX_TARGETS)..at).rev() {
            match self.tokens.get(before) {
                Some(Token::Symbol(',' | '(' | ')' | '[' | ']')) => {}
                Some(Token::Name(name)) => match name.as_str() {
                    "for" | "foreach" => {
                        names.reverse();
                        return names;
                    }
                    "const" | "let" | "var" | "await" | "async" | "my" => {}
                    "if" | "in" | "of" | "and" | "or" | "not" | "else" => break,
                    _ => names.push(name.as_str()),
                },
                _ => break,
            }
        }
        Vec::new()
    }

    /// The columns of a table that is spelled out, as many as a loop has names for.
    fn columns(&self, iterated: &'t [Token], count: usize) -> Vec<Vec<&'t [Token]>> {
        let (table, skipped) = inside(iterated);
        let rows = self.rows(table, MAX_INDIRECTIONS);
        let cell = |row: &&'t [Token], index: usize| match (count, skipped) {
            (1, Skipped::Nothing) => Some(*row),
            (_, Skipped::Nothing) => cells(row).get(index).copied(),
            (1, Skipped::Keys) => cells(row).get(1).copied(),
            (_, Skipped::Keys) => None,
            (_, Skipped::Counter) if index == 0 => None,
            (2, Skipped::Counter) => Some(*row),
            (_, Skipped::Counter) => cells(row).get(index - 1).copied(),
        };
        (0..count)
            .map(|index| rows.iter().filter_map(|row| cell(row, index)).collect())
            .collect()
    }

    /// The items of a list, a set or a dictionary, if it is spelled out here or under a name.
    fn rows(&self, table: &'t [Token], indirections: usize) -> Vec<&'t [Token]> {
        match table {
            [Token::Name(name)] if indirections > 0 => {
                let spelled = self.spelled.get(name.as_str()).into_iter().flatten();
                spelled
                    .flat_map(|one| self.rows(inside(one).0, indirections - 1))
                    .collect()
            }
            _ => whole_bracket(table).map_or_else(Vec::new, |inner| {
                arguments(inner).into_iter().map(trimmed).collect()
            }),
        }
    }

    /// `[…].forEach(x => …)`, `list.each { |x| … }`.
    fn bind_each(&mut self, at: usize) {
        let is_each = matches!(self.name(at), Some("forEach" | "each" | "map"));
        if !is_each || self.symbol(at.wrapping_sub(1)) != Some('.') {
            return;
        }
        let close = at.wrapping_sub(2);
        let open = match self.tokens.get(close) {
            Some(Token::Name(_) | Token::Text(_)) => Some(close),
            _ => opening(self.tokens, close),
        };
        let Some(open) = open else {
            return;
        };
        // `readdirSync('x').forEach(…)`: what a call yields is not what it is given.
        let is_call = self.symbol(open) == Some('(') && self.name(open.wrapping_sub(1)).is_some();
        let list = match is_call {
            true => self.receiver_value(at),
            false => value(
                self.tokens.get(open..=close).unwrap_or(&[]),
                &self.constants,
            ),
        };
        let parameter = (at + 1..at + 5)
            .find_map(|next| self.name(next).filter(|n| *n != "do" && *n != "async"));
        if let Some(parameter) = parameter {
            self.constants.insert(parameter, list);
        }
    }
}

/// What a loop leaves out of, or puts before, the rows it goes over.
#[derive(Clone, Copy)]
enum Skipped {
    Nothing,
    /// `d.values()`.
    Keys,
    /// `enumerate(rows)`.
    Counter,
}

/// The table inside `sorted(table)`, `enumerate(table)`, `Object.entries(table)`, `table.items()`.
fn inside(iterated: &[Token]) -> (&[Token], Skipped) {
    let symbol = |token: Option<&Token>, c: char| token == Some(&Token::Symbol(c));
    match iterated {
        [table @ .., dot, Token::Name(method), open, close]
            if symbol(Some(dot), '.') && symbol(Some(open), '(') && symbol(Some(close), ')') =>
        {
            match method.as_str() {
                "items" | "entries" | "iteritems" | "keys" => (inside(table).0, Skipped::Nothing),
                "values" => (inside(table).0, Skipped::Keys),
                _ => (iterated, Skipped::Nothing),
            }
        }
        [Token::Name(object), dot, call @ ..] if object == "Object" && symbol(Some(dot), '.') => {
            inside(call)
        }
        [Token::Name(function), rest @ ..] if symbol(rest.first(), '(') => {
            let table = whole_bracket(rest).and_then(|inner| arguments(inner).first().copied());
            let Some(table) = table else {
                return (iterated, Skipped::Nothing);
            };
            match function.as_str() {
                "sorted" | "list" | "tuple" | "set" | "reversed" | "entries" | "keys" | "pairs" => {
                    inside(table)
                }
                "values" => (inside(table).0, Skipped::Keys),
                "enumerate" | "ipairs" => (inside(table).0, Skipped::Counter),
                _ => (iterated, Skipped::Nothing),
            }
        }
        _ => (iterated, Skipped::Nothing),
    }
}

/// What is inside the brackets that hold all of the expression.
fn whole_bracket(expression: &[Token]) -> Option<&[Token]> {
    let is_open = matches!(expression.first(), Some(Token::Symbol('[' | '(' | '{')));
    let (inner, close) = bracketed(expression, 0).filter(|_| is_open)?;
    (close + 1 == expression.len()).then_some(inner)
}

/// The parts of one row: of a tuple or list its items, of an entry its key and value.
fn cells(row: &[Token]) -> Vec<&[Token]> {
    match (whole_bracket(row), key_and_value(row)) {
        (Some(inner), _) => arguments(inner).into_iter().map(trimmed).collect(),
        (None, Some((key, value))) => vec![key, trimmed(value)],
        (None, None) => vec![row],
    }
}

/// Without the line ends before and after.
pub(super) fn trimmed(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Symbol('\n' | TOP_LEVEL), rest @ ..]
    | [rest @ .., Token::Symbol('\n' | TOP_LEVEL)] = tokens
    {
        tokens = rest;
    }
    tokens
}
