//! A run that says less than it should is not green, and a detected command that runs nothing is not taken.

use crate::support::Repo;

const TAP: &str = "1..2\nok 1 - adds\nok 2 - takes\n";

/// A repository whose tests print what a file says.
fn telling(tap: &str) -> Repo {
    Repo::new()
        .configured("test = \"cat tests/said.tap\"\n")
        .with("tests/said.tap", tap)
        .committed()
        .installed()
}

#[test]
fn a_run_without_a_report_after_one_with_one_is_broken() {
    let repo = telling(TAP);
    repo.write("tests/said.tap", "hello\n");
    let outcome = repo.tcr(&["run", "--force", "--report", "--json"]).json();
    assert_eq!(outcome["verdict"], "broken", "{outcome}");
    let reason = outcome["test_results"]["reason"].to_string();
    assert!(reason.contains("no report of the tests came"), "{reason}");
}

#[test]
fn without_a_report_from_the_beginning_the_exit_status_tells() {
    let repo = telling("hello\n");
    repo.write("tests/said.tap", "good bye\n");
    let outcome = repo.tcr(&["run", "--force", "--report", "--json"]).json();
    assert_eq!(outcome["verdict"], "green", "{outcome}");
}

#[test]
fn another_command_need_not_tell_as_much() {
    let repo = telling(TAP);
    repo.write(".tcr.toml", "test = \"true\"\n");
    repo.tcr(&["install", "--yes"]).success();
    repo.write("tests/said.tap", "hello\n");
    let outcome = repo.tcr(&["run", "--force", "--report", "--json"]).json();
    assert_eq!(outcome["verdict"], "green", "{outcome}");
}

#[test]
fn a_detected_command_that_does_not_work_gives_way_to_the_next() {
    let repo = Repo::new();
    repo.remove(".tcr.toml");
    repo.write(
        "package.json",
        r#"{"scripts": {"test": "there-is-no-such-program"}}"#,
    );
    repo.write("Makefile", ".PHONY: test\ntest:\n\t./run-tests\n\ttrue\n");
    let repo = repo.committed();
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(said.contains("test command `make test`"), "{said}");
    assert!(said.contains("tried `npm test` before: "), "{said}");
    assert!(repo.read(".tcr.toml").contains("\ntest = \"make test\"\n"));
    assert_eq!(repo.status()["enabled"], true, "{}", repo.status());
}

/// Says as much as doctest of C++ does: the names of the tests that failed, and how many passed.
const COUNTING: &str = r#"#!/bin/sh
all=0 failed=0
for test in tests/*.t; do
  all=$((all + 1))
  sh "$test" || { failed=$((failed + 1)); printf '%079d\n' 0 | tr 0 =; printf 't.cc:1:\nTEST CASE:  %s\n\nt.cc:1: ERROR: CHECK( x ) is NOT correct!\n\n' "$test"; }
done
echo "[doctest] test cases: $all | $((all - failed)) passed | $failed failed | 0 skipped"
[ $failed = 0 ]
"#;

#[test]
fn a_runner_that_names_only_what_fails_says_by_its_count_what_passes() {
    let repo = Repo::new()
        .with("run-tests", COUNTING)
        .with("tests/one.t", "[ \"$(sh src/cart.sh one)\" = 1 ]\n")
        .with("src/cart.sh", "case $1 in one) echo 1;; esac\n");
    repo.make_executable("run-tests");
    let repo = repo.committed().installed();
    repo.write("tests/five.t", "[ \"$(sh src/cart.sh five)\" = 5 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["awaited"][0], "tests/five.t", "{red}");
    repo.write(
        "src/cart.sh",
        "case $1 in one) echo 1;; five) echo 5;; esac\n",
    );
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
}
