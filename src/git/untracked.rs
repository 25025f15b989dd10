//! Which of the names that the index does not know belong to the work.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::index::entry::{Mode, Stat};
use gix::worktree::stack::state::ignore::Source;
use rustix::fs::FileType;

use super::repo::Repo;
use super::scan::{self, Scan};
use super::trees::Leaf;
use crate::error::{Doing, Error, Result};
use crate::rules::private::{is_emacs_lock, is_vim_swap};

/// The untracked part of the worktree.
#[derive(Debug, Default)]
pub(crate) struct Untracked {
    /// Files and links that are not ignored.
    pub(crate) files: BTreeMap<BString, Stat>,
    /// Repositories that are not submodules.
    pub(crate) nested: Vec<BString>,
}

/// Lists untracked files that are not ignored, without the marks of files that are open in an editor.
///
/// An ignore file that differs from HEAD's may not hide a path that `never_hidden` names: such
/// paths are judged by the rules that HEAD has.
pub(crate) fn list(
    repo: &Repo,
    index: &gix::index::State,
    scan: &Scan,
    head_tree: gix::ObjectId,
    changed: &BTreeMap<BString, Option<Leaf>>,
    never_hidden: &dyn Fn(&BStr) -> bool,
) -> Result<Untracked> {
    let mut listed = Untracked::default();
    if scan.unknown.is_empty() {
        return Ok(listed);
    }
    let mut rules = Rules {
        repo,
        head_tree,
        now: repo
            .gix
            .excludes(index, None, Source::WorktreeThenIdMappingIfNotSkipped)
            .doing("read the ignore rules")?,
        at_head: None,
        believed: false,
        never_hidden,
    };
    if ignore_files_changed(scan, changed) {
        rules.look_at_head()?;
    }
    for unknown in &scan.unknown {
        visit(
            repo,
            unknown.path.clone(),
            unknown.is_dir,
            &mut rules,
            &mut listed,
        )?;
    }
    Ok(listed)
}

fn ignore_files_changed(scan: &Scan, changed: &BTreeMap<BString, Option<Leaf>>) -> bool {
    let is_ignore_file = |path: &BStr| path == ".gitignore" || path.ends_with(b"/.gitignore");
    changed.keys().any(|path| is_ignore_file(path.as_bstr()))
        || scan
            .unknown
            .iter()
            .any(|unknown| is_ignore_file(unknown.path.as_bstr()))
}

struct Rules<'a> {
    repo: &'a Repo,
    head_tree: gix::ObjectId,
    now: gix::AttributeStack<'a>,
    at_head: Option<gix::AttributeStack<'a>>,
    /// Whether the rules of now are believed whatever HEAD's say: inside a tool's folder.
    believed: bool,
    never_hidden: &'a dyn Fn(&BStr) -> bool,
}

impl Rules<'_> {
    /// From here on HEAD's rules count too.
    fn look_at_head(&mut self) -> Result<()> {
        const READING: &str = "read HEAD's ignore rules";
        if self.at_head.is_none() {
            let gix = &self.repo.gix;
            let index = gix.index_from_tree(&self.head_tree).doing(READING)?;
            let stack = gix.excludes(&index, None, Source::IdMapping);
            self.at_head = Some(stack.doing(READING)?);
        }
        Ok(())
    }

    fn hides(&mut self, path: &BStr, is_dir: bool) -> Result<bool> {
        let mode = if is_dir { Mode::DIR } else { Mode::FILE };
        let excluded = |stack: &mut gix::AttributeStack<'_>| -> Result<bool> {
            let at = stack
                .at_entry(path, Some(mode))
                .doing("apply the ignore rules")?;
            Ok(at.is_excluded())
        };
        if !excluded(&mut self.now)? {
            return Ok(false);
        }
        let Some(at_head) = self.at_head.as_mut() else {
            return Ok(true);
        };
        if self.believed {
            return Ok(true);
        }
        let judged = is_dir || (self.never_hidden)(path);
        Ok(!judged || excluded(at_head)?)
    }
}

/// Whether a file says no more than that an editor has another one open. The name alone is not
/// enough: tests could depend on a file that only looks like one.
fn is_editors_mark(path: &BStr, on_disk: &Path) -> bool {
    const VIM: &[u8] = b"b0VIM ";
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    if is_emacs_lock(name) {
        // It points at `user@host.process`.
        return std::fs::read_link(on_disk).is_ok() && !on_disk.exists();
    }
    let mut start = Vec::new();
    is_vim_swap(name)
        && std::fs::File::open(on_disk)
            .and_then(|file| file.take(VIM.len() as u64).read_to_end(&mut start))
            .is_ok_and(|_| start == VIM)
}

fn visit(
    repo: &Repo,
    path: BString,
    is_dir: bool,
    rules: &mut Rules<'_>,
    listed: &mut Untracked,
) -> Result<()> {
    if rules.hides(path.as_bstr(), is_dir)? {
        return Ok(());
    }
    let believed = rules.believed;
    let on_disk = repo.on_disk(path.as_bstr());
    if !is_dir {
        // It may be gone by now.
        if let Ok(stat) = rustix::fs::lstat(&on_disk)
            && matches!(
                FileType::from_raw_mode(stat.st_mode),
                FileType::RegularFile | FileType::Symlink
            )
            && !is_editors_mark(path.as_bstr(), &on_disk)
        {
            listed.files.insert(path, scan::index_stat(&stat));
        }
        return Ok(());
    }
    if on_disk.join(".git").symlink_metadata().is_ok() {
        listed.nested.push(path);
        return Ok(());
    }
    if on_disk.join(".gitignore").symlink_metadata().is_ok() {
        match is_made_by_a_tool(&on_disk) {
            true => rules.believed = true,
            false => rules.look_at_head()?,
        }
    }
    let items = match std::fs::read_dir(&on_disk) {
        Ok(items) => items,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io("list", &on_disk, error)),
    };
    for item in items {
        let item = item.map_err(|error| Error::io("list", &on_disk, error))?;
        let kind = item
            .file_type()
            .map_err(|error| Error::io("look at", &on_disk, error))?;
        let mut child = path.clone();
        child.push_byte(b'/');
        child.push_str(item.file_name().as_bytes());
        visit(repo, child, kind.is_dir(), rules, listed)?;
    }
    rules.believed = believed;
    Ok(())
}

/// Whether an untracked folder with an ignore file of its own is a tool's: a virtual environment
/// or a cache, which hide themselves.
fn is_made_by_a_tool(folder: &Path) -> bool {
    ["pyvenv.cfg", "CACHEDIR.TAG"]
        .iter()
        .any(|mark| folder.join(mark).symlink_metadata().is_ok())
}
