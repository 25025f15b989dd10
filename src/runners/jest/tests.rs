use super::*;
use crate::rules::verdict::TestStatus;

fn status_of(message: &str) -> TestStatus {
    let line = serde_json::json!({
        "file": "/p/a.test.js",
        "path": ["a"],
        "status": "failed",
        "matcher": [false],
        "messages": [message],
    });
    let report = read(&mut line.to_string().as_bytes()).expect("a line of our reporter");
    report.tests.get(0).expect("a test").status
}

#[test]
fn assertions_without_a_type_are_known_by_their_words_in_colour_too() {
    for message in [
        "assert.equal(received, expected)\n\nExpected value to be (operator: ==):\n  2",
        "assert(received)\n\nExpected value to be equal to:\n  true",
        "\x1b[2massert\x1b[22m\x1b[2m.equal(\x1b[22m\x1b[31mreceived\x1b[39m\x1b[2m, \x1b[22m\x1b[32mexpected\x1b[39m\x1b[2m)\x1b[22m\n",
        "Error: \x1b[2mexpect.assertions(\x1b[22m\x1b[32m1\x1b[39m\x1b[2m)\x1b[22m\n",
    ] {
        assert_eq!(
            status_of(message),
            TestStatus::Failed(Cause::Assertion),
            "{message}"
        );
    }
    assert_eq!(
        status_of("Error: assert.equal(received, expected)\n    at a.js:1:1"),
        TestStatus::Failed(Cause::Error)
    );
}

#[test]
fn the_file_is_named_in_colour_too() {
    // Without its colours, ` FAIL ` keeps the blanks that they are painted on.
    for status in ["FAIL ./a.test.js", " FAIL  ./a.test.js (5 s)"] {
        let output = format!(
            "{status}\n  ✓ ok\n  ✕ bad\n\n  ● bad\n\n    expect(received).toBe(expected)\n\n\
            Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 passed, 2 total\n"
        );
        let report = read_text(&output).and_then(Told::alone);
        let report = report.expect("its output");
        let ids: Vec<_> = report.tests.iter().map(|test| test.id).collect();
        assert_eq!(ids, ["a.test.js > ok", "a.test.js > bad"], "{status}");
    }
}
