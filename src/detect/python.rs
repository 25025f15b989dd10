//! Python: pytest, unittest, Django, through the tool that keeps the environment.

use super::tree::Place;
use super::{Found, Strength};

pub(super) const LANGUAGE: &str = "python";

pub(super) fn find(place: &Place<'_>, out: &mut Vec<Found>) {
    let project = place.toml("pyproject.toml").unwrap_or_default();
    let run = test_runner(place, &project);
    tasks(&project, &run, out);
    if let Some((file, strength)) = pytest(place, &project) {
        let command = pytest_command(place, &project, &run);
        out.push(python(strength, command, says(&file, "pytest"), &file));
    } else if place.exists("manage.py") {
        let command = format!("{}{} manage.py test", run, interpreter(place, &run));
        out.push(python(
            Strength::Configured,
            command,
            "`manage.py`",
            "manage.py",
        ));
    } else if let Some((file, arguments)) = unittest(place) {
        let is_trial = place.mentions(&file, "twisted.trial");
        let python3 = interpreter(place, &run);
        let (command, why) = match (is_trial, file.rsplit_once('/')) {
            (true, place) => (
                format!(
                    "{run}{python3} -m twisted.trial {}",
                    place.map_or(".", |(dir, _)| dir)
                ),
                format!("`{file}` is for twisted's trial"),
            ),
            (false, _) => (
                format!("{run}{python3} -m unittest{arguments}"),
                format!("`{file}`, and pytest is not mentioned anywhere"),
            ),
        };
        out.push(python(Strength::Default, command, why, &file));
    }
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

fn python(
    strength: Strength,
    command: impl Into<String>,
    why: impl Into<String>,
    file: &str,
) -> Found {
    Found::new(strength, Some(LANGUAGE), command, why, file)
}

fn says(file: &str, word: &str) -> String {
    match file.ends_with(".py") {
        true => format!("`{file}`"),
        false => format!("`{file}` names {word}"),
    }
}

fn tool<'t>(project: &'t toml::Table, path: &[&str]) -> Option<&'t toml::Value> {
    let mut value = project.get("tool")?;
    for key in path {
        value = value.get(key)?;
    }
    Some(value)
}

/// What stands before a Python command so that it runs in the project's environment. Lock files
/// come first: they are written by the tool that is in use. A workspace has its one at the root.
pub(super) fn runner(place: &Place<'_>, project: &toml::Table) -> String {
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
fn test_runner(place: &Place<'_>, project: &toml::Table) -> String {
    let has = |environment| tool(project, &["hatch", "envs", environment]).is_some();
    match runner(place, project) {
        run if run == "hatch run " && has("test") && !has("default") => format!("{run}test:"),
        run => run,
    }
}

/// Runners that are there beside pytest and unittest, or in their place.
fn other_runners(place: &Place<'_>, project: &toml::Table, run: &str, out: &mut Vec<Found>) {
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
fn tasks(project: &toml::Table, run: &str, out: &mut Vec<Found>) {
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

/// The file that speaks for pytest, and how clearly.
fn pytest(place: &Place<'_>, project: &toml::Table) -> Option<(String, Strength)> {
    let configured = |file: &str| Some((file.to_owned(), Strength::Configured));
    if tool(project, &["pytest"]).is_some() {
        return configured("pyproject.toml");
    }
    let own = [
        "pytest.ini",
        "pytest.toml",
        ".pytest.ini",
        "conftest.py",
        "tests/conftest.py",
        "test/conftest.py",
    ];
    if let Some(file) = place.first(&own) {
        return configured(file);
    }
    let sections = [("tox.ini", "[pytest]"), ("setup.cfg", "[tool:pytest]")];
    if let Some((file, _)) = sections
        .iter()
        .find(|(file, word)| place.mentions(file, word))
    {
        return configured(file);
    }
    if let Some(file) = mentioning(place, "pytest") {
        return Some((file.to_owned(), Strength::Default));
    }
    imports_pytest(place).map(|file| (file, Strength::Default))
}

/// The first file that lists what a project needs and names a runner.
fn mentioning(place: &Place<'_>, runner: &str) -> Option<&'static str> {
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

/// A test file that can only be run by pytest.
fn imports_pytest(place: &Place<'_>) -> Option<String> {
    test_files(place).into_iter().take(20).find(|file| {
        place.read(file).is_some_and(|text| {
            let imports = text
                .lines()
                .any(|line| line.starts_with("import pytest") || line.starts_with("from pytest"));
            let plain_functions = text.lines().any(|line| line.starts_with("def test_"));
            imports || (plain_functions && !text.contains("unittest"))
        })
    })
}

fn pytest_command(place: &Place<'_>, project: &toml::Table, run: &str) -> String {
    if tool(project, &["hatch", "envs", "hatch-test"]).is_some() {
        return "hatch test".to_owned();
    }
    if !run.is_empty() {
        return format!("{run}pytest");
    }
    let local = [".venv/bin/pytest", "venv/bin/pytest"];
    if let Some(program) = place.first(&local) {
        return program.to_owned();
    }
    match (place.has_program)("pytest") || !(place.has_program)("python3") {
        true => "pytest".to_owned(),
        false => "python3 -m pytest".to_owned(),
    }
}

fn interpreter(place: &Place<'_>, run: &str) -> &'static str {
    let local = [".venv/bin/python", "venv/bin/python"];
    match (run.is_empty(), place.first(&local)) {
        (true, Some(local)) => local,
        (true, None) if !(place.has_program)("python") => "python3",
        _ => "python",
    }
}

/// A test file for unittest, and the arguments that make unittest find it.
fn unittest(place: &Place<'_>) -> Option<(String, String)> {
    // Its own search knows only names that start with `test`.
    let starts = |file: &String| {
        file.rsplit('/')
            .next()
            .is_some_and(|n| n.starts_with("test"))
    };
    let file = test_files(place).into_iter().find(starts)?;
    // Only packages are searched from where it starts.
    let mut start = file.rsplit_once('/').map_or("", |(dir, _)| dir);
    while !start.is_empty() && place.exists(&format!("{start}/__init__.py")) {
        start = start.rsplit_once('/').map_or("", |(dir, _)| dir);
    }
    let arguments = match start {
        "" => String::new(),
        _ => format!(" discover -s {start}"),
    };
    Some((file, arguments))
}

/// Test files at the root, in the usual folders, and in the folders right in these.
fn test_files(place: &Place<'_>) -> Vec<String> {
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
