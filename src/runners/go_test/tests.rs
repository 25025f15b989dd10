use super::*;

const OUTPUT: &str = "# demo/bar\nbar/bar.go:1:1: syntax error\n\
        # demo/b [demo/b.test]\nb/b_test.go:5:30: undefined: Nope\n\
        FAIL\tdemo/b [build failed]\nFAIL\tdemo/needs_bar [build failed]\n";

#[test]
fn a_package_that_does_not_compile_says_where() {
    let report = read_text(OUTPUT).and_then(Told::alone).expect("its output");
    let errors: Vec<_> = report
        .load_errors
        .iter()
        .map(|error| (error.what.as_str(), error.message.as_str()))
        .collect();
    assert_eq!(
        errors,
        [
            ("demo/b", "b/b_test.go:5:30: undefined: Nope"),
            ("demo/needs_bar", "bar/bar.go:1:1: syntax error"),
        ]
    );
}

#[test]
fn what_the_compiler_said_beside_the_json_is_not_lost() {
    let json = "FAIL\tdemo/b [build failed]\n\
            {\"Action\":\"pass\",\"Package\":\"demo/a\"}\n";
    let report = read(&mut json.as_bytes());
    let reports = vec![(&JSON, report)];
    let runners = [&RUNNER];
    let report = super::super::formats::combine(reports, &runners, OUTPUT, true).expect("a report");
    assert_eq!(
        report.load_errors[0].message,
        "b/b_test.go:5:30: undefined: Nope"
    );
}

#[test]
fn a_package_that_fails_as_a_whole_says_how() {
    let json = r#"{"Action":"output","Package":"demo","Output":"exit status 3\n"}
{"Action":"output","Package":"demo","Output":"FAIL\tdemo\t0.003s\n"}
{"Action":"fail","Package":"demo"}
"#;
    let report = read(&mut json.as_bytes()).expect("its JSON");
    assert_eq!(
        report.contradiction.as_deref(),
        Some("package `demo` failed outside of its tests: exit status 3")
    );
}

const NO_LINE_END: &str = "=== RUN   TestB\npartial--- PASS: TestB (0.00s)\n\
        === RUN   TestC\n=== RUN   TestC/x\nmore--- FAIL: TestC (0.00s)\n    \
        --- FAIL: TestC/x (0.00s)\n        c_test.go:4: no\nFAIL\nFAIL\tdemo\t0.003s\nFAIL\n";

fn outcomes(report: &Report) -> Vec<(&str, bool)> {
    let mut tests: Vec<_> = (report.tests.iter())
        .map(|test| (test.id, test.status == crate::rules::TestStatus::Passed))
        .collect();
    tests.sort_unstable();
    tests
}

#[test]
fn a_test_that_prints_no_end_of_line_ends_all_the_same() {
    let expected = [
        ("demo > TestB", true),
        ("demo > TestC", false),
        ("demo > TestC/x", false),
    ];
    let report = read_text(NO_LINE_END).and_then(Told::alone);
    let report = report.expect("its output");
    assert_eq!(outcomes(&report), expected);
    assert_eq!(report.unfinished, Vec::<String>::new());
    let quiet =
        "partial--- FAIL: TestC (0.00s)\n    c_test.go:4: no\nFAIL\nFAIL\tdemo\t0.003s\nFAIL\n";
    let report = read_text(quiet).and_then(Told::alone).expect("its output");
    assert_eq!(outcomes(&report), [("demo > TestC", false)]);
    assert_eq!(report.contradiction, None);
}

/// What Go 1.19 makes of the same run.
fn old_json() -> String {
    let run = |test| format!(r#"{{"Action":"run","Package":"demo","Test":"{test}"}}"#);
    let output = |test: &str, text: &str| {
        let text = format!("{text}\n");
        serde_json::json!({"Action":"output","Package":"demo","Test":test,"Output":text})
            .to_string()
    };
    [
        run("TestB"),
        output("TestB", "partial--- PASS: TestB (0.00s)"),
        run("TestC"),
        run("TestC/x"),
        output("TestC/x", "more--- FAIL: TestC (0.00s)"),
        output("TestC/x", "    --- FAIL: TestC/x (0.00s)"),
        r#"{"Action":"fail","Package":"demo"}"#.to_owned(),
    ]
    .join("\n")
}

#[test]
fn the_ends_that_old_versions_overlook_are_found_and_those_of_new_ones_not_guessed() {
    let report = read(&mut old_json().as_bytes()).expect("its JSON");
    let expected = [
        ("demo > TestB", true),
        ("demo > TestC", false),
        ("demo > TestC/x", false),
    ];
    assert_eq!(outcomes(&report), expected);
    assert_eq!(report.unfinished, Vec::<String>::new());
    let new = format!(
        "{{\"Action\":\"start\",\"Package\":\"demo\"}}\n{}",
        old_json()
    );
    let report = read(&mut new.as_bytes()).expect("its JSON");
    assert_eq!(report.unfinished.len(), 3);
}
