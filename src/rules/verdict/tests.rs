use super::*;

fn test(id: &str, status: TestStatus) -> TestCase<'_> {
    TestCase {
        id,
        file: None,
        status,
        inconclusive: false,
        message: "why\nmore",
    }
}

fn report(tests: &[(&str, TestStatus)]) -> Report {
    Report {
        tests: tests.iter().map(|(id, status)| test(id, *status)).collect(),
        ended: true,
        ..Report::default()
    }
}

fn judged(exit: Exit, report: Option<&Report>, red_needs: RedNeeds) -> (Verdict, bool, String) {
    let known = BTreeSet::from(["known".to_owned()]);
    let rules = JudgeRules {
        red_needs,
        red_confirm_matched: None,
        known_failures: &known,
    };
    let judgement = judge(&exit, report, None, &rules);
    (judgement.verdict, judgement.confirmed, judgement.reason)
}

const PASSED: TestStatus = TestStatus::Passed;
const SKIPPED: TestStatus = TestStatus::Skipped;
const ASSERTION: TestStatus = TestStatus::Failed(Cause::Assertion);
const STUB: TestStatus = TestStatus::Failed(Cause::Stub);
const ERROR: TestStatus = TestStatus::Failed(Cause::Error);

#[test]
fn exit_status_and_report_together() {
    use Verdict::{Broken, Green, Red};
    for (tests, code, expected) in [
        (vec![("a", PASSED)], 0, Green),
        (vec![("a", PASSED), ("b", SKIPPED)], 0, Green),
        // something other than a test failed
        (vec![("a", PASSED)], 1, Red),
        (vec![("a", ASSERTION)], 1, Red),
        (vec![("a", ASSERTION), ("b", ERROR)], 2, Red),
        // the exit status was swallowed
        (vec![("a", ASSERTION)], 0, Red),
        // nothing ran
        (vec![], 0, Broken),
        (vec![], 1, Broken),
        (vec![("a", SKIPPED)], 0, Broken),
        // known failures do not count, others do
        (vec![("a", PASSED), ("known", ASSERTION)], 1, Green),
        (vec![("known", ASSERTION)], 1, Green),
        (vec![("a", ASSERTION), ("known", ASSERTION)], 1, Red),
        // the shell says that a command was missing or killed
        (vec![("a", ASSERTION)], 127, Broken),
        (vec![("a", PASSED)], 139, Broken),
        // what failed before the end has failed
        (vec![("a", ASSERTION)], 139, Red),
    ] {
        let report = report(&tests);
        let (verdict, confirmed, reason) = judged(Exit::Code(code), Some(&report), RedNeeds::Error);
        assert_eq!(verdict, expected, "{tests:?} {code}: {reason}");
        assert!(confirmed);
    }
}

#[test]
fn a_status_that_is_the_number_of_failures_is_no_signal() {
    let many: Vec<String> = (0..137).map(|n| format!("t{n}")).collect();
    let tests: Vec<_> = many.iter().map(|id| (id.as_str(), ASSERTION)).collect();
    let (verdict, _, _) = judged(Exit::Code(137), Some(&report(&tests)), RedNeeds::Assertion);
    assert_eq!(verdict, Verdict::Red);
}

#[test]
fn red_needs_a_cause_that_counts() {
    for (status, error, stub, assertion) in [
        (ERROR, true, false, false),
        (STUB, true, true, false),
        (ASSERTION, true, true, true),
    ] {
        for (needs, red) in [
            (RedNeeds::Error, error),
            (RedNeeds::Stub, stub),
            (RedNeeds::Assertion, assertion),
        ] {
            let (verdict, _, reason) =
                judged(Exit::Code(1), Some(&report(&[("a", status)])), needs);
            let expected = if red { Verdict::Red } else { Verdict::Broken };
            assert_eq!(verdict, expected, "{status:?} {needs:?}: {reason}");
        }
    }
}

#[test]
fn what_was_cut_off_is_unknown_and_never_green() {
    let cut_by: [fn(&mut Report); 3] = [
        |report| report.unfinished.push("x".into()),
        |report| report.unknown.push("x".into()),
        |report| report.ended = false,
    ];
    for cut in cut_by {
        for (status, code, expected) in [
            (ASSERTION, 1, Verdict::Red),
            (ASSERTION, 134, Verdict::Red),
            (PASSED, 0, Verdict::Broken),
            (PASSED, 1, Verdict::Broken),
        ] {
            let mut report = report(&[("a", status)]);
            cut(&mut report);
            let (verdict, _, reason) = judged(Exit::Code(code), Some(&report), RedNeeds::Error);
            assert_eq!(verdict, expected, "{report:?}");
            assert!(
                report.ended == reason.contains("`x`") || code == 134,
                "{reason}"
            );
        }
    }
}

