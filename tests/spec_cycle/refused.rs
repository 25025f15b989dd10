//! Every transition that the cycle does not allow.

use super::*;

/// Refused with status 1 and these words, and nothing changed.
fn refused(repo: &Repo, args: &[&str], words: &str) {
    let state = |repo: &Repo| {
        let state = repo.status();
        (
            state["phase"].clone(),
            state["spec"].clone(),
            state["cycle"].clone(),
        )
    };
    let before = state(repo);
    let ran = repo.tcr(args).exits(1);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains(words), "{args:?}: {said}");
    assert!(said.contains("hint: "), "{args:?}: {said}");
    assert_eq!(state(repo), before, "{args:?}");
}

const FREEZE: &[&str] = &["freeze", "--verdict", "pass", "--by", GRACE];

#[test]
fn without_a_cycle() {
    let repo = Repo::new().installed();
    repo.write("docs/plan.md", PLAN);
    refused(&repo, &["plan", "docs/plan.md"], "none is running");
    refused(&repo, FREEZE, "none is running");
    refused(&repo, &["phase", "done"], "none is running");
    refused(
        &repo,
        &["test-bug", "tests/first.t:1", "x"],
        "nothing is certified",
    );
    refused(&repo, &["test-bug", "accept", "1"], "no open test bug");
    refused(&repo, &["evidence"], "no evidence");
    refused(
        &repo,
        &["supersede", "docs/plan.md", "--delta", "docs/plan.md"],
        "none is running",
    );
}

#[test]
fn in_plan() {
    let repo = with_spec();
    start(&repo);
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md"],
        "a spec cycle is running",
    );
    refused(&repo, FREEZE, "is done in `red`");
    refused(&repo, &["phase", "done"], "is done in `green`");
    refused(&repo, &["phase", "green"], "not declared");
    refused(&repo, &["phase", "refactor"], "is done in");
    refused(&repo, &["phase", "red"], "is done in `plan`");
    refused(&repo, &["plan", "docs/none.md"], "does not exist");
    refused(&repo, &["plan", "docs/sums.md"], "not its own plan");
    repo.write("docs/empty.md", "\n");
    refused(&repo, &["plan", "docs/empty.md"], "empty");
    repo.write("docs/bad.md", "---\nmust_haves: {\n---\n");
    refused(&repo, &["plan", "docs/bad.md"], "line 2");
    repo.write("docs/sums.md", "# no scenario any more\n");
    refused(&repo, &["plan", "docs/plan.md"], "#### Scenario");
}

#[test]
fn in_red() {
    let repo = planned();
    refused(&repo, &["plan", "docs/plan.md"], "is done in `plan`");
    refused(&repo, FREEZE, "do not fail validly");
    refused(&repo, &["phase", "done"], "is done in `green`");
    refused(&repo, &["phase", "refactor"], "is done in `green`");
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md"],
        "a spec cycle is running",
    );
    write_tests(&repo);
    refused(&repo, FREEZE, "uncommitted work");
}

#[test]
fn in_green() {
    let repo = frozen();
    refused(&repo, FREEZE, "is done in `red`");
    refused(&repo, &["plan", "docs/plan.md"], "is done in `plan`");
    refused(
        &repo,
        &["phase", "red", "--why", "x"],
        "certified and frozen",
    );
    refused(&repo, &["phase", "done"], "do not pass");
    refused(&repo, &["phase", "refactor"], "do not pass");
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md"],
        "a spec cycle is running",
    );
    assert!(logged(&repo, "denied", "done refused"));
}

#[test]
fn done_needs_lint_and_what_the_plan_promised() {
    let repo = with_config(
        "test = \"./run-tests\"\nred_needs = \"error\"\nlint = \"! grep -r bad src\"\n",
    );
    plan(&repo);
    red(&repo);
    freeze(&repo).success();
    repo.write("src/sum.sh", RIGHT);
    repo.tcr(&["run"]).success();
    refused(&repo, &["phase", "done"], "`src/add.sh`");
    repo.write("src/add.sh", "# bad\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "by hand"]);
    repo.tcr(&["run"]);
    refused(&repo, &["phase", "done"], "bad");
    repo.write("src/add.sh", "# good\n");
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
}

#[test]
fn abandon_is_a_persons() {
    let repo = frozen();
    let agent = Agent {
        repo: &repo,
        id: None,
    };
    assert!(agent.shell("git tcr phase done --abandon").is_err());
    assert!(agent.shell("git tcr supersede a --delta b").is_err());
    for args in [
        &["phase", "done", "--abandon"][..],
        &["supersede", "docs/plan.md", "--delta", "docs/plan.md"],
        &["test-bug", "accept", "1"],
        &["test-bug", "reject", "1"],
    ] {
        let ran = repo
            .tcr_in(repo.root(), args, &[("CLAUDECODE", "1")])
            .exits(1);
        assert!(
            ran.stderr.contains("for people"),
            "{args:?}: {}",
            ran.stderr
        );
    }
    repo.tcr(&["phase", "done", "--abandon"]).success();
    let state = repo.status();
    assert_eq!(state["phase"], "done");
    assert_eq!(state["spec"]["abandoned"], true);
    repo.git(&["rev-parse", "refs/tcr/archive/main/oracle-1"]);
    assert!(logged(&repo, "abandon", ""));
    start(&repo);
    assert_eq!(repo.status()["cycle"], 2);
}

#[test]
fn specs_that_are_no_files_of_this_repository() {
    let repo = with_spec();
    let spec = |path: &str, words: &str| {
        refused(&repo, &["start", "--spec", path], words);
    };
    spec("docs/none.md", "does not exist");
    spec("docs", "not a file");
    std::os::unix::fs::symlink("sums.md", repo.path("docs/link.md")).unwrap();
    spec("docs/link.md", "symbolic link");
    std::os::unix::fs::symlink("docs", repo.path("linked")).unwrap();
    spec("linked/sums.md", "symbolic link");
    repo.write("sub/sums.md", SPEC);
    repo.git(&["init", "-q", "sub"]);
    spec("sub/sums.md", "submodule");
    repo.write(".git/info/exclude", "ignored.md\n");
    repo.write("ignored.md", SPEC);
    spec("ignored.md", "git ignores it");
    repo.write("large.md", &format!("{SPEC}{}", "x\n".repeat(5 << 20)));
    spec("large.md", "10 MB");
    std::fs::write(repo.path("bytes.md"), b"\xff\xfe").unwrap();
    spec("bytes.md", "UTF-8");
    repo.write("draft.md", &SPEC.replace("active", "draft"));
    spec("draft.md", "`draft`");
    repo.write("twice.md", &format!("{SPEC}#### Scenario: adds NOTHING\n"));
    spec("twice.md", "twice");
    repo.tcr(&["start", "--spec", "/etc/passwd"]).exits(2);
    repo.write("prd.md", "---\nstatus: draft\n---\n");
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md", "--prd", "prd.md"],
        "`prd.md`",
    );
}

#[test]
fn start_with_uncommitted_work_or_a_failing_test() {
    let repo = with_spec();
    repo.write("tests/more.t", "true\n");
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md"],
        "uncommitted work",
    );
    let repo = Repo::in_green();
    repo.write("docs/sums.md", SPEC);
    refused(
        &repo,
        &["start", "--spec", "docs/sums.md"],
        "is done in `red`",
    );
}
