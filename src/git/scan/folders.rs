//! The folders of the worktree that hold tracked files, as the index has them.

use std::collections::HashMap;

use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Mode;

/// The tracked content of one folder.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) entries: Vec<usize>,
    pub(super) folders: Vec<usize>,
    pub(super) path: BString,
}

/// The folders that hold tracked files, the root first.
#[derive(Debug)]
pub(in crate::git) struct Folders(Vec<Folder>);

impl Folders {
    pub(in crate::git) fn of(index: &gix::index::State) -> Folders {
        Folders(folders_of(index))
    }

    pub(super) fn all(&self) -> &[Folder] {
        &self.0
    }
}

fn folders_of(index: &gix::index::State) -> Vec<Folder> {
    let mut folders = vec![Folder::default()];
    let mut by_path: HashMap<&[u8], usize> = HashMap::from([(&b""[..], 0)]);
    let mut last: (&[u8], usize) = (b"", 0);
    let backing = index.path_backing();
    for (position, entry) in index.entries().iter().enumerate() {
        let path: &[u8] = entry.path_in(backing);
        if entry.mode == Mode::DIR {
            // A folder outside a sparse checkout: nothing of it is in the worktree.
            continue;
        }
        let parent = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
        if parent != last.0 {
            last = (parent, folder_at(parent, &mut folders, &mut by_path));
        }
        folders[last.1].entries.push(position);
    }
    folders
}

fn folder_at<'a>(
    path: &'a [u8],
    folders: &mut Vec<Folder>,
    by_path: &mut HashMap<&'a [u8], usize>,
) -> usize {
    if let Some(known) = by_path.get(path) {
        return *known;
    }
    let parent_path = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
    let parent = folder_at(parent_path, folders, by_path);
    let position = folders.len();
    folders.push(Folder {
        path: path.into(),
        ..Folder::default()
    });
    folders[parent].folders.push(position);
    by_path.insert(path, position);
    position
}
