//! test-unit: the lines of our listener.

use super::Runner;
use super::formats::lines::LINES;
use super::minitest;

pub(super) static RUNNER: Runner = Runner {
    scripts: &[("ruby", "test/unit"), ("ruby", "test-unit")],
    ask: |asking| Some(minitest::ask(asking)),
    reports: &[("test-unit-", &LINES)],
    known_by: "whatever may be minitest, scripts that name it",
    asked: "a listener of ours, by `RUBYOPT`",
    tried: Some("3.5"),
    ..Runner::named("test-unit")
};
