//! Caches and environments of tools that make their own again.

use super::{Claim, NONE, Recipe};

pub(super) const RECIPE: Recipe = Recipe {
    claim: |_, folder| {
        let name = folder.file_name()?.to_str()?;
        NAMES.contains(&name).then_some(Claim::LeftOut)
    },
    ..NONE
};

const NAMES: &[&str] = &[
    ".cache",
    ".eslintcache",
    ".gradle",
    ".hypothesis",
    ".mypy_cache",
    ".nox",
    ".nx",
    ".nyc_output",
    ".parcel-cache",
    ".phpunit.cache",
    ".pytest_cache",
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
