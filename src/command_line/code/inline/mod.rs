//! Inline code, read call by call.

mod acts;
mod bindings;
mod functions;

use std::collections::{HashMap, HashSet};

use super::super::limits;
use super::super::scope::Shell;
use super::brackets::{arguments, bracketed, opening};
use super::calls::{Receiver, kind};
use super::constants::Constants;
use super::tokens::{Language, Token, tokens};
use super::values::value;
use functions::Scope;

/// How deep code may run code.
const MAX_DEPTH: usize = 3;
/// Tokens of one statement that are looked at.
const MAX_STATEMENT: usize = 300;
/// Assignments that are followed.
const MAX_CONSTANTS: usize = 2_000;

/// Reports what a program does to files it names, and runs the commands it runs.
pub(in super::super) fn run(
    shell: &mut Shell<'_>,
    program: &str,
    language: Language,
    how: &'static str,
    arguments: &[String],
) {
    let surroundings = Constants::around(shell, language, arguments);
    // A program that changes its directory changes that of nobody else.
    read(&mut shell.clone(), program, language, how, &surroundings, 0);
}

fn read(
    shell: &mut Shell<'_>,
    program: &str,
    language: Language,
    how: &'static str,
    surroundings: &Constants,
    depth: usize,
) {
    let tokens = tokens(program, language, surroundings);
    let symbols = tokens.iter().filter_map(|token| match token {
        Token::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    if let Err(why) = limits::check_program(symbols) {
        shell.session.give_up(why);
        return;
    }
    // The first look finds what names stand for, the second puts it into strings that hold them.
    let mut first = Reader::new(&tokens, language, how, surroundings, depth);
    for at in 0..tokens.len() {
        first.constant(at);
    }
    let constants = first.constants;
    let tokens = self::tokens(program, language, &constants);
    let mut reader = Reader::new(&tokens, language, how, &constants, depth);
    // A name may be bound after its use, as in a comprehension.
    for at in 0..tokens.len() {
        reader.constant(at);
    }
    for at in 0..tokens.len() {
        if shell.session.gave_up() {
            return;
        }
        reader.constant(at);
        reader.call(shell, at);
        reader.call_by_text(shell, at);
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    language: Language,
    how: &'static str,
    depth: usize,
    constants: Constants,
    followed: usize,
    /// Variables that hold path objects.
    paths: HashSet<&'t str>,
    /// What is called by another name here: `import os as o`, `{writeFileSync: w}`.
    renamed: HashMap<&'t str, &'t str>,
    /// The expressions a name may stand for.
    spelled: HashMap<&'t str, Vec<&'t [Token]>>,
    /// The program's own functions, with their parameters.
    functions: HashMap<&'t str, Vec<&'t str>>,
    /// The class whose methods are being read.
    class: Option<&'t str>,
    /// The functions whose bodies are being read.
    scopes: Vec<Scope<'t>>,
}

impl<'t> Reader<'t> {
    fn new(
        tokens: &'t [Token],
        language: Language,
        how: &'static str,
        constants: &Constants,
        depth: usize,
    ) -> Self {
        Reader {
            tokens,
            language,
            how,
            depth,
            constants: constants.clone(),
            followed: 0,
            paths: HashSet::new(),
            renamed: HashMap::new(),
            spelled: HashMap::new(),
            functions: HashMap::new(),
            class: None,
            scopes: Vec::new(),
        }
    }

    fn symbol(&self, at: usize) -> Option<char> {
        match self.tokens.get(at) {
            Some(Token::Symbol(c)) => Some(*c),
            _ => None,
        }
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        match self.tokens.get(at) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// What a name is called where it was defined.
    fn original(&self, name: &'t str) -> &'t str {
        self.renamed.get(name).copied().unwrap_or(name)
    }

    /// The tokens up to the end of the statement.
    fn statement(&self, from: usize) -> &'t [Token] {
        let mut depth = 0usize;
        let mut end = self.tokens.len().min(from.saturating_add(MAX_STATEMENT));
        for (at, token) in self
            .tokens
            .iter()
            .enumerate()
            .skip(from)
            .take(MAX_STATEMENT)
        {
            match token {
                Token::Symbol('(' | '[' | '{') => depth += 1,
                Token::Symbol(')' | ']' | '}') if depth == 0 => {
                    end = at;
                    break;
                }
                Token::Symbol(')' | ']' | '}') => depth -= 1,
                Token::Symbol(';' | '\n') if depth == 0 => {
                    end = at;
                    break;
                }
                Token::Symbol(':') if depth == 0 && self.language == Language::Python => {
                    end = at;
                    break;
                }
                Token::Name(name)
                    if depth == 0
                        && matches!(name.as_str(), "or" | "and" | "if" | "unless" | "do") =>
                {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        self.tokens.get(from..end).unwrap_or(&[])
    }

    fn call(&mut self, shell: &mut Shell<'_>, at: usize) {
        let Some(name) = self.name(at) else {
            return;
        };
        if self.symbol(at + 1) != Some('(') {
            return;
        }
        let Some((inner, _)) = bracketed(self.tokens, at + 1) else {
            return;
        };
        let receiver = self.receiver(at);
        let Some(kind) = kind(self.original(name), receiver, self.language) else {
            return;
        };
        self.act(shell, kind, at, &arguments(inner));
    }

    /// A call whose function is named by a string: `getattr(os, 'remove')(…)`, `fs['rmSync'](…)`.
    fn call_by_text(&mut self, shell: &mut Shell<'_>, at: usize) {
        let Some(Token::Text(name)) = self.tokens.get(at) else {
            return;
        };
        let called = match (self.symbol(at + 1), self.symbol(at + 2)) {
            (Some(')' | ']'), Some('(')) => bracketed(self.tokens, at + 2),
            _ => None,
        };
        let Some((inner, _)) = called else {
            return;
        };
        if let Some(kind) = kind(name, Receiver::Import, self.language) {
            self.act(shell, kind, at, &arguments(inner));
        }
    }

    fn receiver(&self, at: usize) -> Receiver<'t> {
        if self.symbol(at.wrapping_sub(1)) != Some('.') {
            return Receiver::Nothing;
        }
        let mut before = at.wrapping_sub(2);
        while matches!(self.symbol(before), Some('?' | '.')) {
            before = before.wrapping_sub(1);
        }
        match self.tokens.get(before) {
            Some(Token::Name(name)) if self.paths.contains(name.as_str()) => Receiver::Path,
            Some(Token::Name(name)) => Receiver::Module(self.original(name)),
            Some(Token::Symbol(')')) => {
                let callee =
                    opening(self.tokens, before).and_then(|open| self.name(open.wrapping_sub(1)));
                match callee {
                    Some("require" | "__import__" | "import_module") => Receiver::Import,
                    Some(
                        "Path" | "PurePath" | "PosixPath" | "Pathname" | "joinpath" | "with_name"
                        | "with_suffix" | "File",
                    )
                    | None => Receiver::Path,
                    Some(_) => Receiver::Value,
                }
            }
            _ => Receiver::Value,
        }
    }

    /// The value a method is called on.
    fn receiver_value(&self, at: usize) -> String {
        let end = at.wrapping_sub(1);
        let mut start = end;
        loop {
            let before = start.wrapping_sub(1);
            match self.tokens.get(before) {
                Some(Token::Symbol(')' | ']')) => match opening(self.tokens, before) {
                    Some(open) => start = open,
                    None => break,
                },
                Some(Token::Symbol('.')) => start = before,
                // `with Path(…)`: two words side by side are two things.
                Some(Token::Name(_) | Token::Text(_))
                    if !matches!(
                        self.tokens.get(start),
                        Some(Token::Name(_) | Token::Text(_))
                    ) || start == end =>
                {
                    start = before;
                }
                _ => break,
            }
        }
        value(self.tokens.get(start..end).unwrap_or(&[]), &self.constants)
    }
}
