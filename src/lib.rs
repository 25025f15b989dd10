//! git tcr keeps a coding agent, or a person, honest about test-driven development.
//!
//! Data flows one way:
//!
//! ```text
//! intake → event → policy → decision → effects → journal → message
//! ```
//!
//! Only `commands` sees both sides.

mod clock;
pub mod config;
pub mod detect;
pub mod effects;
mod env_vars;
pub mod error;
mod journal;
pub mod policy;
