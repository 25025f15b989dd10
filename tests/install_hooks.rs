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
    let clients = [
        "claude-code",
        "opencode",
        "codex",
        "gemini",
        "copilot",
        "cursor",
    ];
    let mut args = vec!["install", "--yes"];
    for client in clients {
        args.extend(["--client", client]);
    }
    repo.tcr(&args).success();
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
