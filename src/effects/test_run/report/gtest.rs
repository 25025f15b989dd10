//! GoogleTest: its JSON, and its text, which CTest shows for single tests.

use super::cause;
use super::collect::Outcome;
use crate::policy::verdict::Cause;

/// Why a test failed, from one of its failures.
pub(super) fn of_failure(message: &str) -> Outcome {
    let Some(at) = message.find("C++ exception with description \"") else {
        return if message.contains("unknown C++ exception") || message.contains("SEH exception") {
            Outcome::Failed(Cause::Error)
        } else {
            Outcome::Failed(Cause::Assertion)
        };
    };
    if [
        "thrown in SetUp",
        "thrown in TearDown",
        "thrown in the test fixture's",
    ]
    .iter()
    .any(|place| message.contains(place))
    {
        return Outcome::Inconclusive;
    }
    let what = message.get(at..).and_then(|rest| rest.split('"').nth(1));
    if cause::is_stub("", what.unwrap_or_default()) {
        Outcome::Failed(Cause::Stub)
    } else {
        Outcome::Failed(Cause::Error)
    }
}

/// Why one test failed that was run on its own: by GoogleTest's lines if there are any, else by the exit
/// status of a program that said no.
pub(super) fn of_single_test_output(output: &str) -> Outcome {
    let began = output.lines().any(|line| line.starts_with("[ RUN      ] "));
    let failed = output.lines().any(|line| line.starts_with("[  FAILED  ] "));
    match (began, failed) {
        (true, true) => {
            let failure = output
                .split_once("[ RUN      ] ")
                .map_or(output, |(_, rest)| rest);
            of_failure(failure)
        }
        // It began and never came to its end.
        (true, false) => Outcome::Inconclusive,
        (false, _) => cause::of_text(last_line(output), Cause::Assertion),
    }
}

fn last_line(output: &str) -> &str {
    output
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
}
