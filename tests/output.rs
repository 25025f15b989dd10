//! `git tcr output` shows everything that a test run printed.

use crate::support::Repo;

const CHATTY: &str = "echo 'begin of it'; seq 1 3000; ./run-tests";

fn chatty() -> Repo {
    Repo::new()
        .configured(&format!("test = \"{CHATTY}\"\n"))
        .installed()
}

#[test]
fn it_is_all_there_and_not_in_the_state() {
    let repo = chatty();
    repo.write("tests/add.t", "echo 'said by the test'; false\n");
    repo.run_json();
    let last = repo.tcr(&["output"]).success().stdout;
    assert!(last.starts_with("begin of it\n1\n2\n"));
    assert!(last.contains("said by the test\n"));
    assert!(last.ends_with("1..2\n"));
    let json = repo.tcr(&["output", "--json"]).success().json();
    assert_eq!(json["output"], last.as_str());
    let state = repo.git(&["show", "refs/tcr/state/main:state.json"]);
    assert!(
        !state.contains(r"begin of it\n"),
        "the state holds the end only"
    );
}

#[test]
fn the_runs_before_are_there_too_and_only_the_last_few() {
    let repo = chatty();
    repo.write("tests/add.t", "echo 'said by the test'; false\n");
    repo.run_json();
    let before = repo.tcr(&["output", "2"]).success().stdout;
    assert!(
        !before.contains("said by the test"),
        "the run of the install"
    );
    let missing = repo.changes_nothing(&["output", "3"]).exits(2);
    assert!(missing.stderr.contains("hint: "), "{}", missing.stderr);
    for number in 1..=6 {
        repo.write("src/add.sh", &format!("echo 'source {number}'\n"));
        repo.tcr(&["run"]);
    }
    for (back, number) in [(1, 6), (2, 5), (5, 2)] {
        let said = repo.tcr(&["output", &back.to_string()]).success().stdout;
        assert!(said.contains(&format!("source {number}\n")), "{back}");
    }
    repo.changes_nothing(&["output", "6"]).exits(2);
}

#[test]
fn a_renamed_base_keeps_it() {
    let repo = chatty();
    repo.git(&["branch", "-m", "main", "trunk"]);
    repo.tcr(&["phase", "refactor"]).success();
    let said = repo.tcr(&["output"]).success().stdout;
    assert!(said.starts_with("begin of it\n"));
}
