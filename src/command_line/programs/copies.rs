//! `cp`, `mv`, `install`, `rsync`, `scp`, `dd`: files that come to be from others.

use std::path::Path;

use super::super::effect::Content;
use super::super::options::{FLAGS, Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;

const CP: Takes = Takes::new("tS", "target-directory suffix");
const INSTALL: Takes = Takes::new(
    "tSmgo",
    "target-directory suffix mode group owner strip-program",
);

pub(super) fn cp<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &CP);
    let Some(plan) = Plan::of(&options, call.name) else {
        return Outcome::silent();
    };
    let links = match (options.has("-s --symbolic-link"), options.has("-l --link")) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    plan.each(shell, |shell, source, target| match links {
        Some(symbolic) => shell.link(source, target, symbolic, call.name),
        None => copy_tree(shell, source, target, call.name),
    });
    Outcome::silent()
}

pub(super) fn mv<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &CP);
    let Some(plan) = Plan::of(&options, call.name) else {
        return Outcome::silent();
    };
    plan.each(shell, |shell, source, target| {
        shell.delete(source, call.name);
        copy_tree(shell, source, target, call.name);
        shell.replace(target, call.name, content_of(shell, source));
    });
    Outcome::silent()
}

pub(super) fn install<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &INSTALL);
    if options.has("-d --directory") {
        for directory in &options.operands {
            shell.make_directory(directory);
        }
    } else if let Some(plan) = Plan::of(&options, call.name) {
        plan.each(shell, |shell, source, target| {
            let text = shell.stream_of(source).map(|stream| stream.text());
            let text = text.filter(|text| text::is_known(text));
            shell.write_content(target, call.name, text.map(Content::Whole));
        });
    }
    Outcome::silent()
}

/// `docker cp SRC DEST`, `aws s3 cp SRC DEST`: from or to another machine.
pub(super) fn transfer<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let operands = Options::parse(call.arguments, &FLAGS).operands;
    let copies = |word: &String| matches!(word.as_str(), "cp" | "mv" | "sync" | "rsync");
    let is_elsewhere = |word: &str| word.contains(':');
    if operands.iter().take(3).any(copies)
        && let Some(target) = operands.last().filter(|target| !is_elsewhere(target))
    {
        shell.write(target, call.name);
    }
    super::outputs::generic(shell, call.arguments)
}

/// Sources and where they go.
struct Plan {
    sources: Vec<String>,
    target: String,
    /// Whether the target is a directory for certain, certainly not, or only if it is one now.
    into_directory: Option<bool>,
}

impl Plan {
    fn of(options: &Options, _: &'static str) -> Option<Self> {
        if let Some(directory) = options.value("-t --target-directory") {
            return Some(Plan {
                sources: options.operands.clone(),
                target: directory.to_owned(),
                into_directory: Some(true),
            });
        }
        let (target, sources) = options.operands.split_last()?;
        let into_directory = match () {
            () if options.has("-T --no-target-directory") => Some(false),
            () if sources.len() > 1 || target.ends_with('/') => Some(true),
            () => None,
        };
        Some(Plan {
            sources: sources.to_vec(),
            target: target.clone(),
            into_directory,
        })
    }

    fn each(&self, shell: &Shell<'_>, mut act: impl FnMut(&Shell<'_>, &str, &str)) {
        let is_directory = self.into_directory.unwrap_or_else(|| {
            shell
                .known_path(&self.target)
                .is_some_and(|path| shell.is_directory(&path))
        });
        for source in self
            .sources
            .iter()
            .flat_map(|source| source.split('\n'))
            .filter(|s| !s.is_empty())
        {
            if is_directory {
                let directory = self.target.trim_end_matches('/');
                // A pattern that matches nothing now may match once the command runs.
                let name = if text::is_known(source) && !source.contains('*') {
                    text::base_name(source).to_owned()
                } else {
                    text::unknown()
                };
                let name = if matches!(name.as_str(), "." | "..") {
                    String::new()
                } else {
                    name
                };
                act(shell, source, &format!("{directory}/{name}"));
            } else {
                act(shell, source, &self.target);
            }
        }
    }
}

/// The copy of a file, or of a directory with all that is in it.
fn copy_tree(shell: &Shell<'_>, source: &str, target: &str, how: &'static str) {
    shell.write_content(target, how, content_of(shell, source));
    shell.remember_copy(source, target);
    let Some(from) = shell
        .known_path(source)
        .filter(|path| shell.is_directory(path))
    else {
        if text::base_name(source) == "." {
            shell.write_into(target, how);
        }
        return;
    };
    copy_below(shell, &from, target, how);
}

