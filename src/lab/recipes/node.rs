//! Node: a real `node_modules` folder of links, one per package, so that tools write their caches
//! there and not into the worktree's, and links to packages of the workspace lead into the checkout.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::super::checkout::{Roots, copy};
use super::super::no_lab::{Doing, NoLab};
use super::{Claim, NONE, Recipe};
use crate::runners::RUNNERS;

pub(super) const RECIPE: Recipe = Recipe {
    claim,
    make,
    ..NONE
};

/// What tools write into the folder: everybody has their own.
const CACHES: &[&str] = &[".cache", ".vite", ".vite-temp"];

fn claim(roots: Roots<'_>, folder: &Path) -> Option<Claim> {
    if folder.file_name() != Some(OsStr::new("node_modules")) {
        return None;
    }
    let full = roots.worktree.join(folder);
    let mut of = stamp(&full);
    for (name, is_folder) in entries(&full).ok()? {
        if is_folder && is_group(&name) {
            of = format!("{of} {}", stamp(&full.join(name)));
        }
    }
    Some(Claim::Made { of })
}

/// Folders of packages, not packages.
fn is_group(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b"@") || name == ".bin"
}

fn make(roots: Roots<'_>, folder: &Path) -> Result<(), NoLab> {
    let (from, to) = (roots.worktree.join(folder), roots.checkout.join(folder));
    fill(roots, &from, &to).map_err(|error| NoLab::io(Doing::Write, &to, &error))
}

fn fill(roots: Roots<'_>, from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for (name, is_folder) in entries(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        let own = RUNNERS.iter().flat_map(|runner| runner.caches);
        if CACHES.iter().chain(own).any(|cache| name == *cache) {
            continue;
        }
        if is_folder && is_group(&name) {
            fill(roots, &from, &to)?;
        } else if is_folder || from.is_symlink() {
            link(roots, &from, &to)?;
        } else {
            copy::copy_file(&from, &to, copy::Time::Same, roots.both())?;
        }
    }
    Ok(())
}

/// Names in a folder, and whether they are folders themselves and no links.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        found.push((entry.file_name(), entry.file_type()?.is_dir()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Links a package. A link into the worktree's own files is made anew into the checkout.
pub(super) fn link(roots: Roots<'_>, from: &Path, to: &Path) -> io::Result<()> {
    let target = match fs::read_link(from) {
        Err(_) => from.to_path_buf(),
        // As it is: from the same place in the checkout it leads to the same place there.
        Ok(target) if target.is_relative() => target,
        Ok(target) => match target.strip_prefix(roots.worktree) {
            Ok(inside) if is_project_file(inside) => roots.checkout.join(inside),
            _ => target,
        },
    };
    symlink(target, to)
}

fn is_project_file(inside: &Path) -> bool {
    !inside
        .iter()
        .any(|part| part == "node_modules" || part == "vendor")
}

/// Changes when an entry of the folder comes or goes.
pub(super) fn stamp(folder: &Path) -> String {
    let found = fs::symlink_metadata(folder);
    found.map_or_else(
        |_| "-".to_owned(),
        |found| format!("{}.{}", found.mtime(), found.mtime_nsec()),
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn folder(root: &Path, path: &str) -> PathBuf {
        let full = root.join(path);
        fs::create_dir_all(&full).unwrap();
        full
    }

    #[test]
    fn packages_are_linked_and_those_of_the_workspace_lead_into_the_checkout() {
        let dir = tempfile::tempdir().unwrap();
        let (tree, lab) = (folder(dir.path(), "tree"), folder(dir.path(), "lab"));
        for path in [
            "node_modules/left",
            "node_modules/@s/right",
            "node_modules/.vite",
        ] {
            folder(&tree, path);
        }
        for path in ["node_modules/.bin", "packages/a"] {
            folder(&tree, path);
        }
        folder(&lab, "packages/a");
        symlink("../packages/a", tree.join("node_modules/a")).unwrap();
        symlink(tree.join("packages/a"), tree.join("node_modules/@s/abs")).unwrap();
        symlink("../left/cli.js", tree.join("node_modules/.bin/left")).unwrap();
        fs::write(tree.join("node_modules/.package-lock.json"), "{}").unwrap();
        let roots = Roots {
            worktree: &tree,
            checkout: &lab,
            has_setup: false,
        };
        make(roots, Path::new("node_modules")).unwrap();
        let leads = |path: &str| fs::canonicalize(lab.join("node_modules").join(path)).unwrap();
        let real = |path: PathBuf| path.canonicalize().unwrap();
        assert_eq!(leads("left"), real(tree.join("node_modules/left")));
        assert_eq!(leads("@s/right"), real(tree.join("node_modules/@s/right")));
        assert_eq!(leads("a"), real(lab.join("packages/a")));
        assert_eq!(leads("@s/abs"), real(lab.join("packages/a")));
        let bin = fs::read_link(lab.join("node_modules/.bin/left")).unwrap();
        assert_eq!(bin, Path::new("../left/cli.js"));
        assert!(!lab.join("node_modules/.vite").exists());
        assert!(!lab.join("node_modules").is_symlink());
    }

    #[test]
    fn a_new_package_asks_for_a_new_folder() {
        let dir = tempfile::tempdir().unwrap();
        let tree = folder(dir.path(), "tree");
        folder(&tree, "node_modules/@s");
        let roots = Roots {
            worktree: &tree,
            checkout: &tree,
            has_setup: false,
        };
        let claimed = || claim(roots, Path::new("node_modules")).unwrap();
        let before = claimed();
        assert_eq!(before, claimed());
        folder(&tree, "node_modules/@s/new");
        assert_ne!(before, claimed());
        assert_eq!(claim(roots, Path::new("src")), None);
    }
}
