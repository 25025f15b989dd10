//! What a push and a fetch did.

use serde::Serialize;

/// What a push did.
#[derive(Debug, Serialize)]
pub(crate) struct Pushed {
    pub(crate) remote: String,
    pub(crate) clone: String,
    /// How many refs were new or went forward.
    pub(crate) refs: usize,
    /// This clone had to take a new id.
    pub(crate) renamed: bool,
}

/// What a fetch did.
#[derive(Debug, Serialize)]
pub(crate) struct Fetched {
    pub(crate) remote: String,
    /// How many refs were new or went forward.
    pub(crate) refs: usize,
    /// How many notes were new here.
    pub(crate) notes: usize,
    /// Refs that are no longer what they were over there; here they stay.
    pub(crate) rewound: Vec<String>,
}
