//! Linters that a project has configured.

use super::Candidate;
use crate::runners::project::Place;
use crate::runners::project::node::{self, Manager};
use crate::runners::project::python;

/// A linter that is configured, by the language it is for.
pub(super) struct FoundLint {
    pub(super) language: &'static str,
    pub(super) candidate: Candidate,
}

/// Every configured linter, in a fixed order.
pub(super) fn find(place: &Place<'_>) -> Vec<FoundLint> {
    let found = [
        javascript(place),
        ruff(place),
        clippy(place),
        golangci(place),
        rubocop(place),
        phpstan(place),
    ];
    found.into_iter().flatten().collect()
}

fn lint(
    language: &'static str,
    command: impl Into<String>,
    file: &str,
    why: String,
) -> Option<FoundLint> {
    let candidate = Candidate {
        command: command.into(),
        why,
        file: file.to_owned(),
    };
    Some(FoundLint {
        language,
        candidate,
    })
}

fn configured(language: &'static str, command: impl Into<String>, file: &str) -> Option<FoundLint> {
    lint(language, command, file, format!("`{file}`"))
}

fn javascript(place: &Place<'_>) -> Option<FoundLint> {
    let package = place.json("package.json").unwrap_or_default();
    let manager = Manager::of(place);
    let biome = place.first(&["biome.json", "biome.jsonc", ".biome.json"]);
    let eslint = place
        .first_named(|name| name.starts_with("eslint.config.") || name.starts_with(".eslintrc"))
        .or_else(|| {
            package
                .get("eslintConfig")
                .map(|_| "package.json".to_owned())
        });
    if biome.is_none() && eslint.is_none() {
        return None;
    }
    // A script that mends what it finds would change what was tested.
    let script = package["scripts"]["lint"].as_str().filter(|line| {
        !["--fix", "--write", "--apply"]
            .iter()
            .any(|fix| line.contains(fix))
    });
    if script.is_some() {
        let why = "script `lint` in `package.json`".to_owned();
        return lint(node::LANGUAGE, manager.script("lint"), "package.json", why);
    }
    match (biome, eslint) {
        (Some(file), _) => configured(node::LANGUAGE, manager.exec("biome check"), file),
        (None, Some(file)) => configured(node::LANGUAGE, manager.exec("eslint ."), &file),
        (None, None) => None,
    }
}

fn ruff(place: &Place<'_>) -> Option<FoundLint> {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let in_project = project
        .get("tool")
        .is_some_and(|tool| tool.get("ruff").is_some());
    let file = place
        .first(&["ruff.toml", ".ruff.toml"])
        .or(in_project.then_some("pyproject.toml"))?;
    let run = python::runner(place, &project);
    configured(python::LANGUAGE, format!("{run}ruff check"), file)
}

fn clippy(place: &Place<'_>) -> Option<FoundLint> {
    let manifest = place.toml("Cargo.toml")?;
    let workspace = manifest.get("workspace");
    let lints = manifest
        .get("lints")
        .or_else(|| workspace.and_then(|w| w.get("lints")));
    let in_manifest = lints.is_some_and(|lints| lints.get("clippy").is_some());
    let file = place
        .first(&["clippy.toml", ".clippy.toml"])
        .or(in_manifest.then_some("Cargo.toml"))?;
    let all = if workspace.is_some() {
        " --workspace"
    } else {
        ""
    };
    let command = format!("cargo clippy{all} --all-targets -- -D warnings");
    configured("rust", command, file)
}

fn golangci(place: &Place<'_>) -> Option<FoundLint> {
    let file = place.first_named(|name| name.starts_with(".golangci."))?;
    configured("go", "golangci-lint run", &file)
}

fn rubocop(place: &Place<'_>) -> Option<FoundLint> {
    let file = place.first(&[".rubocop.yml"])?;
    let bundle = if place.exists("Gemfile") {
        "bundle exec "
    } else {
        ""
    };
    configured("ruby", format!("{bundle}rubocop"), file)
}

fn phpstan(place: &Place<'_>) -> Option<FoundLint> {
    let file = place.first(&["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"])?;
    configured("php", "vendor/bin/phpstan analyse", file)
}
