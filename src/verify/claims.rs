//! What the commits of a range say they stand for.

use std::collections::HashMap;

use super::Loaded;
use crate::error::{Doing, Result};
use crate::git::command::git;
use crate::git::repo::Repo;
use crate::message;
use crate::message::refusals;
use crate::outcome::verify::Finding;
use crate::rules::squash::trailers;

const TRAILER: &str = "TCR-Evidence";

/// One commit that claims to stand for one of an archived history.
struct Claim {
    commit: gix::ObjectId,
    /// What it names, as it says it.
    named: String,
    id: Option<gix::ObjectId>,
}

/// The claims of a range.
pub(super) struct Claims {
    histories: Vec<Claim>,
    /// The evidence documents that are named.
    documents: Vec<String>,
    /// How many commits claim nothing.
    pub(super) without: usize,
}

impl Claims {
    /// Reads the commits of a range.
    pub(super) fn of_range(repo: &Repo, range: &str) -> Result<Claims> {
        let listed = git(repo.root(), &["rev-list", "--end-of-options", range], b"");
        let listed = listed.map_err(|_| refusals::no_range(range))?;
        let mut claims = Claims {
            histories: Vec::new(),
            documents: Vec::new(),
            without: 0,
        };
        for line in String::from_utf8_lossy(&listed).lines() {
            let id = gix::ObjectId::from_hex(line.as_bytes()).doing("read an object id")?;
            claims.take(repo, id)?;
        }
        Ok(claims)
    }

    fn take(&mut self, repo: &Repo, commit: gix::ObjectId) -> Result<()> {
        let found = repo.gix.find_commit(commit).doing("read a commit")?;
        let text = found.message_raw().doing("read a commit")?.to_string();
        let mut history = None;
        for (key, value) in trailers(&text) {
            let Some((name, id)) = value.split_once(' ') else {
                continue;
            };
            if !key.eq_ignore_ascii_case(TRAILER) {
                continue;
            }
            if name.starts_with("refs/tcr/evidence/") {
                self.documents.push(id.to_owned());
            } else if name.starts_with("refs/tcr/archive/") && history.is_none() {
                history = Some(id.to_owned());
            }
        }
        match history {
            Some(named) => self.histories.push(Claim {
                commit,
                id: gix::ObjectId::from_hex(named.as_bytes()).ok(),
                named,
            }),
            None => self.without += 1,
        }
        Ok(())
    }

    /// How many commits claim a history.
    pub(super) fn len(&self) -> usize {
        self.histories.len()
    }

    /// Whether a document is named.
    pub(super) fn name_document(&self, id: gix::ObjectId) -> bool {
        self.documents.contains(&id.to_string())
    }

    /// Whether a commit of a history is named.
    pub(super) fn name_one_of(&self, history: &Loaded) -> bool {
        let ids = history.entries.iter().map(|entry| entry.id);
        ids.into_iter()
            .any(|id| self.histories.iter().any(|claim| claim.id == Some(id)))
    }

    /// Every commit that claims a history has to be in one that is here, with the same tree.
    pub(super) fn check(&self, repo: &Repo, loaded: &[Loaded]) -> Vec<Finding> {
        let entries = loaded.iter().flat_map(|one| &one.entries);
        let trees: HashMap<_, _> = entries.map(|entry| (entry.id, entry.tree)).collect();
        let flaw = |claim: &Claim| {
            let what = match claim.id.and_then(|id| trees.get(&id)) {
                None => message::verify::no_history(&claim.named),
                Some(tree) if repo.tree_of(claim.commit).ok() != Some(*tree) => {
                    message::verify::other_tree(&claim.named)
                }
                Some(_) => return None,
            };
            Some(Finding::wrong(Some(claim.commit), what))
        };
        self.histories.iter().filter_map(flaw).collect()
    }
}
