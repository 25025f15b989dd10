//! git tcr keeps a coding agent, or a person, honest about test-driven development.
//!
//! Data flows one way:
//!
//! ```text
//! intake → event → policy → decision → effects → journal → message
//! ```
//!
//! Only `commands` sees both sides.

pub mod intake;
pub mod policy;
