//! Programs that run tasks by name: package managers, make and its kin, tox.

use super::{
    Call, Package, PackageRunner, Place, Search, monorepos, skip_options, tasks, workspaces,
};

/// Looks into the task that a program is asked to run; `false` if it knows no tasks.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    match call.name {
        "npm" | "pnpm" | "yarn" | "bun" => look_into_package_script(search, call, at),
        "turbo" | "nx" | "lerna" => monorepos::look(search, call, at),
        "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" => {
            for name in call.arguments.iter().filter(|word| !word.starts_with('-')) {
                package_script(search, name, at);
            }
            true
        }
        "make" | "gmake" => {
            look_into_make(search, call, at);
            true
        }
        "just" => {
            look_into_just(search, call, at);
            true
        }
        "task" | "go-task" => {
            let taskfile = search.first_file(at, &["Taskfile.yml", "Taskfile.yaml"]);
            let names = call.arguments.iter().filter(|word| !word.starts_with('-'));
            for name in names {
                let script = taskfile
                    .as_deref()
                    .and_then(|file| tasks::taskfile_task(file, name));
                search.task("task", name, script, at);
            }
            true
        }
        "deno" => {
            let Some(("task", rest)) = call.positional(&["-c", "--config", "--cwd"]) else {
                return false;
            };
            if let Some(name) = skip_options(rest, &["--cwd", "-c", "--config"]).first() {
                let manifest = search.first_file(at, &["deno.json", "deno.jsonc"]);
                let script = manifest.and_then(|manifest| tasks::deno_task(&manifest, name));
                if !search.task("deno", name, script, at) {
                    package_script(search, name, at);
                }
            }
            true
        }
        "composer" => {
            let Some((sub, rest)) = call.positional(&["-d", "--working-dir"]) else {
                return true;
            };
            let name = match (sub, rest.first()) {
                ("run" | "run-script", Some(name)) => name,
                _ => sub,
            };
            let manifest = search.file(at, "composer.json");
            let script = manifest.and_then(|manifest| tasks::composer_script(&manifest, name));
            search.task("composer", name, script, at);
            true
        }
        "poe" => {
            if let Some((name, _)) = call.positional(&["-C", "-e"]) {
                python_task(search, "poe", name, at);
            }
            true
        }
        "pdm" | "hatch" | "pixi" => call
            .positional(&["-p", "--project", "-e"])
            .is_some_and(|(name, _)| python_task(search, call.name, name, at)),
        "tox" => {
            look_into_tox(search, call, at);
            true
        }
        _ => false,
    }
}

fn look_into_package_script(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    const WITH_VALUE: [&str; 11] = [
        "-C",
        "--prefix",
        "--dir",
        "--cwd",
        "-w",
        "--workspace",
        "--filter",
        "-F",
        "--loglevel",
        "--reporter",
        "--script-shell",
    ];
    let at = &call
        .option(&["--prefix", "--dir", "--cwd", "-C"])
        .map_or_else(|| at.clone(), |dir| at.in_dir(dir));
    // Without its manifest a workspace is named by its package, mostly like its folder: look there too.
    let workspace = call.option(&["--workspace", "--filter", "-w", "-F"]);
    // To pnpm `-w` is the root of the workspace.
    let with_value: Vec<&str> = (WITH_VALUE.into_iter())
        .filter(|option| call.name != "pnpm" || *option != "-w")
        .collect();
    let Some((sub, rest)) = call.positional(&with_value) else {
        return true;
    };
    let rest = skip_options(rest, &with_value);
    let (name, is_script) = match (call.name, sub) {
        ("npm", "t" | "tst" | "it" | "cit" | "install-test" | "install-ci-test") => ("test", true),
        ("pnpm", "t") => ("test", true),
        (_, "run" | "run-script" | "rum" | "urn") => match rest.first() {
            Some(name) => (name.as_str(), true),
            None => return true,
        },
        ("yarn", "workspace" | "workspaces") => {
            look_into_yarn_workspaces(search, call, rest, at);
            return true;
        }
        // bun has a runner of its own under this name.
        ("bun", "test") => return false,
        (_, "test") => ("test", true),
        _ => (sub, false),
    };
    let places = workspaces::places(search, call, at);
    if !places.is_empty() {
        for place in &places {
            let of = |by, package: String| Package {
                by,
                prefix: format!("{package} {name}: "),
                lets_end: None,
            };
            let place = Place {
                package: match call.name {
                    "pnpm" => Some(of(PackageRunner::Pnpm, place.dir.display().to_string())),
                    "bun" => Some(of(PackageRunner::Bun, monorepos::name_of(search, place))),
                    _ => None,
                },
                ..place.clone()
            };
            package_script(search, name, &place);
        }
        return true;
    }
    if package_script(search, name, at) {
        return true;
    }
    if let Some(workspace) = workspace {
        let folder = workspace.rsplit('/').next().unwrap_or(workspace);
        for parent in ["", "packages", "apps", "libs"] {
            if package_script(search, name, &at.in_dir(parent).in_dir(folder)) {
                return true;
            }
        }
    }
    if !is_script && call.name != "npm" {
        // `pnpm vitest`, `yarn jest`: a program of the project.
        let position = call.arguments.iter().position(|word| word == sub);
        let rest = call.arguments.split_at(position.unwrap_or(0)).1;
        search.command(rest, at);
    }
    true
}

