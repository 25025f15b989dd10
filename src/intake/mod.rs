//! The outside world, turned into what the rules can judge.

pub(crate) mod agent;
pub(crate) mod shell;
