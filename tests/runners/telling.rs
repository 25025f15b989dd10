//! Real runs in which a runner says less than what happened, or something else, and workspaces in which
//! several packages have tests of the same name.

use std::fs;

use git_tcr::rules::{Cause, RedNeeds, TestStatus, Verdict};
use git_tcr::test_run::TestRun;

use super::{node_packages, run};
use crate::support::programs::are_there;

/// A run of a project of these files; none if one of the programs is missing.
fn try_run(programs: &[&str], command: &str, files: &[(&str, &str)]) -> Option<TestRun> {
    if !are_there(programs) {
        return None;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the project")).expect("a new folder");
        fs::write(path, content).expect("a new file");
    }
    if let Some(packages) = node_packages(programs) {
        std::os::unix::fs::symlink(packages, dir.path().join("node_modules")).expect("a new link");
    }
    Some(run(dir.path(), command, RedNeeds::Error))
}

fn expect(run: Option<TestRun>, verdict: Verdict, reason: &str) {
    let Some(run) = run else { return };
    assert_eq!(run.judgement.verdict, verdict, "{run:#?}");
    assert_eq!(run.judgement.reason, reason, "{run:#?}");
}

/// All tests with the files they live in.
fn expect_tests(run: Option<TestRun>, expected: &[(&str, &str)]) {
    let Some(run) = run else { return };
    let report = run.report.as_ref().expect("it was read");
    let mut tests: Vec<_> = (report.tests.iter())
        .map(|test| (test.id, test.file.unwrap_or_default()))
        .collect();
    tests.sort_unstable();
    assert_eq!(tests, expected, "{run:#?}");
}

#[test]
fn a_rejection_that_mocha_forgets_is_told_of() {
    let test = "const assert = require('assert');\nit('a', () => { assert.rejects(Promise.resolve(1)); });\n";
    expect(
        try_run(
            &["mocha"],
            "node_modules/.bin/mocha",
            &[("test/a.js", test)],
        ),
        Verdict::Broken,
        "a promise was rejected and no test waited for it: AssertionError: Missing expected rejection.",
    );
}

#[test]
fn a_process_that_takes_an_exunit_test_with_it_is_the_cause() {
    let test = "defmodule CalcTest do\n  use ExUnit.Case\n  test \"a\" do\n    spawn_link(fn -> raise \"boom\" end)\n    \
        Process.sleep(5000)\n  end\nend\n";
    let files = [
        (
            "mix.exs",
            "defmodule Demo.MixProject do\n  use Mix.Project\n  def project, do: [app: :demo, version: \"0.1.0\"]\nend\n",
        ),
        ("test/test_helper.exs", "ExUnit.start()\n"),
        ("test/calc_test.exs", test),
    ];
    expect(
        try_run(&["mix"], "mix test", &files),
        Verdict::Red,
        "`CalcTest > test a` failed: ** (RuntimeError) boom",
    );
}

#[test]
fn a_set_up_of_phpunit_that_fails_is_no_red() {
    let test = "<?php\nclass ATest extends PHPUnit\\Framework\\TestCase {\n  function setUp(): void {\n    \
        throw new Exception('no db');\n  }\n  function testA() {\n    $this->assertTrue(true);\n  }\n}\n";
    expect(
        try_run(&["phpunit"], "phpunit tests", &[("tests/ATest.php", test)]),
        Verdict::Broken,
        "`ATest > testA` failed without testing anything: Exception: no db",
    );
}

#[test]
fn hooks_of_bun_that_fail_are_no_red() {
    for hook in ["beforeEach", "afterEach", "beforeAll", "afterAll"] {
        let test = format!(
            "import {{ describe, expect, test, {hook} }} from 'bun:test';\n\
             describe('calc', () => {{\n  {hook}(async () => {{\n    await 1;\n    expect(1).toBe(2);\n  }});\n  \
             test('adds', () => {{}});\n}});\ntest('other', () => {{}});\n"
        );
        let Some(run) = try_run(&["bun"], "bun test", &[("a.test.js", &test)]) else {
            return;
        };
        assert_eq!(run.judgement.verdict, Verdict::Broken, "{hook}: {run:#?}");
    }
}

#[test]
fn hooks_of_deno_that_fail_are_no_red() {
    for hook in ["beforeEach", "afterEach", "beforeAll", "afterAll"] {
        let test = format!(
            "import assert from 'node:assert';\nDeno.test.{hook}(async () => {{\n  await 1;\n  \
             assert.strictEqual(1, 2);\n}});\nDeno.test('adds', () => {{}});\n"
        );
        let Some(run) = try_run(&["deno"], "deno test", &[("a.test.js", &test)]) else {
            return;
        };
        assert_eq!(run.judgement.verdict, Verdict::Broken, "{hook}: {run:#?}");
    }
}

