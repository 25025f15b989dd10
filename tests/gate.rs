//! `git tcr gate`, as clients call it.

use serde_json::{Value, json};

use crate::support::agent::{call, denied};
use crate::support::{PROGRAM, Ran, Repo};

fn claude(repo: &Repo, tool: &str, input: &Value) -> Ran {
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(),
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
    });
    call(repo, "gate", "claude-code", &payload.to_string())
}

fn write(repo: &Repo, path: &str, content: &str) -> Option<String> {
    let input = json!({"file_path": repo.path(path), "content": content});
    denied(&claude(repo, "Write", &input))
}

fn shell(repo: &Repo, command: &str) -> Option<String> {
    denied(&claude(repo, "Bash", &json!({"command": command})))
}

#[test]
fn in_red_tests_may_be_written_and_source_may_not() {
    let repo = Repo::new().installed();
    assert_eq!(write(&repo, "README.md", "words\n"), None);
    let add = "def add(a, b):\n    return a + b\n";
    let reason = write(&repo, "src/add.py", add).expect("denied");
    assert!(reason.contains("src/add.py"), "{reason}");
    assert!(
        reason.contains("write a failing test in `tests/test_add.py`"),
        "{reason}"
    );
    assert_eq!(
        write(
            &repo,
            "src/add.py",
            "def add(a, b):\n    raise NotImplementedError\n"
        ),
        None,
        "a stub"
    );
    assert!(shell(&repo, "echo 'x = f()' > src/add.py").is_some());
    assert_eq!(
        shell(&repo, "echo 'x = 1' > src/add.py"),
        None,
        "a constant"
    );
    assert_eq!(shell(&repo, "cat src/add.py | grep x"), None);
    assert_eq!(write(&repo, "tests/add.t", "false\n"), None);
}

const ADD: &str = "def add(a, b):\n    return a + b\n";
const ADD_TEST: &str = "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";

#[test]
fn a_stub_belongs_to_its_author_until_it_is_committed() {
    let repo = Repo::new().installed();
    repo.write(
        "src/add.py",
        "def add(a, b):\n    raise NotImplementedError\n",
    );
    repo.write("src/old.py", "def old():\n    raise NotImplementedError\n");
    let changed = "def add(a, b, c=None):\n    raise NotImplementedError\n";
    assert_eq!(write(&repo, "src/add.py", changed), None);
    for command in [
        "rm src/old.py",
        "mv src/old.py src/new.py",
        "cp src/old.py src/other.py",
    ] {
        assert_eq!(shell(&repo, command), None, "{command}");
    }
    assert!(write(&repo, "src/add.py", ADD).is_some());
    let filled = "sed -i s/raise.*/return\\ 1/ src/old.py && mv src/old.py src/new.py";
    assert!(shell(&repo, filled).is_some());
}

#[test]
fn changed_tests_ask_for_source_until_they_are_committed() {
    let repo = Repo::new().installed();
    let files = json!({"file_path": repo.path("tests/test_sum.py"), "content": ADD_TEST});
    assert!(write(&repo, "src/add.py", ADD).is_some());
    assert_eq!(denied(&claude(&repo, "Write", &files)), None);
    assert!(
        write(&repo, "src/add.py", ADD).is_some(),
        "the call was not made"
    );
    repo.write("tests/test_sum.py", ADD_TEST);
    assert_eq!(write(&repo, "src/add.py", ADD), None);
    assert_eq!(shell(&repo, "sed -i s/1/2/ src/first.py"), None);
    repo.write("tests/test_sum.py", "def test_add(:\n");
    let reason = write(&repo, "src/add.py", ADD).expect("denied");
    assert!(
        reason.contains("fix `tests/test_sum.py:1` first"),
        "{reason}"
    );
    repo.write("tests/test_sum.py", ADD_TEST);
    repo.git(&["add", "-A"]);
    repo.git_past_hooks(&["commit", "-qm", "by hand"]);
    assert!(write(&repo, "src/add.py", ADD).is_some(), "committed");
}

#[test]
fn a_test_that_a_person_wrote_asks_for_its_source() {
    let repo = Repo::new().installed();
    repo.write("tests/test_add.py", ADD_TEST);
    assert_eq!(write(&repo, "src/add.py", ADD), None);
}

#[test]
fn in_green_tests_may_be_added_and_those_that_are_there_stay() {
    let repo = Repo::new()
        .with("tests/test_add.py", ADD_TEST)
        .with("package.json", "{\"scripts\": {\"test\": \"jest\"}}\n")
        .committed()
        .installed();
    repo.write("tests/add.t", "false\n");
    repo.tcr(&["run"]).success();
    assert_eq!(repo.status()["phase"], "green");
    let more = format!("import os\n{ADD_TEST}\n\ndef test_more():\n    assert add(2, 2) == 4\n");
    assert_eq!(write(&repo, "tests/test_add.py", &more), None);
    assert_eq!(write(&repo, "tests/test_new.py", ADD_TEST), None);
    let comment = format!("# Sums.\n{ADD_TEST}");
    assert_eq!(write(&repo, "tests/test_add.py", &comment), None);
    let weaker = ADD_TEST.replace("== 3", "!= 4");
    let reason = write(&repo, "tests/test_add.py", &weaker).expect("denied");
    assert!(reason.contains("git tcr phase red --why TEXT"), "{reason}");
    let package = |text: &str| write(&repo, "package.json", text);
    let reason = package("{\"scripts\": {\"test\": \"true\"}}\n").expect("denied");
    assert!(reason.contains("`scripts.test` steers"), "{reason}");
    let dependency = "{\"scripts\": {\"test\": \"jest\"}, \"dependencies\": {\"a\": \"1\"}}\n";
    assert_eq!(package(dependency), None);
}

