//! Programs that start the program they are given: wrappers, shells, package runners, containers.

use super::{Call, Place, Search, skip_options, task_runners};

/// Looks through a wrapper; `false` if the program is none.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    look_through_plain(search, call, at)
        || look_through_subcommand(search, call, at)
        || look_into_shell(search, call, at)
        || look_into_container(search, call, at)
        || task_runners::look(search, call, at)
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
        .is_some_and(|name| task_runners::python_task(search, program, name, &at));
    if !is_task {
        search.command(&without_environment(program, rest), &at);
    }
    true
}

/// hatch names the environment first: `hatch run test:pytest`.
fn without_environment(program: &str, words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut().filter(|_| program == "hatch")
        && let Some((_, command)) = first.split_once(':')
    {
        *first = command.to_owned();
    }
    words
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
