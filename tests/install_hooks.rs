//! `install` puts hooks into the clients' settings, `uninstall` takes out just those.

use crate::support::Repo;

const SETTINGS: &str = "{\n  // mine\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n  \"hooks\": {\n    \"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]\n  }\n}\n";

#[test]
fn existing_settings_keep_their_content_and_come_back_byte_for_byte() {
    let repo = Repo::new()
        .with(".claude/settings.local.json", SETTINGS)
        .committed();
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let merged = repo.read(".claude/settings.local.json");
    assert!(
        merged.contains("// mine") && merged.contains("\"mine\"") && merged.contains("git-tcr"),
        "{merged}"
    );
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    assert_eq!(
        repo.read(".claude/settings.local.json"),
        merged,
        "twice is once"
    );
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.read(".claude/settings.local.json"), SETTINGS);
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn new_files_stay_out_of_git_status_and_are_gone_afterwards() {
    let repo = Repo::new();
    repo.remove(".tcr.toml");
    let repo = repo
        .with("Makefile", "test:\n\t./run-tests\n.PHONY: test\n")
        .committed();
    repo.install_for_all_clients();
    assert!(repo.exists(".tcr.toml"));
    assert!(repo.exists(".opencode/plugins/git-tcr.ts"));
    assert_eq!(
        repo.porcelain(),
        "",
        "a personal installation shows nowhere"
    );
    let exclude = repo.read(".git/info/exclude");
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.porcelain(), "");
    for gone in [
        ".tcr.toml",
        ".opencode",
        ".claude",
        ".codex",
        ".gemini",
        ".cursor",
        ".github",
    ] {
        assert!(!repo.exists(gone), "{gone}");
    }
    assert!(repo.read(".git/info/exclude").len() < exclude.len());
    repo.tcr(&["status"]).exits(2);
    repo.tcr(&["install", "--yes"]).success();
}

#[test]
fn doctor_finds_an_edited_hook_and_says_how_to_mend_it() {
    let repo = Repo::new();
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let path = ".claude/settings.local.json";
    let edited = repo.read(path).replace("PreToolUse", "PreToolNever");
    repo.write(path, &edited);
    let ran = repo.tcr(&["doctor"]).exits(1);
    assert!(
        ran.stdout.contains("PreToolUse") && ran.stdout.contains("git tcr install"),
        "{}",
        ran.stdout
    );
    repo.tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let ran = repo.tcr(&["doctor"]);
    assert!(
        !ran.stdout.contains("PreToolUse` is missing"),
        "{}",
        ran.stdout
    );
}

/// The findings of doctor, each with how to mend it.
fn findings(repo: &Repo) -> Vec<(String, String)> {
    let report = repo.tcr(&["doctor", "--json"]).json();
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    checks
        .iter()
        .filter(|check| check["ok"] == false)
        .map(|check| (text(&check["what"]), text(&check["mend"])))
        .filter(|(what, _)| !what.contains("manual page"))
        .collect()
}

#[test]
fn a_comment_that_the_client_can_not_read_is_told() {
    let file = ".claude/settings.local.json";
    let repo = Repo::new().with(file, SETTINGS).committed();
    let install = ["install", "--client", "claude-code"];
    for more in ["--dry-run", "--yes"] {
        let ran = repo.tcr(&[&install[..], &[more]].concat()).success();
        assert!(ran.stdout.contains("holds a comment"), "{}", ran.stdout);
    }
    let found = findings(&repo);
    let about = |words: &str| found.iter().find(|(what, _)| what.contains(words));
    let (_, mend) = about("holds a comment").expect("a finding");
    assert!(mend.starts_with("take a comment out of"), "{mend}");
    assert_eq!(found.len(), 1, "{found:?}");
    let report = repo.tcr(&["doctor", "--json"]).json();
    assert_eq!(report["denial_seen"], false);
    repo.tcr(&["doctor", "--require"]).exits(1);
    repo.write(file, &repo.read(file).replace("  // mine\n", ""));
    assert_eq!(findings(&repo), vec![]);
    repo.tcr(&["doctor", "--require"]);
}

