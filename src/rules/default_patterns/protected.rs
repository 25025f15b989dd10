//! Git's, the hooks', the clients' and our own files.

use super::{Name, among};
use crate::clients;

/// Folders at the root that hold git hooks.
const HOOK_FOLDERS: &[&str] = &[".githooks", ".husky"];

/// Whether a component is git's own directory on any file system that may hold the worktree.
pub(in crate::rules) fn is_git_dir(component: &[u8]) -> bool {
    let visible = without_ignorable(component);
    let spelling = as_windows_opens(&visible).to_ascii_lowercase();
    spelling == b".git" || spelling == b"git~1"
}

/// What Windows takes for the name: no stream suffix, no trailing dots or spaces.
fn as_windows_opens(name: &[u8]) -> &[u8] {
    let name = name.split(|byte| *byte == b':').next().unwrap_or(name);
    let end = name
        .iter()
        .rposition(|byte| *byte != b'.' && *byte != b' ')
        .map_or(0, |at| at + 1);
    name.get(..end).unwrap_or(name)
}

/// Drops the code points that HFS+ ignores in names.
fn without_ignorable(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(text) => text
            .chars()
            .filter(|c| {
                !matches!(*c,
                    '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                    | '\u{206a}'..='\u{206f}' | '\u{feff}')
            })
            .collect::<String>()
            .into_bytes(),
        Err(_) => name.to_vec(),
    }
}

/// `.tcr.toml` at the root.
pub(in crate::rules) fn is_own_config(name: &Name) -> bool {
    match name.components.as_slice() {
        [only] => as_windows_opens(only) == b".tcr.toml",
        [] | [_, ..] => false,
    }
}

/// A folder with git hooks at the root, and what is in it.
pub(in crate::rules) fn is_hook_folder(name: &Name) -> bool {
    name.components
        .first()
        .is_some_and(|first| among(as_windows_opens(first), HOOK_FOLDERS))
}

/// A file that configures an agent, or a folder that holds one.
pub(in crate::rules) fn is_client_file(name: &Name) -> bool {
    let path = name.joined();
    clients::protected_files().any(|entry| covers(entry.as_bytes(), &path))
}

/// Whether `entry` is the path, a folder above it, or lies below it.
pub(in crate::rules) fn covers(entry: &[u8], path: &[u8]) -> bool {
    let folder = entry.strip_suffix(b"/");
    let entry = folder.unwrap_or(entry);
    path == entry || is_below(entry, path) || (folder.is_some() && is_below(path, entry))
}

fn is_below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.first() == Some(&b'/'))
}
