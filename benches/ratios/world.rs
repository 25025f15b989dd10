//! Generated repositories: one under git tcr, and its twin for plain git.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::measure::Cost;
use crate::support::{PROGRAM, Repo};

const FILES_PER_FOLDER: usize = 20;
const FOLDERS_PER_FOLDER: usize = 10;

/// Two repositories with the same content.
pub(crate) struct World {
    pub(crate) ours: Checkout,
    pub(crate) plain: Checkout,
}

/// A repository and how many files it began with.
pub(crate) struct Checkout {
    repo: Repo,
    files: usize,
}

impl World {
    /// Repositories of `files` files, packed, with `refs` packed refs; the first is under git tcr.
    pub(crate) fn generate(files: usize, refs: usize) -> World {
        let world = World {
            ours: Checkout::generate(files, refs),
            plain: Checkout::generate(files, refs),
        };
        world.ours.install();
        world
    }

    /// The one under git tcr, with this many events behind it.
    pub(crate) fn generate_aged(files: usize, refs: usize, events: usize) -> Checkout {
        const EVENTS_A_CYCLE: u64 = 2;
        let mut checkout = Checkout::generate(files, refs);
        checkout.install();
        checkout.repo = checkout
            .repo
            .with_long_history(events as u64 / EVENTS_A_CYCLE);
        checkout
    }

    /// Only the one under git tcr.
    pub(crate) fn generate_ours(files: usize) -> Checkout {
        let checkout = Checkout::generate(files, 0);
        checkout.install();
        checkout
    }
}

