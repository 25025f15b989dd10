//! The project's own front door: a `test` target of a task runner.

use crate::runners::project::Place;
use crate::runners::project::{Offer, Strength};
use crate::test_run;

/// Programs that start what they are given, or a script: what they print can be understood only if they are
/// called by name, as with test runners.
const STARTERS: &[&str] = &[
    "uv run",
    "poetry run",
    "pdm run",
    "hatch",
    "npm test",
    "npm run",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "bunx",
    "deno",
    "bundle exec",
    "rake",
    "composer",
    "mvn",
    "./mvnw",
    "gradle",
    "./gradlew",
    "dune",
    "zig build test",
    "gleam test",
    "stack test",
    "cabal test",
    "sbt",
];

/// A target and what it does.
struct Target {
    file: String,
    call: String,
    /// The one command it runs, if that is all it does.
    only: Option<String>,
}

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Offer>) {
    let targets = [just(place), make(place), task(place), mise(place)];
    for target in targets.into_iter().flatten() {
        let Target { file, call, only } = target;
        if let Some(command) = only.filter(|line| is_plain_runner_call(line)) {
            let why = format!("what `test` in `{file}` runs");
            out.push(Offer::new(Strength::FrontDoor, None, command, why, &file));
        }
        let why = format!("target `test` in `{file}`");
        out.push(Offer::new(Strength::FrontDoor, None, call, why, &file).covering_all());
    }
    for script in ["script/test", "scripts/test", "bin/test"] {
        if place.read(script).is_some() {
            let command = format!("./{script}");
            let why = format!("script `{script}`");
            out.push(Offer::new(Strength::FrontDoor, None, command, why, script).covering_all());
        }
    }
    for script in SCRIPTS {
        if let Some(text) = place.read(script) {
            let command = format!("{} ./{script}", interpreter(&text, script));
            let why = format!("script `{script}`");
            out.push(Offer::new(Strength::Fallback, None, command, why, script));
        }
    }
}

/// Scripts that run all tests, by the names that people give them.
const SCRIPTS: &[&str] = &[
    "scripts/test.sh",
    "script/test.sh",
    "test.sh",
    "run_tests.sh",
    "run-tests.sh",
    "runtests.sh",
    "run_tests.py",
    "runtests.py",
    "tests/run.sh",
    "tests/run_tests.sh",
    "test/run.sh",
    "test/run_tests.sh",
];

/// The program that a script says it is for; else the one that its name speaks of.
fn interpreter(text: &str, name: &str) -> String {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    let mut words = first.unwrap_or_default().split_whitespace();
    let program = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let mut named = words.by_ref().map(program);
    let is_env = |word: &String| word == "env" || word.starts_with('-') || word.contains('=');
    named
        .find(|word| !is_env(word))
        .unwrap_or_else(|| match name.ends_with(".py") {
            true => "python3".to_owned(),
            false => "sh".to_owned(),
        })
}

fn is_plain_runner_call(line: &str) -> bool {
    let plain = !line.contains(['$', '`', '\\', ';', '|', '&', '<', '>', '{', '}', '#']);
    let calls = |starter: &str| {
        line.strip_prefix(starter)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    plain && (STARTERS.iter().any(|starter| calls(starter)) || test_run::calls_runner(line))
}

fn make(place: &Place<'_>) -> Option<Target> {
    // The order in which make itself looks for them.
    let first = place.first(&["GNUmakefile", "makefile", "Makefile"])?;
    let files = make_files(place, first);
    let rules: Vec<(&str, MakeRule<'_>)> = files
        .iter()
        .flat_map(|(file, text)| {
            make_rules(text)
                .into_iter()
                .map(|rule| (file.as_str(), rule))
        })
        .collect();
    let phony = rules
        .iter()
        .any(|(_, rule)| rule.is_for(".PHONY") && rule.needs.contains(&"test"));
    // A file or folder of that name and no `.PHONY`: make says it is up to date and runs nothing.
    if !phony && place.exists("test") {
        return None;
    }
    let does_something = |rule: &MakeRule<'_>| !rule.needs.is_empty() || !rule.recipe.is_empty();
    let of_test: Vec<_> = rules
        .iter()
        .filter(|(_, rule)| rule.is_for("test") && does_something(rule))
        .collect();
    let (file, _) = of_test.first()?;
    let needs = of_test.iter().any(|(_, rule)| !rule.needs.is_empty());
    let recipe: Vec<&str> = of_test
        .iter()
        .flat_map(|(_, rule)| rule.recipe.iter().copied())
        .collect();
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    let steered = lines.clone().any(|line| included(line).is_some())
        || lines.into_iter().any(|line| {
            ["export", "SHELL", ".ONESHELL"]
                .iter()
                .any(|word| line.starts_with(word))
        });
    let only = match recipe.as_slice() {
        [line] if !needs && !steered => Some(line.trim_start_matches('@').trim().to_owned()),
        _ => None,
    };
    Some(Target {
        file: (*file).to_owned(),
        call: "make test".to_owned(),
        only,
    })
}

/// How many files of one make are looked at.
const MAKE_FILES: usize = 20;

/// A makefile and those it includes by name, each with its text, lines that go on joined.
fn make_files(place: &Place<'_>, first: &str) -> Vec<(String, String)> {
    let mut names = vec![first.to_owned()];
    let mut files = Vec::new();
    while let Some(name) = names.get(files.len()).cloned() {
        let text = place.read(&name).unwrap_or_default();
        let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
        for other in text.lines().filter_map(included).flatten() {
            if names.len() < MAKE_FILES && !names.contains(&other) {
                names.push(other);
            }
        }
        files.push((name, text));
    }
    files
}

/// The files that a line includes; empty where they can't be told without make.
fn included(line: &str) -> Option<Vec<String>> {
    let rest = ["include", "-include", "sinclude"]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .filter(|rest| rest.starts_with(char::is_whitespace))?;
    let named = rest.split('#').next().unwrap_or_default();
    let plain = |name: &&str| !name.contains(['$', '*', '?', '%']);
    let name = |name: &str| name.trim_start_matches("./").to_owned();
    Some(named.split_whitespace().filter(plain).map(name).collect())
}

struct MakeRule<'a> {
    targets: Vec<&'a str>,
    needs: Vec<&'a str>,
    recipe: Vec<&'a str>,
}

impl MakeRule<'_> {
    fn is_for(&self, target: &str) -> bool {
        self.targets.contains(&target)
    }
}

