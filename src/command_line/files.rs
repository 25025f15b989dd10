//! What the command itself puts into files, for when it reads or runs them later on.

use std::path::{Path, PathBuf};

use super::effect::Content;
use super::paths::Place;
use super::programs;
use super::scope::{Outcome, Shell};
use super::stream::Stream;
use super::text;
use crate::rules::start_up::names_word;

/// Files whose content is kept in mind.
const MAX_FILES: usize = 200;

impl<'c> Shell<'c> {
    /// Keeps in mind what is written to a place.
    pub(super) fn remember(&self, place: &Place, written: Stream<'c>, appends: bool) {
        let Place::Known { path, .. } = place else {
            return;
        };
        let mut files = self.session.files.borrow_mut();
        if files.len() >= MAX_FILES && !files.contains_key(path) {
            return;
        }
        let before = files.remove(path).filter(|_| appends);
        let whole = before.unwrap_or_else(Stream::empty).then(written);
        files.insert(path.clone(), whole);
    }

    /// Keeps in mind what a program writes, where the command says what that is.
    pub(super) fn remember_content(&self, place: &Place, content: &Content) {
        let (written, appends) = match content {
            Content::Whole(text) => (text, false),
            Content::Appended(text) => (text, true),
        };
        self.remember(place, Stream::Text(written.clone()), appends);
    }

    /// Keeps in mind that a file holds this text.
    pub(super) fn remember_text(&self, name: &str, written: String) {
        self.remember(&self.place(name, true), Stream::Text(written), false);
    }

    /// The texts of the files that the command wrote and a text speaks of by their names.
    pub(super) fn written_in(&self, text: &str) -> Vec<String> {
        let files = self.session.files.borrow();
        let is_named = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| text.contains(name))
        };
        let named = files.iter().filter(|(path, _)| is_named(path));
        named.map(|(_, written)| written.text()).collect()
    }

    /// The files with one of these endings that the command wrote and a program speaks of by the
    /// name they are imported by.
    pub(super) fn written_and_named(&self, program: &str, endings: &[&str]) -> Vec<String> {
        let files = self.session.files.borrow();
        let is_named = |path: &Path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| endings.contains(&ending))
                && stem.is_some_and(|stem| names_word(program, stem))
        };
        let named = files.iter().filter(|(path, _)| is_named(path));
        let texts = named.map(|(_, written)| written.text());
        texts.filter(|written| written != program).collect()
    }

    /// Keeps in mind that one file is now what another is.
    pub(super) fn remember_copy(&self, source: &str, target: &str) {
        let (Some(source), Some(target)) = (self.known_path(source), self.known_path(target))
        else {
            return;
        };
        let content = self.session.files.borrow().get(&source).cloned();
        if let Some(content) = content {
            self.session.files.borrow_mut().insert(target, content);
        } else if !self.is_directory(&target) {
            self.session.copies.borrow_mut().insert(target, source);
        }
    }

    /// The text behind a name, where the command spells it out: its standard input, a process
    /// substitution, or a file that it wrote.
    pub(super) fn stream_of(&self, name: &str) -> Option<Stream<'c>> {
        match name {
            "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-" => Some(self.input()),
            _ => {
                let piped = self.session.pipes.borrow().get(name).cloned();
                piped.or_else(|| self.remembered(name))
            }
        }
    }

    /// What the command put into the file a word names.
    fn remembered(&self, word: &str) -> Option<Stream<'c>> {
        if self.session.files.borrow().is_empty() {
            return None;
        }
        let path = self.known_path(word)?;
        self.session.files.borrow().get(&path).cloned()
    }

    /// The program behind a path: where a link leads, or what was copied there.
    pub(super) fn program_at(&self, name: &str) -> Option<PathBuf> {
        if !name.contains('/') {
            return None;
        }
        let path = self.known_path(name)?;
        let copied = self.session.copies.borrow().get(&path).cloned();
        copied.or_else(|| (path != Path::new(name)).then_some(path))
    }

    /// The path of a script the command wrote: as it is called, or found where the command itself
    /// has programs looked for.
    fn written_program(&self, name: &str) -> Option<String> {
        if self.session.files.borrow().is_empty() {
            return None;
        }
        if name.contains('/') {
            return Some(name.to_owned());
        }
        self.variables.get("PATH")?;
        let folders = self.variable("PATH")?;
        let paths = folders.split(':').map(|folder| format!("{folder}/{name}"));
        let mut written = paths.filter(|path| self.remembered(path).is_some());
        written.next()
    }

    /// Runs a script the command wrote, by the interpreter its first line names.
    pub(super) fn run_remembered(
        &mut self,
        name: &str,
        arguments: &[String],
    ) -> Option<Outcome<'c>> {
        let found = self.written_program(name)?;
        let name = found.as_str();
        let script = self.remembered(name)?.text();
        let first = script.lines().next().unwrap_or("");
        let mut words: Vec<String> = match first.strip_prefix("#!") {
            // `uv run --script` would only be asked to run the script again.
            Some(interpreter) if interpreter.contains("uv run") => vec!["python3".to_owned()],
            Some(interpreter) if text::is_known(interpreter) => interpreter
                .split_whitespace()
                .filter(|word| !word.starts_with('-'))
                .map(str::to_owned)
                .collect(),
            _ => vec![programs::interpreter_of(name).to_owned()],
        };
        words.push(name.to_owned());
        words.extend_from_slice(arguments);
        Some(self.clone().deeper(|shell| shell.run_words(words)))
    }
}
