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
