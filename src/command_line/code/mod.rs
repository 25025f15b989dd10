//! Code for other interpreters inside a command: what it does to files it names literally.
//!
//! One reader for all languages: where a program writes at all, the paths it speaks of are what it
//! may write, but for those that surely go nowhere but to what reads.

pub(super) mod awk;
pub(super) mod foreign;
mod pieces;
mod roles;
pub(super) mod sed;

/// What a script for a text tool writes and runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) files: Vec<String>,
    pub(super) commands: Vec<String>,
}
