//! What happened on a branch, read link by link, newest first. However long the chain is, only one
//! link of it is in memory.

use gix::bstr::ByteSlice;
use serde::de::IgnoredAny;

use super::event::Event;
use crate::error::{Doing, Result};
use crate::git::repo::Repo;

/// The events of a chain, newest first, each as the line of JSON it was written as.
pub(crate) struct History<'a> {
    repo: &'a Repo,
    next: Option<gix::ObjectId>,
    /// Of the link at hand, oldest first.
    lines: Vec<String>,
}

impl<'a> History<'a> {
    /// The history that ends with a link of the chain.
    pub(crate) fn up_to(repo: &'a Repo, tip: gix::ObjectId) -> Self {
        History {
            repo,
            next: Some(tip),
            lines: Vec::new(),
        }
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
    pub(crate) fn events(self) -> impl Iterator<Item = Result<Event>> {
        self.filter_map(|line| match line {
            Ok(line) => serde_json::from_str(&line).ok().map(Ok),
            Err(error) => Some(Err(error)),
        })
    }

    fn read_link(&mut self, id: gix::ObjectId) -> Result<()> {
        let commit = self.repo.gix.find_commit(id).doing("read the journal")?;
        let message = commit.message_raw().doing("read the journal")?;
        self.lines = message
            .lines()
            .skip(1)
            .filter(|line| line.starts_with(b"{"))
            .map(|line| line.to_str_lossy().into_owned())
            .collect();
        self.next = commit.parent_ids().next().map(|id| id.detach());
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
            let id = self.next.take()?;
            if let Err(error) = self.read_link(id) {
                return Some(Err(error));
            }
        }
    }
}
