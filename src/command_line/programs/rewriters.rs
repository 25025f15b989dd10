//! Programs that replace text in, or set values of, the files they are given.

use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use super::{formatters, outputs};

/// Levels of a path that are looked at where it may end at any.
const MAX_LEVELS: usize = 20;

/// `fastmod PATTERN REPLACEMENT FILE…`, `codemod`, `ruplacer --go`, `recode REQUEST FILE…`: the
/// files come after the words that say what to replace.
pub(super) fn after_words<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "deg",
        long: &[
            "dir",
            "extensions",
            "glob",
            "iglob",
            "exclude",
            "start",
            "end",
        ],
    };
    let options = Options::parse(call.arguments, &takes);
    let words = match call.name {
        "recode" => 1,
        _ => 2,
    };
    let writes = call.name != "ruplacer" || options.has(&["--go"]);
    let named = options.operands.iter().skip(words).cloned();
    let below = options.values(&["-d", "--dir"]).map(str::to_owned);
    let files: Vec<String> = named.chain(below).collect();
    formatters::rewrite(shell, call, &files, writes);
    Outcome::opaque()
}

/// `sad --commit PATTERN REPLACEMENT`: the files come in on standard input.
pub(super) fn sad<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    if Options::parse(call.arguments, &FLAGS).has(&["-k", "--commit"]) {
        for file in shell.input().text().lines() {
            shell.write(file, call.name);
        }
    }
    Outcome::opaque()
}

/// `dasel put -f FILE`: it writes there unless told to write elsewhere.
pub(super) fn dasel<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "frwotvsp",
        long: &["file", "out", "read", "write", "type", "value"],
    };
    let options = Options::parse(call.arguments, &takes);
    let changes = matches!(
        options.operands.first().map(String::as_str),
        Some("put" | "delete")
    );
    let elsewhere = options.value(&["-o", "--out"]);
    if let Some(file) = elsewhere.or_else(|| options.value(&["-f", "--file"]).filter(|_| changes)) {
        shell.write(file, call.name);
    }
    Outcome::opaque()
}

/// `xmlstarlet ed -L … FILE`: the file is the last word.
pub(super) fn xmlstarlet<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let edits = call
        .arguments
        .first()
        .is_some_and(|verb| matches!(verb.as_str(), "ed" | "edit" | "fo" | "format"));
    let in_place = |a: &String| matches!(a.as_str(), "-L" | "--inplace");
    if let Some(file) = call.arguments.last()
        && edits
        && call.arguments.iter().any(in_place)
    {
        shell.write(file, call.name);
    }
    Outcome::opaque()
}

/// `crudini --set FILE SECTION KEY VALUE`.
pub(super) fn crudini<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &FLAGS);
    if options.has(&["--set", "--del", "--merge"])
        && let Some(file) = options.operands.first()
    {
        shell.write(file, call.name);
    }
    Outcome::opaque()
}

/// `augtool set /files/PATH/KEY VALUE`: where the path ends and the key begins is not said.
pub(super) fn augtool<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let input = shell.input().text();
    let words = call.arguments.iter().map(String::as_str);
    let nodes = words.chain(input.split_whitespace());
    for node in nodes.filter_map(|word| word.strip_prefix("/files")) {
        let above = std::iter::successors(Some(node), |path| Some(text::dir_name(path)));
        let folders = above.take_while(|path| !matches!(*path, "" | "." | "/"));
        let files = folders.filter(|path| text::base_name(path).contains('.'));
        for path in files.take(MAX_LEVELS) {
            shell.write(path, call.name);
            shell.write(path.trim_start_matches('/'), call.name);
        }
    }
    Outcome::opaque()
}

/// Programs that rewrite all their operands, some only when asked to.
pub(super) fn beautifier<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "cf",
        long: &["config", "from", "to", "patterns", "options", "mode"],
    };
    let options = Options::parse(call.arguments, &takes);
    let writes = match call.name {
        "tidy" => options.has(&["-m", "--modify"]),
        "mlr" => options.has(&["-I"]),
        "semgrep" => options.has(&["-a", "--autofix"]) && !options.has(&["--dryrun"]),
        "uncrustify" => options.has(&["--no-backup", "--replace"]),
        "wiggle" => options.has(&["-r", "--replace"]),
        "indent" => !options.has(&["-o", "--standard-output"]),
        "perltidy" => options.has(&["-b"]),
        "js-beautify" | "css-beautify" | "html-beautify" => options.has(&["-r", "--replace"]),
        "ormolu" | "fourmolu" => {
            options.has(&["-i"]) || options.value(&["--mode"]) == Some("inplace")
        }
        "csharpier" => !options.operands.iter().any(|verb| verb == "check"),
        "repren" => !options.has(&["-n", "--dry-run"]),
        _ => !options.has(&["--dry-run"]),
    };
    formatters::rewrite(shell, call, &options.operands, writes);
    outputs::generic(shell, call.arguments)
}

/// `cpp IN OUT`: the second operand is written.
pub(super) fn second<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "DIUioxM",
        long: &[],
    };
    if let Some(file) = Options::parse(call.arguments, &takes).operands.get(1) {
        shell.write(file, call.name);
    }
    outputs::generic(shell, call.arguments)
}
