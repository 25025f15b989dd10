//! Commits that an agent's call made: the branch goes back, and what they hold is judged like any
//! other edit.

use crate::branch::state::State;
use crate::git::repo::Repo;
use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::stand_aside;
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::command::git_answer;
use crate::git::refs::{Move, Pointer};
use crate::message;
use crate::person::call::Begun;

impl Session<'_> {
    /// Takes back the commits that a call made on the branch at hand; their tip stays in recover,
    /// and their content in the worktree.
    pub(crate) fn take_back_commits(&mut self, begun: &Begun) -> Result<()> {
        if begun.paths.is_some() {
            return Ok(());
        }
        let Some(before) = last_of_others(self.repo, &self.state, begun)? else {
            return Ok(());
        };
        let branch = self.branch_name();
        let is_here = begun.branch == branch || self.on_wip;
        if !is_here || self.head == before || !self.has_own(before, begun)? {
            return Ok(());
        }
        let (number, tip) = (self.next_number()?, self.head);
        let (from, to) = (self.head_tree()?, self.repo.tree_of(before)?);
        let mut event = self.event(EventKind::Undo, message::step::own_commits(number));
        event.recover = Some(number);
        let plan = Plan {
            events: vec![event],
            saved: vec![(number, tip)],
            index: Some(FromTo::new(from, to)),
            moves: vec![Move {
                name: branch,
                old: Some(Pointer::object(tip)),
                new: Some(Pointer::object(before)),
            }],
            ..Plan::default()
        };
        self.remarks.push(message::step::own_commits(number));
        self.write(from, plan)?;
        self.went_back_to(before);
        Ok(())
    }

    /// The branch that HEAD is on, as a full name.
    fn branch_name(&self) -> String {
        match self.on_wip {
            true => self.wip.as_bstr().to_str_lossy().into_owned(),
            false => format!("refs/heads/{}", self.base),
        }
    }

    /// Whether a commit came to the branch that neither a known remote nor a branch of before the
    /// call has.
    fn has_own(&self, before: ObjectId, begun: &Begun) -> Result<bool> {
        let mut args = vec![
            "rev-list".to_owned(),
            "--max-count=1".to_owned(),
            self.head.to_string(),
            format!("^{before}"),
            "--not".to_owned(),
        ];
        args.extend(
            begun
                .remotes
                .iter()
                .map(|remote| format!("--remotes={remote}")),
        );
        args.extend(self.branches_of_before(begun)?);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let listed = git_answer(self.repo.root(), &args)?;
        // What can't be told is not laid at anybody's door.
        Ok(listed.success && !listed.stdout.trim_ascii().is_empty())
    }

    /// Where other branches were before the call, by their reflogs.
    fn branches_of_before(&self, begun: &Begun) -> Result<Vec<String>> {
        let root = self.repo.root();
        let head = self.head.to_string();
        let all = [
            "for-each-ref",
            "--format=%(refname)",
            "refs/heads",
            "--merged",
            &head,
        ];
        let listed = git_answer(root, &all)?;
        let own = self.branch_name();
        let until = format!("--until={}", begun.at.saturating_sub(1));
        let mut then = Vec::new();
        for name in listed.stdout.lines().filter(|name| *name != own.as_bytes()) {
            let name = name.to_str_lossy();
            let log = ["log", "-g", "-1", "--format=%H", &until, &name, "--"];
            let at = git_answer(root, &log)?;
            if at.success && !at.stdout.trim_ascii().is_empty() {
                then.push(at.stdout.trim_ascii().to_str_lossy().into_owned());
            }
        }
        Ok(then)
    }
}

/// The last commit that is not the call's: where the branch was when it began, or what git tcr
/// itself committed since.
fn last_of_others(repo: &Repo, state: &State, begun: &Begun) -> Result<Option<ObjectId>> {
    let id = |hex: &str| {
        let id = ObjectId::from_hex(hex.as_bytes()).ok()?;
        repo.gix.has_object(id).then_some(id)
    };
    let Some(then) = id(&begun.head) else {
        return Ok(None);
    };
    let own = state.wip_tip.as_deref().and_then(id);
    Ok(Some(match own {
        Some(own) if stand_aside::contains(repo, own, then)? => own,
        _ => then,
    }))
}
