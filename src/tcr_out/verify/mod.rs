//! `verify`: whether a squashed history is what it says, from what was recorded, and, with
//! `--replay`, from what happens when it is run again.

mod documents;
mod frozen;
mod records;
mod replay;
pub(crate) mod sources;

use std::collections::HashMap;

use serde::Serialize;

use super::history::{self, Entry};
use crate::config::Config;
use crate::effects::git::command::git;
use crate::effects::git::refs;
use crate::effects::git::repo::Repo;
use crate::error::{Doing, Error, Result};
use crate::journal::sealed;
use crate::message;
use crate::policy::proof::{ProofStep, flaws};
use crate::policy::squash::{cycles, trailers};
use crate::tcr_loop::classes::Classes;
use frozen::tests_changed;
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

/// What was found.
#[derive(Debug, Serialize)]
pub(crate) struct Verified {
    pub(crate) histories: Vec<Verdict>,
    /// Commits of the range that come with evidence.
    pub(crate) squashed: usize,
    /// Commits of the range without any.
    pub(crate) without_evidence: usize,
    /// What is wrong with commits of the range.
    pub(crate) findings: Vec<Finding>,
    /// How many checkouts were tested again.
    pub(crate) replayed: usize,
}

/// What was found out about one history or document.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    pub(crate) source: String,
    pub(crate) name: String,
    pub(crate) tip: String,
    pub(crate) commits: usize,
    pub(crate) cycles: usize,
    pub(crate) findings: Vec<Finding>,
}

/// One thing that is wrong, or worth a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    pub(crate) what: String,
    /// Worth a look, and no more.
    pub(crate) remark: bool,
}

impl Finding {
    fn wrong(commit: Option<gix::ObjectId>, what: impl Into<String>) -> Finding {
        Finding {
            commit: commit.map(|id| id.to_string()),
            what: what.into(),
            remark: false,
        }
    }
}

impl Verified {
    fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let of_histories = self.histories.iter().flat_map(|one| &one.findings);
        of_histories.chain(&self.findings)
    }

    /// How many things are wrong.
    pub(crate) fn wrong(&self) -> usize {
        self.all_findings().filter(|one| !one.remark).count()
    }
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
    classes: Classes,
    /// The commits of the range that claim a history: their own id, and the one they stand for.
    claims: Vec<(gix::ObjectId, String)>,
    /// The evidence documents that commits of the range name.
    documents: Vec<String>,
}