#[test]
fn what_drops_nothing_is_no_offence() {
    let repo = Repo::in_green();
    let harmless = [
        "git restore tests/add.t",
        "git checkout -- .",
        "git reset --hard",
        "git stash",
        "git clean -fd",
    ];
    for command in harmless {
        assert_eq!(shell(&repo, command), None, "{command}");
    }
    for command in [
        "git reset --hard HEAD~1",
        "git checkout HEAD~1 -- tests",
        "git clean -xfd",
        "git stash pop",
        "echo x > src/add.py; git stash",
    ] {
        assert!(shell(&repo, command).is_some(), "{command}");
    }
    repo.write("src/add.py", "x = 1\n");
    for command in harmless {
        assert!(shell(&repo, command).is_some(), "{command}");
    }
}

#[test]
fn in_green_source_may_be_written_and_tests_may_not() {
    let repo = Repo::in_green();
    assert_eq!(
        write(&repo, "src/add.py", "def add(a, b):\n    return a + b\n"),
        None
    );
    assert!(write(&repo, "tests/add.t", "true\n").is_some());
    assert!(shell(&repo, "sed -i s/3/4/ tests/add.t").is_some());
    let edit = json!({"file_path": repo.path("tests/add.t"), "old_string": "3", "new_string": "4"});
    assert!(denied(&claude(&repo, "Edit", &edit)).is_some());
}

#[test]
fn what_steers_git_tcr_is_never_written() {
    let repo = Repo::in_green();
    for path in [
        ".tcr.toml",
        ".git/config",
        ".git/hooks/pre-commit",
        ".claude/settings.json",
    ] {
        assert!(write(&repo, path, "x\n").is_some(), "{path}");
    }
    for command in [
        "git reset --hard HEAD~1",
        "git checkout main",
        "git tcr off",
        "git commit --no-verify -m x",
        "git update-ref -d refs/tcr/state/main",
        "GIT_TCR=off true",
    ] {
        assert!(shell(&repo, command).is_some(), "{command}");
    }
    for command in [
        "git log",
        "git tcr status",
        "git tcr run",
        "git diff HEAD",
        "ls -la",
    ] {
        assert_eq!(shell(&repo, command), None, "{command}");
    }
}

#[test]
fn what_can_not_be_read_is_denied_where_tcr_is_installed_and_nowhere_else() {
    let installed = Repo::new().installed();
    let other = Repo::new();
    for payload in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"hook_event_name":"PreToolUse"}"#,
        "\u{0}",
    ] {
        for client in ["claude-code", "codex", "gemini"] {
            let ran = call(&installed, "gate", client, payload);
            assert!(
                ran.status == 2 || ran.stdout.contains("deny"),
                "{client} {payload:?}: {}",
                ran.stdout
            );
            let ran = call(&other, "gate", client, payload);
            assert_eq!(
                (ran.status, ran.stdout.as_str()),
                (0, ""),
                "{client} {payload:?}"
            );
        }
    }
}

#[test]
fn a_state_that_can_not_be_read_denies() {
    let repo = Repo::new().installed();
    let tree = repo.tree_with("state.json", "no JSON");
    let commit = repo.git(&["commit-tree", &tree, "-m", "broken"]);
    repo.put_ref("refs/tcr/state/main", &commit);
    let reason = write(&repo, "tests/add.t", "false\n").expect("denied");
    assert!(reason.contains("refs/tcr/state/main"), "{reason}");
    assert!(reason.contains("GIT_TCR=off"), "{reason}");
}

#[test]
fn denials_reach_the_log_with_the_next_loop() {
    let repo = Repo::new().installed();
    assert!(write(&repo, "src/add.py", "x = f()\n").is_some());
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(), "hook_event_name": "PostToolUse",
        "tool_name": "Write", "tool_input": {"file_path": repo.path("tests/add.t"), "content": ""},
        "tool_response": {}, "tool_use_id": "u",
    });
    let ran = call(&repo, "loop", "claude-code", &payload.to_string()).success();
    assert!(ran.stdout.contains("committed as red"), "{}", ran.stdout);
    let log = repo.tcr(&["log", "--json"]).success().json();
    let events: Vec<&str> = log
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|e| e["event"].as_str())
        .collect();
    assert_eq!(events, ["commit", "denied", "activate"]);
    assert_eq!(repo.status()["stats"]["denials"], 1);
}

