//! Names of files, as `ls` and `grep -l` print them.

use std::path::Path;

use super::super::options::{Options, Takes};
use super::super::pattern;
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text::{self, UNKNOWN};

pub(super) fn ls<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("ITw", "ignore hide block-size");
    let options = Options::parse(call.arguments, &takes);
    if options.has("-l -R -i -s") {
        return Outcome::opaque();
    }
    let shows_hidden = options.has("-a -A --all --almost-all");
    let stays_outside = options.has("-d --directory");
    let shell = shell.clone();
    let operands = if options.operands.is_empty() {
        vec![".".to_owned()]
    } else {
        options.operands
    };
    Outcome::printing(Stream::lazy(move || {
        let mut lines = String::new();
        for operand in &operands {
            let path = shell
                .known_path(operand)
                .filter(|path| !stays_outside && shell.is_directory(path));
            match path {
                Some(path) => {
                    for name in (shell.context().list)(&path) {
                        let name = name.to_string_lossy();
                        if shows_hidden || !name.starts_with('.') {
                            lines.push_str(&format!("{name}\n"));
                        }
                    }
                }
                None => lines.push_str(&format!("{operand}\n")),
            }
        }
        lines
    }))
}

/// Every file below some directories, or below the present one: any of them may be printed.
pub(super) fn files_below<'c>(shell: &Shell<'c>, roots: &[String]) -> Outcome<'c> {
    let shell = shell.clone();
    let roots = if roots.is_empty() {
        vec![".".to_owned()]
    } else {
        roots.to_vec()
    };
    Outcome::printing(Stream::lazy(move || {
        let mut lines = String::new();
        for root in &roots {
            match shell.known_path(root) {
                Some(path) => list_below(&shell, &path, root.trim_end_matches('/'), &mut lines),
                None => lines.push_str(&format!("{root}\n")),
            }
        }
        lines
    }))
}

fn list_below(shell: &Shell<'_>, path: &Path, spelled: &str, lines: &mut String) {
    if !shell.is_directory(path) {
        lines.push_str(&format!("{spelled}\n"));
        return;
    }
    let Some(files) = shell.files_below(path) else {
        lines.push_str(&format!("{spelled}/{UNKNOWN}\n"));
        return;
    };
    for below in files.iter().filter_map(|file| file.strip_prefix(path).ok()) {
        let below = below.to_string_lossy();
        match spelled {
            "." => lines.push_str(&format!("{below}\n")),
            _ => lines.push_str(&format!("{spelled}/{below}\n")),
        }
    }
}

/// The files that git may know, by its pathspecs: paths, patterns, and what they leave out.
pub(super) fn tracked<'c>(shell: &Shell<'c>, pathspecs: &[String]) -> Outcome<'c> {
    let (excluded, wanted): (Vec<String>, Vec<String>) = pathspecs
        .iter()
        .cloned()
        .partition(|spec| exclusion(spec).is_some());
    let is_there = |spec: &String| {
        let path = shell.known_path(spec);
        path.is_some_and(|path| super::copies::exists(shell, &path))
    };
    let by_name = wanted.iter().all(is_there);
    let found = files_below(shell, if by_name { &wanted } else { &[] });
    let shell = shell.clone();
    Outcome::printing(Stream::lazy(move || {
        let covered = |file: &str, spec: &str| {
            let below = file.strip_prefix(spec.trim_end_matches('/'));
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                || pattern::matches(spec, file)
        };
        let is_listed = |file: &&str| {
            let is_git = *file == ".git" || file.starts_with(".git/");
            let is_wanted = by_name || wanted.iter().any(|spec| covered(file, spec));
            let mut exclusions = excluded.iter().filter_map(|spec| exclusion(spec));
            !is_git && is_wanted && !exclusions.any(|spec| covered(file, spec))
        };
        let is_file = |file: &&str| {
            let path = shell.known_path(file);
            !path.is_some_and(|path| shell.is_directory(&path))
        };
        let listed = found.output.text();
        let listed = listed.lines().filter(is_listed).filter(is_file);
        listed.map(|file| format!("{file}\n")).collect()
    }))
}

/// What a pathspec leaves out: `:!docs`, `:^docs`, `:(exclude)docs`.
fn exclusion(spec: &str) -> Option<&str> {
    [":!", ":^", ":(exclude)"]
        .iter()
        .find_map(|mark| spec.strip_prefix(mark))
}

/// The paths a pathspec names: after its magic, from the root where that says so.
pub(super) fn of_pathspec(shell: &Shell<'_>, spec: &str) -> Vec<String> {
    let magic = spec
        .strip_prefix(":(")
        .and_then(|rest| rest.split_once(')'));
    let excludes = exclusion(spec).is_some()
        || magic.is_some_and(|(words, _)| words.split(',').any(|word| word == "exclude"));
    if excludes {
        let listed = tracked(shell, &[spec.to_owned()]).output.text();
        return listed.lines().map(str::to_owned).collect();
    }
    let root = shell.context().repo_root.to_string_lossy();
    let from_root = |path: &str| vec![format!("{root}/{}", path.trim_start_matches('/'))];
    match (magic, spec.strip_prefix(":/")) {
        (Some((words, path)), _) if words.split(',').any(|word| word == "top") => from_root(path),
        (Some((_, path)), _) => vec![path.to_owned()],
        (None, Some(path)) => from_root(path),
        (None, None) => vec![spec.to_owned()],
    }
}

/// A path as `find -printf` prints it; what is more than a name is unknown.
pub(super) fn formatted(format: &str, path: &str) -> String {
    let mut printed = String::new();
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        match (c, c == '%' || c == '\\') {
            (_, false) => printed.push(c),
            ('%', _) => match characters.next() {
                Some('p') => printed.push_str(path),
                Some('f') => printed.push_str(text::base_name(path)),
                Some('h') => printed.push_str(text::dir_name(path)),
                Some('%') => printed.push('%'),
                _ => printed.push(UNKNOWN),
            },
            _ => match characters.next() {
                Some('n') => printed.push('\n'),
                Some('t') => printed.push('\t'),
                Some('0') => printed.push('\0'),
                Some(other) => printed.push(other),
                None => {}
            },
        }
    }
    printed
}

/// Those of the listed files that hold a text. A file that can't be read may hold it.
pub(super) fn that_hold<'c>(shell: &Shell<'c>, listed: Outcome<'c>, text: String) -> Outcome<'c> {
    let shell = shell.clone();
    Outcome::printing(Stream::lazy(move || {
        let files = listed.output.text();
        let may_hold = |file: &&str| {
            let path = shell.known_path(file).filter(|_| shell.session.may_look());
            let content = path.and_then(|path| (shell.context().read)(&path));
            content.is_none_or(|content| content.contains(&text))
        };
        let held = files.lines().filter(may_hold);
        held.map(|file| format!("{file}\n")).collect()
    }))
}
