//! What each mode does, through a small story.

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT, WRONG};
use crate::support::world::MODE_TCR;

/// Source in a language that has a grammar: it can be told from a stub.
const UNASKED: &str = "def early():\n    return 1\n";

fn taken_back(path: &str, why: &str) -> serde_json::Value {
    serde_json::json!([{"path": path, "why": why}])
}

fn in_mode(mode: &str) -> Repo {
    Repo::new()
        .configured(&format!("test = \"./run-tests\"\nmode = \"{mode}\"\n"))
        .installed()
}

#[test]
fn both_gates_and_takes_back() {
    let repo = in_mode("both");
    repo.write("src/early.py", UNASKED);
    let unasked = repo.run_json();
    assert_eq!(unasked["taken_back"], taken_back("src/early.py", "unasked"));
    assert!(!repo.exists("src/early.py"));
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("tests/add.t", "true\n");
    let frozen = repo.run_json();
    assert_eq!(frozen["taken_back"], taken_back("tests/add.t", "frozen"));
    assert_eq!(repo.read("tests/add.t"), ASKS);
    repo.write("src/add.sh", WRONG);
    assert_eq!(repo.run_json()["action"], "take_back");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("src/add.sh", "add() { echo \"$(($1 + $2))\"; }\n");
    assert_eq!(repo.run_json()["why"], "refactor");
    repo.write("src/add.sh", WRONG);
    assert_eq!(repo.run_json()["action"], "take_back");
    assert!(repo.read("src/add.sh").contains("echo \"$"));
}

#[test]
fn a_test_and_its_source_in_one_run_are_a_red_and_a_green() {
    let repo = in_mode("both");
    repo.write("tests/add.t", ASKS);
    repo.write("src/add.sh", RIGHT);
    let outcome = repo.run_json();
    assert_eq!(outcome["rounds"][0]["why"], "red", "{outcome}");
    assert_eq!(outcome["rounds"][1]["why"], "green", "{outcome}");
    assert_eq!(outcome["why"], "green", "the last one: {outcome}");
    let files = |commit: &str| repo.git(&["diff", "--name-only", &format!("{commit}^"), commit]);
    assert_eq!(
        files("HEAD~1"),
        "tests/add.t",
        "the red, without its answer"
    );
    assert_eq!(files("HEAD"), "src/add.sh");
    assert_eq!(repo.status()["cycle"], 2);
}

#[test]
fn source_without_a_grammar_waits_for_its_test() {
    let repo = in_mode("both");
    repo.write("src/add.sh", WRONG);
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(kept["why"], "stub", "{kept}");
    assert_eq!(repo.read("src/add.sh"), WRONG);
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "it counts as a stub: {red}");
    assert_eq!(red["next_phase"], "green", "{red}");
}

#[test]
fn a_test_that_passes_at_once_unlocks_nothing() {
    let repo = in_mode("both");
    repo.write("tests/more.t", "true\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "test", "{outcome}");
    assert_eq!(outcome["next_phase"], "red");
    assert!(
        outcome["remarks"].to_string().contains("unlock nothing"),
        "{outcome}"
    );
}

#[test]
fn docs_ride_along_and_are_never_taken_back() {
    let repo = Repo::in_green();
    repo.write("README.md", "# mine\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "docs", "alone, without a run: {outcome}");
    assert_eq!(outcome["experiments"], serde_json::json!([]), "{outcome}");
    assert_eq!(outcome["next_phase"], "green", "{outcome}");
    repo.write("README.md", "# mine, longer\n");
    repo.write("src/add.sh", WRONG);
    let red = repo.run_json();
    assert_eq!(
        red["rounds"][0]["taken_back"],
        taken_back("src/add.sh", "patience")
    );
    assert_eq!(repo.read("README.md"), "# mine, longer\n");
    repo.write("README.md", "# mine, longest\n");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    assert_eq!(repo.show("HEAD:README.md"), "# mine, longest");
}

#[test]
fn tcr_commits_green_and_takes_everything_else_back() {
    let repo = in_mode("tcr");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "tcr", "no failing test is asked for: {green}");
    repo.write("tests/add.t", "false\n");
    repo.write("src/add.sh", WRONG);
    repo.write("README.md", "# mine\n");
    let red = repo.run_json();
    assert_eq!(red["rounds"][0]["action"], "take_back", "{red}");
    assert!(!repo.exists("tests/add.t"), "tests too");
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    assert_eq!(red["why"], "docs", "they are nobody's failure: {red}");
    assert_eq!(repo.show("HEAD:README.md"), "# mine");
}

#[test]
fn tdd_moves_the_phases_and_touches_nothing() {
    let repo = in_mode("tdd");
    let head = repo.commit("HEAD");
    let step = |path: &str, content: &str| {
        repo.write(path, content);
        let files = repo.files();
        let outcome = repo.run_json();
        assert_eq!(outcome["action"], "none", "{outcome}");
        assert_eq!(repo.files(), files, "nothing is touched");
        assert_eq!(repo.commit("HEAD"), head);
        assert_eq!(repo.branch(), "main");
        outcome
    };
    assert_eq!(step("tests/add.t", ASKS)["next_phase"], "green");
    assert_eq!(step("src/add.sh", WRONG)["next_phase"], "green");
    assert_eq!(step("src/add.sh", RIGHT)["next_phase"], "red");
    assert_eq!(repo.status()["cycle"], 2);
    // A commit by hand changes nothing about what is known.
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "by hand"]);
    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/sub.sh", "sub() { echo 1; }\n");
    repo.write("src/add.sh", WRONG);
    let regression = repo.run_json();
    assert_eq!(
        regression["next_phase"], "green",
        "a regression ends no cycle: {regression}"
    );
    assert!(
        regression["would"]
            .to_string()
            .contains("kept: tests still fail"),
        "{regression}"
    );
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["next_phase"], "red");
}

