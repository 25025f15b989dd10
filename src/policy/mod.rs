//! The rules, as pure functions: nothing here reads a file, starts a process, looks at the
//! environment or asks the time.

pub mod commit_label;
pub mod content;
pub mod declared;
mod default_patterns;
pub mod fixture;
pub mod forbidden;
pub mod judge;
pub mod lint;
pub mod path_class;
pub mod phase;
pub mod proof;
mod python_lines;
pub mod ref_gate;
mod scan;
pub mod shell_gate;
pub mod smell;
pub mod spec;
pub mod split;
pub mod squash;
pub mod start_up;
pub mod stub;
pub mod timeline;
pub mod verdict;
pub mod write_gate;

pub use crate::languages::Language;
pub use commit_label::CommitLabel;
pub use declared::{Declaration, Declared, Refusal, Standing, declare};
pub use forbidden::{Breach, PathChange, Remedy, forbidden};
pub use path_class::{ClassRules, Classifier, PathClass, Protection};
pub use phase::{CycleKind, Mode, Phase};
pub use verdict::{Cause, RedNeeds, TestStatus, Verdict};
pub use write_gate::GateDecision;

#[cfg(test)]
mod purity_tests;
