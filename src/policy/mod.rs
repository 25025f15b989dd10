//! The rules, as pure functions: nothing here reads a file, starts a process, looks at the
//! environment or asks the time.

pub mod compare;
pub mod content;
pub mod declared;
mod default_patterns;
pub mod editor_scratch;
pub mod fixture;
pub mod forbidden;
pub mod hold_back;
pub mod judge;
pub mod language;
pub mod loop_decision;
pub mod path_class;
pub mod phase;
pub mod proof;
mod python_lines;
pub mod ref_gate;
mod scan;
pub mod shell_gate;
pub mod situation;
pub mod smell;
pub mod spec;
pub mod split;
pub mod squash;
pub mod start_up;
pub mod stub;
pub mod timeline;
pub mod transition;
pub mod verdict;
pub mod write_gate;

pub use declared::{Declaration, Declared, Refusal, Standing, declare};
pub use forbidden::{Breach, PathChange, Remedy, forbidden};
pub use loop_decision::{
    CommitLabel, KeepReason, LoopDecision, NextPhase, Remark, RevertReason, RevertScope,
};
pub use path_class::{ClassRules, Classifier, PathClass, Protection};
pub use phase::{CycleKind, Mode, Phase};
pub use situation::{ChangedClasses, OnBroken, RevertAt, Situation, Targets};
pub use transition::decide_loop;
pub use verdict::{Cause, RedNeeds, TestStatus, Verdict};
pub use write_gate::GateDecision;

#[cfg(test)]
mod purity_tests;
