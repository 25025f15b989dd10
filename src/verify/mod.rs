//! `verify`: whether a squashed history is what it says, from what was recorded, and, with
//! `--replay`, from what happens when it is run again.

mod checkout;
mod claims;
mod documents;
mod frozen;
mod records;
mod replay;
pub(crate) mod sources;
mod submodules;
mod way_out;

pub(crate) use checkout::{fresh_checkout, prepare};

use std::collections::HashMap;

use crate::branch::classes::Classes;
use crate::branch::sealed;
use crate::branch::wip_commits::{self, Entry};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::git::repo::Repo;
use crate::message;
use crate::message::refusals;
use crate::outcome::verify::{Finding, Verdict, Verified};
use crate::rules::recorded::{ProofStep, flaws};
use crate::rules::squash::cycles;
use claims::Claims;
use frozen::changed_in_each;
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
    /// What its squash was put on top of, where that is here.
    onto: Option<gix::ObjectId>,
    /// A person let unproven cycles through, and the squashed commit says so.
    accepts_unproven: bool,
    entries: Vec<Entry>,
}

/// Journals by base, each with what is wrong with it.
type Journals<'s> = HashMap<&'s str, (Journal, Option<Finding>)>;

/// The commits of git tcr that an archive ends with, newest first, as far as they could be read.
type Own = Result<Vec<Entry>>;

/// Everything that is needed for looking.
struct Verifier<'a> {
    repo: &'a Repo,
    config: Config,
    classes: Classes,
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
        classes: Classes::new(repo, &config, None)?,
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
        return Err(refusals::nothing_to_verify(request.range));
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
    let mut config = sealed::from_files(repo)?;
    crate::detect::complete(&mut config, repo.root());
    Ok(config)
}

impl Verifier<'_> {
    fn histories_of(&self, source: &Source) -> Result<Vec<Loaded>> {
        let (mut journals, own) = self.journals_and_commits(source)?;
        let mut notes = None;
        let mut found = Vec::new();
        for (archive, own) in source.archives.iter().zip(own) {
            let Some((journal, broken)) = journals.get_mut(archive.base.as_str()) else {
                continue;
            };
            let mut one = self.history(source, archive, own, journal)?;
            let is_wanted = |claims: &Claims| claims.name_one_of(&one);
            if !self.claims.as_ref().is_none_or(is_wanted) {
                continue;
            }
            let notes = match &mut notes {
                Some(notes) => notes,
                unread => unread.insert(Notes::read(self.repo, &source.notes)?),
            };
            self.look(&mut one, journal, notes)?;
            one.verdict.findings.splice(0..0, broken.take());
            found.push(one);
        }
        Ok(found)
    }

    /// The journals of a clone, by base, each with what is wrong with it; and for every archive
    /// the commits of git tcr that it ends with. The two are read side by side.
    fn journals_and_commits<'s>(&self, source: &'s Source) -> Result<(Journals<'s>, Vec<Own>)> {
        let shared = &self.repo.shared();
        let (journals, own) = std::thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let repo = shared.open();
                let mut journals = HashMap::new();
                for archive in &source.archives {
                    journals.entry(archive.base.as_str()).or_insert_with(|| {
                        let read = Journal::of(&repo, &source.journal(&archive.base));
                        match read {
                            Ok(journal) => (journal, None),
                            Err(error) => {
                                let finding = Finding::wrong(None, error.to_string());
                                (Journal::default(), Some(finding))
                            }
                        }
                    });
                }
                journals
            });
            let archives = source.archives.iter();
            let own: Vec<_> = archives
                .map(|archive| wip_commits::own(self.repo, archive.tip))
                .collect();
            (reader.join(), own)
        });
        let journals = journals.map_err(|_| Error::internal("a thread ended early"))?;
        Ok((journals, own))
    }

    /// A history with its commits, as far back as the journal says it goes. `own` are those that
    /// are known already.
    fn history(
        &self,
        source: &Source,
        archive: &Archive,
        own: Own,
        journal: &Journal,
    ) -> Result<Loaded> {
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
            onto: None,
            accepts_unproven: false,
            entries: Vec::new(),
        };
        let Some(squashed) = journal.squash_of(archive.tip) else {
            let what = message::verify::not_what_was_squashed();
            one.verdict
                .findings
                .push(Finding::wrong(Some(archive.tip), what));
            // It is looked at all the same, as far as its own commits go.
            one.entries = own?;
            one.entries.reverse();
            return Ok(one);
        };
        let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes()).ok();
        one.fork = id(&squashed.fork);
        one.onto = id(&squashed.before).filter(|id| self.repo.gix.has_object(id));
        one.accepts_unproven = id(&squashed.after).is_some_and(|id| self.says_accepted(id));
        let since = one.fork.map(|fork| {
            let own = own?;
            wip_commits::since_known(self.repo, archive.tip, fork, own)
        });
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
                unsure: false,
            }),
        }
        Ok(one)
    }

    /// Whether a squashed commit says that a person let unproven cycles through.
    fn says_accepted(&self, commit: gix::ObjectId) -> bool {
        let Ok(commit) = self.repo.gix.find_commit(commit) else {
            return false;
        };
        let text = commit
            .message_raw()
            .map(ToString::to_string)
            .unwrap_or_default();
        message::squash::lets_unproven_through(&text)
    }

    /// Holds every commit against what was recorded of it.
    fn look(&self, one: &mut Loaded, journal: &Journal, notes: &Notes) -> Result<()> {
        let changed = self.tests_changed(&one.entries)?;
        let mut steps = Vec::with_capacity(one.entries.len());
        for (entry, mut changed) in one.entries.iter().zip(changed) {
            changed.retain(|path| !journal.allowed.contains(path));
            steps.push(ProofStep {
                label: entry.commit.label.clone(),
                verdict: entry.commit.verdict.clone(),
                declared: entry.commit.declared,
                failed_before: journal.awaited_without_red(entry.id),
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

    /// The tests that each commit changed, of those that may not.
    fn tests_changed(&self, entries: &[Entry]) -> Result<Vec<Vec<String>>> {
        let mut pairs = Vec::with_capacity(entries.len());
        let mut tree_before = None;
        for entry in entries {
            let may_not =
                entry.commit.is_by_hand() || entry.commit.label.as_deref() == Some("green");
            pairs.push(match may_not {
                true => Some((self.tree_before(entry, tree_before)?, entry.tree)),
                false => None,
            });
            tree_before = Some(entry.tree);
        }
        changed_in_each(self.repo, &self.classes, &pairs)
    }

    /// The tree before a commit; `known` is that of the commit before it, where it is at hand.
    fn tree_before(&self, entry: &Entry, known: Option<gix::ObjectId>) -> Result<gix::ObjectId> {
        match (known, entry.parents.first()) {
            (Some(tree), _) => Ok(tree),
            (None, Some(parent)) => self.repo.tree_of(*parent),
            (None, None) => Ok(gix::ObjectId::empty_tree(self.repo.gix.object_hash())),
        }
    }
}
