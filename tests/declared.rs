//! What is declared by command: phases, longer steps, waivers.

use crate::support::Repo;
use crate::support::agent::call;
use crate::support::example::{ASKS, RIGHT, WRONG};

fn finished_cycle() -> Repo {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo
}

#[test]
fn refactor_needs_passing_tests_and_is_left_by_the_next_failing_test() {
    let repo = Repo::in_green();
    repo.tcr(&["phase", "refactor"]).exits(1);
    let repo = finished_cycle();
    repo.tcr(&["phase", "refactor"]).success();
    assert_eq!(repo.status()["phase"], "refactor");
    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["next_phase"], "green");
    assert_eq!(repo.status()["cycle"], 2);
    assert_eq!(red["cycle"], 2, "{red}");
    let trailer = "--format=%(trailers:key=TCR-Cycle,valueonly,separator=%x2C)";
    let cycles = repo.git(&["log", trailer, "-n", "2", "tcr/main"]);
    assert_eq!(cycles, "2\n1", "the red begins the next cycle");
    let note = repo.git(&["notes", "--ref=tcr", "show", "tcr/main"]);
    assert!(note.contains("cycle: 2"), "{note}");
}

#[test]
fn what_waits_in_red_may_be_declared_a_refactoring() {
    let repo = finished_cycle();
    let tidied = format!("# sums\n{RIGHT}helper() {{ :; }}\n");
    repo.write("src/add.sh", &tidied);
    for phase in ["green", "plan"] {
        repo.changes_nothing(&["phase", phase]).exits(1);
    }
    repo.changes_nothing(&["phase", "sideways"]).exits(2);
    repo.tcr(&["phase", "refactor"]).success();
    assert_eq!(repo.read("src/add.sh"), tidied);
    // It is judged before the phase is left again.
    let ran = repo.changes_nothing(&["phase", "red"]).exits(1);
    assert!(ran.stderr.contains("hint: git tcr run"), "{}", ran.stderr);
    assert_eq!(repo.run_json()["why"], "refactor");
    repo.tcr(&["phase", "red"]).success();
}

#[test]
fn a_test_that_goes_in_refactor_goes_by_way_of_red() {
    let repo = finished_cycle();
    repo.write("tests/more.t", "true\n");
    assert_eq!(repo.run_json()["why"], "test");
    repo.tcr(&["phase", "refactor"]).success();
    repo.remove("tests/more.t");
    repo.write("src/add.py", "def add(a, b):\n    return a + b\n");
    let kept = repo.tcr(&["run", "--json"]).exits(1).json();
    assert_eq!(kept["why"], "test_removed", "{kept}");
    assert!(kept.to_string().contains("git tcr phase red"), "{kept}");
    repo.tcr(&["phase", "red"]).success();
    let ran = repo.tcr(&["run", "--json"]).exits(1).json();
    assert_eq!(ran["rounds"][0]["why"], "test", "{ran}");
    assert_eq!(ran["rounds"][1]["why"], "unproven", "{ran}");
    let hints = ran["hints"].to_string();
    assert!(hints.contains("change a test"), "{hints}");
    assert!(!repo.git(&["ls-files"]).contains("tests/more.t"));
    repo.tcr(&["phase", "refactor"]).success();
    assert_eq!(repo.run_json()["why"], "refactor");
}

#[test]
fn going_back_to_mend_a_test_parks_the_source_and_brings_it_back() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.write("README.md", "# mine\n");
    repo.changes_nothing(&["phase", "red"]).exits(1);
    repo.tcr(&["phase", "red", "--why", " "]).exits(1);
    let parked = repo
        .tcr(&["phase", "red", "--why", "the sum is wrong", "--json"])
        .success()
        .json();
    assert_eq!(
        parked["parked"],
        serde_json::json!(["src/add.sh"]),
        "{parked}"
    );
    assert!(!repo.exists("src/add.sh"));
    assert_eq!(repo.read("README.md"), "# mine\n");
    assert!(repo.reaches(RIGHT));
    repo.write("tests/add.t", "[ \"$(add 2 2)\" = 4 ]\n");
    let ran = repo.run_json();
    assert_eq!(ran["rounds"][0]["why"], "red", "{ran}");
    assert_eq!(
        repo.git(&["ls-tree", "-r", "--name-only", "HEAD^", "src"]),
        "",
        "the red is without it"
    );
    assert_eq!(ran["rounds"][1]["why"], "green", "back with the red: {ran}");
    assert_eq!(repo.show("HEAD:src/add.sh"), RIGHT.trim_end());
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    let log = repo.tcr(&["log"]).success().stdout;
    assert!(log.contains("the sum is wrong"), "{log}");
}