/// `yarn workspace NAME test`, `yarn workspaces run test`, `yarn workspaces foreach -A run test`.
fn look_into_yarn_workspaces(
    search: &mut Search<'_>,
    call: &Call<'_>,
    rest: &[String],
    at: &Place,
) {
    let Some((first, rest)) = rest.split_first() else {
        return;
    };
    let wanted = match call.has("workspace") {
        true => first.as_str(),
        false => "*",
    };
    let mut words = vec![call.program.to_owned()];
    words.extend_from_slice(rest);
    let mut places = workspaces::chosen(search, &[wanted], at);
    if places.is_empty() {
        places.push(at.clone());
    }
    for place in places {
        search.command(&words, &place);
    }
}

pub(super) fn package_script(search: &mut Search<'_>, name: &str, at: &Place) -> bool {
    let manifest = search.file(at, "package.json");
    let script = manifest.and_then(|manifest| tasks::package_script(&manifest, name));
    search.task("package", name, script, at)
}

/// Tasks in `pyproject.toml` and the like, by the tool that runs them.
pub(super) fn python_task(search: &mut Search<'_>, tool: &str, name: &str, at: &Place) -> bool {
    let (file, tables): (&str, &[&str]) = match tool {
        "pdm" => ("pyproject.toml", &["tool.pdm.scripts"]),
        "hatch" => ("pyproject.toml", &["tool.hatch.envs.*.scripts"]),
        "rye" => ("pyproject.toml", &["tool.rye.scripts"]),
        "poe" => ("pyproject.toml", &["tool.poe.tasks"]),
        "pixi" => ("pixi.toml", &["tasks", "feature.*.tasks"]),
        "pipenv" => ("Pipfile", &["scripts"]),
        _ => return false,
    };
    // hatch names the environment first: `test:run`.
    let name = name.rsplit(':').next().unwrap_or(name);
    let manifest = search.file(at, file);
    let script = manifest.and_then(|manifest| tasks::toml_task(&manifest, tables, name));
    search.task(tool, name, script, at)
}

fn look_into_make(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let at = &call
        .option(&["-C", "--directory"])
        .map_or_else(|| at.clone(), |dir| at.in_dir(dir));
    let makefile = match call.option(&["-f", "--file", "--makefile"]) {
        Some(file) => search.file(at, file),
        None => search.first_file(at, &["GNUmakefile", "makefile", "Makefile"]),
    };
    let Some(makefile) = makefile else {
        return;
    };
    let with_value = [
        "-C",
        "--directory",
        "-f",
        "--file",
        "--makefile",
        "-j",
        "-l",
        "-o",
        "-I",
    ];
    let mut targets = Vec::new();
    let mut rest = call.arguments;
    loop {
        // A number after `-j` is its value; anything else is a target.
        let with_value: Vec<&str> = with_value
            .into_iter()
            .filter(|option| *option != "-j" || next_is_number(rest))
            .collect();
        rest = skip_options(rest, &with_value);
        let Some((word, after)) = rest.split_first() else {
            break;
        };
        if !word.contains('=') {
            targets.push(word.as_str());
        }
        rest = after;
    }
    if makefile.contains("# CMAKE generated file") {
        search.known(call, None, call, at);
        return;
    }
    if targets.is_empty() {
        let script = tasks::make_target(&makefile, None);
        search.task("make", "", script, at);
    }
    for target in targets {
        let script = tasks::make_target(&makefile, Some(target));
        search.task("make", target, script, at);
    }
}

fn next_is_number(words: &[String]) -> bool {
    words
        .get(1)
        .is_some_and(|word| word.chars().all(|char| char.is_ascii_digit()))
}

fn look_into_just(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let with_value = [
        "-f",
        "--justfile",
        "-d",
        "--working-directory",
        "--set",
        "--shell",
    ];
    let at = &call
        .option(&["-d", "--working-directory"])
        .map_or_else(|| at.clone(), |dir| at.in_dir(dir));
    let justfile = match call.option(&["-f", "--justfile"]) {
        Some(file) => search.file(at, file),
        None => search.first_file(at, &["justfile", "Justfile", ".justfile"]),
    };
    let Some(justfile) = justfile else {
        return;
    };
    let recipe = call
        .arguments
        .iter()
        .filter(|word| !word.contains('='))
        .collect::<Vec<_>>();
    let recipe: Vec<String> = recipe.into_iter().cloned().collect();
    let name = skip_options(&recipe, &with_value).first();
    let script = tasks::just_recipe(&justfile, name.map(String::as_str));
    search.task("just", name.map_or("", String::as_str), script, at);
}

fn look_into_tox(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let found_before = search.found.len();
    let ini = search.first_file(at, &["tox.ini", "setup.cfg"]);
    let commands = ini.as_deref().map(tasks::tox_commands);
    search.task("tox", "", commands, at);
    if search.found.len() == found_before {
        let manifest = search.first_file(at, &["tox.toml", "pyproject.toml"]);
        search.told("tox", &manifest.unwrap_or_default(), call, at);
    }
    // Its environments see only the variables they name: `inject` asks for ours to be passed on.
    for found in search.found.iter_mut().skip(found_before) {
        found.words.insert(0, "tox".to_owned());
    }
}
