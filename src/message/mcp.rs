//! The words of the MCP server. What its tools answer is worded by the commands themselves.

use std::fmt::Write as _;

use crate::rules::Phase;

/// What the resource with the state is.
pub(crate) const STATE: &str = "Where the work stands on this branch, as `git tcr status --json`.";
/// What the resource with the rules is.
pub(crate) const RULES: &str = "What may be written in each phase, and what leads to the next.";
/// What the prompt is.
pub(crate) const CYCLE: &str = "Work in small test-driven steps: a failing test, code, refactor.";

/// What a client is told at the beginning.
pub(crate) fn instructions() -> String {
    "This repository is under git tcr: a failing test comes first, green is committed, red is \
     taken back. Call `status` to see the phase and what may be written now, and `run` after a \
     change where no hook does it. Reverted work is kept: `recover_list`, `recover_show`."
        .into()
}

/// The rules, phase by phase.
pub(crate) fn rules() -> String {
    let phases = [
        Phase::Plan,
        Phase::Red,
        Phase::Green,
        Phase::Refactor,
        Phase::Done,
    ];
    let mut text = String::from("# The rules of git tcr\n");
    for phase in phases {
        let _ = write!(
            text,
            "\n## {phase}\n\n- may be written: {}\n- next: {}\n",
            super::phase::allowed_now(phase),
            super::phase::next_step(phase)
        );
    }
    text.push_str(
        "\n## Always\n\n\
         - after each change the tests run: green is committed on a branch of its own, red is taken back\n\
         - what was taken back is in recover: `recover_list`, `recover_show`\n\
         - tests that fail for no other reason than that they can't load unlock nothing: write a stub\n\
         - switching git tcr off, allowing a path and squashing are for people\n",
    );
    text
}

/// The prompt for a cycle.
pub(crate) fn cycle() -> String {
    "Work on the task in test-driven cycles, one behaviour at a time.\n\n\
     1. Call `status`; it says what may be written now.\n\
     2. Write one failing test for the next behaviour, then call `run`. It has to fail for the \
     right reason; if it can't load, add a stub that raises \"not implemented\".\n\
     3. Write the least code that makes it pass, then call `run`. Green is committed. If it was \
     taken back, look at it with `recover_show` and take a smaller step.\n\
     4. If the code can be clearer: call `phase` with `refactor`, change it in small steps with \
     `run` after each, then `phase` with `red`.\n\
     5. Begin again at 1 until the task is done, then show `squash_preview` and ask the person to \
     squash.\n"
        .into()
}
