//! `git tcr statusline`: where the work stands in one line.

use crate::support::{Repo, example};

fn line(repo: &Repo) -> String {
    repo.tcr(&["statusline"]).success().stdout
}

#[test]
fn it_says_phase_cycle_result_and_tries() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\npatience = 2\n")
        .installed();
    repo.write("tests/add.t", example::ASKS);
    repo.run_json();
    assert_eq!(
        line(&repo),
        "tcr green, cycle 1 · red: 1 passed, 1 failed\n"
    );
    repo.write("src/add.sh", "add() { echo 4; }\n");
    repo.run_json();
    assert_eq!(
        line(&repo),
        "tcr green, cycle 1 · red: 1 passed, 1 failed · 2 tries left\n"
    );
    repo.write("src/add.sh", "add() {\n  echo $(($1 + $2))\n}\n");
    repo.run_json();
    let green = line(&repo);
    assert!(
        green.contains("green: 2 passed") && !green.contains("left"),
        "{green}"
    );
    repo.tcr(&["off"]).success();
    assert_eq!(line(&repo), "tcr off\n");
}

#[test]
fn where_nothing_is_installed_it_is_silent() {
    let repo = Repo::bare_start();
    let ran = repo.tcr(&["statusline"]).success();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}
