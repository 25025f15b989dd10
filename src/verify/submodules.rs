//! Fills the submodules of a fresh checkout from what this clone has: no network is asked, and
//! nothing is written outside the checkout.

use std::path::{Component, Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};

use crate::error::{Error, Result};
use crate::git::command::git;
use crate::git::repo::Repo;

const LIST: &str = ".gitmodules";

/// Where the repositories of submodules may be: the git directories that hold them, and the
/// checkout they are used in.
#[derive(Debug, Clone)]
pub(super) struct Home {
    pub(super) git_dirs: Vec<PathBuf>,
    pub(super) root: PathBuf,
}

impl Home {
    pub(super) fn of(repo: &Repo) -> Home {
        let mut git_dirs = vec![repo.git_dir().to_owned()];
        if repo.common_dir() != repo.git_dir() {
            git_dirs.push(repo.common_dir().to_owned());
        }
        Home {
            git_dirs,
            root: repo.root().to_owned(),
        }
    }
}

/// A submodule that a checkout asks for.
struct Wanted {
    name: String,
    path: PathBuf,
    commit: String,
}

/// Fills the submodules of a checkout, and theirs. Returns those that this clone does not have.
pub(super) fn fill(checkout: &Path, home: &Home) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for one in wanted(checkout)? {
        let named = format!("{} {}", one.path.display(), one.commit);
        let Some(store) = store_of(&one, home) else {
            missing.push(named);
            continue;
        };
        let dir = checkout.join(&one.path);
        check_out(&dir, &store, &one.commit)?;
        let inner = Home {
            git_dirs: vec![store],
            root: home.root.join(&one.path),
        };
        missing.extend(fill(&dir, &inner)?);
    }
    Ok(missing)
}

/// Whether submodules of a checkout are left empty.
pub(super) fn is_any_empty(checkout: &Path) -> Result<bool> {
    for one in wanted(checkout)? {
        let dir = checkout.join(&one.path);
        let is_empty = std::fs::read_dir(&dir).map_or(true, |mut items| items.next().is_none());
        if is_empty || is_any_empty(&dir)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The submodules that the checked-out commit has, as its list names them.
fn wanted(checkout: &Path) -> Result<Vec<Wanted>> {
    if !checkout.join(LIST).is_file() {
        return Ok(Vec::new());
    }
    let pattern = r"^submodule\..*\.(path|update)$";
    let args = ["config", "-z", "-f", LIST, "--get-regexp", pattern];
    // A list without any submodule is no failure.
    let listed = git(checkout, &args, b"").unwrap_or_default();
    let listed = listed.to_str_lossy();
    let entries = || {
        listed
            .split('\0')
            .filter_map(|entry| entry.split_once('\n'))
    };
    let mut found = Vec::new();
    for (key, path) in entries() {
        let Some(name) = named(key, ".path") else {
            continue;
        };
        // Some are there for whoever asks for them, and no part of a checkout.
        let is_left_out =
            entries().any(|(key, how)| named(key, ".update") == Some(name) && how == "none");
        if !is_left_out && let Some(commit) = commit_at(checkout, path)? {
            found.push(Wanted {
                name: name.to_owned(),
                path: PathBuf::from(path),
                commit,
            });
        }
    }
    Ok(found)
}

/// The submodule that a key of the list is about.
fn named<'a>(key: &'a str, end: &str) -> Option<&'a str> {
    key.strip_prefix("submodule.")?.strip_suffix(end)
}

/// The commit that the checked-out tree has at a path, if it is a submodule there.
fn commit_at(checkout: &Path, path: &str) -> Result<Option<String>> {
    if !is_inside(Path::new(path)) {
        return Ok(None);
    }
    let listed = git(checkout, &["ls-tree", "-z", "HEAD", "--", path], b"")?;
    let entry: &BStr = listed
        .split(|byte| *byte == 0)
        .next()
        .unwrap_or_default()
        .into();
    let commit = entry
        .strip_prefix(b"160000 commit ")
        .and_then(|rest| rest.split(|byte| *byte == b'\t').next());
    Ok(commit.map(|commit| commit.to_str_lossy().into_owned()))
}

/// Names and paths come from a history that nobody trusts yet.
fn is_inside(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// The repository that has the commit.
fn store_of(one: &Wanted, home: &Home) -> Option<PathBuf> {
    let by_name = home
        .git_dirs
        .iter()
        .map(|dir| dir.join("modules").join(&one.name));
    let by_name = by_name.filter(|_| is_inside(Path::new(&one.name)));
    let in_place = git_dir_of(&home.root.join(&one.path));
    by_name.chain(in_place).find(|store| {
        let at = format!("--git-dir={}", store.display());
        let commit = format!("{}^{{commit}}", one.commit);
        store.is_dir() && git(&home.root, &[&at, "cat-file", "-e", &commit], b"").is_ok()
    })
}

/// The git directory of a checkout, be it a folder in it or named by a file.
fn git_dir_of(checkout: &Path) -> Option<PathBuf> {
    let here = checkout.join(".git");
    if here.is_dir() {
        return Some(here);
    }
    let link = std::fs::read_to_string(here).ok()?;
    Some(checkout.join(link.trim().strip_prefix("gitdir: ")?))
}

/// A repository of its own that borrows its objects.
pub(super) fn check_out(dir: &Path, store: &Path, commit: &str) -> Result<()> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::io("write", &path, source)
    };
    std::fs::create_dir_all(dir).map_err(io(dir))?;
    let at = format!("--git-dir={}", store.display());
    let format = git(dir, &[&at, "rev-parse", "--show-object-format"], b"")?;
    let format = format!("--object-format={}", format.to_str_lossy().trim());
    git(dir, &["init", "-q", "--template=", &format, "."], b"")?;
    let store = store.canonicalize().map_err(io(store))?;
    let alternates = dir.join(".git/objects/info/alternates");
    if let Some(folder) = alternates.parent() {
        std::fs::create_dir_all(folder).map_err(io(folder))?;
    }
    let line = format!("{}\n", store.join("objects").display());
    std::fs::write(&alternates, line).map_err(io(&alternates))?;
    git(dir, &["checkout", "-q", "--detach", commit], b"").map(drop)
}
