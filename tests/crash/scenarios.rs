//! The kinds of step that are disturbed.

use crate::spec_cycle;
use crate::support::example::{ASKS, RIGHT, WRONG};
use crate::support::{RUNNER, Repo};

pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) prepare: fn() -> Repo,
    pub(super) act: &'static [&'static str],
    /// Whether TCR is active before the step.
    pub(super) is_active: bool,
}

const RUN: &[&str] = &["run"];

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "the first commit",
        prepare: first_commit,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a green commit",
        prepare: green_commit,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a red and its green in one run",
        prepare: red_and_green,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a linted commit",
        prepare: linted_commit,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a revert",
        prepare: revert,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a revert in mode tcr",
        prepare: revert_all,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "an undo",
        prepare: undo,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "an install",
        prepare: install,
        act: &["install", "--yes"],
        is_active: false,
    },
    Scenario {
        name: "a restore",
        prepare: restore,
        act: &["recover", "restore", "1"],
        is_active: true,
    },
    Scenario {
        name: "back to green",
        prepare: back,
        act: &["recover", "green"],
        is_active: true,
    },
    Scenario {
        name: "source put aside",
        prepare: aside,
        act: &["phase", "red", "--why", "the test is wrong"],
        is_active: true,
    },
    Scenario {
        name: "source brought back",
        prepare: brought_back,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a renamed base",
        prepare: renamed,
        act: RUN,
        is_active: true,
    },
    Scenario {
        name: "a freeze",
        prepare: spec_cycle::tested,
        act: &["freeze", "--verdict", "pass", "--by", "Grace"],
        is_active: true,
    },
    Scenario {
        name: "an accepted test bug",
        prepare: accepted_bug,
        act: &["test-bug", "accept", "1"],
        is_active: true,
    },
    Scenario {
        name: "the end of a spec cycle",
        prepare: end_of_spec_cycle,
        act: &["phase", "done"],
        is_active: true,
    },
    Scenario {
        name: "a dropped spike",
        prepare: spike,
        act: &["spike", "drop"],
        is_active: true,
    },
    Scenario {
        name: "a kept spike",
        prepare: spike,
        act: &["spike", "keep"],
        is_active: true,
    },
    Scenario {
        name: "a squash",
        prepare: squash,
        act: &["squash"],
        is_active: true,
    },
    Scenario {
        name: "an undone squash",
        prepare: squashed,
        act: &["squash", "--undo"],
        is_active: true,
    },
    Scenario {
        name: "a push",
        prepare: push,
        act: &["push"],
        is_active: true,
    },
    Scenario {
        name: "a fetch",
        prepare: fetch,
        act: &["fetch"],
        is_active: true,
    },
];

