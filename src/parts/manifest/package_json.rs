//! `package.json`: npm, pnpm, Yarn, Bun.

use serde_json::Value;

use super::Unreadable;
use super::entry::{Change, Entry, Format, Part, as_declared, may_run_in_tests};
use super::json;
use super::rules::{self, Rule};

use Part::{About, Dependencies, Steering};

const RULES: &[Rule] = &[
    ("dependencies.*", Dependencies),
    ("devDependencies.*", Dependencies),
    ("peerDependencies.*", Dependencies),
    ("optionalDependencies.*", Dependencies),
    ("peerDependenciesMeta", Dependencies),
    ("dependenciesMeta", Dependencies),
    ("bundledDependencies", Dependencies),
    ("bundleDependencies", Dependencies),
    ("trustedDependencies", Dependencies),
    ("overrides.*", Dependencies),
    ("resolutions.*", Dependencies),
    ("pnpm.overrides.*", Dependencies),
    ("pnpm.patchedDependencies", Steering),
    ("pnpm.*", Dependencies),
    ("catalog.*", Dependencies),
    ("catalogs", Dependencies),
    ("patchedDependencies", Steering),
    ("engines", Dependencies),
    ("devEngines", Dependencies),
    ("packageManager", Dependencies),
    ("volta", Dependencies),
    ("scripts.*", Steering),
    ("wireit.*", Steering),
    // Runners and what measures for them.
    ("ava", Steering),
    ("c8", Steering),
    ("cypress", Steering),
    ("cypress-cucumber-preprocessor", Steering),
    ("jasmine", Steering),
    ("jest", Steering),
    ("jest-junit", Steering),
    ("karma", Steering),
    ("mocha", Steering),
    ("nyc", Steering),
    ("qunit", Steering),
    ("tap", Steering),
    ("taprc", Steering),
    ("testem", Steering),
    ("tsd", Steering),
    ("uvu", Steering),
    ("vitest", Steering),
    // What is loaded for a name, and how it is translated.
    ("babel", Steering),
    ("browser", Steering),
    ("config", Steering),
    ("esm", Steering),
    ("exports.*", Steering),
    ("imports.*", Steering),
    ("main", Steering),
    ("module", Steering),
    ("swc", Steering),
    ("ts-node", Steering),
    ("tsx", Steering),
    ("type", Steering),
    ("workspaces", Steering),
    ("nx", Steering),
    ("turbo", Steering),
];

pub(super) const FORMAT: Format = Format {
    read,
    take: json::take,
    effect,
};

fn read(text: &str) -> Result<Vec<Entry>, Unreadable> {
    let mut document = json::read(text)?;
    for name in ["exports", "imports"] {
        if let Some(value) = document.get_mut(name) {
            keep_order(value);
        }
    }
    Ok(rules::entries(&document, RULES))
}

/// Among conditions (`import`, `require`, `default`) the first one wins, so their order counts;
/// among paths it does not.
fn keep_order(value: &mut Value) {
    let is_path = |name: &String| name.starts_with(['.', '#']);
    match value {
        Value::Object(table) if table.keys().all(is_path) => {
            for target in table.values_mut() {
                *target = Value::String(target.to_string());
            }
        }
        value => *value = Value::String(value.to_string()),
    }
}

/// Keys that only say what a new package is.
const IDENTITY: &[&str] = &["type", "main", "module", "browser", "exports", "imports"];

fn effect(change: &Change<'_>) -> Part {
    let first = change.key.first().map_or("", String::as_str);
    match first {
        "scripts" | "wireit" if change.is_added() && !may_run_in_tests(change.name()) => About,
        // One more path, beside those that are there.
        "exports" | "imports" if change.is_added() && change.key.len() > 1 => About,
        "workspaces" if change.only_adds_to_a_list() => About,
        _ if change.is_new && IDENTITY.contains(&first) => About,
        "overrides" | "resolutions" | "pnpm" if change.diverts() => Steering,
        _ => as_declared(change),
    }
}
