//! A worktree, its lab, and what can be seen of both.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use git_tcr::lab::{Form, Kind, Lab, Options, Room, Wanted, WantedFile};

pub struct World {
    pub dir: tempfile::TempDir,
    pub tree: PathBuf,
}

/// What can be told of every file without opening it, and a hash of its content.
pub type Prints = BTreeMap<PathBuf, String>;

pub struct Ended {
    pub code: i32,
    pub output: String,
}

impl World {
    pub fn new() -> World {
        World::named("tree")
    }

    /// A worktree with this name.
    pub fn named(name: &str) -> World {
        let dir = tempfile::tempdir().expect("a folder");
        let tree = dir.path().canonicalize().expect("a path").join(name);
        fs::create_dir_all(&tree).expect("to work");
        World { dir, tree }
    }

    pub fn with(self, path: &str, content: &str) -> World {
        let full = self.tree.join(path);
        fs::create_dir_all(full.parent().expect("a parent")).expect("to work");
        fs::write(full, content).expect("to work");
        self
    }

    pub fn with_git(self) -> World {
        git(&self.tree, &["init", "-q", "-b", "main"]);
        git(&self.tree, &["add", "-A"]);
        git(&self.tree, &["commit", "-qm", "begin"]);
        self
    }

    pub fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    pub fn options(&self, form: Form) -> Options {
        let mut options = Options::new(program(), self.cache());
        options.form = Some(form);
        options
    }

    /// The lab in one form; nothing where this system does not allow it, which is said.
    pub fn lab(&self, form: Form) -> Option<Lab> {
        match Lab::open(&self.tree, &self.options(form)) {
            Ok(lab) => Some(lab),
            Err(reason) if form == Form::Overlay && forbidden_here() => {
                eprintln!("SKIPPED: no namespaces here: {reason}");
                None
            }
            Err(reason) => panic!("no lab: {reason}"),
        }
    }

    /// Everything about every file, git's own included.
    pub fn prints(&self) -> Prints {
        prints(&self.tree)
    }
}

/// Names a copy of the program for tests that are run as another user.
pub const PROGRAM: &str = "GIT_TCR_TEST_PROGRAM";

pub fn program() -> PathBuf {
    let given = std::env::var_os(PROGRAM).map(PathBuf::from);
    given.unwrap_or_else(|| env!("CARGO_BIN_EXE_git-tcr").into())
}

/// Asked of the system itself, so that a fault of ours is not taken for its rule.
fn forbidden_here() -> bool {
    let status = Command::new("unshare").args(["-Umr", "true"]).status();
    !status.is_ok_and(|status| status.success())
}

pub fn prints(root: &Path) -> Prints {
    let mut found = BTreeMap::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(path) = left.pop() {
        let about = fs::symlink_metadata(&path).expect("to work");
        let mut content = Vec::new();
        if about.is_dir() {
            left.extend(
                fs::read_dir(&path)
                    .expect("to work")
                    .map(|entry| entry.expect("an entry").path()),
            );
        } else if about.is_file() {
            content = fs::read(&path).expect("to work");
        }
        let mut hash = DefaultHasher::new();
        content.hash(&mut hash);
        let (mode, links) = (about.mode(), about.nlink());
        let modified = (about.mtime(), about.mtime_nsec());
        let changed = (about.ctime(), about.ctime_nsec());
        let print = format!(
            "{} {mode:o} {links} {modified:?} {changed:?} {:x}",
            about.ino(),
            hash.finish()
        );
        found.insert(path, print);
    }
    found
}

/// Fails with the files that are not as they were.
pub fn assert_unchanged(before: &Prints, after: &Prints) {
    let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let changed: Vec<&PathBuf> = before.keys().chain(after.keys()).filter(differs).collect();
    assert!(changed.is_empty(), "changed: {changed:?}");
}

pub fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("to work");
    assert!(output.status.success(), "git {args:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

pub fn wanted(write: &[(&str, &str)], remove: &[&str]) -> Wanted {
    let file = |(path, content): &(&str, &str)| WantedFile {
        path: path.into(),
        content: content.as_bytes().to_vec(),
        kind: Kind::File,
    };
    Wanted {
        write: write.iter().map(file).collect(),
        remove: remove.iter().map(PathBuf::from).collect(),
    }
}

/// The command that runs a shell script in a room.
pub fn command(room: &Room, script: &str) -> Command {
    let mut words: Vec<OsString> = room.prefix().to_vec();
    words.extend(["/bin/sh", "-c", script].map(OsString::from));
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(room.dir());
    command
        .env_clear()
        .envs(room.environment(std::env::vars_os().collect()));
    command
}

/// Runs a shell script in a room.
pub fn run(room: &Room, script: &str) -> Ended {
    let output: Output = command(room, script).output().expect("to work");
    let printed = [output.stdout, output.stderr].concat();
    let code = output.status.code();
    Ended {
        code: code.unwrap_or_else(|| -output.status.signal().expect("a signal")),
        output: String::from_utf8_lossy(&printed).into_owned(),
    }
}
