//! Programs that a plain machine may lack, and how much of the long tests is wanted.

use std::path::PathBuf;

/// In CI, where they were set up, a missing program is a failure.
const REQUIRED: &str = "GIT_TCR_TEST_PROGRAMS";
/// Where clients were put: not on PATH, or every `install` of the tests would be for them, too.
const CLIENTS: &str = "GIT_TCR_TEST_CLIENTS";
/// Long tests try everything, not a sample.
const THOROUGH: &str = "GIT_TCR_TEST_THOROUGH";

/// A program, from where clients were put or from PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let among_clients = which::which_in(program, std::env::var_os(CLIENTS), here);
    among_clients.or_else(|_| which::which(program)).ok()
}

/// Whether all of these are there; the test that needs them is skipped otherwise.
pub fn are_there(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|program| find(program).is_none());
    let Some(program) = missing else {
        return true;
    };
    assert!(
        std::env::var_os(REQUIRED).is_none(),
        "`{program}` is not on PATH, and {REQUIRED} asks for it"
    );
    println!("skipped: `{program}` is not on PATH");
    false
}

/// The same for programs of which a machine may have another version than the tests are made for.
pub fn were_set_up(programs: &[&str]) -> bool {
    let wanted = std::env::var_os(REQUIRED).is_some();
    if !wanted {
        println!(
            "skipped: {REQUIRED} does not ask for `{}`",
            programs.join("`, `")
        );
    }
    wanted && are_there(programs)
}

/// Whether tests that take minutes are wanted, and others are to try everything.
pub fn are_thorough() -> bool {
    let wanted = std::env::var_os(THOROUGH).is_some();
    if !wanted {
        println!("a sample: {THOROUGH} asks for everything");
    }
    wanted
}
