//! `git tcr report`: the history of a branch as one page of HTML.

use clap::Args;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use serde_json::json;
use tempfile::NamedTempFile;

use super::{open, print};
use crate::branch::event::Event;
use crate::branch::history::History;
use crate::branch::place::{self, Place};
use crate::branch::recover;
use crate::branch::summary::summary;
use crate::error::{Doing, Error, ExitStatus, Result};
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::trees;
use crate::message::Message;
use crate::message::report::{self, Facts, Reverted, Rows};

/// `report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Where to write the page; `-` is standard output. By default inside the git directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON about the page that was written.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How many bytes each part may take, so that the page is quickly there whatever it tells about.
const TIMELINE_BYTES: usize = 300_000;
const REVERTS_BYTES: usize = 100_000;
const EVIDENCE_BYTES: usize = 200_000;
/// How many bytes of one diff, and of one evidence document, are shown.
const DIFF_BYTES: usize = 8_000;
const DOCUMENT_BYTES: usize = 40_000;
/// Larger files are named, not compared.
const LARGEST_FILE: u64 = 256 * 1024;

pub(crate) fn report(args: &ReportArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    place.require()?;
    if args.out.as_deref() == Some(Path::new("-")) {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let written = write_page(&repo, &place, &mut out);
        return match written {
            Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
                Ok(ExitStatus::Done)
            }
            written => written.map(|()| ExitStatus::Done),
        };
    }
    let path = target(&repo, args.out.as_deref())?;
    let bytes = write_file(&repo, &place, &path)?;
    if args.json {
        print::json(&json!({"path": path, "bytes": bytes}))?;
        return Ok(ExitStatus::Done);
    }
    print::message(&report::written_to_open(&path, bytes))?;
    Ok(ExitStatus::Done)
}

/// Writes the page where it goes by default.
pub(crate) fn write_default() -> Result<(PathBuf, Message)> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let path = target(&repo, None)?;
    let bytes = write_file(&repo, &place, &path)?;
    let message = report::written(&path, bytes);
    Ok((path, message))
}

/// Where the page goes. A file of the user's that is no report is not overwritten.
fn target(repo: &Repo, wanted: Option<&Path>) -> Result<PathBuf> {
    let Some(wanted) = wanted else {
        return Ok(repo.git_dir().join("tcr").join("report.html"));
    };
    let absolute = std::path::absolute(wanted).map_err(|error| Error::io("find", wanted, error))?;
    let folder = absolute.parent().unwrap_or(&absolute);
    let folder = folder
        .canonicalize()
        .map_err(|error| Error::io("enter", folder, error))?;
    let own = [repo.git_dir(), repo.common_dir()];
    if own
        .iter()
        .any(|dir| dir.canonicalize().is_ok_and(|dir| folder.starts_with(dir)))
    {
        return Err(report::inside_git_dir(wanted));
    }
    match std::fs::symlink_metadata(&absolute) {
        Ok(found) if !found.is_file() || !is_report(&absolute) => Err(report::no_report(wanted)),
        _ => Ok(absolute),
    }
}

