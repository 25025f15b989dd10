//! Each way to bend the oracle fails, and is in the log.

use serde_json::json;

use super::*;

#[test]
fn a_frozen_test_is_edited_by_a_tool() {
    let repo = frozen();
    let coder = Agent {
        repo: &repo,
        id: Some("coder"),
    };
    let reason = coder
        .write("tests/adds-nothing.t", "true\n")
        .expect_err("frozen");
    assert!(reason.contains("certified tests are frozen"), "{reason}");
    assert!(reason.contains("git tcr test-bug"), "{reason}");
    assert!(coder.write("docs/sums.md", "# else\n").is_err());
    assert!(
        coder.write("tests/new.t", "true\n").is_err(),
        "no new tests either"
    );
    assert!(coder.shell("sed -i s/4/5/ tests/adds-nothing.t").is_err());
    assert!(coder.shell("rm tests/adds-nothing.t").is_err());
    coder.shell("true").expect("allowed");
    assert!(
        logged(&repo, "denied", "tests/adds-nothing.t"),
        "{:?}",
        log(&repo)
    );
}

#[test]
fn a_frozen_test_is_edited_by_a_script() {
    let repo = frozen();
    let coder = Agent {
        repo: &repo,
        id: Some("coder"),
    };
    repo.write("tests/adds-nothing.t", "true\n");
    repo.remove("tests/adds_two_numbers.t");
    let reason = coder
        .write("src/add.py", "x = 1\n")
        .expect_err("the oracle drifted");
    assert!(
        reason.contains("differ from what was certified"),
        "{reason}"
    );
    assert!(
        reason.contains("-[ \"$(add 4 0)\" = 4 ]\n  +true"),
        "{reason}"
    );
    let said = coder.loops("Bash", json!({"command": "./script"}));
    assert!(said.contains("-[ \\\"$(add 4 0)\\\" = 4 ]"), "{said}");
    assert_eq!(
        repo.read("tests/adds-nothing.t"),
        "[ \"$(add 4 0)\" = 4 ]\n"
    );
    assert!(repo.exists("tests/adds_two_numbers.t"));
    assert!(
        logged(&repo, "undo", "tests/adds-nothing.t"),
        "{:?}",
        log(&repo)
    );
    let kept = repo.git(&["show", "refs/tcr/reverts/main/1:tests/adds-nothing.t"]);
    assert_eq!(kept, "true", "what was undone is kept");
    assert!(
        coder.write("src/add.sh", RIGHT).is_ok(),
        "restored, so source may be written"
    );
}

#[test]
fn the_harness_is_weakened() {
    let repo = planned();
    repo.write("conftest.py", "strict = True\n");
    red(&repo);
    freeze(&repo).success();
    let coder = Agent {
        repo: &repo,
        id: None,
    };
    assert!(coder.write("conftest.py", "strict = False\n").is_err());
    repo.write("conftest.py", "strict = False\n");
    let outcome = repo.run_json();
    assert_eq!(outcome["taken_back"][0]["path"], "conftest.py", "{outcome}");
    repo.write("pytest.ini", "[pytest]\n");
    let outcome = repo.run_json();
    assert_eq!(
        outcome["taken_back"][0]["path"], "pytest.ini",
        "a new one is harness too: {outcome}"
    );
}

#[test]
fn the_spec_is_edited_moved_or_deleted() {
    for phase in ["red", "green"] {
        let repo = if phase == "red" { tested() } else { frozen() };
        repo.write("docs/sums.md", &SPEC.replace("is 3", "is 4"));
        assert_eq!(
            repo.run_json()["taken_back"][0]["path"],
            "docs/sums.md",
            "{phase}"
        );
        repo.remove("docs/sums.md");
        assert_eq!(
            repo.run_json()["taken_back"][0]["path"],
            "docs/sums.md",
            "{phase}"
        );
        std::fs::rename(repo.path("docs/sums.md"), repo.path("docs/other.md")).unwrap();
        repo.run_json();
        assert_eq!(repo.read("docs/sums.md"), SPEC, "{phase}");
    }
}

