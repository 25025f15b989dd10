//! The parts of a monorepo: folders with a manifest of their own, and which of them the root's
//! command already runs.

use std::collections::{BTreeMap, VecDeque};

use super::members::Members;
use crate::runners::project::Place;

/// How deep below the root projects are looked for.
const DEPTH: usize = 4;
/// How many names are looked at, and how many projects are listed.
const NAMES: usize = 20_000;
const PROJECTS: usize = 200;

/// Folders that hold what was made or fetched, not written.
#[rustfmt::skip]
const FOREIGN: &[&str] = &[
    "node_modules", "bower_components", "vendor", "third_party", "target", "dist", "build", "out",
    "bin", "obj", "deps", "_build", "venv", "env", "__pycache__", "site-packages", "coverage",
    "Pods", "zig-out", "elm-stuff", "bazel-out",
];

/// Folders whose projects are material, unless the root names them as members.
#[rustfmt::skip]
const MATERIAL: &[&str] = &[
    "fixtures", "fixture", "testdata", "test", "tests", "__tests__", "spec", "examples", "example",
    "templates", "template", "samples", "docs", "e2e", "benches", "fuzz",
];

/// What makes a folder a project, by language.
const MANIFESTS: &[(&str, &str)] = &[
    ("package.json", "javascript"),
    ("pnpm-workspace.yaml", "javascript"),
    ("deno.json", "javascript"),
    ("deno.jsonc", "javascript"),
    ("Cargo.toml", "rust"),
    ("go.mod", "go"),
    ("go.work", "go"),
    ("pyproject.toml", "python"),
    ("setup.py", "python"),
    ("setup.cfg", "python"),
    ("Gemfile", "ruby"),
    ("composer.json", "php"),
    ("mix.exs", "elixir"),
    ("pom.xml", "java"),
    ("build.gradle", "java"),
    ("build.gradle.kts", "java"),
    ("settings.gradle", "java"),
    ("settings.gradle.kts", "java"),
    ("pubspec.yaml", "dart"),
    ("Package.swift", "swift"),
    ("gleam.toml", "gleam"),
];

/// Languages whose root build runs everything below it without naming members.
const BUILDS_BELOW: &[&str] = &["java", "elixir"];

#[rustfmt::skip]
const EXTENSIONS: &[(&str, &str)] = &[
    ("js", "javascript"), ("jsx", "javascript"), ("mjs", "javascript"), ("cjs", "javascript"),
    ("ts", "javascript"), ("tsx", "javascript"), ("mts", "javascript"), ("vue", "javascript"),
    ("svelte", "javascript"), ("rs", "rust"), ("go", "go"), ("py", "python"), ("rb", "ruby"),
    ("php", "php"), ("ex", "elixir"), ("exs", "elixir"), ("erl", "erlang"), ("java", "java"),
    ("kt", "kotlin"), ("scala", "scala"), ("clj", "clojure"), ("c", "c"), ("cc", "c++"),
    ("cpp", "c++"), ("cxx", "c++"), ("cs", "csharp"), ("fs", "fsharp"), ("ml", "ocaml"),
    ("hs", "haskell"), ("swift", "swift"), ("dart", "dart"), ("zig", "zig"), ("gleam", "gleam"),
    ("cr", "crystal"), ("nim", "nim"), ("jl", "julia"), ("lua", "lua"), ("pl", "perl"),
    ("pm", "perl"), ("elm", "elm"), ("sol", "solidity"), ("r", "r"), ("R", "r"), ("d", "d"),
    ("sh", "shell"), ("bats", "shell"), ("v", "v"), ("f90", "fortran"), ("rkt", "racket"),
    ("purs", "purescript"),
];

/// What a look over the whole tree found.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Folders with a manifest, without `/` at the end, sorted.
    pub(super) projects: Vec<Part>,
    /// How many files of each language there are.
    pub(super) files: BTreeMap<&'static str, usize>,
}

/// A folder with a manifest.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: String,
    /// The languages of its manifests.
    pub(super) languages: Vec<&'static str>,
    /// The folder above it whose build runs its tests in all its languages; empty for the root.
    pub(super) owner: Option<String>,
}