#[test]
fn parked_source_comes_back_around_the_mended_tests_of_its_file() {
    let lib = |sum: &str, expected: u8| {
        format!(
            "pub fn sum() -> u8 {{\n    {sum}\n}}\n\n#[cfg(test)]\nmod tests {{\n    #[test]\n    \
             fn adds() {{\n        assert_eq!(super::sum(), {expected});\n    }}\n}}\n"
        )
    };
    let repo = Repo::new().with("src/lib.rs", &lib("0", 2)).committed();
    let repo = repo.installed();
    repo.write("tests/add.t", "grep -q '1 + 2' src/lib.rs\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/lib.rs", &lib("1 + 2", 2));
    repo.tcr(&["phase", "red", "--why", "the sum is 3"])
        .success();
    assert_eq!(repo.read("src/lib.rs"), lib("0", 2));
    repo.write("src/lib.rs", &lib("0", 3));
    let ran = repo.run_json();
    assert_eq!(ran["rounds"][0]["why"], "red", "{ran}");
    assert_eq!(repo.show("HEAD^:src/lib.rs"), lib("0", 3).trim_end());
    assert_eq!(ran["rounds"][1]["why"], "green", "{ran}");
    assert_eq!(repo.read("src/lib.rs"), lib("1 + 2", 3));
}

#[test]
fn parked_source_never_overwrites_what_was_written_meanwhile() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.tcr(&["phase", "red", "--why", "mend"]).success();
    repo.write("tests/add.t", "[ \"$(add 2 2)\" = 4 ]\n");
    // Written while the tests of the red run.
    repo.during_next_test("mkdir -p src; echo '# meanwhile' > src/add.sh");
    repo.run_json();
    assert!(repo.reaches(WRONG));
    assert!(
        repo.exists("src/add.sh") && repo.read("src/add.sh") == "# meanwhile\n"
            || repo.reaches("# meanwhile\n")
    );
}

#[test]
fn a_step_is_declared_logged_and_ended_by_a_run() {
    let repo = Repo::in_green();
    let step = repo
        .tcr(&["step", "--why", "rename over many files", "--json"])
        .success()
        .json();
    assert_eq!(step["action"], "step", "{step}");
    assert!(repo.status()["step"].is_object());
    repo.changes_nothing(&["step"]).exits(1);
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    assert_eq!(repo.status()["step"], serde_json::Value::Null);
    let log = repo.tcr(&["log"]).success().stdout;
    assert!(log.contains("rename over many files"), "{log}");
}

#[test]
fn a_step_is_opened_over_uncommitted_work_and_no_test_runs_in_it() {
    let repo = finished_cycle();
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("src/add.sh", WRONG);
    repo.tcr(&["step", "--why", "half way"]).success();
    repo.during_tests("echo ran >> \"$HOME/ran\"");
    for event in ["PostToolUse", "Stop"] {
        let payload = serde_json::json!({"cwd": repo.root(), "hook_event_name": event,
            "tool_name": "Bash", "tool_input": {"command": "true"}, "tool_response": {}});
        call(&repo, "loop", "claude-code", &payload.to_string()).success();
        assert_eq!(repo.read("src/add.sh"), WRONG, "{event}");
        assert!(repo.status()["step"].is_object(), "{event}: it stays open");
        assert!(!repo.around().join("home/ran").exists(), "{event}");
    }
    let judged = repo.run_json();
    assert_eq!(judged["why"], "lost", "kept, not counted: {judged}");
    assert_eq!(repo.read("src/add.sh"), WRONG);
    assert_eq!(repo.status()["step"], serde_json::Value::Null);
}

#[test]
fn a_waiver_lets_one_change_through() {
    let repo = Repo::new().installed();
    let sum = |plus: &str| format!("def add(a, b):\n    return a {plus} b\n");
    repo.tcr(&["allow", "src/add.py", "--once"]).success();
    repo.write("src/add.py", &sum("+"));
    let allowed = repo.run_json();
    assert_eq!(allowed["taken_back"], serde_json::json!([]), "{allowed}");
    assert_eq!(allowed["action"], "commit", "{allowed}");
    assert_eq!(repo.status()["waivers"], serde_json::json!([]));
    repo.write("src/add.py", &sum("-"));
    let again = repo.run_json();
    assert_eq!(
        again["taken_back"][0]["path"], "src/add.py",
        "once: {again}"
    );
    assert_eq!(repo.read("src/add.py"), sum("+"));

    // Of a frozen test, too.
    let repo = Repo::in_green();
    repo.tcr(&["allow", "tests/add.t", "--once"]).success();
    repo.write("tests/add.t", "true\n");
    let allowed = repo.run_json();
    assert_eq!(allowed["taken_back"], serde_json::json!([]), "{allowed}");
    assert_eq!(allowed["why"], "green", "{allowed}");
}

