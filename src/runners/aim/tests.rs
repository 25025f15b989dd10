use regex::Regex;

use super::*;
use crate::rules::verdict::{Cause, TestStatus};
use crate::rules::verdict::{LoadError, Tests};
use crate::test_run::{TestCommand, can_aim};

fn wanted(id: &str, file: &str, path: &[&str], name: &str) -> Wanted {
    Wanted {
        id: id.to_owned(),
        file: (!file.is_empty()).then(|| file.to_owned()),
        name: name.to_owned(),
        path: path.iter().map(|one| (*one).to_owned()).collect(),
    }
}

fn report(tests: &[(&str, &str)]) -> Report {
    let case = |(id, file): &(&'static str, &'static str)| TestCase {
        id,
        file: (!file.is_empty()).then_some(*file),
        status: TestStatus::Passed,
        inconclusive: false,
        message: "",
    };
    let tests: Vec<(&'static str, &'static str)> = tests
        .iter()
        .map(|(id, file)| {
            let leak = |text: &str| -> &'static str { text.to_owned().leak() };
            (leak(id), leak(file))
        })
        .collect();
    Report {
        tests: tests.iter().map(case).collect::<Tests>(),
        ended: true,
        ..Report::default()
    }
}

#[test]
fn a_wanted_test_is_found_by_its_id_or_by_file_and_name() {
    let py = "tests/test_a.py";
    let js = "a.test.js";
    type Case<'a> = (Wanted, &'a [(&'a str, &'a str)], &'a [&'a str]);
    let cases: [Case<'_>; 17] = [
        // by id, whatever else has the name
        (
            wanted("tests/test_a.py::K::test_x", py, &[], "test_x"),
            &[
                ("tests/test_a.py::test_x", py),
                ("tests/test_a.py::K::test_x", py),
            ],
            &["tests/test_a.py::K::test_x"],
        ),
        // rows of a table
        (
            wanted("tests/test_a.py::test_x", py, &[], "test_x"),
            &[
                ("tests/test_a.py::test_x[a]", py),
                ("tests/test_a.py::test_xy", py),
            ],
            &["tests/test_a.py::test_x[a]"],
        ),
        (
            wanted("tests/test_a.py::test_x[a]", py, &[], "test_x"),
            &[
                ("tests/test_a.py::test_x[a]", py),
                ("tests/test_a.py::test_x[b]", py),
            ],
            &["tests/test_a.py::test_x[a]"],
        ),
        (
            wanted("", py, &["K"], "test_x"),
            &[
                ("tests/test_a.py::test_x", py),
                ("tests/test_a.py::K::test_x[1]", py),
            ],
            &["tests/test_a.py::K::test_x[1]"],
        ),
        (
            wanted("", py, &[], "test_x"),
            &[("tests/test_b.py::test_x", "tests/test_b.py")],
            &[],
        ),
        // all of a file
        (
            wanted("", py, &[], ""),
            &[("tests/test_a.py::a", py), ("b.py::b", "b.py")],
            &["tests/test_a.py::a"],
        ),
        // tests of the same name are numbered
        (
            wanted("a.test.js > x #2", js, &[], "x"),
            &[
                ("a.test.js > x", js),
                ("a.test.js > x #2", js),
                ("a.test.js > x y", js),
            ],
            &["a.test.js > x", "a.test.js > x #2"],
        ),
        (
            wanted("", js, &["d"], "adds %i to $b"),
            &[
                ("a.test.js > d > adds 1 to 2", js),
                ("a.test.js > d > adds", js),
            ],
            &["a.test.js > d > adds 1 to 2"],
        ),
        (
            wanted("", js, &["a > b"], "c (d)"),
            &[("a.test.js > a > b > c (d)", js), ("a.test.js > c (d)", js)],
            &["a.test.js > a > b > c (d)"],
        ),
        // titles joined by blanks
        (
            wanted("a.js > calc > adds", "a.js", &[], ""),
            &[
                ("a.js > calc adds", "a.js"),
                ("a.js > calc adds more", "a.js"),
            ],
            &["a.js > calc adds"],
        ),
        (
            wanted("", "a.js", &["calc"], "adds"),
            &[("a.js > calc adds", "a.js")],
            &["a.js > calc adds"],
        ),
        (
            wanted("", "src/a.rs", &["tests"], "adds"),
            &[
                ("src/lib.rs > a::tests::adds::case_1", "src/a.rs"),
                ("src/lib.rs > tests::adds", "src/lib.rs"),
            ],
            &["src/lib.rs > a::tests::adds::case_1"],
        ),
        (
            wanted("", "p/a_test.go", &[], "TestA"),
            &[
                ("example.com/m/p > TestA/b", ""),
                ("example.com/m/q > TestA", ""),
            ],
            &["example.com/m/p > TestA/b"],
        ),
        (
            wanted("", "t/test_m.py", &["K"], "test_x"),
            &[("t.test_m.K.test_x", ""), ("t.test_n.K.test_x", "")],
            &["t.test_m.K.test_x"],
        ),
        (
            wanted("", "src/a.rs", &[], "adds"),
            &[("crate > a::adds", "")],
            &["crate > a::adds"],
        ),
        // a guess that was wrong
        (
            wanted("a.test.js > adds", js, &[], "adds"),
            &[("a.test.js > calc > adds", js)],
            &["a.test.js > calc > adds"],
        ),
        (
            wanted("", "", &[], ""),
            &[("a.test.js > calc > adds", js)],
            &[],
        ),
    ];
    for (wanted, tests, expected) in cases {
        let report = report(tests);
        assert_eq!(wanted.found_in(&report), expected, "{wanted:?}");
    }
}

