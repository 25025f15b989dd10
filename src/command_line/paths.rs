//! From the words of a command to the files they name.

use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};

use super::limits;
use super::scope::Shell;
use super::text::{self, UNKNOWN};

/// Links followed before a path is taken as it is.
const MAX_LINKS: usize = 40;

/// What a word names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// This path: where the word leads, and how it is spelled if a link lies between.
    Known { path: PathBuf, spelled: PathBuf },
    /// A path of which a part is unknown; `_` stands for it.
    Partly(PathBuf),
    /// Nothing is known about where it leads.
    Unknown,
    /// No file: a device, a descriptor, or nothing at all.
    Nowhere,
}

impl Shell<'_> {
    /// The place a word names, seen from the present directory.
    pub(super) fn place(&self, word: &str, follow_last: bool) -> Place {
        let word = &word.replace(text::DISGUISED, "");
        if word.is_empty() || word.len() > limits::MAX_PATH {
            return Place::Nowhere;
        }
        if word.starts_with(UNKNOWN) || (!word.starts_with('/') && self.cwd.starts_with(UNKNOWN)) {
            return Place::Unknown;
        }
        let absolute = self.absolute(word);
        if !text::is_known(&absolute) {
            let guess = absolute.replace(UNKNOWN, "_");
            return Place::Partly(self.resolve(&guess, true));
        }
        let spelled = lexical(&absolute);
        let path = self.resolve(&absolute, follow_last);
        if is_device(&path) {
            return Place::Nowhere;
        }
        Place::Known { path, spelled }
    }

    /// The path of a word, if it is fully known.
    pub(super) fn known_path(&self, word: &str) -> Option<PathBuf> {
        match self.place(word, true) {
            Place::Known { path, .. } => Some(path),
            Place::Partly(_) | Place::Unknown | Place::Nowhere => None,
        }
    }

    pub(super) fn absolute(&self, word: &str) -> String {
        if word.starts_with('/') {
            word.to_owned()
        } else {
            format!("{}/{word}", self.cwd)
        }
    }

    /// Whether a path lies in the worktree.
    pub(super) fn is_inside(&self, path: &Path) -> bool {
        path.starts_with(self.context().repo_root)
    }

    /// The path with dots and links resolved the way the system does it.
    pub(super) fn resolve(&self, absolute: &str, follow_last: bool) -> PathBuf {
        let root = self.context().repo_root;
        let mut resolved;
        let mut todo: VecDeque<String> = VecDeque::new();
        match Path::new(absolute).strip_prefix(root) {
            // The root itself holds no link, so the walk may begin there.
            Ok(below) => {
                resolved = root.to_path_buf();
                enqueue(&mut todo, below);
            }
            Err(_) => {
                resolved = PathBuf::from("/");
                enqueue(&mut todo, Path::new(absolute));
            }
        }
        let mut links = 0;
        while let Some(name) = todo.pop_front() {
            if name == ".." {
                resolved.pop();
                continue;
            }
            let name = if is_git_directory_alias(&name) {
                ".git".to_owned()
            } else {
                name
            };
            resolved.push(&name);
            if todo.is_empty() && !follow_last {
                break;
            }
            let Some(target) = self.link_target(&resolved).filter(|_| links < MAX_LINKS) else {
                continue;
            };
            links += 1;
            resolved.pop();
            if target.is_absolute() {
                resolved = PathBuf::from("/");
            }
            let mut rest = std::mem::take(&mut todo);
            enqueue(&mut todo, &target);
            todo.append(&mut rest);
        }
        resolved
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        if let Ok(below) = path.strip_prefix("/proc") {
            return self.process_link(below);
        }
        if path == Path::new("/dev/fd") {
            return Some(PathBuf::from("/proc/self/fd"));
        }
        if let Some(target) = self.session.links.borrow().get(path) {
            return Some(target.clone());
        }
        (self.context().resolve_link)(path)
    }

    /// `/proc/self/cwd` and `/proc/<pid>/root`, which lead to where the command runs.
    fn process_link(&self, below_proc: &Path) -> Option<PathBuf> {
        if below_proc.iter().count() < 2 {
            return None;
        }
        let name = below_proc.file_name()?.to_str()?;
        match name {
            "cwd" => Some(PathBuf::from(&self.cwd)),
            "root" => Some(PathBuf::from("/")),
            _ if below_proc.parent()?.ends_with("fd") => {
                let links = self.session.links.borrow();
                links.get(&descriptor_path(name)).cloned()
            }
            _ => None,
        }
    }
}

/// Where an open file can be found again by its descriptor.
pub(super) fn descriptor_path(number: &str) -> PathBuf {
    Path::new("/proc/self/fd").join(number)
}

fn enqueue(todo: &mut VecDeque<String>, path: &Path) {
    for component in path.components() {
        match component {
            Component::Normal(name) => todo.push_back(name.to_string_lossy().into_owned()),
            Component::ParentDir => todo.push_back("..".to_owned()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
}

/// The path with its dots resolved as text.
pub(super) fn lexical(absolute: &str) -> PathBuf {
    let mut path = PathBuf::from("/");
    for component in Path::new(absolute).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => {
                path.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    path
}

fn is_device(path: &Path) -> bool {
    let mut names = path.iter().skip(1).map(|name| name.to_str());
    match names.next() {
        Some(Some("dev")) => names.next() != Some(Some("shm")),
        Some(Some("proc")) => names.nth(1) == Some(Some("fd")),
        _ => false,
    }
}

/// Whether some file system takes this name for `.git`: HFS+ skips invisible code points and folds
/// case, NTFS knows short names, streams, and forgets trailing dots and blanks.
fn is_git_directory_alias(name: &str) -> bool {
    if name == ".git" || name.len() < 4 {
        return false;
    }
    let visible: String = name.chars().filter(|c| !is_ignored_by_hfs(*c)).collect();
    let lower = visible.to_lowercase();
    let without_stream = lower.split(':').next().unwrap_or("");
    let trimmed = without_stream.trim_end_matches(['.', ' ']);
    trimmed == ".git" || trimmed == "git~1"
}

fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_the_git_directory() {
        for name in [
            ".GIT",
            ".g\u{200c}it",
            "git~1",
            "GIT~1",
            ".git ",
            ".git...",
            ".git::$INDEX_ALLOCATION",
        ] {
            assert!(is_git_directory_alias(name), "{name}");
        }
        for name in [".git", ".github", ".gitignore", "git", "digit", ".git2"] {
            assert!(!is_git_directory_alias(name), "{name}");
        }
    }

    #[test]
    fn lexical_paths() {
        assert_eq!(lexical("/a/./b//../c/"), PathBuf::from("/a/c"));
        assert_eq!(lexical("/../a"), PathBuf::from("/a"));
    }
}
