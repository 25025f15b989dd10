use super::*;
use crate::rules::verdict::{Cause, TestStatus};

fn report(tap: &str) -> Report {
    read("", &mut tap.as_bytes()).expect("it is TAP")
}

const FAILED: TestStatus = TestStatus::Failed(Cause::Assertion);

#[test]
fn results_directives_and_plans() {
    let report = report(
        "TAP version 13\n1..6\nok 1 - a\nnot ok 2 - b\n# why\nok 3 # skip later\nnot ok 4 - d # TODO bug\nok 5 - e \\# SKIP not really\nok\n",
    );
    assert_eq!(
        report.tests.statuses(),
        [
            ("a", TestStatus::Passed),
            ("b", FAILED),
            ("(skip 3) later", TestStatus::Skipped),
            ("d", TestStatus::Skipped),
            ("e # SKIP not really", TestStatus::Passed),
            ("(6)", TestStatus::Passed),
        ]
    );
    assert_eq!(report.tests.get(1).expect("a test").message, "why");
    assert!(report.ended && report.contradiction.is_none());
}

#[test]
fn a_plan_that_was_not_kept_is_a_contradiction() {
    for tap in ["1..2\nok 1\n", "ok 1\nok 2\n1..1\n"] {
        assert!(report(tap).contradiction.is_some(), "{tap}");
    }
    assert!(!report("ok 1 - a\n").ended);
    let bailed = report("1..2\nok 1\nBail out! no db\n");
    assert!(!bailed.ended);
}

#[test]
fn subtests_are_named_by_their_parents() {
    let report = report(
        "# Subtest: p\n    # Subtest: q\n        ok 1 - x\n        not ok 2 - y\n        1..2\n    not ok 1 - q\n    1..1\nnot ok 1 - p\nok 2 - z\n1..2\n",
    );
    assert_eq!(
        report.tests.statuses(),
        [
            ("p > q > x", TestStatus::Passed),
            ("p > q > y", FAILED),
            ("z", TestStatus::Passed),
        ]
    );
    assert!(report.ended && report.contradiction.is_none());
}

#[test]
fn yaml_tells_the_cause_and_its_content_is_no_result() {
    let report = report(
        "not ok 1 - a\n  ---\n  failureType: 'testCodeFailure'\n  error: |-\n    ok 7 - forged\n    1..1\n  name: 'TypeError'\n  ...\n1..1\n",
    );
    assert_eq!(
        report.tests.statuses(),
        [("a", TestStatus::Failed(Cause::Error))]
    );
    assert_eq!(
        report.tests.get(0).expect("a test").message,
        "TypeError: ok 7 - forged\n1..1"
    );
}

#[test]
fn a_script_that_is_skipped_as_a_whole_is_one_skipped_test() {
    let report = read("t/all.t", &mut &b"1..0 # SKIP no network\n"[..]).expect("it is TAP");
    assert_eq!(report.tests.statuses(), [("t/all.t", TestStatus::Skipped)]);
}

#[test]
fn what_is_no_tap_is_an_error() {
    assert!(read("", &mut &b"hello\n"[..]).is_err());
    assert!(
        !read("", &mut &b""[..])
            .expect("empty is a script that said nothing")
            .ended
    );
}

#[test]
fn a_suite_of_node_is_no_test() {
    let empty = report(
        "TAP version 13\n# Subtest: s\nok 1 - s\n  ---\n  duration_ms: 1\n  type: 'suite'\n  ...\n1..1\n# tests 0\n",
    );
    assert_eq!(empty.tests.statuses(), []);
    let broken = report(
        "TAP version 13\n# Subtest: s\nnot ok 1 - s\n  ---\n  duration_ms: 1\n  type: 'suite'\n  \
        failureType: 'testCodeFailure'\n  error: 'd'\n  ...\n1..1\n",
    );
    assert_eq!(broken.tests.statuses(), []);
    assert_eq!(broken.load_errors[0].what, "s");
}
