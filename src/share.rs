//! `push` and `fetch`: evidence for other machines, each clone's under its own id.
//!
//! Nobody ever writes to another clone's refs, so there is nothing to win or to lose: histories of
//! one branch from two machines are both kept. Refs only go forward.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use gix::bstr::ByteSlice;

use crate::branch::transaction::{self, Transaction};
use crate::error::{Doing, Error, Result};
use crate::fault;
use crate::git::command::{Ended, git_answer};
use crate::git::notes::{self, Note};
use crate::git::refs::{self, Move, Pointer};
use crate::git::repo::Repo;
use crate::git::{objects, ref_writer};
use crate::message;
use crate::outcome::share::{Fetched, Pushed};
use crate::verify::sources::REMOTES;

/// Where clones keep their refs on a remote.
const CLONES: &str = "refs/tcr/clones/";
/// What is shared: folders below `refs/tcr/`.
const SHARED: &[&str] = &["archive", "evidence", "state"];
const REVERTS: &str = "reverts";
const ORACLES: &str = "refs/tcr/oracle/";

/// Pushes this clone's refs and notes.
pub(crate) fn push(repo: &Repo, remote: Option<&str>, reverts: bool) -> Result<Pushed> {
    let remote = remote_of(repo, remote)?;
    let mut id = clone_id(repo)?;
    let mut renamed = false;
    loop {
        let specs = refspecs(repo, &id, reverts)?;
        if specs.is_empty() {
            return Err(message::verify::nothing_to_push());
        }
        let mut args = vec!["push", "--porcelain", &remote];
        args.extend(specs.iter().map(String::as_str));
        let ended = git_answer(repo.root(), &args)?;
        fault::point("pushed");
        let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
        if ended.success {
            let moved = |line: &&str| line.starts_with([' ', '*']) && line.contains('\t');
            return Ok(Pushed {
                refs: lines.lines().filter(moved).count(),
                remote,
                clone: id,
                renamed,
            });
        }
        // Only a copy of this clone, with the same id, can have pushed something else there.
        if renamed || !lines.lines().any(|line| line.starts_with('!')) {
            return Err(failed("push", &remote, &ended));
        }
        id = new_id(repo, Some(&id))?;
        renamed = true;
    }
}

fn failed(what: &str, remote: &str, ended: &Ended) -> Error {
    Error::GitCommand {
        command: format!("{what} {remote}"),
        why: ended.stderr.trim().to_owned(),
    }
}

/// What goes where. Refs that may be replaced bear the id of what they hold.
fn refspecs(repo: &Repo, id: &str, reverts: bool) -> Result<Vec<String>> {
    let mut specs = Vec::new();
    for folder in SHARED.iter().chain(reverts.then_some(&REVERTS)) {
        if !refs::below(repo, &format!("refs/tcr/{folder}/"))?.is_empty() {
            specs.push(format!("refs/tcr/{folder}/*:{CLONES}{id}/{folder}/*"));
        }
    }
    for (name, commit) in refs::below(repo, ORACLES)? {
        let base = name.trim_start_matches(ORACLES);
        specs.push(format!("{name}:{CLONES}{id}/oracle/{base}/{commit}"));
    }
    let single = [
        (refs::CONFIG, "config"),
        (refs::NOTES, "notes/tcr"),
        (refs::RESULTS, "notes/tcr-results"),
    ];
    for (name, there) in single {
        if refs::read(repo, name)?.is_some() {
            specs.push(format!("{name}:{CLONES}{id}/{there}"));
        }
    }
    Ok(specs)
}

