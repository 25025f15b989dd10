//! A build without grammars knows no language.

use super::{Examined, Role, Values};

/// Whether files of this name can be looked at.
pub fn can_read(_path: &str) -> bool {
    false
}

/// Looks at one file; nothing if its language is not known.
pub fn examine(_: &str, _: &[u8], _: Role, _: &Values) -> Option<Examined> {
    None
}

/// The values that are written out in the tests of a file.
pub fn values_in_tests(_: &str, _: &[u8]) -> Values {
    Values::new()
}