#[test]
fn who_has_to_be_trusted_is_told_at_once() {
    let repo = Repo::new();
    let ran = repo
        .tcr(&["install", "--yes", "--client", "codex"])
        .success();
    assert!(
        ran.stdout.contains("`codex` does not trust the hooks yet"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("/hooks"), "{}", ran.stdout);
    let ran = repo
        .tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    assert!(
        ran.stdout.contains("`codex` does not trust"),
        "{}",
        ran.stdout
    );
    repo.tcr(&["doctor", "--require"]).exits(1);
}

#[test]
fn what_doctor_says_mends_it() {
    for scope in ["", "--shared", "--global"] {
        let repo = Repo::new();
        let mut args = vec!["install", "--yes", "--client", "claude-code"];
        args.extend(Some(scope).filter(|scope| !scope.is_empty()));
        repo.tcr(&args).success();
        assert_eq!(findings(&repo), vec![], "{scope}");
        let file = match scope {
            "" => repo.path(".claude/settings.local.json"),
            "--shared" => repo.path(".claude/settings.json"),
            _ => repo.around().join("home/.claude/settings.json"),
        };
        let text = std::fs::read_to_string(&file).expect("settings");
        for broken in [
            text.replace(r#"\"$tcr\" gate"#, "true"),
            text.replace("PreToolUse", "PreToolNever"),
            "{}".to_owned(),
        ] {
            std::fs::write(&file, broken).expect("settings");
            let found = findings(&repo);
            assert!(!found.is_empty(), "{scope}");
            for (what, mend) in found {
                let ran = repo.shell(&format!("{mend} --yes"));
                assert_eq!(ran.status, 0, "{what}: {mend}: {}", ran.stderr);
            }
            assert_eq!(findings(&repo), vec![], "{scope}");
            assert!(
                std::fs::read_to_string(&file)
                    .expect("settings")
                    .contains("gate --client claude-code")
            );
        }
    }
}

const SHARED: [&str; 7] = [
    "install",
    "--yes",
    "--shared",
    "--client",
    "claude-code",
    "--client",
    "opencode",
];

#[test]
fn hooks_that_a_team_has_committed_are_used_and_stay() {
    let repo = Repo::new();
    repo.tcr(&SHARED).success();
    let repo = repo.committed();
    repo.git(&["clone", "-q", ".", "../clone"]);
    let clone = repo.around().join("clone");
    let status = || {
        repo.shell("cd ../clone && git status --porcelain")
            .success()
    };
    let ran = repo.tcr_in(&clone, &["install", "--yes"], &[]).success();
    assert!(
        ran.stdout.contains(".claude/settings.json"),
        "{}",
        ran.stdout
    );
    assert_eq!(status().stdout, "");
    let ran = repo.tcr_in(&clone, &["doctor"], &[]);
    assert!(
        ran.stdout
            .contains("`claude-code` denied a forbidden write"),
        "{}",
        ran.stdout
    );
    for place in [&clone, repo.root()] {
        let ran = repo.tcr_in(place, &["uninstall"], &[]).success();
        let told = ran.stdout.matches("it is committed").count();
        assert_eq!(told, 2, "{}", ran.stdout);
        assert!(place.join(".opencode/plugins/git-tcr.ts").exists());
        assert!(place.join(".claude/settings.json").exists());
    }
    assert_eq!(status().stdout, "");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn an_installation_may_become_shared_and_personal_again() {
    let repo = Repo::new();
    let personal = [
        "install",
        "--yes",
        "--client",
        "claude-code",
        "--client",
        "opencode",
    ];
    for _ in 0..2 {
        repo.tcr(&personal).success();
        assert_eq!(repo.porcelain(), "");
        repo.tcr(&SHARED).success();
        assert_eq!(repo.porcelain(), "?? .claude/\n?? .opencode/");
    }
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn the_list_of_excluded_files_comes_back_byte_for_byte() {
    for list in [&b"mine"[..], b"mine\n", b"\xff\xfe\n", b"", b"\r\nmine\r\n"] {
        let repo = Repo::new();
        let file = repo.path(".git/info/exclude");
        std::fs::write(&file, list).expect("a list");
        for _ in 0..2 {
            let args = [
                "install", "--yes", "--client", "opencode", "--client", "codex",
            ];
            repo.tcr(&args).success();
            assert_eq!(repo.porcelain(), "");
        }
        repo.tcr(&["uninstall"]).success();
        assert_eq!(std::fs::read(&file).expect("a list"), list);
    }
}

#[test]
fn settings_that_are_no_text_are_left_alone_and_in_nobodys_way() {
    let repo = Repo::new();
    let file = repo.path(".claude/settings.local.json");
    let bytes = b"\xff\xfe{\0}\0";
    std::fs::create_dir(repo.path(".claude")).expect("a folder");
    std::fs::write(&file, bytes).expect("settings");
    let args = [
        "install",
        "--yes",
        "--client",
        "claude-code",
        "--client",
        "gemini",
    ];
    let ran = repo.tcr(&args).success();
    assert!(
        ran.stdout.contains("left alone: it is not UTF-8"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("then `git tcr install --client claude-code`")
    );
    repo.tcr(&["run"]).success();
    assert_eq!(std::fs::read(&file).expect("settings"), bytes);
    assert!(
        findings(&repo)
            .iter()
            .any(|(what, _)| what.contains("`claude-code` is in use")),
        "{:?}",
        findings(&repo)
    );
    repo.tcr(&["uninstall"]).success();
    assert_eq!(std::fs::read(&file).expect("settings"), bytes);
}

#[test]
fn settings_that_are_links_stay_links() {
    let repo = Repo::new();
    let file = ".claude/settings.local.json";
    let mine = repo.around().join("home/mine.json");
    std::fs::create_dir(repo.path(".claude")).expect("a folder");
    repo.link(mine.to_str().expect("text"), file);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "link"]);
    for text in [None, Some("{\"model\": \"opus\"}")] {
        if let Some(text) = text {
            std::fs::write(&mine, text).expect("settings");
        }
        repo.tcr(&["install", "--yes", "--client", "claude-code"])
            .success();
        let now = std::fs::read_to_string(&mine).expect("settings");
        assert!(now.contains("gate --client claude-code"), "{now}");
        repo.tcr(&["uninstall"]).success();
        assert_eq!(std::fs::read_to_string(&mine).ok().as_deref(), text);
        assert_eq!(repo.porcelain(), "");
    }
}

#[test]
fn what_the_branch_is_called_stands_in_no_way() {
    for branch in ["config", "hooks"] {
        let repo = Repo::new();
        repo.git(&["branch", "-m", branch]);
        for round in ["first", "second"] {
            repo.tcr(&["install", "--yes"]).success();
            let accepted = repo.commit("refs/tcr/config");
            repo.write(&format!("tests/{round}.t"), "true # new\n");
            repo.tcr(&["run"]).success();
            repo.tcr(&["squash", "-m", round]).success();
            let hook = repo.path(".git/hooks/pre-commit");
            let edited = std::fs::read_to_string(&hook).expect("ours") + "# edited\n";
            std::fs::write(&hook, edited).expect("a hook");
            repo.tcr(&["run"]).success();
            repo.tcr(&["uninstall"]).success();
            let kept = repo.git(&["for-each-ref", "--format=%(objectname)", "refs/tcr"]);
            let chains: Vec<&str> = kept.lines().collect();
            assert!(
                repo.git(&[&["rev-list"], &chains[..]].concat())
                    .contains(&accepted),
                "{branch}, {round}: the accepted config is kept"
            );
        }
    }
}
