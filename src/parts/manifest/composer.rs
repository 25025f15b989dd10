//! `composer.json`.

use super::Unreadable;
use super::entry::{Change, Entry, Format, Part, as_declared, may_run_in_tests};
use super::json;
use super::rules::{self, Rule};

use Part::{About, Dependencies, Steering};

const RULES: &[Rule] = &[
    ("require.*", Dependencies),
    ("require-dev.*", Dependencies),
    ("conflict", Dependencies),
    ("replace", Dependencies),
    ("provide", Dependencies),
    ("suggest", Dependencies),
    ("repositories", Dependencies),
    ("minimum-stability", Dependencies),
    ("prefer-stable", Dependencies),
    // Composer itself writes these when a dependency with a plugin is added.
    ("config.allow-plugins", Dependencies),
    ("config.sort-packages", About),
    ("config", Steering),
    ("autoload.psr-4.*", Steering),
    ("autoload.psr-0.*", Steering),
    ("autoload.*", Steering),
    ("autoload-dev.psr-4.*", Steering),
    ("autoload-dev.psr-0.*", Steering),
    ("autoload-dev.*", Steering),
    ("include-path", Steering),
    ("target-dir", Steering),
    ("scripts.*", Steering),
    ("scripts-aliases", About),
];

pub(super) const FORMAT: Format = Format {
    read,
    take: json::take,
    effect,
};

fn read(text: &str) -> Result<Vec<Entry>, Unreadable> {
    Ok(rules::entries(&json::read(text)?, RULES))
}

fn effect(change: &Change<'_>) -> Part {
    let adds_namespace = change.key.len() == 3 && change.is_below(&["autoload"]);
    if change.is_added() && adds_namespace {
        return About;
    }
    if change.is_added() && change.is_below(&["scripts"]) && !may_run_in_tests(change.name()) {
        return About;
    }
    if change.is_at(&["repositories"]) && change.diverts() {
        return Steering;
    }
    as_declared(change)
}
