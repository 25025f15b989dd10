//! A run that is killed in the middle of the tests: the next one takes up the same work.

use super::eventually;
use crate::support::{PROGRAM, Repo};

#[test]
fn a_red_whose_run_was_killed_is_committed_by_the_next_run() {
    let repo = Repo::new().installed();
    let begun = repo.around().join("begun");
    let wait = format!(
        "touch {}; while [ ! -e ../go ]; do sleep 0.01; done\nfalse\n",
        begun.display()
    );
    repo.write("tests/later.t", &wait);
    let mut run = repo
        .command(PROGRAM)
        .args(["run", "--json"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it runs");
    eventually("the tests have begun", || begun.exists());
    run.kill().expect("it is there");
    run.wait().expect("it has ended");
    assert_eq!(repo.read("tests/later.t"), wait);
    std::fs::write(repo.around().join("go"), "").expect("a file");
    let done = repo.run_json();
    assert_eq!(
        (done["action"].as_str(), done["why"].as_str()),
        (Some("commit"), Some("red")),
        "{done}"
    );
    assert_eq!(done["next_phase"], "green");
}