#[test]
fn a_waiver_is_for_a_file_and_seen_in_the_status() {
    let repo = Repo::new().with("src/a.sh", "").committed().installed();
    let refused = repo.changes_nothing(&["allow", "src", "--once"]).exits(2);
    let hint = "hint: git tcr allow src/FILE --once";
    assert!(refused.stderr.contains(hint), "{}", refused.stderr);
    repo.tcr(&["allow", "src/a b.sh", "./src/a b.sh", "--once"])
        .success();
    repo.tcr(&["allow", "src/a b.sh", "--once"]).success();
    let status = repo.status();
    assert_eq!(
        status["waivers"].as_array().map(Vec::len),
        Some(1),
        "{status}"
    );
    let said = repo.tcr(&["status"]).success().stdout;
    assert!(said.contains("  allowed once: `src/a b.sh`\n"), "{said}");
}

#[test]
fn a_known_failure_may_be_what_is_to_pass_next() {
    let repo = Repo::new()
        .with("tests/old.t", "[ \"$(old)\" = 1 ]\n")
        .with("tests/other.t", "false\n")
        .committed()
        .installed();
    let none = repo
        .changes_nothing(&["phase", "green", "tests/first.t"])
        .exits(1);
    assert!(none.stderr.contains("no known failure"), "{}", none.stderr);
    assert!(none.stderr.contains("`tests/old.t`"), "{}", none.stderr);
    let several = repo.changes_nothing(&["phase", "green", ".t"]).exits(1);
    assert!(
        several.stderr.contains("several known failures"),
        "{}",
        several.stderr
    );
    repo.changes_nothing(&["phase", "refactor", "old.t"])
        .exits(2);
    repo.write("tests/more.t", "true\n");
    repo.changes_nothing(&["phase", "green", "old.t"]).exits(1);
    repo.remove("tests/more.t");

    let declared = repo
        .tcr(&["phase", "green", "old.t", "--json"])
        .success()
        .json();
    assert_eq!(declared["next_phase"], "green", "{declared}");
    assert_eq!(declared["awaited"], serde_json::json!(["tests/old.t"]));
    let status = repo.status();
    assert_eq!(
        status["known_failures"],
        serde_json::json!(["tests/other.t"])
    );
    repo.changes_nothing(&["phase", "green", "other.t"])
        .exits(1);
    repo.write("src/old.sh", "old() { echo 1; }\n");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.status()["cycle"], 2);
    repo.tcr(&["squash"]).success();
    repo.tcr(&["verify"]).success();
}

#[test]
fn in_the_first_cycle_the_last_green_is_where_the_work_began() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    let fork = repo.commit("main");
    let back = repo.tcr(&["recover", "green", "--json"]).success().json();
    assert_eq!(back["green"], fork.as_str(), "{back}");
    assert!(!repo.exists("src/add.sh") && !repo.exists("tests/add.t"));
    assert!(repo.reaches(WRONG) && repo.reaches(ASKS));
    assert_eq!(repo.status()["phase"], "red");
    assert_eq!(
        repo.git(&["rev-parse", "HEAD^{tree}"]),
        repo.git(&["rev-parse", "main^{tree}"])
    );
}

#[test]
fn people_only_commands_are_refused_to_agents() {
    let repo = Repo::in_green();
    for command in [
        &["off"][..],
        &["on"],
        &["mode", "off"],
        &["allow", "x", "--once"],
        &["install", "--yes"],
    ] {
        let before = repo.world();
        let ran = repo
            .tcr_in(repo.root(), command, &[("CLAUDECODE", "1")])
            .exits(1);
        assert!(ran.stderr.contains("is for people"), "{}", ran.stderr);
        assert_eq!(repo.world(), before);
    }
}

#[test]
fn known_failures_are_held_against_nobody() {
    let repo = Repo::new()
        .with("tests/old.t", "[ -e mended ]\n")
        .committed()
        .installed();
    assert_eq!(
        repo.status()["known_failures"],
        serde_json::json!(["tests/old.t"])
    );
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    repo.write("mended", "");
    let mended = repo.run_json();
    assert_eq!(mended["action"], "commit", "{mended}");
    assert_eq!(
        repo.status()["known_failures"],
        serde_json::json!([]),
        "it left the list for good"
    );
    repo.remove("mended");
    let again = repo.run_json();
    assert_eq!(again["action"], "keep", "{again}");
    assert_eq!(again["why"], "lost", "{again}");
    assert_eq!(again["lost"], serde_json::json!(["tests/old.t"]));
}
