//! The program's own functions: inside, their parameters stand for whatever the program passes.

use super::super::brackets::{arguments, bracketed, unnamed};
use super::super::tokens::{Language, TOP_LEVEL, Token};
use super::super::values::value;
use super::bindings::trimmed;
use super::{MAX_STATEMENT, Reader};

/// Tokens of a function in which its parameters are followed.
const MAX_BODY: usize = 4_000;

/// A function's parameters while its body is read, and what the names meant before.
pub(super) struct Scope<'t> {
    end: usize,
    outer: Vec<(&'t str, Option<String>)>,
}

impl<'t> Reader<'t> {
    /// `def f(a, b):`, `function f(a) {`, `f = (a, b) => …`, `f = lambda a: …`: inside, the
    /// parameters stand for whatever the program passes.
    pub(super) fn define(&mut self, at: usize) {
        let Some((function, parameters, body)) = self.definition(at) else {
            return;
        };
        let mut outer = Vec::new();
        for parameter in &parameters {
            if let Some(passed) = self.constants.passed(function, parameter) {
                let before = self.constants.replace(parameter, passed);
                outer.push((*parameter, before));
            }
        }
        let end = self.body_end(body);
        self.scopes.push(Scope { end, outer });
        self.functions.insert(function, parameters);
    }

    /// What a function is called by: a constructor by the name of its class.
    fn called_by(&self, function: &'t str) -> &'t str {
        match function {
            "__init__" | "initialize" | "constructor" => self.class.unwrap_or(function),
            _ => function,
        }
    }

    /// The name, the parameters, and where the body begins.
    fn definition(&self, at: usize) -> Option<(&'t str, Vec<&'t str>, usize)> {
        let named = |open: usize| {
            let end = self.tokens.len().min(open + MAX_STATEMENT);
            let (inner, close) = bracketed(self.tokens.get(..end)?, open)?;
            Some((parameters(inner), close + 1))
        };
        if matches!(self.name(at), Some("def" | "function" | "fn" | "func")) {
            let function = self.called_by(self.name(at + 1)?);
            let (parameters, body) = (self.symbol(at + 2) == Some('('))
                .then(|| named(at + 2))
                .flatten()?;
            return Some((function, parameters, body));
        }
        let function = self.name(at).filter(|_| self.symbol(at + 1) == Some('='))?;
        let start = at + 2 + usize::from(self.name(at + 2) == Some("async"));
        let is_arrow = |at: usize| self.symbol(at) == Some('=') && self.symbol(at + 1) == Some('>');
        match (self.name(start), self.symbol(start)) {
            (Some("lambda"), _) => {
                let listed = self.statement(start + 1);
                let body = start + 1 + listed.len();
                Some((function, parameters(listed), body))
            }
            (Some("function"), _) if self.symbol(start + 1) == Some('(') => {
                let (parameters, body) = named(start + 1)?;
                Some((function, parameters, body))
            }
            (Some(parameter), _) if is_arrow(start + 1) => {
                Some((function, vec![parameter], start + 3))
            }
            (None, Some('(')) => {
                let (parameters, body) = named(start)?;
                is_arrow(body).then_some((function, parameters, body + 2))
            }
            _ => None,
        }
    }

    /// Where the body that begins at `from` ends.
    fn body_end(&self, from: usize) -> usize {
        let ends = |at: &usize| match self.language {
            Language::Python => {
                self.symbol(*at) == Some(TOP_LEVEL) || self.name(*at) == Some("def")
            }
            _ => self.name(*at) == Some("def"),
        };
        let last = self.tokens.len().min(from + MAX_BODY);
        let tokens = self.tokens.get(..last).unwrap_or(&[]);
        match self.symbol(from) {
            Some('{') => bracketed(tokens, from).map_or(from, |(_, close)| close),
            _ if self.language == Language::JavaScript => from + self.statement(from).len(),
            _ => (from..last).find(ends).unwrap_or(last),
        }
    }

    pub(super) fn leave_scopes(&mut self, at: usize) {
        while let Some(scope) = self.scopes.pop_if(|scope| scope.end <= at) {
            for (parameter, before) in scope.outer {
                match before {
                    Some(before) => self.constants.insert(parameter, before),
                    None => self.constants.remove(parameter),
                }
            }
        }
    }

    /// A call of the program's own function: what is passed is what its parameters may be.
    pub(super) fn note_arguments(&mut self, at: usize) {
        let is_definition = matches!(
            self.name(at.wrapping_sub(1)),
            Some("def" | "function" | "fn" | "func")
        );
        let Some(function) = self.name(at).filter(|_| !is_definition) else {
            return;
        };
        let Some(parameters) = self.functions.get(function).cloned() else {
            return;
        };
        let call = bracketed(self.tokens, at + 1).filter(|_| self.symbol(at + 1) == Some('('));
        let Some((inner, _)) = call else {
            return;
        };
        for (index, argument) in arguments(inner).into_iter().map(trimmed).enumerate() {
            let by_name = match argument {
                [Token::Name(name), Token::Symbol('='), ..] => {
                    parameters.iter().find(|parameter| **parameter == name)
                }
                _ => None,
            };
            if let Some(parameter) = by_name.or(parameters.get(index)) {
                let passed = value(unnamed(argument), &self.constants);
                self.constants.pass(function, parameter, &passed);
            }
        }
    }
}

/// The names of a list of parameters, without types and defaults, and without the receiver.
fn parameters(listed: &[Token]) -> Vec<&str> {
    let first_name = |parameter: &&[Token]| {
        parameter
            .iter()
            .position(|token| matches!(token, Token::Name(_)))
    };
    arguments(listed)
        .into_iter()
        .filter_map(|parameter| match parameter.get(first_name(&parameter)?) {
            Some(Token::Name(name)) => Some(name.as_str()),
            _ => None,
        })
        .filter(|name| !matches!(*name, "self" | "cls"))
        .collect()
}
