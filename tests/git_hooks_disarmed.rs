//! Hooks that were disarmed are noticed by the next loop, put back and told of.

use crate::support::{Repo, agent};

/// The next run tells of it, the one after does not, and our refs are guarded again.
fn put_back(repo: &Repo, told: &str) {
    let ran = repo.tcr(&["run", "--json"]);
    let said = ran.json()["put_back"].to_string();
    assert!(said.contains(told), "{told}: {said}\n{}", ran.stderr);
    assert!(said.contains("put back"), "{said}");
    guarded(repo);
    let again = repo.tcr(&["run", "--json"]).json();
    assert_eq!(again["put_back"].to_string(), "[]", "told once");
}

fn guarded(repo: &Repo) {
    let ran = repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]);
    assert!(ran.stderr.contains("belongs to git tcr"), "{}", ran.stderr);
}

#[test]
fn a_changed_hooks_path_is_put_back() {
    let repo = Repo::new().installed();
    for value in ["/dev/null", "/nowhere", "tests"] {
        repo.git(&["config", "core.hooksPath", value]);
        put_back(&repo, value);
        assert_ne!(repo.try_git(&["config", "core.hooksPath"]).status, 0);
    }
}

#[test]
fn removed_edited_and_switched_off_hooks_are_put_back() {
    let repo = Repo::new().installed();
    let hook = ".git/hooks/reference-transaction";
    let text = repo.read(hook);
    repo.remove(hook);
    put_back(&repo, "`reference-transaction` was missing");
    repo.shell(&format!("chmod -x {hook}")).success();
    put_back(&repo, "`reference-transaction` was not executable");
    let edited = text.replace("before=", "exit 0\nbefore=");
    repo.write(hook, &edited);
    put_back(&repo, "`reference-transaction` was edited");
    assert_eq!(repo.read(hook), text);
    assert!(repo.reaches(&edited), "the evidence is kept");
    let log = repo.tcr(&["log"]).success().stdout;
    assert!(log.contains("was edited"), "{log}");
}

#[test]
fn our_own_folder_and_its_hooks_path_are_put_back() {
    let repo = Repo::new().with("githooks/pre-commit", "#!/bin/sh\n");
    repo.make_executable("githooks/pre-commit");
    repo.git(&["config", "core.hooksPath", "githooks"]);
    let repo = repo.committed().installed();
    repo.git(&["config", "--unset", "core.hooksPath"]);
    put_back(&repo, "`core.hooksPath` was removed");
    repo.git(&["config", "core.hooksPath", "/dev/null"]);
    put_back(&repo, "/dev/null");
    std::fs::remove_dir_all(repo.path(".git/tcr/hooks")).expect("our folder");
    put_back(&repo, "was missing");
}

#[test]
fn entries_removed_from_a_client_s_file_are_put_back() {
    let repo = Repo::new();
    repo.tcr(&[
        "install",
        "--yes",
        "--client",
        "claude-code",
        "--client",
        "opencode",
    ])
    .success();
    let settings = ".claude/settings.local.json";
    let text = repo.read(settings);
    repo.write(settings, "{\n  \"model\": \"opus\"\n}\n");
    put_back(&repo, "claude-code");
    let now = repo.read(settings);
    assert!(
        now.contains("\"opus\"") && now.contains("gate --client claude-code"),
        "{now}"
    );
    repo.remove(settings);
    put_back(&repo, "claude-code");
    assert_eq!(repo.read(settings), text);
    repo.write(".opencode/plugins/git-tcr.ts", "// git-tcr: nothing\n");
    put_back(&repo, "opencode");
}

#[test]
fn of_a_shared_file_only_our_entries_are_put_back() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--shared", "--client", "claude-code"])
        .success();
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "shared"]);
    let settings = ".claude/settings.json";
    let mine = repo
        .read(settings)
        .replace("{\n  \"hooks\"", "{\n  \"model\": \"opus\",\n  \"hooks\"");
    let disarmed = mine.replace(r#"\"$tcr\" gate"#, "true");
    repo.write(settings, &disarmed);
    put_back(&repo, "claude-code");
    let now = repo.read(settings);
    assert!(
        now.contains("\"opus\"") && now.contains("gate --client claude-code"),
        "{now}"
    );
}

#[test]
fn settings_that_nobody_can_use_are_replaced_and_kept() {
    let gemini = ".gemini/settings.json";
    let theirs = "{ \"ui\": {\"hideTips\": true} }\n";
    let repo = Repo::new().with(gemini, theirs).committed();
    let install = ["install", "--yes", "--client", "opencode"];
    let more = ["--client", "claude-code", "--client", "gemini"];
    repo.tcr(&[&install[..], &more].concat()).success();
    for (file, client, text) in [
        (
            ".opencode/plugins/git-tcr.ts",
            "opencode",
            "export const Nothing = async () => ({})\n",
        ),
        (".claude/settings.local.json", "claude-code", "{\n"),
        (
            ".claude/settings.local.json",
            "claude-code",
            "{\"hooks\": []}\n",
        ),
        (gemini, "gemini", "never mind\n"),
    ] {
        let before = repo.read(file);
        repo.write(file, text);
        put_back(&repo, client);
        assert_eq!(repo.read(file), before);
        let kept = repo.git(&["ls-tree", "--name-only", "refs/tcr/retired/hooks"]);
        assert_eq!(
            repo.show(&format!("refs/tcr/retired/hooks:{kept}")),
            text.trim_end()
        );
        let told = repo.tcr(&["run", "--json"]).json();
        assert_eq!(told["put_back"].to_string(), "[]", "told once");
    }
}

