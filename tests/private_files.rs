//! Files that belong to a person or a machine, and not to the work, are in no commit and in nothing that
//! is sent anywhere.

use crate::support::Repo;
use crate::support::agent;
use crate::support::example::{ASKS, RIGHT};

const SECRET: &str = "TOKEN=hunter2-hunter2\n";

impl Repo {
    /// No object of this repository has the secret.
    fn assert_secret(&self, moment: &str) {
        let id = self.git(&["hash-object", ".env"]);
        let found = self.try_git(&["cat-file", "-e", &id]);
        assert_ne!(found.status, 0, "{moment}: the secret is an object");
        assert_eq!(self.read(".env"), SECRET, "{moment}");
    }
}

/// A red and its green, with everything that a step writes.
fn a_cycle(repo: &Repo) {
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
}

#[test]
fn a_secret_from_before_the_installation_is_in_no_commit() {
    let repo = Repo::new().with(".env", SECRET).with_remote();
    repo.git(&["push", "-q", "origin", "main"]);
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.branch(), "main", "there is nothing to record");
    a_cycle(&repo);
    repo.tcr(&["push"]).success();
    repo.assert_secret("installed");
    repo.tcr(&["squash", "-m", "add"]).success();
    repo.assert_secret("squashed");
}

#[test]
fn a_secret_at_the_start_of_a_session_is_in_no_commit() {
    let repo = Repo::new().installed();
    repo.write(".env", SECRET);
    repo.write("notes/plan.txt", "of a person\n");
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(),
        "hook_event_name": "SessionStart", "source": "startup",
    });
    agent::call(&repo, "session", "claude-code", &payload.to_string()).success();
    repo.assert_secret("session");
    a_cycle(&repo);
    repo.assert_secret("worked");
}

#[test]
fn a_secret_that_comes_along_is_named_once() {
    let repo = Repo::new().installed();
    repo.write(".env", SECRET);
    repo.write(".idea/workspace.xml", "<x/>\n");
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["files"], serde_json::json!(["tests/add.t"]));
    let named = serde_json::json!([".env", ".idea/workspace.xml"]);
    assert_eq!(red["left_out"], named, "{red}");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["left_out"], serde_json::json!([]), "named once");
    repo.assert_secret("worked");
    repo.tcr(&["squash", "-m", "add"]).success();
    repo.assert_secret("squashed");
}

#[test]
fn what_git_already_has_is_work_whatever_it_is_called() {
    let repo = Repo::new().with(".env", "OLD=1\n");
    repo.git(&["add", "-f", ".env"]);
    let repo = repo.committed().installed();
    repo.write(".env", "NEW=1\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(repo.show("HEAD:.env"), "NEW=1");
}

#[test]
fn what_was_untracked_before_is_left_out_while_it_is_unchanged() {
    let repo = Repo::new().with("notes.txt", "mine\n");
    repo.write("tests/first.t", "true # changed\n");
    repo.tcr(&["install", "--yes"]).success();
    let recorded = repo.git(&["diff", "--name-only", "HEAD~1", "HEAD"]);
    assert_eq!(
        recorded, "tests/first.t",
        "the baseline has what is tracked"
    );
    a_cycle(&repo);
    let tracked = repo.git(&["log", "--all", "--name-only", "--format="]);
    assert!(!tracked.contains("notes.txt"), "{tracked}");
    repo.write("notes.txt", "of the work, by now\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(repo.show("HEAD:notes.txt"), "of the work, by now");
}

#[test]
fn on_another_branch_it_is_left_out_too() {
    let repo = Repo::new().with("notes.txt", "mine\n").installed();
    repo.git(&["switch", "-q", "-c", "other"]);
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["files"], serde_json::json!(["tests/add.t"]));
}
