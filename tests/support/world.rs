//! Looking at a repository as a whole: everything that must stay the same, and everything that must
//! stay reachable.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use super::{PROGRAM, Ran, Repo};

/// A config for mode `tcr`.
pub(crate) const MODE_TCR: &str = "test = \"./run-tests\"\nmode = \"tcr\"\n";

/// Refs, index and worktree at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) head: String,
    pub(crate) refs: String,
    pub(crate) index: String,
    pub(crate) worktree: BTreeMap<Vec<u8>, (u32, Vec<u8>)>,
}

impl Repo {
    /// A repository in mode `tcr`, installed.
    pub(crate) fn in_mode_tcr() -> Repo {
        Repo::new().configured(MODE_TCR).installed()
    }

    /// Refs, index and worktree now.
    pub(crate) fn world(&self) -> World {
        World {
            head: std::fs::read_to_string(self.root().join(".git/HEAD")).unwrap_or_default(),
            refs: self.git(&["for-each-ref"]),
            index: self.git(&["ls-files", "--stage", "-v", "-z"]),
            worktree: self.files(),
        }
    }

    /// Every file and link of the worktree, with its mode and content.
    pub(crate) fn files(&self) -> BTreeMap<Vec<u8>, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        collect(self.root(), self.root(), &mut found);
        found
    }

    /// Runs the program and makes sure that it changed nothing.
    pub(crate) fn changes_nothing(&self, args: &[&str]) -> Ran {
        let before = self.world();
        let ran = self.tcr(args);
        assert_eq!(
            self.world(),
            before,
            "{args:?} changed something\n{}{}",
            ran.stdout,
            ran.stderr
        );
        ran
    }

    /// Lets every test run begin with a piece of shell.
    pub(crate) fn during_tests(&self, shell: &str) {
        std::fs::write(self.around().join("home/during"), shell).expect("a file");
    }

    /// Lets the next test run begin with a piece of shell.
    pub(crate) fn during_next_test(&self, shell: &str) {
        self.during_tests(&format!("rm \"$HOME/during\"\n{shell}\n"));
    }

    /// Writes a file whose path need not be text.
    pub(crate) fn write_raw(&self, path: &[u8], content: &[u8]) {
        let path = self.root().join(OsStr::from_bytes(path));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("folders");
        }
        std::fs::write(path, content).expect("a file");
    }

    /// Makes a symbolic link.
    pub(crate) fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.root().join(path)).expect("a link");
    }

    /// Runs git, which has to succeed, with some input, and returns what it printed.
    pub(crate) fn git_reading(&self, args: &[&str], input: &str) -> String {
        let mut command = self.command("git");
        command.args(args);
        let ran = feed(command, input.as_bytes()).success();
        ran.stdout.trim_end().to_owned()
    }

    /// A tree in which there is one file of this content.
    pub(crate) fn tree_with(&self, name: &str, content: &str) -> String {
        let blob = self.git_reading(&["hash-object", "-w", "--stdin"], content);
        self.git_reading(&["mktree"], &format!("100644 blob {blob}\t{name}\n"))
    }

    /// Whether some ref leads to a blob of this content.
    pub(crate) fn reaches(&self, content: &str) -> bool {
        let id = self.git_reading(&["hash-object", "--no-filters", "--stdin"], content);
        self.git(&["rev-list", "--objects", "--all"])
            .lines()
            .any(|line| line.starts_with(&id))
    }

    /// The tree git itself would make of the worktree.
    pub(crate) fn tree_by_git(&self) -> String {
        let copy = self.around().join("index-copy");
        // With its time: git looks again at entries that are as young as the index.
        let copied = self
            .command("cp")
            .arg("-p")
            .arg(self.root().join(".git/index"))
            .arg(&copy)
            .status();
        assert!(copied.expect("cp runs").success());
        let git = |args: &[&str]| {
            let mut command = self.command("git");
            command.env("GIT_INDEX_FILE", &copy).args(args);
            Ran::from(command.output().expect("git runs"))
                .success()
                .stdout
        };
        git(&["add", "-A"]);
        git(&["write-tree"]).trim().to_owned()
    }

    /// The tree of a commit.
    pub(crate) fn tree(&self, commit: &str) -> String {
        self.git(&["rev-parse", &format!("{commit}^{{tree}}")])
    }

    /// The commit that a branch or HEAD is at.
    pub(crate) fn commit(&self, name: &str) -> String {
        self.git(&["rev-parse", name])
    }

    /// Runs the program as somebody for whom permissions count, also when the tests run as root.
    /// `None` where that can't be arranged.
    pub(crate) fn tcr_unprivileged(&self, args: &[&str]) -> Option<Ran> {
        if std::fs::metadata("/proc/self").expect("a process").uid() != 0 {
            return Some(self.tcr(args));
        }
        let around = self.around();
        std::fs::set_permissions(&around, std::fs::Permissions::from_mode(0o755)).ok()?;
        let owned = self
            .command("chown")
            .args(["-R", "65534:65534"])
            .arg(&around)
            .status();
        owned.ok().filter(std::process::ExitStatus::success)?;
        // The program itself may lie where only root may look.
        let program = around.join("git-tcr");
        // By another process: a file this one has open for writing could not be started.
        let copied = self.command("cp").arg(PROGRAM).arg(&program).status();
        copied.ok().filter(std::process::ExitStatus::success)?;
        let mut command = self.command("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(program)
            .args(args);
        command.output().ok().map(Ran::from)
    }
}

/// Runs a command with some input.
pub(crate) fn feed(mut command: std::process::Command, input: &[u8]) -> Ran {
    use std::io::Write;
    use std::process::Stdio;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input)
        .expect("it reads");
    Ran::from(child.wait_with_output().expect("it ends"))
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<Vec<u8>, (u32, Vec<u8>)>) {
    for item in std::fs::read_dir(folder).expect("a folder") {
        let path = item.expect("an item").path();
        let metadata = path.symlink_metadata().expect("it exists");
        if path == root.join(".git") {
            continue;
        }
        if metadata.is_dir() {
            collect(root, &path, found);
            continue;
        }
        let content = if metadata.is_symlink() {
            std::fs::read_link(&path)
                .expect("a link")
                .into_os_string()
                .into_encoded_bytes()
        } else {
            std::fs::read(&path).unwrap_or_default()
        };
        let name = path
            .strip_prefix(root)
            .expect("below the root")
            .as_os_str()
            .as_bytes()
            .to_vec();
        found.insert(name, (metadata.permissions().mode(), content));
    }
}
