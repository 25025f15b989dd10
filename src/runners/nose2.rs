//! nose2: it is built on `unittest`, whose hook tells of its tests, too.

use super::Runner;
use super::ask::Way;
use super::project::Strength;
use super::project::python::{mentioning, prefix, python, says};
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
    detect: |place, out| {
        let own = place.first(&["nose2.cfg", "unittest.cfg"]);
        if let Some(file) = own.or_else(|| mentioning(place, "nose2")) {
            let why = says(file, "nose2");
            let command = format!("{}nose2", prefix(place));
            out.push(python(Strength::Configured, command, why, file));
        }
    },
    asked: "the hook of unittest, by `PYTHONPATH`",
    tried: Some("0.16"),
    ..Runner::named("nose2")
};
