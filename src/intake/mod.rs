//! The outside world, turned into what the rules can judge.

pub mod agent;
pub mod shell;
