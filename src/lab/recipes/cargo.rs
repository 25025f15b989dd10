//! Cargo: a target folder of its own, begun as a copy. Shared, the worktree's next run would take
//! the checkout's code for its own and call it fresh.

use std::path::{Path, PathBuf};

use super::super::checkout::{Roots, copy};
use super::{Claim, Environment, NONE, Recipe, SEED_LIMIT, set, value};

pub(super) const RECIPE: Recipe = Recipe {
    claim,
    environment,
    ..NONE
};

fn claim(roots: Roots<'_>, folder: &Path) -> Option<Claim> {
    let full = roots.worktree.join(folder);
    let is_target = full.join(".rustc_info.json").exists();
    is_target.then(|| {
        if !roots.checkout.join(folder).exists() && copy::size(&full, SEED_LIMIT) > SEED_LIMIT {
            Claim::LeftOut
        } else {
            Claim::Seeded
        }
    })
}

/// Always set where cargo may run: users have one for all projects, too.
fn environment(roots: Roots<'_>, environment: &mut Environment) {
    let Some(package) = package(roots.checkout) else {
        return;
    };
    // One that was rewritten to lie in the checkout is fine.
    let own = value(environment, "CARGO_TARGET_DIR").map(PathBuf::from);
    let own = own.filter(|path| path.starts_with(roots.checkout));
    let target = own.unwrap_or_else(|| package.join("target"));
    set(environment, "CARGO_TARGET_DIR", target);
}

/// The folder of the workspace: the root, or the first one below it.
fn package(root: &Path) -> Option<PathBuf> {
    let holds = |folder: &Path| folder.join("Cargo.toml").is_file();
    if holds(root) {
        return Some(root.to_path_buf());
    }
    let mut below: Vec<PathBuf> = std::fs::read_dir(root)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| holds(path))
        .collect();
    below.sort_unstable();
    below.into_iter().next()
}
