use super::*;
use crate::policy::verdict::{Cause, TestStatus};

fn report(xml: &str) -> Report {
    read(&mut xml.as_bytes()).expect("it is a report")
}

fn statuses(report: &Report) -> Vec<(&str, TestStatus)> {
    report
        .tests
        .iter()
        .map(|test| (test.id.as_str(), test.status))
        .collect()
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
        assert_eq!(statuses(&report), [(id, TestStatus::Passed)], "{xml}");
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
        statuses(&report),
        [
            ("C > f", FAILED),
            ("C > e", TestStatus::Failed(Cause::Error)),
            ("C > n", TestStatus::Failed(Cause::Stub)),
            ("C > s", TestStatus::Skipped),
            ("C > r", TestStatus::Passed),
        ]
    );
    assert_eq!(report.tests[0].message, "1 != 2");
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
    assert_eq!(statuses(&report), [("s > &b;", FAILED)]);
    assert_eq!(report.tests[0].message, "&x;");
}

#[test]
fn texts_of_any_length_are_cut() {
    let long = "x".repeat(3 << 20);
    let xml = format!(
        "<testsuite name='s'>{long}<testcase name='a' classname='C'><failure>{long}</failure><system-out><![CDATA[{long}]]]></system-out></testcase>{long}</testsuite>"
    );
    let report = report(&xml);
    assert!(report.ended);
    assert_eq!(report.tests[0].message.len(), MESSAGE_BYTES);
}

#[test]
fn cdata_and_text_are_joined() {
    let report = report(
        "<testsuite name='s'><testcase name='a'><failure>a &lt; <![CDATA[b < ]] > ]]>c</failure></testcase></testsuite>",
    );
    assert_eq!(report.tests[0].message, "a < b < ]] > c");
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
    assert_eq!(statuses(&report), [("s > a?", TestStatus::Passed)]);
}
