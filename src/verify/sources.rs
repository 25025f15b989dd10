//! Whose refs there are: this clone's own, and those fetched from others.

use std::collections::BTreeMap;

use gix::bstr::ByteSlice;

use crate::error::Result;
use crate::git::refs;
use crate::git::repo::Repo;

/// Where the refs of others are kept.
pub(crate) const REMOTES: &str = "refs/tcr/remotes/";

/// One clone's refs.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// `this clone`, or `origin/1f2e3d4c`.
    pub(super) name: String,
    /// What its refs begin with in place of `refs/tcr/`.
    prefix: String,
    /// Its summaries of commits.
    pub(super) notes: String,
    /// Its squashed histories.
    pub(super) archives: Vec<Archive>,
    /// Its evidence documents: ref and commit.
    pub(super) evidence: Vec<(String, gix::ObjectId)>,
}

/// A squashed history.
#[derive(Debug, Clone)]
pub(super) struct Archive {
    /// The ref.
    pub(super) name: String,
    /// The base branch, as one component.
    pub(super) base: String,
    pub(super) tip: gix::ObjectId,
}

impl Source {
    fn new(name: String, prefix: String, notes: String) -> Source {
        Source {
            name,
            prefix,
            notes,
            archives: Vec::new(),
            evidence: Vec::new(),
        }
    }

    /// The journal of a base branch.
    pub(super) fn journal(&self, base: &str) -> String {
        format!("{}state/{base}", self.prefix)
    }

    /// The accepted config.
    pub(super) fn config(&self) -> String {
        format!("{}config", self.prefix)
    }

    /// Takes in a ref, given without its prefix.
    fn take(&mut self, rest: &str, id: gix::ObjectId) {
        let name = format!("{}{rest}", self.prefix);
        let mut parts = rest.split('/');
        match (parts.next(), parts.next(), parts.next()) {
            // What is archived under another name than a number is no history.
            (Some("archive"), Some(base), Some(number)) if number.parse::<u64>().is_ok() => {
                self.archives.push(Archive {
                    name,
                    base: base.to_owned(),
                    tip: id,
                });
            }
            (Some("evidence"), Some(_), Some(_)) => self.evidence.push((name, id)),
            _ => {}
        }
    }
}

/// All of them, this clone's first.
pub(super) fn all(repo: &Repo) -> Result<Vec<Source>> {
    let mut own = Source::new("this clone".into(), "refs/tcr/".into(), refs::NOTES.into());
    for folder in ["refs/tcr/archive/", "refs/tcr/evidence/"] {
        for (name, id) in refs::below(repo, folder)? {
            own.take(name.trim_start_matches("refs/tcr/"), id);
        }
    }
    let mut others: BTreeMap<String, Source> = BTreeMap::new();
    for (name, id) in refs::below(repo, REMOTES)? {
        let mut parts = name.trim_start_matches(REMOTES).splitn(3, '/');
        let (Some(remote), Some(clone), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let prefix = format!("{REMOTES}{remote}/{clone}/");
        let source = others.entry(prefix.clone()).or_insert_with(|| {
            let remote = refs::name_of_component(remote.as_bytes().as_bstr());
            let notes = format!("{prefix}notes/tcr");
            Source::new(format!("{remote}/{clone}"), prefix, notes)
        });
        source.take(rest, id);
    }
    let has_any = |source: &Source| !source.archives.is_empty() || !source.evidence.is_empty();
    Ok([own]
        .into_iter()
        .chain(others.into_values())
        .filter(has_any)
        .collect())
}
