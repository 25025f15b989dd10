//! The whole cycle by hand.

use crate::support::Repo;

/// Code of a language that can be read, for `src/add.py`.
const CODE: &str = "def add(a, b):\n    return a + b\n";

#[test]
fn a_failing_test_unlocks_source_and_the_right_code_ends_the_cycle() {
    let repo = Repo::new().installed();
    assert_eq!(
        repo.branch(),
        "main",
        "nothing was uncommitted, so nothing is committed"
    );

    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let red = repo.run_json();
    assert_eq!(red["action"], "commit", "{red}");
    assert_eq!(red["why"], "red");
    assert_eq!(red["verdict"], "red");
    assert_eq!(red["next_phase"], "green");
    assert_eq!(repo.branch(), "tcr/main");

    repo.write("src/add.sh", "add() { echo 4; }\n");
    let wrong = repo.run_json();
    assert_eq!(wrong["action"], "take_back", "{wrong}");
    assert_eq!(wrong["recover"], 1);
    assert!(!repo.exists("src/add.sh"));
    assert!(
        !repo.exists("src"),
        "a folder that only the reverted file needed goes too"
    );
    assert!(repo.exists("tests/add.t"), "tests stay");

    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    let green = repo.run_json();
    assert_eq!(green["action"], "commit", "{green}");
    assert_eq!(green["why"], "green");
    assert_eq!(green["next_phase"], "red");
    assert_eq!(repo.status()["cycle"], 2);
    assert_eq!(repo.porcelain(), "");
    let notes = repo.git(&["log", "--notes=tcr", "--format=%N", "tcr/main"]);
    assert!(notes.contains("phase: green"), "{notes}");
    assert!(notes.contains("verdict: red"), "{notes}");
}

#[test]
fn a_run_over_a_red_that_stands_names_what_fails() {
    let repo = Repo::in_green();
    let again = repo.run_json();
    assert_eq!(again["action"], "none", "{again}");
    assert_eq!(again["failing"][0]["test"], "tests/add.t", "{again}");
}

#[test]
fn code_that_goes_with_its_tests_is_told_where_that_is_done() {
    let repo = Repo::new()
        .with(
            "src/add.py",
            &format!("{CODE}\n\ndef sub(a, b):\n    return a - b\n"),
        )
        .with("tests/sub.t", "true\n")
        .committed()
        .installed();
    repo.remove("tests/sub.t");
    repo.write("src/add.py", CODE);
    let kept = repo.tcr(&["run", "--json"]).exits(1).json();
    assert_eq!(kept["why"], "unproven", "{kept}");
    let hints = kept["hints"].to_string();
    assert!(hints.contains("git tcr phase refactor"), "{hints}");
    assert!(!hints.contains("change a test"), "{hints}");
    repo.tcr(&["phase", "refactor"]).success();
    assert_eq!(repo.run_json()["why"], "refactor");
}

#[test]
fn what_was_reverted_comes_back_byte_for_byte() {
    let repo = Repo::in_green();
    let wrong = "add() { echo 4; } # \u{e4}\r\n";
    repo.write("src/add.sh", wrong);
    let number = repo.run_json()["recover"].to_string();
    assert!(!repo.exists("src/add.sh"));
    repo.tcr(&["recover", "restore", &number]).success();
    assert_eq!(repo.read("src/add.sh"), wrong);
    let again = repo.run_json();
    assert_eq!(
        again["action"], "keep",
        "restored work is not reverted again: {again}"
    );
    assert_eq!(repo.read("src/add.sh"), wrong);
}

#[test]
fn source_without_a_failing_test_is_put_back() {
    let repo = Repo::new().installed();
    repo.write("src/add.py", CODE);
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    let taken = serde_json::json!([{"path": "src/add.py", "why": "unasked"}]);
    assert_eq!(outcome["taken_back"], taken, "{outcome}");
    assert!(!repo.exists("src/add.py"));
    assert!(repo.reaches(CODE));
}

