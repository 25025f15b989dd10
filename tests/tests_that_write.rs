//! A verdict counts only for a tree that held still; what a run leaves behind is neither committed
//! nor deleted.

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT, WRONG};

#[test]
fn leftovers_are_named_once_and_left_out_while_unchanged() {
    let repo = Repo::in_green();
    repo.during_tests(
        "mkdir -p out; echo log > out/run.log; [ -e report.json ] || echo '{}' > report.json",
    );
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["left_out"], serde_json::json!(["report.json"]));
    assert_eq!(repo.read("out/run.log"), "log\n");
    assert_eq!(
        repo.git(&["ls-tree", "-r", "--name-only", "HEAD"])
            .matches("run.log")
            .count(),
        0
    );

    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    let logs = serde_json::json!(["out/run.log"]);
    assert_eq!(red["left_out"], logs, "private, and each is named once");
    repo.write("src/sub.sh", "sub() { echo 7; }\n");
    let wrong = repo.run_json();
    assert_eq!(wrong["action"], "take_back", "{wrong}");
    assert!(
        repo.exists("out/run.log") && repo.exists("report.json"),
        "never deleted"
    );
    let tracked = repo.git(&["log", "--all", "--name-only", "--format="]);
    assert!(
        !tracked.contains("report.json") && !tracked.contains("run.log"),
        "{tracked}"
    );

    repo.write("report.json", "{\"mine\": 1}\n");
    repo.write("src/sub.sh", "sub() { echo $(($1 - $2)); }\n");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(
        repo.show("HEAD:report.json"),
        "{\"mine\": 1}",
        "changed by hand, it is work"
    );
}

#[test]
fn leftovers_of_the_first_run_are_no_baseline() {
    let repo = Repo::new();
    repo.during_tests("echo $$ > tests/cache.bin; echo gen > src.gen");
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.branch(), "main");
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["files"], serde_json::json!(["tests/add.t"]));
    assert_eq!(
        repo.git(&["diff", "--name-only", "HEAD~1", "HEAD"]),
        "tests/add.t"
    );
    assert!(repo.exists("tests/cache.bin"));
}

#[test]
fn a_compiled_file_beside_a_test_is_a_leftover() {
    let repo = Repo::new().installed();
    repo.during_tests(
        "mkdir -p tests/cache; [ -e tests/cache/add.bin ] || printf 'a\\000b' > tests/cache/add.bin",
    );
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(
        repo.git(&["diff", "--name-only", "HEAD~1", "HEAD"]),
        "tests/add.t"
    );
    assert_eq!(red["left_out"], serde_json::json!(["tests/cache/add.bin"]));
    // A leftover that the runs write anew stays one.
    repo.during_tests("printf 'c\\000%s' \"$$\" > tests/cache/add.bin");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(
        repo.git(&["diff", "--name-only", "HEAD~1", "HEAD"]),
        "src/add.sh"
    );
}

#[test]
fn leftovers_that_are_gone_are_forgotten() {
    let repo = Repo::in_green();
    repo.during_tests("echo x > junk-$$.txt");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    let names = green["left_out"].as_array().expect("names");
    assert_eq!(names.len(), 2, "of both runs: {green}");
    names
        .iter()
        .for_each(|name| repo.remove(name.as_str().expect("a name")));
    repo.during_tests("true");
    repo.write("tests/sub.t", "false\n");
    repo.run_json();
    assert_eq!(repo.status()["leftovers"], serde_json::json!({}));
}

#[test]
fn a_file_written_by_every_run_is_no_reason_to_keep() {
    let repo = Repo::in_green();
    repo.during_tests("mkdir -p src; echo 'gen() { :; }' > src/generated.sh");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["files"], serde_json::json!(["src/add.sh"]));
    assert!(repo.exists("src/generated.sh"));
}

