//! What git prints, and the files it prints to.

use std::path::Path;

use super::super::super::options::{FLAGS, Takes};
use super::super::super::scope::{Outcome, Shell};
use super::super::super::text;
use super::super::copies::exists;
use super::super::{archives, listings, matching, patches};
use super::{GitCall, remote};

/// Verbs with an option that names a file or a program.
pub(super) fn write(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new(
        "oOxtef",
        "output output-directory extcmd tool exec format prefix max-count",
    );
    let options = call.options(&takes);
    match call.verb {
        "archive" => {
            options
                .values("-o --output")
                .for_each(|file| shell.write(file, "git archive"));
            remote::run_given_programs(shell, &options, "--exec");
        }
        "bundle" => {
            if let [verb, file, ..] = options.operands.as_slice()
                && verb == "create"
            {
                shell.write(file, "git bundle");
            }
        }
        "bugreport" | "diagnose" => options
            .values("-o --output-directory")
            .for_each(|directory| shell.write_into(directory, "git bugreport")),
        "fast-export" => options
            .values("--export-marks")
            .for_each(|file| shell.write(file, "git fast-export")),
        "interpret-trailers" if options.has("--in-place") => {
            options
                .operands
                .iter()
                .for_each(|file| shell.write(file, "git interpret-trailers"));
        }
        "interpret-trailers" => {}
        "mailinfo" => options
            .operands
            .iter()
            .for_each(|file| shell.write(file, "git mailinfo")),
        "mailsplit" => options
            .values("-o")
            .for_each(|directory| shell.write_into(directory, "git mailsplit")),
        "format-patch" if options.has("--stdout") => {}
        "format-patch" => {
            let directory = options.value("-o --output-directory").unwrap_or(".");
            let file = format!("{directory}/0001-{}.patch", text::UNKNOWN);
            shell.write(&file, "git format-patch");
        }
        "merge-file" if options.has("-p --stdout") => {}
        "merge-file" => options
            .operands
            .iter()
            .take(1)
            .for_each(|file| shell.write(file, "git merge-file")),
        "grep" => open_in_pager(shell, call),
        "difftool" | "mergetool" => {
            for program in options
                .values("-x --extcmd")
                .map(str::to_owned)
                .collect::<Vec<_>>()
            {
                run_on(shell, &program, &options.operands);
            }
        }
        _ => {
            for file in options.values("--output") {
                shell.write(file, "git diff");
            }
        }
    }
}

/// `grep -O<pager>` runs the pager on every file with a match.
fn open_in_pager(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let pager = call.arguments.iter().find_map(|argument| {
        let long = argument
            .split_once('=')
            .filter(|(name, _)| name.len() > 3 && "--open-files-in-pager".starts_with(name));
        long.map(|(_, pager)| pager)
            .or_else(|| argument.strip_prefix("-O"))
    });
    let Some(pager) = pager.filter(|pager| !pager.is_empty()).map(str::to_owned) else {
        return;
    };
    let options = call.options(&FLAGS);
    run_on(shell, &pager, options.operands.get(1..).unwrap_or(&[]));
}

fn run_on(shell: &mut Shell<'_>, program: &str, paths: &[String]) {
    let paths = if paths.is_empty() {
        vec![".".to_owned()]
    } else {
        paths.to_vec()
    };
    let words = super::super::super::simple::quoted(&paths);
    shell.run_text_in_child(&format!("{program} {words}"));
}

/// What a verb prints, where that names files or directories.
pub(super) fn of<'c>(shell: &Shell<'c>, call: &GitCall<'_>) -> Outcome<'c> {
    match call.verb {
        "rev-parse" => rev_parse(shell, call),
        "ls-files" | "ls-tree" => listing(shell, call),
        "grep" if lists_files(call) => grep(shell, call),
        "stash" if has(call, &["show"]) => patch(shell, call),
        "diff" | "status" | "log" | "show" if has(call, &["--name-only"]) => {
            named_paths(shell, call, 0)
        }
        "archive" => Outcome::text(archives::stream_of(&paths_after(call, 1))),
        "diff" | "show" | "log" | "format-patch" | "diff-tree" | "diff-index" => patch(shell, call),
        _ => Outcome::opaque(),
    }
}

fn has(call: &GitCall<'_>, names: &[&str]) -> bool {
    call.arguments
        .iter()
        .any(|argument| names.contains(&argument.as_str()))
}

