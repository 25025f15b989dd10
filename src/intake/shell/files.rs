//! What the command itself puts into files, for when it reads or runs them later on.

use std::path::{Path, PathBuf};

use super::effect::Content;
use super::paths::Place;
use super::scope::{Outcome, Shell};
use super::stream::Stream;
use super::text;

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

    /// Runs a script the command wrote, by the interpreter its first line names.
    pub(super) fn run_remembered(
        &mut self,
        name: &str,
        arguments: &[String],
    ) -> Option<Outcome<'c>> {
        if !name.contains('/') {
            return None;
        }
        let script = self.remembered(name)?.text();
        let first = script.lines().next().unwrap_or("");
        let mut words: Vec<String> = match first.strip_prefix("#!") {
            Some(interpreter) if text::is_known(interpreter) => interpreter
                .split_whitespace()
                .filter(|word| !word.starts_with('-'))
                .map(str::to_owned)
                .collect(),
            _ => vec!["sh".to_owned()],
        };
        words.push(name.to_owned());
        words.extend_from_slice(arguments);
        Some(self.clone().deeper(|shell| shell.run_words(words)))
    }
}