fn make_rules(text: &str) -> Vec<MakeRule<'_>> {
    let mut rules: Vec<MakeRule<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(step) = line.strip_prefix('\t') {
            if let (Some(rule), false) = (rules.last_mut(), step.trim().is_empty()) {
                rule.recipe.push(step.trim());
            }
            continue;
        }
        let line = line.split('#').next().unwrap_or_default();
        let Some((targets, rest)) = line.split_once(':') else {
            continue;
        };
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        if rest.starts_with('=') || targets.contains('=') {
            continue;
        }
        let (needs, step) = rest.split_once(';').unwrap_or((rest, ""));
        rules.push(MakeRule {
            targets: targets.split_whitespace().collect(),
            needs: needs.split_whitespace().collect(),
            recipe: Some(step.trim())
                .filter(|step| !step.is_empty())
                .into_iter()
                .collect(),
        });
    }
    rules
}

fn just(place: &Place<'_>) -> Option<Target> {
    let file = place.first(&["justfile", "Justfile", ".justfile"])?;
    let text = place.read(file)?;
    let mut lines = text.lines();
    let head = lines.by_ref().find_map(just_recipe_named_test)?;
    let steps: Vec<&str> = lines
        .take_while(|line| line.is_empty() || line.starts_with([' ', '\t']))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let plain_file = !text
        .lines()
        .any(|line| line.starts_with("set ") || line.starts_with("export "));
    let only = match steps.as_slice() {
        [line] if head.bare && plain_file => Some(line.trim_start_matches('@').trim().to_owned()),
        _ => None,
    };
    Some(Target {
        file: file.to_owned(),
        call: "just test".to_owned(),
        only,
    })
}

struct JustHead {
    /// Without parameters and dependencies.
    bare: bool,
}

/// The head of a recipe `test` that can be called without arguments.
fn just_recipe_named_test(line: &str) -> Option<JustHead> {
    let (head, dependencies) = line.split_once(':')?;
    if dependencies.starts_with('=') {
        return None;
    }
    let mut words = head.split_whitespace();
    if words.next()?.trim_start_matches('@') != "test" {
        return None;
    }
    let parameters: Vec<&str> = words.collect();
    let can_be_left_out = |p: &&str| p.starts_with('*') || p.contains('=');
    parameters.iter().all(can_be_left_out).then(|| JustHead {
        bare: parameters.is_empty() && dependencies.trim().is_empty(),
    })
}

fn task(place: &Place<'_>) -> Option<Target> {
    // The order in which task itself looks for them.
    let file = place.first(&[
        "Taskfile.yml",
        "taskfile.yml",
        "Taskfile.yaml",
        "taskfile.yaml",
        "Taskfile.dist.yml",
        "taskfile.dist.yml",
        "Taskfile.dist.yaml",
        "taskfile.dist.yaml",
    ])?;
    let text = place.read(file)?;
    let tasks: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .skip_while(|line| !line.starts_with("tasks") || yaml_key(line) != Some("tasks"))
        .skip(1)
        .take_while(|line| line.starts_with([' ', '\t']))
        .collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let outermost = tasks.iter().map(|line| depth(line)).min()?;
    let named = |line: &&str| depth(line) == outermost && yaml_key(line) == Some("test");
    tasks.iter().any(named).then(|| Target {
        file: file.to_owned(),
        call: "task test".to_owned(),
        only: None,
    })
}

/// The key of a line of YAML, which ends at a colon that a space or nothing follows.
fn yaml_key(line: &str) -> Option<&str> {
    let line = line.trim();
    let (key, _) = line
        .split_once(": ")
        .or_else(|| line.strip_suffix(':').map(|key| (key, "")))?;
    Some(key.trim_end().trim_matches(['"', '\'']))
}

fn mise(place: &Place<'_>) -> Option<Target> {
    let file = place.first(&["mise.toml", ".mise.toml"])?;
    place.toml(file)?.get("tasks")?.get("test")?;
    Some(Target {
        file: file.to_owned(),
        call: "mise run test".to_owned(),
        only: None,
    })
}
