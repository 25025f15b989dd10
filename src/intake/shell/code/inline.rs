//! Inline code, read call by call.

use std::collections::HashSet;

use super::super::scope::Shell;
use super::super::text::{self, UNKNOWN};
use super::calls::{CallKind, Receiver, kind};
use super::tokens::{Language, Token, tokens};
use super::values::{Constants, arguments, bracketed, is_write_mode, opening, unnamed, value};

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
) {
    read(shell, program, language, how, 0);
}

fn read(shell: &mut Shell<'_>, program: &str, language: Language, how: &'static str, depth: usize) {
    let tokens = tokens(program, language);
    let mut reader = Reader {
        tokens: &tokens,
        language,
        how,
        depth,
        constants: Constants::new(),
        followed: 0,
        paths: HashSet::new(),
    };
    // A name may be bound after its use, as in a comprehension.
    for at in 0..tokens.len() {
        reader.constant(at);
    }
    for at in 0..tokens.len() {
        reader.constant(at);
        reader.call(shell, at);
        if let Some(Token::Command(command)) = tokens.get(at) {
            shell.run_text_in_child(command);
        }
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
}

impl<'t> Reader<'t> {
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

    /// `x = …`, `for x in …`, `[…].forEach(x => …)`: what a name stands for from here on.
    fn constant(&mut self, at: usize) {
        if let Some(name) = self.name(at) {
            let is_assignment = self.symbol(at + 1) == Some('=')
                && self.symbol(at + 2) != Some('=')
                && self.symbol(at + 2) != Some('>');
            let is_loop =
                matches!(self.name(at + 1), Some("in" | "of")) && self.language != Language::Ruby;
            if (is_assignment || is_loop) && self.followed < MAX_CONSTANTS {
                self.followed += 1;
                let expression = self.statement(at + 2);
                let value = value(expression, &self.constants);
                self.constants.insert(name.to_owned(), value);
                if expression.iter().any(|token| matches!(token, Token::Name(n) if matches!(n.as_str(), "Path" | "Pathname" | "iterdir" | "rglob" | "glob"))) {
                    self.paths.insert(name);
                }
            }
        }
        let is_each = matches!(self.name(at), Some("forEach" | "each" | "map"));
        if is_each && self.symbol(at.wrapping_sub(1)) == Some('.') {
            let close = at.wrapping_sub(2);
            let Some(open) = opening(self.tokens, close) else {
                return;
            };
            let list = value(
                self.tokens.get(open..=close).unwrap_or(&[]),
                &self.constants,
            );
            let parameter = (at + 1..at + 5)
                .find_map(|next| self.name(next).filter(|n| *n != "do" && *n != "async"));
            if let Some(parameter) = parameter {
                self.constants.insert(parameter.to_owned(), list);
            }
        }
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
        // Elixir and Julia mark calls that raise or change: `File.rm!(…)`.
        let marked =
            usize::from(self.symbol(at + 1) == Some('!') && self.symbol(at + 2) == Some('('));
        let inner = match self.tokens.get(at + 1 + marked) {
            Some(Token::Symbol('(')) => match bracketed(self.tokens, at + 1 + marked) {
                Some((inner, _)) => inner,
                None => return,
            },
            // Ruby and Perl need no brackets.
            Some(Token::Text(_) | Token::Name(_) | Token::Symbol('<' | '['))
                if matches!(
                    self.language,
                    Language::Ruby | Language::Perl | Language::Lua
                ) =>
            {
                self.statement(at + 1)
            }
            _ => return,
        };
        let receiver = self.receiver(at);
        let Some(kind) = kind(name, receiver, self.language) else {
            return;
        };
        self.act(shell, kind, at, &arguments(inner));
    }

    fn receiver(&self, at: usize) -> Receiver<'t> {
        let is_member = matches!(self.symbol(at.wrapping_sub(1)), Some('.' | ':' | '>'));
        if !is_member {
            return Receiver::Nothing;
        }
        let mut before = at.wrapping_sub(2);
        while matches!(self.symbol(before), Some(':' | '-' | '?' | '.')) {
            before = before.wrapping_sub(1);
        }
        match self.tokens.get(before) {
            Some(Token::Name(name)) if self.paths.contains(name.as_str()) => Receiver::Path,
            Some(Token::Name(name)) => Receiver::Module(name),
            Some(Token::Symbol(')')) => {
                let callee =
                    opening(self.tokens, before).and_then(|open| self.name(open.wrapping_sub(1)));
                match callee {
                    Some("require" | "__import__" | "import_module") => Receiver::Import,
                    Some(
                        "Path" | "PurePath" | "PosixPath" | "Pathname" | "joinpath" | "with_name"
                        | "with_suffix",
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
                Some(Token::Name(_) | Token::Text(_) | Token::Symbol('.')) => start = before,
                _ => break,
            }
        }
        value(self.tokens.get(start..end).unwrap_or(&[]), &self.constants)
    }

    fn act(&mut self, shell: &mut Shell<'_>, kind: CallKind, at: usize, arguments: &[&[Token]]) {
        let text_of = |index: usize| {
            arguments
                .get(index)
                .map(|argument| value(unnamed(argument), &self.constants))
        };
        let how = self.how;
        match kind {
            CallKind::Write => write(shell, text_of(0), how),
            CallKind::Open => self.open(shell, arguments),
            CallKind::WriteReceiver => write(shell, Some(self.receiver_value(at)), how),
            CallKind::OpenReceiver => {
                if arguments.first().is_some_and(|mode| is_write_mode(mode)) {
                    write(shell, Some(self.receiver_value(at)), how);
                }
            }
            CallKind::Copy => copy(shell, text_of(0), text_of(1), how),
            CallKind::Move => {
                delete(shell, text_of(0), how);
                copy(shell, text_of(0), text_of(1), how);
            }
            CallKind::MoveReceiver => {
                let source = self.receiver_value(at);
                delete(shell, Some(source.clone()), how);
                copy(shell, Some(source), text_of(0), how);
            }
            CallKind::Delete => {
                for index in 0..arguments.len() {
                    delete(shell, text_of(index), how);
                }
            }
            CallKind::DeleteReceiver => delete(shell, Some(self.receiver_value(at)), how),
            CallKind::Attributes => {
                for path in (0..arguments.len())
                    .filter_map(text_of)
                    .chain([self.receiver_value(at)])
                {
                    if path.contains(['/', '.']) && text::is_known(&path) {
                        shell.attributes(&path, how);
                    }
                }
            }
            CallKind::Run => self.run_command(shell, arguments),
            CallKind::Evaluate => {
                if let Some(code) =
                    text_of(0).filter(|code| text::is_known(code) && self.depth < MAX_DEPTH)
                {
                    read(shell, &code, self.language, how, self.depth + 1);
                }
            }
        }
    }

    /// `open(file, mode)`; Perl's `open(handle, '>', file)` and `open(handle, '>file')`.
    fn open(&self, shell: &Shell<'_>, arguments: &[&[Token]]) {
        let texts: Vec<String> = arguments
            .iter()
            .map(|a| value(unnamed(a), &self.constants))
            .collect();
        if self.language == Language::Perl {
            let Some(mode) = texts.get(1) else {
                return;
            };
            let Some(after) = mode.trim().strip_prefix(['>', '+', '|']) else {
                return;
            };
            let attached = after.trim_start_matches(['>', '<']).trim();
            let attached = attached.split(':').next().unwrap_or("");
            let file = if attached.is_empty() {
                texts.get(2).cloned()
            } else {
                Some(attached.to_owned())
            };
            write(shell, file, self.how);
            return;
        }
        let named_mode = arguments.iter().any(|a| {
            matches!(a.first(), Some(Token::Name(name)) if name == "mode") && is_write_mode(a)
        });
        if named_mode || arguments.get(1).is_some_and(|mode| is_write_mode(mode)) {
            write(shell, texts.first().cloned(), self.how);
        }
    }

    fn run_command(&self, shell: &mut Shell<'_>, arguments: &[&[Token]]) {
        let Some((first, rest)) = arguments.split_first() else {
            return;
        };
        let first = unnamed(first);
        if let Some(Token::Symbol('[' | '(')) = first.first() {
            if let Some((inner, _)) = bracketed(first, 0) {
                let words = self.words(inner);
                shell.clone().run_words(words);
            }
            return;
        }
        let command = value(first, &self.constants);
        let mut words = vec![command.clone()];
        for argument in rest.iter().map(|argument| unnamed(argument)) {
            match argument.first() {
                Some(Token::Symbol('[')) => {
                    if let Some((inner, _)) = bracketed(argument, 0) {
                        words.extend(self.words(inner));
                    }
                }
                // `new Deno.Command("git", { args: […] })`.
                Some(Token::Symbol('{')) => {
                    if let Some(open) = argument
                        .iter()
                        .position(|token| *token == Token::Symbol('['))
                        && let Some((inner, _)) = bracketed(argument, open)
                    {
                        words.extend(self.words(inner));
                    }
                }
                Some(Token::Text(literal)) => words.push(literal.clone()),
                _ => {}
            }
        }
        if words.len() > 1 {
            shell.clone().run_words(words);
        } else if !command.starts_with(UNKNOWN) {
            shell.run_text_in_child(&command);
        }
    }

    fn words(&self, list: &[Token]) -> Vec<String> {
        arguments(list)
            .into_iter()
            .map(|item| value(item, &self.constants))
            .collect()
    }
}

fn write(shell: &Shell<'_>, path: Option<String>, how: &'static str) {
    if let Some(path) = path.filter(|path| !path.is_empty()) {
        shell.write(&path, how);
    }
}

fn delete(shell: &Shell<'_>, path: Option<String>, how: &'static str) {
    if let Some(path) = path.filter(|path| !path.is_empty()) {
        shell.delete(&path, how);
    }
}

fn copy(shell: &Shell<'_>, source: Option<String>, target: Option<String>, how: &'static str) {
    let (Some(source), Some(target)) = (source, target) else {
        return;
    };
    shell.write(&target, how);
    if shell
        .known_path(&target)
        .is_some_and(|path| shell.is_directory(&path))
    {
        shell.write(&format!("{target}/{}", text::base_name(&source)), how);
    }
}
