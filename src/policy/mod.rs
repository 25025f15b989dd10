//! The rules, as pure functions: nothing here reads a file, starts a process, looks at the
//! environment or asks the time.

pub mod phase;
pub mod shell_gate;
pub mod verdict;

pub use phase::{CycleKind, Mode, Phase};
pub use verdict::{Cause, RedNeeds, TestStatus, Verdict};
