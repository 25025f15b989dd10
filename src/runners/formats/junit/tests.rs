use super::*;
use crate::rules::verdict::{Cause, TestStatus};

fn report(xml: &str) -> Report {
    read(&mut xml.as_bytes()).expect("it is a report")
}

const FAILED: TestStatus = TestStatus::Failed(Cause::Assertion);

#[test]
fn test_cases_are_found_anywhere() {
    for (xml, id) in [
        (
            "<testsuites><testsuite name='s'><testcase name='a' classname='C'/></testsuite></testsuites>",
            "C > a",
        ),
        (
            "<testsuite name='s'><testcase name='a'></testcase></testsuite>",
            "s > a",
        ),
        (
            "<testsuites><testsuite name='o'><testsuite name='s'><testcase name='a' classname='C'/></testsuite></testsuite></testsuites>",
            "C > a",
        ),
        ("<testcase name='a' classname='C'/>", "C > a"),
        (
            "<?xml version='1.0'?><!DOCTYPE x><root><testcase name='a' classname='C'/></root>",
            "C > a",
        ),
    ] {
        let report = report(xml);
        assert_eq!(report.tests.statuses(), [(id, TestStatus::Passed)], "{xml}");
        assert!(report.ended, "{xml}");
    }
}

#[test]
fn failures_errors_and_skips() {
    let report = report(
        "<testsuite name='s'>
           <testcase name='f' classname='C'><failure message='1 != 2'>text</failure></testcase>
           <testcase name='e' classname='C'><error type='ValueError' message='no'/></testcase>
           <testcase name='n' classname='C'><error type='x.NotImplementedError'/></testcase>
           <testcase name='s' classname='C'><skipped/></testcase>
           <testcase name='r' classname='C'><flakyFailure><failure/></flakyFailure></testcase>
         </testsuite>",
    );
    assert_eq!(
        report.tests.statuses(),
        [
            ("C > f", FAILED),
            ("C > e", TestStatus::Failed(Cause::Error)),
            ("C > n", TestStatus::Failed(Cause::Stub)),
            ("C > s", TestStatus::Skipped),
            ("C > r", TestStatus::Passed),
        ]
    );
    assert_eq!(report.tests.get(0).expect("a test").message, "1 != 2");
}

#[test]
fn names_with_a_prefix_are_the_same() {
    let report = report(
        "<j:testsuite xmlns:j='urn:j' name='s'><j:testcase name='a'><j:failure message='x'/></j:testcase>
           <j:testcase name='b'><j:failure>y</j:failure></j:testcase><j:testcase name='c'/></j:testsuite>",
    );
    let passed = TestStatus::Passed;
    assert_eq!(
        report.tests.statuses(),
        [("s > a", FAILED), ("s > b", FAILED), ("s > c", passed)]
    );
    assert!(report.ended);
}

#[test]
fn a_truncated_report_has_not_ended() {
    let whole = "<testsuites><testsuite name='s'><testcase name='a'><failure message='x'>y</failure></testcase><testcase name='b'/></testsuite></testsuites>";
    assert!(report(whole).ended);
    for end in 0..whole.len() {
        if let Ok(report) = read(&mut &whole.as_bytes()[..end]) {
            assert!(!report.ended, "{}", &whole[..end]);
        }
    }
    assert!(!report("").ended);
}

#[test]
fn entities_are_not_expanded() {
    let bomb = "<!DOCTYPE t [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'><!ENTITY x SYSTEM 'file:///etc/passwd'>]>
        <testsuite name='s'><testcase name='&b;'><failure message='&x;'>&b;&lt;</failure></testcase></testsuite>";
    let report = report(bomb);
    assert_eq!(report.tests.statuses(), [("s > &b;", FAILED)]);
    assert_eq!(report.tests.get(0).expect("a test").message, "&x;");
}

#[test]
fn texts_of_any_length_are_cut() {
    let long = "x".repeat(3 << 20);
    let xml = format!(
        "<testsuite name='s'>{long}<testcase name='a' classname='C'><failure>{long}</failure><system-out><![CDATA[{long}]]]></system-out></testcase>{long}</testsuite>"
    );
    let report = report(&xml);
    assert!(report.ended);
    assert_eq!(
        report.tests.get(0).expect("a test").message.len(),
        MESSAGE_BYTES
    );
}

#[test]
fn cdata_and_text_are_joined() {
    let report = report(
        "<testsuite name='s'><testcase name='a'><failure>a &lt; <![CDATA[b < ]] > ]]>c</failure></testcase></testsuite>",
    );
    assert_eq!(
        report.tests.get(0).expect("a test").message,
        "a < b < ]] > c"
    );
}

#[test]
fn what_is_no_report_is_an_error() {
    for other in ["<html><body/></html>", "hello", "{}", "\u{0}\u{1}"] {
        assert!(
            read(&mut other.as_bytes()).map_or(true, |report| !report.ended),
            "{other}"
        );
    }
    assert!(read(&mut "<html></html>".as_bytes()).is_err());
}

#[test]
fn bytes_that_are_no_utf8_do_not_stop_it() {
    let mut input = &b"<testsuite name='s'><testcase name='a\xff'/></testsuite>"[..];
    let report = read(&mut input).expect("it is a report");
    assert_eq!(
        report.tests.statuses(),
        [("s > a\u{fffd}", TestStatus::Passed)]
    );
}

