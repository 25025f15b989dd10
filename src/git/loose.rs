//! Small objects, written and read as they are.
//!
//! A loop writes a dozen commits and trees of a few hundred bytes. On disk each of them takes a
//! block whatever its length, and setting up a compressor costs more than all else about them.
//! Git packs them in time.

use std::fs::{File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use gix::objs::{Data, Find, Kind, Write as _};

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
    let (folder, name) = place(repo, &id);
    put(&folder, &name, &stored(kind, bytes))
        .map_err(|source| Error::io("write", &folder, source))?;
    Ok(id)
}

/// The folder and the name of an object's file.
fn place(repo: &Repo, id: &gix::oid) -> (PathBuf, String) {
    let mut folder = id.to_string();
    let name = folder.split_off(2);
    let objects = repo.gix.objects.store_ref().path();
    (objects.join(folder), name)
}

const FASTEST: [u8; 2] = [0x78, 0x01];
const LAST_AND_STORED: u8 = 1;
/// The two bytes of the format, the kind of block, its length, and the same inverted.
const HEAD: usize = 7;
/// The checksum.
const TAIL: usize = 4;

/// The object in git's format: a zlib stream of one block that is not compressed.
fn stored(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let mut content = gix::objs::encode::loose_header(kind, bytes.len() as u64).to_vec();
    content.extend_from_slice(bytes);
    let length = u16::try_from(content.len()).expect("a small object and its header fit a block");
    let mut stream = Vec::with_capacity(HEAD + content.len() + TAIL);
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

/// The objects of a repository, for reading many of them: small ones come straight from their file.
/// Everything else is read by gix, which maps each file into memory: for a few hundred bytes that
/// takes longer than all the rest, the more so with several threads.
pub(crate) struct Objects<'a>(pub(crate) &'a Repo);

/// Who goes back in time comes from loose objects to packed ones. After this many in a row that were no
/// small files, to look for more of them only costs time.
const MOST_MISSED: u32 = 16;

impl Find for Objects<'_> {
    fn try_find<'b>(
        &self,
        id: &gix::oid,
        buffer: &'b mut Vec<u8>,
    ) -> std::result::Result<Option<Data<'b>>, gix::Error> {
        let object_hash = self.0.gix.object_hash();
        let (kind, data) = if id.is_empty_tree() {
            // It is there without being stored.
            (Kind::Tree, &[][..])
        } else if let Some((kind, start)) = self.small(id, buffer) {
            (kind, &buffer[start..buffer.len() - TAIL])
        } else {
            return self.0.gix.objects.try_find(id, buffer);
        };
        Ok(Some(Data {
            kind,
            object_hash,
            data,
        }))
    }
}

impl Objects<'_> {
    /// The content of a file that is no larger than this.
    pub(crate) fn file_up_to(&self, id: &gix::oid, most: u64) -> Option<Vec<u8>> {
        let mut buffer = Vec::new();
        if let Some((_, start)) = self.small(id, &mut buffer) {
            return Some(buffer[start..buffer.len() - TAIL].to_vec());
        }
        let gix = &self.0.gix;
        if gix.find_header(id).ok()?.size() > most {
            return None;
        }
        Some(gix.find_blob(id).ok()?.take_data())
    }

    fn small(&self, id: &gix::oid, buffer: &mut Vec<u8>) -> Option<(Kind, usize)> {
        let missed = &self.0.small_missed;
        if missed.get() >= MOST_MISSED {
            return None;
        }
        let found = read_small(self.0, id, buffer);
        missed.set(found.map_or(missed.get() + 1, |_| 0));
        found
    }
}

/// Reads the file of an object that was stored as it is: its kind, and where in the buffer it
/// begins. Nothing if there is none, or it is no such file.
fn read_small(repo: &Repo, id: &gix::oid, buffer: &mut Vec<u8>) -> Option<(Kind, usize)> {
    const ROOM: usize = 2 * SMALL;
    let (folder, name) = place(repo, id);
    let mut file = File::open(folder.join(name)).ok()?;
    buffer.resize(ROOM, 0);
    let length = file.read(buffer).ok().filter(|length| *length < ROOM)?;
    buffer.truncate(length);
    let content = unstored(buffer)?;
    let (kind, size, header) = gix::objs::decode::loose_header(content).ok()?;
    (content.len() - header == usize::try_from(size).ok()?).then_some((kind, HEAD + header))
}

/// What a stream of one block that is not compressed holds, if it is one and its checksum is right.
fn unstored(stream: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = stream.get(HEAD..)?.split_last_chunk::<TAIL>()?;
    let length = u16::try_from(content.len()).ok()?;
    let is_whole = stream.starts_with(&FASTEST)
        && stream[2] == LAST_AND_STORED
        && stream[3..5] == length.to_le_bytes()
        && stream[5..HEAD] == (!length).to_le_bytes()
        && *checksum == adler2::adler32_slice(content).to_be_bytes();
    is_whole.then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::command;

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
            let mut buffer = Vec::new();
            let found = Objects(&repo).try_find(&id, &mut buffer);
            let found = found.expect("we too").expect("it is there");
            assert_eq!((found.kind, found.data), (Kind::Blob, bytes.as_slice()));
        }
        let empty = gix::ObjectId::empty_tree(repo.gix.object_hash());
        let mut buffer = Vec::new();
        let found = Objects(&repo).try_find(&empty, &mut buffer);
        assert!(found.is_ok_and(|found| found.is_some_and(|tree| tree.data.is_empty())));
        command::git(folder.path(), &["fsck", "--strict"], b"").expect("git has no objection");
    }

    #[test]
    fn small_files_are_read_after_any_number_of_packed_objects() {
        let folder = tempfile::tempdir().expect("a folder");
        command::git(folder.path(), &["init", "-q", "."], b"").expect("git runs");
        let repo = Repo::discover(folder.path()).expect("a repository");
        let numbers = || 0..MOST_MISSED + 2;
        let put = |number: u32| write(&repo, Kind::Blob, &number.to_le_bytes()).expect("a blob");
        let ids: Vec<_> = numbers().map(put).collect();
        let list: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let pack = ["pack-objects", "-q", ".git/objects/pack/pack"];
        command::git(folder.path(), &pack, list.as_bytes()).expect("git packs");
        command::git(folder.path(), &["prune-packed", "-q"], b"").expect("git removes");
        let later = put(u32::MAX);
        let mut buffer = Vec::new();
        for id in ids.iter().chain([&later]) {
            let found = Objects(&repo).try_find(id, &mut buffer);
            assert!(found.is_ok_and(|found| found.is_some()), "{id}");
        }
    }

    #[test]
    fn only_whole_streams_are_read() {
        let whole = stored(Kind::Blob, b"content");
        assert_eq!(unstored(&whole), Some(&b"blob 7\0content"[..]));
        for length in 0..whole.len() {
            assert_eq!(unstored(&whole[..length]), None, "{length}");
        }
        for position in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[position] ^= 1;
            assert_eq!(unstored(&damaged), None, "{position}");
        }
    }
}
