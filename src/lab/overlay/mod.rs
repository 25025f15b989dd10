//! The overlay form: the worktree at its own path, in private namespaces, with an upper layer that
//! is thrown away. Right for every tool without knowing any.

mod daemons;
mod mounts;
mod namespace;
mod spec;
mod stage;
mod written;

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{getegid, geteuid};

use super::git_dirs;
use super::no_lab::{Doing, NoLab, Step, Why};
use super::place::{Place, RoomFolder};
use super::wanted::Wanted;
use spec::{Privilege, Spec, Upper};
pub use stage::stage;

/// How overlays are made here; what was tried and worked.
#[derive(Debug)]
pub(super) struct Overlay {
    worktree: PathBuf,
    beside: Vec<PathBuf>,
    program: PathBuf,
    privilege: Privilege,
    upper: Upper,
}

/// What a room of this form needs to run and to tell.
#[derive(Debug)]
pub(super) struct OverlayRoom {
    pub(super) folder: RoomFolder,
    pub(super) prefix: Vec<OsString>,
    wanted: Wanted,
}

impl Overlay {
    /// Tries which way works, from the most faithful on.
    pub(super) fn open(worktree: &Path, program: &Path, place: &Place) -> Result<Overlay, NoLab> {
        let worktree = worktree
            .canonicalize()
            .map_err(|error| NoLab::io(Doing::Read, worktree, &error))?;
        let beside = git_dirs::outside(&worktree);
        let mut last = NoLab::from(Why::NoOverlayHere);
        for privilege in privileges() {
            for upper in [Upper::Disk, Upper::Memory] {
                let overlay = Overlay {
                    worktree: worktree.clone(),
                    beside: beside.clone(),
                    program: program.to_path_buf(),
                    privilege,
                    upper,
                };
                match overlay.attempt(place) {
                    Ok(()) => return Ok(overlay),
                    Err(failure) => {
                        let other_upper_may_help = is_about_upper(&failure);
                        last = failure;
                        if !other_upper_may_help {
                            break;
                        }
                    }
                }
            }
        }
        Err(last)
    }

    fn attempt(&self, place: &Place) -> Result<(), NoLab> {
        if self.privilege == Privilege::User {
            self.owned_by_us()?;
        }
        self.enter(place, &Wanted::default()).map(drop)
    }

    /// In a namespace of users only our own files can be written.
    fn owned_by_us(&self) -> Result<(), NoLab> {
        let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
        let unreadable = |error| NoLab::io(Doing::Read, &self.worktree, &error);
        let entries = std::fs::read_dir(&self.worktree).map_err(unreadable)?;
        let inside = entries.flatten().map(|entry| entry.path());
        for path in inside.chain([self.worktree.clone()]) {
            match std::fs::symlink_metadata(&path) {
                Ok(found) if found.uid() == uid && found.gid() == gid => {}
                Ok(_) => return Err(Why::ForeignOwner(path).into()),
                // Gone meanwhile.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// A room with the wanted tree. Everything but the command is done once, to see that it works;
    /// each start of the command does it again, on a new upper layer.
    pub(super) fn enter(&self, place: &Place, wanted: &Wanted) -> Result<OverlayRoom, NoLab> {
        wanted.check()?;
        let folder = place.new_room()?;
        let spec = Spec::new(&self.worktree, &self.beside, self.privilege, self.upper);
        spec.save(folder.path(), wanted)?;
        let prefix = [
            self.program.clone().into_os_string(),
            "lab-stage".into(),
            "mount".into(),
            folder.path().into(),
            "--".into(),
        ];
        let room = OverlayRoom {
            folder,
            prefix: prefix.to_vec(),
            wanted: wanted.clone(),
        };
        room.attempt(&self.worktree)?;
        Ok(room)
    }
}

impl OverlayRoom {
    fn attempt(&self, worktree: &Path) -> Result<(), NoLab> {
        let output = Command::new(&self.prefix[0])
            .args(&self.prefix[1..])
            .current_dir(worktree)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| NoLab::refused(Step::Start, error))?;
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Why::StageDied { output }.into());
        }
        self.folder.clear_runs();
        Ok(())
    }

    /// The environment of a command.
    pub(super) fn environment(
        &self,
        given: Vec<(OsString, OsString)>,
    ) -> Vec<(OsString, OsString)> {
        daemons::without_daemons(given, &self.folder.path().join("bin"))
    }

    /// Why a stage failed, if one did.
    pub(super) fn failure(&self) -> Option<NoLab> {
        spec::failure(self.folder.path())
    }

    /// What tests wrote.
    pub(super) fn wrote(&self) -> Vec<PathBuf> {
        written::read(self.folder.path(), &self.wanted)
    }
}

fn privileges() -> Vec<Privilege> {
    if namespace::may_mount() {
        vec![Privilege::Root, Privilege::User]
    } else {
        vec![Privilege::User]
    }
}

/// The file system of the room's folder can't be an upper layer.
fn is_about_upper(failure: &NoLab) -> bool {
    matches!(
        failure.why,
        Why::Refused {
            step: Step::Overlay,
            ..
        } | Why::Io { .. }
    )
}
