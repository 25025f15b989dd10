//! What bringing work back did.

/// What a restore did.
pub(crate) struct Restored {
    pub(crate) files: Vec<String>,
    /// The entry that holds what was there before.
    pub(crate) saved: Option<u64>,
    /// Paths that could not be written because something else is there.
    pub(crate) kept: Vec<String>,
}

/// What going back to the last green did.
pub(crate) struct BackAtGreen {
    pub(crate) green: String,
    /// There was no green yet, so it is the commit that the work began at.
    pub(crate) is_fork: bool,
    pub(crate) commit: Option<String>,
    pub(crate) saved: Option<u64>,
    /// Paths that could not be written because something else is there.
    pub(crate) kept: Vec<String>,
}
