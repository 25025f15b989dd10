//! A monorepo: each project has its own tests and patterns.

use crate::support::{RUNNER, Repo};

fn monorepo() -> Repo {
    let repo = Repo::new()
        .with("a/run-tests", RUNNER)
        .with("a/tests/first.t", "true\n")
        .with("b/run-tests", RUNNER)
        .with("b/checks/first.t", "true\n")
        .with("b/tests/first.t", "true\n");
    repo.configured(
        r#"
[[project]]
path = "a"
test = "echo a >> ../ran.log; sh run-tests"

[[project]]
path = "b"
test = "echo b >> ../ran.log; sh run-tests"
needs = ["a"]
"#,
    )
    .with(".gitignore", "ran.log\n")
    .committed()
    .installed()
}

#[test]
fn only_the_tests_of_a_change_and_of_what_builds_on_it_are_run() {
    let repo = monorepo();
    repo.write("ran.log", "");
    repo.write("b/tests/more.t", "[ \"$(more)\" = 1 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.read("ran.log"), "b\n");
    assert_eq!(red["test_results"]["failed"][0], "b > tests/more.t");
    assert_eq!(
        red["test_results"]["passed"].as_array().map(Vec::len),
        Some(2),
        "a's result is as it was: {red}"
    );

    repo.write("b/src/more.sh", "more() { echo 1; }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo.write("ran.log", "");
    repo.write("a/tests/less.t", "[ \"$(less)\" = 1 ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    assert_eq!(repo.read("ran.log"), "a\nb\n", "b builds on a");
}

#[test]
fn a_red_unlocks_its_own_project_and_what_builds_on_it() {
    let repo = monorepo();
    repo.write("b/tests/more.t", "[ \"$(more)\" = 1 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("a/src/other.sh", "other() { :; }\n");
    let outcome = repo.run_json();
    assert_eq!(
        outcome["taken_back"],
        serde_json::json!([{"path": "a/src/other.sh", "why": "unasked"}]),
        "b's failing test asks nothing of a: {outcome}"
    );
    let hints = outcome["hints"].to_string();
    assert!(hints.contains("is another project's"), "{hints}");

    let repo = monorepo();
    repo.write("a/tests/more.t", "[ \"$(more)\" = 1 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("a/src/more.sh", "more() { echo 1; }\n");
    repo.write("b/src/other.sh", "other() { :; }\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "green", "b builds on a: {outcome}");
}

#[test]
fn the_test_command_of_each_project_is_shown() {
    let repo = Repo::new();
    repo.remove(".tcr.toml");
    let make = ".PHONY: test\ntest:\n\t../run-tests\n\ttrue\n";
    let cargo = "[package]\nname = \"c\"\n";
    for (path, content) in [("a", make), ("b", make)] {
        repo.write(&format!("{path}/Makefile"), content);
        repo.write(&format!("{path}/setup.py"), "");
        repo.write(&format!("{path}/tests/first.t"), "true\n");
    }
    repo.write("c/Cargo.toml", cargo);
    let repo = repo.committed();
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    let tests = "`make test` in `a`, `b`; `cargo test --no-fail-fast` in `c`";
    assert!(
        said.contains(&format!("wrote `.tcr.toml`: test commands {tests}\n")),
        "{said}"
    );
    let said = repo.tcr(&["status"]).success().stdout;
    assert!(
        said.contains(&format!("tests of projects: {tests}\n")),
        "{said}"
    );
    assert_eq!(repo.status()["project_tests"]["b"], "make test");
}
