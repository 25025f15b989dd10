//! Brings the checkout to what the worktree is now: changed files are copied, others stay as they are
//! with their times, and what tests left is taken away.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::super::no_lab::{Doing, NoLab};
use super::super::place::remove_all;
use super::super::recipes::{self, Claim};
use super::super::wanted::leads_through_folders;
use super::Roots;
use super::copy::{self, Time};
use super::git::{self, Listing};
use super::manifest::{Manifest, Pair, Stamp};

/// Ignored folders.
struct Ignored {
    /// Those for recipes.
    folders: BTreeMap<PathBuf, Claim>,
    /// The others, which may be empty and needed.
    plain: Vec<PathBuf>,
}

/// Brings it up to date and says which time belongs to this state.
pub(super) fn sync(
    roots: Roots<'_>,
    manifest: &mut Manifest,
    copy_limit: u64,
) -> Result<SystemTime, NoLab> {
    let listing = git::list(roots.worktree)?;
    // Later, by whole seconds, than every output that is copied and every earlier state.
    manifest.clock = manifest.clock.max(now()).saturating_add(1);
    let time = UNIX_EPOCH + Duration::from_secs(manifest.clock);
    let mut present: BTreeMap<PathBuf, Time> = BTreeMap::new();
    for file in &listing.files {
        present.insert(file.clone(), Time::At(time));
    }
    let Ignored { folders, plain } = carried(roots, &listing, copy_limit, manifest, &mut present)?;
    remove_gone(roots, manifest, &present)?;
    for (path, time) in &present {
        bring(roots, manifest, path, *time)?;
    }
    for path in &plain {
        let folder = roots.checkout.join(path);
        copy::make_real_folders(roots.checkout, &folder)
            .map_err(|error| NoLab::io(Doing::Write, &folder, &error))?;
    }
    for (path, claim) in &folders {
        carry(roots, manifest, path, claim)?;
    }
    git::make_dir(roots.worktree, roots.checkout)?;
    // A pattern for a folder does not match a link to one.
    git::ignore(roots.checkout, folders.keys())?;
    remove_untracked(roots, manifest)?;
    Ok(time)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Sorts out what is ignored: folders for recipes, and files that are copied with their times.
fn carried(
    roots: Roots<'_>,
    listing: &Listing,
    copy_limit: u64,
    manifest: &mut Manifest,
    present: &mut BTreeMap<PathBuf, Time>,
) -> Result<Ignored, NoLab> {
    let mut folders = BTreeMap::new();
    let mut plain = Vec::new();
    let mut budget = copy_limit;
    manifest.left_out.clear();
    for entry in &listing.ignored {
        let (mut files, mut here) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        let mut left = vec![entry.clone()];
        while let Some(path) = left.pop() {
            // Gone meanwhile.
            let Ok(found) = fs::symlink_metadata(roots.worktree.join(&path)) else {
                continue;
            };
            if !found.is_dir() {
                bytes += found.len();
                files.push(path);
                continue;
            }
            match recipes::claim(roots, &path) {
                Some(Claim::No(why)) => return Err(why.into()),
                Some(claim) => drop(folders.insert(path, claim)),
                None => {
                    here.push(path.clone());
                    let entries = fs::read_dir(roots.worktree.join(&path));
                    let names = entries.into_iter().flatten().flatten();
                    left.extend(names.map(|entry| path.join(entry.file_name())));
                }
            }
        }
        if bytes > budget {
            manifest.left_out.push(entry.clone());
        } else {
            budget -= bytes;
            plain.extend(here);
            present.extend(files.into_iter().map(|file| (file, Time::Same)));
        }
    }
    Ok(Ignored { folders, plain })
}

fn remove_gone(
    roots: Roots<'_>,
    manifest: &mut Manifest,
    present: &BTreeMap<PathBuf, Time>,
) -> Result<(), NoLab> {
    let gone: Vec<PathBuf> = manifest
        .files
        .keys()
        .filter(|path| !present.contains_key(*path))
        .cloned()
        .collect();
    for path in gone {
        take_away(roots.checkout, &path)?;
        manifest.files.remove(&path);
    }
    Ok(())
}

/// Removes a file, and the folders that are empty without it.
fn take_away(root: &Path, path: &Path) -> Result<(), NoLab> {
    let full = root.join(path);
    // Behind a link that a test has made there is nothing of ours.
    if !leads_through_folders(root, path) {
        return Ok(());
    }
    remove_all(&full).map_err(|error| NoLab::io(Doing::Remove, &full, &error))?;
    for parent in path.ancestors().skip(1) {
        if parent.as_os_str().is_empty() || fs::remove_dir(root.join(parent)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Copies a file unless both sides are as they were when it was last copied.
fn bring(roots: Roots<'_>, manifest: &mut Manifest, path: &Path, time: Time) -> Result<(), NoLab> {
    let (from, to) = (roots.worktree.join(path), roots.checkout.join(path));
    let is_ignored = matches!(time, Time::Same);
    let stamp = |path: &Path| fs::symlink_metadata(path).map(|found| Stamp::of(&found));
    let Ok(before) = stamp(&from) else {
        // Deleted in the worktree, though git knows it.
        manifest.files.remove(path);
        return take_away(roots.checkout, path);
    };
    if let (Some(Some(pair)), Ok(now)) = (manifest.files.get(path), stamp(&to))
        && *pair
            == (Pair {
                from: before,
                to: now,
            })
    {
        return Ok(());
    }
    let copied = match copy::copy_file(&from, &to, time, roots.both()) {
        Ok(copied) => copied,
        // Gone meanwhile; the watch has seen it go.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => false,
        // Ignored, and nobody's but its owner's.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && is_ignored => {
            manifest.left_out.push(path.to_path_buf());
            false
        }
        Err(error) => return Err(NoLab::io(Doing::Write, &to, &error)),
    };
    if let (true, Ok(after)) = (copied, stamp(&to)) {
        let pair = Pair {
            from: before,
            to: after,
        };
        manifest.files.insert(path.to_path_buf(), Some(pair));
    }
    Ok(())
}

/// Carries a folder over as its recipe says.
fn carry(
    roots: Roots<'_>,
    manifest: &mut Manifest,
    path: &Path,
    claim: &Claim,
) -> Result<(), NoLab> {
    let (from, to) = (roots.worktree.join(path), roots.checkout.join(path));
    let failed = |error: io::Error| NoLab::io(Doing::Write, &to, &error);
    // Before anything is removed there.
    copy::make_parent(roots.checkout, &to).map_err(failed)?;
    let there = fs::symlink_metadata(&to).is_ok_and(|found| found.is_dir());
    match claim {
        // The caller has refused these.
        Claim::No(_) | Claim::LeftOut => Ok(()),
        Claim::Linked if to.is_symlink() => Ok(()),
        Claim::Linked => {
            remove_all(&to).map_err(failed)?;
            symlink(&from, &to).map_err(failed)
        }
        Claim::Seeded if there => Ok(()),
        Claim::Seeded => {
            remove_all(&to).map_err(failed)?;
            copy::copy_folder(&from, &to, roots.both()).map_err(failed)?;
            manifest.made.insert(path.to_path_buf(), String::new());
            Ok(())
        }
        Claim::Made { of } if there && manifest.made.get(path) == Some(of) => Ok(()),
        Claim::Made { of } => {
            remove_all(&to).map_err(failed)?;
            recipes::make(roots, path)?;
            manifest.made.insert(path.to_path_buf(), of.clone());
            Ok(())
        }
    }
}

/// What tests left in the checkout and git does not ignore: a next experiment might take it for a
/// test.
fn remove_untracked(roots: Roots<'_>, manifest: &Manifest) -> Result<(), NoLab> {
    let known: BTreeSet<&PathBuf> = manifest.files.keys().collect();
    for path in git::untracked(roots.checkout)? {
        if !known.contains(&path) {
            take_away(roots.checkout, &path)?;
        }
    }
    Ok(())
}
