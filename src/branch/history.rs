//! What happened on a branch, read link by link, newest first. However long the chain is, only one
//! link of it is in memory.

use gix::bstr::ByteSlice;
use gix::objs::FindExt;
use serde::de::IgnoredAny;

use super::event::Event;
use crate::error::{Doing, Result};
use crate::git::loose::Objects;
use crate::git::repo::Repo;

/// The events of a chain, newest first, each as the line of JSON it was written as.
pub(crate) struct History<'a> {
    repo: &'a Repo,
    next: Option<gix::ObjectId>,
    /// Where it ends, if it comes to it.
    known: Option<gix::ObjectId>,
    /// Of the link at hand, oldest first.
    lines: Vec<String>,
    buffer: Vec<u8>,
}

impl<'a> History<'a> {
    /// The history that ends with a link of the chain.
    pub(crate) fn up_to(repo: &'a Repo, tip: gix::ObjectId) -> Self {
        History {
            repo,
            next: Some(tip),
            known: None,
            lines: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// The same, of what came after a link that is known; all of it if that is not in the chain.
    pub(crate) fn after(mut self, known: Option<gix::ObjectId>) -> Self {
        self.known = known;
        self
    }

    /// Whether it ended at the link that is known.
    pub(crate) fn came_to_known(&self) -> bool {
        self.known.is_some() && self.next == self.known
    }

    /// The same, without lines that are no JSON.
    pub(crate) fn valid(self) -> impl Iterator<Item = Result<String>> {
        self.filter(|line| {
            line.as_ref().map_or(true, |line| {
                serde_json::from_str::<IgnoredAny>(line).is_ok()
            })
        })
    }

    /// The same, parsed. What can't be read at all is left out.
    pub(crate) fn events(&mut self) -> impl Iterator<Item = Result<Event>> {
        self.filter_map(|line| match line {
            Ok(line) => serde_json::from_str(&line).ok().map(Ok),
            Err(error) => Some(Err(error)),
        })
    }

    fn read_link(&mut self, id: gix::ObjectId) -> Result<()> {
        let objects = Objects(self.repo);
        let commit = objects.find_commit_iter(&id, &mut self.buffer);
        let commit = commit.doing("read the journal")?;
        self.next = commit.parent_ids().next();
        let message = commit.message().doing("read the journal")?;
        self.lines = message
            .lines()
            .skip(1)
            .filter(|line| line.starts_with(b"{"))
            .map(|line| line.to_str_lossy().into_owned())
            .collect();
        Ok(())
    }
}

impl Iterator for History<'_> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        loop {
            if let Some(line) = self.lines.pop() {
                return Some(Ok(line));
            }
            let id = self.next.filter(|next| Some(*next) != self.known)?;
            self.next = None;
            if let Err(error) = self.read_link(id) {
                return Some(Err(error));
            }
        }
    }
}