impl Checkout {
    fn generate(files: usize, refs: usize) -> Checkout {
        let repo = Repo::bare_start();
        let mut import = repo
            .command("git")
            .args(["fast-import", "--quiet", "--date-format=now"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("git runs");
        let mut stream = std::io::BufWriter::new(import.stdin.take().expect("it is piped"));
        let committer = "committer Ada <ada@example.com> now";
        write!(
            stream,
            "commit refs/heads/main\n{committer}\ndata 5\nstart\n"
        )
        .expect("git reads");
        for number in 0..files {
            let content = source(number, 0);
            let length = content.len();
            write!(
                stream,
                "M 644 inline {}\ndata {length}\n{content}\n",
                path(number)
            )
            .expect("git reads");
        }
        for number in 0..refs {
            write!(
                stream,
                "reset refs/tags/release-{number}\nfrom refs/heads/main\n\n"
            )
            .expect("git reads");
        }
        stream.flush().expect("git reads");
        drop(stream);
        assert!(import.wait().expect("git ran").success());
        repo.git(&["pack-refs", "--all"]);
        repo.git(&["reset", "-q", "--hard"]);
        // File times of the very second in which the index is written tell git nothing: then it
        // reads all files every time.
        std::thread::sleep(Duration::from_millis(1_100));
        repo.git(&["update-index", "-q", "--refresh", "--force-write-index"]);
        Checkout { repo, files }
    }

    /// The config is ignored, so that another test command changes nothing else.
    fn install(&self) {
        std::fs::write(self.repo.path(".git/info/exclude"), "/.tcr.toml\n").expect("a file");
        self.seal_test_command("true");
    }

    /// Puts in the hooks of a client, which git does not see.
    pub(crate) fn install_for(&self, client: &str) {
        self.repo
            .tcr(&["install", "--yes", "--client", client])
            .success();
    }

    /// Accepts a config with this test command.
    pub(crate) fn seal_test_command(&self, command: &str) {
        self.seal(&format!("mode = \"tcr\"\ntest = \"{command}\"\n"));
    }

    /// Accepts a config.
    pub(crate) fn seal(&self, config: &str) {
        self.repo.write(".tcr.toml", config);
        self.repo.tcr(&["install", "--yes"]).success();
    }

    /// What a client sends about a tool call, in a file.
    pub(crate) fn payload_file(
        &self,
        event: &str,
        tool: &str,
        input: &serde_json::Value,
    ) -> PathBuf {
        let payload = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": self.repo.root(),
            "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        });
        let file = self.repo.around().join(format!("{event}-{tool}.json"));
        std::fs::write(&file, payload.to_string()).expect("a file");
        file
    }

    /// What `gate` or `loop` takes, with a message of a client.
    pub(crate) fn hook(&self, command: &str, payload: &Path) -> Cost {
        let mut program = self.repo.command(PROGRAM);
        program.args([command, "--client", "claude-code"]);
        fed(&mut program, payload)
    }

    /// The same through a line as `install` puts it into a client's settings.
    pub(crate) fn installed_hook(&self, line: &str, payload: &Path) -> Cost {
        let mut shell = self.repo.command("sh");
        fed(shell.args(["-c", line]), payload).without_cpu()
    }

    /// Changes two files and adds one, each time others.
    pub(crate) fn change(&self, round: usize) {
        let salt = round.wrapping_add(1);
        for step in [7, 13] {
            let number = salt.wrapping_mul(step * 101) % self.files;
            self.repo.write(&path(number), &source(number, salt));
        }
        let beside = path(salt.wrapping_mul(31) % self.files);
        let folder = beside.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.repo.write(
            &format!("{folder}/new_{salt}_{}.py", now_ns()),
            &source(0, salt),
        );
    }

    /// A file that git does not see.
    pub(crate) fn ignored(&self, path: &str, content: &str) {
        let list = self.repo.path(".git/info/exclude");
        let listed = std::fs::read_to_string(&list).expect("a list");
        std::fs::write(list, format!("{listed}/{path}\n")).expect("a file");
        self.repo.write(path, content);
    }

    /// A program at the top that git does not see.
    pub(crate) fn add_program(&self, name: &str, script: &str) {
        self.ignored(name, script);
        self.repo.make_executable(name);
    }

    /// Gives the first file one of several contents.
    pub(crate) fn set_first_file(&self, salt: usize) {
        self.repo.write(&path(0), &source(0, salt + 1));
    }

    /// Runs green loops, each on a small change of its own.
    pub(crate) fn play_loops(&self, count: usize) {
        for round in 0..count {
            self.repo.write(&path(0), &source(0, round + 1));
            self.timed_tcr(&["run"], 0);
        }
    }

    /// The repository itself.
    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Makes the same commits with plain git.
    pub(crate) fn play_commits(&self, count: usize) {
        for round in 0..count {
            self.repo.write(&path(0), &source(0, round + 1));
            self.repo.git(&["commit", "-qam", "WIP"]);
        }
    }

    /// The time of the program under test, which has to end with this status. What it puts into a
    /// temporary folder is on the same file system as all else.
    pub(crate) fn timed_tcr(&self, args: &[&str], status: i32) -> Duration {
        let mut command = self.repo.command(PROGRAM);
        command.env("TMPDIR", self.repo.around()).args(args);
        timed(&mut command, status)
    }

    /// What the program under test takes, with all there is to know.
    pub(crate) fn cost_of_tcr(&self, args: &[&str]) -> Cost {
        silent(self.repo.command(PROGRAM).args(args), 0)
    }

    pub(crate) fn cost_of_git(&self, args: &[&str]) -> Cost {
        silent(self.repo.command("git").args(args), 0)
    }

    pub(crate) fn timed_git(&self, args: &[&str]) -> Duration {
        timed(self.repo.command("git").args(args), 0)
    }

    /// The time of a line as a person would type it.
    pub(crate) fn timed_script(&self, line: &str) -> Duration {
        self.cost_of_script(line).wall
    }

    /// What a line takes as a person would type it.
    pub(crate) fn cost_of_script(&self, line: &str) -> Cost {
        silent(self.repo.command("sh").args(["-c", line]), 0).without_cpu()
    }

    /// Whatever was done, it was done completely.
    pub(crate) fn expect_clean(&self) {
        assert_eq!(self.repo.porcelain(), "");
    }
}

fn timed(command: &mut Command, status: i32) -> Duration {
    silent(command, status).wall
}

fn silent(command: &mut Command, status: i32) -> Cost {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Cost::of(command, status)
}

fn fed(command: &mut Command, payload: &Path) -> Cost {
    command
        .stdin(std::fs::File::open(payload).expect("a file"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Cost::of(command, 0)
}

fn path(number: usize) -> String {
    let folder = number / FILES_PER_FOLDER;
    let (outer, inner) = (folder / FOLDERS_PER_FOLDER, folder % FOLDERS_PER_FOLDER);
    format!(
        "packages/area{}/part{}/unit{inner}/file_{number}.py",
        outer / FOLDERS_PER_FOLDER,
        outer
    )
}

/// A small source file, different for each number and salt.
fn source(number: usize, salt: usize) -> String {
    let mut text = format!("\"\"\"Part {number} of the product, version {salt}.\"\"\"\n");
    for line in 0..20 {
        let value = number
            .wrapping_mul(2_654_435_761)
            .wrapping_add(line * 40_503);
        let _ = write!(
            text,
            "\n\ndef step_{line}(value):\n    return value * {value} + {line}\n"
        );
    }
    text
}

fn now_ns() -> u128 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos())
}
