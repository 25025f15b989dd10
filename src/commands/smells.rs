//! `git tcr smells [FILE…] [--staged | --range R]`

use clap::Args;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix::bstr::{BString, ByteSlice};

use super::{open, print};
use crate::branch::classes::Classes;
use crate::branch::{place, sealed};
use crate::config::Config;
use crate::error::{Error, ExitStatus, Result};
use crate::git::command::git;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change, Leaf};
use crate::message;
use crate::step::smells::Examiner;
use crate::step::steps;

/// `smells`
#[derive(Debug, Args)]
pub(crate) struct SmellsArgs {
    /// Files or folders to look at; by default every file that git does not ignore, and the
    /// order of the work on this branch.
    #[arg(value_name = "FILE", conflicts_with_all = ["staged", "range"])]
    pub(crate) files: Vec<PathBuf>,
    /// Only what the staged changes bring.
    #[arg(long, conflicts_with = "range")]
    pub(crate) staged: bool,
    /// Only what these commits bring, and their order, such as `main..HEAD`.
    #[arg(long, value_name = "R")]
    pub(crate) range: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Files that are larger are no tests that people write; the examiner says so.
const LARGEST: u64 = 16 * 1024 * 1024;

pub(crate) fn smells(args: &SmellsArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let config = config(&repo)?;
    let classes = Classes::new(&repo, &config, None)?;
    let mut examiner = Examiner::new(&config, &classes);
    if args.staged {
        staged(&repo, &mut examiner)?;
    } else if let Some(range) = &args.range {
        let journal = place::locate(&repo).ok().and_then(|place| place.loaded);
        let changes = steps::changes_in(&repo, range)?;
        examiner.expect(&repo, &changes)?;
        for change in &changes {
            examiner.change(&repo, change)?;
        }
        let tip = journal.map(|loaded| loaded.tip);
        examiner.order(&steps::out_of_order_in(&repo, &classes, range, tip)?);
    } else if args.files.is_empty() {
        everything(&repo, &mut examiner)?;
        if let Some(loaded) = place::locate(&repo).ok().and_then(|place| place.loaded) {
            let range = format!("{}..HEAD", loaded.state.fork);
            let order = steps::out_of_order_in(&repo, &classes, &range, Some(loaded.tip))?;
            examiner.order(&order);
        }
    } else {
        named(&repo, &mut examiner, &args.files)?;
    }
    let smells = examiner.smells;
    if args.json {
        let mut facts = serde_json::to_value(&smells).unwrap_or_default();
        facts["blocking"] = smells.blocking().into();
        print::json(&facts)?;
    } else {
        print::message(&message::smells::smells(&smells))?;
    }
    Ok(match smells.blocking() {
        0 => ExitStatus::Done,
        _ => ExitStatus::No,
    })
}

/// The accepted config; where git tcr is not installed, as in CI, the one in the files.
fn config(repo: &Repo) -> Result<Config> {
    match sealed::load(repo)? {
        Some(sealed) => Ok(sealed.config),
        None => sealed::from_files(repo),
    }
}

/// Every file that git does not ignore, as it is in the worktree.
fn everything(repo: &Repo, examiner: &mut Examiner<'_>) -> Result<()> {
    for path in not_ignored(repo)? {
        let shown = path.to_str_lossy();
        if let Some(role) = examiner.role(&shown)
            && let Some(content) = read(&repo.on_disk(path.as_bstr()))?
        {
            examiner.file(&shown, &content, role);
        }
    }
    Ok(())
}

fn not_ignored(repo: &Repo) -> Result<Vec<BString>> {
    let list = [
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "--deduplicate",
        "-z",
    ];
    let listed = git(repo.root(), &list, &[])?;
    let paths = listed.split(|byte| *byte == 0);
    let mut paths: Vec<BString> = paths
        .filter(|path| !path.is_empty())
        .map(BString::from)
        .collect();
    paths.sort();
    Ok(paths)
}

/// Files and folders as typed.
fn named(repo: &Repo, examiner: &mut Examiner<'_>, files: &[PathBuf]) -> Result<()> {
    for file in files {
        if file.canonicalize().is_ok_and(|full| full == repo.root()) {
            everything(repo, examiner)?;
            continue;
        }
        let inside = open::from_root(repo.root(), file, "git tcr smells FILE")?;
        let full = repo.root().join(&inside);
        let metadata = full
            .metadata()
            .map_err(|error| Error::io("read", file, error))?;
        if metadata.is_dir() {
            let folder = BString::from(inside.as_os_str().as_bytes());
            for path in not_ignored(repo)? {
                let is_inside = path
                    .strip_prefix(folder.as_slice())
                    .is_some_and(|rest| folder.is_empty() || rest.starts_with(b"/"));
                if is_inside {
                    one(
                        examiner,
                        &path.to_str_lossy(),
                        &repo.on_disk(path.as_bstr()),
                        false,
                    )?;
                }
            }
        } else {
            one(examiner, &inside.to_string_lossy(), &full, true)?;
        }
    }
    Ok(())
}

/// One file. A file that was named is looked at for tests wherever it lies.
fn one(examiner: &mut Examiner<'_>, shown: &str, full: &Path, is_named: bool) -> Result<()> {
    use crate::smells::{Role, can_read};
    let role = match (examiner.role(shown), is_named) {
        (Some(Role::Source) | None, true) => Some(Role::Mixed),
        (role, _) => role,
    };
    match role.filter(|_| can_read(shown)) {
        Some(role) => {
            if let Some(content) = read(full)? {
                examiner.file(shown, &content, role);
            }
        }
        None if is_named => examiner
            .smells
            .notes
            .push(message::smells::unknown_language(shown)),
        None => {}
    }
    Ok(())
}

/// The content of a file; nothing if it is none, or is gone.
fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    use std::io::Read;
    let is_file = path
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file());
    if !is_file {
        return Ok(None);
    }
    let io = |error| Error::io("read", path, error);
    let mut content = Vec::new();
    let file = std::fs::File::open(path).map_err(io)?;
    file.take(LARGEST).read_to_end(&mut content).map_err(io)?;
    Ok(Some(content))
}

/// What the index brings over HEAD.
fn staged(repo: &Repo, examiner: &mut Examiner<'_>) -> Result<()> {
    let head = match repo.head() {
        Ok(head) => repo.tree_of(head.commit)?,
        Err(_) => gix::ObjectId::empty_tree(repo.gix.object_hash()),
    };
    let index = repo.index()?;
    for entry in index.entries() {
        let path = entry.path(&index);
        if examiner.role(&path.to_str_lossy()).is_none() {
            continue;
        }
        let Some(mode) = entry.mode.to_tree_entry_mode() else {
            continue;
        };
        let after = Leaf {
            kind: mode.kind(),
            id: entry.id,
        };
        let before = trees::lookup(repo, head, path)?;
        if before != Some(after) {
            let change = Change {
                path: path.to_owned(),
                before,
                after: Some(after),
            };
            examiner.change(repo, &change)?;
        }
    }
    Ok(())
}
