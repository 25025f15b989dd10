use super::*;
use crate::rules::path_class::{ClassRules, Classifier};

fn change_of(path: &str, old: Option<&str>, new: Option<&str>) -> PartChange {
    let classifier = Classifier::new(ClassRules::default()).expect("no patterns");
    let class = classifier.classify(path.as_bytes());
    change(
        path.as_bytes(),
        class,
        old.map(str::as_bytes),
        new.map(str::as_bytes),
    )
}

/// The parts that changed, in words.
fn words(change: &PartChange) -> String {
    let mut words = Vec::new();
    let mut add = |is: bool, word: &'static str| {
        if is {
            words.push(word)
        }
    };
    add(change.tests && !change.tests_only_added, "tests");
    add(change.tests && change.tests_only_added, "added");
    add(change.harness, "harness");
    add(change.source != SourceKind::Same, "source");
    add(change.other, "other");
    add(change.dependencies, "dependencies");
    add(change.docs, "docs");
    add(change.layout_only, "layout");
    add(change.unreadable.is_some(), "unreadable");
    words.join(" ")
}

#[test]
fn every_file_is_some_part() {
    let snap = "exports[`a 1`] = `x`;\n";
    let longer = "exports[`a 1`] = `x`;\n\nexports[`b 1`] = `y`;\n";
    let other = "exports[`a 1`] = `z`;\n";
    type Row<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a str);
    let table: &[Row<'_>] = &[
        ("src/a.py", Some("a = 1\n"), Some("a = 2\n"), "source"),
        ("src/a.py", Some("a = 1\n"), Some("a = 1\n"), ""),
        ("src/a.py", Some("a = 1\n"), None, "source"),
        ("README.md", Some("a"), Some("b"), "docs"),
        ("tests/data.json", Some("{}"), Some("{ }"), "tests"),
        ("tests/data.json", None, Some("{ }"), "added"),
        ("tests/data.json", Some("{}"), None, "tests"),
        ("_test/extra.txt", Some("a"), Some("b"), "tests"),
        (
            "__tests__/__snapshots__/a.test.js.snap",
            Some(snap),
            Some(longer),
            "added",
        ),
        (
            "__tests__/__snapshots__/a.test.js.snap",
            Some(snap),
            Some(other),
            "tests",
        ),
        (
            "__tests__/__snapshots__/a.test.js.snap",
            Some(snap),
            Some("exports["),
            "tests",
        ),
        (
            "tox.ini",
            Some("[tox]\na = 1\n"),
            Some("[tox]\na = 2\n"),
            "harness",
        ),
        (
            "tox.ini",
            Some("[tox]\na = 1\n"),
            Some("# x\n[tox]\na = 1\n"),
            "layout",
        ),
        (
            "tsconfig.json",
            Some("{\"a\": 1}"),
            Some("{\n\"a\": 1 // x\n}"),
            "layout",
        ),
        ("conftest.py", Some("a"), Some("b"), "harness"),
        ("src/pytest_hooks.py", None, Some("x = 1\n"), "harness"),
        (
            "src/pytest_hooks.py",
            Some("x = 1\n"),
            Some("x = 2\n"),
            "source",
        ),
        ("jest.extra.json", None, Some("{}"), "harness"),
        (
            "package.json",
            Some("{\"version\": \"1\"}"),
            Some("{\"version\": \"2\"}"),
            "other",
        ),
        (
            "package.json",
            Some("{\"scripts\": {\"test\": \"a\"}}"),
            Some("{\"scripts\": {\"test\": \"b\"}}"),
            "harness",
        ),
        (
            "package.json",
            Some("{}"),
            Some("{\"dependencies\": {\"a\": \"1\"}, \"version\": \"1\"}"),
            "other dependencies",
        ),
        (
            "package.json",
            Some("{}"),
            Some("{\"a\": "),
            "harness unreadable",
        ),
        (
            "package.json",
            Some("{\"a\": 1, \"b\": 2}"),
            Some("{\"b\": 2, \"a\": 1}"),
            "layout",
        ),
        (
            "Cargo.toml",
            Some("[package]\nname = \"a\"\n"),
            Some("# x\n[package]\nname = \"a\"\n"),
            "layout",
        ),
        (
            "tests/fixtures/package.json",
            Some("{}"),
            Some("{\"type\": \"module\"}"),
            "tests",
        ),
        ("Cargo.lock", Some("a"), Some("b"), "dependencies"),
        ("requirements.txt", Some("a"), Some("a\nb"), "dependencies"),
        (
            "Makefile",
            Some("test:\n\ta\n"),
            Some("test:\n\ttrue\n"),
            "harness",
        ),
        (
            "Makefile",
            Some("run:\n\ta\n"),
            Some("run:\n\tb\n"),
            "other",
        ),
        (
            "style.css",
            Some("a { b: c; }"),
            Some("a {\n b: c;\n}"),
            "layout",
        ),
        (
            "style.css",
            Some("a { b: c; }"),
            Some("a { b: d; }"),
            "other",
        ),
        ("data.bin", Some("a"), None, "other"),
        ("bin/run", None, Some("#!/bin/sh\necho\n"), "source"),
        ("bin/run", Some("#!/bin/sh\necho\n"), None, "source"),
        (
            "todo",
            None,
            Some("#!/usr/bin/env python3\nx = 1\n"),
            "source",
        ),
        ("todo", None, Some("buy milk\n"), "docs"),
        (
            "prices.config.js",
            None,
            Some("export function f(x) {\n}\n"),
            "source",
        ),
        (
            "eslint.config.js",
            None,
            Some("export default [];\n"),
            "other",
        ),
    ];
    for (path, old, new, expected) in table {
        let found = change_of(path, *old, *new);
        assert_eq!(words(&found), *expected, "{path}: {old:?} to {new:?}");
    }
}

#[test]
fn what_cannot_be_read_says_where() {
    let change = change_of("pyproject.toml", Some("[a]\n"), Some("[a]\nb = \n"));
    assert_eq!(change.unreadable.map(|unreadable| unreadable.line), Some(2));
    let change = change_of(
        "package.json",
        Some("{}"),
        Some("{\"jest\": {\"bail\": 1}}"),
    );
    assert_eq!(change.steering_keys, ["jest"]);
}
