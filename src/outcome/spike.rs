//! How a spike ended.

/// What throwing a spike away did.
pub(crate) struct Dropped {
    /// The entry that holds the work.
    pub(crate) recover: Option<u64>,
    pub(crate) files: Vec<String>,
    pub(crate) edited_meanwhile: Vec<String>,
}

/// What keeping a spike did.
pub(crate) struct Kept {
    pub(crate) commit: Option<String>,
    pub(crate) files: Vec<String>,
}