/// Nobody can tell whether it is more than a stub, so it waits for its test.
#[test]
fn functions_and_imports_in_another_order_are_committed_when_the_tests_pass() {
    let (one, other) = ("import os\n", "import sys\n");
    let (add, sub) = (CODE, "\n\ndef sub(a, b):\n    return a - b\n");
    let repo = Repo::new()
        .with("src/add.py", &format!("{one}{other}{add}{sub}"))
        .committed()
        .installed();
    repo.write("src/add.py", &format!("{one}{other}{sub}{add}"));
    assert_eq!(repo.run_json()["why"], "chore");
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("src/add.py", &format!("{other}{one}{sub}{add}"));
    assert_eq!(repo.run_json()["why"], "refactor");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn source_that_cannot_be_read_waits_for_its_test() {
    let repo = Repo::new().installed();
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let outcome = repo.tcr(&["run", "--json"]).success().json();
    assert_eq!(outcome["action"], "keep", "{outcome}");
    assert_eq!(outcome["why"], "stub", "{outcome}");
    assert!(repo.exists("src/add.sh"));
    assert_eq!(repo.branch(), "main", "nothing was committed");

    // What it says is true of the file, and leads on.
    for (content, why, hint) in [
        (
            &b"def one(:\n"[..],
            "`src/add.py:1` does not parse",
            "fix that line first",
        ),
        (
            &b"NAME = '\xff'\n"[..],
            "`src/add.py` is not UTF-8",
            "write the failing test",
        ),
    ] {
        let repo = Repo::new().installed();
        std::fs::create_dir_all(repo.path("src")).expect("a folder");
        std::fs::write(repo.path("src/add.py"), content).expect("a file");
        let said = repo.tcr(&["run"]).success().stdout;
        assert!(said.contains(why) && said.contains(hint), "{said}");
    }
}

#[test]
fn what_was_put_back_comes_with_the_way_to_do_it_all_the_same() {
    let repo = Repo::new().installed();
    repo.write("src/add.py", CODE);
    let said = repo.tcr(&["run"]).exits(1).stdout;
    let way = "hint: write the failing test first; no new behaviour: `git tcr phase refactor`; the work: `git tcr recover show 1`\n";
    assert!(said.ends_with(way), "{said}");

    let repo = Repo::in_green();
    repo.write("tests/add.t", "true\n");
    let said = repo.tcr(&["run"]).exits(1).stdout;
    let way = "hint: if a test is wrong: `git tcr phase red --why TEXT`; the work: `git tcr recover show 1`\n";
    assert!(said.contains(way), "{said}");
}

#[test]
fn where_nothing_can_be_reverted_nothing_is_called_a_revert() {
    let repo = Repo::in_green();
    let config = repo.read(".tcr.toml");
    repo.write(".tcr.toml", &format!("{config}# a note\n"));
    let kept = repo.tcr(&["run", "--json"]).exits(1).json();
    assert_eq!(kept["action"], "keep", "{kept}");
    let status = repo.status();
    assert_eq!(status["stats"]["reverts"], 0, "{status}");
    assert_eq!(repo.git(&["for-each-ref", "refs/tcr/reverts"]), "");
}

#[test]
fn a_run_of_some_tests_is_not_what_later_runs_are_compared_with() {
    let repo = Repo::new()
        .with("tests/second.t", "true\n")
        .committed()
        .installed();
    let some = "echo 'ok 1 - tests/first.t'; echo 1..1";
    repo.tcr(&["run", "--", "sh", "-c", some]).success();
    repo.tcr(&["phase", "refactor"]).success();
    repo.remove("tests/second.t");
    let lost = repo.run_json();
    assert_eq!(lost["action"], "keep", "{lost}");
    assert_eq!(lost["why"], "test_removed", "{lost}");
}

#[test]
fn what_is_put_back_says_where_it_is_kept() {
    let repo = Repo::new().installed();
    repo.write("src/add.py", CODE);
    let ran = repo.tcr(&["run"]).exits(1);
    assert!(
        ran.stdout.contains("taken back: 1 file, kept as recover 1"),
        "{}",
        ran.stdout
    );
}

#[test]
fn source_beside_tests_that_pass_without_it_is_kept_and_named() {
    let repo = Repo::new().installed();
    repo.write("src/add.py", CODE);
    repo.write("tests/second.t", "true\n");
    let ran = repo.tcr(&["run", "--json"]).exits(1).json();
    assert_eq!(ran["rounds"][0]["why"], "test", "{ran}");
    assert_eq!(ran["rounds"][1]["action"], "keep", "{ran}");
    assert_eq!(ran["rounds"][1]["why"], "unproven", "{ran}");
    assert_eq!(ran["rounds"][1]["files"], serde_json::json!(["src/add.py"]));
    assert!(repo.exists("src/add.py"));
}

#[test]
fn docs_beside_source_that_is_taken_back_are_committed() {
    let repo = Repo::new().installed();
    repo.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "its result is not known",
    ]);
    repo.write("src/add.py", CODE);
    repo.write("guide.md", "docs\n");
    let ran = repo.tcr(&["run", "--force"]).exits(1);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert_eq!(first, "tcr: taken back: 1 file, kept as recover 1");
    assert!(
        ran.stdout.contains("committed as docs: 1 file"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("hint: "), "{}", ran.stdout);
    assert_eq!(repo.show("HEAD:guide.md"), "docs");
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn without_a_report_the_way_on_is_said_and_works() {
    let check = "for t in tests/*.t; do sh \"$t\" || { echo PROBLEM; exit 1; }; done\n";
    let repo = Repo::new()
        .with("check.sh", check)
        .configured("test = \"sh check.sh\"\n");
    let said = repo.tcr(&["install", "--yes"]).success().stdout;
    assert!(said.contains("once `red_confirm` is set"), "{said}");
    repo.write("tests/add.t", "false\n");
    let unlocks_nothing = repo.run_json();
    assert_eq!(unlocks_nothing["action"], "keep", "{unlocks_nothing}");
    assert_eq!(unlocks_nothing["why"], "unconfirmed", "{unlocks_nothing}");
    assert_eq!(unlocks_nothing["next_phase"], "red", "{unlocks_nothing}");
    let hint = unlocks_nothing["hints"][0].to_string();
    assert!(hint.contains("set `red_confirm` in `.tcr.toml`"), "{hint}");

    // What a person accepts is no obstacle, though it is not committed yet.
    let config = "test = \"sh check.sh\"\nred_confirm = \"PROBLEM\"\n";
    repo.write(".tcr.toml", config);
    repo.tcr(&["install", "--yes"]).success();
    repo.write("tests/add.t", "test -e src/add.sh\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.git(&["show", "HEAD:.tcr.toml"]), config.trim_end());
    repo.write("src/add.sh", "");
    assert_eq!(repo.run_json()["why"], "green");
}
