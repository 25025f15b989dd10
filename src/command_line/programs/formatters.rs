//! Programs that rewrite the source files they are given, unless they are asked only to look.

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::outputs;

/// Options with which a formatter only says what it would do.
const LOOKS: &[&str] = &[
    "--check",
    "--check-formatted",
    "--check-only",
    "--ci",
    "--diff",
    "--dry",
    "--dry-run",
    "--fail-on-change",
    "--lint",
    "--list-different",
    "--set-exit-if-changed",
    "--test",
    "--validate",
    "--verify-no-changes",
];

/// Options without which most formatters only say what they would do.
const WRITES: &[&str] = &[
    "-a",
    "-A",
    "-F",
    "-U",
    "-i",
    "-w",
    "--apply",
    "--auto-correct",
    "--autocorrect",
    "--autocorrect-all",
    "--fix",
    "--in-place",
    "--inplace",
    "--reformat",
    "--replace",
    "--unsafe-fixes",
    "--update-all",
    "--write",
    "--yes",
];

/// Verbs with which programs that can do more format the files they are given.
const VERBS: &[&str] = &["fix", "fmt", "format", "process", "write"];

/// `black FILE…`, `isort FILE…`, `rustfmt FILE…`: they write unless told to look.
pub(super) fn eager<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "t",
        long: &["transform", "parser", "extensions"],
    };
    let options = match call.name {
        "jscodeshift" => Options::parse(call.arguments, &takes),
        _ => parsed(call.arguments),
    };
    rewrite(
        shell,
        call,
        &options.operands,
        !looks(&options, call) && !options.has(&["-c", "-d", "-l"]),
    );
    Outcome::opaque()
}

/// `prettier --write FILE…`, `eslint --fix FILE…`, `gofmt -w FILE…`: they write when told to.
pub(super) fn on_request<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = parsed(call.arguments);
    let writes = options.has(WRITES) && !options.has(LOOKS);
    rewrite(shell, call, &options.operands, writes);
    outputs::generic(shell, call.arguments)
}

/// `ruff format FILE…`, `ruff check --fix FILE…`, `biome format --write FILE…`.
pub(super) fn with_verb<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = parsed(call.arguments);
    let Some((verb, files)) = options.operands.split_first() else {
        return Outcome::opaque();
    };
    let eager = matches!((call.name, verb.as_str()), ("ruff", "format"));
    let writes = (eager || options.has(WRITES)) && !options.has(LOOKS);
    rewrite(shell, call, files, writes);
    outputs::generic(shell, call.arguments)
}

/// `zig fmt FILE…`, `mix format FILE…`, `sqlfluff fix FILE…`: some of what these programs do.
pub(super) fn by_verb<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = parsed(call.arguments);
    if let Some((verb, files)) = options.operands.split_first() {
        let writes = VERBS.contains(&verb.as_str()) && !looks(&options, call);
        rewrite(shell, call, files, writes);
    }
    outputs::generic(shell, call.arguments)
}

/// Whether it is only asked what it would do; `--mode=check` and `-check` say so as well.
fn looks(options: &Options, call: &Call<'_>) -> bool {
    let asks = |a: &String| matches!(a.as_str(), "-check" | "--mode=check" | "-mode=check");
    options.has(LOOKS) || call.arguments.iter().any(asks)
}

fn parsed(arguments: &[String]) -> Options {
    let takes = Takes {
        short: "k",
        long: &[
            "config",
            "config-path",
            "edition",
            "ext",
            "ignore",
            "ignore-path",
            "line-length",
            "log-level",
            "parser",
            "profile",
            "rule",
            "select",
            "settings",
            "style",
            "target-version",
        ],
    };
    Options::parse(arguments, &takes)
}

/// A file that is named is rewritten. Which files of folders need it can't be known before it runs.
pub(super) fn rewrite(shell: &Shell<'_>, call: &Call<'_>, files: &[String], writes: bool) {
    let mut folders = Vec::new();
    for file in files.iter().filter(|_| writes) {
        // Go's `./...` is the folder and all below it.
        let file = file.strip_suffix("/...").unwrap_or(file);
        let path = shell.known_path(file);
        match path.filter(|path| shell.is_directory(path)) {
            Some(folder) => folders.push(folder),
            None => shell.write(file, call.name),
        }
    }
    if !folders.is_empty() {
        let how = call.name;
        shell.emit(ShellEffect::RewriteSome { folders, how });
    }
}
