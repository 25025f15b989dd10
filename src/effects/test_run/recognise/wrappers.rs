//! Programs that start another one: wrappers, shells, package runners, task runners, containers.

use super::{Call, Place, Search, skip_options, tasks};

/// Looks through a wrapper; `false` if the program is none.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    look_through_plain(search, call, at)
        || look_through_subcommand(search, call, at)
        || look_into_shell(search, call, at)
        || look_into_container(search, call, at)
        || look_into_task(search, call, at)
}

/// A wrapper, the options whose value is the next word, and how many words stand before the command.
type Wrapper = (&'static str, &'static [&'static str], usize);

const PLAIN: [Wrapper; 31] = [
    ("time", &["-f", "-o"], 0),
    ("nohup", &[], 0),
    ("exec", &["-a"], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n"], 0),
    ("chronic", &[], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("setsid", &[], 0),
    ("unbuffer", &[], 0),
    ("caffeinate", &["-t", "-w"], 0),
    (
        "xvfb-run",
        &[
            "-s",
            "-n",
            "-e",
            "-f",
            "-w",
            "-p",
            "--server-args",
            "--server-num",
        ],
        0,
    ),
    ("timeout", &["-k", "-s", "--signal", "--kill-after"], 1),
    ("gtimeout", &["-k", "-s", "--signal", "--kill-after"], 1),
    ("npx", &["-p", "--package"], 0),
    ("pnpx", &["-p", "--package"], 0),
    ("bunx", &["-p", "--package"], 0),
    ("uvx", &["--from", "--with", "-p", "--python"], 0),
    ("pipx", &[], 1),
    (
        "c8",
        &[
            "-r",
            "--reporter",
            "-x",
            "--exclude",
            "-n",
            "--include",
            "-o",
            "--reports-dir",
        ],
        0,
    ),
    (
        "nyc",
        &[
            "-r",
            "--reporter",
            "-x",
            "--exclude",
            "-n",
            "--include",
            "--report-dir",
        ],
        0,
    ),
    ("dotenv", &["-e", "-c", "-v", "-f"], 0),
    ("env-cmd", &["-f", "-e", "-r"], 0),
    ("xargs", &["-n", "-P", "-I", "-L", "-d"], 0),
    ("strace", &["-e", "-o"], 0),
    ("faketime", &["-f"], 1),
    ("retry", &["-t", "-d"], 0),
    ("phpdbg", &["-d", "-c"], 0),
    ("with-env", &[], 0),
    ("withenv", &[], 0),
];

fn look_through_plain(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    if let Some((_, with_value, before)) = PLAIN.iter().find(|(name, ..)| *name == call.name) {
        let rest = skip_options(call.arguments, with_value);
        search.command(rest.split_at((*before).min(rest.len())).1, at);
        return true;
    }
    match call.name {
        "env" | "cross-env" | "cross-env-shell" => {
            let clears = call.has("-i") || call.has("-") || call.has("--ignore-environment");
            let rest = skip_options(call.arguments, &["-u", "--unset", "-C", "--chdir"]);
            let at = if clears { at.elsewhere() } else { at.clone() };
            search.command(rest, &at);
        }
        "sudo" | "doas" => {
            let rest = skip_options(call.arguments, &["-u", "-g", "-h", "-p", "-C"]);
            let keeps = call.has("-E") || call.has("--preserve-env");
            let at = if keeps { at.clone() } else { at.elsewhere() };
            search.command(rest, &at);
        }
        "coverage" => {
            if let Some(("run", rest)) = call.positional(&["--rcfile"]) {
                let options = ["--source", "--rcfile", "--omit", "--include", "--data-file"];
                // `coverage run` takes what the interpreter takes.
                let mut words = vec!["python".to_owned()];
                words.extend_from_slice(skip_options_before_module(rest, &options));
                search.command(&words, at);
            }
        }
        _ => return false,
    }
    true
}

fn skip_options_before_module<'a>(words: &'a [String], with_value: &[&str]) -> &'a [String] {
    let module = words.iter().position(|word| word == "-m");
    match module {
        Some(position) => words.split_at(position).1,
        None => skip_options(words, with_value),
    }
}

/// A program, the sub-command behind which another command stands, options with a value, and how
/// many words stand before the command.
type Subcommand = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    usize,
);

const RUN_OPTIONS_UV: &[&str] = &[
    "--with",
    "--with-editable",
    "--with-requirements",
    "--python",
    "-p",
    "--extra",
    "--group",
    "--only-group",
    "--no-group",
    "--env-file",
    "--package",
    "--project",
    "--directory",
    "-C",
    "--index",
    "--index-url",
    "--cache-dir",
    "--config-file",
    "--from",
];

const SUBCOMMANDS: [Subcommand; 22] = [
    ("uv", &["run"], RUN_OPTIONS_UV, 0),
    (
        "poetry",
        &["run"],
        &["-C", "--directory", "-P", "--project"],
        0,
    ),
    ("pipenv", &["run"], &[], 0),
    (
        "pdm",
        &["run"],
        &["-p", "--project", "-s", "--site-packages"],
        0,
    ),
    ("rye", &["run"], &[], 0),
    ("hatch", &["run"], &["-e", "--env", "-p", "--project"], 0),
    (
        "pixi",
        &["run"],
        &["-e", "--environment", "--manifest-path"],
        0,
    ),
    (
        "conda",
        &["run"],
        &["-n", "--name", "-p", "--prefix", "--cwd"],
        0,
    ),
    (
        "mamba",
        &["run"],
        &["-n", "--name", "-p", "--prefix", "--cwd"],
        0,
    ),
    (
        "micromamba",
        &["run"],
        &["-n", "--name", "-p", "--prefix", "--cwd"],
        0,
    ),
    ("bundle", &["exec"], &["--gemfile"], 0),
    ("rbenv", &["exec"], &[], 0),
    ("pyenv", &["exec"], &[], 0),
    ("asdf", &["exec"], &[], 0),
    ("volta", &["run"], &["--node", "--npm", "--yarn"], 0),
    ("direnv", &["exec"], &[], 1),
    (
        "npm",
        &["exec", "x"],
        &["-p", "--package", "-w", "--workspace", "--prefix", "-C"],
        0,
    ),
    (
        "pnpm",
        &["exec", "dlx"],
        &["--filter", "-F", "-C", "--dir", "--package"],
        0,
    ),
    ("yarn", &["exec", "dlx"], &["-p", "--package", "--cwd"], 0),
    ("bun", &["x"], &["--cwd"], 0),
    ("composer", &["exec"], &["-d", "--working-dir"], 0),
    ("go", &["tool"], &["-C"], 0),
];

fn look_through_subcommand(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    let Some((program, subs, with_value, before)) =
        SUBCOMMANDS.iter().find(|(name, ..)| *name == call.name)
    else {
        return look_behind_dashes(search, call, at);
    };
    let Some((sub, rest)) = call.positional(with_value) else {
        return false;
    };
    if !subs.contains(&sub) {
        return false;
    }
    let at = call
        .option(&[
            "--directory",
            "--dir",
            "--cwd",
            "--prefix",
            "--working-dir",
            "-C",
        ])
        .map_or_else(|| at.clone(), |dir| at.in_dir(dir));
    let rest = skip_options(rest, with_value);
    let rest = rest.split_at((*before).min(rest.len())).1;
    // These know tasks of their own, which come before programs.
    let is_task = rest
        .first()
        .is_some_and(|name| python_task(search, program, name, &at));
    if !is_task {
        search.command(rest, &at);
    }
    true
}

/// `mise exec node -- npm test`, `op run -- make test`: the command is what follows the dashes.
fn look_behind_dashes(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    const WITH_DASHES: [&str; 12] = [
        "mise",
        "rtx",
        "op",
        "doppler",
        "infisical",
        "dotenvx",
        "aws-vault",
        "chamber",
        "fnm",
        "guix",
        "devbox",
        "flox",
    ];
    if !WITH_DASHES.contains(&call.name) {
        return look_into_nix(search, call, at);
    }
    let Some(dashes) = call.arguments.iter().position(|word| word == "--") else {
        return false;
    };
    search.command(call.arguments.split_at(dashes + 1).1, at);
    true
}

fn look_into_nix(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    match call.name {
        "nix-shell" => match call.option(&["--run", "--command"]) {
            Some(script) => search.script(script, at.clone()),
            None => return false,
        },
        "nix" => {
            let marker = |word: &String| word == "-c" || word == "--command";
            match call.arguments.iter().position(marker) {
                Some(position) => {
                    search.command(call.arguments.split_at(position + 1).1, at);
                }
                None => return false,
            }
        }
        _ => return false,
    }
    true
}

fn look_into_shell(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    match call.name {
        "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" => {
            let inline = call.arguments.iter().position(|word| {
                word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
            });
            match inline.and_then(|position| call.arguments.get(position + 1)) {
                Some(script) => search.script(script, at.clone()),
                None => {
                    if let Some((file, _)) = call.positional(&["-o", "+o"]) {
                        let script = search.file(at, file);
                        search.task("file", file, script, at);
                    }
                }
            }
        }
        "source" | "." => {
            if let Some(file) = call.arguments.first() {
                let script = search.file(at, file);
                search.task("file", file, script, at);
            }
        }
        "concurrently" => {
            for script in skip_options(call.arguments, &["-n", "--names", "-c"]) {
                search.script(script, at.clone());
            }
        }
        _ => return false,
    }
    true
}

fn look_into_container(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    const WITH_VALUE: [&str; 22] = [
        "-e",
        "--env",
        "-u",
        "--user",
        "-w",
        "--workdir",
        "-v",
        "--volume",
        "-f",
        "--file",
        "-p",
        "--project-name",
        "--publish",
        "--name",
        "--network",
        "--entrypoint",
        "--profile",
        "--index",
        "--env-file",
        "-n",
        "--namespace",
        "--platform",
    ];
    let words = match call.name {
        "docker" | "podman" | "nerdctl" => match call.positional(&WITH_VALUE) {
            Some(("compose" | "container", rest)) => skip_options(rest, &WITH_VALUE),
            Some(_) => skip_options(call.arguments, &WITH_VALUE),
            None => return true,
        },
        "docker-compose" | "podman-compose" | "ddev" | "lando" => {
            skip_options(call.arguments, &WITH_VALUE)
        }
        "kubectl" | "oc" | "devcontainer" => {
            let dashes = call.arguments.iter().position(|word| word == "--");
            if let Some(dashes) = dashes {
                search.command(call.arguments.split_at(dashes + 1).1, &at.elsewhere());
            }
            return true;
        }
        "ssh" => {
            let rest = skip_options(call.arguments, &["-p", "-i", "-l", "-o", "-F", "-J"]);
            if let Some((_host, script)) = rest.split_first() {
                search.script(&script.join(" "), at.elsewhere());
            }
            return true;
        }
        _ => return false,
    };
    let Some((sub, rest)) = words.split_first() else {
        return true;
    };
    let rest = skip_options(rest, &WITH_VALUE);
    let command = match (call.name, sub.as_str()) {
        ("ddev", "exec") => rest,
        (_, "exec" | "run") => rest.split_first().map_or(rest, |(_service, rest)| rest),
        _ => return true,
    };
    search.command(command, &at.elsewhere());
    true
}

fn look_into_task(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    match call.name {
        "npm" | "pnpm" | "yarn" | "bun" => look_into_package_script(search, call, at),
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
    // A workspace is named by its package, mostly like its folder: look there too.
    let workspace = call.option(&["--workspace", "--filter", "-w", "-F"]);
    let Some((sub, rest)) = call.positional(&WITH_VALUE) else {
        return true;
    };
    let rest = skip_options(rest, &WITH_VALUE);
    let (name, is_script) = match (call.name, sub) {
        ("npm", "t" | "tst" | "it" | "cit" | "install-test" | "install-ci-test") => ("test", true),
        ("pnpm", "t") => ("test", true),
        (_, "run" | "run-script" | "rum" | "urn") => match rest.first() {
            Some(name) => (name.as_str(), true),
            None => return true,
        },
        ("yarn", "workspace" | "workspaces") => {
            let rest = rest.split_first().map_or(rest, |(_, rest)| rest);
            let mut words = vec![call.program.to_owned()];
            words.extend_from_slice(rest);
            search.command(&words, at);
            return true;
        }
        // bun has a runner of its own under this name.
        ("bun", "test") => return false,
        (_, "test") => ("test", true),
        _ => (sub, false),
    };
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

fn package_script(search: &mut Search<'_>, name: &str, at: &Place) -> bool {
    let manifest = search.file(at, "package.json");
    let script = manifest.and_then(|manifest| tasks::package_script(&manifest, name));
    search.task("package", name, script, at)
}

/// Tasks in `pyproject.toml` and the like, by the tool that runs them.
fn python_task(search: &mut Search<'_>, tool: &str, name: &str, at: &Place) -> bool {
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
        if targets.contains(&"test") {
            search.add(super::Runner::CTest, call, at);
        }
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
        if manifest.is_some_and(|manifest| manifest.contains("pytest")) {
            search.add_guess(super::Runner::Pytest, call, at);
        }
    }
    // Its environments see only the variables they name: `inject` asks for ours to be passed on.
    for found in search.found.iter_mut().skip(found_before) {
        found.words.insert(0, "tox".to_owned());
    }
}
