//! Composer: a real `vendor` folder with its own autoloader, which finds the project by its own place;
//! the packages are linked.

use std::fs;
use std::path::Path;

use super::super::checkout::{Roots, copy};
use super::super::no_lab::{Doing, NoLab};
use super::node::{entries, link, stamp};
use super::{Claim, NONE, Recipe};

pub(super) const RECIPE: Recipe = Recipe {
    claim,
    make,
    ..NONE
};

fn claim(roots: Roots<'_>, folder: &Path) -> Option<Claim> {
    let full = roots.worktree.join(folder);
    let is_vendor = full.join("autoload.php").is_file() && full.join("composer").is_dir();
    is_vendor.then(|| Claim::Made {
        of: format!("{} {}", stamp(&full), stamp(&full.join("composer"))),
    })
}

fn make(roots: Roots<'_>, folder: &Path) -> Result<(), NoLab> {
    let (from, to) = (roots.worktree.join(folder), roots.checkout.join(folder));
    let failed = |error| NoLab::io(Doing::Write, &to, &error);
    fs::create_dir_all(&to).map_err(failed)?;
    for (name, is_folder) in entries(&from).map_err(failed)? {
        let (from, to) = (from.join(&name), to.join(&name));
        let made = if name == "composer" || name == "bin" {
            copy::copy_folder(&from, &to, roots.both())
        } else if is_folder {
            link_packages(roots, &from, &to)
        } else {
            copy::copy_file(&from, &to, copy::Time::Same, roots.both()).map(drop)
        };
        made.map_err(failed)?;
    }
    Ok(())
}

/// The packages of one vendor.
fn link_packages(roots: Roots<'_>, from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for (name, _) in entries(from)? {
        link(roots, &from.join(&name), &to.join(&name))?;
    }
    Ok(())
}
