//! nose2: it is built on `unittest`, whose hook tells of its tests, too.

use super::Runner;
use super::ask::Way;
use super::unittest;

pub(super) static RUNNER: Runner = Runner {
    programs: &["nose2", "nose2-3"],
    scripts: &[("python", "nose2")],
    ask: |asking| {
        let hook = include_str!("reporters/tcr_nose2.py");
        let way = Way::default().python_hook(asking.home);
        Some(way.file("python-start/tcr_nose2.py", hook))
    },
    reports: &[("nose2-", &unittest::JSONL)],
    read_text: unittest::read_text,
    asked: "the hook of unittest, by `PYTHONPATH`",
    tried: Some("0.15"),
    ..Runner::named("nose2")
};
