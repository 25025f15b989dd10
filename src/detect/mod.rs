//! Finds out how a project's tests are run, and why it thinks so.
//!
//! The ranking, the best first:
//!
//! 1. the `test` target of a task runner (just, make, task, mise, `script/test`, bazel), if the
//!    root has tests in several languages: nothing else runs them all;
//! 2. a test script in the manifest of the main language (`package.json`, `composer.json`,
//!    `deno.json`, tasks in `pyproject.toml`): that is where people of that language look first;
//! 3. the `test` target of a task runner: it knows what must be made ready. If it does nothing
//!    but call a test runner, the call itself is taken: it tells more when it fails;
//! 4. a runner of the main language that has a config file or is named as a dependency;
//! 5. what the tools of the main language do by default;
//! 6. the same order for the other languages;
//! 7. what is only a guess within each of these comes last there (`tox`, `run_tests.sh`).
//!
//! The main language is the one with the most files among those with a way to run tests.

pub(crate) mod first;
mod front_door;
mod languages;
mod lint;
mod members;
mod node;
mod python;
mod workspace;

use std::cmp::Reverse;
use std::path::Path;

use crate::config::{CommandLine, Config};
use crate::error::Unreadable;
use crate::runners::RUNNERS;
pub(crate) use crate::runners::project::Candidate;
use crate::runners::project::node::LANGUAGE;
use crate::runners::project::{DirTree, Offer, Place, Strength, Tree};
use workspace::{Part, Survey, survey};

/// A part of a monorepo with a manifest of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundProject {
    /// Its folder, from the root.
    pub path: String,
    /// How its tests are run, in its folder.
    pub test: Option<Candidate>,
    /// Its lint command, in its folder.
    pub lint: Option<Candidate>,
    /// Its main language.
    pub language: Option<String>,
    /// Whether the root's test command, or that of a project above it, runs its tests too.
    pub covered: bool,
}

/// What was found out about a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Detected {
    /// The best way to run the tests from the root.
    pub test: Option<Candidate>,
    /// Every way that was found, the best first.
    pub candidates: Vec<Candidate>,
    /// The lint command, if a linter is configured.
    pub lint: Option<Candidate>,
    /// The main language.
    pub language: Option<String>,
    /// The parts of a monorepo, sorted by path.
    pub projects: Vec<FoundProject>,
    /// Manifests at the root that say nothing because they can't be read.
    pub unreadable: Vec<Unreadable>,
}

/// The manifests that are read as a whole.
const READ: &[&str] = &[
    "package.json",
    "deno.json",
    "deno.jsonc",
    "composer.json",
    "Cargo.toml",
    "pyproject.toml",
    "mise.toml",
    ".mise.toml",
];

impl Detected {
    /// What a person said when nothing was found.
    pub(crate) fn given(command: &str) -> Detected {
        let candidate = Candidate {
            command: command.to_owned(),
            why: "given by you".to_owned(),
            file: String::new(),
        };
        Detected {
            test: Some(candidate),
            ..Detected::default()
        }
    }
}

/// Looks for a test command where the config gives none, and says what there was.
pub(crate) fn complete(config: &mut Config, root: &Path) -> Option<Detected> {
    complete_from(config, &DirTree::new(root))
}

/// The same, for files that need not be on disk.
pub(crate) fn complete_from(config: &mut Config, tree: &dyn Tree) -> Option<Detected> {
    let in_projects = || config.projects.iter().any(|project| project.test.is_some());
    if config.test.is_some() || in_projects() {
        return None;
    }
    let detected = in_tree(tree);
    let test = detected.test.as_ref();
    config.test = test.map(|found| CommandLine::Shell(found.command.clone()));
    Some(detected)
}

/// Looks at the folder of a repository, with the programs of this machine.
pub(crate) fn below(root: &Path) -> Detected {
    in_tree(&DirTree::new(root))
}

fn in_tree(tree: &dyn Tree) -> Detected {
    let has_program = |program: &str| which::which(program).is_ok();
    detect(tree, &has_program)
}

/// Looks at a repository. `has_program` says whether a program can be started.
fn detect(tree: &dyn Tree, has_program: &dyn Fn(&str) -> bool) -> Detected {
    let root = Place {
        tree,
        dir: "",
        has_program,
    };
    let survey = survey(&root);
    let main = look_at(&root, &survey);
    let projects = survey
        .projects
        .iter()
        .map(|part| project(&root, part, &main))
        .collect();
    Detected {
        test: main.ranked.first().map(|found| found.candidate.clone()),
        language: main.language.map(|language| spoken(&root, language)),
        candidates: main
            .ranked
            .into_iter()
            .map(|found| found.candidate)
            .collect(),
        lint: main.lint,
        projects,
        unreadable: READ
            .iter()
            .filter_map(|file| {
                let why = root.unreadable(file)?;
                let file = (*file).to_owned();
                Some(Unreadable { file, why })
            })
            .collect(),
    }
}

