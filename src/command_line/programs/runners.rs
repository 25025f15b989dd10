//! Project tools that run a command inside their environment: `poetry run`, `npx`, `uv run`.

use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use super::copies;
use super::outputs;
use super::recipes;
use super::tool;

/// `poetry run CMD`, `uv run CMD`, `bundle exec CMD`, `npm exec -- CMD`, `mise exec -- CMD`.
pub(super) fn script_runner<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    tool::check_package_removal(shell, call);
    recipes::note_scripts_set(shell, call);
    recipes::run_tasks(shell, call);
    let takes = Takes::new(
        "pCwne",
        "python with directory project package prefix name env env-file call workspace extra group from",
    );
    let options = Options::parse_leading(call.arguments, &takes);
    let operands = &options.operands;
    let verb = operands.first().map_or("", String::as_str);
    let after_verb = operands.get(1..).unwrap_or(&[]);
    match (call.name, verb) {
        (
            "poetry" | "uv" | "pdm" | "rye" | "pipenv" | "hatch" | "conda" | "mamba" | "micromamba"
            | "pixi" | "doppler" | "op" | "dotenv" | "volta",
            "run",
        )
        | (
            "bundle" | "npm" | "pnpm" | "yarn" | "mise" | "rtx" | "asdf" | "bun" | "stack"
            | "cabal" | "volta",
            "exec" | "x" | "dlx",
        ) => {
            let inner = Options::parse_leading(after_verb, &takes);
            if let Some(text) = inner.value("--call").map(str::to_owned) {
                return shell.run_text_in_child(&text);
            }
            // `npm exec -c 'text'`.
            if let ("npm" | "pnpm", true, Some(text)) =
                (call.name, inner.has("-c"), inner.operands.first())
            {
                let text = text.clone();
                return shell.run_text_in_child(&text);
            }
            shell.clone().run_words(inner.operands)
        }
        ("stack", "runghc" | "ghc" | "runhaskell" | "script") => {
            let words = operands.iter().filter(|word| *word != "--").cloned();
            shell.clone().run_words(words.collect())
        }
        ("dotenv", _) if options.before_dashes.is_some() => {
            shell.clone().run_words(options.operands)
        }
        // They run the programs of a project by name.
        ("yarn" | "pnpm", "prettier" | "eslint" | "biome" | "rimraf" | "shx" | "jscodeshift") => {
            shell.clone().run_words(options.operands)
        }
        _ => outputs::generic(shell, call.arguments),
    }
}

/// `npx CMD`, `bunx CMD`, `uvx CMD`, `pipx run CMD`.
pub(super) fn package_runner<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("pc", "package call from with python");
    let options = Options::parse_leading(call.arguments, &takes);
    if let Some(text) = options.value("-c --call").map(str::to_owned) {
        return shell.run_text_in_child(&text);
    }
    let mut words = match options.operands.split_first() {
        Some((verb, rest)) if call.name == "pipx" && verb == "run" => rest.to_vec(),
        Some(_) if call.name == "pipx" => {
            tool::check_package_removal(shell, call);
            return Outcome::opaque();
        }
        _ => options.operands,
    };
    if let Some(package) = words.first_mut() {
        *package = without_version(package);
    }
    shell.clone().run_words(words)
}

/// `rimraf@5` and `@scope/rimraf@latest` are `rimraf`.
fn without_version(package: &str) -> String {
    let name = text::base_name(package);
    let end = name.rfind('@').filter(|at| *at > 0).unwrap_or(name.len());
    name.get(..end).unwrap_or(name).to_owned()
}

/// A command that a program nobody here knows may run: `devbox run CMD`, `infisical run -- CMD`.
pub(super) fn wrapped(shell: &Shell<'_>, arguments: &[String]) {
    let options = Options::parse(arguments, &FLAGS);
    let command = match (options.operands.as_slice(), options.before_dashes) {
        (operands, Some(at)) => operands.get(at..).unwrap_or(&[]),
        ([verb, rest @ ..], None) if matches!(verb.as_str(), "exec" | "run") => rest,
        _ => &[],
    };
    // A version may come before the command: `rustup run stable CMD`.
    for words in [command, command.get(1..).unwrap_or(&[])] {
        if words.first().is_some_and(|name| super::is_known(name)) {
            shell.clone().run_words(words.to_vec());
        }
    }
}

/// `cargo`, `brew`, `pip`, `apt`: what matters here is whether git-tcr goes.
pub(super) fn package_manager<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    tool::check_package_removal(shell, call);
    // `cargo new DIRECTORY`.
    if let ("cargo", [verb, .., directory]) = (call.name, call.arguments)
        && matches!(verb.as_str(), "new" | "init")
        && !directory.starts_with('-')
    {
        shell.write_into(directory, "cargo new");
    }
    // `cargo fmt -- FILE`.
    if let ("cargo", [verb, rest @ ..]) = (call.name, call.arguments)
        && verb == "fmt"
        && let Some(at) = rest.iter().position(|word| word == "--")
    {
        let mut words = rest.to_vec();
        words.drain(..at);
        if let Some(program) = words.first_mut() {
            "rustfmt".clone_into(program);
        }
        let looks = rest.iter().any(|word| word == "--check");
        shell
            .clone()
            .run_words(if looks { Vec::new() } else { words });
    }
    outputs::generic(shell, call.arguments)
}

/// `docker run -v HOST:INSIDE IMAGE CMD`: what is mounted is found inside under another name.
pub(super) fn container<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let runs = |word: &&String| matches!(word.as_str(), "run" | "exec");
    let Some(at) = call.arguments.iter().position(|word| runs(&word)) else {
        return copies::transfer(shell, call);
    };
    let takes = Takes::new(
        "vewupahlmct",
        "volume mount env env-file workdir user publish name network entrypoint platform label \
            memory cpus hostname pull gpus shm-size cap-add security-opt add-host device ulimit",
    );
    let options = Options::parse_leading(call.arguments.get(at + 1..).unwrap_or(&[]), &takes);
    let mut inside = shell.clone();
    for volume in options.values("-v --volume") {
        let mut parts = volume.split(':');
        if let (Some(host), Some(place)) = (parts.next(), parts.next()) {
            inside.mount(host, place);
        }
    }
    for mount in options.values("--mount") {
        let value = |names: [&str; 3]| {
            let mut parts = mount.split(',').filter_map(|part| part.split_once('='));
            parts.find_map(|(name, value)| names.contains(&name).then_some(value))
        };
        if let (Some(host), Some(place)) = (
            value(["source", "src", ""]),
            value(["target", "destination", "dst"]),
        ) {
            inside.mount(host, place);
        }
    }
    if let Some(directory) = options.value("-w --workdir") {
        inside.cwd = directory.to_owned();
    }
    // The image, or the container, comes before the command.
    let mut words = options.operands.get(1..).unwrap_or(&[]).to_vec();
    if let Some(program) = options.value("--entrypoint") {
        words.insert(0, program.to_owned());
    }
    inside.run_words(words);
    Outcome::opaque()
}