#[test]
fn a_command_that_fails_beyond_its_tests_is_red_without_failing_tests() {
    let known = BTreeSet::new();
    let rules = JudgeRules {
        red_needs: RedNeeds::Assertion,
        red_confirm_matched: None,
        known_failures: &known,
    };
    let red = |status, code| {
        let report = report(&[("a", status)]);
        let judgement = judge(&Exit::Code(code), Some(&report), None, &rules);
        (judgement.verdict, judgement.beyond_tests)
    };
    assert_eq!(red(PASSED, 1), (Verdict::Red, true));
    assert_eq!(red(PASSED, 0), (Verdict::Green, false));
    assert_eq!(red(ASSERTION, 1), (Verdict::Red, false));
}

#[test]
fn what_proves_nothing_is_broken_at_every_level() {
    let broken_by: [fn(&mut Report); 3] = [
        |report| {
            report.load_errors.push(LoadError {
                what: "x".into(),
                message: "y".into(),
                ..LoadError::default()
            });
        },
        |report| report.contradiction = Some("a worker crashed".into()),
        |report| report.tests.set_outcome(0, ASSERTION, true),
    ];
    for breaks in broken_by {
        let mut report = report(&[("a", ASSERTION)]);
        breaks(&mut report);
        for needs in [RedNeeds::Error, RedNeeds::Stub, RedNeeds::Assertion] {
            assert_eq!(
                judged(Exit::Code(1), Some(&report), needs).0,
                Verdict::Broken,
                "{report:?}"
            );
        }
    }
    let passing = report(&[("a", PASSED)]);
    for exit in [
        Exit::Timeout,
        Exit::Signal(11),
        Exit::NotStarted("no such file".into()),
    ] {
        for report in [None, Some(&passing)] {
            assert_eq!(
                judged(exit.clone(), report, RedNeeds::Error).0,
                Verdict::Broken
            );
        }
    }
}

#[test]
fn the_exit_status_alone_confirms_nothing() {
    for (code, verdict, confirmed) in [
        (0, Verdict::Green, false),
        (1, Verdict::Red, false),
        (2, Verdict::Red, false),
        (124, Verdict::Broken, true),
        (126, Verdict::Broken, true),
        (127, Verdict::Broken, true),
        (137, Verdict::Broken, true),
    ] {
        let judged = judged(Exit::Code(code), None, RedNeeds::Error);
        assert_eq!((judged.0, judged.1), (verdict, confirmed), "{code}");
    }
}

#[test]
fn red_confirm_stands_in_for_a_report() {
    let known = BTreeSet::new();
    for (matched, code, verdict) in [
        (true, 1, Verdict::Red),
        (true, 0, Verdict::Red),
        (false, 1, Verdict::Broken),
        (false, 0, Verdict::Green),
    ] {
        let rules = JudgeRules {
            red_needs: RedNeeds::Assertion,
            red_confirm_matched: Some(matched),
            known_failures: &known,
        };
        let judgement = judge(&Exit::Code(code), None, None, &rules);
        assert_eq!((judgement.verdict, judgement.confirmed), (verdict, true));
    }
}

#[test]
fn reasons_are_in_words() {
    let mut broken = report(&[("a", PASSED)]);
    broken.load_errors.push(LoadError {
        what: "tests/test_a.py".into(),
        message: "No module named 'foo'".into(),
        ..LoadError::default()
    });
    for (report, code, reason) in [
        (
            broken,
            2,
            "`tests/test_a.py` could not be loaded: No module named 'foo'",
        ),
        (
            report(&[("a", ASSERTION), ("b", ASSERTION)]),
            1,
            "`a` failed: why (and 1 more failed)",
        ),
        (
            report(&[("a", ASSERTION)]),
            0,
            "`a` failed: why; the exit status was 0 all the same",
        ),
        (
            report(&[("a", PASSED), ("b", SKIPPED), ("known", ERROR)]),
            1,
            "1 passed, 1 skipped, 1 known failure",
        ),
        (
            report(&[("a", STUB)]),
            1,
            "a red needs an assertion that fails, and `a` failed by a stub: why",
        ),
    ] {
        assert_eq!(
            judged(Exit::Code(code), Some(&report), RedNeeds::Assertion).2,
            reason
        );
    }
}

#[test]
fn a_line_that_only_says_where_comes_with_the_next() {
    for (message, expected) in [
        (
            "panicked at a.rs:2:1:\nnot four\nmore",
            "panicked at a.rs:2:1: not four",
        ),
        ("panicked at a.rs:2:1:", "panicked at a.rs:2:1:"),
        ("\n  not four\nmore", "not four"),
        ("", ""),
    ] {
        assert_eq!(headline(message), expected);
    }
}
