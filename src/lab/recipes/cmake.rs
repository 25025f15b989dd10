//! CMake: a build folder holds the worktree's own path, so it can be neither linked nor copied. Only
//! a setup command can configure another one.

use std::path::Path;

use super::super::checkout::Roots;
use super::super::no_lab::{NotCarried, Why};
use super::{Claim, NONE, Recipe};

pub(super) const RECIPE: Recipe = Recipe { claim, ..NONE };

fn claim(roots: Roots<'_>, folder: &Path) -> Option<Claim> {
    let build = roots.worktree.join(folder).join("CMakeCache.txt").exists();
    build.then(|| {
        if roots.has_setup {
            Claim::LeftOut
        } else {
            Claim::No(Why::NotCarried {
                path: folder.to_path_buf(),
                why: NotCarried::HoldsPaths,
            })
        }
    })
}
