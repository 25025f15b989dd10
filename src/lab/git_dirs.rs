//! Where git's own folders of a worktree are.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Git's own folder of a worktree, and the one that it shares with others, without links.
pub(super) fn of(worktree: &Path) -> Option<(PathBuf, PathBuf)> {
    let dot = worktree.join(".git");
    let dir = if dot.is_dir() {
        dot
    } else {
        worktree.join(path_in(&dot, b"gitdir: ")?)
    };
    let dir = dir.canonicalize().ok()?;
    let common = path_in(&dir.join("commondir"), b"").map(|path| dir.join(path));
    let common = common.and_then(|path| path.canonicalize().ok());
    Some((dir.clone(), common.unwrap_or(dir)))
}

/// Those that lie outside of the worktree, without those inside another one.
pub(super) fn outside(worktree: &Path) -> Vec<PathBuf> {
    let Some((dir, common)) = of(worktree) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = Vec::new();
    for path in [common, dir] {
        let known = path.starts_with(worktree) || found.iter().any(|other| path.starts_with(other));
        if !known {
            found.push(path);
        }
    }
    found
}

/// The path that a file names.
fn path_in(file: &Path, before: &[u8]) -> Option<PathBuf> {
    let text = fs::read(file).ok()?;
    let path = text.strip_prefix(before)?.trim_ascii_end();
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linked_worktree_names_the_shared_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (main, linked) = (root.join("main"), root.join("linked tree"));
        let own = main.join(".git/worktrees/linked");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(&linked).unwrap();
        fs::write(linked.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        assert_eq!(outside(&linked), [main.join(".git")]);
        assert_eq!(outside(&main), [] as [PathBuf; 0]);
        assert_eq!(of(&linked), Some((own, main.join(".git"))));
    }

    #[test]
    fn a_submodule_has_its_folder_in_the_one_around_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let own = root.join(".git/modules/sub");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("sub/.git"), "gitdir: ../.git/modules/sub\n").unwrap();
        assert_eq!(outside(&root.join("sub")), [own]);
    }

    #[test]
    fn without_git_there_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(of(dir.path()), None);
    }
}
