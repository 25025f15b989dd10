//! Python's `doctest` called by itself.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["doctest"],
    ask: |asking| {
        let hook = include_str!("reporters/tcr_doctest.py");
        let way = Way::default().python_hook(asking.home);
        Some(way.file("python-start/tcr_doctest.py", hook))
    },
    reports: &[("doctest-", &LINES)],
    known_by: "`python -m doctest`",
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("Python 3.11"),
    ..Runner::named("doctest")
};
