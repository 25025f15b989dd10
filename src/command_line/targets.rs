//! Turning words into effects on files.

use std::path::{Path, PathBuf};

use super::effect::{Content, ShellEffect};
use super::paths::Place;
use super::scope::Shell;
use super::text::UNKNOWN;
use crate::runners::RUNNERS;

/// Files named one by one when a whole directory goes; beyond that the directory stands for them.
const MAX_TREE: usize = 400;

/// Directories of things that are made again at will, next to [`CACHES`]: what is in them is nobody's work.
const REGENERATED: [&str; 8] = [
    "target", ".venv", "venv", ".tox", ".nox", ".next", "dist", "build",
];

/// Directories that only ever hold caches, wherever they are: removing them removes nothing.
const CACHES: [&str; 5] = [
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    "node_modules",
];

fn is_cache(name: &str) -> bool {
    CACHES.contains(&name) || RUNNERS.iter().any(|runner| runner.caches.contains(&name))
}

impl Shell<'_> {
    /// The command writes to the file a word names.
    pub(super) fn write(&self, word: &str, how: &'static str) {
        self.write_content(word, how, None);
    }

    pub(super) fn write_content(&self, word: &str, how: &'static str, content: Option<Content>) {
        for line in candidates(word) {
            let place = self.place(line, true);
            if let Some(content) = &content {
                self.remember_content(&place, content);
            }
            self.write_place(place, how, content.clone());
        }
    }

    pub(super) fn write_place(&self, place: Place, how: &'static str, content: Option<Content>) {
        match place {
            Place::Known { path, spelled } => {
                if spelled != path {
                    let content = content.clone();
                    self.emit(ShellEffect::Write {
                        path: spelled,
                        how,
                        content,
                    });
                }
                self.emit(ShellEffect::Write { path, how, content });
            }
            other => self.emit_unknown(other, how),
        }
    }

    /// The command puts something new in place of what a word names, as `mv` and `ln -f` do.
    pub(super) fn replace(&self, word: &str, how: &'static str, content: Option<Content>) {
        for line in candidates(word) {
            self.write_place(self.place(line, false), how, content.clone());
        }
    }

    /// Something is written into a directory under a name that is not in the command.
    pub(super) fn write_into(&self, directory: &str, how: &'static str) {
        for line in candidates(directory) {
            let inside = format!("{}/{UNKNOWN}", line.trim_end_matches('/'));
            match self.place(&inside, true) {
                Place::Nowhere => {}
                place => self.emit_unknown(place, how),
            }
        }
    }

    /// The command removes what a word names, and everything below it.
    pub(super) fn delete(&self, word: &str, how: &'static str) {
        for line in candidates(word) {
            match self.place(line, false) {
                Place::Known { path, .. } => self.delete_path(&path, how),
                other => self.emit_unknown(other, how),
            }
        }
    }

    fn delete_path(&self, path: &Path, how: &'static str) {
        let root = self.context().repo_root;
        // Elsewhere `bin` holds programs.
        let below = path.strip_prefix(root).unwrap_or(Path::new(""));
        if below.iter().any(|name| name.to_str().is_some_and(is_cache)) {
            return;
        }
        let top = if root.starts_with(path) { root } else { path };
        self.emit(ShellEffect::Delete {
            path: path.to_path_buf(),
            how,
        });
        if !self.is_inside(top) {
            return;
        }
        match self.files_below(top) {
            Some(files) => {
                for path in files {
                    self.emit(ShellEffect::Delete { path, how });
                }
            }
            None => self.emit(ShellEffect::UnknownTarget {
                likely: Some(top.join("_")),
                how,
            }),
        }
    }

    /// The files below a directory that somebody wrote, or nothing if they are too many to name.
    pub(super) fn files_below(&self, top: &Path) -> Option<Vec<PathBuf>> {
        let mut files = Vec::new();
        let mut todo = vec![top.to_path_buf()];
        while let Some(directory) = todo.pop() {
            if is_regenerated(&directory) || !(self.context().is_dir)(&directory) {
                continue;
            }
            for name in (self.context().list)(&directory) {
                let path = directory.join(&name);
                if files.len() >= MAX_TREE || !self.session.may_look() {
                    return None;
                }
                if is_regenerated(&path) {
                    continue;
                }
                let descend = name != ".git"
                    && (self.context().is_dir)(&path)
                    && (self.context().resolve_link)(&path).is_none();
                if descend {
                    todo.push(path.clone());
                }
                files.push(path);
            }
        }
        Some(files)
    }

    /// Mode, owner or flags change.
    pub(super) fn attributes(&self, word: &str, how: &'static str) {
        for line in candidates(word) {
            match self.place(line, true) {
                Place::Known { path, .. } => {
                    for below in self.files_below(&path).unwrap_or_default() {
                        self.emit(ShellEffect::Attributes { path: below, how });
                    }
                    self.emit(ShellEffect::Attributes { path, how });
                }
                Place::Partly(path) => self.emit(ShellEffect::Attributes { path, how }),
                // Something changes, so whoever hands over the names has to look them up.
                other => self.emit_unknown(other, how),
            }
        }
    }

    pub(super) fn make_directory(&self, word: &str) {
        if let Some(path) = self.known_path(word) {
            for ancestor in path.ancestors() {
                self.session
                    .made
                    .borrow_mut()
                    .insert(ancestor.to_path_buf());
            }
            self.emit(ShellEffect::MakeDirectory { path });
        }
    }

    /// What is at `source` is found at `place` from now on, in a world of its own.
    pub(super) fn mount(&self, source: &str, place: &str) {
        if let Some(source) = self.known_path(source)
            && place.starts_with('/')
        {
            let place = PathBuf::from(place.trim_end_matches('/'));
            self.session.links.borrow_mut().insert(place, source);
        }
    }

    /// A link comes to be: the name is written, and leads elsewhere from now on.
    pub(super) fn link(&self, target: &str, name: &str, symbolic: bool, how: &'static str) {
        self.replace(name, how, None);
        let Place::Known { path, .. } = self.place(name, false) else {
            return;
        };
        let leads_to = match symbolic {
            true => Some(PathBuf::from(target)),
            false => self.known_path(target),
        };
        if let Some(leads_to) = leads_to {
            self.session.links.borrow_mut().insert(path, leads_to);
        }
    }

    /// Something is written, and where is not in the command.
    pub(super) fn write_somewhere(&self, how: &'static str) {
        self.emit(ShellEffect::UnknownTarget { likely: None, how });
    }

    fn emit_unknown(&self, place: Place, how: &'static str) {
        let likely = match place {
            Place::Known { path, .. } | Place::Partly(path) => Some(path),
            Place::Unknown => None,
            Place::Nowhere => return,
        };
        self.emit(ShellEffect::UnknownTarget { likely, how });
    }
}

/// A word that may be any of several lines names each of them.
fn candidates(word: &str) -> impl Iterator<Item = &str> {
    word.split('\n').filter(|line| !line.is_empty())
}

fn is_regenerated(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| REGENERATED.contains(&name) || is_cache(name))
}
