//! Names of files, as `ls` and `grep -l` print them.

use std::path::Path;
use std::rc::Rc;

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text::UNKNOWN;

pub(super) fn ls<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "ITw",
        long: &["ignore", "hide", "block-size"],
    };
    let options = Options::parse(call.arguments, &takes);
    if options.has(&["-l", "-R", "-i", "-s"]) {
        return Outcome::opaque();
    }
    let shows_hidden = options.has(&["-a", "-A", "--all", "--almost-all"]);
    let stays_outside = options.has(&["-d", "--directory"]);
    let shell = shell.clone();
    let operands = if options.operands.is_empty() {
        vec![".".to_owned()]
    } else {
        options.operands
    };
    Outcome::printing(Stream::Lazy(Rc::new(move || {
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
    })))
}

/// Every file below some directories, or below the present one: any of them may be printed.
pub(super) fn files_below<'c>(shell: &Shell<'c>, roots: &[String]) -> Outcome<'c> {
    let shell = shell.clone();
    let roots = if roots.is_empty() {
        vec![".".to_owned()]
    } else {
        roots.to_vec()
    };
    Outcome::printing(Stream::Lazy(Rc::new(move || {
        let mut lines = String::new();
        for root in &roots {
            match shell.known_path(root) {
                Some(path) => list_below(&shell, &path, root.trim_end_matches('/'), &mut lines),
                None => lines.push_str(&format!("{root}\n")),
            }
        }
        lines
    })))
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

/// Those of the listed files that hold a text. A file that can't be read may hold it.
pub(super) fn that_hold<'c>(shell: &Shell<'c>, listed: Outcome<'c>, text: String) -> Outcome<'c> {
    let shell = shell.clone();
    Outcome::printing(Stream::Lazy(Rc::new(move || {
        let files = listed.output.text();
        let may_hold = |file: &&str| {
            let path = shell.known_path(file).filter(|_| shell.session.may_look());
            let content = path.and_then(|path| (shell.context().read)(&path));
            content.is_none_or(|content| content.contains(&text))
        };
        let held = files.lines().filter(may_hold);
        held.map(|file| format!("{file}\n")).collect()
    })))
}
