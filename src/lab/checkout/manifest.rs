//! What the checkout was last brought to: for each file what it was copied from and as what.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::super::no_lab::{Doing, NoLab};

/// Changes with what is kept here, or with the recipes: an older checkout is made anew.
const FORMAT: &str = "git-tcr lab 1";

/// What can be told of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp([i64; 7]);

impl Stamp {
    pub(super) fn of(found: &Metadata) -> Stamp {
        Stamp([
            i64::from(found.mode()),
            i64::try_from(found.ino()).unwrap_or_default(),
            i64::try_from(found.size()).unwrap_or_default(),
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        ])
    }

    fn text(&self) -> String {
        self.0.map(|number| number.to_string()).join(" ")
    }

    fn read(text: &[u8]) -> Option<Stamp> {
        let text = std::str::from_utf8(text).ok()?;
        let numbers: Result<Vec<i64>, _> = text.split(' ').map(str::parse).collect();
        numbers.ok()?.try_into().ok().map(Stamp)
    }
}

/// A file as it was in the worktree, and as it became in the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) from: Stamp,
    pub(super) to: Stamp,
}

/// The state of a checkout.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The last time given to a file, in seconds; each experiment has a later one.
    pub(super) clock: u64,
    /// Every file that was put there; without a pair if it is not the worktree's.
    pub(super) files: BTreeMap<PathBuf, Option<Pair>>,
    /// Folders that a recipe made, and what they were made from.
    pub(super) made: BTreeMap<PathBuf, String>,
    /// What was left out, as it would have been too much.
    pub(super) left_out: Vec<PathBuf>,
}

impl Manifest {
    /// Reads it; nothing if there is none that can be believed.
    pub(super) fn load(path: &Path) -> Option<Manifest> {
        let text = fs::read(path).ok()?;
        let mut fields = text.split(|byte| *byte == 0);
        if fields.next()? != FORMAT.as_bytes() {
            return None;
        }
        let mut manifest = Manifest {
            clock: std::str::from_utf8(fields.next()?).ok()?.parse().ok()?,
            ..Manifest::default()
        };
        loop {
            let kind = fields.next()?;
            // The end is marked: half a file is none.
            if kind == b"end" {
                return Some(manifest);
            }
            let path = PathBuf::from(OsStr::from_bytes(fields.next()?));
            match kind {
                b"copied" => {
                    let from = Stamp::read(fields.next()?)?;
                    let to = Stamp::read(fields.next()?)?;
                    manifest.files.insert(path, Some(Pair { from, to }));
                }
                b"wanted" => drop(manifest.files.insert(path, None)),
                b"made" => {
                    let of = String::from_utf8(fields.next()?.to_vec()).ok()?;
                    manifest.made.insert(path, of);
                }
                b"left" => manifest.left_out.push(path),
                _ => return None,
            }
        }
    }

    /// Writes it.
    pub(super) fn save(&self, path: &Path) -> Result<(), NoLab> {
        let mut text = format!("{FORMAT}\0{}\0", self.clock).into_bytes();
        let mut add = |kind: &str, path: &Path, more: &[String]| {
            text.extend_from_slice(kind.as_bytes());
            text.push(0);
            text.extend_from_slice(path.as_os_str().as_bytes());
            for field in more {
                text.push(0);
                text.extend_from_slice(field.as_bytes());
            }
            text.push(0);
        };
        for (path, pair) in &self.files {
            match pair {
                Some(pair) => add("copied", path, &[pair.from.text(), pair.to.text()]),
                None => add("wanted", path, &[]),
            }
        }
        for (path, of) in &self.made {
            add("made", path, std::slice::from_ref(of));
        }
        for path in &self.left_out {
            add("left", path, &[]);
        }
        text.extend_from_slice(b"end");
        fs::write(path, text).map_err(|error| NoLab::io(Doing::Write, path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let pair = Pair {
            from: Stamp([1, 2, 3, 4, 5, 6, -7]),
            to: Stamp([0; 7]),
        };
        Manifest {
            clock: 77,
            files: [
                ("a b\n".into(), Some(pair)),
                (PathBuf::from(OsStr::from_bytes(b"\xff")), None),
            ]
            .into(),
            made: [("node_modules".into(), "1 2".to_owned())].into(),
            left_out: vec!["big".into()],
        }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("manifest");
        assert_eq!(Manifest::load(&path), None);
        example().save(&path).unwrap();
        assert_eq!(Manifest::load(&path), Some(example()));
    }

    #[test]
    fn half_a_manifest_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("manifest");
        example().save(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(Manifest::load(&path), None, "{length}");
        }
    }
}