#[test]
fn fixtures_of_googletest_that_fail_are_no_red() {
    let build = "c++ a_test.cc -o a_test -lgtest -lgtest_main -pthread && ./a_test";
    for (member, verdict) in [
        (
            "void SetUp() override { FAIL() << \"no db\"; }",
            Verdict::Broken,
        ),
        (
            "void TearDown() override { EXPECT_EQ(1, 2); }",
            Verdict::Broken,
        ),
        ("Fix() { ADD_FAILURE(); }", Verdict::Broken),
        ("void check() {}", Verdict::Red),
    ] {
        let body = match verdict {
            Verdict::Red => "EXPECT_EQ(1, 2);",
            _ => "",
        };
        let test = format!(
            "#include <gtest/gtest.h>\nstruct Fix : ::testing::Test {{\n  {member}\n}};\nTEST_F(Fix, A) {{\n  {body}\n}}\n"
        );
        let Some(run) = try_run(&["c++"], build, &[("a_test.cc", &test)]) else {
            return;
        };
        assert_eq!(run.judgement.verdict, verdict, "{member}: {run:#?}");
    }
}

#[test]
fn fixtures_of_minitest_that_fail_are_no_red() {
    for test in [
        "class ATest < Minitest::Test\n  def setup\n    flunk\n  end\n  def test_a\n  end\nend\n",
        "describe 'a' do\n  before { flunk }\n  it('b') {}\nend\n",
        "describe 'a' do\n  after do\n    flunk\n  end\n  it('b') {}\nend\n",
    ] {
        let test = format!("require 'minitest/autorun'\n{test}");
        // The second command is not asked for a report.
        for command in ["ruby a_test.rb", "env -i /usr/bin/env ruby a_test.rb"] {
            let Some(run) = try_run(&["ruby"], command, &[("a_test.rb", &test)]) else {
                return;
            };
            assert_eq!(
                run.judgement.verdict,
                Verdict::Broken,
                "{command}: {run:#?}"
            );
        }
    }
}

#[test]
fn go_code_that_does_not_compile_is_named() {
    let test = "package demo\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { Nope() }\n";
    let files = [("go.mod", "module demo\n\ngo 1.19\n"), ("a_test.go", test)];
    let Some(run) = try_run(&["go"], "go test ./...", &files) else {
        return;
    };
    assert_eq!(run.judgement.verdict, Verdict::Broken);
    let reason = &run.judgement.reason;
    assert!(
        reason.contains("a_test.go:5:28: undefined: Nope"),
        "{reason}"
    );
}

const WORKSPACE: [(&str, &str); 5] = [
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n",
    ),
    (
        "a/Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\n",
    ),
    ("a/src/lib.rs", "mod inner;\n"),
    ("a/src/inner.rs", "#[test]\nfn x() {}\n"),
    (
        "b/Cargo.toml",
        "[package]\nname = \"b\"\nversion = \"0.1.0\"\n",
    ),
];

#[test]
fn tests_of_a_cargo_workspace_are_known_by_their_files() {
    let files = [
        &WORKSPACE[..],
        &[(
            "b/src/lib.rs",
            "mod inner {\n    #[test]\n    fn x() {}\n}\n",
        )],
    ]
    .concat();
    expect_tests(
        try_run(&["cargo"], "cargo test --offline", &files),
        &[
            ("a/src/lib.rs > inner::x", "a/src/inner.rs"),
            ("b/src/lib.rs > inner::x", "b/src/lib.rs"),
        ],
    );
}

