//! The commits that the base branch gets: their trees, parents and messages, written as the
//! user's own.

use gix::bstr::ByteSlice;

use super::Request;
use super::carry_over::{Merged, merge};
use crate::branch::stand_aside::contains;
use crate::branch::wip_commits::Entry;
use crate::error::{Doing, Result};
use crate::git::repo::Repo;
use crate::git::trees;
use crate::git::user_commit::{self, Seat, UserCommit};
use crate::message;
use crate::message::squash::Trailers;
use crate::message::squash::refused::{self, BadMessage};
use crate::outcome::proof::Document;
use crate::outcome::squash::MadePart;
use crate::rules::squash::{
    Grouping, Part, WipCommit, folded_into_next, parts, without_hook_trailers,
};

/// What the commits are made from.
pub(super) struct Ground<'a> {
    pub(super) repo: &'a Repo,
    pub(super) base: &'a str,
    /// The WIP branch, oldest first.
    pub(super) entries: &'a [Entry],
    pub(super) fork: gix::ObjectId,
    /// What the first of the commits goes on top of.
    pub(super) onto: gix::ObjectId,
    /// The tree of the last one.
    pub(super) tree: gix::ObjectId,
    /// The ref that is going to hold the WIP branch.
    pub(super) archive: &'a str,
    /// Evidence documents that go with the last of the commits: ref and commit.
    pub(super) documents: Vec<(String, String)>,
    /// What the way out found, for the last of the commits.
    pub(super) proof: Option<&'a Document>,
}

/// One commit of the base branch before it is written.
pub(super) struct Planned {
    part: Part,
    tree: gix::ObjectId,
    /// What was merged on the way, beside the first parent.
    further: Vec<gix::ObjectId>,
}

