//! The overlay form where the system has none.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::no_lab::{NoLab, Why};
use super::place::Place;
use super::wanted::Wanted;

/// There is none.
#[derive(Debug)]
pub(super) struct Overlay(Infallible);

/// There is none.
#[derive(Debug)]
pub(super) struct OverlayRoom {
    pub(super) prefix: Vec<OsString>,
    none: Infallible,
}

impl Overlay {
    /// Says that there is none.
    pub(super) fn open(_: &Path, _: &Path, _: &Place) -> Result<Overlay, NoLab> {
        Err(Why::NoOverlayHere.into())
    }

    pub(super) fn enter(&self, _: &Place, _: &Wanted) -> Result<OverlayRoom, NoLab> {
        match self.0 {}
    }
}

impl OverlayRoom {
    pub(super) fn environment(&self, _: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
        match self.none {}
    }

    pub(super) fn failure(&self) -> Option<NoLab> {
        match self.none {}
    }

    pub(super) fn wrote(&self) -> Vec<PathBuf> {
        match self.none {}
    }
}

/// The exit status of a stage that could not do its work.
pub fn stage(_: &[OsString]) -> i32 {
    125
}