#[test]
fn patterns_match_full_titles() {
    for (wanted, matching, other) in [
        (
            wanted("a.js > d > it's [x] $1 (y) | z", "", &[], ""),
            "d it's [x] $1 (y) | z",
            "d it's x",
        ),
        (
            wanted("a.js > a > b > c", "", &[], ""),
            "a > b c",
            "a b c d",
        ),
        (wanted("a.js > c #2", "", &[], ""), "c", "c 2"),
        (wanted("", "a.js", &[], "c"), "x c", "c x"),
        (
            wanted("", "a.js", &["d", "e"], "row %i"),
            "d y e row 7",
            "e row 7",
        ),
        (
            wanted("a.js > row ${n}", "a.js", &[], "row ${n}"),
            "row 12",
            "a row 12",
        ),
        (
            wanted("a.js > ü \"q\" ^.*", "", &[], ""),
            "ü \"q\" ^.*",
            "ü \"q\" x",
        ),
    ] {
        let tests = vec![wanted];
        let selection = Selection { tests };
        let aim = Aim::new(&selection, Path::new("/nowhere"));
        let pattern = aim.title_pattern().expect("a title");
        let pattern = Regex::new(&pattern).expect("a pattern");
        assert!(pattern.is_match(matching), "{pattern} {matching}");
        assert!(!pattern.is_match(other), "{pattern} {other}");
    }
    let tests = vec![wanted("", "a.js", &[], "")];
    let selection = Selection { tests };
    let aim = Aim::new(&selection, Path::new("/nowhere"));
    assert_eq!(aim.title_pattern(), None);
    assert_eq!(aim.files(), Some(vec!["/nowhere/a.js".to_owned()]));
}

#[test]
fn a_report_is_limited_to_the_wanted_tests() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for file in ["a.py", "b.py", "src.py"] {
        std::fs::write(dir.path().join(file), "").expect("a new file");
    }
    let tests = vec![wanted("a.py::x", "a.py", &[], "x")];
    let selection = Selection { tests };
    // another test of the file that a filter let through
    let mut limited = report(&[("a.py::x", "a.py"), ("a.py::y", "a.py")]);
    let error = |what: &str| LoadError {
        what: what.to_owned(),
        ..LoadError::default()
    };
    limited.load_errors = vec![error("b.py"), error("a.py"), error("")];
    assert!(limit(&selection, dir.path(), &mut limited));
    assert_eq!(limited.tests.statuses(), [("a.py::x", TestStatus::Passed)]);
    let left: Vec<&str> = limited
        .load_errors
        .iter()
        .map(|one| one.what.as_str())
        .collect();
    assert_eq!(left, ["a.py", ""]);
    // all ran
    let mut whole = report(&[("a.py::x", "a.py"), ("b.py::x", "b.py")]);
    let before = whole.clone();
    assert!(!limit(&selection, dir.path(), &mut whole));
    assert_eq!(whole, before);
    // what was left out is told of as skipped
    whole.tests.set_outcome(1, TestStatus::Skipped, false);
    whole
        .tests
        .set_outcome(0, TestStatus::Failed(Cause::Error), false);
    assert!(limit(&selection, dir.path(), &mut whole));
    assert_eq!(
        whole.tests.statuses(),
        [("a.py::x", TestStatus::Failed(Cause::Error))]
    );
}

#[test]
fn what_can_be_aimed_is_known_beforehand() {
    let can = |command: &str| {
        can_aim(
            &TestCommand::Shell(command.to_owned()),
            Path::new("/nowhere"),
        )
    };
    for command in [
        "pytest -q",
        "uv run pytest",
        "python -m unittest",
        "npx vitest run",
        "npx jest",
        "mocha",
        "node --test",
        "cargo test --workspace",
        "cargo nextest run",
        "go test ./...",
        "bundle exec rspec",
        "vendor/bin/phpunit",
        "mix test",
        "pytest && npx jest",
    ] {
        assert!(can(command), "{command}");
    }
    for command in [
        "./anything",
        "make test",
        "docker compose run app pytest",
        "prove t",
        "/opt/bin/cargo test",
        "go test -run TestX ./...",
        "npx jest -t adds",
        "pytest && prove t",
    ] {
        assert!(!can(command), "{command}");
    }
}