/// What a file holds that is copied: what the command put there, else what it is.
fn content_of(shell: &Shell<'_>, source: &str) -> Option<Content> {
    let text = match shell.stream_of(source) {
        Some(stream) => Some(stream.text()),
        None => {
            let path = shell.known_path(source)?;
            let is_as_found = !shell.session.may_have_written(&path);
            is_as_found.then(|| (shell.context().read)(&path))?
        }
    };
    text.filter(|text| text::is_known(text)).map(Content::Whole)
}

fn copy_below(shell: &Shell<'_>, from: &Path, target: &str, how: &'static str) {
    match shell.files_below(from) {
        Some(files) => {
            for file in files {
                if let Ok(below) = file.strip_prefix(from) {
                    let target = target.trim_end_matches('/');
                    shell.write(&format!("{target}/{}", below.to_string_lossy()), how);
                }
            }
        }
        None => shell.write_into(target, how),
    }
}

const RSYNC: Takes = Takes::new(
    "efBTM",
    "rsh filter exclude include exclude-from include-from files-from backup-dir suffix temp-dir \
        compare-dest copy-dest link-dest log-file chmod chown port bwlimit max-size min-size timeout \
        out-format partial-dir rsync-path info debug usermap groupmap",
);

pub(super) fn rsync<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &RSYNC);
    if options.has("-n --dry-run --list-only") {
        return Outcome::opaque();
    }
    for file in options.values("--log-file") {
        shell.write(file, call.name);
    }
    for program in options.values("-e --rsh") {
        shell.run_text_in_child(program);
    }
    let Some((target, sources)) = options.operands.split_last() else {
        return Outcome::opaque();
    };
    if options.has("--remove-source-files") {
        for source in sources {
            shell.delete(source, call.name);
        }
    }
    if is_remote(target) {
        return Outcome::opaque();
    }
    if options
        .has("--delete --del --delete-before --delete-after --delete-during --delete-excluded")
    {
        shell.delete(target, call.name);
    }
    for source in sources {
        // A trailing slash means what is in the directory, not the directory.
        let target = target.trim_end_matches('/');
        match source.ends_with('/') {
            true => copy_contents(shell, source, target, call.name),
            false => {
                let is_directory = shell
                    .known_path(target)
                    .is_some_and(|path| shell.is_directory(&path));
                let inside = format!("{target}/{}", text::base_name(source));
                copy_tree(
                    shell,
                    source,
                    if is_directory { &inside } else { target },
                    call.name,
                );
            }
        }
    }
    Outcome::opaque()
}

fn copy_contents(shell: &Shell<'_>, source: &str, target: &str, how: &'static str) {
    match shell
        .known_path(source)
        .filter(|path| shell.is_directory(path))
    {
        Some(from) => copy_below(shell, &from, target, how),
        None => shell.write_into(target, how),
    }
}

pub(super) fn scp<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("cFiJloPSXD", "");
    let options = Options::parse(call.arguments, &takes);
    if let Some((target, sources)) = options.operands.split_last()
        && !is_remote(target)
    {
        let is_directory = shell
            .known_path(target)
            .is_some_and(|path| shell.is_directory(&path));
        for source in sources {
            match is_directory || target.ends_with('/') {
                true => shell.write(&format!("{target}/{}", text::base_name(source)), call.name),
                false => shell.write(target, call.name),
            }
        }
    }
    Outcome::opaque()
}

fn is_remote(target: &str) -> bool {
    target
        .find(':')
        .is_some_and(|colon| !target.get(..colon).unwrap_or("").contains('/'))
}

pub(super) fn dd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut writes_file = false;
    for argument in call.arguments {
        if let Some(file) = argument.strip_prefix("of=") {
            let reads_input = !call.arguments.iter().any(|a| a.starts_with("if="));
            let input = shell
                .input()
                .known()
                .filter(|_| reads_input)
                .map(str::to_owned);
            shell.write_content(file, call.name, input.map(Content::Whole));
            writes_file = true;
        }
    }
    let reads_file = call.arguments.iter().any(|a| a.starts_with("if="));
    match (writes_file, reads_file) {
        (true, _) => Outcome::silent(),
        (false, true) => Outcome::opaque(),
        (false, false) => Outcome::printing(shell.input()),
    }
}

/// Whether something of that name is there now.
pub(super) fn exists(shell: &Shell<'_>, path: &Path) -> bool {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => (shell.context().list)(parent)
            .iter()
            .any(|entry| entry == name),
        _ => true,
    }
}
