//! The rules of a step and of the way out, pure: from the facts known they either ask for one more
//! experiment or decide.
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
pub mod decision;
pub mod facts;
pub mod patience;
pub mod plain;
pub mod private;
mod reading;
pub mod step;
pub mod way_out;

#[cfg(test)]
mod told;
#[cfg(test)]
mod worlds;

pub use answer::{Answer, Before, Gone, NoAnswer, Outcome, Said, TestFact};
pub use decision::{Commit, Decision, Keep, KeepReason, Label, Move, Next, Scope, TakeBack, Why};
pub use facts::{Changed, Experiment, Facts, Form, SourceKind, TestsPart};
