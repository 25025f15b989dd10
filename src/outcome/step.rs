//! What a step came to, as data: the text and the JSON are both made from this.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::branch::state::{LintResult, TestResults};
use crate::languages::Unreadable;
use crate::outcome::smells::Smell;
use crate::rules::smell::Severity;
use crate::rules::{Cause, Mode, Phase, Verdict};
use crate::rules::{Commit, Decision, Experiment, Form, KeepReason, Label, TakeBack, Why};

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// A commit on the WIP branch.
    Commit,
    /// The work stays in the worktree, uncommitted.
    Keep,
    /// Work was moved into recover.
    TakeBack,
    /// There was nothing to do.
    None,
}

/// Why work is kept: a word of the rules, or what was applied to their decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Rules(KeepReason),
    /// It would be taken back, and the mode takes back only what is frozen.
    Relaxed(Why),
    /// It was restored on purpose and has not changed since.
    Held,
    /// It can't be told whether an agent or a person wrote it.
    Unclear,
    /// The lint command has findings.
    LintFindings,
    /// The lint command could not run.
    LintFailed,
    /// The lint command changed files, which were not tested like that.
    LintWrote,
    /// The step brings findings that block.
    Smells,
    /// The source asks whether it is being tested.
    AsksForTests,
    /// The validator has something against the source.
    Validator,
    /// Only some of the tests ran.
    FullRunNeeded,
    /// Files changed while the tests ran, every time.
    Unstable,
    /// Source and tests of a file can't be told apart.
    Entangled,
    /// What is frozen was edited at the moment it was to be taken back.
    EditedMeanwhile,
}

impl Kept {
    /// The word in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kept::Rules(reason) => reason.name(),
            Kept::Relaxed(why) => why.name(),
            Kept::Held => "held",
            Kept::Unclear => "unclear",
            Kept::LintFindings | Kept::LintFailed | Kept::LintWrote => "lint",
            Kept::Smells => "smells",
            Kept::AsksForTests => "asks_for_tests",
            Kept::Validator => "validator",
            Kept::FullRunNeeded => "full_run_needed",
            Kept::Unstable => "void",
            Kept::Entangled => "entangled",
            Kept::EditedMeanwhile => "edited_meanwhile",
        }
    }
}

/// Why a step ended as it did; a word in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    Committed(Label),
    Kept(Kept),
    TakenBack(Why),
}

impl Because {
    /// The word in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Because::Committed(Label::Declared) => "declared",
            Because::Committed(label) => label.name(),
            Because::Kept(kept) => kept.name(),
            Because::TakenBack(why) => why.name(),
        }
    }
}

impl Serialize for Because {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A path that was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct TakenBack {
    pub(crate) path: String,
    pub(crate) why: Because,
}

/// A failing test, as its runner reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Failing {
    pub(crate) test: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) cause: Option<Cause>,
    pub(crate) message: String,
}

/// An experiment that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Made {
    pub(crate) name: &'static str,
    pub(crate) tree: String,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) tests: usize,
    pub(crate) ms: u64,
}

/// The name of an experiment.
pub(crate) fn name_of(experiment: Experiment) -> &'static str {
    match experiment {
        Experiment::Whole => "whole",
        Experiment::Awaited => "awaited",
        Experiment::TestsAlone => "tests alone",
        Experiment::Hollow(Form::Empty) => "hollow, empty",
        Experiment::Hollow(Form::NotImplemented) => "hollow",
        Experiment::Before => "before",
    }
}

