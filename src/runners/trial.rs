//! Twisted's trial: built on `unittest`, with results of its own.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;
use super::project::python::{interpreter, prefix, python};
use super::project::{Place, Strength};
use super::{pytest, unittest};

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
    detect: |place, out| {
        let project = place.toml("pyproject.toml").unwrap_or_default();
        let is_other =
            || pytest::spoken_for(place, &project).is_some() || place.exists("manage.py");
        let found = unittest::found(place).filter(|(file, _)| is_for(place, file) && !is_other());
        if let Some((file, _)) = found {
            let run = prefix(place);
            let dir = file.rsplit_once('/').map_or(".", |(dir, _)| dir);
            let python3 = interpreter(place, &run);
            let command = format!("{run}{python3} -m twisted.trial {dir}");
            let why = format!("`{file}` is for twisted's trial");
            out.push(python(Strength::Default, command, why, &file));
        }
    },
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("Twisted 26.10"),
    ..Runner::named("trial")
};

/// Whether a test file is for it.
pub(super) fn is_for(place: &Place<'_>, file: &str) -> bool {
    place.mentions(file, "twisted.trial")
}