#[test]
fn data_that_phpunit_could_not_be_given_is_no_test() {
    let report = report(
        r"<testsuites><testsuite name='A'><testcase name='testOk' class='A' classname='A'/>
          <testsuite name='A::testP'><testcase name='Error' assertions='0'>
          <error type='PHPUnit\Framework\Error'>Error
The data provider specified for A::testP is invalid.</error>
          </testcase></testsuite></testsuite></testsuites>",
    );
    assert_eq!(
        report.tests.statuses(),
        [("A > testOk", TestStatus::Passed)]
    );
    assert_eq!(report.load_errors[0].what, "A::testP");
}

#[test]
fn tests_in_pieces_of_any_size_are_the_same() {
    /// Gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);
    impl std::io::Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = into.len().min(self.1);
            self.0.read(&mut into[..count])
        }
    }
    let xml = "\u{feff}<?xml version='1.0'?><!-- <testcase name='no'/> --><testsuites><testsuite name='s'>
        <testcase name='é &lt;' classname='C > D'><failure message='a &amp; b'>x &amp; <![CDATA[ ]] < y ]]>z</failure></testcase>
        <testcase name='b' classname='C'><failure><![CDATA[☃日 ]] ]☃]]]>🎉</failure></testcase></testsuite></testsuites>";
    let whole = report(xml);
    assert_eq!(whole.tests.get(0).expect("a test").message, "a & b");
    assert_eq!(whole.tests.get(1).expect("a test").message, "☃日 ]] ]☃]🎉");
    assert_eq!(whole.tests.len(), 2);
    for size in 1..40 {
        let mut input = std::io::BufReader::with_capacity(size, Trickle(xml.as_bytes(), size));
        assert_eq!(read(&mut input).expect("it is a report"), whole, "{size}");
    }
}

#[test]
fn a_hook_of_bun_that_fails_is_no_test() {
    let report = report(
        "<testsuites name='bun test'><testsuite name='a.test.js' file='a.test.js'>
         <testcase name='ok' classname='' file='a.test.js'/>
         <testcase name='(unnamed)' classname='' file='a.test.js'><failure type='Error' message='x'/></testcase>
         </testsuite></testsuites>",
    );
    assert_eq!(
        report.tests.statuses(),
        [("a.test.js > ok", TestStatus::Passed)]
    );
    assert_eq!(report.load_errors[0].what, "a.test.js");
}

#[test]
fn a_phpunit_class_that_could_not_be_set_up_tests_nothing() {
    let of = |time: &str| {
        report(&format!(
            "<testsuites><testsuite name='ATest'><testcase name='testA' class='ATest' time='{time}'>\
             <error type='Exception'>ATest::testA\nException: x</error></testcase></testsuite></testsuites>"
        ))
    };
    assert!(of("0.000000").tests.get(0).expect("a test").inconclusive);
    assert!(!of("0.000212").tests.get(0).expect("a test").inconclusive);
}

#[test]
fn tests_that_googletest_only_lists_did_not_run() {
    let listed = report(
        "<testsuites tests='1' name='AllTests'><testsuite name='A'><testcase name='B' file='t.cc' line='4' />\
         </testsuite></testsuites>",
    );
    assert_eq!(listed.ran(), 0);
}

#[test]
fn the_name_of_a_test_is_no_reason_why_it_failed() {
    let report = report(
        "<testsuites><testsuite name='CalcTest'><testcase name='testA' class='CalcTest' time='0.1'>\
         <error type='Exception'>CalcTest::testA\nException: no db\n\n/a/CalcTest.php:7</error>\
         </testcase></testsuite></testsuites>",
    );
    let message = report.tests.get(0).expect("a test").message;
    assert_eq!(message.lines().next(), Some("Exception: no db"));
}

#[test]
fn what_stands_before_each_test_of_junit_is_no_test() {
    let with = |frame: &str| {
        report(&format!(
            "<testsuite name='C'><testcase name='a' classname='C'><error type='java.lang.RuntimeException' \
             message='no db'>java.lang.RuntimeException: no db\n\tat C.up(C.java:5)\n\tat {frame}(X.java:1)\n\
             </error></testcase></testsuite>"
        ))
    };
    for (frame, inconclusive) in [
        (
            "org.junit.jupiter.engine.extension.TimeoutExtension.interceptBeforeEachMethod",
            true,
        ),
        (
            "org.junit.internal.runners.statements.RunBefores.invokeMethod",
            true,
        ),
        // On the way to every test of a class that has something to set up.
        (
            "org.junit.internal.runners.statements.RunBefores.evaluate",
            false,
        ),
        (
            "org.junit.jupiter.engine.extension.TimeoutExtension.interceptTestMethod",
            false,
        ),
    ] {
        let found = with(frame).tests.get(0).expect("a test").inconclusive;
        assert_eq!(found, inconclusive, "{frame}");
    }
}

#[test]
fn a_class_of_phpunit_without_tests_is_named() {
    let xml = r#"<testsuites><testsuite name="tests"><testsuite name="ATest" file="/p/ATest.php">
        <testcase name="Warning" assertions="0" time="0.002806">
        <warning type="PHPUnit\Framework\Warning">Warning
No tests found in class "ATest".</warning></testcase></testsuite></testsuite></testsuites>"#;
    let report = read(&mut xml.as_bytes()).expect("it is XML");
    assert!(report.tests.is_empty(), "{:?}", report.tests);
    let error = &report.load_errors[0];
    assert_eq!(error.what, "ATest");
    assert_eq!(error.message, "No tests found in class \"ATest\".");
}
