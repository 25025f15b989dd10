//! Steps that end without an experiment, and the blank that every outcome begins with.

use gix::bstr::{BStr, ByteSlice};

use crate::branch::session::Session;
use crate::message;
use crate::outcome::step::{Action, Because, Kept, Outcome};
use crate::rules::Why;
use crate::step::frozen::Frozen;

impl Session<'_> {
    /// The outcome where something that is frozen is still there.
    pub(crate) fn left_there(&self, frozen: Frozen) -> Outcome {
        let mut outcome = self.outcome(Action::Keep);
        let (kept, files) = match frozen.edited.is_empty() {
            true => (Kept::Entangled, frozen.entangled.clone()),
            false => (Kept::EditedMeanwhile, frozen.edited.clone()),
        };
        outcome.why = Some(Because::Kept(kept));
        outcome.reason = message::step::left_there(kept, outcome.phase);
        outcome
            .hints
            .push(message::step::way_on_from_there(kept).into());
        outcome.files = files;
        outcome.edited_meanwhile.clone_from(&frozen.edited);
        frozen.tell(&mut outcome);
        outcome
    }

    /// The outcome where something frozen came while the tests ran: what they said is about no tree
    /// that there may be, and the rest is judged anew.
    pub(crate) fn taken_back_late(&self, before: Frozen, late: Frozen) -> Outcome {
        let mut outcome = self.outcome(Action::TakeBack);
        outcome.why = Some(Because::TakenBack(Why::Frozen));
        outcome.reason = message::step::changed_meanwhile(outcome.phase);
        outcome.hints.push(message::step::TRY_AGAIN.into());
        outcome.files = late.taken_back.iter().map(|one| one.path.clone()).collect();
        late.tell(&mut outcome);
        before.tell(&mut outcome);
        outcome
    }

    /// The outcome where results came from elsewhere, and their tree is no more because a part of it
    /// was taken back.
    pub(crate) fn without_its_tree(&self, frozen: Frozen) -> Outcome {
        let mut outcome = self.outcome(Action::None);
        frozen.tell(&mut outcome);
        outcome.reason = message::step::RESULTS_OF_BEFORE.into();
        outcome.hints = vec!["git tcr run".into()];
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
            why: None,
            phase: self.state.phase,
            next_phase: self.state.phase,
            cycle: self.cycle(),
            mode: self.mode(),
            verdict: None,
            commit: None,
            recover: None,
            taken_back: Vec::new(),
            files: Vec::new(),
            left_out: self.left_out.clone(),
            tries_left: None,
            awaited: self.state.awaited.iter().cloned().collect(),
            failing: Vec::new(),
            lost: Vec::new(),
            experiments: Vec::new(),
            hints: Vec::new(),
            test_results: None,
            reason: String::new(),
            remarks: self.remarks.clone(),
            base: self.base.to_string(),
            branch: branch.trim_start_matches("refs/heads/").to_owned(),
            put_back: Vec::new(),
            edited_meanwhile: Vec::new(),
            would: None,
            lint: None,
            smells: Vec::new(),
            rounds: Vec::new(),
        }
    }
}
