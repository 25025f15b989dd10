//! The function that most tests are about: a test of it, and two ways to write it.

/// A test of `add`, for `tests/add.t`.
pub const ASKS: &str = "[ \"$(add 1 2)\" = 3 ]\n";
/// An `add` that fails the test, for `src/add.sh`.
pub const WRONG: &str = "add() { echo 4; }\n";
/// An `add` that passes the test, for `src/add.sh`.
pub const RIGHT: &str = "add() { echo $(($1 + $2)); }\n";
