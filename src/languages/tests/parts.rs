//! Files that hold both source and tests: which part is which, and how parts are put together.

use super::{change_of, code};
use crate::languages::test_items::{holds, test_part};
use crate::languages::{Code, SourceChange, combine};

/// The lines of a picture without their marks; `T|` stands before the test part, `S|` before the
/// source part, `-|` before neither.
fn drawn(picture: &str) -> (String, Vec<bool>) {
    let (mut text, mut tests) = (String::new(), Vec::new());
    for line in picture
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty())
    {
        let (mark, rest) = line.split_at(2);
        text.push_str(rest);
        text.push('\n');
        tests.push(mark == "T|");
    }
    (text, tests)
}

const RUST_FILES: &[&str] = &[
    "S|fn add() -> u8 {
     S|    1
     S|}
     -|
     T|#[cfg(test)]
     T|mod tests {
     T|    use super::*;
     T|
     T|    #[test]
     T|    fn adds() { assert_eq!(add(), 1); }
     T|}",
    "S|#[derive(Debug)]
     S|struct A;
     -|
     T|/// Says why.
     T|// And how.
     T|#[test]
     T|#[should_panic]
     T|fn fails() { panic!(\"}\"); }
     S|
     S|fn b() {}",
    "T|#[allow(dead_code)]
     T|#[tokio::test(flavor = \"multi_thread\")]
     T|async fn waits() {}
     T|#[cfg(test)]
     T|mod tests;
     T|#[cfg(all(unix, test))]
     T|const X: P = P { x: 1 };
     T|#[cfg(test)]
     T|use a::{b, c};
     S|fn f() { let s = r#\"#[test] fn x() {}\"#; let c = '{'; }
     S|// #[test]
     S|/* #[cfg(test)] mod tests { */
     S|fn g<'a>(x: &'a str) {}",
    "S|#[cfg(any(test, feature = \"x\"))]
     S|fn f() {}
     S|#[cfg(not(test))]
     S|fn g() {}",
    "S|/// Adds.
     S|///
     T|/// ```
     T|/// assert_eq!(add(1, 1), 2);
     T|/// ```
     S|///
     S|/// ```text
     S|/// not code
     S|/// ```
     S|fn add() {}",
    "S|//! A crate.
     T|//! ```no_run
     T|//! x();
     T|//! ```
     S|impl A {
     T|    #[cfg(test)]
     T|    fn helper(&self) {}
     S|    fn real(&self) {}
     S|}",
    "S|fn only_source() {}
     S|",
    "T|#[rstest]
     T|#[case(1)]
     T|fn f(#[case] x: u8) {}",
];

const PYTHON_FILES: &[&str] = &[
    "S|def add(a, b):
     S|    \"\"\"Adds.
     -|
     T|    >>> add(1, 1)
     T|    2
     T|    >>> add(1,
     T|    ...     2)
     T|    3
     S|
     S|    More prose.
     S|    \"\"\"
     S|    return a + b",
    "S|X = '''
     S|>>> not a docstring
     S|'''",
    "S|def f():
     S|    pass  # >>> no",
];

const SCRIPT_FILES: &[&str] = &[
    "S|export function add(a, b) { return a + b }
     -|
     T|if (import.meta.vitest) {
     T|  const { it, expect } = import.meta.vitest
     T|  it('adds', () => { expect(add(1, 1)).toBe(2) })
     T|}",
    "S|const s = 'import.meta.vitest { '
     S|const t = `if (import.meta.vitest) {`",
];

fn every_file() -> Vec<(&'static str, String, Vec<bool>)> {
    let files = |extension, pictures: &[&str]| -> Vec<(&'static str, String, Vec<bool>)> {
        pictures
            .iter()
            .map(|picture| drawn(picture))
            .map(|(text, tests)| (extension, text, tests))
            .collect()
    };
    [
        files("rs", RUST_FILES),
        files("py", PYTHON_FILES),
        files("ts", SCRIPT_FILES),
    ]
    .concat()
}

#[test]
fn every_file_is_split_where_its_picture_says() {
    for (extension, text, expected) in every_file() {
        let code = code(extension, &text);
        let part = test_part(&code).expect("told apart");
        let comments = code.syntax.words().comments;
        let mut at = 0;
        for (line, is_test) in text.split_inclusive('\n').zip(expected) {
            let first = at + line.len() - line.trim_start().len();
            let is_comment = line.trim_start().starts_with("//")
                && !line.contains("///")
                && !line.contains("//!");
            if !line.trim().is_empty()
                && (!is_comment || comments.is_empty())
                && !line.contains("Says why")
            {
                assert_eq!(holds(&part, first), is_test, "{line}in\n{text}");
            }
            at += line.len();
        }
        assert_eq!(code.is_mixed(), !part.is_empty());
    }
}

#[test]
fn a_file_under_cfg_test_is_all_test() {
    let old = "#![cfg(test)]\nfn f() {}\n";
    let new = "#![cfg(test)]\nfn f() { g() }\n";
    let change = change_of("rs", old, new);
    assert!(change.tests.other);
    assert_eq!(change.source, SourceChange::Same);
}

#[test]
fn what_cannot_be_told_apart() {
    for (extension, text) in [
        ("rs", "struct A {\n    #[cfg(test)]\n    x: u8,\n}\n"),
        ("rs", "/// ```\n/// open\nfn f() {}\n"),
        ("rs", "/** ```\nx\n``` */\nfn f() {}\n"),
        ("ts", "if (import.meta.vitest) { a() } else { b() }\n"),
        ("ts", "const t = import.meta.vitest ? 1 : 2\n"),
    ] {
        let code = code(extension, text);
        assert!(code.is_mixed(), "{text}");
        assert_eq!(combine(Some(&code), Some(&code)), None, "{text}");
    }
}

#[test]
fn a_file_put_together_with_itself_stays_the_same() {
    for (extension, text, _) in every_file() {
        let code = code(extension, &text);
        assert_eq!(
            combine(Some(&code), Some(&code)).as_deref(),
            Some(text.as_str())
        );
    }
}

fn combined(extension: &str, source: &str, tests: &str) -> Option<String> {
    combine(
        Some(&code(extension, source)),
        Some(&code(extension, tests)),
    )
}

const OLD: &str =
    "fn add() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";

#[test]
fn the_old_source_comes_back_under_the_new_tests() {
    let new = "fn add() -> u8 {\n    2\n}\n\nfn more() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n    #[test]\n    fn b() {}\n}\n";
    let expected = "fn add() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n    #[test]\n    fn b() {}\n}\n";
    assert_eq!(combined("rs", OLD, new).as_deref(), Some(expected));
    // And the other way round: the old tests under the new source.
    let expected = "fn add() -> u8 {\n    2\n}\n\nfn more() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";
    assert_eq!(combined("rs", new, OLD).as_deref(), Some(expected));
}

#[test]
fn first_tests_go_to_the_end() {
    let old = "fn add() -> u8 { 1 }\n";
    let new = "fn add() -> u8 { 2 }\n\n#[cfg(test)]\nmod tests {}\n";
    let expected = "fn add() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {}\n";
    assert_eq!(combined("rs", old, new).as_deref(), Some(expected));
    assert_eq!(
        combined("rs", new, old).as_deref(),
        Some("fn add() -> u8 { 2 }\n")
    );
}

#[test]
fn tests_find_their_place_by_container() {
    let old = "mod a {\n    fn f() {}\n}\nfn g() {}\n";
    let new = "mod a {\n    fn f() { x() }\n    #[test]\n    fn t() {}\n}\n#[test]\nfn u() {}\nfn g() {}\n#[test]\nfn v() {}\n";
    let expected = "mod a {\n    fn f() {}\n\n    #[test]\n    fn t() {}\n}\nfn g() {}\n\n#[test]\nfn u() {}\n#[test]\nfn v() {}\n";
    assert_eq!(combined("rs", old, new).as_deref(), Some(expected));
}

#[test]
fn doctests_stay_where_they_were() {
    let old = "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n    return 1\n";
    let new = "def f():\n    \"\"\"\n    >>> f()\n    2\n    \"\"\"\n    return 2\n";
    let expected = "def f():\n    \"\"\"\n    >>> f()\n    2\n    \"\"\"\n    return 1\n";
    assert_eq!(combined("py", old, new).as_deref(), Some(expected));
}

#[test]
fn a_first_doctest_finds_its_function() {
    let old = "def f():\n    return 1\n";
    let new = "def f():\n    \"\"\"Doc.\n\n    >>> f()\n    2\n    \"\"\"\n    return 2\n";
    let expected = "def f():\n    \"\"\"Doc.\n\n    >>> f()\n    2\n    \"\"\"\n    return 1\n";
    assert_eq!(combined("py", old, new).as_deref(), Some(expected));
    let old = "fn f() -> u8 { 1 }\n";
    let new = "/// ```\n/// f();\n/// ```\nfn f() -> u8 { 2 }\n";
    let expected = "/// ```\n/// f();\n/// ```\nfn f() -> u8 { 1 }\n";
    assert_eq!(combined("rs", old, new).as_deref(), Some(expected));
    assert_eq!(
        combined("rs", new, old)
            .map(|text| text.trim().to_owned())
            .as_deref(),
        Some("fn f() -> u8 { 2 }")
    );
}

#[test]
fn an_absent_side_has_no_part() {
    let file = code("rs", OLD);
    let source = combine(Some(&file), None).expect("told apart");
    assert_eq!(source.trim(), "fn add() -> u8 {\n    1\n}");
    let tests = combine(None, Some(&file)).expect("told apart");
    assert!(tests.starts_with("#[cfg(test)]"), "{tests}");
    let plain = code("go", "package a\n");
    assert_eq!(combine(Some(&plain), None).as_deref(), Some("package a\n"));
    assert_eq!(combine(None, Some(&plain)).as_deref(), Some(""));
}

#[test]
fn content_is_judged_by_part() {
    use SourceChange as S;
    let with =
        |source: &str, test: &str| format!("{source}\n#[cfg(test)]\nmod tests {{\n{test}}}\n");
    let (one, two) = (
        "#[test]\nfn a() {}\n",
        "#[test]\nfn a() {}\n#[test]\nfn b() {}\n",
    );
    let (plain, other) = ("mod x;\n", "mod y;\n");
    let stub = "mod x;\nfn s() { todo!() }\n";
    let table = [
        (with(plain, one), with(plain, two), true, S::Same),
        (with(plain, one), with(stub, two), true, S::Stub),
        (with(plain, one), with(stub, one), false, S::Stub),
        (with(plain, one), with(other, one), false, S::Code),
        (plain.to_owned(), with(plain, one), true, S::Same),
        (with(plain, one), plain.to_owned(), true, S::Same),
        (plain.to_owned(), stub.to_owned(), false, S::Stub),
        (plain.to_owned(), other.to_owned(), false, S::Code),
    ];
    for (old, new, tests_change, source) in table {
        let found = change_of("rs", &old, &new);
        assert_eq!(found.source, source, "{old}\n=>\n{new}");
        if Code::is_mixed(&code("rs", &old)) || Code::is_mixed(&code("rs", &new)) {
            assert_eq!(!found.tests.is_none(), tests_change, "{old}\n=>\n{new}");
        }
    }
}
