//! `verify`: whether a squashed history is what it says, from what was recorded, and, with
//! `--replay`, from what happens when it is run again.

mod checkout;
mod claims;
mod documents;
mod found;
mod frozen;
mod records;
mod replay;
pub(crate) mod sources;
mod submodules;

use std::collections::HashMap;

use super::history::{self, Entry};
use crate::config::Config;
use crate::effects::git::refs;
use crate::effects::git::repo::Repo;
use crate::error::{Error, Result};
use crate::journal::sealed;
use crate::message;
use crate::policy::proof::{ProofStep, flaws};
use crate::policy::squash::cycles;
use crate::tcr_loop::classes::Classes;
use claims::Claims;
pub(crate) use found::{Finding, Verdict, Verified};
use frozen::Frozen;
use records::{Journal, Notes};
use sources::{Archive, Source};

/// What is asked for.
pub(crate) struct Request<'a> {
    /// The commits to look at; without them all histories that are here.
    pub(crate) range: Option<&'a str>,
    pub(crate) replay: Option<Replay<'a>>,
}

/// How the tests are run again.
pub(crate) struct Replay<'a> {
    /// How many at a time.
    pub(crate) jobs: usize,
    /// What to do in a fresh checkout before the tests.
    pub(crate) setup: Option<&'a str>,
    /// Told after each of them: how many are done, of how many.
    pub(crate) on_done: &'a (dyn Fn(usize, usize) + Sync),
}

/// A history with its commits.
struct Loaded {
    verdict: Verdict,
    /// The base commit it began from.
    fork: Option<gix::ObjectId>,
    entries: Vec<Entry>,
}

/// Everything that is needed for looking.
struct Verifier<'a> {
    repo: &'a Repo,
    config: Config,
    frozen: Frozen<'a>,
    /// What the commits of the range claim, if there is one.
    claims: Option<Claims>,
}

/// Looks at the histories that are here, or at those that the commits of a range speak of.
pub(crate) fn verify(repo: &Repo, request: &Request<'_>) -> Result<Verified> {
    let sources = sources::all(repo)?;
    let config = config(repo, &sources)?;
    let claims = request.range.map(|range| Claims::of_range(repo, range));
    let verifier = Verifier {
        repo,
        frozen: Frozen::new(repo, Classes::new(repo, &config, None)?),
        config,
        claims: claims.transpose()?,
    };
    let mut verified = Verified::default();
    let mut loaded = Vec::new();
    for source in &sources {
        loaded.extend(verifier.histories_of(source)?);
        verified.histories.extend(verifier.documents_of(source)?);
    }
    if let Some(claims) = &verifier.claims {
        verified.squashed = claims.len();
        verified.without_evidence = claims.without;
        verified.findings = claims.check(repo, &loaded);
    }
    if loaded.is_empty() && verified.histories.is_empty() && verified.findings.is_empty() {
        return Err(Error::Usage {
            what: message::verify::nothing_here(request.range),
            hint: "git tcr fetch, if it was pushed elsewhere".into(),
        });
    }
    if let Some(replay) = &request.replay {
        verified.replayed = replay::replay(&verifier, &mut loaded, replay)?;
    }
    let verdicts = loaded.into_iter().map(|one| one.verdict);
    verified.histories.splice(0..0, verdicts);
    Ok(verified)
}

/// The rules of the checkout, accepted here or committed; else those of whoever made the history.
fn config(repo: &Repo, sources: &[Source]) -> Result<Config> {
    if let Some(sealed) = sealed::load(repo)? {
        return Ok(sealed.config);
    }
    let is_committed = repo.root().join(sealed::FILE).exists();
    let theirs = sources.iter().map(Source::config);
    for name in theirs.filter(|_| !is_committed) {
        if let Some(sealed) = sealed::load_from(repo, &name)? {
            return Ok(sealed.config);
        }
    }
    sealed::from_files(repo)
}

