//! Shell words: their parts, and what they expand to.
//!
//! The parser hands words over as raw text. They are taken apart here, in one pass without
//! backtracking, so that no nesting makes it slow and no substitution inside is overlooked.

mod braces;
mod expand;
pub(super) mod extent;
mod fields;
mod parameter;
mod pieces;

pub(super) use expand::unescape_ansi_c;
pub(super) use parameter::{CaseChange, Expansion, Operation, ReplaceAt};