#[test]
fn what_a_person_left_uncommitted_is_theirs() {
    let repo = Repo::new().installed();
    repo.write("src/draft.py", "half = 1\n");
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": repo.root(),
        "hook_event_name": "SessionStart", "source": "startup",
    });
    let ran = call(&repo, "session", "claude-code", &payload.to_string()).success();
    assert!(ran.stdout.contains("git tcr step"), "{}", ran.stdout);
    assert_eq!(repo.branch(), "tcr/main");
    assert_eq!(repo.show("tcr/main:src/draft.py"), "half = 1");
    repo.tcr(&["run"]);
    assert!(repo.exists("src/draft.py"), "no revert takes it");
}

#[test]
fn a_path_that_is_known_in_part_is_judged_by_that_part() {
    let repo = Repo::in_green();
    for command in [
        "rm tests/$NAME.t",
        "for f in $(cat list); do : > tests/$f; done",
        "sed -i d tests/$(date +%s).t",
    ] {
        assert!(shell(&repo, command).is_some(), "{command}");
    }
    for command in ["rm src/$NAME.py", "echo > \"$OUT\"", "rm -rf \"$TMP/x\""] {
        assert_eq!(shell(&repo, command), None, "{command}");
    }
}

#[test]
fn a_frozen_test_keeps_its_mode_too() {
    let repo = Repo::in_green();
    for command in [
        "chmod 000 tests/add.t",
        "chmod -R a-r tests",
        "chattr +i tests/add.t",
        "chown nobody tests/add.t",
        "chmod -x .git/hooks/pre-commit",
    ] {
        assert!(shell(&repo, command).is_some(), "{command}");
    }
    assert_eq!(shell(&repo, "chmod +x src/add.sh scripts/go"), None);
    let red = Repo::new().installed();
    assert_eq!(shell(&red, "chmod +x tests/first.t"), None);
}

#[test]
fn entries_of_a_snapshot_may_be_added_in_green() {
    let path = "tests/__snapshots__/add.test.js.snap";
    let one = "exports[`add 1`] = `3`;\n";
    let repo = Repo::new().with(path, one).committed().installed();
    repo.write("tests/add.t", "false\n");
    repo.tcr(&["run"]).success();
    let two = format!("{one}\nexports[`add 2`] = `4`;\n");
    assert_eq!(write(&repo, path, &two), None);
    assert!(write(&repo, path, "exports[`add 1`] = `4`;\n").is_some());
    assert!(shell(&repo, &format!("rm {path}")).is_some());
}

#[test]
fn what_tools_leave_below_the_tests_is_no_test() {
    let repo = Repo::in_green();
    assert_eq!(write(&repo, "tests/__pycache__/a.pyc", "x"), None);
    for command in [
        "rm -rf tests/__pycache__ .pytest_cache",
        "find . -name __pycache__ -exec rm -rf {} +",
        "rm -rf node_modules tests/node_modules",
    ] {
        assert_eq!(shell(&repo, command), None, "{command}");
    }
}

#[test]
fn an_agent_that_left_the_project_did_not_leave_the_rules() {
    let repo = Repo::in_green();
    let elsewhere = Repo::new();
    for cwd in ["/tmp", "/nowhere", &elsewhere.root().display().to_string()] {
        let ask = |command: &str| {
            let payload = json!({
                "session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse",
                "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u",
            });
            denied(&call(&repo, "gate", "claude-code", &payload.to_string()))
        };
        let test = repo.path("tests/add.t");
        assert!(
            ask(&format!("echo > {}", test.display())).is_some(),
            "{cwd}"
        );
        assert_eq!(ask("echo > tests/add.t"), None, "{cwd}");
    }
}

#[test]
fn a_repository_that_can_not_be_under_tcr_is_left_alone() {
    let repo = Repo::init(&["--ref-format=reftable"]);
    assert_eq!(write(&repo, "src/add.py", "x = 1\n"), None);
    repo.write("a", "a");
    repo.git(&["add", "a"]);
    repo.git(&["commit", "-qm", "start"]);
    repo.git_past_hooks(&["update-ref", "refs/tcr/config", "HEAD"]);
    let reason = write(&repo, "src/add.py", "x = 1\n").expect("denied");
    assert!(reason.contains("reftable"), "{reason}");
}

#[test]
fn a_home_behind_a_link_is_the_same_home() {
    let repo = Repo::in_green();
    let (home, link) = (repo.around().join("home"), repo.around().join("link"));
    std::os::unix::fs::symlink(&home, &link).expect("a link");
    std::fs::create_dir_all(home.join(".claude")).expect("a folder");
    for path in [
        "~/.claude/settings.json",
        "~/.config/git-tcr/config.toml",
        "~/.codex/hooks.json",
    ] {
        let payload = json!({
            "cwd": repo.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": format!("mkdir -p $(dirname {path}); echo > {path}")},
        });
        let mut command = repo.command(PROGRAM);
        command
            .args(["gate", "--client", "claude-code"])
            .env("HOME", &link);
        let ran = crate::support::world::feed(command, payload.to_string().as_bytes());
        assert!(denied(&ran).is_some(), "{path}");
    }
}
