//! Caches and environments of tools that make their own again.

use super::{Claim, NONE, Recipe};
use crate::runners::RUNNERS;

pub(super) const RECIPE: Recipe = Recipe {
    claim: |_, folder| {
        let name = folder.file_name()?.to_str()?;
        is_cache(name).then_some(Claim::LeftOut)
    },
    ..NONE
};

fn is_cache(name: &str) -> bool {
    NAMES.contains(&name) || RUNNERS.iter().any(|runner| runner.caches.contains(&name))
}

const NAMES: &[&str] = &[
    ".cache",
    ".eslintcache",
    ".hypothesis",
    ".mypy_cache",
    ".nox",
    ".nx",
    ".nyc_output",
    ".parcel-cache",
    ".ruff_cache",
    ".tox",
    ".turbo",
    ".vite",
    "__pycache__",
    "coverage",
    "htmlcov",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::checkout::Roots;
    use super::*;

    #[test]
    fn caches_are_left_out_wherever_they_are() {
        let roots = Roots {
            worktree: Path::new("/w"),
            checkout: Path::new("/c"),
            has_setup: false,
        };
        let claim = |path: &str| (RECIPE.claim)(roots, Path::new(path));
        assert_eq!(claim("a/b/__pycache__"), Some(Claim::LeftOut));
        assert_eq!(claim(".tox"), Some(Claim::LeftOut));
        assert_eq!(claim("tox"), None);
    }
}
