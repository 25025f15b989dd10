//! What is known of a runner is on the shelf: its name stands nowhere else in the program's code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use regex::Regex;

use super::RUNNERS;

/// Names that are plain words, too, or those of a build tool that other rooms know by its own right: only a
/// text that is nothing else counts.
const PLAIN_WORDS: [&str; 10] = [
    "behave",
    "doctest",
    "Gradle",
    "Meson",
    "prove",
    "Robot Framework",
    "robot",
    "tap",
    "tape",
    "trial",
];

/// Where the names may stand, and why.
const ALLOWED: &[(&str, &str)] = &[
    ("languages", "libraries that tests import, in source text"),
    ("smells", "libraries that tests import, in source text"),
    ("parts/manifest", "keys of manifests that steer tests"),
    (
        "rules",
        "classes of paths: the rules may not ask the shelf, which asks them",
    ),
    (
        "command_line/programs",
        "what programs write, and variables that steer tests",
    ),
    ("env_vars.rs", "variables that steer tests"),
    ("detect/workspace.rs", "extensions of files by language"),
    ("message/refusals.rs", "words that people read"),
];

fn names() -> BTreeSet<&'static str> {
    let all = RUNNERS.iter().flat_map(|runner| {
        let packages = runner
            .packages
            .iter()
            .filter(|name| !name.starts_with("react"));
        let names = iter::once(&runner.name)
            .chain(runner.programs)
            .chain(packages);
        names.copied()
    });
    all.collect()
}

/// Every file of the program's code, by its path from `src`.
fn code() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let is_test = name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs");
            let is_shelf = path == root.join("runners");
            if path.is_dir() && !is_test && !is_shelf {
                folders.push(path);
            } else if name.ends_with(".rs") && !is_test && name != "test_world.rs" {
                let text = fs::read_to_string(&path).expect("a file");
                let inside = path.strip_prefix(&root).expect("below it").to_owned();
                files.push((inside, text));
            }
        }
    }
    files
}

/// A text without its tests and comments.
fn without_comments(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines();
    let kept = lines.filter(|line| !line.trim_start().starts_with("//"));
    kept.map(|line| line.split(" // ").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn no_runner_is_named_outside_of_the_shelf() {
    let (plain, telling): (Vec<&str>, Vec<&str>) =
        (names().into_iter()).partition(|name| PLAIN_WORDS.contains(name) || name.len() < 4);
    let any = |names: &[&str]| -> String {
        let names: Vec<String> = names.iter().map(|name| regex::escape(name)).collect();
        names.join("|")
    };
    let telling = Regex::new(&format!(
        "(?i)(?:^|[^a-z0-9])({})(?:[^a-z0-9]|$)",
        any(&telling)
    ));
    let plain = Regex::new(&format!("\"({})\"", any(&plain)));
    let (telling, plain) = (telling.expect("a pattern"), plain.expect("a pattern"));
    let mut needed = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, text) in code() {
        let code = without_comments(&text);
        let found = telling.captures(&code).or_else(|| plain.captures(&code));
        let Some(found) = found else { continue };
        match ALLOWED.iter().find(|(place, _)| path.starts_with(place)) {
            Some((place, _)) => {
                needed.insert(*place);
            }
            None => wrong.push(format!("src/{} names {}", path.display(), &found[1])),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (place, why) in ALLOWED {
        assert!(needed.contains(place), "src/{place} names no runner: {why}");
    }
}

#[test]
fn the_table_tells_runners_apart() {
    let all = || RUNNERS.iter();
    let names: BTreeSet<&str> = all().map(|runner| runner.name).collect();
    assert_eq!(names.len(), RUNNERS.len());
    for runner in all() {
        assert!(!runner.asked.is_empty(), "{runner:?}");
        for (start, _) in runner.reports {
            let others = all().filter(|other| *other != runner);
            let same = others
                .flat_map(|other| other.reports)
                .find(|(other, _)| other.starts_with(start) || start.starts_with(other));
            assert!(same.is_none(), "{runner:?}: {start} {same:?}");
        }
        for hidden in runner.hides {
            assert!(names.contains(hidden), "{runner:?} hides {hidden}");
        }
    }
}