/// Everything a caller may want to know.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Outcome {
    pub(crate) action: Action,
    /// A word of the rules.
    pub(crate) why: Option<Because>,
    /// The phase the step was judged in.
    pub(crate) phase: Phase,
    /// The phase now.
    pub(crate) next_phase: Phase,
    pub(crate) cycle: u64,
    pub(crate) mode: Mode,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) commit: Option<String>,
    /// The entry that holds what was taken back.
    pub(crate) recover: Option<u64>,
    pub(crate) taken_back: Vec<TakenBack>,
    /// The paths of the step.
    pub(crate) files: Vec<String>,
    /// Paths that are in no commit: what the tests left behind, private files.
    pub(crate) left_out: Vec<String>,
    /// How often unfinished work may still be kept, where that counts.
    pub(crate) tries_left: Option<u64>,
    pub(crate) awaited: Vec<String>,
    pub(crate) failing: Vec<Failing>,
    /// Tests that passed before and do not any more.
    pub(crate) lost: Vec<String>,
    pub(crate) experiments: Vec<Made>,
    /// The next steps.
    pub(crate) hints: Vec<String>,
    pub(crate) test_results: Option<TestResults>,
    /// Why, in words.
    pub(crate) reason: String,
    /// What else is worth knowing, a fact a line.
    pub(crate) remarks: Vec<String>,
    pub(crate) base: String,
    pub(crate) branch: String,
    /// Hooks that had been disarmed, each in words.
    pub(crate) put_back: Vec<String>,
    /// Paths that were edited meanwhile and left alone.
    pub(crate) edited_meanwhile: Vec<String>,
    /// Where the mode kept it from being done: what would have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) would: Option<String>,
    /// What the lint command said, if it had a say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lint: Option<LintResult>,
    /// New findings that the step brings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) smells: Vec<Smell>,
    /// Where one call made several judgements: each of them, the last one included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) rounds: Vec<Outcome>,
}

impl Outcome {
    /// Whether this is the tool's "no".
    pub(crate) fn is_no(&self) -> bool {
        let this = match self.action {
            Action::TakeBack => true,
            Action::Keep => !self.is_waiting(),
            Action::Commit | Action::None => false,
        };
        this || !self.taken_back.is_empty() || self.rounds.iter().any(Outcome::is_no)
    }

    /// A stub that waits for its test is as it should be.
    fn is_waiting(&self) -> bool {
        let blocks = |smell: &Smell| smell.severity == Severity::Block;
        self.why == Some(Because::Kept(Kept::Rules(KeepReason::StubsWait)))
            && !self.smells.iter().any(blocks)
    }

    /// Whether nothing could be decided: the tests did not run to an end that says something.
    pub(crate) fn is_undecided(&self) -> bool {
        let is_void = self.why == Some(Because::Kept(Kept::Unstable));
        let ended = match self.action {
            Action::Keep | Action::None => true,
            Action::Commit | Action::TakeBack => false,
        };
        ended && (is_void || self.verdict == Some(Verdict::Broken))
    }
}

/// What was decided, once modes and everything else that is applied to the rules had their say.
#[derive(Debug, Clone)]
pub(crate) enum Settled {
    Commit(Commit),
    Keep(Kept),
    TakeBack(TakeBack),
    /// Only the record changes: what would have been done, and where the phase goes.
    Record {
        would: Decision,
        /// What would have kept it from being committed all the same.
        held: Option<Kept>,
        accepted: bool,
    },
    Await(BTreeSet<String>),
    Nothing,
}

/// Why it can't be told who made a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WhyUnclear {
    /// An agent's call was interrupted.
    Interrupted,
    /// Processes of agents' calls lived on.
    LivedOn(Vec<String>),
    /// Hooks were disarmed, so that not every call was judged.
    Disarmed,
}

/// What a judgement saw that its words speak of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Source files that behave otherwise while they are tested.
    pub(crate) asking_for_tests: Vec<String>,
    /// Paths that changed while the tests ran.
    pub(crate) unstable: Vec<String>,
    /// A file that does not parse, and the line.
    pub(crate) does_not_parse: Option<(String, usize)>,
    /// A file that can't be read as code.
    pub(crate) unreadable: Option<(String, Unreadable)>,
    /// The source only loses lines.
    pub(crate) source_goes: bool,
    /// The name that the tests want and nobody declares.
    pub(crate) missing_name: Option<String>,
    /// What the run that tells most said of itself.
    pub(crate) said: String,
    /// That run was judged by its exit status alone.
    pub(crate) unconfirmed: bool,
    /// The tests alone failed on another tree than the worktree's.
    pub(crate) fails_without_source: bool,
    /// Why an experiment has no answer, in its own words.
    pub(crate) no_answer: Option<String>,
}
