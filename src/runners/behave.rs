//! behave: features in Python.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["behave"],
    scripts: &[("python", "behave")],
    lists_only: &["-d", "--dry-run"],
    ask: |asking| {
        let hook = include_str!("reporters/tcr_behave.py");
        let way = Way::default().python_hook(asking.home);
        Some(way.file("python-start/tcr_behave.py", hook))
    },
    reports: &[("behave-", &LINES)],
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("1.3"),
    ..Runner::named("behave")
};
