//! JavaScript and TypeScript: npm, pnpm, yarn, bun, deno.

use serde_json::Value;

use super::members::node_members;
use super::tree::Place;
use super::{Found, Strength};

pub(super) const LANGUAGE: &str = "javascript";

/// The program that installs packages and runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    fn named(name: &str) -> Option<Manager> {
        match name {
            "npm" => Some(Manager::Npm),
            "pnpm" => Some(Manager::Pnpm),
            "yarn" => Some(Manager::Yarn),
            "bun" => Some(Manager::Bun),
            _ => None,
        }
    }

    /// What package.json says, else whose lock file is there; a workspace has both at its root.
    pub(super) fn of(place: &Place<'_>) -> Manager {
        let here = || Self::declared(place).or_else(|| Self::locked(place));
        let above = || {
            let root = place.root();
            Self::declared(&root).or_else(|| Self::locked(&root))
        };
        here().or_else(above).unwrap_or(Manager::Npm)
    }

    fn declared(place: &Place<'_>) -> Option<Manager> {
        let package = place.json("package.json")?;
        let field = package["packageManager"].as_str();
        let field = field.and_then(|field| field.split('@').next());
        let engine = || package["devEngines"]["packageManager"]["name"].as_str();
        Manager::named(field.or_else(engine)?)
    }

    fn locked(place: &Place<'_>) -> Option<Manager> {
        let locks = [
            ("pnpm-lock.yaml", Manager::Pnpm),
            ("pnpm-workspace.yaml", Manager::Pnpm),
            ("yarn.lock", Manager::Yarn),
            ("bun.lock", Manager::Bun),
            ("bun.lockb", Manager::Bun),
            ("package-lock.json", Manager::Npm),
            ("npm-shrinkwrap.json", Manager::Npm),
            ("bunfig.toml", Manager::Bun),
        ];
        let lock = locks.iter().find(|(file, _)| place.exists(file))?;
        Some(lock.1)
    }

    /// Runs a script of package.json.
    pub(super) fn script(self, name: &str) -> String {
        match (self, name) {
            (Manager::Npm, "test") => "npm test".to_owned(),
            (Manager::Pnpm, "test") => "pnpm test".to_owned(),
            (Manager::Yarn, _) => format!("yarn {name}"),
            (Manager::Npm, _) => format!("npm run {name}"),
            (Manager::Pnpm, _) => format!("pnpm run {name}"),
            // `bun test` is its own runner, not the script.
            (Manager::Bun, _) => format!("bun run {name}"),
        }
    }

    /// Runs a program of an installed package.
    pub(super) fn exec(self, program: &str) -> String {
        match self {
            Manager::Npm => format!("npx {program}"),
            Manager::Pnpm => format!("pnpm exec {program}"),
            Manager::Yarn => format!("yarn {program}"),
            Manager::Bun => format!("bunx {program}"),
        }
    }

    /// Runs the script `test` of every package of a workspace.
    fn everywhere(self, place: &Place<'_>) -> &'static str {
        match self {
            Manager::Npm => "npm test --workspaces --if-present",
            Manager::Pnpm => "pnpm -r test",
            Manager::Yarn if is_new_yarn(place) => "yarn workspaces foreach -A run test",
            Manager::Yarn => "yarn workspaces run test",
            Manager::Bun => "bun run --filter '*' test",
        }
    }
}

/// Whether yarn is a version after 1, which has other commands for workspaces.
fn is_new_yarn(place: &Place<'_>) -> bool {
    let declared = place.json("package.json").and_then(|package| {
        let version = package["packageManager"].as_str()?.strip_prefix("yarn@")?;
        Some(!version.starts_with("1.") && version != "1")
    });
    declared.unwrap_or_else(|| {
        place.exists(".yarnrc.yml") || place.mentions("yarn.lock", "\n__metadata:")
    })
}

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Found>) {
    deno(place, out);
    let Some(package) = place.json("package.json") else {
        return bun_without_package(place, out);
    };
    let manager = Manager::of(place);
    if let Some((name, command)) = test_script(&package, manager) {
        let why = format!("script `{name}` in `package.json`");
        out.push(node(Strength::Script, command, why, "package.json"));
    }
    if !node_members(place).is_empty() {
        let (command, why, file) = workspace_command(place, manager);
        out.push(node(Strength::Configured, command, why, file));
    }
    runner(place, &package, manager, out);
}

fn node(
    strength: Strength,
    command: impl Into<String>,
    why: impl Into<String>,
    file: &str,
) -> Found {
    Found::new(strength, Some(LANGUAGE), command, why, file)
}

/// The script that runs the tests once.
fn test_script(package: &Value, manager: Manager) -> Option<(&'static str, String)> {
    let scripts = &package["scripts"];
    let names = [
        "test",
        "test:ci",
        "test:run",
        "test:once",
        "test:unit",
        "tests",
    ];
    let usable = |name: &&str| {
        scripts[*name]
            .as_str()
            .is_some_and(|line| !is_no_test(line) && !watches(line))
    };
    let name = names.into_iter().find(usable)?;
    let line = scripts[name].as_str().unwrap_or_default();
    Some((name, once(line, manager.script(name), manager)))
}

