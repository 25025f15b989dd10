//! What a room's inner stage is told, and what it tells back: files in the room's own folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::no_lab::{Doing, NoLab, Why};
use super::super::wanted::{Kind, Wanted, WantedFile};

/// What the inner stage is told. Paths are kept as the system has them, not as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Spec {
    /// The worktree, without links in its path.
    pub(super) worktree: OsString,
    /// Folders outside of it that tests could change: git's own, of a linked worktree.
    pub(super) beside: Vec<OsString>,
    /// How the namespace is made.
    pub(super) privilege: Privilege,
    /// Where the upper layers are.
    pub(super) upper: Upper,
    write: Vec<(OsString, Kind)>,
    remove: Vec<OsString>,
}

/// Who may mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Privilege {
    /// The administrator: no namespace of users is needed, and files of any owner can be written.
    Root,
    /// Anybody, in a namespace of users where nobody but the user exists.
    User,
}

/// Where the upper layers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Upper {
    /// In the room's folder.
    Disk,
    /// In memory, where the room's folder is on a file system that can't be an upper layer.
    Memory,
}

impl Spec {
    pub(super) fn new(
        worktree: &Path,
        beside: &[PathBuf],
        privilege: Privilege,
        upper: Upper,
    ) -> Spec {
        Spec {
            worktree: worktree.into(),
            beside: beside.iter().map(Into::into).collect(),
            privilege,
            upper,
            write: Vec::new(),
            remove: Vec::new(),
        }
    }

    /// Writes it to a room's folder, with the content of the wanted files beside it.
    pub(super) fn save(mut self, room: &Path, wanted: &Wanted) -> Result<(), NoLab> {
        let put = |path: PathBuf, content: &[u8]| {
            fs::write(&path, content).map_err(|error| NoLab::io(Doing::Write, &path, &error))
        };
        let files = room.join("files");
        fs::create_dir(&files).map_err(|error| NoLab::io(Doing::Write, &files, &error))?;
        for (number, file) in wanted.write.iter().enumerate() {
            put(files.join(number.to_string()), &file.content)?;
            self.write.push((file.path.clone().into(), file.kind));
        }
        self.remove = wanted.remove.iter().map(Into::into).collect();
        let path = room.join("spec.json");
        let text = serde_json::to_vec(&self)
            .map_err(|error| NoLab::io(Doing::Write, &path, &error.into()))?;
        put(path, &text)
    }

    /// Reads it back, with the wanted files.
    pub(super) fn load(room: &Path) -> Result<(Spec, Wanted), NoLab> {
        let read =
            |path: &Path| fs::read(path).map_err(|error| NoLab::io(Doing::Read, path, &error));
        let path = room.join("spec.json");
        let spec: Spec = serde_json::from_slice(&read(&path)?)
            .map_err(|error| NoLab::io(Doing::Read, &path, &error.into()))?;
        let mut wanted = Wanted::default();
        for (number, (path, kind)) in spec.write.iter().enumerate() {
            wanted.write.push(WantedFile {
                path: path.into(),
                content: read(&room.join("files").join(number.to_string()))?,
                kind: *kind,
            });
        }
        wanted.remove = spec.remove.iter().map(Into::into).collect();
        Ok((spec, wanted))
    }
}

/// Says why the inner stage failed, where the room looks for it.
pub(super) fn tell_failure(room: &Path, failure: &NoLab) {
    let text = serde_json::to_vec(failure).unwrap_or_default();
    // Nothing more can be done: the exit status tells of a failure too.
    drop(fs::write(room.join("failure.json"), text));
}

/// Why the inner stage failed, if it did.
pub(super) fn failure(room: &Path) -> Option<NoLab> {
    let text = fs::read(room.join("failure.json")).ok()?;
    let unreadable = || Why::StageDied {
        output: String::new(),
    };
    Some(serde_json::from_slice(&text).unwrap_or_else(|_| unreadable().into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn a_spec_is_read_as_it_was_written_whatever_the_names_are() {
        let dir = tempfile::tempdir().unwrap();
        let odd = PathBuf::from(OsString::from_vec(b"a\xff,:\\ \n".to_vec()));
        let wanted = Wanted {
            write: vec![
                WantedFile {
                    path: odd.join("x"),
                    content: vec![0, 255, 10],
                    kind: Kind::Executable,
                },
                WantedFile {
                    path: "l".into(),
                    content: b"there".to_vec(),
                    kind: Kind::Link,
                },
            ],
            remove: vec![odd.clone()],
        };
        let spec = Spec::new(&odd, &[odd.join("git")], Privilege::User, Upper::Memory);
        spec.save(dir.path(), &wanted).unwrap();
        let (spec, read) = Spec::load(dir.path()).unwrap();
        assert_eq!(read, wanted);
        assert_eq!(spec.worktree, odd);
        assert_eq!(spec.beside, [odd.join("git")]);
    }

    #[test]
    fn a_failure_arrives_as_it_was_told() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(failure(dir.path()), None);
        let told = NoLab::from(Why::Full("x".into()));
        tell_failure(dir.path(), &told);
        assert_eq!(failure(dir.path()), Some(told));
    }
}