/// Work from before it, a commit by hand in it, and more on top.
fn spike() -> Repo {
    let repo = in_green();
    repo.write("src/before.sh", WRONG);
    repo.tcr(&["spike", "start"]).success();
    repo.write("src/by hand.sh", "hand() { echo hand; }\n");
    repo.git(&["add", "src/by hand.sh"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    // The commit is known from here on.
    repo.tcr(&["run", "--report"]).success();
    repo.write("src/before.sh", RIGHT);
    repo.write("src/more.sh", RIGHT);
    repo
}

/// With a remote that is copied along.
fn push() -> Repo {
    let repo = squashed();
    repo.git(&["init", "-q", "--bare", "../home/remote.git"]);
    repo.git(&["remote", "add", "origin", "../home/remote.git"]);
    repo
}

/// The remote has what somebody else's clone has pushed.
fn fetch() -> Repo {
    let repo = push();
    repo.tcr(&["push"]).success();
    for name in ["refs/tcr/clone", "refs/notes/tcr"] {
        repo.git_past_hooks(&["update-ref", "-d", name]);
    }
    repo
}

/// Two cycles, with a commit by hand between them.
fn squash() -> Repo {
    let repo = in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.write("src/by hand.sh", "hand() { echo hand; }\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-n", "-m", "by hand"]);
    repo.write("tests/sub.t", "[ \"$(sub 3 1)\" = 2 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/sub.sh", "sub() { echo $(($1 - $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo
}

fn squashed() -> Repo {
    let repo = squash();
    repo.tcr(&["squash"]).success();
    repo
}

/// One of two tests passes, and the rest of the source is not committed.
fn accepted_bug() -> Repo {
    let repo = spec_cycle::frozen();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    assert_eq!(repo.run_json()["action"], "commit");
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["test-bug", "tests/adds-nothing.t:1", "wrong"])
        .success();
    repo
}

fn end_of_spec_cycle() -> Repo {
    let repo = spec_cycle::frozen();
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    repo
}

/// HEAD moves to the WIP branch.
fn first_commit() -> Repo {
    let repo = with_sources().installed();
    repo.write("tests/add.t", ASKS);
    repo.write("tests/add one.t", "true\n");
    repo
}

/// With `KILL_AFTER` the runner leaves a process behind that kills git tcr, and lives on.
fn killing_runner() -> String {
    let killer = "#!/bin/sh\n\
        if [ -n \"$KILL_AFTER\" ]; then\n\
        \x20 read -r _ pid < .git/tcr/lock\n\
        \x20 (sleep \"$KILL_AFTER\"; kill -9 \"$pid\"; sleep 1) > /dev/null 2>&1 &\n\
        fi\n";
    RUNNER.replacen("#!/bin/sh\n", killer, 1)
}

fn with_sources() -> Repo {
    let repo = Repo::new();
    repo.write("run-tests", &killing_runner());
    for name in ["a", "b", "c"] {
        repo.write(
            &format!("src/{name}.sh"),
            &format!("{name}() {{ echo {name}; }}\n"),
        );
    }
    repo.committed()
}

fn in_green() -> Repo {
    let repo = with_sources().installed();
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo
}

fn green_commit() -> Repo {
    let repo = in_green();
    repo.write("src/add.sh", RIGHT);
    repo.remove("src/b.sh");
    repo.write("README.md", "# Sums\n");
    repo
}

/// An experiment shows that the test asks for the source, then both are committed, one after the
/// other.
fn red_and_green() -> Repo {
    let repo = with_sources().installed();
    repo.write("src/add.sh", RIGHT);
    repo.write("tests/add.t", ASKS);
    repo
}

fn linted_commit() -> Repo {
    let repo = with_sources()
        .configured("test = \"./run-tests\"\nlint = \"test -e src/add.sh\"\n")
        .installed();
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/add.sh", RIGHT);
    repo
}

/// New, modified, deleted, renamed, executable and linked files, and staged content that is
/// nowhere else.
fn mess(repo: &Repo) {
    repo.write("src/add.sh", WRONG);
    repo.write("src/a.sh", "a() { echo A; }\n");
    repo.remove("src/b.sh");
    repo.git(&["mv", "src/c.sh", "src/d.sh"]);
    repo.write("src/deep/down/e.sh", "e() { echo e; }\n");
    repo.make_executable("src/deep/down/e.sh");
    std::os::unix::fs::symlink("a.sh", repo.path("src/link.sh")).expect("a link");
    repo.write("src/f.sh", "f() { echo staged; }\n");
    repo.git(&["add", "src/f.sh"]);
    repo.write("src/f.sh", "f() { echo later; }\n");
}

fn revert() -> Repo {
    let repo = in_green();
    mess(&repo);
    repo
}

fn revert_all() -> Repo {
    let repo = with_sources()
        .configured("test = \"./run-tests\"\nmode = \"tcr\"\n")
        .installed();
    mess(&repo);
    repo.write("tests/first.t", "false\n");
    repo
}

fn undo() -> Repo {
    let repo = with_sources().installed();
    mess(&repo);
    repo.write("tests/add.t", ASKS);
    repo
}

/// Without a config, with uncommitted work.
fn install() -> Repo {
    let repo = Repo::bare_start();
    repo.write("run-tests", RUNNER);
    repo.make_executable("run-tests");
    repo.write("Makefile", "test:\n\t./run-tests\n");
    repo.write("tests/first.t", "true\n");
    repo.write("src/a.sh", "a() { echo a; }\n");
    repo.write("src/b.sh", "b() { echo b; }\n");
    let repo = repo.committed();
    repo.write("src/a.sh", "a() { echo A; }\n");
    repo.remove("src/b.sh");
    repo.write("tests/second.t", "true\n");
    repo.write("src/f.sh", "f() { echo staged; }\n");
    repo.git(&["add", "src/f.sh"]);
    repo.write("src/f.sh", "f() { echo later; }\n");
    repo
}

fn restore() -> Repo {
    let repo = in_green();
    mess(&repo);
    assert_eq!(repo.run_json()["recover"], 1);
    repo.write("src/a.sh", "a() { echo another; }\n");
    repo
}

fn back() -> Repo {
    let repo = in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.write("tests/sub.t", "[ \"$(sub 3 1)\" = 2 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/sub.sh", "sub() { echo 2; }\n");
    repo.write("src/a.sh", "a() { echo A; }\n");
    repo
}

fn aside() -> Repo {
    let repo = in_green();
    mess(&repo);
    repo
}

fn brought_back() -> Repo {
    let repo = aside();
    repo.tcr(&["phase", "red", "--why", "the test is wrong"])
        .success();
    repo.write("tests/add.t", "[ \"$(add 1 3)\" = 4 ] && false\n");
    repo
}

fn renamed() -> Repo {
    let repo = in_green();
    mess(&repo);
    assert_eq!(repo.run_json()["recover"], 1);
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.write("src/add.sh", RIGHT);
    repo
}

/// The base moved on while the work was on its way.
pub(super) fn squash_over_a_moved_base() -> Repo {
    let repo = squash();
    repo.git(&["switch", "-q", "main"]);
    repo.write("src/theirs.sh", "theirs() { echo theirs; }\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by somebody else"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    repo
}
