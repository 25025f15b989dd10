//! Results from JUnit XML that the test command writes by itself.

use crate::support::Repo;

const PASSED: &str = r#"<testsuite name="s"><testcase classname="calc" name="adds"/><testcase classname="calc" name="takes"/></testsuite>"#;
const FAILED: &str = r#"<testsuite name="s"><testcase classname="calc" name="adds"/><testcase classname="calc" name="takes"><failure type="AssertionError" message="expected 3, got 4"/></testcase></testsuite>"#;

/// A repository whose tests copy a report to where a real runner would write it.
fn writing(config: &str) -> Repo {
    Repo::new()
        .configured(&format!("test = \"sh tests/run.sh\"\n{config}"))
        .with("tests/run.sh", "[ ! -e tests/dies ] && mkdir -p build && cat tests/said.xml > build/junit.xml; ! grep -q failure tests/said.xml\n")
        .with("tests/said.xml", PASSED)
        .with(".gitignore", "build\n")
        .committed()
        .installed()
}

fn verdict(repo: &Repo) -> (String, String) {
    let outcome = repo.tcr(&["run", "--force", "--report", "--json"]).json();
    let results = &outcome["test_results"];
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    assert_eq!(results["confirmed"], true, "{outcome}");
    (text(&outcome["verdict"]), text(&results["reason"]))
}

#[test]
fn a_report_that_the_command_writes_is_read_whether_named_or_not() {
    for config in ["", "report = \"build/junit.xml\"\n"] {
        let repo = writing(config);
        assert_eq!(verdict(&repo).0, "green", "{config}");
        repo.write("tests/said.xml", FAILED);
        let (said, reason) = verdict(&repo);
        assert_eq!(said, "red", "{config}");
        assert!(reason.contains("calc > takes"), "{reason}");
        assert!(reason.contains("expected 3, got 4"), "{reason}");
    }
}

#[test]
fn a_report_of_an_earlier_run_is_none() {
    for config in ["", "report = \"build/junit.xml\"\n"] {
        let repo = writing(config);
        assert_eq!(verdict(&repo).0, "green", "{config}");
        std::thread::sleep(std::time::Duration::from_millis(100));
        repo.write("tests/dies", "");
        let (said, reason) = verdict(&repo);
        assert_eq!(said, "broken", "{config}: {reason}");
    }
}
