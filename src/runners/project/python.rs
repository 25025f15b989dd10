//! Python: what stands before a command so that it runs in the project's environment, and where tests are.

use super::{Offer, Place, Strength};

pub(crate) const LANGUAGE: &str = "python";

/// A command for tests in Python.
pub(crate) fn python(
    strength: Strength,
    command: impl Into<String>,
    why: impl Into<String>,
    file: &str,
) -> Offer {
    Offer::new(strength, Some(LANGUAGE), command, why, file)
}

pub(crate) fn says(file: &str, word: &str) -> String {
    match file.ends_with(".py") {
        true => format!("`{file}`"),
        false => format!("`{file}` names {word}"),
    }
}

pub(crate) fn tool<'t>(project: &'t toml::Table, path: &[&str]) -> Option<&'t toml::Value> {
    let mut value = project.get("tool")?;
    for key in path {
        value = value.get(key)?;
    }
    Some(value)
}

/// What stands before a Python command so that it runs in the project's environment. Lock files
/// come first: they are written by the tool that is in use. A workspace has its one at the root.
pub(crate) fn runner(place: &Place<'_>, project: &toml::Table) -> String {
    let locks = [
        ("uv.lock", "uv run "),
        ("poetry.lock", "poetry run "),
        ("pdm.lock", "pdm run "),
        ("Pipfile.lock", "pipenv run "),
        ("Pipfile", "pipenv run "),
    ];
    let locked = |place: &Place<'_>| {
        let lock = locks.iter().find(|(file, _)| place.exists(file));
        lock.map(|(_, run)| *run)
    };
    let tools = [
        (&["uv"][..], "uv run "),
        (&["poetry"], "poetry run "),
        (&["pdm"], "pdm run "),
        (&["rye"], "rye run "),
        (&["hatch", "envs"], "hatch run "),
    ];
    let configured = || {
        let found = tools.iter().find(|(path, _)| tool(project, path).is_some());
        found.map(|(_, run)| *run)
    };
    locked(place)
        .or_else(configured)
        .or_else(|| locked(&place.root()))
        .unwrap_or_default()
        .to_owned()
}

/// The same for the tests: hatch has environments of their own for them.
pub(crate) fn test_runner(place: &Place<'_>, project: &toml::Table) -> String {
    let has = |environment| tool(project, &["hatch", "envs", environment]).is_some();
    match runner(place, project) {
        run if run == "hatch run " && has("test") && !has("default") => format!("{run}test:"),
        run => run,
    }
}

/// The first file that lists what a project needs and names a runner.
pub(crate) fn mentioning(place: &Place<'_>, runner: &str) -> Option<&'static str> {
    let listings = [
        "pyproject.toml",
        "requirements-dev.txt",
        "requirements_dev.txt",
        "dev-requirements.txt",
        "requirements-test.txt",
        "test-requirements.txt",
        "requirements/dev.txt",
        "requirements/test.txt",
        "requirements.txt",
        "setup.cfg",
        "setup.py",
        "tox.ini",
        "noxfile.py",
        "Pipfile",
        "environment.yml",
    ];
    let found = listings.iter().find(|file| place.mentions(file, runner));
    found.copied()
}

pub(crate) fn interpreter(place: &Place<'_>, run: &str) -> &'static str {
    let local = [".venv/bin/python", "venv/bin/python"];
    match (run.is_empty(), place.first(&local)) {
        (true, Some(local)) => local,
        (true, None) if !(place.has_program)("python") => "python3",
        _ => "python",
    }
}

/// Test files at the root, in the usual folders, and in the folders right in these.
pub(crate) fn test_files(place: &Place<'_>) -> Vec<String> {
    let is_test = |name: &str| {
        name.ends_with(".py")
            && (name.starts_with("test_") || name.ends_with("_test.py") || name == "tests.py")
    };
    let mut found = Vec::new();
    let mut below = Vec::new();
    for dir in ["tests/", "test/", ""] {
        let (folders, files): (Vec<_>, Vec<_>) = place
            .list(dir)
            .into_iter()
            .partition(|name| name.ends_with('/'));
        let tests = files.into_iter().filter(|name| is_test(name));
        found.extend(tests.map(|name| format!("{dir}{name}")));
        let folders = folders.into_iter().filter(|_| !dir.is_empty());
        below.extend(folders.take(50).map(|folder| format!("{dir}{folder}")));
    }
    for dir in below {
        let tests = place.list(&dir).into_iter().filter(|name| is_test(name));
        found.extend(tests.map(|name| format!("{dir}{name}")));
    }
    found
}

/// What stands before a test command in Python, or nothing.
pub(crate) fn prefix(place: &Place<'_>) -> String {
    test_runner(place, &place.toml("pyproject.toml").unwrap_or_default())
}
