//! Who wrote what: whoever acts when a change is first seen is its author.

use crate::branch::drift::object;
use crate::branch::session::Session;
use crate::clients::Client;
use crate::error::{Doing, Result};
use crate::git::{identity, trees};
use crate::person::prompts;
use crate::rules::write_gate::{Change as ChangeKind, SourcePart, TestPart};
use crate::rules::{PathClass, Phase};

/// The parts of a cycle that have authors.
#[derive(Debug, Clone, Copy, Default)]
struct Touched {
    plan: bool,
    tests: bool,
    source: bool,
}

impl Session<'_> {
    /// Who acts: an agent by its session and sub-agent, a person by their git identity.
    pub(crate) fn who(&self) -> Result<String> {
        match (&self.identity, &self.by) {
            (Some(identity), _) => Ok(identity.clone()),
            (None, Some(client)) => Ok(client.clone()),
            (None, None) => {
                let author = match identity::author(self.repo) {
                    Some(author) => author,
                    None => identity::committer(self.repo)?,
                };
                Ok(format!("{} <{}>", author.name, author.email))
            }
        }
    }

    /// Notes who wrote what is new in a tree.
    pub(crate) fn note_authors(&mut self, tree: gix::ObjectId) -> Result<()> {
        if !self.state.spec_cycle_runs() {
            return Ok(());
        }
        let who = self.who()?;
        self.note_author(&[who], tree)
    }

    /// Notes the authors of commits that somebody made beside git tcr.
    pub(crate) fn note_commit_authors(&mut self, from: Option<gix::ObjectId>) -> Result<()> {
        if !self.state.spec_cycle_runs() {
            return Ok(());
        }
        let mut names = Vec::new();
        let walk = self.repo.gix.rev_walk([self.head]);
        let walk = walk.with_hidden(from).all().doing("walk the history")?;
        const MOST: usize = 100;
        for info in walk.take(MOST) {
            let info = info.doing("walk the history")?;
            let commit = self.repo.gix.find_commit(info.id).doing("read a commit")?;
            let author = commit.author().doing("read a commit")?;
            names.push(format!("{} <{}>", author.name, author.email));
        }
        let tree = self.head_tree()?;
        self.note_author(&names, tree)
    }

    fn note_author(&mut self, who: &[String], tree: gix::ObjectId) -> Result<()> {
        let now = tree.to_string();
        let before = self.state.seen_tree.replace(now.clone());
        let before = before.unwrap_or_else(|| self.state.accepted_tree.clone());
        if before == now {
            return Ok(());
        }
        let mut before = object(&before)?;
        if !self.repo.gix.has_object(before) {
            before = self.head_tree()?;
        }
        let touched = self.touched(before, tree)?;
        let authors = &mut self.state.authors;
        let mut new = false;
        for who in who {
            new |= touched.plan && authors.plan.insert(who.clone());
            new |= touched.tests && authors.tests.insert(who.clone());
            new |= touched.source && authors.source.insert(who.clone());
        }
        if new {
            // Not every round ends with a new link of the chain.
            self.record(Vec::new())?;
        }
        Ok(())
    }

    fn touched(&self, before: gix::ObjectId, now: gix::ObjectId) -> Result<Touched> {
        let mut touched = Touched::default();
        for change in trees::diff(self.repo, before, now)? {
            if change.is_submodule() {
                continue;
            }
            match self.content_of(&change)? {
                (PathClass::Test | PathClass::Harness, _) => touched.tests = true,
                (PathClass::Source | PathClass::Mixed, ChangeKind::Parts { tests, source }) => {
                    touched.tests |= tests != TestPart::Same;
                    touched.source |= source != SourcePart::Same;
                }
                (PathClass::Source | PathClass::Mixed, _) => touched.source = true,
                // Whatever is written while planning belongs to the plan.
                (PathClass::Spec | PathClass::Docs | PathClass::Other, _) => {
                    touched.plan |= self.state.phase == Phase::Plan;
                }
                (PathClass::Protected, _) => {}
            }
        }
        Ok(touched)
    }

    /// Those who wrote the plan or the tests, and so can't certify them.
    ///
    /// Neither can those whom one of them started, nor a session of the same client that nobody has
    /// spoken to: who wrote may have started that too.
    pub(crate) fn is_author(&self, id: &str) -> bool {
        let authors = &self.state.authors;
        let mut known = authors.plan.iter().chain(&authors.tests);
        let prompted = prompts::has(self.repo, prompts::session_of(id));
        known.any(|known| is_same_person(known, id) || stands_for(known, id, prompted))
    }
}

/// Whether `given` may act for `author`: its sub-agent, or another session of its client that no
/// person has sent a prompt to.
fn stands_for(author: &str, given: &str, prompted: bool) -> bool {
    let is_started = || {
        given
            .strip_prefix(author)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let parts = |identity: &str| {
        let (client, session) = prompts::session_of(identity).split_once(':')?;
        let is_client = Client::from_name(client).is_some();
        is_client.then(|| (client.to_owned(), session.to_owned()))
    };
    let is_unprompted = || match (parts(author), parts(given)) {
        (Some((client, session)), Some((other, another))) => {
            client == other && session != another && !prompted
        }
        _ => false,
    };
    is_started() || is_unprompted()
}

/// Whether two identities are the same: the whole, or a person's name or address alone.
fn is_same_person(known: &str, given: &str) -> bool {
    let given = given.trim();
    let parts = |identity: &str| -> Vec<String> {
        let mut parts = vec![identity.to_lowercase()];
        if let Some((name, rest)) = identity.split_once('<') {
            parts.push(name.trim().to_lowercase());
            parts.push(rest.trim_end_matches('>').trim().to_lowercase());
        }
        parts.retain(|part| !part.is_empty());
        parts
    };
    let known = parts(known);
    parts(given).iter().any(|part| known.contains(part))
}

#[cfg(test)]
mod tests {
    use super::{is_same_person, stands_for};

    #[test]
    fn whom_an_author_started_stands_for_it() {
        let author = "claude-code:s";
        for (given, prompted, expected) in [
            ("claude-code:s/a", false, true),
            ("claude-code:s/a", true, true),
            ("claude-code:s2", false, true),
            ("claude-code:s2/a", false, true),
            ("claude-code:s2", true, false),
            ("codex:s2", false, false),
            ("claude-code:s", true, false),
            ("Grace <grace@example.com>", false, false),
        ] {
            assert_eq!(
                stands_for(author, given, prompted),
                expected,
                "{given} {prompted}"
            );
        }
        let sub = "claude-code:s/a";
        assert!(!stands_for(sub, "claude-code:s/b", false));
        assert!(!stands_for(sub, "claude-code:s", false));
        assert!(!stands_for("Ada <ada@example.com>", "claude-code:s", false));
    }

    #[test]
    fn a_person_is_the_same_under_name_and_address() {
        let ada = "Ada <ada@example.com>";
        for same in [
            ada,
            "ada",
            " Ada ",
            "ADA@example.com",
            "A. L. <ada@example.com>",
        ] {
            assert!(is_same_person(ada, same), "{same}");
        }
        for other in ["Grace", "Grace <grace@example.com>", "ad", "<>", ""] {
            assert!(!is_same_person(ada, other), "{other}");
        }
        assert!(is_same_person("claude-code:s/a", "claude-code:s/a"));
        assert!(!is_same_person("claude-code:s/a", "claude-code:s/b"));
        assert!(!is_same_person("claude-code:s", "claude-code:s/b"));
    }
}
