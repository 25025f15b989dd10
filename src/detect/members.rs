//! What manifests say about the members of their workspace.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use crate::runners::RUNNERS;
use crate::runners::project::Place;

/// What a folder says its members are, by language.
pub(super) struct Members {
    sets: Vec<MemberSet>,
}

impl Members {
    pub(super) fn of(place: &Place<'_>) -> Members {
        let named = [
            ("javascript", node_members(place)),
            ("rust", table_members(place, "Cargo.toml", &["workspace"])),
            ("go", crate::runners::go_modules(place)),
            (
                "python",
                table_members(place, "pyproject.toml", &["tool", "uv", "workspace"]),
            ),
            ("dart", yaml_list(place, "pubspec.yaml", "workspace:")),
            ("javascript", runner_projects(place)),
        ];
        let sets = named
            .into_iter()
            .filter(|(_, patterns)| !patterns.is_empty())
            .map(|(language, patterns)| {
                let (excluded, named): (Vec<_>, Vec<_>) =
                    patterns.into_iter().partition(|p| p.starts_with('!'));
                let excluded = excluded
                    .iter()
                    .map(|p| p.trim_start_matches('!').to_owned());
                MemberSet {
                    language,
                    named: globs(named.into_iter()),
                    excluded: globs(excluded),
                }
            })
            .collect();
        Members { sets }
    }

    pub(super) fn include(&self, language: &str, dir: &str) -> bool {
        let of_language = |set: &&MemberSet| set.language == language;
        self.sets.iter().filter(of_language).any(|set| set.has(dir))
    }

    pub(super) fn include_in_any(&self, dir: &str) -> bool {
        self.sets.iter().any(|set| set.has(dir))
    }
}

struct MemberSet {
    language: &'static str,
    named: GlobSet,
    excluded: GlobSet,
}

impl MemberSet {
    fn has(&self, dir: &str) -> bool {
        self.named.is_match(dir) && !self.excluded.is_match(dir)
    }
}

fn globs(patterns: impl Iterator<Item = String>) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        if let Ok(glob) = GlobBuilder::new(pattern).literal_separator(true).build() {
            builder.add(glob);
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// The packages that `package.json` and the files beside it name.
pub(super) fn node_members(place: &Place<'_>) -> Vec<String> {
    let mut members = yaml_list(place, "pnpm-workspace.yaml", "packages:");
    let package = place.json("package.json").unwrap_or_default();
    members.extend(strings(&package["workspaces"]));
    members.extend(strings(&package["workspaces"]["packages"]));
    let lerna = place.json("lerna.json").unwrap_or_default();
    members.extend(strings(&lerna["packages"]));
    for file in ["deno.json", "deno.jsonc"] {
        let deno = place.json(file).unwrap_or_default();
        members.extend(strings(&deno["workspace"]));
    }
    members
}

/// The folders that a runner at the root runs as its projects.
fn runner_projects(place: &Place<'_>) -> Vec<String> {
    let runners = RUNNERS.iter();
    runners.flat_map(|one| (one.projects)(place)).collect()
}

/// `members` and `exclude` of a table in a TOML file.
fn table_members(place: &Place<'_>, file: &str, path: &[&str]) -> Vec<String> {
    let Some(manifest) = place.toml(file) else {
        return Vec::new();
    };
    let mut value = toml::Value::Table(manifest);
    for key in path {
        let Some(next) = value.get(key) else {
            return Vec::new();
        };
        value = next.clone();
    }
    let list = |key: &str| {
        let items = value.get(key).and_then(|list| list.as_array());
        let items = items.into_iter().flatten();
        items
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let excluded = list("exclude")
        .into_iter()
        .map(|pattern| format!("!{pattern}"));
    list("members").into_iter().chain(excluded).collect()
}

/// A list of plain strings under a key at the left margin of a YAML file.
fn yaml_list(place: &Place<'_>, file: &str, key: &str) -> Vec<String> {
    let text = place.read(file).unwrap_or_default();
    text.lines()
        .skip_while(|line| line.trim_end() != key)
        .skip(1)
        .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '-', '#', '\t']))
        .filter_map(|line| line.trim().strip_prefix('-'))
        .map(|item| item.split(" #").next().unwrap_or(item))
        .map(|item| item.trim().trim_matches(['"', '\'']).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}