fn is_report(path: &Path) -> bool {
    let mut start = vec![0; report::MARK.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == report::MARK.as_bytes()
}

/// Writes beside the goal first, so that a report is there whole or not at all.
fn write_file(repo: &Repo, place: &Place, path: &Path) -> Result<u64> {
    let io = |error| Error::io("write", path, error);
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(io)?;
    let mut file = NamedTempFile::new_in(folder).map_err(io)?;
    let mut out = BufWriter::new(file.as_file_mut());
    write_page(repo, place, &mut out)?;
    out.flush().map_err(io)?;
    drop(out);
    let bytes = file.as_file().metadata().map_err(io)?.len();
    readable_by_all(file.path()).map_err(io)?;
    file.persist(path).map_err(|failed| io(failed.error))?;
    Ok(bytes)
}

/// A page is there to be shown; temporary files are their owner's alone.
fn readable_by_all(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

fn write_page(repo: &Repo, place: &Place, out: &mut dyn Write) -> Result<()> {
    let loaded = place.require()?;
    let base = place.kept_under();
    let mut newest = History::up_to(repo, loaded.tip)
        .events()
        .take(report::ON_THE_WAY)
        .collect::<Result<Vec<Event>>>()?;
    newest.reverse();
    let reverts = refs::numbered(repo, "reverts", base)?;
    let evidence = refs::numbered(repo, "evidence", base)?;
    let summary = summary(repo, base, loaded.tip)?;
    let mut page = Page { out };
    page.put(&report::head(&Facts {
        base: &place.base.to_str_lossy(),
        state: &loaded.state,
        summary: &summary,
        newest: &newest,
        reverts: reverts.len(),
        evidence: evidence.len(),
    }))?;
    page.timeline(repo, loaded.tip, summary.events)?;
    page.reverts(repo, base, &reverts)?;
    page.evidence(repo, &evidence)?;
    page.put(&report::foot())?;
    page.out
        .flush()
        .map_err(|error| Error::io("write", Path::new("the report"), error))
}

struct Page<'a> {
    out: &'a mut dyn Write,
}

impl Page<'_> {
    fn put(&mut self, text: &str) -> Result<()> {
        self.out
            .write_all(text.as_bytes())
            .map_err(|error| Error::io("write", Path::new("the report"), error))
    }

    fn timeline(&mut self, repo: &Repo, tip: gix::ObjectId, events: u64) -> Result<()> {
        self.put(report::timeline_head())?;
        let mut rows = Rows::new();
        let (mut bytes, mut taken, mut shown) = (0, 0, 0);
        for event in History::up_to(repo, tip).events() {
            if let Some(cycle) = rows.add(&event?) {
                bytes += cycle.len();
                self.put(&cycle)?;
                shown = taken;
            }
            taken += 1;
            if bytes > TIMELINE_BYTES {
                return self.put(&report::timeline_end(events.saturating_sub(shown), events));
            }
        }
        if let Some(cycle) = rows.take() {
            self.put(&cycle)?;
        }
        self.put(&report::timeline_end(0, events))
    }

    fn reverts(&mut self, repo: &Repo, base: &BStr, entries: &[refs::Numbered]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        self.put(report::reverts_head())?;
        let mut bytes = 0;
        let mut left_out = 0;
        for entry in entries {
            if bytes > REVERTS_BYTES {
                left_out += 1;
                continue;
            }
            let entry = recover::find_entry(repo, base, entry.number)?;
            let (diff, is_cut) = short_diff(repo, &entry)?;
            let html = report::revert(&Reverted {
                number: entry.number,
                at: &entry.at,
                why: &entry.why,
                files: &entry.files,
                diff: &diff,
                is_cut,
            });
            bytes += html.len();
            self.put(&html)?;
        }
        self.put(&report::reverts_end(left_out))
    }

    fn evidence(&mut self, repo: &Repo, entries: &[refs::Numbered]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        self.put(report::evidence_head())?;
        let mut bytes = 0;
        for entry in entries {
            let files = documents(repo, entry.commit)?;
            let html =
                report::evidence(&entry.number.to_string(), &entry.commit.to_string(), &files);
            bytes += html.len();
            if bytes > EVIDENCE_BYTES {
                break;
            }
            self.put(&html)?;
        }
        self.put("</section>")
    }
}

/// The beginning of an entry's diff, and whether anything was left out.
fn short_diff(repo: &Repo, entry: &recover::Entry) -> Result<(String, bool)> {
    let commit = gix::ObjectId::from_hex(entry.commit.as_bytes()).doing("read an object id")?;
    let mut diff = String::new();
    let mut is_cut = false;
    for change in recover::changes(repo, commit)? {
        if diff.len() > DIFF_BYTES {
            is_cut = true;
            break;
        }
        let is_large = [change.before, change.after]
            .into_iter()
            .flatten()
            .any(|leaf| {
                let header = repo.gix.try_find_header(leaf.id).ok().flatten();
                header.is_some_and(|header| header.size() > LARGEST_FILE)
            });
        if is_large {
            is_cut = true;
            diff.push_str(&format!("+++ b/{}\n", change.path));
        } else {
            diff.push_str(&recover::unified(repo, &change)?);
        }
    }
    if let Some((end, _)) = diff.char_indices().find(|(at, _)| *at >= DIFF_BYTES) {
        diff.truncate(end);
        is_cut = true;
    }
    Ok((diff, is_cut))
}

/// The files of an evidence commit, as text.
fn documents(repo: &Repo, commit: gix::ObjectId) -> Result<Vec<(String, String)>> {
    let empty = gix::ObjectId::empty_tree(repo.gix.object_hash());
    let mut files = Vec::new();
    for file in trees::diff(repo, empty, repo.tree_of(commit)?)? {
        let Some(leaf) = file.after.filter(|_| !file.is_submodule()) else {
            continue;
        };
        let bytes = trees::content(repo, leaf)?;
        let shown = bytes.get(..DOCUMENT_BYTES).unwrap_or(&bytes);
        files.push((file.path.to_string(), shown.to_str_lossy().into_owned()));
    }
    // What people read comes before what programs read.
    files.sort_by_key(|(name, _)| !name.ends_with(".md"));
    Ok(files)
}