/// Looks over the tree, the shallow folders first, within bounds.
pub(super) fn survey(place: &Place<'_>) -> Survey {
    let mut survey = Survey::default();
    let mut owners: Vec<Owner> = Vec::new();
    let mut seen = 0;
    let mut queue = VecDeque::from([(String::new(), 0, false)]);
    while let Some((dir, depth, material)) = queue.pop_front() {
        let names = place.tree.list(&dir);
        seen += names.len();
        if seen > NAMES {
            break;
        }
        count(&names, &mut survey.files);
        let languages = manifests_in(&names);
        let owner = common_owner(&owners, &languages, &dir);
        if !languages.is_empty() {
            owners.push(Owner::of(place, &dir, &languages));
        }
        if !dir.is_empty() && !languages.is_empty() && (!material || owner.is_some()) {
            survey.projects.push(Part {
                path: dir.clone(),
                languages,
                owner,
            });
        }
        if depth == DEPTH {
            continue;
        }
        for name in names.iter().filter_map(|name| name.strip_suffix('/')) {
            let path = join(&dir, name);
            let named = || owners.iter().any(|owner| owner.names_member(&path));
            if !name.starts_with('.') && (!FOREIGN.contains(&name) || named()) {
                let material = material || MATERIAL.contains(&name);
                queue.push_back((path, depth + 1, material));
            }
        }
    }
    survey.projects.sort_by(|a, b| a.path.cmp(&b.path));
    survey.projects.truncate(PROJECTS);
    survey
}

fn join(dir: &str, name: &str) -> String {
    match dir.is_empty() {
        true => name.to_owned(),
        false => format!("{dir}/{name}"),
    }
}

fn count(names: &[String], files: &mut BTreeMap<&'static str, usize>) {
    for name in names {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let known = EXTENSIONS.iter().find(|(end, _)| extension == Some(end));
        if let Some((_, language)) = known {
            *files.entry(language).or_default() += 1;
        }
    }
}

fn manifests_in(names: &[String]) -> Vec<&'static str> {
    let mut languages: Vec<&'static str> = MANIFESTS
        .iter()
        .filter(|(file, _)| names.iter().any(|name| name == file))
        .map(|(_, language)| *language)
        .collect();
    languages.dedup();
    languages
}

/// The one folder above that owns `dir` in each of its languages, the nearest if several do.
fn common_owner(owners: &[Owner], languages: &[&'static str], dir: &str) -> Option<String> {
    let owns_all = |owner: &&Owner| languages.iter().all(|language| owner.owns(language, dir));
    let owner = owners.iter().rev().find(owns_all)?;
    (!languages.is_empty()).then(|| owner.dir.clone())
}

/// A folder with a manifest that may name members.
struct Owner {
    dir: String,
    languages: Vec<&'static str>,
    members: Members,
}

impl Owner {
    fn of(root: &Place<'_>, dir: &str, languages: &[&'static str]) -> Owner {
        let prefix = match dir.is_empty() {
            true => String::new(),
            false => format!("{dir}/"),
        };
        let place = Place {
            dir: &prefix,
            ..*root
        };
        Owner {
            dir: dir.to_owned(),
            languages: languages.to_vec(),
            members: Members::of(&place),
        }
    }

    /// `dir` as seen from here, if it is below.
    fn below<'d>(&self, dir: &'d str) -> Option<&'d str> {
        match self.dir.is_empty() {
            true => Some(dir),
            false => dir.strip_prefix(&self.dir)?.strip_prefix('/'),
        }
    }

    fn owns(&self, language: &str, dir: &str) -> bool {
        self.below(dir).is_some_and(|dir| {
            self.members.include(language, dir)
                || (BUILDS_BELOW.contains(&language) && self.languages.contains(&language))
        })
    }

    fn names_member(&self, dir: &str) -> bool {
        self.below(dir)
            .is_some_and(|dir| self.members.include_in_any(dir))
    }
}
