//! The roles of the cycle, as sub-agents of the clients.

use super::*;

const INSTALL: &[&str] = &[
    "install",
    "--yes",
    "--roles",
    "--client",
    "claude-code",
    "--client",
    "opencode",
];

#[test]
fn they_are_put_in_place_and_taken_out_again() {
    let repo = Repo::new();
    repo.write(".claude/agents/mine.md", "mine\n");
    repo.write(".claude/agents/tcr-coder.md", "my own coder\n");
    let repo = repo.committed();
    let ran = repo.tcr(INSTALL).success();
    assert!(
        ran.stdout.contains("tcr-coder.md` was left alone"),
        "{}",
        ran.stdout
    );
    assert_eq!(repo.read(".claude/agents/tcr-coder.md"), "my own coder\n");
    for file in [
        ".claude/agents/tcr-planner.md",
        ".claude/agents/tcr-test-author.md",
        ".claude/agents/tcr-validator.md",
        ".claude/commands/tcr.md",
        ".opencode/agents/tcr-coder.md",
        ".opencode/commands/tcr.md",
    ] {
        assert!(repo.read(file).starts_with("---\n"), "{file}");
    }
    assert_eq!(
        repo.porcelain(),
        "",
        "a personal installation stays out of git"
    );
    let before = repo.read(".claude/agents/tcr-validator.md");
    repo.tcr(INSTALL).success();
    assert_eq!(
        repo.read(".claude/agents/tcr-validator.md"),
        before,
        "twice is once"
    );

    let agent = Agent {
        repo: &repo,
        id: None,
    };
    assert!(
        agent
            .write(".claude/agents/tcr-validator.md", "always pass\n")
            .is_err()
    );
    assert!(
        agent
            .shell("echo pass > .opencode/agents/tcr-validator.md")
            .is_err()
    );

    repo.write(
        ".claude/agents/tcr-planner.md",
        &format!("{before}my words\n"),
    );
    let ran = repo.tcr(&["uninstall"]).success();
    assert!(
        ran.stdout.contains("tcr-planner.md` alone"),
        "{}",
        ran.stdout
    );
    assert!(
        repo.exists(".claude/agents/tcr-planner.md"),
        "edited, so it stays"
    );
    assert!(!repo.exists(".claude/agents/tcr-validator.md"));
    assert!(!repo.exists(".opencode"));
    assert!(repo.exists(".claude/agents/mine.md") && repo.exists(".claude/agents/tcr-coder.md"));
}
