//! nose2: it is built on `unittest`, whose hook tells of its tests, too.

use super::Runner;
use super::ask::Way;
use super::unittest;

pub(super) static RUNNER: Runner = Runner {
    programs: &["nose2", "nose2-3"],
    scripts: &[("python", "nose2")],
    ask: |asking| Some(Way::default().python_hook(asking.home)),
    reports: &[("nose2-", &unittest::JSONL)],
    read_text: unittest::read_text,
    asked: "the hook of unittest, by `PYTHONPATH`",
    tried: Some("0.15"),
    ..Runner::named("nose2")
};