#[test]
fn an_example_of_rust_keeps_its_name_when_lines_move() {
    for above in ["", "//! One more line.\n\n"] {
        let source = format!(
            "{above}/// ```\n/// assert_eq!(a::one(), 1);\n/// ```\npub fn one() -> u8 {{\n    1\n}}\n"
        );
        let files = [
            (
                "Cargo.toml",
                "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            ("src/lib.rs", &source),
        ];
        expect_tests(
            try_run(&["cargo"], "cargo test --offline", &files),
            &[("doc a > src/lib.rs - one", "")],
        );
    }
}

#[test]
fn a_test_that_nextest_tries_again_keeps_its_name() {
    let files = [
        &WORKSPACE[..],
        &[(
            "b/src/lib.rs",
            "#[test]\nfn x() {\n    panic!(\"no\");\n}\n",
        )],
    ]
    .concat();
    let Some(run) = try_run(
        &["cargo-nextest"],
        "cargo nextest run --offline --retries 1",
        &files,
    ) else {
        return;
    };
    assert_eq!(run.judgement.verdict, Verdict::Red, "{run:#?}");
    assert_eq!(run.judgement.failing, ["b > x"]);
}

#[test]
fn every_package_of_an_npm_workspace_is_read() {
    let test = "import { test } from 'vitest';\ntest('x', () => {});\n";
    let package = r#"{"type": "module", "scripts": {"test": "vitest run"}}"#;
    let files = [
        ("package.json", r#"{"workspaces": ["packages/*"]}"#),
        ("packages/a/package.json", package),
        ("packages/a/x.test.js", test),
        ("packages/b/package.json", package),
        ("packages/b/x.test.js", test),
    ];
    expect_tests(
        try_run(&["vitest", "npm"], "npm test --workspaces", &files),
        &[
            ("packages/a/x.test.js > x", "packages/a/x.test.js"),
            ("packages/b/x.test.js > x", "packages/b/x.test.js"),
        ],
    );
}

/// Packages with vitest and node:test, of which the second takes so many milliseconds.
fn monorepo(expected: &str, time: u32) -> Vec<(&'static str, String)> {
    let package = |name: &str, test: &str| {
        format!(r#"{{"name": "{name}", "type": "module", "scripts": {{"test": "{test}"}}}}"#)
    };
    let root = r#"{"name": "root", "private": true, "packageManager": "npm@10.0.0", "workspaces": ["packages/*"]}"#;
    let x = format!(
        "import {{ expect, test }} from 'vitest';\ntest('x', () => expect(1).toBe({expected}));\n"
    );
    let y = format!(
        "import test from 'node:test';\ntest('y', () => new Promise((done) => setTimeout(done, {time})));\n"
    );
    vec![
        ("package.json", root.to_owned()),
        (
            "package-lock.json",
            r#"{"name": "root", "lockfileVersion": 3, "packages": {}}"#.to_owned(),
        ),
        ("turbo.json", r#"{"tasks": {"test": {}}}"#.to_owned()),
        (
            "nx.json",
            r#"{"targetDefaults": {"test": {"cache": true}}}"#.to_owned(),
        ),
        ("packages/a/package.json", package("a", "vitest run")),
        ("packages/a/x.test.js", x),
        ("packages/b/package.json", package("b", "node --test")),
        ("packages/b/y.test.js", y),
    ]
}

#[test]
fn packages_behind_turbo_and_nx_are_read_also_when_nothing_changed() {
    let tests = [
        ("packages/a/x.test.js > x", "packages/a/x.test.js"),
        ("packages/b/y.test.js > y", "packages/b/y.test.js"),
    ];
    for (program, command) in [
        ("turbo", "node_modules/.bin/turbo run test --continue"),
        (
            "nx",
            "NX_DAEMON=false node_modules/.bin/nx run-many -t test",
        ),
    ] {
        for (expected, verdict) in [("1", Verdict::Green), ("2", Verdict::Red)] {
            let files = monorepo(expected, 1);
            let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
            let programs = [program, "vitest", "npm"];
            let twice = format!("{command}; {command}");
            for command in [command, &twice] {
                let run = try_run(&programs, command, &files);
                if let Some(run) = &run {
                    assert_eq!(run.judgement.verdict, verdict, "{command}: {run:#?}");
                }
                if command != twice {
                    expect_tests(run, &tests);
                }
            }
        }
    }
}

#[test]
fn packages_that_turbo_stops_are_told_of() {
    let files = monorepo("2", 60_000);
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let command = "node_modules/.bin/turbo run test";
    let Some(run) = try_run(&["turbo", "vitest", "npm"], command, &files) else {
        return;
    };
    assert_eq!(run.judgement.verdict, Verdict::Red, "{run:#?}");
    let reason = &run.judgement.reason;
    let end =
        "; when one package fails the others are stopped, unless the test command has `--continue`";
    assert!(reason.ends_with(end), "{run:#?}");
    // Whether the other package's test had begun is a matter of luck.
    let tells = [
        "stopped before its end (exit status 1)",
        "`packages/b/y.test.js > y` began and never ended",
    ];
    assert!(tells.iter().any(|what| reason.contains(what)), "{run:#?}");
}

#[test]
fn pytest_in_several_folders_names_files_of_the_project() {
    let test = "def test_x():\n    pass\n";
    let files = [("a/test_x.py", test), ("b/test_x.py", test)];
    expect_tests(
        try_run(&["pytest"], "cd a && pytest && cd ../b && pytest", &files),
        &[
            ("a/test_x.py::test_x", "a/test_x.py"),
            ("b/test_x.py::test_x", "b/test_x.py"),
        ],
    );
}

#[test]
fn an_example_of_a_doctest_fails_like_a_test() {
    let examples = "def add(a, b):\n    \"\"\"\n    >>> add(1, 2)\n    4\n    \"\"\"\n    return a + b\n\n\
        def sub(a, b):\n    \"\"\"\n    >>> sub(1, 2)\n    4\n    \"\"\"\n    raise NotImplementedError\n";
    let Some(run) = try_run(
        &["pytest"],
        "pytest --doctest-modules",
        &[("calc.py", examples)],
    ) else {
        return;
    };
    let report = run.report.as_ref().expect("it was read");
    let mut tests: Vec<_> = (report.tests.iter())
        .map(|test| (test.id, test.status, test.message.lines().next()))
        .collect();
    tests.sort_unstable_by_key(|(id, ..)| *id);
    assert_eq!(
        tests,
        [
            (
                "calc.py::calc.add",
                TestStatus::Failed(Cause::Assertion),
                Some("Expected:")
            ),
            (
                "calc.py::calc.sub",
                TestStatus::Failed(Cause::Stub),
                Some("UNEXPECTED EXCEPTION: NotImplementedError()")
            ),
        ],
        "{run:#?}"
    );
}