/// The call of a script whose runner watches for changes unless it is told not to.
fn once(line: &str, command: String, manager: Manager) -> String {
    if line.contains("react-scripts test") {
        format!("CI=true {command}")
    } else if calls_angular(line) && !line.contains("watch") {
        match manager {
            Manager::Npm => format!("{command} -- --watch=false"),
            Manager::Pnpm | Manager::Yarn | Manager::Bun => format!("{command} --watch=false"),
        }
    } else {
        command
    }
}

fn calls_angular(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).any(|pair| pair == ["ng", "test"])
}

/// A script that is there but runs nothing, such as npm's own placeholder.
fn is_no_test(line: &str) -> bool {
    line.contains("no test specified")
        || line.split("&&").all(|part| {
            matches!(
                part.split_whitespace().next(),
                None | Some("echo" | "true" | ":" | "exit")
            )
        })
}

fn watches(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let by_flag = matches!(word, "--watch" | "--watchAll" | "--watch=true");
        let by_command =
            word.ends_with("vitest") && matches!(words.peek(), Some(&("watch" | "dev")));
        if by_flag || by_command {
            return true;
        }
    }
    false
}

fn workspace_command(place: &Place<'_>, manager: Manager) -> (String, String, &'static str) {
    let by_tool = [
        ("turbo.json", "turbo run test"),
        ("nx.json", "nx run-many -t test"),
        ("lerna.json", "lerna run test"),
    ];
    match by_tool.iter().find(|(file, _)| place.exists(file)) {
        Some((file, tool)) => {
            let why = format!("`{file}`: the tests of all packages");
            (manager.exec(tool), why, file)
        }
        None => {
            let file = match place.exists("pnpm-workspace.yaml") {
                true => "pnpm-workspace.yaml",
                false => "package.json",
            };
            let why = format!("workspaces in `{file}`: the tests of all packages");
            (manager.everywhere(place).to_owned(), why, file)
        }
    }
}

/// Runners that need no script, by package, by the start of their config files, with their call.
const RUNNERS: &[(&str, &str, &str)] = &[
    ("vitest", "vitest.config.", "vitest run"),
    ("jest", "jest.config.", "jest"),
    ("mocha", ".mocharc", "mocha"),
    ("ava", "ava.config.", "ava"),
    ("jasmine", "jasmine.json", "jasmine"),
    ("tap", ".taprc", "tap"),
    ("qunit", "qunit.config.", "qunit"),
    ("uvu", "uvu.config.", "uvu {dir}"),
    ("tape", ".tape", "tape '{dir}/**/*.js'"),
    ("@cucumber/cucumber", "cucumber.", "cucumber-js"),
    ("@playwright/test", "playwright.config.", "playwright test"),
];

fn runner(place: &Place<'_>, package: &Value, manager: Manager, out: &mut Vec<Found>) {
    for (name, config, call) in RUNNERS {
        let depends = ["devDependencies", "dependencies"]
            .iter()
            .any(|list| package[*list].get(*name).is_some());
        let config = place.first_named(|file| file.starts_with(config));
        let (why, file) = match config {
            Some(config) => (format!("`{config}`"), config),
            None if depends => (
                format!("`{name}` in the dependencies of `package.json`"),
                "package.json".to_owned(),
            ),
            None => continue,
        };
        let dir = test_file(place);
        let dir = dir.as_deref().and_then(|file| file.rsplit_once('/'));
        let call = call.replace("{dir}", dir.map_or("test", |(dir, _)| dir));
        out.push(node(Strength::Configured, manager.exec(&call), why, &file));
    }
    let Some(test_file) = test_file(place) else {
        return;
    };
    let (command, strength) = match manager {
        Manager::Bun => ("bun test", Strength::Configured),
        _ => ("node --test", Strength::Default),
    };
    out.push(node(
        strength,
        command,
        format!("`{test_file}`"),
        &test_file,
    ));
}

/// A file that a runner would take for a test without being told.
fn test_file(place: &Place<'_>) -> Option<String> {
    let script = |name: &str| {
        [".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let marked = |name: &str| {
        script(name)
            && [".test.", "_test.", "-test.", ".spec."]
                .iter()
                .any(|m| name.contains(m))
    };
    for dir in ["test", "tests", "__tests__", "src", ""] {
        let in_test_dir = !matches!(dir, "src" | "");
        let found = place
            .list(dir)
            .into_iter()
            .find(|name| marked(name) || (in_test_dir && script(name)));
        if let Some(name) = found {
            let slash = if dir.is_empty() { "" } else { "/" };
            return Some(format!("{dir}{slash}{name}"));
        }
    }
    None
}

fn bun_without_package(place: &Place<'_>, out: &mut Vec<Found>) {
    if place.exists("bunfig.toml") {
        out.push(node(
            Strength::Default,
            "bun test",
            "`bunfig.toml`",
            "bunfig.toml",
        ));
    }
}

fn deno(place: &Place<'_>, out: &mut Vec<Found>) {
    let Some(file) = place.first(&["deno.json", "deno.jsonc"]) else {
        return;
    };
    let task = place.json(file).is_some_and(|config| {
        let task = &config["tasks"]["test"];
        task.is_string() || task["command"].is_string()
    });
    if task {
        let why = format!("task `test` in `{file}`");
        out.push(node(Strength::Script, "deno task test", why, file));
    }
    let strength = match place.exists("package.json") {
        true => Strength::Fallback,
        false => Strength::Default,
    };
    out.push(node(strength, "deno test", format!("`{file}`"), file));
}