#[test]
fn relaxed_takes_back_only_what_is_frozen() {
    let repo = in_mode("relaxed");
    repo.write("src/early.py", UNASKED);
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(kept["why"], "unasked", "{kept}");
    assert_eq!(repo.read("src/early.py"), UNASKED);
    repo.remove("src/early.py");
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", WRONG);
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(repo.read("src/add.sh"), WRONG);
    repo.tcr(&["run"]).exits(1);
    repo.write("tests/add.t", "true # weakened\n");
    let frozen = repo.run_json();
    let first = &frozen["rounds"][0];
    let first = if first.is_null() { &frozen } else { first };
    assert_eq!(
        first["taken_back"],
        taken_back("tests/add.t", "frozen"),
        "{frozen}"
    );
    assert_eq!(repo.read("tests/add.t"), ASKS);
    assert_eq!(repo.read("src/add.sh"), WRONG, "{frozen}");
}

#[test]
fn observe_records_what_it_would_have_done() {
    let repo = in_mode("observe");
    repo.write("src/add.sh", WRONG);
    repo.write("tests/first.t", "false\n");
    let files = repo.files();
    let head = repo.commit("HEAD");
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "none", "{outcome}");
    assert!(outcome["would"].is_string(), "{outcome}");
    assert_eq!(repo.files(), files);
    assert_eq!(repo.commit("HEAD"), head);
    assert_eq!(repo.branch(), "main");
    let log = repo.tcr(&["log"]).success().stdout;
    assert!(log.contains("would have"), "{log}");
}

#[test]
fn off_does_nothing_and_on_takes_what_is_there_as_the_baseline() {
    let repo = Repo::in_green();
    repo.tcr(&["off"]).success();
    repo.write("src/add.sh", WRONG);
    repo.git(&["add", "src/add.sh"]);
    repo.write("tests/add.t", "true\n");
    let ran = repo.changes_nothing(&["run"]).success();
    assert!(ran.stdout.contains("off on `main`"), "{}", ran.stdout);
    assert!(ran.stdout.contains("hint: git tcr on"), "{}", ran.stdout);
    repo.tcr(&["phase", "refactor"]).exits(1);
    repo.tcr(&["on"]).success();
    assert_eq!(repo.read("src/add.sh"), WRONG);
    assert_eq!(
        repo.show("HEAD:src/add.sh"),
        WRONG.trim_end(),
        "the baseline has it"
    );
    assert_eq!(repo.porcelain(), "");
    repo.tcr(&["on"]).success();
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "none", "{outcome}");
}

#[test]
fn a_mode_is_set_per_branch() {
    let repo = Repo::new().configured(MODE_TCR).installed();
    repo.tcr(&["mode", "relaxed"]).success();
    assert_eq!(repo.status()["mode"], "relaxed");
    repo.git(&["switch", "-q", "-c", "other"]);
    repo.run_json();
    assert_eq!(repo.status()["mode"], "tcr");
    repo.git(&["switch", "-q", "main"]);
    assert_eq!(repo.status()["mode"], "relaxed");
    repo.tcr(&["mode", "off"]).success();
    repo.write("tests/first.t", "false\n");
    let ran = repo.changes_nothing(&["run"]).success();
    assert!(ran.stdout.contains("off on `main`"), "{}", ran.stdout);
    assert!(ran.stdout.contains("hint: git tcr on"), "{}", ran.stdout);
    repo.tcr(&["on"]).success();
    assert_eq!(repo.status()["mode"], "tcr", "as the config has it");
    assert_eq!(
        repo.show("HEAD:tests/first.t"),
        "false",
        "what was there is the baseline"
    );
}

#[test]
fn what_was_observed_of_another_tree_is_not_said_of_this_one() {
    let repo = Repo::new().installed();
    repo.tcr(&["mode", "observe"]).success();
    repo.write("tests/add.t", "false\n");
    let seen = repo.tcr(&["run", "--json"]).success().json();
    assert_eq!(seen["verdict"], "red", "{seen}");
    repo.remove("tests/add.t");
    repo.tcr(&["mode", "both"]).success();
    let now = repo.tcr(&["run", "--json"]).json();
    assert_eq!(now["test_results"]["verdict"], "green", "{now}");
}