/// Looks at the histories that are here, or at those that the commits of a range speak of.
pub(crate) fn verify(repo: &Repo, request: &Request<'_>) -> Result<Verified> {
    let sources = sources::all(repo)?;
    let mut verified = Verified {
        histories: Vec::new(),
        squashed: 0,
        without_evidence: 0,
        findings: Vec::new(),
        replayed: 0,
    };
    let config = config(repo, &sources)?;
    let mut verifier = Verifier {
        repo,
        classes: Classes::new(repo, &config, None)?,
        config,
        claims: Vec::new(),
        documents: Vec::new(),
    };
    if let Some(range) = request.range {
        verifier.read_claims(range, &mut verified)?;
    }
    let mut loaded = Vec::new();
    for source in &sources {
        loaded.extend(verifier.histories_of(source, request.range.is_some())?);
        let only_claimed = request.range.is_some();
        verified
            .histories
            .extend(verifier.documents_of(source, only_claimed)?);
    }
    verifier.check_claims(&loaded, &mut verified);
    if loaded.is_empty() && verified.histories.is_empty() && verified.findings.is_empty() {
        return Err(Error::Usage {
            what: match request.range {
                Some(range) => format!("no commit of `{range}` comes with evidence"),
                None => "there is no squashed history here".into(),
            },
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
    fn read_claims(&mut self, range: &str, verified: &mut Verified) -> Result<()> {
        let listed = git(
            self.repo.root(),
            &["rev-list", "--end-of-options", range],
            b"",
        );
        let listed = listed.map_err(|_| Error::Usage {
            what: format!("`{range}` is no range of commits"),
            hint: "git tcr verify main..HEAD".into(),
        })?;
        for line in String::from_utf8_lossy(&listed).lines() {
            let id = gix::ObjectId::from_hex(line.as_bytes()).doing("read an object id")?;
            let commit = self.repo.gix.find_commit(id).doing("read a commit")?;
            let text = commit.message_raw().doing("read a commit")?.to_string();
            let evidence: Vec<(&str, &str)> = trailers(&text)
                .into_iter()
                .filter(|(key, _)| key.eq_ignore_ascii_case("TCR-Evidence"))
                .filter_map(|(_, value)| value.split_once(' '))
                .collect();
            let of = |folder: &str| {
                let named = evidence
                    .iter()
                    .filter(move |(name, _)| name.starts_with(folder));
                let ids: Vec<String> = named.map(|(_, id)| (*id).to_owned()).collect();
                ids
            };
            self.documents.extend(of("refs/tcr/evidence/"));
            let claimed = of("refs/tcr/archive/").into_iter().next();
            match claimed {
                Some(claimed) => self.claims.push((id, claimed)),
                None => verified.without_evidence += 1,
            }
        }
        verified.squashed = self.claims.len();
        Ok(())
    }

    /// Every commit that claims a history has to be in one that is here, with the same tree.
    fn check_claims(&self, loaded: &[Loaded], verified: &mut Verified) {
        for (id, claimed) in &self.claims {
            let mut entries = loaded.iter().flat_map(|one| &one.entries);
            let named = gix::ObjectId::from_hex(claimed.as_bytes()).ok();
            let what = match entries.find(|entry| Some(entry.id) == named) {
                None => message::verify::no_history(claimed),
                Some(entry) if self.repo.tree_of(*id).ok() != Some(entry.tree) => {
                    message::verify::other_tree(claimed)
                }
                Some(_) => continue,
            };
            verified.findings.push(Finding::wrong(Some(*id), what));
        }
    }

    fn histories_of(&self, source: &Source, only_claimed: bool) -> Result<Vec<Loaded>> {
        let mut journals: HashMap<&str, Journal> = HashMap::new();
        let mut notes = None;
        let mut found = Vec::new();
        for archive in &source.archives {
            if only_claimed && !self.is_claimed(archive)? {
                continue;
            }
            let mut findings = Vec::new();
            if !journals.contains_key(archive.base.as_str()) {
                let read = self.journal(&source.journal(&archive.base));
                let journal = read.unwrap_or_else(|error| {
                    findings.push(Finding::wrong(None, error.to_string()));
                    Journal::default()
                });
                journals.insert(&archive.base, journal);
            }
            if notes.is_none() {
                notes = Some(Notes::read(self.repo, &source.notes)?);
            }
            if let (Some(journal), Some(notes)) = (journals.get(archive.base.as_str()), &notes) {
                let mut one = self.history(source, archive, journal, notes)?;
                one.verdict.findings.splice(0..0, findings);
                found.push(one);
            }
        }
        Ok(found)
    }

    /// Whether a commit of the range claims to come from this history.
    fn is_claimed(&self, archive: &Archive) -> Result<bool> {
        let mut next = Some(archive.tip);
        while let Some(id) = next {
            let hex = id.to_string();
            if self.claims.iter().any(|(_, claimed)| *claimed == hex) {
                return Ok(true);
            }
            let entry = Entry::read(self.repo, id)?;
            // Before its own commits there are only those of the base.
            next = match entry.commit.label {
                Some(_) => entry.parents.first().copied(),
                None => None,
            };
        }
        Ok(false)
    }

    fn journal(&self, name: &str) -> Result<Journal> {
        let tip = refs::read(self.repo, name)?.ok_or_else(|| Error::Corrupt {
            what: name.to_owned(),
            why: "it is missing".into(),
        })?;
        Journal::read(self.repo, name, tip)
    }

    fn history(
        &self,
        source: &Source,
        archive: &Archive,
        journal: &Journal,
        notes: &Notes,
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
            entries: Vec::new(),
        };
        let Some(squashed) = journal.squash_of(archive.tip) else {
            let what = message::verify::not_what_was_squashed();
            one.verdict
                .findings
                .push(Finding::wrong(Some(archive.tip), what));
            // It is looked at all the same, as far as its own commits go.
            one.entries = self.labelled(archive.tip)?;
            self.look(&mut one, journal, notes)?;
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
        self.look(&mut one, journal, notes)?;
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
        for entry in &one.entries {
            let may_not =
                entry.commit.is_by_hand() || entry.commit.label.as_deref() == Some("green");
            let mut changed = match may_not && self.config.freeze_tests {
                true => self.tests_changed_by(entry)?,
                false => Vec::new(),
            };
            changed.retain(|path| !journal.allowed.contains(path));
            steps.push(ProofStep {
                label: entry.commit.label.clone(),
                verdict: entry.commit.verdict.clone(),
                record: journal.record(entry.id),
                note: notes.state(self.repo, entry.id, &entry.commit, journal)?,
                tests_changed: changed,
            });
        }
        let commits: Vec<_> = one
            .entries
            .iter()
            .map(|entry| entry.commit.clone())
            .collect();
        one.verdict.commits = commits.len();
        one.verdict.cycles = cycles(&commits);
        for (at, flaw) in flaws(&steps) {
            let id = one.entries.get(at).map(|entry| entry.id);
            one.verdict.findings.push(Finding {
                remark: flaw.is_remark(),
                ..Finding::wrong(id, message::verify::flaw(&flaw))
            });
        }
        Ok(())
    }

    fn tests_changed_by(&self, entry: &Entry) -> Result<Vec<String>> {
        let before = match entry.parents.first() {
            Some(parent) => self.repo.tree_of(*parent)?,
            None => gix::ObjectId::empty_tree(self.repo.gix.object_hash()),
        };
        tests_changed(self.repo, &self.classes, before, entry.tree)
    }
}
