//! What tells our own git hooks that it is git tcr that moves refs or commits through git.
//!
//! Where git tcr writes refs itself no hook runs. Where it lets git do what the user would do by
//! hand, so that the user's hooks and signing apply, ours must know it from anybody else: git gets a
//! word in its environment that is written down in the git directory for as long as it runs.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use super::repo::Repo;
use crate::env_vars;
use crate::error::{Error, Result};

/// The right to pass our own git hooks, until it is dropped.
pub(crate) struct HookPass {
    file: PathBuf,
    word: String,
}

#[allow(dead_code, reason = "for commands that commit in the user's name")]
impl HookPass {
    /// Writes a new word down.
    pub(crate) fn new(repo: &Repo) -> Result<HookPass> {
        let folder = folder(repo);
        let io = |error| Error::io("write", &folder, error);
        std::fs::create_dir_all(&folder).map_err(io)?;
        let pass = HookPass {
            file: folder.join(std::process::id().to_string()),
            word: format!("{:016x}{:016x}", random(), random()),
        };
        std::fs::write(&pass.file, &pass.word).map_err(io)?;
        Ok(pass)
    }

    /// The variable that the hooks look at, and its value.
    pub(super) fn variable(&self) -> (&'static str, &str) {
        (env_vars::HOOK_PASS, &self.word)
    }
}

impl Drop for HookPass {
    fn drop(&mut self) {
        // A word that stays behind is known to nobody.
        drop(std::fs::remove_file(&self.file));
    }
}

/// Whether git tcr started the git that this hook runs in.
pub(crate) fn is_held(repo: &Repo) -> bool {
    let Some(word) = env_vars::hook_pass() else {
        return false;
    };
    let written = std::fs::read_dir(folder(repo)).into_iter().flatten();
    written.flatten().any(|entry| is_word(&entry.path(), &word))
}

fn is_word(file: &Path, word: &str) -> bool {
    std::fs::read_to_string(file).is_ok_and(|written| written == word)
}

fn folder(repo: &Repo) -> PathBuf {
    repo.common_dir().join("tcr").join("hook-pass")
}

#[allow(dead_code, reason = "see above")]
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
