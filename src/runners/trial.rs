//! Twisted's trial: built on `unittest`, with results of its own.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["trial", "twisted.trial"],
    scripts: &[("python", "twisted.trial")],
    lists_only: &["--dry-run"],
    ask: |asking| {
        let hook = include_str!("reporters/tcr_trial.py");
        let way = Way::default().python_hook(asking.home);
        Some(way.file("python-start/tcr_trial.py", hook))
    },
    reports: &[("trial-", &LINES)],
    telling: &[r"^(?:PASSED|FAILED) \((?:\w+=\d+(?:, )?)+\)$"],
    hides: &["unittest"],
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("24"),
    ..Runner::named("trial")
};
