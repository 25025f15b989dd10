//! Recipes: how dependency folders and build output are carried over to a checkout. One file each;
//! the table here is the only list of them.

mod caches;
mod cargo;
mod cmake;
mod node;
mod php;
mod python;

use std::ffi::OsString;
use std::path::Path;

use super::checkout::Roots;
use super::no_lab::{NoLab, Why};
pub(super) use python::is_venv;

/// How many bytes of build output a checkout may hold. More is not copied: to build anew is cheaper
/// than to wait for the disk.
pub(super) const SEED_LIMIT: u64 = 8_000_000_000;

/// A list of environment variables.
pub(super) type Environment = Vec<(OsString, OsString)>;

/// What becomes of an ignored folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is left out: the tool makes its own.
    LeftOut,
    /// It is linked as it is: nothing writes to it, and nothing in it leads back.
    Linked,
    /// It is copied once with its times, and is the checkout's own from then on.
    Seeded,
    /// The recipe makes it; again whenever what it is made from is another.
    Made {
        /// Tells whether it has to be made again.
        of: String,
    },
    /// There is no way.
    No(Why),
}

/// A recipe.
pub(super) struct Recipe {
    /// What becomes of an ignored folder, if the recipe knows it.
    claim: fn(Roots<'_>, &Path) -> Option<Claim>,
    /// Makes a folder that it has claimed as made.
    make: fn(Roots<'_>, &Path) -> Result<(), NoLab>,
    /// What the environment needs.
    environment: fn(Roots<'_>, &mut Environment),
    /// Tells whether something that is shared with the worktree was changed.
    shared: fn(Roots<'_>) -> String,
}

const NONE: Recipe = Recipe {
    claim: |_, _| None,
    make: |_, _| Ok(()),
    environment: |_, _| {},
    shared: |_| String::new(),
};

const RECIPES: &[Recipe] = &[
    python::RECIPE,
    node::RECIPE,
    cargo::RECIPE,
    php::RECIPE,
    cmake::RECIPE,
    caches::RECIPE,
];

/// Names of folders that hold dependencies or build output in a form that no recipe knows.
const LOOK_LIKE_DEPENDENCIES: &[&str] = &[
    ".build",
    ".bundle",
    ".dart_tool",
    ".eggs",
    ".stack-work",
    ".terraform",
    ".yarn",
    "Carthage",
    "Pods",
    "__pypackages__",
    "_build",
    "bower_components",
    "deps",
    "dist-newstyle",
    "elm-stuff",
    "jspm_packages",
    "node_modules",
    "vendor",
];

/// What becomes of an ignored folder; nothing if it is copied like any other file.
pub(super) fn claim(roots: Roots<'_>, folder: &Path) -> Option<Claim> {
    let claimed = RECIPES
        .iter()
        .find_map(|recipe| (recipe.claim)(roots, folder));
    claimed.or_else(|| {
        let name = folder.file_name()?.to_str()?;
        let unknown = LOOK_LIKE_DEPENDENCIES.contains(&name);
        unknown.then(|| match roots.has_setup {
            true => Claim::LeftOut,
            false => Claim::No(Why::UnknownFolder(folder.to_path_buf())),
        })
    })
}

/// Makes a folder that a recipe has claimed as made.
pub(super) fn make(roots: Roots<'_>, folder: &Path) -> Result<(), NoLab> {
    for recipe in RECIPES {
        if let Some(Claim::Made { .. }) = (recipe.claim)(roots, folder) {
            return (recipe.make)(roots, folder);
        }
    }
    Ok(())
}

/// What all recipes add to the environment.
pub(super) fn environment(roots: Roots<'_>, environment: &mut Environment) {
    for recipe in RECIPES {
        (recipe.environment)(roots, environment);
    }
}

/// Another text once something that is shared with the worktree was changed.
pub(super) fn shared(roots: Roots<'_>) -> String {
    let texts: Vec<String> = RECIPES
        .iter()
        .map(|recipe| (recipe.shared)(roots))
        .collect();
    texts.join("\n")
}

/// The value of a variable.
fn value<'a>(environment: &'a Environment, name: &str) -> Option<&'a OsString> {
    let found = environment.iter().find(|(found, _)| found == name);
    found
        .map(|(_, value)| value)
        .filter(|value| !value.is_empty())
}

/// Sets a variable.
fn set(environment: &mut Environment, name: &str, value: impl Into<OsString>) {
    environment.retain(|(found, _)| found != name);
    environment.push((name.into(), value.into()));
}