/// Fetches what other clones have pushed, and merges their summaries of commits into ours. Their
/// test results stay theirs: nothing is ever decided by them.
pub(crate) fn fetch(repo: &Repo, remote: Option<&str>) -> Result<Fetched> {
    let remote = remote_of(repo, remote)?;
    let here = format!("{REMOTES}{}/", refs::component(remote.as_bytes().as_bstr()));
    let all = format!("{CLONES}*:{here}*");
    let not_own = read_id(repo)?.map(|id| format!("^{CLONES}{id}/*"));
    let mut args = vec![
        "fetch",
        "--porcelain",
        "--no-tags",
        "--no-prune",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        &remote,
        &all,
    ];
    args.extend(not_own.as_deref());
    let ended = git_answer(repo.root(), &args)?;
    fault::point("fetched");
    let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
    let rewound: Vec<String> = lines
        .lines()
        .filter(|line| line.starts_with('!'))
        .filter_map(|line| line.rsplit(' ').next())
        .map(str::to_owned)
        .collect();
    if !ended.success && rewound.is_empty() {
        return Err(failed("fetch", &remote, &ended));
    }
    let moved = lines.lines().filter(|line| line.starts_with([' ', '*']));
    Ok(Fetched {
        refs: moved.count(),
        notes: merge_notes(repo, &here)?,
        remote,
        rewound,
    })
}

/// Adds the notes that are only there. Where both have one, ours stays.
fn merge_notes(repo: &Repo, here: &str) -> Result<usize> {
    let ours = notes::all(repo, refs::NOTES)?;
    let mut new: BTreeMap<gix::ObjectId, gix::ObjectId> = BTreeMap::new();
    for (name, _) in refs::below(repo, here)? {
        if name.ends_with("/notes/tcr") {
            let theirs = notes::all(repo, &name)?.into_iter();
            new.extend(theirs.filter(|(object, _)| !ours.contains_key(object)));
        }
    }
    if new.is_empty() {
        return Ok(0);
    }
    let note = |(object, blob)| Note::new(refs::NOTES, object, blob);
    let new: Vec<Note> = new.into_iter().map(note).collect();
    let count = new.len();
    let moves = notes::moves(repo, &new)?;
    ref_writer::apply(repo, &moves, "git tcr fetch")?;
    fault::point("notes-merged");
    Ok(count)
}

/// The remote that is meant: the one named, the branch's own, the only one, or `origin`.
fn remote_of(repo: &Repo, named: Option<&str>) -> Result<String> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let config = repo.gix.config_snapshot();
    if let Ok(head) = repo.head() {
        let short = refs::short(&head.branch).to_string();
        let base = short.strip_prefix("tcr/").unwrap_or(&short);
        if let Some(remote) = config.string(format!("branch.{base}.remote").as_str()) {
            return Ok(remote.to_string());
        }
    }
    let names = repo.gix.remote_names();
    let only = match names.len() {
        1 => names.first().map(|name| name.to_string()),
        _ => None,
    };
    let has_origin = names.iter().any(|name| name.as_bstr() == "origin");
    only.or(has_origin.then(|| "origin".into()))
        .ok_or_else(message::verify::no_remote)
}

fn read_id(repo: &Repo) -> Result<Option<String>> {
    let Some(blob) = refs::read(repo, refs::CLONE)? else {
        return Ok(None);
    };
    let text = repo
        .gix
        .find_blob(blob)
        .doing("read the clone's id")?
        .take_data();
    let text = text.to_str_lossy().trim().to_owned();
    let is_id = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_id {
        true => Ok(Some(text)),
        false => Err(Error::corrupt(refs::CLONE, "it is no id")),
    }
}

fn clone_id(repo: &Repo) -> Result<String> {
    match read_id(repo)? {
        Some(id) => Ok(id),
        None => new_id(repo, None),
    }
}

/// Takes a new id. Its only use is to differ from all others.
fn new_id(repo: &Repo, old: Option<&str>) -> Result<String> {
    let random = RandomState::new().build_hasher().finish();
    let id = format!("{random:016x}");
    let blob = objects::blob(repo, format!("{id}\n").as_bytes())?;
    let move_ = Move {
        name: refs::CLONE.into(),
        old: match old {
            Some(_) => refs::current(repo, refs::CLONE)?,
            None => None,
        },
        new: Some(Pointer::object(blob)),
    };
    let transaction = Transaction {
        moves: vec![move_],
        log: "git tcr push".into(),
        ..Transaction::default()
    };
    let tree = gix::ObjectId::empty_tree(repo.gix.object_hash());
    transaction::carry_out(repo, tree, &transaction)?;
    fault::point("clone-named");
    Ok(id)
}