/// What one folder says.
struct Look {
    ranked: Vec<Offer>,
    lint: Option<Candidate>,
    language: Option<&'static str>,
}

fn look_at(place: &Place<'_>, survey: &Survey) -> Look {
    let mut found = Vec::new();
    node::find(place, &mut found);
    python::find(place, &mut found);
    languages::find(place, &mut found);
    for runner in RUNNERS {
        (runner.detect)(place, &mut found);
    }
    front_door::find(place, &mut found);
    let has_files = |language: &str| survey.files.get(language).is_some_and(|count| *count > 0);
    for script in found.iter_mut().filter(|f| f.strength == Strength::Script) {
        // A manifest without a file of its language is there for the others.
        let is_for_others = !survey.files.is_empty() && !script.language.is_some_and(has_files);
        script.language = script.language.filter(|_| !is_for_others);
    }
    let language = main_language(&found, survey);
    let lints = lint::find(place);
    let of_main = lints.iter().find(|lint| Some(lint.language) == language);
    let lint = of_main.or(lints.first()).map(|lint| lint.candidate.clone());
    Look {
        ranked: rank(found, language),
        lint,
        language,
    }
}

/// Where two languages have as many files, the first of these is the main one.
const FIRST: [&str; 10] = [
    "javascript",
    "python",
    "rust",
    "go",
    "ruby",
    "php",
    "kotlin",
    "java",
    "csharp",
    "fsharp",
];

/// The language with the most files among those with a way to run tests; without any such, the
/// one with the most files.
fn main_language(found: &[Offer], survey: &Survey) -> Option<&'static str> {
    let files = |language: &str| survey.files.get(language).copied().unwrap_or(0);
    let rank = |language: &str| FIRST.iter().position(|first| *first == language);
    let rank = |language: &str| rank(language).unwrap_or(FIRST.len());
    let languages = found.iter().filter_map(|found| found.language);
    let best = languages.min_by_key(|language| (Reverse(files(language)), rank(language)));
    let most_files = || {
        let most = survey
            .files
            .iter()
            .max_by_key(|(name, count)| (**count, Reverse(**name)));
        most.map(|(language, _)| *language)
    };
    best.or_else(most_files)
}

fn rank(mut found: Vec<Offer>, main: Option<&'static str>) -> Vec<Offer> {
    let languages = || {
        let sure = found.iter().filter(|f| f.strength != Strength::Fallback);
        sure.filter_map(|f| f.language)
    };
    let several = languages().any(|language| Some(language) != main);
    found.sort_by_key(|f| {
        let group = match f.language {
            None if several && f.covers_all => 0,
            None => 1,
            language if language == main => 1,
            Some(_) => 2,
        };
        (group, f.strength)
    });
    let mut seen: Vec<String> = Vec::new();
    found.retain(|f| {
        let new = !seen.contains(&f.candidate.command);
        seen.push(f.candidate.command.clone());
        new
    });
    found
}

fn project(root: &Place<'_>, part: &Part, main: &Look) -> FoundProject {
    let dir = format!("{}/", part.path);
    let place = Place { dir: &dir, ..*root };
    let own = look_at(&place, &Survey::default());
    let covered = is_covered(part, main);
    let language = own.language.or(part.languages.first().copied());
    FoundProject {
        path: part.path.clone(),
        test: own.ranked.into_iter().next().map(|found| found.candidate),
        lint: own.lint,
        language: language.map(|language| spoken(&place, language)),
        covered,
    }
}

/// Whether the tests of a part are run by the root's command, or by that of a part above it.
fn is_covered(part: &Part, main: &Look) -> bool {
    let best = main.ranked.first();
    let by_root = |best: &Offer| {
        let language = best.language.or(main.language);
        // Maven and Gradle build both.
        let language = language.map(|l| if l == "kotlin" { "java" } else { l });
        part.languages.iter().all(|own| Some(*own) == language)
    };
    best.is_some_and(|best| best.covers_all)
        || match part.owner.as_deref() {
            Some("") => best.is_some_and(by_root),
            Some(_) => true,
            None => false,
        }
}

/// The name people use: TypeScript shares all tools with JavaScript.
fn spoken(place: &Place<'_>, language: &str) -> String {
    let typed = place.exists("tsconfig.json") || place.root().exists("tsconfig.base.json");
    match language {
        LANGUAGE if typed => "typescript".to_owned(),
        _ => language.to_owned(),
    }
}

#[cfg(test)]
mod tests;
