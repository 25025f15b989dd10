//! A builder for repositories, hermetic: no global config, fixed identity and dates, no inherited
//! `GIT_*`.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) mod agent;
pub(crate) mod dice;
pub(crate) mod example;
pub(crate) mod long_history;
pub(crate) mod mcp_session;
pub(crate) mod mounted;
pub(crate) mod programs;
pub(crate) mod world;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_git-tcr");

/// A test runner in `sh` that prints TAP: every `tests/*.t` is a test that passes if it exits 0.
/// `src/*.sh` is loaded first; a file that can't be loaded breaks the run.
/// What `during_tests` asked for comes before all of it.
pub const RUNNER: &str = r#"#!/bin/sh
if [ -e "$HOME/during" ]; then . "$HOME/during"; fi
for f in src/*.sh; do
  [ -e "$f" ] || continue
  sh -n "$f" || { echo "Bail out! $f does not load"; exit 2; }
done
n=0; failed=0
for t in tests/*.t; do
  [ -e "$t" ] || continue
  n=$((n+1))
  if (for f in src/*.sh; do [ -e "$f" ] && . "./$f"; done; . "./$t"); then
    echo "ok $n - $t"
  else
    echo "not ok $n - $t"; failed=1
  fi
done
echo "1..$n"
exit $failed
"#;

/// A repository in a temporary folder.
pub struct Repo {
    dir: TempDir,
    root: PathBuf,
}

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A config without patience, unless it says otherwise: what is wrong is taken back at once.
pub fn strict(toml: &str) -> String {
    match toml.contains("patience") {
        true => toml.to_owned(),
        false => format!("patience = 0\n{toml}"),
    }
}

impl Repo {
    /// An empty repository on branch `main` with one commit that holds the runner.
    pub fn new() -> Repo {
        let repo = Repo::bare_start();
        repo.write("run-tests", RUNNER);
        repo.make_executable("run-tests");
        repo.write(".tcr.toml", &strict("test = \"./run-tests\"\n"));
        repo.write("tests/first.t", "true\n");
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "start"]);
        repo
    }

    /// A repository without any commit.
    pub fn bare_start() -> Repo {
        Repo::init(&[])
    }

    /// A repository without any commit, made with more options for `git init`.
    pub fn init(options: &[&str]) -> Repo {
        let dir = TempDir::new().expect("a temporary folder");
        let root = dir.path().canonicalize().expect("it exists").join("repo");
        std::fs::create_dir(&root).expect("a new folder");
        std::fs::create_dir(dir.path().join("home")).expect("a new folder");
        let repo = Repo { dir, root };
        let mut args = vec!["init", "-q", "-b", "main"];
        args.extend(options);
        repo.git(&args);
        repo
    }

    /// The repository that a script makes in `DIR/repo`, with a home in `DIR/home`.
    pub fn from_script(script: &str) -> Repo {
        let dir = TempDir::new().expect("a temporary folder");
        let root = dir.path().canonicalize().expect("it exists").join("repo");
        let made = Command::new("bash")
            .arg(script)
            .arg(root.with_file_name(""))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("bash runs");
        assert!(made.status.success(), "{made:?}");
        Repo { dir, root }
    }

    /// Adds a file to the worktree.
    pub fn with(self, path: &str, content: &str) -> Repo {
        self.write(path, content);
        self
    }

    /// Commits everything in the worktree.
    pub fn committed(self) -> Repo {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "more"]);
        self
    }

    /// Sets the config and commits it.
    pub fn configured(self, toml: &str) -> Repo {
        self.write(".tcr.toml", &strict(toml));
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "config"]);
        self
    }

    /// Runs `git tcr install --yes`.
    pub fn installed(self) -> Repo {
        self.tcr(&["install", "--yes"]).success();
        self
    }

    /// A repository in phase `green`: one failing test is committed as red.
    pub fn in_green() -> Repo {
        let repo = Repo::new().installed();
        repo.write("tests/add.t", example::ASKS);
        let outcome = repo.run_json();
        assert_eq!(outcome["next_phase"], "green", "{outcome}");
        repo
    }

    /// Makes a bare repository beside this one, known as `origin`.
    pub fn with_remote(self) -> Repo {
        let remote = self.remote();
        let remote = remote.to_str().expect("text");
        self.git(&["init", "-q", "--bare", "-b", "main", remote]);
        self.git(&["remote", "add", "origin", remote]);
        self
    }

    /// Where `with_remote` makes the bare repository.
    pub fn remote(&self) -> PathBuf {
        self.around().join("remote.git")
    }

    /// A clone of the remote beside this repository, with a branch checked out.
    pub fn clone_of_remote(&self, branch: &str, name: &str) -> PathBuf {
        let (remote, clone) = (self.remote(), self.around().join(name));
        let text = |path: &Path| path.to_str().expect("text").to_owned();
        self.git(&["clone", "-q", "-b", branch, &text(&remote), &text(&clone)]);
        clone
    }

    /// Adds a clone of another repository as a submodule.
    pub fn add_submodule(&self, of: &Repo, path: &str) {
        let allowed = "protocol.file.allow=always";
        let from = of.root.to_str().expect("text");
        self.git(&["-c", allowed, "submodule", "add", "-q", from, path]);
    }

    /// A linked worktree beside this one, made with more options for `git worktree add`.
    pub fn linked_worktree(&self, name: &str, options: &[&str], of: &str) -> PathBuf {
        let place = self.around().join(name);
        let mut args = vec!["worktree", "add", "-q"];
        args.extend(options);
        args.extend([place.to_str().expect("text"), of]);
        self.git(&args);
        place
    }

    /// A copy with everything in it, git directory included.
    pub fn copy(&self) -> Repo {
        self.copied(TempDir::new().expect("a temporary folder"))
    }

    /// The same, in a folder.
    pub fn copy_into(&self, folder: &Path) -> Repo {
        self.copied(TempDir::new_in(folder).expect("a temporary folder"))
    }

    fn copied(&self, dir: TempDir) -> Repo {
        for name in ["repo", "home"] {
            copy_folder(&self.dir.path().join(name), &dir.path().join(name));
        }
        let root = dir.path().canonicalize().expect("it exists").join("repo");
        Repo { dir, root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that holds the repository and the home.
    pub fn around(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("it exists")
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("folders");
        }
        std::fs::write(path, content).expect("a file");
    }

    pub fn make_executable(&self, path: &str) {
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.root.join(path), mode).expect("a file's mode");
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.root.join(path)).expect("a file to remove");
    }

    pub fn exists(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).expect("a readable file")
    }

    /// A command with the hermetic environment.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env_clear();
        for name in ["TMPDIR", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("PATH", path_with_program());
        command
            .env("HOME", self.dir.path().join("home"))
            // A file of its own that is not there: git replaces what it is told to write to, and
            // `/dev/null` is not ours to replace.
            .env("GIT_CONFIG_GLOBAL", self.dir.path().join("home/gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            // Whoever works on this program may well be an agent.
            .env("GIT_TCR_TRUST_ENVIRONMENT", "1")
            .env("GIT_AUTHOR_NAME", "Ada")
            .env("GIT_AUTHOR_EMAIL", "ada@example.com")
            .env("GIT_COMMITTER_NAME", "Ada")
            .env("GIT_COMMITTER_EMAIL", "ada@example.com");
        command
    }

    /// Runs git, which has to succeed, and returns what it printed.
    pub fn git(&self, args: &[&str]) -> String {
        let ran = self.try_git(args);
        assert_eq!(ran.status, 0, "git {args:?}: {}{}", ran.stdout, ran.stderr);
        ran.stdout.trim_end().to_owned()
    }

    /// Runs git past all hooks, as somebody does who means harm, and returns what it printed.
    pub fn git_past_hooks(&self, args: &[&str]) -> String {
        self.git(&[&["-c", "core.hooksPath=/dev/null"], args].concat())
    }

    /// Puts a ref where another version of the program left it, which keeps its own account of refs.
    pub fn put_ref(&self, name: &str, target: &str) {
        self.git_past_hooks(&["update-ref", name, target]);
        self.forget_tips();
    }

    /// Nothing is known any more of where the program left its refs.
    pub fn forget_tips(&self) {
        drop(std::fs::remove_file(self.path(".git/tcr/tips")));
    }

    /// Runs git.
    pub fn try_git(&self, args: &[&str]) -> Ran {
        Ran::from(self.command("git").args(args).output().expect("git runs"))
    }

    /// Runs the program under test.
    pub fn tcr(&self, args: &[&str]) -> Ran {
        Ran::from(
            self.command(PROGRAM)
                .args(args)
                .output()
                .expect("the program runs"),
        )
    }

    /// Runs the program under test in a folder, with more variables.
    pub fn tcr_in(&self, dir: &Path, args: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = self.command(PROGRAM);
        command
            .current_dir(dir)
            .args(args)
            .envs(variables.iter().copied());
        Ran::from(command.output().expect("the program runs"))
    }

    /// `git tcr run --json`, whatever its exit status.
    pub fn run_json(&self) -> Value {
        self.tcr(&["run", "--json"]).json()
    }

    /// `git tcr status --json`
    pub fn status(&self) -> Value {
        self.tcr(&["status", "--json"]).success().json()
    }

    /// The content of a file in a commit or tree.
    pub fn show(&self, object: &str) -> String {
        self.git(&["show", object])
    }

    /// The branch that HEAD is on.
    pub fn branch(&self) -> String {
        self.git(&["symbolic-ref", "--short", "HEAD"])
    }

    /// Fails the test if a lock, a plan or a file set aside is left in the git directory.
    pub fn assert_tidy(&self, what: &str) {
        let mut left = Vec::new();
        let mut folders = vec![self.path(".git")];
        while let Some(folder) = folders.pop() {
            for item in std::fs::read_dir(folder).expect("a folder").flatten() {
                let path = item.path();
                let is_under = |name: &str| path.components().any(|part| part.as_os_str() == name);
                if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "lock")
                    || ["lock", "refs-lock", "aside", "pending"]
                        .into_iter()
                        .any(is_under)
                {
                    left.push(path);
                }
            }
        }
        assert!(left.is_empty(), "{what}: {left:?}");
    }

    /// `git status --porcelain`
    pub fn porcelain(&self) -> String {
        self.git(&["status", "--porcelain"])
    }
}

/// PATH, with the program under test before any other of its name.
fn path_with_program() -> std::ffi::OsString {
    let before = std::env::var_os("PATH").unwrap_or_default();
    let own = Path::new(PROGRAM).parent().map(Path::to_owned);
    let folders = own.into_iter().chain(std::env::split_paths(&before));
    std::env::join_paths(folders).expect("folders without a colon")
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a new folder");
    for item in std::fs::read_dir(from)
        .expect("a folder")
        .map(|item| item.expect("an item"))
    {
        let (path, kind) = (item.path(), item.file_type().expect("its kind"));
        let target = to.join(item.file_name());
        if kind.is_dir() {
            copy_folder(&path, &target);
        } else if kind.is_symlink() {
            let link = std::fs::read_link(&path).expect("a link");
            std::os::unix::fs::symlink(link, target).expect("a link");
        } else {
            std::fs::copy(&path, target).expect("a file");
        }
    }
}

impl Ran {
    /// Fails the test unless the command succeeded.
    pub fn success(self) -> Ran {
        self.exits(0)
    }

    /// Fails the test unless the command ended with this status.
    pub fn exits(self, status: i32) -> Ran {
        assert_eq!(
            self.status, status,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
