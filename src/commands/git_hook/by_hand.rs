//! `pre-commit` and `commit-msg`: a commit by hand on the WIP branch keeps to the rules of the loop.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

use crate::branch::place::Place;
use crate::branch::sealed::Sealed;
use crate::branch::session::Session;
use crate::env_vars;
use crate::error::{Doing, Error, Result};
use crate::git::command::git;
use crate::git::index_diff;
use crate::git::refs;
use crate::git::repo::Repo;
use crate::git::trees::{self, Change};
use crate::message::hooks;
use crate::message::refusals;
use crate::rules::Remedy;
use crate::rules::squash::MADE_WITH_GIT;

/// Refuses the commit if the loop would undo a part of it.
pub(super) fn check_commit(repo: &Repo, sealed: &Sealed, place: &Place) -> Result<()> {
    let session = Session::of_caller(repo, &sealed.config, place)?;
    let by_agent = session.by.is_some();
    let mut refused = Vec::new();
    let mut noted = Vec::new();
    for breach in session.objections(&staged(repo, place)?)? {
        let path = breach.path.to_str_lossy().into_owned();
        match breach.remedy {
            Remedy::Undo
            | Remedy::UndoSourcePart
            | Remedy::UndoTestPart
            | Remedy::KeepUncommitted => refused.push(path),
            // Nothing of ours is obeyed from there, and its owner may change it.
            Remedy::PutBackOwnEntries if by_agent => refused.push(path),
            Remedy::PutBackOwnEntries | Remedy::LeaveAlone => {}
            Remedy::Report => noted.push(path),
        }
    }
    let phase = session.state.phase;
    if !refused.is_empty() {
        let branch = refs::short(&place.wip).to_string();
        return Err(hooks::commit_refused(&branch, phase, &refused));
    }
    if !noted.is_empty() {
        anstream::eprint!("{}", hooks::commit_noted(phase, &noted));
    }
    Ok(())
}

/// What the commit would change: `git commit -a` and `git commit PATH` use an index of their own.
fn staged(repo: &Repo, place: &Place) -> Result<Vec<Change>> {
    let head = repo.tree_of(place.head.commit)?;
    let index = match env_vars::hook_index() {
        Some(path) => read_index(repo, &repo.root().join(path))?,
        None => gix::index::File::clone(&*repo.index()?),
    };
    let mut changes = Vec::new();
    for item in index_diff::staged(repo, &index, head)? {
        changes.push(Change {
            before: trees::lookup(repo, head, item.path.as_bstr())?,
            after: item.index,
            path: item.path,
        });
    }
    Ok(changes)
}

fn read_index(repo: &Repo, path: &Path) -> Result<gix::index::File> {
    let skip_hash = true;
    let options = gix::index::decode::Options::default();
    gix::index::File::at(path, repo.gix.object_hash(), skip_hash, options).doing("read the index")
}

/// Adds the trailers of a WIP commit to the message.
pub(super) fn add_trailers(
    repo: &Repo,
    sealed: &Sealed,
    place: &Place,
    file: Option<&OsString>,
) -> Result<()> {
    let file = file
        .map(PathBuf::from)
        .ok_or_else(refusals::no_message_file)?;
    let file = repo.root().join(file);
    let message = std::fs::read(&file).map_err(|error| Error::io("read", &file, error))?;
    let said = git(repo.root(), &["stripspace", "--strip-comments"], &message)?;
    // An empty message is how a commit is given up.
    if said.trim_ascii().is_empty() {
        return Ok(());
    }
    let session = Session::of_caller(repo, &sealed.config, place)?;
    let mut trailers = vec![
        format!("TCR-Phase: {}", MADE_WITH_GIT),
        format!("TCR-Cycle: {}", session.cycle()),
    ];
    trailers.extend(session.by.map(|by| format!("Agent-Type: {by}")));
    let file = file.to_string_lossy();
    let mut args = vec!["interpret-trailers", "--in-place", "--if-exists=doNothing"];
    for trailer in &trailers {
        args.extend(["--trailer", trailer]);
    }
    args.push(&file);
    git(repo.root(), &args, b"").map(drop)
}