#[test]
fn one_save_while_the_tests_run_is_tested_too() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_next_test("echo 'add() { echo 4; }' > src/add.sh");
    let ran = repo.run_json();
    assert_eq!(
        ran["action"], "take_back",
        "judged by what is there now: {ran}"
    );
    assert!(repo.reaches(WRONG));

    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    repo.during_next_test("echo 'add() { echo 3; }' > src/add.sh");
    let ran = repo.run_json();
    assert_eq!(ran["why"], "green", "{ran}");
    assert_eq!(repo.show("HEAD:src/add.sh"), "add() { echo 3; }");
}

/// A test that cleans up too much, or that resets the worktree it runs in.
#[test]
fn work_that_the_tests_take_away_is_kept() {
    for takes in ["rm -r src", "git checkout -q . && git clean -fdq"] {
        let repo = Repo::new()
            .with("src/old.sh", "old() { echo old; }\n")
            .committed()
            .installed();
        repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
        assert_eq!(repo.run_json()["why"], "red");
        repo.write("src/add.sh", RIGHT);
        repo.write("src/old.sh", "old() { echo new; }\n");
        repo.during_next_test(takes);
        let ran = repo.tcr(&["run"]);
        let said = "gone after a test run, kept as recover 1: `src/add.sh`, `src/old.sh`";
        assert!(ran.stdout.contains(said), "{takes}: {}", ran.stdout);
        assert!(repo.reaches(RIGHT), "{takes}");
        assert!(repo.reaches("old() { echo new; }\n"), "{takes}");
        repo.tcr(&["recover", "restore", "1"]).success();
        assert_eq!(repo.read("src/add.sh"), RIGHT);
    }
    let repo = Repo::new();
    repo.write("src/add.sh", RIGHT);
    repo.git(&["add", "src/add.sh"]);
    repo.during_next_test("rm -r src");
    let ran = repo.tcr(&["install", "--yes"]).success();
    assert!(
        ran.stdout.contains("kept as recover 1: `src/add.sh`"),
        "{}",
        ran.stdout
    );
    assert!(repo.reaches(RIGHT));
}

/// Somebody sees it and presses Ctrl-C, or worse.
#[test]
fn work_that_was_taken_away_by_tests_that_were_ended_is_kept() {
    for signal in ["INT", "KILL"] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", RIGHT);
        repo.during_next_test(&format!(
            "rm -r src; read -r _ pid < .git/tcr/lock; kill -{signal} \"$pid\"; exit 1"
        ));
        repo.tcr(&["run"]);
        repo.tcr(&["run"]);
        assert!(repo.reaches(RIGHT), "{signal}");
        let list = repo.tcr(&["recover", "list"]).success();
        assert!(list.stdout.contains("`src/add.sh`"), "{signal}: {list:?}");
        repo.assert_tidy(signal);
    }
}

/// A file that somebody moves meanwhile, or writes again, is not gone.
#[test]
fn work_that_moves_while_the_tests_run_is_no_entry() {
    for moves in ["mv src/add.sh src/sum.sh", "echo '# more' >> src/add.sh"] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", RIGHT);
        repo.during_next_test(moves);
        assert_eq!(repo.run_json()["why"], "green", "{moves}");
        assert_eq!(
            repo.git(&["for-each-ref", "refs/tcr/reverts"]),
            "",
            "{moves}"
        );
    }
}

/// The source does it, or an agent with two hands: the rules hold for what came meanwhile too.
#[test]
fn a_frozen_test_weakened_while_the_tests_run_is_put_back() {
    let repo = Repo::in_green();
    let test = repo.read("tests/add.t");
    repo.write("src/add.sh", "add() { echo 4; }\n");
    repo.during_next_test("echo true > tests/add.t");
    let ran = repo.tcr(&["run"]).exits(1);
    assert!(
        ran.stdout
            .contains("changed while the tests ran, and `green` does not allow it"),
        "{}",
        ran.stdout
    );
    assert_eq!(repo.read("tests/add.t"), test);
    assert_eq!(repo.status()["phase"], "green");
    assert!(repo.reaches("true\n"));

    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo true > tests/add.t; echo 4; }\n");
    let head = repo.commit("HEAD");
    repo.tcr(&["run"]).exits(1);
    assert_eq!(
        (repo.commit("HEAD"), repo.read("tests/add.t")),
        (head, test)
    );
}

