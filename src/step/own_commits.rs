//! Commits that an agent's call made: the branch goes back, and what they hold is judged like any
//! other edit.

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::branch::event::EventKind;
use crate::branch::session::{Plan, Session};
use crate::branch::stand_aside;
use crate::error::Result;
use crate::git::align::FromTo;
use crate::git::command::git_answer;
use crate::git::refs::{self, Move, Pointer};
use crate::message;
use crate::person::call::Begun;

/// Where WIP branches are.
const WIP_BRANCHES: &str = "refs/heads/tcr/";

impl Session<'_> {
    /// Takes back the commits that a call made on the branch at hand; their tip stays in recover,
    /// and their content in the worktree.
    pub(crate) fn take_back_commits(&mut self, begun: &Begun) -> Result<()> {
        if begun.paths.is_some() {
            return Ok(());
        }
        self.take_back_elsewhere(begun)?;
        let branch = self.branch_name();
        let Some(before) = self.last_of_others(&branch, begun)? else {
            return Ok(());
        };
        if self.head == before || !self.has_own((&branch, self.head), before, begun)? {
            return Ok(());
        }
        let (from, to) = (self.head_tree()?, self.repo.tree_of(before)?);
        let plan = Plan {
            index: Some(FromTo::new(from, to)),
            ..self.goes_back((branch, self.head), before)?
        };
        // A branch that was not known before begins where it is now.
        let tip = self.head.to_string();
        if self.state.fork == tip && !self.on_wip {
            self.state.fork = before.to_string();
            self.state.accepted_tree = to.to_string();
            self.state.accepted_results = None;
        }
        self.write(from, plan)?;
        self.went_back_to(before);
        Ok(())
    }

    /// The branch that HEAD was on, and the base, go back too where HEAD is elsewhere now.
    fn take_back_elsewhere(&mut self, begun: &Begun) -> Result<()> {
        let here = self.branch_name();
        let was = (begun.branch.clone(), begun.head.clone());
        let others = begun.base.iter().cloned().chain([was]);
        // The WIP branch has its own guard, and our commits.
        let others = others.filter(|(name, _)| *name != here && !name.starts_with(WIP_BRANCHES));
        for (name, then) in others {
            let (Some(tip), Some(then)) = (refs::read(self.repo, &name)?, self.known(&then)) else {
                continue;
            };
            if tip != then && self.has_own((&name, tip), then, begun)? {
                let plan = self.goes_back((name, tip), then)?;
                self.write(self.head_tree()?, plan)?;
            }
        }
        Ok(())
    }

    /// A branch goes back; what it was at stays in recover.
    fn goes_back(&mut self, (name, tip): (String, ObjectId), before: ObjectId) -> Result<Plan> {
        let number = self.next_number()?;
        let mut event = self.event(EventKind::Undo, message::step::own_commits(number));
        event.recover = Some(number);
        self.remarks.push(message::step::own_commits(number));
        Ok(Plan {
            events: vec![event],
            saved: vec![(number, tip)],
            moves: vec![Move {
                name,
                old: Some(Pointer::object(tip)),
                new: Some(Pointer::object(before)),
            }],
            ..Plan::default()
        })
    }

    fn known(&self, hex: &str) -> Option<ObjectId> {
        let id = ObjectId::from_hex(hex.as_bytes()).ok()?;
        self.repo.gix.has_object(id).then_some(id)
    }

    /// The last commit that is not the call's: where the branch was when it began, or what git tcr
    /// itself committed since.
    fn last_of_others(&self, branch: &str, begun: &Begun) -> Result<Option<ObjectId>> {
        let Some(then) = self.known(&begun.head) else {
            return Ok(None);
        };
        if begun.branch != branch && !self.on_wip {
            return self.where_it_was(branch, then, begun);
        }
        let own = self.state.wip_tip.as_deref();
        let own = own.and_then(|hex| self.known(hex));
        Ok(Some(match own {
            Some(own) if stand_aside::contains(self.repo, own, then)? => own,
            _ => then,
        }))
    }

    /// Where another branch was before the call, or where it left the commit that HEAD was at then;
    /// that commit, for a history of its own.
    fn where_it_was(
        &self,
        branch: &str,
        then: ObjectId,
        begun: &Begun,
    ) -> Result<Option<ObjectId>> {
        if let Some(hex) = self.at_before(branch, begun)? {
            return Ok(self.known(&hex));
        }
        let (at, head) = (then.to_string(), self.head.to_string());
        let base = git_answer(self.repo.root(), &["merge-base", &at, &head])?;
        let base = self.known(&base.stdout.trim_ascii().to_str_lossy());
        Ok(base.or(Some(then)))
    }

    /// The branch that HEAD is on, as a full name.
    fn branch_name(&self) -> String {
        match self.on_wip {
            true => self.wip.as_bstr().to_str_lossy().into_owned(),
            false => format!("refs/heads/{}", self.base),
        }
    }

    /// Whether a commit came to a branch that neither a known remote nor a branch of before the
    /// call has.
    fn has_own(
        &self,
        (name, tip): (&str, ObjectId),
        before: ObjectId,
        begun: &Begun,
    ) -> Result<bool> {
        let mut args = vec![
            "rev-list".to_owned(),
            "--max-count=1".to_owned(),
            tip.to_string(),
            format!("^{before}"),
            "--not".to_owned(),
        ];
        args.extend(
            begun
                .remotes
                .iter()
                .map(|remote| format!("--remotes={remote}")),
        );
        args.extend(self.branches_of_before((name, tip), begun)?);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let listed = git_answer(self.repo.root(), &args)?;
        // What can't be told is not laid at anybody's door.
        Ok(listed.success && !listed.stdout.trim_ascii().is_empty())
    }

    /// Where other branches were before the call, by their reflogs.
    fn branches_of_before(
        &self,
        (own, tip): (&str, ObjectId),
        begun: &Begun,
    ) -> Result<Vec<String>> {
        let tip = tip.to_string();
        let all = [
            "for-each-ref",
            "--format=%(refname)",
            "refs/heads",
            "--merged",
            &tip,
        ];
        let listed = git_answer(self.repo.root(), &all)?;
        let mut then = Vec::new();
        for name in listed.stdout.lines().filter(|name| *name != own.as_bytes()) {
            then.extend(self.at_before(&name.to_str_lossy(), begun)?);
        }
        Ok(then)
    }

    /// The commit that a branch was at before the call, by its reflog.
    fn at_before(&self, name: &str, begun: &Begun) -> Result<Option<String>> {
        let until = format!("--until={}", begun.at.saturating_sub(1));
        let log = ["log", "-g", "-1", "--format=%H", &until, name, "--"];
        let at = git_answer(self.repo.root(), &log)?;
        let hex = at.stdout.trim_ascii().to_str_lossy().into_owned();
        Ok((at.success && !hex.is_empty()).then_some(hex))
    }
}
