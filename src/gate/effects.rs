//! What stands against the single things a shell command would do.

use std::path::{Path, PathBuf};

use super::Gate;
use super::wanted::{self, Wanted, Writing};
use super::world::{self, World};
use crate::command_line::ShellEffect;
use crate::git::command;
use crate::outcome::gate::Objection;
use crate::rules::PathClass;
use crate::rules::shell_gate;

impl Gate {
    /// Takes in what a command would write.
    pub(super) fn take_in_effects(&self, effects: &[ShellEffect], world: &World<'_>) {
        let wanted: Vec<Wanted> = effects
            .iter()
            .filter_map(|effect| wanted::of_effect(effect, world))
            .collect();
        self.take_in(wanted.iter());
        let is_git = |effect: &ShellEffect| matches!(effect, ShellEffect::Git(_));
        self.only_git.set(effects.iter().all(is_git));
    }

    /// Whether nothing is uncommitted, and the call does nothing to change that. Looking costs what
    /// it would cost the command itself.
    fn has_no_changes(&self) -> bool {
        let status = ["status", "--porcelain", "--untracked-files=normal"];
        let is_clean =
            || command::git(self.repo.root(), &status, b"").is_ok_and(|found| found.is_empty());
        self.only_git.get() && is_clean()
    }

    pub(super) fn judge_effect(
        &self,
        effect: &ShellEffect,
        world: &World<'_>,
    ) -> Option<Objection> {
        match effect {
            ShellEffect::Delete { path, .. } if world::holds_guarded_elsewhere(path) => {
                Some(Objection::protected(path))
            }
            ShellEffect::Write { .. } | ShellEffect::Delete { .. } => {
                self.judge_write(&wanted::of_effect(effect, world)?)
            }
            ShellEffect::Attributes { path, .. } => self.judge_attributes(path),
            // An empty folder is nothing to git; one inside git's own is.
            ShellEffect::MakeDirectory { path } => {
                let inside_git = path.starts_with(self.repo.git_dir())
                    || path.starts_with(self.repo.common_dir());
                inside_git.then(|| Objection::protected(path))
            }
            // As far as it is known; the loop sees afterwards what it was.
            ShellEffect::UnknownTarget { likely, .. } => {
                let path = likely.clone()?;
                let writing = Writing::Unknown;
                let by_name = self.judge_write(&Wanted { path, writing });
                by_name.or_else(|| self.judge_unnamed(likely.as_deref()?, world))
            }
            ShellEffect::RewriteSome { folders, .. } => self.judge_rewriting(folders, world),
            ShellEffect::Git(action) if action.needs_changes() && self.has_no_changes() => None,
            ShellEffect::Git(action) => {
                self.unless_off(shell_gate::judge_git(action, &self.branches()))
            }
            ShellEffect::Tcr(command) => self.unless_off(shell_gate::judge_tcr(command)),
            ShellEffect::Evasion(evasion) => {
                self.unless_off(Some(shell_gate::judge_evasion(evasion)))
            }
        }
    }

    /// A file of which only the folder is known may be what half of the files there are.
    fn judge_unnamed(&self, path: &Path, world: &World<'_>) -> Option<Objection> {
        let folder = path.parent().filter(|_| path.ends_with("_"))?;
        self.judge_folder(folder, world, |denied, all| denied * 2 >= all)
    }

    /// A formatter is denied where it may write no file, whichever needs it; the loop sees which did.
    fn judge_rewriting(&self, folders: &[PathBuf], world: &World<'_>) -> Option<Objection> {
        let judged = folders
            .iter()
            .map(|folder| self.judge_folder(folder, world, |denied, all| denied == all));
        let objections = judged.collect::<Option<Vec<_>>>()?;
        objections.into_iter().next()
    }

    /// What stands against writing the files in a folder, if it does so for enough of them. The
    /// root holds a bit of everything and says nothing.
    fn judge_folder(
        &self,
        folder: &Path,
        world: &World<'_>,
        is_enough: impl Fn(usize, usize) -> bool,
    ) -> Option<Objection> {
        let root = self.repo.root();
        if folder == root || !folder.starts_with(root) {
            return None;
        }
        let files = world.files_in(folder);
        let count = files.len();
        let mut objections = files.into_iter().filter_map(|path| {
            let writing = Writing::Unknown;
            self.judge_write(&Wanted { path, writing })
        });
        let first = objections.next()?;
        let denied = objections.count() + 1;
        match first {
            Objection::Write {
                class, reason, way, ..
            } if is_enough(denied, count) => Some(Objection::Write {
                path: folder.to_owned(),
                shown: String::from_utf8_lossy(&self.class(folder)?.0).into_owned(),
                class,
                reason,
                way,
            }),
            _ => None,
        }
    }

    /// A mode that makes a file unreadable hides it as well as an edit would. Source is not worth
    /// hiding: the tests say what became of it.
    fn judge_attributes(&self, path: &Path) -> Option<Objection> {
        match self.class(path)?.1 {
            PathClass::Protected => Some(Objection::protected(path)),
            PathClass::Spec | PathClass::Harness | PathClass::Test => self.judge_write(&Wanted {
                path: path.to_owned(),
                writing: Writing::Unknown,
            }),
            PathClass::Mixed | PathClass::Source | PathClass::Docs | PathClass::Other => None,
        }
    }
}