#[test]
fn leftovers_of_a_run_that_is_repeated_stay_leftovers() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_tests(
        "echo out > out.txt; if [ ! -e \"$HOME/once\" ]; then touch \"$HOME/once\"; echo '# more' >> src/add.sh; fi",
    );
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["files"], serde_json::json!(["src/add.sh"]));
    assert_eq!(green["left_out"], serde_json::json!(["out.txt"]));
}

#[test]
fn a_save_that_is_staged_at_once_is_seen_all_the_same() {
    let repo = Repo::new()
        .with("src/lib.sh", "lib() { echo 1; }\n")
        .committed()
        .installed();
    repo.write(
        "tests/lib.t",
        "[ \"$(lib)\" = 1 ] && [ \"$(add 1 2)\" = 3 ]\n",
    );
    assert_eq!(repo.run_json()["why"], "red");
    repo.write("src/add.sh", RIGHT);
    // Clean before, edited and staged meanwhile: as the index has it, and yet another content.
    repo.during_next_test("echo 'lib() { echo 2; }' > src/lib.sh; git add src/lib.sh");
    let ran = repo.run_json();
    assert_eq!(ran["action"], "take_back", "{ran}");
    assert!(repo.reaches("lib() { echo 2; }\n"));
}

#[test]
fn a_file_taken_out_of_the_index_meanwhile_is_no_leftover() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_next_test("git rm -q --cached tests/first.t");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["left_out"], serde_json::json!([]));
    repo.write("tests/sub.t", "false\n");
    assert_eq!(repo.run_json()["why"], "red");
    assert_eq!(repo.show("HEAD:tests/first.t"), "true");
}

#[test]
fn a_new_test_saved_while_the_tests_run_is_tested_too() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", ASKS);
    repo.during_next_test("echo false > tests/sub.t");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(
        red["files"],
        serde_json::json!(["tests/add.t", "tests/sub.t"])
    );
    assert_eq!(
        red["test_results"]["failed"].as_array().map(Vec::len),
        Some(2),
        "{red}"
    );
}

#[test]
fn files_that_never_hold_still_are_kept_and_named() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_tests("echo \"# $$\" >> src/add.sh");
    let head = repo.commit("HEAD");
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(
        ran.stdout.contains("files changed while the tests ran"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("`src/add.sh`"), "{}", ran.stdout);
    assert_eq!(repo.commit("HEAD"), head);
    assert!(repo.read("src/add.sh").starts_with(RIGHT));
    assert_eq!(repo.status()["phase"], "green");
}

#[test]
fn a_run_that_says_nothing_is_not_remembered() {
    let repo = Repo::in_green();
    // The tests pass only because of what the run itself writes, and it is taken back afterwards.
    repo.write("src/add.sh", WRONG);
    let counter = repo.around().join("home/count");
    repo.during_tests(&format!(
        "echo x >> {0}; echo 'add() {{ echo 3; }} #'$(wc -l < {0}) > src/add.sh",
        counter.display()
    ));
    repo.tcr(&["run"]).exits(2);
    // The very tree that the second run began with.
    repo.write("src/add.sh", "add() { echo 3; } #1\n");
    repo.during_tests("echo 'add() { echo 4; }' > src/add.sh; touch \"$HOME/ran\"");
    repo.tcr(&["run"]);
    assert!(
        repo.around().join("home/ran").exists(),
        "the tests ran again"
    );
}

