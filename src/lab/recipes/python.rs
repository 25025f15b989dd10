//! Python: virtual environments are linked, and `PYTHONPATH` leads to the checkout's counterpart of
//! every place in the worktree that the interpreter imports from. It comes before what editable
//! installations add, in all their forms, and in sub-processes too.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::super::checkout::Roots;
use super::node::stamp;
use super::{Claim, Environment, NONE, Recipe, set, value};

pub(super) const RECIPE: Recipe = Recipe {
    claim: |roots, folder| is_venv(&roots.worktree.join(folder)).then_some(Claim::Linked),
    environment,
    shared,
    ..NONE
};

/// Prints where an interpreter imports from inside a folder, its own libraries aside.
const ASK: &str = include_str!("python_roots.py");

/// Whether a folder is a virtual environment.
pub(in super::super) fn is_venv(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

fn environment(roots: Roots<'_>, environment: &mut Environment) {
    if !uses_python(roots.worktree) {
        return;
    }
    use_poetry(roots, environment);
    // Otherwise it would install the checkout into the environment that is shared.
    set(environment, "UV_NO_SYNC", "1");
    // Compiled files of shared packages are not for us to write.
    let compiled = roots.checkout.with_file_name(".tcr-pycache");
    set(environment, "PYTHONPYCACHEPREFIX", compiled);
    let mut places: Vec<PathBuf> = Vec::new();
    for interpreter in interpreters(roots, environment) {
        for place in ask(&interpreter, roots.worktree, environment) {
            let own = roots.checkout.join(place);
            if own.is_dir() && !places.contains(&own) {
                places.push(own);
            }
        }
    }
    if let Some(given) = value(environment, "PYTHONPATH") {
        places.extend(std::env::split_paths(given));
    }
    // A path with a colon in it can't be told; the trial shows what comes of it.
    if let (false, Ok(joined)) = (places.is_empty(), std::env::join_paths(&places)) {
        set(environment, "PYTHONPATH", joined);
    }
}

fn uses_python(worktree: &Path) -> bool {
    let named = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        name.ends_with(b".py")
            || matches!(
                name,
                b"pyproject.toml" | b"setup.cfg" | b"Pipfile" | b"tox.ini"
            )
            || name.starts_with(b"requirements")
    };
    let entries = fs::read_dir(worktree).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name())
        .any(|name| named(&name))
        || !venvs(worktree).is_empty()
}

/// Virtual environments at the root and one below.
fn venvs(worktree: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(worktree).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| is_venv(path))
        .collect();
    found.sort_unstable();
    found
}

/// Every interpreter that the test command may mean.
fn interpreters(roots: Roots<'_>, environment: &Environment) -> Vec<PathBuf> {
    let named = ["VIRTUAL_ENV", "CONDA_PREFIX"];
    let named = named
        .iter()
        .filter_map(|name| value(environment, name).map(PathBuf::from));
    let mut found: Vec<PathBuf> = named
        .chain(venvs(roots.worktree))
        .map(|venv| venv.join("bin/python"))
        .filter(|python| python.exists())
        .collect();
    found.extend(
        ["python3", "python"]
            .iter()
            .find_map(|name| on_path(environment, name)),
    );
    found.dedup();
    found
}

fn on_path(environment: &Environment, name: &str) -> Option<PathBuf> {
    let folders = value(environment, "PATH")?;
    std::env::split_paths(folders)
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}

/// Where an interpreter imports from, relative to the worktree.
fn ask(interpreter: &Path, worktree: &Path, environment: &Environment) -> Vec<PathBuf> {
    let output = Command::new(interpreter)
        .args(["-c", ASK])
        .arg(worktree)
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .env_remove("PYTHONPATH")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir("/")
        .stdin(Stdio::null())
        .output();
    // One that does not run imports nothing.
    let printed = output.map(|output| output.stdout).unwrap_or_default();
    serde_json::from_slice::<Vec<String>>(&printed)
        .unwrap_or_default()
        .into_iter()
        .map(PathBuf::from)
        .filter(|place| place.is_relative())
        .collect()
}

/// Poetry keys its environments by the project's path: in the checkout it would make an empty one.
fn use_poetry(roots: Roots<'_>, environment: &mut Environment) {
    let project = fs::read_to_string(roots.worktree.join("pyproject.toml")).unwrap_or_default();
    if !project.contains("poetry") || value(environment, "VIRTUAL_ENV").is_some() {
        return;
    }
    let Some(poetry) = on_path(environment, "poetry") else {
        return;
    };
    let output = Command::new(poetry)
        .args(["env", "info", "--path"])
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(roots.worktree)
        .stdin(Stdio::null())
        .output();
    let printed = output.map(|output| output.stdout).unwrap_or_default();
    let venv = String::from_utf8_lossy(&printed).trim().to_owned();
    if is_venv(Path::new(&venv)) {
        set(environment, "VIRTUAL_ENV", OsString::from(venv));
    }
}

/// What is installed in the environments that are linked, and how.
fn shared(roots: Roots<'_>) -> String {
    let mut lines = Vec::new();
    for site in venvs(roots.worktree)
        .iter()
        .flat_map(|venv| site_packages(venv))
    {
        for entry in fs::read_dir(&site).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let editable = entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(b"__editable__");
            if editable || ["pth", "egg-link", "dist-info"].contains(&ending) {
                lines.push(format!("{} {}", path.display(), stamp(&path)));
            }
        }
    }
    lines.sort_unstable();
    lines.join("\n")
}

fn site_packages(venv: &Path) -> Vec<PathBuf> {
    let versions = fs::read_dir(venv.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    versions
        .map(|entry| entry.path().join("site-packages"))
        .collect()
}
