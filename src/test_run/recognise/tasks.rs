//! What stands behind the name of a task: scripts in manifests, targets, recipes.

use serde_json::Value;

/// The script `name` of a `package.json`, with those that npm runs before and after it.
pub(super) fn package_script(manifest: &str, name: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    let scripts = manifest.get("scripts")?;
    let script = |name: &str| scripts.get(name).and_then(Value::as_str);
    let main = script(name)?;
    let around = [
        script(&format!("pre{name}")),
        Some(main),
        script(&format!("post{name}")),
    ];
    Some(around.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

/// The task `name` of a `deno.json`, comments allowed.
pub(super) fn deno_task(manifest: &str, name: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(&without_comments(manifest)).ok()?;
    let task = manifest.get("tasks")?.get(name)?;
    let command = task.get("command").unwrap_or(task);
    command.as_str().map(str::to_owned)
}

fn without_comments(json: &str) -> String {
    json.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The script `name` of a `composer.json`; entries that name other scripts become `composer` calls.
pub(super) fn composer_script(manifest: &str, name: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    let script = manifest.get("scripts")?.get(name)?;
    let lines: Vec<&str> = match script {
        Value::String(line) => vec![line],
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let lines = lines.into_iter().map(|line| match line.strip_prefix('@') {
        Some(rest) if rest.starts_with("php ") || rest.starts_with("composer ") => rest.to_owned(),
        Some(rest) if rest.starts_with("putenv ") => String::new(),
        Some(rest) => format!("composer {rest}"),
        None => line.to_owned(),
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The command behind a task of one of the tables in a TOML manifest (`tool.pdm.scripts`, …).
/// `*` in a table's path stands for any key.
pub(super) fn toml_task(manifest: &str, tables: &[&str], name: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().ok()?;
    tables.iter().find_map(|path| {
        let root = toml::Value::Table(manifest.clone());
        let mut tables = vec![&root];
        for key in path.split('.') {
            tables = tables
                .into_iter()
                .filter_map(toml::Value::as_table)
                .flat_map(|table| {
                    table
                        .iter()
                        .filter(move |(found, _)| key == "*" || *found == key)
                        .map(|(_, value)| value)
                })
                .collect();
        }
        tables
            .into_iter()
            .find_map(|table| task_command(table.get(name)?))
    })
}

fn task_command(task: &toml::Value) -> Option<String> {
    match task {
        toml::Value::String(line) => Some(line.clone()),
        toml::Value::Array(lines) => {
            let lines: Vec<String> = lines.iter().filter_map(task_command).collect();
            Some(lines.join("\n"))
        }
        toml::Value::Table(table) => ["cmd", "shell", "sequence", "composite"]
            .iter()
            .find_map(|key| task_command(table.get(*key)?)),
        _ => None,
    }
}

/// The commands of a tox configuration, whatever the environment.
pub(super) fn tox_commands(ini: &str) -> String {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in ini.lines() {
        let is_continued = line.starts_with([' ', '\t']);
        if !is_continued {
            let key = line.split('=').next().unwrap_or_default().trim();
            inside = key.starts_with("commands");
        }
        if inside {
            let command = if is_continued {
                line
            } else {
                line.split_once('=').map_or("", |(_, value)| value)
            };
            // A leading `-` lets the command fail; `{posargs}` and the like stand for arguments.
            commands.push(command.trim().trim_start_matches('-').trim());
        }
    }
    commands.join("\n")
}

/// The recipe of a make target with those of its prerequisites, variables filled in.
pub(super) fn make_target(makefile: &str, target: Option<&str>) -> Option<String> {
    let makefile = makefile.replace("\\\n", " ");
    let target = match target {
        Some(target) => target,
        None => first_make_target(&makefile)?,
    };
    let mut recipe = Vec::new();
    let mut pending = vec![target.to_owned()];
    let mut done: Vec<String> = Vec::new();
    while let Some(target) = pending.pop() {
        if done.contains(&target) || done.len() > 50 {
            continue;
        }
        pending.extend(collect_make_rule(&makefile, &target, &mut recipe));
        done.push(target);
    }
    (!recipe.is_empty()).then(|| expand_make_variables(&recipe.join("\n"), &makefile))
}

fn first_make_target(makefile: &str) -> Option<&str> {
    makefile
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#', '.']))
        .filter_map(|line| line.split_once(':'))
        .find(|(names, rest)| !rest.starts_with('=') && !names.contains('='))
        .and_then(|(names, _)| names.split_whitespace().next())
}

/// Adds the recipe lines of a target, and gives its prerequisites.
fn collect_make_rule(makefile: &str, target: &str, recipe: &mut Vec<String>) -> Vec<String> {
    let mut needs = Vec::new();
    let mut inside = false;
    for line in makefile.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            if inside {
                recipe.push(command.trim_start_matches(['@', '-', '+', ' ']).to_owned());
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let rule = line.split_once(':').filter(|(names, rest)| {
            !rest.starts_with('=') && names.split_whitespace().any(|name| name == target)
        });
        inside = rule.is_some();
        if let Some((_, rest)) = rule {
            let (prerequisites, command) = rest.split_once(';').unwrap_or((rest, ""));
            let prerequisites = prerequisites.trim_start_matches(':').split_whitespace();
            needs.extend(prerequisites.map(str::to_owned));
            recipe.push(command.trim().to_owned());
        }
    }
    needs
}

fn expand_make_variables(recipe: &str, makefile: &str) -> String {
    let mut text = recipe.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    // Variables may hold others; a few rounds are enough, and a loop ends.
    for _ in 0..4 {
        if !text.contains("$(") && !text.contains("${") {
            break;
        }
        for line in makefile.lines().filter(|line| !line.starts_with('\t')) {
            let Some((name, value)) = line.split_once('=') else {
                continue;
            };
            let name = name.trim_end_matches([':', '?', '!', '+']).trim();
            let name = name.strip_prefix("export ").unwrap_or(name).trim();
            let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
            if !name.is_empty() && name.chars().all(is_name) && text.len() < 100_000 {
                let value = value.trim();
                text = text
                    .replace(&format!("$({name})"), value)
                    .replace(&format!("${{{name}}}"), value);
            }
        }
    }
    text.replace("$$", "$")
}

/// The body of a recipe of just, with its dependencies, variables filled in.
pub(super) fn just_recipe(justfile: &str, name: Option<&str>) -> Option<String> {
    let name = match name {
        Some(name) => name,
        None => justfile.lines().find_map(just_header)?.0,
    };
    let mut body = Vec::new();
    let mut pending = vec![name.to_owned()];
    let mut done: Vec<String> = Vec::new();
    while let Some(name) = pending.pop() {
        if done.contains(&name) || done.len() > 50 {
            continue;
        }
        if let Some(target) = just_alias(justfile, &name) {
            pending.push(target.to_owned());
        }
        pending.extend(collect_just_recipe(justfile, &name, &mut body));
        done.push(name);
    }
    (!body.is_empty()).then(|| expand_just_variables(&body.join("\n"), justfile))
}

/// The name and the dependencies of a recipe, if the line begins one.
fn just_header(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#', '[']) || line.contains(":=") && !line.contains(": ") {
        return None;
    }
    let (head, needs) = line.split_once(':')?;
    if needs.starts_with('=') {
        return None;
    }
    let name = head.split_whitespace().next()?.trim_start_matches('@');
    Some((name, needs))
}

fn just_alias<'a>(justfile: &'a str, name: &str) -> Option<&'a str> {
    justfile.lines().find_map(|line| {
        let (alias, target) = line.strip_prefix("alias ")?.split_once(":=")?;
        (alias.trim() == name).then(|| target.trim())
    })
}

fn collect_just_recipe(justfile: &str, name: &str, body: &mut Vec<String>) -> Vec<String> {
    let mut needs = Vec::new();
    let mut inside = false;
    for line in justfile.lines() {
        if line.starts_with([' ', '\t']) {
            if inside {
                body.push(line.trim().trim_start_matches(['@', '-']).to_owned());
            }
        } else if !line.is_empty() {
            let header = just_header(line).filter(|(found, _)| *found == name);
            inside = header.is_some();
            if let Some((_, dependencies)) = header {
                // `&&` stands between those that run before and after; `(name args)` has arguments.
                needs.extend(
                    dependencies
                        .split_whitespace()
                        .map(|need| need.trim_matches(['(', ')']).to_owned()),
                );
            }
        }
    }
    needs
}

fn expand_just_variables(body: &str, justfile: &str) -> String {
    let mut text = body.to_owned();
    if !text.contains("{{") {
        return text;
    }
    for line in justfile.lines() {
        if let Some((name, value)) = line.split_once(":=") {
            let name = name.trim();
            let name = name.strip_prefix("export ").unwrap_or(name).trim();
            let value = value.trim().trim_matches(['"', '\'']);
            text = text
                .replace(&format!("{{{{{name}}}}}"), value)
                .replace(&format!("{{{{ {name} }}}}"), value);
        }
    }
    text
}

/// The commands of a task in a `Taskfile.yml`: the lines of its block that look like them.
pub(super) fn taskfile_task(taskfile: &str, name: &str) -> Option<String> {
    let header = format!("{name}:");
    let mut lines = taskfile
        .lines()
        .skip_while(|line| line.trim() != "tasks:")
        .skip_while(|line| line.trim() != header);
    let indent = indent_of(lines.next()?);
    let block = lines.take_while(|line| line.trim().is_empty() || indent_of(line) > indent);
    let commands = block.filter_map(|line| {
        let line = line.trim();
        let command = line.strip_prefix("- ")?;
        Some(match command.strip_prefix("task: ") {
            Some(task) => format!("task {task}"),
            None => command.strip_prefix("cmd: ").unwrap_or(command).to_owned(),
        })
    });
    Some(commands.collect::<Vec<_>>().join("\n"))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_scripts_come_with_their_surroundings() {
        let manifest = r#"{"scripts": {"pretest": "lint", "test": "vitest run", "x": "y"}}"#;
        assert_eq!(
            package_script(manifest, "test").as_deref(),
            Some("lint\nvitest run")
        );
        assert_eq!(package_script(manifest, "none"), None);
        assert_eq!(package_script("not json", "test"), None);
    }

    #[test]
    fn composer_scripts_call_each_other() {
        let manifest =
            r#"{"scripts": {"test": ["@putenv A=b", "@php vendor/bin/phpunit", "@lint"]}}"#;
        assert_eq!(
            composer_script(manifest, "test").as_deref(),
            Some("\nphp vendor/bin/phpunit\ncomposer lint")
        );
    }

    #[test]
    fn toml_tasks_are_found_in_any_table_named() {
        let manifest = "[tool.pdm.scripts]\ntest = {cmd = 'pytest -q'}\nall = ['a', 'b']\n\
                        [tool.hatch.envs.default.scripts]\ncov = 'pytest --cov'\n";
        let tables = ["tool.pdm.scripts", "tool.hatch.envs.*.scripts"];
        let cases = [
            ("test", Some("pytest -q")),
            ("all", Some("a\nb")),
            ("cov", Some("pytest --cov")),
            ("none", None),
        ];
        for (name, expected) in cases {
            assert_eq!(toml_task(manifest, &tables, name).as_deref(), expected);
        }
    }

    #[test]
    fn tox_commands_are_collected() {
        let ini = "[testenv]\ndeps = pytest\ncommands =\n    - pytest {posargs}\n    b\nx = y\n";
        assert_eq!(tox_commands(ini), "\npytest {posargs}\nb");
        assert_eq!(tox_commands("[testenv]\ncommands = pytest"), "pytest");
    }

    #[test]
    fn make_recipes_come_with_prerequisites_and_variables() {
        let makefile = "PY ?= python3\nPYTEST := $(PY) -m pytest\n.PHONY: test all\n\
                        all: build\n\ntest: build unit ; echo x\n\t@$(PYTEST) \\\n\t  -q\n\n\
                        unit:\n\t-${PY} -m unittest\n\nbuild:\n\tcc a.c\n";
        assert_eq!(
            make_target(makefile, Some("test")).as_deref(),
            Some("echo x\npython3 -m pytest  \t  -q\n\npython3 -m unittest\n\ncc a.c")
        );
        assert_eq!(make_target(makefile, None).as_deref(), Some("\n\ncc a.c"));
        assert_eq!(make_target(makefile, Some("none")), None);
        assert!(make_target("A = $(A)\nt:\n\t$(A)\n", Some("t")).is_some());
    }

    #[test]
    fn just_recipes_come_with_dependencies_and_variables() {
        let justfile = "set shell := ['bash', '-c']\npy := 'python3'\nalias t := test\n\n\
                        # runs\ntest *args: (build 'x')\n    @{{py}} -m pytest {{args}}\n\n\
                        build what:\n    make {{what}}\n";
        let expected = Some("python3 -m pytest {{args}}\nmake {{what}}");
        assert_eq!(just_recipe(justfile, Some("test")).as_deref(), expected);
        assert_eq!(just_recipe(justfile, Some("t")).as_deref(), expected);
        assert_eq!(just_recipe(justfile, None).as_deref(), expected);
        assert_eq!(just_recipe(justfile, Some("none")), None);
    }

    #[test]
    fn tasks_of_a_taskfile() {
        let taskfile = "version: '3'\ntasks:\n  build:\n    cmds: [make]\n  test:\n    deps: [x]\n    cmds:\n      - task: build\n      - go test ./...\n  z:\n    cmds:\n      - other\n";
        assert_eq!(
            taskfile_task(taskfile, "test").as_deref(),
            Some("task build\ngo test ./...")
        );
    }
}
