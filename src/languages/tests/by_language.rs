//! What every language with a grammar has to tell, by `fixtures/languages/NAME.txt`: sections that
//! begin with `==== KIND [+] PATH [TEST]`; with a `+` the section stands behind the `source`.

use std::collections::BTreeSet;

use crate::languages::{
    Code, Form, HollowRequest, Scope, SourceChange, all, change, hollow, names_test_library,
};

struct Section<'f> {
    kind: &'f str,
    path: &'f str,
    /// The name of its only test.
    test: &'f str,
    text: String,
}

fn sections(fixture: &str) -> Vec<Section<'_>> {
    let mut source = "";
    let cut = fixture.split("==== ").skip(1);
    cut.map(|section| {
        let (head, text) = section
            .split_once('\n')
            .expect("a head on a line of its own");
        let (kind, rest) = head.split_once(' ').expect("a kind and a path");
        let (behind, rest) = match rest.strip_prefix("+ ") {
            Some(rest) => (source, rest),
            None => ("", rest),
        };
        let (path, test) = rest.split_once(' ').unwrap_or((rest, ""));
        if kind == "source" {
            source = text;
        }
        let text = format!("{behind}{text}");
        Section {
            kind,
            path,
            test,
            text,
        }
    })
    .collect()
}

fn check(name: &str, fixture: &str) {
    let sections = sections(fixture);
    let read = |section: &Section<'_>| {
        let code = Code::read(section.path.as_bytes(), section.text.as_bytes());
        code.unwrap_or_else(|why| unreachable!("{name}: {why:?} in {}", section.text))
    };
    let kinds: Vec<&str> = sections.iter().map(|section| section.kind).collect();
    assert_eq!(
        kinds,
        ["source", "declares", "stub", "code", "test"],
        "{name}"
    );
    let source = read(&sections[0]);
    assert!(source.tests().is_empty() && !source.is_mixed(), "{name}");
    for (section, expected) in sections[1..4].iter().zip([
        SourceChange::Declares,
        SourceChange::Stub,
        SourceChange::Code,
    ]) {
        let found = change(Some(&source), Some(&read(section)));
        assert_eq!(found.source, expected, "{name}: {}", section.text);
        assert!(found.tests.added.is_empty(), "{name}: {}", section.text);
    }
    let tests = read(&sections[4]).tests();
    let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, [sections[4].test], "{name}");
    assert!(!names_test_library(&source), "{name}");
    all_is_hollowed(name, &source);
}

/// Every function says its number, in a text that parses.
fn all_is_hollowed(name: &str, source: &Code) {
    let none = BTreeSet::new();
    for form in [Form::NotImplemented, Form::Empty] {
        let request = HollowRequest {
            scope: Scope::All,
            form,
            first_number: 7,
            keep: &none,
            whole: &none,
        };
        let made = hollow(None, source, &request);
        assert_eq!(made.functions.len(), 1, "{name}: {}", made.text);
        assert_ne!(made.text, source.text(), "{name}: {}", made.text);
        assert!(
            form == Form::Empty || made.text.contains("not implemented: tcr 7"),
            "{name}: {}",
            made.text
        );
        let again = Code::read(&source.path, made.text.as_bytes());
        assert!(again.is_ok(), "{name}: {}", made.text);
    }
}

#[test]
fn every_language_tells_source_stubs_and_tests_apart() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/languages");
    for language in all() {
        let syntaxes = language.0.syntaxes.iter();
        let can_be_read = syntaxes
            .clone()
            .any(|one| one.grammar(one.extension()).is_some());
        if can_be_read {
            let path = format!("{folder}/{}.txt", language.0.name);
            let fixture =
                std::fs::read_to_string(&path).unwrap_or_else(|why| unreachable!("{path}: {why}"));
            check(language.0.name, &fixture);
        }
    }
}
