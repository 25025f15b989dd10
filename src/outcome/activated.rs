//! What becoming active found and did.

use gix::bstr::BString;

use crate::branch::session::Session;
use crate::branch::state::TestResults;

/// What becoming active found and did.
pub(crate) struct Activated<'a> {
    pub(crate) session: Session<'a>,
    pub(crate) results: TestResults,
    /// The baseline commit, if there was uncommitted work.
    pub(crate) baseline: Option<gix::ObjectId>,
    /// The paths in it.
    pub(crate) paths: Vec<BString>,
}
