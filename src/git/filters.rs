//! The user's filters and line ends, both ways.
//!
//! gix applies them in process, but for two attributes that only git gets right to the byte: `ident`, and
//! `working-tree-encoding`, of which gix writes no UTF-16 and does not know every name.

use std::io::{self, Read};

use gix::attrs::StateRef;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode};
use gix::objs::tree::EntryKind;

use super::command::git;
use super::repo::Repo;
use super::trees::{self, Leaf};
use crate::error::{Doing, Error, Result};

/// Why a file's content could not be taken in.
type Why = Box<dyn std::error::Error + Send + Sync>;

/// What git has to do itself.
const OF_GIT: [&str; 2] = ["ident", "working-tree-encoding"];

/// Filters and line ends by the attributes of one moment.
pub(crate) struct Filters<'a> {
    repo: &'a Repo,
    pipeline: gix::filter::Pipeline<'a>,
    attributes: gix::AttributeStack<'a>,
}

impl<'a> Filters<'a> {
    pub(crate) fn new(repo: &'a Repo, index: &gix::index::State) -> Result<Self> {
        let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
        let attributes = repo
            .gix
            .attributes_only(&absent_on_purpose(repo, index), source)
            .doing("read the attributes")?;
        let stack = gix::worktree::Stack::clone(&attributes);
        let pipeline = gix::filter::Pipeline::new(&repo.gix, stack).doing("set up the filters")?;
        Ok(Filters {
            repo,
            pipeline,
            attributes,
        })
    }

    /// What git would store of about this many bytes.
    pub(super) fn stored<R: Read>(
        &mut self,
        index: &gix::index::State,
        path: &BStr,
        length: u64,
        open: impl Fn() -> io::Result<R>,
    ) -> std::result::Result<Vec<u8>, Why> {
        let why = match self.cleaned(index, path, length, open()?) {
            Ok(bytes) => return Ok(bytes),
            Err(why) => why,
        };
        match path.to_str() {
            Ok(text) if self.is_of_git(path)? => {
                let mut bytes = Vec::new();
                open()?.read_to_end(&mut bytes)?;
                Ok(self.cleaned_by_git(text, &bytes)?)
            }
            _ => Err(why),
        }
    }

    fn cleaned(
        &mut self,
        index: &gix::index::State,
        path: &BStr,
        length: u64,
        from: impl Read,
    ) -> std::result::Result<Vec<u8>, Why> {
        // Without it a small file is read in five pieces. A huge one grows as it is read.
        const MOST_ROOM: u64 = 1 << 20;
        let mut bytes = Vec::with_capacity(length.min(MOST_ROOM) as usize + 1);
        self.pipeline
            .convert_to_git(from, &gix::path::from_bstr(path)?, index)?
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn cleaned_by_git(&self, path: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let asked = ["hash-object", "-w", "--stdin", "--path", path];
        let printed = git(self.repo.root(), &asked, bytes)?;
        let id = gix::ObjectId::from_hex(printed.trim()).doing("read an object id")?;
        let kind = EntryKind::Blob;
        trees::content(self.repo, Leaf { kind, id })
    }

    /// The bytes that a file has in the worktree.
    pub(crate) fn checked_out(&mut self, path: &BStr, leaf: Leaf) -> Result<Vec<u8>> {
        if leaf.is_link() {
            return trees::content(self.repo, leaf);
        }
        let failed = |source: Why| Error::Content {
            doing: "write",
            path: path.to_string(),
            source,
        };
        if let Ok(text) = path.to_str()
            && self.is_of_git(path)?
        {
            let id = leaf.id.to_string();
            let asked = ["cat-file", "--filters", "--path", text, &id];
            return git(self.repo.root(), &asked, b"").map_err(|error| failed(error.into()));
        }
        let blob = trees::content(self.repo, leaf)?;
        let mut smudged = Vec::new();
        self.pipeline
            .convert_to_worktree(&blob, path, Default::default())
            .map_err(|error| failed(error.into()))?
            .read_to_end(&mut smudged)
            .map_err(|error| failed(error.into()))?;
        Ok(smudged)
    }

    /// Whether a path has an attribute that git has to look after.
    fn is_of_git(&mut self, path: &BStr) -> Result<bool> {
        let mut found = self.attributes.selected_attribute_matches(OF_GIT);
        let at = self.attributes.at_entry(path, Some(Mode::FILE));
        at.doing("read the attributes")?
            .matching_attributes(&mut found);
        Ok(found
            .iter_selected()
            .any(|matched| match matched.assignment.state {
                StateRef::Set | StateRef::Value(_) => true,
                StateRef::Unset | StateRef::Unspecified => false,
            }))
    }
}

/// The attribute files that count although the worktree does not have them: those outside of a sparse
/// checkout. One that was deleted governs nothing any more.
fn absent_on_purpose(repo: &Repo, index: &gix::index::State) -> gix::index::State {
    let mut absent = gix::index::State::new(repo.gix.object_hash());
    if !repo.is_sparse() {
        return absent;
    }
    for entry in index.entries() {
        let path = entry.path(index);
        let name = path.rsplit(|byte| *byte == b'/').next();
        if name == Some(b".gitattributes") && entry.flags.contains(Flags::SKIP_WORKTREE) {
            absent.dangerously_push_entry(entry.stat, entry.id, entry.flags, entry.mode, path);
        }
    }
    absent
}
