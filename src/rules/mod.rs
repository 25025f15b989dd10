//! The rules, as pure functions: nothing here reads a file, starts a process, looks at the
//! environment or asks the time. The rules of a step and of the way out ask for one more experiment
//! or decide, from the facts that are known.
//!
//! | module | holds |
//! | --- | --- |
//! | `facts` | what is known of a step: its parts, the tests, the answers so far |
//! | `answer` | what an experiment said, test by test |
//! | `decision` | the three ways a step ends, and the reasons for them |
//! | `reading` | what an answer says of the tests, compared with the accepted tree |
//! | `step` | the rows: phase × what changed → one more experiment, or a decision |
//! | `changed_tests` | the row of changed tests |
//! | `plain` | the two disciplines that ask for nothing but a run of the whole |
//! | `private` | files that belong in no commit |
//! | `way_out` | is a range of work proven on its final tree? |
//! | `patience` | how often unfinished work is kept |
//!
//! No rule knows a mode, a client or who did the work: those are applied to the decision afterwards.

pub mod answer;
mod changed_tests;
pub mod commit_label;
pub mod decision;
pub mod declared;
mod default_patterns;
pub mod facts;
pub mod forbidden;
pub mod lint;
pub mod path_class;
pub mod patience;
pub mod phase;
pub mod plain;
pub mod private;
mod reading;
pub mod recorded;
pub mod ref_gate;
pub mod shell_gate;
pub mod smell;
pub mod spec;
pub mod squash;
pub mod start_up;
pub mod step;
pub mod timeline;
pub mod verdict;
pub mod way_out;
pub mod write_gate;

#[cfg(test)]
mod purity_tests;
#[cfg(test)]
#[path = "tests/told.rs"]
mod told;
#[cfg(test)]
#[path = "tests/worlds/mod.rs"]
mod worlds;

pub use crate::languages::Language;
pub use answer::{Answer, Before, Gone, NoAnswer, Outcome, Said, TestFact};
pub use commit_label::CommitLabel;
pub use decision::{Commit, Decision, Keep, KeepReason, Label, Move, Next, Scope, TakeBack, Why};
pub use declared::{Declaration, Declared, Refusal, Standing, declare};
pub use facts::{Changed, Experiment, Facts, Form, SourceKind, TestsPart};
pub use forbidden::{Breach, PathChange, Remedy, forbidden};
pub use path_class::{ClassRules, Classifier, PathClass, Protection};
pub use phase::{CycleKind, Mode, Phase};
pub use verdict::{Cause, RedNeeds, TestStatus, Verdict};
pub use write_gate::GateDecision;