impl Verifier<'_> {
    fn histories_of(&self, source: &Source) -> Result<Vec<Loaded>> {
        let mut journals: HashMap<&str, Journal> = HashMap::new();
        let mut broken: HashMap<&str, Finding> = HashMap::new();
        let mut notes = None;
        let mut found = Vec::new();
        for archive in &source.archives {
            let base = archive.base.as_str();
            let journal = journals.entry(base).or_insert_with(|| {
                let read = self.journal(&source.journal(base));
                read.unwrap_or_else(|error| {
                    broken.insert(base, Finding::wrong(None, error.to_string()));
                    Journal::default()
                })
            });
            let mut one = self.history(source, archive, journal)?;
            let is_wanted = |claims: &Claims| claims.name_one_of(&one);
            if !self.claims.as_ref().is_none_or(is_wanted) {
                continue;
            }
            let notes = match &mut notes {
                Some(notes) => notes,
                unread => unread.insert(Notes::read(self.repo, &source.notes)?),
            };
            self.look(&mut one, journal, notes)?;
            one.verdict.findings.splice(0..0, broken.remove(base));
            found.push(one);
        }
        Ok(found)
    }

    fn journal(&self, name: &str) -> Result<Journal> {
        let tip = refs::read(self.repo, name)?.ok_or_else(|| Error::Corrupt {
            what: name.to_owned(),
            why: message::verify::missing(),
        })?;
        Journal::read(self.repo, name, tip)
    }

    /// A history with its commits, as far back as the journal says it goes.
    fn history(&self, source: &Source, archive: &Archive, journal: &Journal) -> Result<Loaded> {
        let mut one = Loaded {
            verdict: Verdict {
                source: source.name.clone(),
                name: archive.name.clone(),
                tip: archive.tip.to_string(),
                commits: 0,
                cycles: 0,
                findings: Vec::new(),
            },
            fork: None,
            entries: Vec::new(),
        };
        let Some(squashed) = journal.squash_of(archive.tip) else {
            let what = message::verify::not_what_was_squashed();
            one.verdict
                .findings
                .push(Finding::wrong(Some(archive.tip), what));
            // It is looked at all the same, as far as its own commits go.
            one.entries = self.labelled(archive.tip)?;
            return Ok(one);
        };
        let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).ok();
        one.fork = id(&squashed.fork);
        let since = one
            .fork
            .map(|fork| history::since(self.repo, archive.tip, fork));
        let findings = &mut one.verdict.findings;
        match since {
            Some(Ok(Some(entries))) => one.entries = entries,
            Some(Ok(None)) | None => {
                let what = message::verify::no_beginning(&squashed.fork);
                findings.push(Finding::wrong(Some(archive.tip), what));
            }
            Some(Err(error)) => findings.push(Finding::wrong(None, error.to_string())),
        }
        match id(&squashed.after).filter(|id| self.repo.gix.has_object(id)) {
            Some(after) if self.repo.tree_of(after).ok() != self.repo.tree_of(archive.tip).ok() => {
                let what = message::verify::other_tree(&archive.tip.to_string());
                findings.push(Finding::wrong(Some(after), what));
            }
            Some(_) => {}
            None => findings.push(Finding {
                commit: Some(squashed.after.clone()),
                what: message::verify::not_here(),
                remark: true,
            }),
        }
        Ok(one)
    }

    /// The commits of git tcr that a tip ends with.
    fn labelled(&self, tip: gix::ObjectId) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut next = Some(tip);
        while let Some(id) = next {
            let entry = Entry::read(self.repo, id)?;
            next = entry.parents.first().copied();
            if entry.commit.label.is_none() {
                break;
            }
            entries.push(entry);
        }
        entries.reverse();
        Ok(entries)
    }

    /// Holds every commit against what was recorded of it.
    fn look(&self, one: &mut Loaded, journal: &Journal, notes: &Notes) -> Result<()> {
        let mut steps = Vec::with_capacity(one.entries.len());
        let mut tree_before = None;
        for entry in &one.entries {
            let may_not =
                entry.commit.is_by_hand() || entry.commit.label.as_deref() == Some("green");
            let mut changed = match may_not && self.config.freeze_tests {
                true => self.tests_changed_by(entry, tree_before)?,
                false => Vec::new(),
            };
            tree_before = Some(entry.tree);
            changed.retain(|path| !journal.allowed.contains(path));
            steps.push(ProofStep {
                label: entry.commit.label.clone(),
                verdict: entry.commit.verdict.clone(),
                record: journal.record(entry.id),
                note: notes.state(entry.id, &entry.commit, journal)?,
                tests_changed: changed,
            });
        }
        one.verdict.commits = one.entries.len();
        one.verdict.cycles = cycles(one.entries.iter().map(|entry| &entry.commit));
        for (at, flaw) in flaws(&steps) {
            let id = one.entries.get(at).map(|entry| entry.id);
            one.verdict.findings.push(Finding {
                remark: flaw.is_remark(),
                ..Finding::wrong(id, message::verify::flaw(&flaw))
            });
        }
        Ok(())
    }

    /// The tests that a commit changed; `before` is the tree of the one before it, where that is
    /// at hand.
    fn tests_changed_by(
        &self,
        entry: &Entry,
        before: Option<gix::ObjectId>,
    ) -> Result<Vec<String>> {
        let before = match (before, entry.parents.first()) {
            (Some(tree), _) => tree,
            (None, Some(parent)) => self.repo.tree_of(*parent)?,
            (None, None) => gix::ObjectId::empty_tree(self.repo.gix.object_hash()),
        };
        self.frozen.changed(before, entry.tree)
    }
}