#[test]
fn tracked_files_that_the_tests_rewrite_alike_are_tested_as_they_end() {
    let repo = Repo::new()
        .with("lock.json", "old\n")
        .committed()
        .installed();
    repo.during_tests("echo new > lock.json");
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.show("HEAD:lock.json"), "new");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn install_runs_again_when_the_first_run_rewrote_a_file() {
    let repo = Repo::new().with("lock.json", "old\n").committed();
    repo.during_tests("echo new > lock.json");
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(
        repo.show("HEAD:lock.json"),
        "new",
        "what was tested is the baseline"
    );
    assert_eq!(repo.porcelain(), "");

    let repo = Repo::new().with("lock.json", "old\n").committed();
    repo.during_tests("echo $$ > lock.json");
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.show("HEAD:lock.json"), "old", "written anew each time");
    assert_eq!(repo.branch(), "main");
}

#[test]
fn a_file_deleted_by_the_tests_is_a_change() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    repo.during_next_test("rm tests/first.t");
    let ran = repo.run_json();
    let gone = serde_json::json!([{"path": "tests/first.t", "why": "frozen"}]);
    assert_eq!(ran["rounds"][0]["taken_back"], gone, "{ran}");
    assert_eq!(ran["why"], "green", "with the test back: {ran}");
    assert_eq!(ran["test_results"]["total"], 2, "{ran}");
    assert_eq!(repo.show("HEAD:tests/first.t"), "true");
}

#[test]
fn gc_in_the_middle_of_a_run_loses_nothing() {
    for (body, action) in [(RIGHT, "commit"), (WRONG, "take_back")] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", body);
        repo.during_tests(
            "git gc -q --prune=now; git reflog expire --expire=now --all; git gc -q --prune=now",
        );
        let ran = repo.run_json();
        assert_eq!(ran["action"], action, "{ran}");
        assert!(repo.reaches(body));
        repo.git(&["fsck", "--connectivity-only"]);
        assert_eq!(repo.porcelain(), "");
    }
}

#[test]
fn gc_after_a_crash_leaves_what_is_needed_to_finish() {
    for (body, point) in [
        (RIGHT, "plan-written"),
        (RIGHT, "refs-moved"),
        (WRONG, "plan-written"),
        (WRONG, "refs-moved"),
    ] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", body);
        // A test that stays changed makes a target tree that no other ref has.
        repo.write("README.md", "# changed\n");
        repo.tcr_in(
            repo.root(),
            &["run"],
            &[("GIT_TCR_FAULT", &format!("kill:{point}"))],
        )
        .exits(-1);
        repo.git(&["reflog", "expire", "--expire=now", "--all"]);
        repo.git(&["gc", "-q", "--prune=now"]);
        let ran = repo.tcr(&["run", "--json"]);
        assert_ne!(ran.status, 2, "{point}: {}", ran.stderr);
        assert!(repo.reaches(body), "{point}");
        assert_eq!(repo.read("README.md"), "# changed\n");
        repo.git(&["fsck", "--connectivity-only"]);
    }
}

#[test]
fn a_leftover_that_somebody_wrote_too_stays_one_if_the_run_writes_it() {
    let repo = Repo::in_green();
    repo.during_tests("date +%s%N > .cache");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["left_out"], serde_json::json!([".cache"]), "{green}");
    // The tests were run by hand.
    repo.write(".cache", "another run\n");
    repo.write("tests/sub.t", "[ \"$(sub 3 2)\" = 1 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["files"], serde_json::json!(["tests/sub.t"]));
    assert!(repo.exists(".cache"));
}

#[test]
fn a_file_that_was_there_before_and_that_every_run_writes_is_left_out() {
    let repo = Repo::in_green();
    repo.write(".cache", "of a run before\n");
    repo.during_tests("date +%s%N > .cache");
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["files"], serde_json::json!(["src/add.sh"]));
    assert_eq!(green["left_out"], serde_json::json!([".cache"]));
    assert!(repo.exists(".cache"));
}

#[test]
fn a_branch_that_could_not_become_active_leaves_nothing_in_flight() {
    let repo = Repo::in_green();
    repo.tcr(&["off"]).success();
    repo.during_tests("date +%N >> tests/first.t");
    repo.tcr(&["on"]).exits(2);
    assert_eq!(repo.git(&["for-each-ref", "refs/tcr/pending/"]), "");
}
