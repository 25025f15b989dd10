//! Manifests in TOML: `Cargo.toml`, `pyproject.toml`, `Pipfile`, Gradle's version catalogue.

use serde_json::Value;
use toml_edit::{DocumentMut, Item, TableLike};

use super::Unreadable;
use super::entry::{Change, Entry, Format, Key, Part, as_declared, may_run_in_tests};
use super::rules::{self, Rule};

use Part::{About, Dependencies, Steering};

const CARGO: &[Rule] = &[
    ("dependencies.*", Dependencies),
    ("dev-dependencies.*", Dependencies),
    ("dev_dependencies.*", Dependencies),
    ("build-dependencies.*", Dependencies),
    ("build_dependencies.*", Dependencies),
    ("target.*.dependencies.*", Dependencies),
    ("target.*.dev-dependencies.*", Dependencies),
    ("target.*.build-dependencies.*", Dependencies),
    ("workspace.dependencies.*", Dependencies),
    ("workspace.package.edition", Steering),
    ("workspace.package.*", About),
    ("workspace.lints", About),
    ("workspace.metadata", About),
    ("workspace.*", Steering),
    ("package.autobenches", Steering),
    ("package.autobins", Steering),
    ("package.autoexamples", Steering),
    ("package.autolib", Steering),
    ("package.autotests", Steering),
    ("package.build", Steering),
    ("package.edition", Steering),
    ("package.forced-target", Steering),
    ("package.default-target", Steering),
    ("package.links", Steering),
    ("package.resolver", Steering),
    ("package.workspace", Steering),
    ("package.*", About),
    ("features.*", Steering),
    ("lib.*", Steering),
    ("bin", Steering),
    ("test", Steering),
    ("bench", Steering),
    ("example", Steering),
    ("profile.*", Steering),
    ("patch.*.*", Steering),
    ("replace", Steering),
    ("cargo-features", Steering),
];

const PYPROJECT_RULES: &[Rule] = &[
    ("project.dependencies", Dependencies),
    ("project.optional-dependencies.*", Dependencies),
    ("project.requires-python", Dependencies),
    ("project.entry-points.pytest11", Steering),
    ("project.entry-points.*", About),
    ("project.*", About),
    ("dependency-groups.*", Dependencies),
    ("build-system.requires", Dependencies),
    ("build-system.*", Steering),
    ("tool.poetry.dependencies.*", Dependencies),
    ("tool.poetry.dev-dependencies.*", Dependencies),
    ("tool.poetry.group.*.dependencies.*", Dependencies),
    ("tool.poetry.extras", Dependencies),
    ("tool.poetry.source", Dependencies),
    ("tool.poetry.build", Steering),
    ("tool.poetry.plugins.pytest11", Steering),
    ("tool.poetry.plugins.*", About),
    ("tool.pdm.dev-dependencies.*", Dependencies),
    ("tool.pdm.source", Dependencies),
    ("tool.pdm.scripts.*", Steering),
    ("tool.pdm.build", Steering),
    ("tool.uv.dev-dependencies", Dependencies),
    ("tool.uv.constraint-dependencies", Dependencies),
    ("tool.uv.override-dependencies", Dependencies),
    ("tool.uv.default-groups", Dependencies),
    ("tool.uv.index", Dependencies),
    ("tool.uv.sources.*", Dependencies),
    ("tool.uv.workspace.members", Steering),
    ("tool.uv.*", Steering),
    ("tool.hatch.envs.*.dependencies", Dependencies),
    ("tool.hatch.envs.*.extra-dependencies", Dependencies),
    ("tool.hatch.envs.*.*", Steering),
    ("tool.hatch.build.hooks", Steering),
    ("tool.pixi.dependencies", Dependencies),
    ("tool.pixi.pypi-dependencies", Dependencies),
    ("tool.pixi.feature.*.dependencies", Dependencies),
    ("tool.pixi.feature.*.pypi-dependencies", Dependencies),
    ("tool.pixi.feature.*.tasks.*", Steering),
    ("tool.pixi.tasks.*", Steering),
    ("tool.poe.tasks.*", Steering),
    ("tool.poe.*", Steering),
    ("tool.taskipy.tasks.*", Steering),
    ("tool.setuptools.cmdclass", Steering),
    ("tool.setuptools.ext-modules", Steering),
    ("tool.setuptools.package-dir", Steering),
    ("tool.maturin", Steering),
    ("tool.scikit-build", Steering),
    ("tool.pytest.ini_options.*", Steering),
    // Runners and what measures for them.
    ("tool.pytest", Steering),
    ("tool.pytest-enabler", Steering),
    ("tool.pytest_env", Steering),
    ("tool.behave", Steering),
    ("tool.coverage.*.*", Steering),
    ("tool.coverage", Steering),
    ("tool.doit", Steering),
    ("tool.inline-snapshot", Steering),
    ("tool.mutmut", Steering),
    ("tool.nose2", Steering),
    ("tool.nox", Steering),
    ("tool.robot", Steering),
    ("tool.tox", Steering),
    ("tool.ward", Steering),
    ("tool.*", About),
];

const PIPFILE: &[Rule] = &[
    ("packages.*", Dependencies),
    ("dev-packages.*", Dependencies),
    ("source", Dependencies),
    ("requires", Dependencies),
    ("scripts.*", Steering),
];

const CATALOGUE: &[Rule] = &[
    ("versions.*", Dependencies),
    ("libraries.*", Dependencies),
    ("bundles.*", Dependencies),
    ("plugins.*", Steering),
];

