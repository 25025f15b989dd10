//! A seal that was removed, replaced or made unreadable: the call is denied, and the seal is put
//! back from what git tcr wrote down itself.

use super::{Client, is_armed};
use crate::support::Repo;

const CODE: &str = "sub() { echo $(($1 - $2)); }\n";

#[test]
fn a_disturbed_seal_is_a_denial_and_is_put_back() {
    for (how, disturb) in [
        ("deleted", "rm .git/refs/tcr/config"),
        ("deleted with all", "rm -rf .git/refs/tcr"),
        (
            "cut out of the packed ones",
            "git pack-refs --all; sed -i /tcr/d .git/packed-refs",
        ),
        ("rewritten", "git rev-parse HEAD >.git/refs/tcr/config"),
        ("made unreadable", "echo nonsense >.git/refs/tcr/config"),
        ("emptied", ": >.git/refs/tcr/config"),
    ] {
        let repo = Repo::new().installed();
        let client = Client::new(&repo);
        let sealed = repo.git(&["rev-parse", "refs/tcr/config"]);
        let ran = repo.command("sh").args(["-c", disturb]).status();
        assert!(ran.is_ok(), "{how}");
        let reason = client.writes("src/sub.sh", CODE).expect_err(how);
        assert!(reason.contains("put back"), "{how}: {reason}");
        assert_eq!(repo.git(&["rev-parse", "refs/tcr/config"]), sealed, "{how}");
        client
            .writes("src/sub.sh", CODE)
            .expect_err("no test asks for it");
        client.stops();
        assert!(is_armed(&repo), "{how}");
        let log = repo.tcr(&["log"]).success().stdout;
        assert!(log.contains("sealed config"), "{how}: {log}");
    }
}

#[test]
fn a_state_that_somebody_moved_is_put_back() {
    let repo = Repo::new().installed();
    let state = repo.git(&["show", "refs/tcr/state/main:state.json"]);
    let lax = state.replace("\"enabled\":true", "\"enabled\":false");
    assert_ne!(state, lax);
    let tree = repo.tree_with("state.json", &lax);
    let forged = repo.git(&[
        "commit-tree",
        "-m",
        "forged",
        "-p",
        "refs/tcr/state/main",
        &tree,
    ]);
    repo.write(".git/refs/tcr/state/main", &format!("{forged}\n"));
    assert!(is_armed(&repo));
    assert_eq!(
        repo.git(&["rev-parse", &format!("refs/tcr/retired/foreign/{forged}")]),
        forged
    );
}

#[test]
fn without_anything_to_put_back_every_call_is_denied() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    let ran = repo
        .command("sh")
        .args([
            "-c",
            "rm -rf .git/refs/tcr .git/tcr; git pack-refs --all; sed -i /tcr/d .git/packed-refs",
        ])
        .status();
    assert!(ran.is_ok());
    let reason = client
        .writes("docs/a.md", "# a\n")
        .expect_err("nothing is known");
    assert!(reason.contains("git tcr install"), "{reason}");
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(client.writes("docs/a.md", "# a\n"), Ok(()));
}

#[test]
fn a_seal_that_a_person_took_out_stays_out() {
    let repo = Repo::new().installed();
    repo.tcr(&["uninstall"]).success();
    let client = Client::new(&repo);
    assert_eq!(client.writes("src/sub.sh", CODE), Ok(()));
    assert_ne!(
        repo.try_git(&["rev-parse", "-q", "--verify", "refs/tcr/config"])
            .status,
        0
    );
}

#[test]
fn another_program_of_the_name_that_comes_first_on_path_changes_nothing() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let settings: serde_json::Value =
        serde_json::from_str(&repo.read(".claude/settings.local.json")).expect("JSON");
    let hook = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        .as_str()
        .expect("a command");
    let fake = repo.around().join("fake");
    std::fs::create_dir(&fake).expect("a folder");
    std::fs::write(fake.join("git-tcr"), "#!/bin/sh\ncat >/dev/null\nexit 0\n").expect("a program");
    let mut command = repo.command("chmod");
    command.arg("755").arg(fake.join("git-tcr"));
    assert!(command.status().is_ok_and(|status| status.success()));
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(), "hook_event_name": "PreToolUse",
        "tool_use_id": "u", "tool_name": "Write",
        "tool_input": {"file_path": repo.path("src/sub.sh"), "content": CODE},
    });
    let mut shell = repo.command("sh");
    let path = format!(
        "{}:{}",
        fake.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    shell.args(["-c", hook]).env("PATH", path);
    let ran = crate::support::world::feed(shell, payload.to_string().as_bytes());
    assert!(crate::support::agent::denied(&ran).is_some(), "{ran:?}");
}