#[test]
fn status_says_what_may_be_written_in_the_mode_at_hand() {
    let repo = Repo::in_green();
    for (mode, words) in [
        ("both", "source, until the failing tests pass"),
        ("tcr", "anything: what makes the tests fail is taken back"),
        ("observe", "anything: what the rules have against it"),
    ] {
        repo.tcr(&["mode", mode]).success();
        let status = repo.tcr(&["status"]).success().stdout;
        assert!(status.contains(words), "{mode}: {status}");
        let allowed = repo.status()["allowed_now"].to_string();
        assert!(allowed.contains(words), "{mode}: {allowed}");
    }
}

#[test]
fn without_phases_nothing_speaks_of_them() {
    let repo = Repo::new().configured(MODE_TCR);
    let next = "make a small change, then `git tcr run`";
    let installed = repo.tcr(&["install", "--yes"]).success();
    for said in [
        installed.stdout,
        repo.tcr(&["status"]).success().stdout,
        repo.tcr(&["run"]).success().stdout,
    ] {
        assert!(said.contains(next), "{said}");
        assert!(!said.contains("failing test"), "{said}");
    }
}

/// Through a whole cycle: what was accepted is in the worktree, and in no commit.
fn after_a_cycle_in(mode: &str) -> Repo {
    let repo = in_mode(mode);
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["next_phase"], "red");
    repo
}

#[test]
fn work_that_was_accepted_without_a_commit_is_no_obstacle() {
    for mode in ["tdd", "observe"] {
        let repo = after_a_cycle_in(mode);
        repo.tcr(&["step"]).success();
        assert_eq!(repo.run_json()["action"], "none", "{mode}: ends the step");
        assert_eq!(repo.status()["step"], serde_json::Value::Null, "{mode}");
        repo.tcr(&["phase", "refactor"]).success();
        repo.write("src/add.sh", "add() { expr \"$1\" + \"$2\"; }\n");
        repo.tcr(&["phase", "red"]).exits(1);
        assert_eq!(repo.run_json()["would"], "committed as refactor", "{mode}");
        repo.tcr(&["phase", "red"]).success();
        assert_eq!(repo.status()["cycle"], 2, "{mode}");
    }
}

const ASKS_WRONGLY: &str = "[ \"$(sub 3 2)\" = 2 ]\n";
const ASKS_RIGHTLY: &str = "[ \"$(sub 3 2)\" = 1 ]\n";
const SUB: &str = "sub() { echo 1; }\n";

#[test]
fn going_back_to_a_test_puts_aside_what_this_cycle_wrote() {
    let repo = after_a_cycle_in("tdd");
    repo.write("tests/sub.t", ASKS_WRONGLY);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/sub.sh", SUB);
    repo.tcr(&["phase", "red", "--why", "three less two is one"])
        .success();
    assert!(!repo.exists("src/sub.sh"));
    assert_eq!(repo.read("src/add.sh"), RIGHT, "of the cycle before");
    repo.write("tests/sub.t", ASKS_RIGHTLY);
    assert_eq!(repo.run_json()["next_phase"], "green");
    assert_eq!(repo.read("src/sub.sh"), SUB, "it is back");
    assert_eq!(repo.run_json()["next_phase"], "red");
}

#[test]
fn observe_takes_nothing_out_of_the_worktree() {
    let repo = after_a_cycle_in("observe");
    repo.write("tests/sub.t", ASKS_WRONGLY);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/sub.sh", SUB);
    let files = repo.files();
    repo.tcr(&["phase", "red", "--why", "three less two is one"])
        .success();
    assert_eq!(repo.files(), files);
}

#[test]
fn the_words_fit_the_mode() {
    let repo = in_mode("tcr");
    let said = repo.tcr(&["phase", "refactor"]).success().stdout;
    assert!(
        said.contains("anything: what makes the tests fail"),
        "{said}"
    );
    repo.tcr(&["phase", "red"]).success();
    repo.write("tests/add.t", ASKS);
    let said = repo.tcr(&["run"]).exits(1).stdout;
    assert!(!said.contains("a failing test first"), "{said}");
}

#[test]
fn a_mode_for_a_branch_that_is_off_says_so() {
    let repo = in_mode("both");
    repo.tcr(&["off"]).success();
    let said = repo.tcr(&["mode", "tcr"]).success().stdout;
    assert!(said.contains("git tcr is off on `main`"), "{said}");
    assert!(said.contains("hint: git tcr on"), "{said}");
    let said = repo.tcr(&["mode", "tcr", "--json"]).success().json();
    let facts = serde_json::json!({"action": "mode", "base": "main", "mode": "tcr", "off": true});
    assert_eq!(said, facts);
    let said = repo.tcr(&["on", "--json"]).success().json();
    assert_eq!(said["phase"], "red", "{said}");
    let said = repo.tcr(&["mode", "both"]).success().stdout;
    assert!(!said.contains("off"), "{said}");
}
