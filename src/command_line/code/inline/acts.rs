//! What a call does to files, or runs.

use super::super::super::scope::Shell;
use super::super::super::text::{self, UNKNOWN};
use super::super::brackets::{arguments, bracketed, unnamed};
use super::super::calls::CallKind;
use super::super::tokens::Token;
use super::super::values::{is_write_mode, is_write_text, value};
use super::{MAX_DEPTH, Reader, read};

impl<'t> Reader<'t> {
    pub(super) fn act(
        &mut self,
        shell: &mut Shell<'_>,
        kind: CallKind,
        at: usize,
        arguments: &[&[Token]],
    ) {
        let text_of = |index: usize| {
            arguments
                .get(index)
                .map(|argument| value(unnamed(argument), &self.constants))
        };
        let how = self.how;
        match kind {
            CallKind::Write => {
                write(shell, text_of(0), how);
                remember(shell, text_of(0), text_of(1));
            }
            CallKind::Open => {
                self.open(shell, arguments);
                remember(shell, text_of(0), self.written_at_once(at));
            }
            CallKind::WriteReceiver => {
                write(shell, Some(self.receiver_value(at)), how);
                remember(shell, Some(self.receiver_value(at)), text_of(0));
            }
            CallKind::OpenReceiver => {
                if arguments.first().is_some_and(|mode| self.lets_write(mode)) {
                    write(shell, Some(self.receiver_value(at)), how);
                }
            }
            CallKind::WriteInPlace => {
                let in_place = |argument: &&[Token]| matches!(argument.first(), Some(Token::Name(name)) if name == "inplace");
                if arguments.iter().any(in_place) {
                    write(shell, text_of(0), how);
                }
            }
            CallKind::WriteInto => write_into(shell, text_of(0), how),
            CallKind::CopyTree => {
                copy(shell, text_of(0), text_of(1), how);
                write_into(shell, text_of(1), how);
            }
            CallKind::ChangeDirectory => self.change_directory(shell, text_of(0)),
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
            CallKind::Run => self.run_command(shell, arguments, true),
            CallKind::MayRun => self.run_command(shell, arguments, false),
            CallKind::RunAfterMode => {
                self.run_command(shell, arguments.get(1..).unwrap_or(&[]), true);
            }
            CallKind::Evaluate => {
                if let Some(code) =
                    text_of(0).filter(|code| text::is_known(code) && self.depth < MAX_DEPTH)
                {
                    let depth = self.depth + 1;
                    read(shell, &code, self.language, how, &self.constants, depth);
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
        let named_mode = arguments.iter().any(|a| {
            matches!(a.first(), Some(Token::Name(name)) if name == "mode") && self.lets_write(a)
        });
        if named_mode || arguments.get(1).is_some_and(|mode| self.lets_write(mode)) {
            write(shell, texts.first().cloned(), self.how);
        }
    }

    /// What `open(…).write(text)` writes, with the call of `open` here.
    fn written_at_once(&self, at: usize) -> Option<String> {
        let (_, close) = bracketed(self.tokens, at + 1)?;
        let is_written = self.symbol(close + 1) == Some('.')
            && matches!(self.name(close + 2), Some("write" | "puts" | "print"));
        let (inner, _) = bracketed(self.tokens, close + 3).filter(|_| is_written)?;
        Some(value(inner, &self.constants))
    }

    /// Whether a mode, spelled out or under a name, lets the file be written.
    fn lets_write(&self, mode: &[Token]) -> bool {
        let named = match unnamed(mode) {
            [Token::Name(name)] => self.constants.get(name),
            _ => None,
        };
        is_write_mode(mode) || named.is_some_and(|modes| modes.split('\n').any(is_write_text))
    }

    fn change_directory(&mut self, shell: &mut Shell<'_>, directory: Option<String>) {
        let Some(directory) = directory.filter(|directory| !directory.is_empty()) else {
            return;
        };
        shell.cwd = match directory.starts_with(UNKNOWN) {
            true => directory,
            false => shell.absolute(&directory),
        };
        self.constants.enter(&shell.cwd);
    }

    /// Runs what a call runs: text, or a list of words that may have a name. Text that is not
    /// surely for a shell is left alone if it does not read like it.
    fn run_command(&self, shell: &mut Shell<'_>, arguments: &[&[Token]], is_process: bool) {
        let Some((first, rest)) = arguments.split_first() else {
            return;
        };
        let first = unnamed(first);
        let spelled = match first {
            [Token::Name(name)] => self.spelled.get(name.as_str()).cloned().unwrap_or_default(),
            _ => vec![first],
        };
        let is_list = |one: &&&[Token]| matches!(one.first(), Some(Token::Symbol('[' | '(')));
        let lists: Vec<&[Token]> = spelled.iter().filter(is_list).copied().collect();
        for list in &lists {
            if let Some((inner, _)) = bracketed(list, 0) {
                let words = self.words(inner);
                shell.clone().run_words(words);
            }
        }
        if !lists.is_empty() {
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
            match is_process {
                true => shell.run_text_in_child(&command),
                false => shell.run_if_shell(&command),
            };
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

/// Keeps in mind what a program writes, for when the command runs it later on.
fn remember(shell: &Shell<'_>, path: Option<String>, written: Option<String>) {
    if let (Some(path), Some(written)) = (path, written)
        && text::is_known(&path)
        && text::is_known(&written)
        && !path.contains('\n')
    {
        shell.remember_text(&path, written);
    }
}

fn write_into(shell: &Shell<'_>, directory: Option<String>, how: &'static str) {
    if let Some(directory) = directory.filter(|directory| !directory.is_empty()) {
        shell.write_into(&directory, how);
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
