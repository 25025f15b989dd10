//! JavaScript and TypeScript: npm, pnpm, yarn, bun, deno.

use serde_json::Value;

use super::members::node_members;
use crate::runners::project::node::{Manager, node, test_file};
use crate::runners::project::{Offer, Place, Strength};
use crate::runners::{RUNNERS, Runner};

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Offer>) {
    deno_task(place, out);
    let Some(package) = place.json("package.json") else {
        return;
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
    runners(place, &package, manager, out);
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
        let is_told_to = |runner: &&Runner| {
            let next = words.peek().copied().unwrap_or_default();
            runner.programs.iter().any(|name| word.ends_with(name))
                && runner.watches.contains(&next)
        };
        let by_command = RUNNERS.iter().any(is_told_to);
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

fn runners(place: &Place<'_>, package: &Value, manager: Manager, out: &mut Vec<Offer>) {
    let shelf = RUNNERS.iter().filter(|runner| !runner.call.is_empty());
    let shelf = shelf.map(|runner| {
        let package = runner.packages.first().copied().unwrap_or_default();
        (package, runner.configs, runner.call)
    });
    for (name, configs, call) in shelf {
        let depends = ["devDependencies", "dependencies"]
            .iter()
            .any(|list| package[*list].get(name).is_some());
        let config = place.first_named(|file| configs.iter().any(|start| file.starts_with(start)));
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
}

/// A task of `deno.json`.
fn deno_task(place: &Place<'_>, out: &mut Vec<Offer>) {
    let Some(file) = place.first(&["deno.json", "deno.jsonc"]) else {
        return;
    };
    let is_there = place.json(file).is_some_and(|config| {
        let task = &config["tasks"]["test"];
        task.is_string() || task["command"].is_string()
    });
    if is_there {
        let why = format!("task `test` in `{file}`");
        out.push(node(Strength::Script, "deno task test", why, file));
    }
}
