//! Worktrees, merges and renames around a cycle, and a spec that takes another's place.

use super::*;

const NEW: &str = "\
# Sums, again

### Requirement: Addition

#### Scenario: Adds two numbers

### Requirement: Zero

#### Scenario: Zero is nothing
";

const DELTA: &str = "## ADDED Requirements\n### Requirement: Zero\n";

#[test]
fn a_new_spec_takes_the_place_of_a_frozen_one() {
    let repo = with_spec();
    repo.write(
        "docs/sums.md",
        &format!("{SPEC}\n## Related / Triggers\n- docs/minus.md\n"),
    );
    plan(&repo);
    red(&repo);
    freeze(&repo).success();
    let oracle = repo.git(&["rev-parse", "refs/tcr/oracle/main"]);
    repo.write("docs/new.md", NEW);
    repo.write("docs/delta.md", DELTA);
    repo.tcr(&["supersede", "docs/new.md"]).exits(2);
    repo.write("docs/wrong.md", "## REMOVED Requirements\n- Zero\n");
    repo.tcr(&["supersede", "docs/new.md", "--delta", "docs/wrong.md"])
        .exits(1);
    repo.tcr(&["supersede", "docs/new.md", "--delta", "docs/none.md"])
        .exits(1);
    repo.tcr(&["supersede", "docs/sums.md", "--delta", "docs/delta.md"])
        .exits(1);
    assert_eq!(repo.status()["phase"], "green", "nothing changed so far");

    let ran = repo
        .tcr(&["supersede", "docs/new.md", "--delta", "docs/delta.md"])
        .success();
    assert!(ran.stdout.contains("docs/minus.md"), "{}", ran.stdout);
    let state = repo.status();
    assert_eq!(state["phase"], "plan");
    assert_eq!(state["spec"]["path"], "docs/new.md");
    assert_eq!(state["spec"]["supersedes"]["id"], "sums");
    assert_eq!(
        repo.git(&["rev-parse", "refs/tcr/archive/main/oracle-1"]),
        oracle
    );
    let old = repo.read("docs/sums.md");
    assert!(
        old.contains("status: superseded\nsuperseded_by: docs/new.md\n---\n"),
        "{old}"
    );
    repo.write("docs/plan.md", "# another plan\n");
    repo.tcr(&["plan", "docs/plan.md"]).success();
    assert!(repo.show("tcr/main:docs/sums.md").contains("superseded"));
    repo.tcr(&["run"]);
    assert_eq!(
        repo.read("docs/sums.md"),
        old,
        "no longer the spec, so it stays as it is"
    );
}

#[test]
fn two_worktrees_with_two_specs_do_not_disturb_each_other() {
    let repo = with_spec();
    repo.git(&["branch", "other", "main"]);
    let other = repo.linked_worktree("other", &[], "other");
    plan(&repo);
    let tcr = |args: &[&str]| repo.tcr_in(&other, args, &[]);
    std::fs::create_dir_all(other.join("docs")).unwrap();
    std::fs::write(other.join("docs/new.md"), NEW).unwrap();
    std::fs::write(other.join("docs/plan.md"), "# plan\n").unwrap();
    tcr(&["start", "--spec", "docs/new.md"]).success();
    red(&repo);
    freeze(&repo).success();
    assert_eq!(tcr(&["status", "--json"]).json()["phase"], "plan");
    tcr(&["plan", "docs/plan.md"]).success();
    std::fs::write(
        other.join("tests/adds_two_numbers.t"),
        "[ \"$(add 1 2)\" = 3 ]\n",
    )
    .unwrap();
    std::fs::write(
        other.join("tests/zero_is_nothing.t"),
        "[ \"$(zero)\" = 0 ]\n",
    )
    .unwrap();
    tcr(&["run"]);
    tcr(&["freeze", "--verdict", "pass", "--by", GRACE]).success();
    let (one, two) = (
        repo.git(&["rev-parse", "refs/tcr/oracle/main"]),
        repo.git(&["rev-parse", "refs/tcr/oracle/other"]),
    );
    assert_ne!(one, two);
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
    assert_eq!(tcr(&["status", "--json"]).json()["phase"], "green");
}

#[test]
fn a_merge_of_the_base_keeps_the_oracle_and_says_what_changed() {
    let repo = frozen();
    repo.git(&["switch", "-q", "-c", "theirs", "main"]);
    repo.write("tests/adds-nothing.t", "true\n");
    repo.write("tests/theirs.t", "true\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "theirs"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    let merged = repo.try_git(&["merge", "-q", "-X", "theirs", "-m", "merge", "theirs"]);
    assert_eq!(merged.status, 0, "{}{}", merged.stdout, merged.stderr);
    assert_eq!(repo.read("tests/adds-nothing.t"), "true\n");
    let outcome = repo.run_json();
    assert_eq!(
        outcome["taken_back"][0]["path"], "tests/adds-nothing.t",
        "{outcome}"
    );
    assert_eq!(
        repo.read("tests/adds-nothing.t"),
        "[ \"$(add 4 0)\" = 4 ]\n"
    );
    assert!(repo.exists("tests/theirs.t"), "what is not frozen may come");
    assert!(
        logged(&repo, "by-hand", "the oracle stays"),
        "{:?}",
        log(&repo)
    );
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["phase", "done"]).success();
    let frozen = repo.show("tcr/main:tests/adds-nothing.t");
    assert_eq!(frozen, "[ \"$(add 4 0)\" = 4 ]");
}

#[test]
fn a_renamed_base_takes_its_oracle_along() {
    let repo = frozen();
    let oracle = repo.git(&["rev-parse", "refs/tcr/oracle/main"]);
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    assert_eq!(repo.git(&["rev-parse", "refs/tcr/oracle/trunk"]), oracle);
    repo.tcr(&["phase", "done"]).success();
    repo.tcr(&["evidence"]).success();
}

#[test]
fn a_branch_becomes_active_with_its_first_spec() {
    let repo = with_spec();
    repo.git(&["switch", "-q", "-c", "feature", "main"]);
    start(&repo);
    assert_eq!(repo.status()["phase"], "plan");
    assert_eq!(repo.status()["base"], "feature");
}

#[test]
fn in_mode_tdd_nothing_is_committed_and_the_cycle_works() {
    let repo = with_spec();
    repo.tcr(&["mode", "tdd"]).success();
    let head = repo.git(&["rev-parse", "HEAD"]);
    plan(&repo);
    write_tests(&repo);
    repo.tcr(&["run"]);
    freeze(&repo).success();
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "sums"]);
    repo.tcr(&["run"]);
    repo.tcr(&["phase", "done"]).success();
    let evidence = repo.tcr(&["evidence", "--json"]).success().stdout;
    let file = repo.around().join("evidence.json");
    std::fs::write(&file, evidence).unwrap();
    let file = file.to_str().unwrap();
    repo.tcr(&["evidence", "--check", file]).success();
}
