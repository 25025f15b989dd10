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

#[test]
fn a_not_ok_that_is_no_test_is_none() {
    let node_tap = "TAP version 14\n1..2\nSyntaxError: Unexpected end of input\n    at x\n\
        # Subtest: test/a.test.js\n    1..0 # no tests found\n\
        not ok 1 - test/a.test.js # time=27.5ms\n  ---\n  stdio: inherit\n  exitCode: 1\n  signal: null\n  ...\n\
        ok 2 - test/b.test.js\n";
    let busted = "ok 1 - a\nnot ok 2 - suite spec/b_spec.lua\n# spec/b_spec.lua @ 1\n\
        # Failure message: spec/b_spec.lua:1: module 'nowhere' not found:\n1..2\n";
    let ava = "TAP version 13\nok 1 - a\nnot ok 2 - test/b.js exited with a non-zero exit code: 1\n1..2\n";
    let uncaught = "TAP version 13\nok 1 - a\nnot ok 2 - SyntaxError: Unexpected token\n  ---\n    name: SyntaxError\n\
        \x20   message: 'Unexpected token'\n  ...\n1..2\n";
    let qunit = "TAP version 13\nok 1 a\nnot ok 2 global failure\n  ---\n  message: \"Error: no\"\n  ...\n1..2\n";
    for (tap, what, why) in [
        (node_tap, "test/a.test.js", "SyntaxError: Unexpected end"),
        (busted, "spec/b_spec.lua", "nowhere"),
        (ava, "test/b.js", "exited with"),
        (uncaught, "SyntaxError: Unexpected token", "SyntaxError"),
        (qunit, "global failure", "no"),
    ] {
        let report = report(tap);
        let errors = &report.load_errors;
        assert_eq!(errors[0].what, what, "{tap}");
        assert!(errors[0].message.contains(why), "{errors:?}");
        assert_eq!(report.tests.len(), 1, "{tap}");
    }
    let unfinished = report(
        "# Subtest: a.js\n    # Subtest: quits\n        not ok 1 - test unfinished\n        1..1\n    \
        not ok 1 - quits\n    1..1\nnot ok 1 - a.js\n1..1\n",
    );
    assert_eq!(unfinished.unfinished, ["a.js > quits"]);
}

#[test]
fn what_was_raised_in_a_test_is_an_error() {
    let ava = "not ok 1 - takes off\n  ---\n    name: AssertionError\n    details:\n      \
        'Error thrown in test:': |-\n        TypeError {\n          message: 'cart.discount is not a function',\n        }\n    \
        message: Error thrown in test\n  ...\n1..1\n";
    let node_tap = "not ok 1 - cart.discount is not a function\n  ---\n  type: TypeError\n  \
        tapCaught: returnedPromiseRejection\n  ...\n1..1\n";
    let busted = "not ok 1 - takes off\n# spec/cart_spec.lua @ 10\n\
        # Failure message: spec/cart_spec.lua:11: attempt to call field 'discount' (a nil value)\n1..1\n";
    for tap in [ava, node_tap, busted] {
        let report = report(tap);
        let (_, status) = report.tests.statuses()[0];
        assert_eq!(status, TestStatus::Failed(Cause::Error), "{tap}");
        let message = report.tests.get(0).expect("a test").message;
        assert!(message.contains("discount") || tap == node_tap, "{message}");
    }
}

#[test]
fn both_values_are_told_first() {
    let node_tap = "not ok 1 - the sum\n  ---\n  compare: ===\n  diff: |\n    --- expected\n    +++ actual\n    \
        @@ -1,1 +1,1 @@\n    -6\n    +5\n  ...\n1..1\n";
    let tape = "not ok 1 should be equal\n  ---\n    operator: equal\n    expected: 6\n    actual:   5\n  ...\n1..1\n";
    let qunit = "not ok 1 adds up\n  ---\n  message: failed\n  severity: failed\n  actual  : 5\n  expected: 6\n  ...\n1..1\n";
    for tap in [node_tap, tape, qunit] {
        let report = report(tap);
        let message = report.tests.get(0).expect("a test").message;
        assert!(message.contains("expected: 6\nactual: 5"), "{message}");
        assert_eq!(report.tests.statuses()[0].1, FAILED, "{tap}");
    }
}
