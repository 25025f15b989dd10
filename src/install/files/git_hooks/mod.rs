//! Our git hooks: what they are, where git looks for hooks, and how ours get there and away.
//!
//! Hooks that were there keep running: each of ours passes on to the one it stands for.

pub(crate) mod files;
pub(crate) mod hooks_path;
mod kept;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) use crate::branch::sealed::{HooksPlace, OwnFolder};
use crate::git::repo::Repo;

/// The hooks that git tcr has a say in.
pub(crate) const OWN: [&str; 6] = [
    "pre-commit",
    "commit-msg",
    "pre-push",
    "pre-rebase",
    "post-checkout",
    "reference-transaction",
];

/// Hooks that git merely calls: that one is there changes nothing.
const HARMLESS: &[&str] = &[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-merge-commit",
    "prepare-commit-msg",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
];

/// What a hook is called that ours took the place of.
const BEFORE: &str = ".before-tcr";

const MISSING: &str = "tcr: git-tcr is not on PATH, so this can not be checked. \
    hint: install git-tcr again, or set GIT_TCR=off for this command";

impl HooksPlace {
    /// The folder that git has to look into.
    pub(crate) fn folder(&self, repo: &Repo) -> PathBuf {
        match self {
            HooksPlace::InPlace => repo.common_dir().join("hooks"),
            HooksPlace::OwnFolder(_) => own_folder(repo),
        }
    }
}

/// The folder of our own.
pub(crate) fn own_folder(repo: &Repo) -> PathBuf {
    let common = repo.common_dir();
    let common = common.canonicalize().unwrap_or_else(|_| common.to_owned());
    common.join("tcr").join("hooks")
}

/// The text of every hook, by name.
pub(crate) fn shims(place: &HooksPlace, program: &Path, root: &Path) -> BTreeMap<String, String> {
    let mut names: BTreeSet<String> = OWN.iter().map(|name| (*name).to_owned()).collect();
    if let HooksPlace::OwnFolder(folder) = place {
        names.extend(HARMLESS.iter().map(|name| (*name).to_owned()));
        names.extend(files::hooks_in(&root.join(&folder.passes_on_to)));
    }
    names
        .into_iter()
        .map(|name| {
            let text = shim(&name, place, program);
            (name, text)
        })
        .collect()
}

fn shim(name: &str, place: &HooksPlace, program: &Path) -> String {
    let template = match name {
        "pre-commit" | "commit-msg" => {
            include_str!("../../../../hooks-templates/git/check-after.sh")
        }
        "pre-rebase" => include_str!("../../../../hooks-templates/git/check-first.sh"),
        "post-checkout" => include_str!("../../../../hooks-templates/git/post-checkout.sh"),
        "pre-push" => include_str!("../../../../hooks-templates/git/pre-push.sh"),
        "reference-transaction" => {
            include_str!("../../../../hooks-templates/git/reference-transaction.sh")
        }
        _ => include_str!("../../../../hooks-templates/git/pass-on.sh"),
    };
    let before = match place {
        // A tool that moved us aside to run us from there must not be run by us once more, but what
        // it kept under that name before must. A tool that is gone gives back what it had kept.
        HooksPlace::InPlace => format!(
            "\"${{0%/*}}/{name}{BEFORE}\"\n\
             [ \"${{0##*/}}\" = {name} ] || ! cmp -s \"$before\" \"${{0%/*}}/{name}\" || before=\"$0{BEFORE}\"\n\
             [ -e \"$before\" ] || before=\"${{0%/*}}/{name}.old{BEFORE}\""
        ),
        HooksPlace::OwnFolder(folder) => {
            format!("{}/{}", quoted(&folder.passes_on_to), quoted(name))
        }
    };
    template
        .replace("@BEFORE@", &before)
        .replace("@PROGRAM@", &quoted(&program.to_string_lossy()))
        .replace("@NAME@", name)
        .replace("@MISSING@", MISSING)
}

/// A word as the shell takes it literally.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::sealed::is_own_hook;

    #[test]
    fn every_placeholder_is_filled_and_every_shim_is_known_as_ours() {
        let elsewhere = HooksPlace::OwnFolder(OwnFolder {
            of_worktree: false,
            before: None,
            passes_on_to: "it's/here".into(),
        });
        for place in [HooksPlace::InPlace, elsewhere] {
            for (name, text) in shims(&place, Path::new("/bin/git-tcr"), Path::new("/nowhere")) {
                assert!(is_own_hook(text.as_bytes()), "{name}: {text}");
                for placeholder in ["@BEFORE@", "@PROGRAM@", "@NAME@", "@MISSING@"] {
                    assert!(!text.contains(placeholder), "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