/// `-l`, also in a bundle of letters: `-lw`, `-lz`.
fn lists_files(call: &GitCall<'_>) -> bool {
    let is_bundle = |a: &String| a.starts_with('-') && !a.starts_with("--") && a.contains('l');
    has(call, &["--files-with-matches", "--name-only"]) || call.arguments.iter().any(is_bundle)
}

/// `git grep -l`: the files that may hold the pattern.
fn grep<'c>(shell: &Shell<'c>, call: &GitCall<'_>) -> Outcome<'c> {
    let takes = Takes::new("efABCmO", "max-depth threads context");
    let options = call.options(&takes);
    let given = options.value("-e").map(str::to_owned);
    let skip = usize::from(given.is_none());
    let pattern = given.or_else(|| options.operands.first().cloned());
    let paths = options.operands.get(skip..).unwrap_or(&[]);
    let found = listings::tracked(shell, paths);
    let is_exact = !options.has("-i --ignore-case -v --invert-match");
    match pattern.and_then(|pattern| matching::certain_text(&pattern)) {
        Some(text) if is_exact => listings::that_hold(shell, found, text),
        _ => found,
    }
}

/// The operands that are paths: after `--`, or after the first `skip`.
fn paths_after(call: &GitCall<'_>, skip: usize) -> Vec<String> {
    let takes = Takes::new("o", "output format prefix");
    let options = call.options(&takes);
    let start = options.before_dashes.unwrap_or(skip);
    options.operands.get(start..).unwrap_or(&[]).to_vec()
}

/// A patch of the paths that are asked for; what it does to them is unknown.
fn patch<'c>(shell: &Shell<'c>, call: &GitCall<'_>) -> Outcome<'c> {
    let root = shell.context().repo_root;
    let mut patch = format!("{}{}\n", patches::FROM_GIT, text::UNKNOWN);
    for path in paths_after(call, 0) {
        let Some(path) = shell.known_path(&path).filter(|path| exists(shell, path)) else {
            continue;
        };
        let Ok(below) = path.strip_prefix(root) else {
            continue;
        };
        let mut name = below.to_string_lossy().into_owned();
        if shell.is_directory(&path) {
            name = format!("{name}/{}", text::UNKNOWN);
        }
        patch.push_str(&format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n"));
    }
    Outcome::text(patch)
}

/// Files printed by name: those that are asked for may be among them.
fn named_paths<'c>(shell: &Shell<'c>, call: &GitCall<'_>, skip: usize) -> Outcome<'c> {
    let paths = paths_after(call, skip);
    let exist = |path: &&String| {
        shell
            .known_path(path)
            .is_some_and(|path| exists(shell, &path))
    };
    let paths: Vec<String> = paths.iter().filter(exist).cloned().collect();
    match paths.is_empty() {
        true => Outcome::opaque(),
        false => listings::files_below(shell, &paths),
    }
}

fn rev_parse<'c>(shell: &Shell<'c>, call: &GitCall<'_>) -> Outcome<'c> {
    let root = shell.context().repo_root;
    let git_dir = root.join(".git");
    let line = |path: &Path| Outcome::text(format!("{}\n", path.to_string_lossy()));
    let mut arguments = call.arguments.iter().map(String::as_str);
    loop {
        match arguments.next() {
            Some("--show-toplevel") => return line(root),
            Some("--git-dir" | "--absolute-git-dir" | "--git-common-dir") => return line(&git_dir),
            Some("--git-path") => return line(&git_dir.join(arguments.next().unwrap_or(""))),
            Some("--show-cdup") => {
                let below = Path::new(&shell.cwd)
                    .strip_prefix(root)
                    .unwrap_or(Path::new(""));
                return Outcome::text("../".repeat(below.iter().count()) + "\n");
            }
            Some("--show-prefix") => {
                let below = Path::new(&shell.cwd)
                    .strip_prefix(root)
                    .unwrap_or(Path::new(""));
                let below = below.to_string_lossy();
                return Outcome::text(if below.is_empty() {
                    "\n".to_owned()
                } else {
                    format!("{below}/\n")
                });
            }
            Some(_) => {}
            None => return Outcome::opaque(),
        }
    }
}

/// `ls-files`: the files that are there stand for those git knows.
fn listing<'c>(shell: &Shell<'c>, call: &GitCall<'_>) -> Outcome<'c> {
    let takes = Takes::new("xX", "exclude exclude-from format");
    let options = call.options(&takes);
    if options.has("-s -v -t --stage --format -l --long --others -o") {
        return Outcome::opaque();
    }
    let mut roots = options.operands;
    if call.verb == "ls-tree" && !roots.is_empty() {
        roots.remove(0);
    }
    listings::tracked(shell, &roots)
}