impl Ground<'_> {
    fn commits(&self, part: &Part) -> Vec<WipCommit> {
        let entries = self.entries.get(part.range()).unwrap_or_default();
        entries.iter().map(|entry| entry.commit.clone()).collect()
    }

    /// Which commits there are going to be. A part whose tree can't be carried over alone goes in
    /// with the next one; one that changes nothing is left out.
    pub(super) fn plan(&self, grouping: Grouping) -> Result<Vec<Planned>> {
        let commits: Vec<WipCommit> = self.entries.iter().map(|e| e.commit.clone()).collect();
        let mut wanted = parts(&commits, grouping);
        let mut planned: Vec<Planned> = Vec::new();
        let mut before = self.repo.tree_of(self.onto)?;
        while let Some(part) = wanted.get(planned.len()).cloned() {
            let is_last = planned.len() + 1 == wanted.len();
            let Some(tree) = self.tree_after(&part, is_last)? else {
                wanted = folded_into_next(&wanted, planned.len());
                continue;
            };
            let further = self.merged_in(&part, &planned)?;
            if tree == before && further.is_empty() {
                if is_last {
                    break;
                }
                wanted = folded_into_next(&wanted, planned.len());
                continue;
            }
            before = tree;
            planned.push(Planned {
                part,
                tree,
                further,
            });
        }
        Ok(planned)
    }

    /// The tree after a part; none if it conflicts with what it goes on top of.
    fn tree_after(&self, part: &Part, is_last: bool) -> Result<Option<gix::ObjectId>> {
        if is_last {
            return Ok(Some(self.tree));
        }
        let Some(entry) = self.entries.get(part.last()) else {
            return Ok(None);
        };
        if self.onto == self.fork {
            return Ok(Some(entry.tree));
        }
        match merge(self.repo, self.fork, self.onto, entry.id)? {
            Merged::Tree(tree) => Ok(Some(tree)),
            Merged::Conflicts(_) => Ok(None),
        }
    }

    /// Commits merged from elsewhere, unless they are in what the part goes on top of.
    fn merged_in(&self, part: &Part, planned: &[Planned]) -> Result<Vec<gix::ObjectId>> {
        let entries = self.entries.get(part.range()).unwrap_or_default();
        let mut found: Vec<gix::ObjectId> = Vec::new();
        for parent in entries
            .iter()
            .flat_map(|entry| entry.parents.iter().skip(1))
        {
            let mut known = found.contains(parent) || contains(self.repo, self.onto, *parent)?;
            for earlier in planned.iter().flat_map(|one| &one.further) {
                known = known || contains(self.repo, *earlier, *parent)?;
            }
            if !known {
                // A later merge of the same branch has the earlier one in it.
                let mut kept = Vec::new();
                for earlier in found {
                    if !contains(self.repo, *parent, earlier)? {
                        kept.push(earlier);
                    }
                }
                kept.push(*parent);
                found = kept;
            }
        }
        Ok(found)
    }

    /// The message of a part, as proposed or asked for, without trailers.
    fn message(&self, planned: &Planned, is_last: bool, request: &Request<'_>) -> Result<String> {
        if let Part::Kept(at) = planned.part
            && let Some(entry) = self.entries.get(at)
        {
            return self.kept_message(entry);
        }
        match request.message.filter(|_| is_last) {
            Some(message) => {
                let (subject, rest) = message.split_once('\n').unwrap_or((message, ""));
                let subject = message::squash::with_kind(subject, request.kind);
                Ok(format!("{subject}\n{rest}"))
            }
            None => Ok(message::squash::proposal(
                &self.commits(&planned.part),
                self.base,
                request.kind,
            )),
        }
    }

    fn kept_message(&self, entry: &Entry) -> Result<String> {
        let Some(label) = &entry.commit.label else {
            let commit = self.repo.gix.find_commit(entry.id).doing("read a commit")?;
            let message = commit.message_raw().doing("read a commit")?;
            return Ok(without_hook_trailers(&message.to_str_lossy()));
        };
        let before = match entry.parents.first() {
            Some(parent) => self.repo.tree_of(*parent)?,
            None => gix::ObjectId::empty_tree(self.repo.gix.object_hash()),
        };
        let changes = trees::diff(self.repo, before, entry.tree)?;
        let names = crate::git::trees::names(changes.iter().map(|change| &change.path));
        let files = message::path_list(&names).replace('`', "");
        Ok(message::squash::by_hand_subject(label, &files))
    }

    fn trailers<'c>(&'c self, planned: &Planned, commits: &'c [WipCommit]) -> Trailers<'c> {
        let range = self.entries.get(planned.part.range()).unwrap_or_default();
        // The newest one whose tree this is: what is claimed can be looked up.
        let stands_for = range.iter().rev().find(|entry| entry.tree == planned.tree);
        let history = stands_for.map(|entry| (self.archive.to_owned(), entry.id.to_string()));
        let is_last = planned.part.range().end == self.entries.len();
        let documents = self.documents.iter().filter(|_| is_last).cloned();
        Trailers {
            commits,
            evidence: history.into_iter().chain(documents).collect(),
            proof: self.proof.filter(|_| is_last),
        }
    }

    /// What the commits would be, unwritten.
    pub(super) fn preview(
        &self,
        planned: &[Planned],
        request: &Request<'_>,
    ) -> Result<Vec<MadePart>> {
        let one = |(at, one): (usize, &Planned)| {
            let message = self.message(one, at + 1 == planned.len(), request)?;
            Ok(self.made(one, None, self.with_trailers(one, &message)))
        };
        planned.iter().enumerate().map(one).collect()
    }

    fn with_trailers(&self, planned: &Planned, message: &str) -> String {
        match planned.part {
            Part::Kept(_) => message.to_owned(),
            Part::Squashed(_) => {
                let commits = self.commits(&planned.part);
                message::squash::with_trailers(message, &self.trailers(planned, &commits))
            }
        }
    }

    fn made(&self, planned: &Planned, id: Option<gix::ObjectId>, message: String) -> MadePart {
        MadePart {
            id: id.map(|id| id.to_string()),
            message,
            kept: matches!(planned.part, Part::Kept(_)),
            commits: planned.part.range().len(),
        }
    }

    /// Writes the commits, each on top of the one before.
    pub(super) fn write(
        &self,
        planned: &[Planned],
        seat: &Seat,
        request: &Request<'_>,
    ) -> Result<Vec<(gix::ObjectId, MadePart)>> {
        let mut made: Vec<(gix::ObjectId, MadePart)> = Vec::new();
        for (at, one) in planned.iter().enumerate() {
            let parent = made.last().map_or(self.onto, |(id, _)| *id);
            let mut parents = vec![parent];
            parents.extend(&one.further);
            let proposed = self.message(one, at + 1 == planned.len(), request)?;
            if let Part::Kept(place) = one.part
                && let Some(entry) = self.entries.get(place)
            {
                let id = self.write_kept(one, entry, &parents, &proposed)?;
                made.push((id, self.made(one, Some(id), proposed)));
                continue;
            }
            let mut message = proposed;
            if request.edit {
                let lines = self.with_trailers(one, "subject");
                let lines = lines.split_once("\n\n").map_or("", |(_, rest)| rest);
                let help = message::squash::editor_help(lines);
                message = seat.edited(self.repo, &format!("{message}{help}"))?;
            }
            let message = self.hooked(one, seat, &message)?;
            let commit = UserCommit {
                tree: one.tree,
                parents: &parents,
                message: &message,
                author: None,
            };
            let id = user_commit::write(self.repo, &commit)?;
            made.push((id, self.made(one, Some(id), message)));
        }
        Ok(made)
    }

    fn hooked(&self, planned: &Planned, seat: &Seat, message: &str) -> Result<String> {
        if message.trim().is_empty() {
            return Err(refused::message(BadMessage::Empty));
        }
        let message = self.with_trailers(planned, message);
        let hooked = seat.hooked_message(self.repo, &message)?;
        let hooked = hooked.ok_or_else(|| refused::message(BadMessage::RefusedByHook))?;
        if hooked.trim().is_empty() {
            return Err(refused::message(BadMessage::EmptiedByHook));
        }
        Ok(hooked)
    }

    /// A commit made by hand: the very same where nothing about it changes.
    fn write_kept(
        &self,
        planned: &Planned,
        entry: &Entry,
        parents: &[gix::ObjectId],
        message: &str,
    ) -> Result<gix::ObjectId> {
        let is_own = entry.commit.label.is_none();
        if is_own && planned.tree == entry.tree && parents == entry.parents {
            return Ok(entry.id);
        }
        let author = match is_own {
            true => {
                let commit = self.repo.gix.find_commit(entry.id).doing("read a commit")?;
                let author = commit.author().doing("read a commit")?;
                Some(author.to_owned().doing("read a commit")?)
            }
            false => None,
        };
        let commit = UserCommit {
            tree: planned.tree,
            parents,
            message,
            author,
        };
        user_commit::write(self.repo, &commit)
    }
}
