//! Anything that prints the Test Anything Protocol.

use super::Runner;
use super::formats::Told;
use super::formats::tap;

pub(super) static RUNNER: Runner = Runner {
    read_text,
    telling: &[
        r"^TAP version 1[234]$",
        r"^Bail out!",
        r"^1\.\.\d+(?: *#.*)?$",
    ],
    known_by: "a plan in the output",
    asked: "not asked: the output is TAP",
    tried: Some("TAP 12 to 14"),
    ..Runner::named("TAP")
};

/// Reads a text with a plan.
pub(super) fn read_text(output: &str) -> Option<Told> {
    let has_plan = output.lines().any(tap::is_telling);
    let report = tap::read("", &mut output.as_bytes()).ok();
    report.filter(|_| has_plan).map(Told::from)
}