#[test]
fn line_ends_and_trailing_blanks_of_the_spec_are_no_drift() {
    let repo = frozen();
    repo.write(
        "docs/sums.md",
        &format!("{}\n\n", SPEC.replace('\n', "  \r\n")),
    );
    let coder = Agent {
        repo: &repo,
        id: None,
    };
    assert!(coder.write("src/add.sh", RIGHT).is_ok());
    assert!(
        repo.read("docs/sums.md").contains("\r\n"),
        "it is left as it is"
    );
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
}

#[test]
fn a_failing_test_is_skipped_from_the_source() {
    let repo = frozen();
    // The source ends the run before the failing tests.
    repo.write(
        "src/add.sh",
        "rm -f tests/adds-nothing.t tests/adds_two_numbers.t\n",
    );
    let outcome = repo.run_json();
    assert_ne!(outcome["action"], "commit", "{outcome}");
    repo.tcr(&["run"]);
    assert!(repo.exists("tests/adds-nothing.t"));
    assert_eq!(
        repo.read("tests/adds-nothing.t"),
        "[ \"$(add 4 0)\" = 4 ]\n"
    );
    repo.tcr(&["phase", "done"]).exits(1);
}

#[test]
fn in_a_mode_that_takes_nothing_back_it_is_reported_and_not_done() {
    let repo = frozen();
    repo.tcr(&["mode", "tdd"]).success();
    repo.write("tests/adds-nothing.t", "true\n");
    let outcome = repo.run_json();
    assert_eq!(repo.read("tests/adds-nothing.t"), "true\n");
    let told = outcome["remarks"].to_string();
    assert!(told.contains("tests/adds-nothing.t"), "{outcome}");
    let ran = repo.tcr(&["phase", "done"]).exits(1);
    assert!(
        !ran.stdout.contains("the spec cycle is done"),
        "{}",
        ran.stdout
    );
}

/// A repository whose frozen tests are in part beside the source.
fn frozen_beside_source() -> Repo {
    let repo = planned();
    repo.write(
        "src/lib.rs",
        "pub fn add(a: u8, b: u8) -> u8 {\n    todo!()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n",
    );
    red(&repo);
    freeze(&repo).success();
    repo
}

#[test]
fn tests_beside_source_come_back_with_their_file() {
    let repo = frozen_beside_source();
    let certified = repo.read("src/lib.rs");
    repo.remove("src/lib.rs");
    let gone = repo.run_json();
    assert_eq!(repo.read("src/lib.rs"), certified, "{gone}");
    repo.remove("src/lib.rs");
    repo.link("nowhere", "src/lib.rs");
    let linked = repo.run_json();
    assert_eq!(repo.read("src/lib.rs"), certified, "{linked}");
}

#[test]
fn tests_beside_source_are_frozen_too() {
    let repo = frozen_beside_source();
    let kept = repo.show("refs/tcr/oracle/main:src/lib.rs");
    assert!(
        kept.contains("assert_eq!") && !kept.contains("todo!"),
        "{kept}"
    );
    let weak = repo
        .read("src/lib.rs")
        .replace("assert_eq!(super::add(1, 2), 3);", "");
    let coder = Agent {
        repo: &repo,
        id: None,
    };
    assert!(coder.write("src/lib.rs", &weak).is_err());
    repo.write("src/lib.rs", &weak);
    let reason = coder
        .write("src/add.py", "x = 1\n")
        .expect_err("the oracle drifted");
    assert!(reason.contains("assert_eq!"), "{reason}");
    repo.run_json();
    assert!(repo.read("src/lib.rs").contains("assert_eq!"));
}

#[test]
fn what_was_undone_is_brought_back() {
    let repo = frozen();
    repo.write("tests/adds-nothing.t", "true\n");
    repo.write("tests/adds_two_numbers.t", "true\n");
    repo.run_json();
    let coder = Agent {
        repo: &repo,
        id: None,
    };
    coder
        .shell("git tcr recover restore 1")
        .expect("allowed")
        .success();
    assert_eq!(
        repo.read("tests/adds-nothing.t"),
        "[ \"$(add 4 0)\" = 4 ]\n",
        "the loop after the call puts it back again"
    );
    assert_eq!(repo.status()["phase"], "green");
    assert_eq!(
        repo.show("HEAD:tests/adds-nothing.t"),
        "[ \"$(add 4 0)\" = 4 ]"
    );
}
