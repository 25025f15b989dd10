//! `git tcr check` answers and changes nothing.

use crate::support::Repo;

fn refs(repo: &Repo) -> String {
    repo.git(&["for-each-ref"])
}

#[test]
fn red_holds_for_a_test_that_fails_and_not_for_one_that_passes() {
    let repo = Repo::new().installed();
    repo.tcr(&["check", "red"]).exits(1);
    repo.tcr(&["check", "green"]).exits(0);
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let before = refs(&repo);
    repo.tcr(&["check", "red"]).exits(0);
    repo.tcr(&["check", "red", "tests/add.t"]).exits(0);
    repo.tcr(&["check", "red", "tests/first.t"]).exits(1);
    repo.tcr(&["check", "green"]).exits(1);
    repo.tcr(&["check", "green", "tests/first.t"]).exits(0);
    repo.tcr(&["check", "red", "no such test"]).exits(1);
    assert_eq!(refs(&repo), before, "nothing was changed");
    assert_eq!(repo.porcelain(), "?? tests/add.t");
}

#[test]
fn files_stand_for_their_tests() {
    let runner = "echo 'ok 1 - tests/a.py::one'; echo 'not ok 2 - tests/a.py::two'; \
                  echo 'not ok 3 - tests/b.py::three'; echo 1..3; exit 1";
    let config = format!("test = \"{runner}\"\n");
    let repo = Repo::new().configured(&config).installed();
    repo.tcr(&["check", "red", "tests/b.py"]).exits(0);
    repo.tcr(&["check", "red", "./tests/b.py"]).exits(0);
    // A new test stands beside old ones that pass.
    repo.tcr(&["check", "red", "tests/a.py"]).exits(0);
    repo.tcr(&["check", "red", "tests/a.py::one"]).exits(1);
    repo.tcr(&["check", "green", "tests/a.py"]).exits(1);
    repo.tcr(&["check", "green", "tests/a.py::one"]).exits(0);
    repo.tcr(&["check", "red", "tests/a"]).exits(1);
}

#[test]
fn it_works_without_an_install_and_writes_nothing() {
    let repo = Repo::new()
        .with("Makefile", ".PHONY: test\ntest:\n\t./run-tests\n")
        .committed();
    repo.remove(".tcr.toml");
    repo.write("tests/add.t", "false\n");
    let before = repo.world();
    repo.tcr(&["check", "red"]).exits(0);
    repo.tcr(&["check", "red", "tests/add.t"]).exits(0);
    repo.tcr(&["check", "green", "tests/first.t"]).exits(0);
    repo.tcr(&["check", "green"]).exits(1);
    repo.tcr(&["check", "refactor"]).exits(2);
    assert_eq!(repo.world(), before);
    assert!(!repo.exists(".git/tcr"), "not even a lock");
    assert_eq!(repo.git(&["for-each-ref", "refs/tcr"]), "");

    let bare = Repo::bare_start().with("a.txt", "a\n").committed();
    bare.tcr(&["check", "red"]).exits(2);
}

#[test]
fn a_run_that_says_nothing_is_no_red() {
    let repo = Repo::new().installed();
    repo.write("src/broken.sh", "if\n");
    let ran = repo.tcr(&["check", "red", "--json"]).exits(1);
    assert_eq!(ran.json()["test_results"]["verdict"], "broken");
}

#[test]
fn a_red_without_a_report_can_not_be_told() {
    let repo = Repo::new().configured("test = \"false\"\n").installed();
    repo.write("tests/add.t", "false\n");
    repo.tcr(&["check", "red"]).exits(2);
}

#[test]
fn refactor_holds_while_the_same_tests_pass() {
    let repo = Repo::new().installed();
    repo.tcr(&["check", "refactor"]).exits(0);
    repo.remove("tests/first.t");
    repo.write("tests/other.t", "true\n");
    let ran = repo.tcr(&["check", "refactor"]).exits(1);
    assert!(ran.stdout.contains("tests/first.t"), "{}", ran.stdout);
}
