//! `deno.json` and `deno.jsonc`.

use super::Unreadable;
use super::entry::{Change, Entry, Format, Part, as_declared, may_run_in_tests};
use super::json;
use super::rules::{self, Rule};

use Part::{About, Dependencies, Steering};

const RULES: &[Rule] = &[
    ("imports.*", Dependencies),
    ("scopes", Steering),
    ("importMap", Steering),
    ("tasks.*", Steering),
    ("test", Steering),
    ("bench", About),
    ("compilerOptions", Steering),
    ("nodeModulesDir", Steering),
    ("unstable", Steering),
    ("workspace", Steering),
    ("exclude", Steering),
    ("patch", Steering),
    ("links", Steering),
];

pub(super) const FORMAT: Format = Format {
    read,
    take: json::take,
    effect,
};

fn read(text: &str) -> Result<Vec<Entry>, Unreadable> {
    Ok(rules::entries(&json::read_with_comments(text)?, RULES))
}

fn effect(change: &Change<'_>) -> Part {
    if change.is_added() && change.is_below(&["tasks"]) && !may_run_in_tests(change.name()) {
        return About;
    }
    if change.is_at(&["workspace"]) && change.only_adds_to_a_list() {
        return About;
    }
    as_declared(change)
}