#[test]
fn an_agent_does_not_switch_the_hooks_of_its_client_off() {
    let file = ".claude/settings.local.json";
    let repo = Repo::new();
    repo.write(".git/info/exclude", ".claude\n");
    repo.write(file, "{\n  \"model\": \"opus\"\n}\n");
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let before = repo.read(file);
    let off = before.replacen('{', "{\n  \"disableAllHooks\": true,", 1);
    repo.write(file, &off);
    // A person may.
    let ran = repo.tcr(&["run", "--json"]).json();
    assert!(
        ran["put_back"].to_string().contains("disableAllHooks"),
        "{ran}"
    );
    assert_eq!(repo.read(file), off);
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(), "tool_name": "Bash",
        "hook_event_name": "PostToolUse", "tool_input": {"command": "true"}, "tool_response": {},
    });
    let ran = agent::call(&repo, "loop", "claude-code", &payload.to_string()).success();
    assert!(ran.stdout.contains("disableAllHooks"), "{}", ran.stdout);
    assert!(ran.stdout.contains("put back"), "{}", ran.stdout);
    assert_eq!(repo.read(file), before);
}

#[test]
fn what_a_commit_of_others_brought_is_left_alone() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--shared", "--client", "claude-code"])
        .success();
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "shared"]);
    repo.write(".claude/settings.json", "{}\n");
    repo.git(&["commit", "-q", "-a", "-m", "pulled"]);
    let ran = repo.tcr(&["run", "--json"]).json();
    assert_eq!(ran["put_back"].to_string(), "[]", "{ran}");
    assert_eq!(repo.read(".claude/settings.json"), "{}\n");
    let doctor = repo.tcr(&["doctor"]).exits(1);
    assert!(doctor.stdout.contains("claude-code"), "{}", doctor.stdout);
}

#[test]
fn observe_and_report_only_tell() {
    let repo = Repo::new().installed();
    let hook = ".git/hooks/reference-transaction";
    repo.remove(hook);
    let report = repo.tcr(&["run", "--report", "--json"]).json();
    assert!(
        report["put_back"].to_string().contains("was missing"),
        "{report}"
    );
    assert!(!repo.exists(hook));
    repo.tcr(&["mode", "observe"]).success();
    let ran = repo.tcr(&["run", "--json"]).json();
    assert!(ran["put_back"].to_string().contains("was missing"), "{ran}");
    assert!(!repo.exists(hook));
    repo.tcr(&["mode", "off"]).success();
    repo.tcr(&["run"]);
    assert!(repo.exists(hook), "every mode but observe");
}

#[test]
fn an_agent_is_told_that_hooks_were_put_back() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    repo.remove(".git/hooks/pre-commit");
    let payload = format!(
        r#"{{"session_id":"s","cwd":"{}","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"rm x"}},"tool_response":{{}},"tool_use_id":"t"}}"#,
        repo.root().display()
    );
    let ran = agent::call(&repo, "loop", "claude-code", &payload);
    assert!(
        ran.stdout.contains("`pre-commit` was missing"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn doctor_tests_the_installed_hooks() {
    let repo = Repo::new();
    repo.install_for_all_clients();
    let said = repo.tcr(&["doctor", "--json"]).json().to_string();
    assert!(said.contains("git refused to move a ref"), "{said}");
    for client in agent::CLIENTS {
        assert!(
            said.contains(&format!("`{client}` denied a forbidden write")),
            "{said}"
        );
    }
    assert_eq!(repo.status()["stats"]["denials"], 0, "a test is no denial");
}

#[test]
fn doctor_says_what_is_not_denied() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    repo.tcr(&["doctor", "--require"]).success();
    repo.git(&["config", "core.hooksPath", "/dev/null"]);
    let settings = ".claude/settings.local.json";
    repo.write(
        settings,
        &repo.read(settings).replace("|| exit 2", "; exit 0"),
    );
    repo.write(
        settings,
        &repo.read(settings).replace(
            r#"\"$tcr\" gate --client claude-code"#,
            r#"true \"$tcr\" gate --client claude-code"#,
        ),
    );
    let ran = repo.tcr(&["doctor", "--require"]).exits(1);
    for wanted in [
        "git did not refuse",
        "did not deny a forbidden write",
        "core.hooksPath",
        "no denial was seen",
    ] {
        assert!(ran.stdout.contains(wanted), "{wanted}: {}", ran.stdout);
    }
    assert_ne!(
        repo.try_git(&["rev-parse", "-q", "--verify", "refs/tcr/self-test"])
            .status,
        0
    );
}

#[test]
fn doctor_requires_a_client() {
    let repo = Repo::new().installed();
    repo.tcr(&["doctor"]).success();
    repo.tcr(&["doctor", "--require"]).exits(1);
}
