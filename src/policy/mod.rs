//! The rules, as pure functions: nothing here reads a file, starts a process, looks at the
//! environment or asks the time.

mod default_patterns;
pub mod judge;
pub mod language;
pub mod path_class;
pub mod phase;
pub mod verdict;

pub use path_class::{ClassRules, Classifier, PathClass, Protection};
pub use phase::{CycleKind, Mode, Phase};
pub use verdict::{Cause, RedNeeds, TestStatus, Verdict};

#[cfg(test)]
mod purity_tests;
