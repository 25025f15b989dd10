//! Programs that a plain machine may lack, and how much of the long tests is wanted.

/// In CI, where they were set up, a missing program is a failure.
const REQUIRED: &str = "GIT_TCR_TEST_PROGRAMS";
/// Long tests try everything, not a sample.
const THOROUGH: &str = "GIT_TCR_TEST_THOROUGH";

/// Whether all of these are on PATH; the test that needs them is skipped otherwise.
pub fn are_there(programs: &[&str]) -> bool {
    let missing = programs
        .iter()
        .find(|program| which::which(program).is_err());
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