pub(super) const CARGO_TOML: Format = Format {
    read: |text| read(text, CARGO),
    take,
    effect: cargo_effect,
};

pub(super) const PYPROJECT: Format = Format {
    read: |text| read(text, PYPROJECT_RULES),
    take,
    effect: pyproject_effect,
};

pub(super) const PIPENV: Format = Format {
    read: |text| read(text, PIPFILE),
    take,
    effect: pyproject_effect,
};

pub(super) const VERSION_CATALOGUE: Format = Format {
    read: |text| read(text, CATALOGUE),
    take,
    effect: as_declared,
};

fn cargo_effect(change: &Change<'_>) -> Part {
    let first = change.key.first().map_or("", String::as_str);
    match first {
        // Nobody asks for a new feature yet.
        "features" if change.is_added() && change.name() != "default" => About,
        "bin" | "example" | "bench" if adds_plain_targets(change) => About,
        "workspace" if change.is_at(&["workspace", "members"]) && change.only_adds_to_a_list() => {
            About
        }
        "package" | "lib" if change.is_new && says_what_it_is(change.name()) => About,
        _ => as_declared(change),
    }
}

/// Of a new package.
fn says_what_it_is(name: &str) -> bool {
    [
        "edition",
        "name",
        "path",
        "workspace",
        "crate-type",
        "resolver",
    ]
    .contains(&name)
}

/// Targets with a name and a path of their own, next to those that are there: settings such as
/// `test = false` could switch the tests of a file off.
fn adds_plain_targets(change: &Change<'_>) -> bool {
    let known = |target: &Value| {
        let old = change.old.and_then(Value::as_array);
        old.is_some_and(|old| old.contains(target))
    };
    let is_plain = |target: &Value| {
        target
            .as_object()
            .is_some_and(|table| table.keys().all(|key| key == "name" || key == "path"))
    };
    change.only_adds_to_a_list()
        && change
            .new
            .and_then(Value::as_array)
            .is_some_and(|new| new.iter().all(|target| known(target) || is_plain(target)))
}

fn pyproject_effect(change: &Change<'_>) -> Part {
    let tasks = [
        &["scripts"][..],
        &["tool", "pdm", "scripts"],
        &["tool", "pixi", "tasks"],
        &["tool", "poe", "tasks"],
        &["tool", "taskipy", "tasks"],
    ];
    let is_task = tasks.iter().any(|start| change.is_below(start));
    if is_task && change.is_added() && !may_run_in_tests(change.name()) {
        return About;
    }
    if change.is_at(&["tool", "uv", "workspace", "members"]) && change.only_adds_to_a_list() {
        return About;
    }
    // Where a dependency comes from: a member of the workspace is its own project.
    if change.is_below(&["tool", "uv", "sources"]) && change.diverts() {
        return Steering;
    }
    // How a new package is built is part of what it is.
    if change.is_new && change.is_at(&["build-system", "build-backend"]) {
        return About;
    }
    as_declared(change)
}

fn read(text: &str, rules: &[Rule]) -> Result<Vec<Entry>, Unreadable> {
    let document: Value = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let reason = error.message().lines().next().unwrap_or_default();
        Unreadable::at(text, at, reason)
    })?;
    Ok(rules::entries(&document, rules))
}

/// `base` with these keys as they are in `from`; comments stay where they are.
fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let mut document: DocumentMut = base.parse().ok()?;
    let from: DocumentMut = from.parse().ok()?;
    for key in keys {
        match item_at(from.as_table(), key) {
            Some(item) => set(document.as_table_mut(), key, item)?,
            None => take_out(document.as_table_mut(), key, from.as_table()),
        }
    }
    Some(document.to_string())
}

fn item_at<'a>(table: &'a dyn TableLike, key: &[String]) -> Option<&'a Item> {
    let (name, rest) = key.split_first()?;
    let item = table.get(name).filter(|item| !item.is_none())?;
    if rest.is_empty() {
        Some(item)
    } else {
        item_at(item.as_table_like()?, rest)
    }
}

fn set(table: &mut dyn TableLike, key: &[String], item: &Item) -> Option<()> {
    let (name, rest) = key.split_first()?;
    if !rest.is_empty() {
        let inner = table.entry(name).or_insert_with(|| {
            let mut inner = toml_edit::Table::new();
            // Without a header of its own, unless something is put into it.
            inner.set_implicit(true);
            Item::Table(inner)
        });
        return set(inner.as_table_like_mut()?, rest, item);
    }
    let mut item = item.clone();
    forget_place(&mut item);
    match table.get_mut(name) {
        Some(place) => *place = item,
        None => {
            table.insert(name, item);
        }
    }
    Some(())
}

/// Tables are written in the order of the document they come from: here that says nothing.
fn forget_place(item: &mut Item) {
    if let Item::Table(table) = item {
        table.set_position(None);
        for (_, item) in table.iter_mut() {
            forget_place(item);
        }
    }
}

/// Tables that are empty then go too, unless the other version has them.
fn take_out(table: &mut dyn TableLike, key: &[String], theirs: &dyn TableLike) {
    let Some((name, rest)) = key.split_first() else {
        return;
    };
    if rest.is_empty() {
        table.remove(name);
        return;
    }
    let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) else {
        return;
    };
    let theirs = theirs.get(name).and_then(Item::as_table_like);
    let nothing = toml_edit::Table::new();
    take_out(inner, rest, theirs.unwrap_or(&nothing));
    let is_empty = inner.iter().all(|(_, item)| item.is_none());
    if is_empty && theirs.is_none() {
        table.remove(name);
    }
}
