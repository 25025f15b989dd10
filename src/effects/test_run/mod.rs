//! Runs the user's tests and says what they said.

pub mod report;
