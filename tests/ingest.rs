//! `git tcr ingest FILE` takes results that were written elsewhere.

use crate::support::Repo;

const JUNIT: &str = r#"<testsuites><testsuite name="s">
<testcase classname="tests/first.t" name="first" file="tests/first.t"/>
<testcase classname="tests/add.t" name="adds" file="tests/add.t"><failure message="assert 3 == 4"/></testcase>
</testsuite></testsuites>"#;

fn with_new_test() -> Repo {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo
}

#[test]
fn a_person_s_results_count_as_a_run_on_the_present_tree() {
    for (name, content) in [
        ("report.xml", JUNIT),
        (
            "report.tap",
            "ok 1 - tests/first.t\nnot ok 2 - tests/add.t\n1..2\n",
        ),
        (
            "report.json",
            r#"{"passed":["tests/first.t"],"failed":["tests/add.t"],"timestamp":"2026-11-16T04:00:00Z","total":2,"duration":12}"#,
        ),
        (
            "jest.json",
            r#"{"success":false,"testResults":[
{"name":"tests/first.t","status":"passed","assertionResults":[{"title":"first","status":"passed"}]},
{"name":"tests/add.t","status":"failed","assertionResults":[
{"title":"adds","status":"failed","failureMessages":["AssertionError: expected 3"]}]}]}"#,
        ),
        (
            "go.json",
            r#"{"Action":"run","Package":"tests","Test":"First"}
{"Action":"pass","Package":"tests","Test":"First"}
{"Action":"run","Package":"tests","Test":"Add"}
{"Action":"output","Package":"tests","Test":"Add","Output":"    add_test.go:3: 4, not 3\n"}
{"Action":"fail","Package":"tests","Test":"Add"}
{"Action":"fail","Package":"tests"}
"#,
        ),
    ] {
        let repo = with_new_test();
        let report = repo.around().join(name);
        std::fs::write(&report, content).expect("a report");
        let file = report.display().to_string();
        let outcome = repo.tcr(&["ingest", &file, "--json"]).json();
        assert_eq!(outcome["verdict"], "red", "{name}: {outcome}");
        assert_eq!(outcome["why"], "red", "{name}: {outcome}");
    }
}

#[test]
fn an_agent_s_results_move_nothing() {
    let repo = with_new_test();
    let report = repo.around().join("report.xml");
    std::fs::write(&report, JUNIT).expect("a report");
    let file = report.display().to_string();
    let ran = repo.tcr_in(
        repo.root(),
        &["ingest", &file, "--json"],
        &[("CLAUDECODE", "1")],
    );
    let outcome = ran.json();
    assert_eq!(outcome["action"], "none", "{outcome}");
    assert_eq!(outcome["would"], "committed as red", "{outcome}");
    assert_eq!(outcome["next_phase"], "red");
    assert_eq!(repo.branch(), "main", "nothing was committed");
}

#[test]
fn results_from_before_the_last_edit_are_refused() {
    let repo = Repo::new().installed();
    let report = repo.around().join("report.xml");
    std::fs::write(&report, JUNIT).expect("a report");
    let past = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let file = std::fs::File::options()
        .write(true)
        .open(&report)
        .expect("the report");
    file.set_modified(past).expect("a time in the past");
    repo.write("tests/add.t", "false\n");
    let ran = repo
        .tcr(&["ingest", &report.display().to_string()])
        .exits(2);
    assert!(
        ran.stderr.contains("older than `tests/add.t`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn garbage_is_refused() {
    let repo = with_new_test();
    for content in ["", "hello\n", "{\"a\":", "<html>"] {
        let report = repo.around().join("report");
        std::fs::write(&report, content).expect("a report");
        let ran = repo.tcr(&["ingest", &report.display().to_string()]);
        assert_ne!(ran.status, 0, "{content:?}: {}", ran.stdout);
        assert_eq!(
            repo.branch(),
            "main",
            "nothing was committed for {content:?}"
        );
    }
}

const ALL_PASS: &str = "ok 1 - tests/first.t\nok 2 - tests/add.t\n1..2\n";

#[test]
fn an_agent_s_results_are_never_those_of_a_commit_by_hand() {
    let ways: [fn(&str) -> Vec<&str>; 2] = [
        |file| vec!["ingest", file],
        |file| vec!["run", "--", "cat", file],
    ];
    for way in ways {
        let repo = with_new_test();
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "a failing test"]);
        let report = repo.around().join("report.tap");
        std::fs::write(&report, ALL_PASS).expect("a report");
        let file = report.display().to_string();
        let agent = [("CLAUDECODE", "1")];
        repo.tcr_in(repo.root(), &way(&file), &agent).success();
        repo.tcr_in(repo.root(), &["phase", "refactor"], &agent)
            .exits(1);
        let base = repo.commit("main");
        repo.tcr(&["squash", "-m", "untested"]).exits(1);
        assert_eq!(repo.commit("main"), base);
        let red = repo.run_json();
        assert_eq!(red["next_phase"], "green", "{red}");
    }
}

#[test]
fn results_do_not_count_for_what_is_left_of_their_tree() {
    let report = |repo: &Repo, tap: &str| {
        let file = repo.around().join("report.tap");
        std::fs::write(&file, tap).expect("a report");
        let file = file.display().to_string();
        repo.tcr(&["ingest", &file])
    };
    let red = "ok 1 - tests/first.t\nnot ok 2 - tests/add.t\n1..2\n";
    let repo = with_new_test();
    repo.write("src/add.py", "def add(a, b):\n    return 4\n");
    let kept = report(&repo, red).exits(1);
    assert!(!repo.exists("src/add.py"), "no patience: {}", kept.stdout);
    assert_eq!(repo.branch(), "main", "not committed: {}", kept.stdout);
    assert!(kept.stdout.contains("hint: git tcr run"), "{}", kept.stdout);

    // Frozen work is taken back first, and then the results are of another tree.
    let repo = Repo::in_green();
    repo.write("tests/add.t", "true\n");
    repo.write("src/add.sh", "add() { echo 3; }\n");
    let head = repo.commit("HEAD");
    let taken = report(&repo, ALL_PASS).exits(1);
    assert!(
        taken.stdout.contains("hint: git tcr run"),
        "{}",
        taken.stdout
    );
    assert_eq!(repo.commit("HEAD"), head, "not committed: {}", taken.stdout);

    let repo = Repo::new()
        .with("tests/first.t", "[ ! -e data.json ]\n")
        .committed()
        .installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo.write("data.json", "{}\n");
    // Without source the red is of the very tree that the results are of.
    let both = "not ok 1 - tests/first.t\nnot ok 2 - tests/add.t\n1..2\n";
    report(&repo, both).success();
    assert_eq!(repo.show("tcr/main:data.json"), "{}");
    assert_eq!(repo.porcelain(), "");
    let awaited = serde_json::json!(["tests/add.t", "tests/first.t"]);
    assert_eq!(repo.status()["awaited"], awaited);
}
