//! Python: tasks of the tools that keep the environment, tox and nox.

use crate::runners::project::python::{mentioning, python, says, test_runner, tool};
use crate::runners::project::{Offer, Place, Strength};

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Offer>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let run = test_runner(place, &project);
    tasks(&project, &run, out);
}

/// What is looked at after the runners on the shelf.
pub(super) fn find_more(place: &Place<'_>, out: &mut Vec<Offer>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let run = test_runner(place, &project);
    other_runners(place, &project, &run, out);
    if let Some(file) = tox(place, &project) {
        let why = format!("`{file}`");
        out.push(python(Strength::Fallback, format!("{run}tox"), why, file));
    }
    if place.exists("noxfile.py") {
        out.push(python(
            Strength::Fallback,
            format!("{run}nox"),
            "`noxfile.py`",
            "noxfile.py",
        ));
    }
}

/// Runners that are there beside pytest and unittest, or in their place.
fn other_runners(place: &Place<'_>, project: &toml::Table, run: &str, out: &mut Vec<Offer>) {
    let own = place.first(&["nose2.cfg", "unittest.cfg"]);
    if let Some(file) = own.or_else(|| mentioning(place, "nose2")) {
        out.push(python(
            Strength::Configured,
            format!("{run}nose2"),
            says(file, "nose2"),
            file,
        ));
    }
    if let Some(file) = behave(place, project) {
        let command = format!("{run}behave");
        out.push(python(
            Strength::Default,
            command,
            format!("`{file}`"),
            file,
        ));
    }
    let is_robot = |name: &String| name.ends_with(".robot");
    let dirs = ["tests", "test", "robot", "atest", "."];
    if let Some(dir) = dirs.into_iter().find(|dir| {
        let dir = dir.trim_start_matches('.');
        place.list(dir).iter().any(is_robot)
    }) {
        let file = place
            .list(dir.trim_start_matches('.'))
            .into_iter()
            .find(is_robot);
        let file = file.map_or(dir.to_owned(), |name| match dir {
            "." => name,
            dir => format!("{dir}/{name}"),
        });
        let why = format!("`{file}`");
        out.push(python(
            Strength::Default,
            format!("{run}robot {dir}"),
            why,
            &file,
        ));
    }
}

/// What speaks for behave: pytest has features too, but no steps beside them.
fn behave(place: &Place<'_>, project: &toml::Table) -> Option<&'static str> {
    let own = place.first(&["behave.ini", ".behaverc"]);
    let sections = [("setup.cfg", "[behave]"), ("tox.ini", "[behave]")];
    let section = || {
        let found = sections
            .iter()
            .find(|(file, word)| place.mentions(file, word));
        found.map(|(file, _)| *file)
    };
    let in_project = || tool(project, &["behave"]).map(|_| "pyproject.toml");
    let by_steps = || {
        let has = |dir: &str, end: &str| place.list(dir).iter().any(|name| name.ends_with(end));
        (has("features", ".feature") && has("features/steps", ".py")).then_some("features")
    };
    own.or_else(section).or_else(in_project).or_else(by_steps)
}

/// The file that has tox set up.
fn tox(place: &Place<'_>, project: &toml::Table) -> Option<&'static str> {
    let own = place.first(&["tox.ini", "tox.toml"]);
    let in_project = || tool(project, &["tox"]).map(|_| "pyproject.toml");
    let in_setup = || {
        place
            .mentions("setup.cfg", "[tox:tox]")
            .then_some("setup.cfg")
    };
    own.or_else(in_project).or_else(in_setup)
}

/// Scripts that pyproject.toml declares for the tools that can run them.
fn tasks(project: &toml::Table, run: &str, out: &mut Vec<Offer>) {
    let declared = [
        (
            &["hatch", "envs", "default", "scripts", "test"][..],
            "hatch run test".to_owned(),
        ),
        (
            &["hatch", "envs", "test", "scripts", "test"],
            "hatch run test:test".to_owned(),
        ),
        (&["pdm", "scripts", "test"], "pdm run test".to_owned()),
        (&["poe", "tasks", "test"], format!("{run}poe test")),
        (&["taskipy", "tasks", "test"], format!("{run}task test")),
        (&["pixi", "tasks", "test"], "pixi run test".to_owned()),
    ];
    for (path, command) in declared {
        if tool(project, path).is_some() {
            let why = format!("`tool.{}` in `pyproject.toml`", path.join("."));
            out.push(python(Strength::Script, command, why, "pyproject.toml"));
        }
    }
}
