//! The script that a call runs: one that is not read-only and names a folder of a client's or of
//! git's that is guarded is denied, whatever it does there in detail.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

use super::Gate;
use super::world::World;
use crate::outcome::gate::Objection;

/// Larger files are no scripts that somebody wrote for one call.
const LARGEST: usize = 256 * 1024;
/// A script that runs a script that runs a script.
const DEEPEST: usize = 3;
const MOST_WORDS: usize = 400;

/// Words of which the next file is run.
const RUNNERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "ash",
    "fish",
    "source",
    ".",
    "exec",
    "node",
    "bun",
    "deno",
    "tsx",
    "ts-node",
    "ruby",
    "perl",
    "php",
    "lua",
    "pwsh",
    "env",
    "nohup",
    "setsid",
    "uv",
    "npx",
    "osascript",
    "Rscript",
    "julia",
];

/// What can't be touched by a script, as it would be spelled in one.
const GUARDED: &[&str] = &[
    "refs/tcr",
    "packed-refs",
    "core.hooksPath",
    "hooksPath",
    ".git/hooks",
    ".git/tcr",
    ".git/config",
    "disableAllHooks",
];

/// Words without which a script changes nothing.
const WRITING: &[&str] = &[
    "write",
    "dump",
    "unlink",
    "remove",
    "rename",
    "replace",
    "rmtree",
    "truncate",
    "copy",
    "move",
    "symlink",
    "link(",
    "chmod",
    "rmSync",
    "\"w\"",
    "'w'",
    "\"a\"",
    "'a'",
    "'r+'",
    "\"r+\"",
    ">",
    "rm ",
    "mv ",
    "cp ",
    "ln ",
    "tee ",
    "sed -i",
    "dd ",
    "install ",
    "git config",
    "update-ref",
    "system",
    "exec",
    "spawn",
    "subprocess",
    "popen",
];

impl Gate {
    /// What stands against the scripts that a command runs.
    pub(super) fn judge_scripts(&self, command: &str, world: &World<'_>) -> Option<Objection> {
        self.judge_scripts_of(command, world, DEEPEST)
    }

    fn judge_scripts_of(
        &self,
        command: &str,
        world: &World<'_>,
        deeper: usize,
    ) -> Option<Objection> {
        for script in scripts_of(command, world) {
            let Some(text) = self.new_text(&script, world) else {
                continue;
            };
            if is_guarded_in(&text, crate::clients::project_folders()) {
                return Some(Objection::protected(&script));
            }
            let inner = deeper.checked_sub(1);
            let found = inner.and_then(|left| self.judge_scripts_of(&text, world, left));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The text of a script that is not one of the project's, accepted as it is.
    fn new_text(&self, script: &Path, world: &World<'_>) -> Option<String> {
        use std::os::unix::ffi::OsStrExt;
        let bytes = world
            .content(script)
            .filter(|bytes| bytes.len() <= LARGEST)?;
        if let Ok(inside) = script.strip_prefix(self.repo.root()) {
            let accepted = self.accepted(inside.as_os_str().as_bytes());
            if accepted.is_some_and(|accepted| accepted == bytes) {
                return None;
            }
        }
        bytes.to_str().ok().map(str::to_owned)
    }
}

/// The files that a command runs, as far as it names them.
fn scripts_of(command: &str, world: &World<'_>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let ends = |c: char| matches!(c, ';' | '|' | '&' | '\n' | '(' | ')' | '`' | '{' | '}');
    let words = |part: &str| -> Vec<String> {
        part.split_whitespace()
            .map(|word| word.trim_matches(['"', '\'', '<', '$']).to_owned())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let mut looked_at = 0;
    for part in command.split(ends) {
        let words = words(part);
        let mut is_run = true;
        for word in &words {
            looked_at += 1;
            if looked_at > MOST_WORDS {
                return found;
            }
            let name = Path::new(word).file_name().unwrap_or_default();
            let name = name.to_string_lossy();
            if word.contains('=') && is_run || word.starts_with('-') {
                continue;
            }
            if RUNNERS.contains(&&*name) || name.starts_with("python") {
                is_run = true;
                continue;
            }
            // A program of the system is no script.
            if is_run && word.contains(['/', '.']) {
                let path = world.resolve(word);
                if path.is_file() {
                    found.push(path);
                }
            }
            is_run = false;
        }
    }
    found
}

/// Whether a script changes things and names what is guarded.
fn is_guarded_in(text: &str, clients: impl Iterator<Item = &'static str>) -> bool {
    let changes = WRITING.iter().any(|word| text.contains(word));
    let names = |guarded: &str| text.contains(guarded);
    changes && (GUARDED.iter().any(|one| names(one)) || { clients }.any(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients() -> impl Iterator<Item = &'static str> {
        [".claude", ".codex"].into_iter()
    }

    #[test]
    fn scripts_that_change_what_is_guarded_are_told() {
        for (text, is_guarded) in [
            (
                "file = \"/\".join([\".claude\", \"x\"])\njson.dump({}, open(file, \"w\"))",
                true,
            ),
            ("rm -rf .git/hooks", true),
            ("require('fs').rmSync('.codex', {recursive: true})", true),
            ("git config core.hooksPath /dev/null", true),
            ("cat .claude/settings.json", false),
            ("print(open(\".codex/hooks.json\").read())", false),
            ("rm -rf build && cp -r src build", false),
            ("find . -name .git -prune -o -print > list", false),
        ] {
            assert_eq!(is_guarded_in(text, clients()), is_guarded, "{text}");
        }
    }
}
