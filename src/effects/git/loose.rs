//! Small objects, written as they are.
//!
//! A loop writes a dozen commits and trees of a few hundred bytes. On disk each of them takes a
//! block whatever its length, and setting up a compressor costs more than all else about them.
//! Git packs them in time.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gix::objs::{Kind, Write as _};

use super::repo::Repo;
use crate::error::{Doing, Error, Result};

/// Larger objects are worth compressing.
const SMALL: usize = 4096;

/// Writes an object, unless it is there.
pub(super) fn write(repo: &Repo, kind: Kind, bytes: &[u8]) -> Result<gix::ObjectId> {
    let store = &repo.gix.objects;
    let id = gix::objs::compute_hash(repo.gix.object_hash(), kind, bytes)
        .doing("compute an object's id")?;
    if store.exists_without_refresh(&id) {
        return Ok(id);
    }
    if bytes.len() > SMALL {
        return store
            .write_buf_with_known_id(kind, bytes, id)
            .doing("write an object");
    }
    let name = id.to_string();
    let (folder, rest) = name.split_at(2);
    let folder = store.store_ref().path().join(folder);
    put(&folder, rest, &stored(kind, bytes))
        .map_err(|source| Error::io("write", &folder, source))?;
    Ok(id)
}

/// The object in git's format: a zlib stream of one block that is not compressed.
fn stored(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    const FASTEST: [u8; 2] = [0x78, 0x01];
    const LAST_AND_STORED: u8 = 1;
    let mut content = gix::objs::encode::loose_header(kind, bytes.len() as u64).to_vec();
    content.extend_from_slice(bytes);
    let length = u16::try_from(content.len()).expect("a small object and its header fit a block");
    let mut stream = Vec::with_capacity(content.len() + 11);
    stream.extend_from_slice(&FASTEST);
    stream.push(LAST_AND_STORED);
    stream.extend_from_slice(&length.to_le_bytes());
    stream.extend_from_slice(&(!length).to_le_bytes());
    stream.extend_from_slice(&content);
    stream.extend_from_slice(&adler2::adler32_slice(&content).to_be_bytes());
    stream
}

/// Puts a file in place as a whole, under a name that `git gc` clears away if the process dies.
fn put(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix("tmp_obj_")
        .permissions(Permissions::from_mode(0o444));
    let mut file = match builder.tempfile_in(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match std::fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => builder.tempfile_in(folder)?,
            }
        }
        result => result?,
    };
    file.write_all(content)?;
    file.persist(folder.join(name))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effects::git::command;

    #[test]
    fn git_reads_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        command::git(folder.path(), &["init", "-q", "."], b"").expect("git runs");
        let repo = Repo::discover(folder.path()).expect("a repository");
        for length in [0, 1, 100, SMALL, SMALL + 1, 70_000] {
            let bytes: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
            let id = write(&repo, Kind::Blob, &bytes).expect("it is written");
            assert_eq!(write(&repo, Kind::Blob, &bytes).expect("again"), id);
            let read = command::git(folder.path(), &["cat-file", "blob", &id.to_string()], b"");
            assert_eq!(read.expect("git reads it"), bytes, "{length}");
            assert_eq!(repo.gix.find_blob(id).expect("gix too").data, bytes);
        }
        command::git(folder.path(), &["fsck", "--strict"], b"").expect("git has no objection");
    }
}
