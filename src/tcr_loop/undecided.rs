//! Outcomes of rounds that need no test run, and the blank that every outcome begins with.

use gix::bstr::{BStr, ByteSlice};

use super::outcome::{Action, Outcome};
use super::session::Session;
use super::undo;
use crate::message;

impl Session<'_> {
    /// The outcome where something that is not allowed is still there.
    pub(super) fn left_there(&self, undone: undo::Undone) -> Outcome {
        match undone.kept.is_empty() {
            true => self.entangled(undone),
            false => self.not_put_back(undone),
        }
    }

    /// The outcome where a file's source and tests can't be told apart: nothing is touched.
    fn entangled(&self, undone: undo::Undone) -> Outcome {
        let mut outcome = self.outcome(Action::Keep);
        outcome.reason = message::reasons::entangled(outcome.phase);
        outcome.files = undone.entangled;
        outcome.recover = undone.recover;
        outcome.remarks.extend(undone.diffs);
        outcome.undone = undone.put_back;
        outcome.hints.push(message::reasons::DISENTANGLE.into());
        outcome
    }

    /// The outcome where something that is not allowed could not be put back: it is not tested, and
    /// nothing is committed.
    fn not_put_back(&self, undone: undo::Undone) -> Outcome {
        let mut outcome = self.outcome(Action::Keep);
        outcome.reason = message::reasons::not_put_back(outcome.phase);
        outcome.files.clone_from(&undone.kept);
        outcome.edited_meanwhile = undone.kept;
        outcome.recover = undone.recover;
        outcome.undone = undone.put_back;
        outcome.hints.push(message::reasons::TRY_AGAIN.into());
        outcome
    }

    /// The outcome where something that is not allowed came while the tests ran: what they said is about
    /// no tree that there may be, and the rest is judged anew.
    pub(super) fn put_back_late(&self, before: undo::Undone, late: undo::Undone) -> Outcome {
        let mut outcome = self.outcome(Action::Revert);
        outcome.reason = message::reasons::changed_meanwhile(outcome.phase);
        outcome.recover = late.recover;
        outcome.hints.extend(late.ways());
        outcome.hints.push(message::reasons::TRY_AGAIN.into());
        outcome.remarks.extend(late.diffs);
        outcome.files = late.put_back;
        outcome.with_undone(before.put_back, before.recover);
        outcome
    }

    /// The outcome where no test run is needed.
    pub(super) fn settled(&self, undone: undo::Undone) -> Outcome {
        let mut outcome = self.outcome(if undone.put_back.is_empty() {
            Action::None
        } else {
            Action::Revert
        });
        outcome.recover = undone.recover;
        outcome.files.clone_from(&undone.put_back);
        outcome.hints.push(self.next_step());
        outcome.hints.extend(undone.ways());
        outcome.remarks.extend(undone.diffs);
        outcome.undone = undone.put_back;
        outcome.test_results = self.state.accepted_results().cloned();
        outcome.verdict = outcome
            .test_results
            .as_ref()
            .and_then(|results| results.verdict);
        outcome
    }

    /// The outcome where results came from elsewhere, and their tree is no more because a part of it
    /// was put back.
    pub(super) fn without_its_tree(&self, undone: undo::Undone) -> Outcome {
        let mut outcome = self.settled(undone);
        outcome.test_results = None;
        outcome.verdict = None;
        outcome.reason = message::reasons::RESULTS_OF_BEFORE.into();
        outcome.hints = vec![message::reasons::RUN_THEM.into()];
        outcome
    }

    /// An outcome of this moment.
    pub(crate) fn outcome(&self, action: Action) -> Outcome {
        let branch: &BStr = if self.on_wip {
            self.wip.as_bstr()
        } else {
            self.base.as_bstr()
        };
        let branch = branch.to_str_lossy();
        Outcome {
            action,
            phase: self.state.phase,
            next_phase: self.state.phase,
            cycle: self.cycle(),
            mode: self.mode(),
            verdict: None,
            label: None,
            commit: None,
            recover: None,
            reason: String::new(),
            remarks: self.remarks.clone(),
            hints: Vec::new(),
            base: self.base.to_string(),
            branch: branch.trim_start_matches("refs/heads/").to_owned(),
            files: Vec::new(),
            undone: Vec::new(),
            undone_recover: None,
            put_back: Vec::new(),
            edited_meanwhile: Vec::new(),
            leftovers: Vec::new(),
            would: None,
            test_results: None,
            lint: None,
            smells: Vec::new(),
            then: None,
        }
    }
}
