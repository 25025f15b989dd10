//! behave: features in Python.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;
use super::project::python::{prefix, python, tool};
use super::project::{Place, Strength};

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
    detect: |place, out| {
        if let Some(file) = spoken_for(place) {
            let command = format!("{}behave", prefix(place));
            out.push(python(
                Strength::Default,
                command,
                format!("`{file}`"),
                file,
            ));
        }
    },
    asked: "a hook of ours in every interpreter, by `PYTHONPATH`",
    tried: Some("1.3"),
    ..Runner::named("behave")
};

/// What speaks for it: pytest has features too, but no steps beside them.
fn spoken_for(place: &Place<'_>) -> Option<&'static str> {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let own = place.first(&["behave.ini", ".behaverc"]);
    let sections = [("setup.cfg", "[behave]"), ("tox.ini", "[behave]")];
    let section = || {
        let found = sections
            .iter()
            .find(|(file, word)| place.mentions(file, word));
        found.map(|(file, _)| *file)
    };
    let in_project = || tool(&project, &["behave"]).map(|_| "pyproject.toml");
    let by_steps = || {
        let has = |dir: &str, end: &str| place.list(dir).iter().any(|name| name.ends_with(end));
        (has("features", ".feature") && has("features/steps", ".py")).then_some("features")
    };
    own.or_else(section).or_else(in_project).or_else(by_steps)
}
