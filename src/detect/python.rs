//! Python: tasks of the tools that keep the environment, tox and nox.

use crate::runners::project::python::{python, test_runner, tool};
use crate::runners::project::{Offer, Place, Strength};

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Offer>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let run = test_runner(place, &project);
    tasks(&project, &run, out);
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
