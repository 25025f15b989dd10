use super::*;

const RUST: &[u8] = b"src/a.rs";
const PYTHON: &[u8] = b"src/a.py";
const SCRIPT: &[u8] = b"src/a.ts";

/// The two parts of a file. Blank lines before a test belong to neither.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    test: String,
    source: String,
}

fn split(path: &[u8], text: &str) -> Option<Parts> {
    let test = tests_in(path, text)?;
    let source = source_in(path, text)?;
    Some(Parts { test, source })
}

/// Lines that begin with `T|` are the test part, `S|` the source part, `-|` neither.
fn drawn(picture: &str) -> (String, Parts) {
    let (mut text, mut test, mut source) = (String::new(), String::new(), String::new());
    for line in picture
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty())
    {
        let (mark, rest) = line.split_at(2);
        let rest = format!("{rest}\n");
        text.push_str(&rest);
        match mark {
            "T|" => test.push_str(&rest),
            "S|" => source.push_str(&rest),
            "-|" => {}
            other => unreachable!("no mark {other}"),
        }
    }
    (text, Parts { test, source })
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

fn every_file() -> Vec<(&'static [u8], String, Parts)> {
    let files = |path, pictures: &[&str]| -> Vec<(&'static [u8], String, Parts)> {
        pictures
            .iter()
            .map(|p| drawn(p))
            .map(|(text, parts)| (path, text, parts))
            .collect()
    };
    [
        files(RUST, RUST_FILES),
        files(PYTHON, PYTHON_FILES),
        files(SCRIPT, SCRIPT_FILES),
    ]
    .concat()
}

#[test]
fn every_file_is_split_where_its_picture_says() {
    for (path, text, parts) in every_file() {
        assert_eq!(split(path, &text), Some(parts), "{text}");
    }
}

#[test]
fn a_file_under_cfg_test_is_all_test() {
    let text = "#![cfg(test)]\nfn f() {}\n";
    let parts = split(RUST, text).expect("told apart");
    assert_eq!((parts.test.as_str(), parts.source.as_str()), (text, ""));
}

#[test]
fn what_cannot_be_told_apart() {
    for (path, text) in [
        (RUST, "#[cfg(test)]\nmod tests {\n"),
        (RUST, "struct A {\n    #[cfg(test)]\n    x: u8,\n}\n"),
        (RUST, "/// ```\n/// open\nfn f() {}\n"),
        (RUST, "/** ```\nx\n``` */\nfn f() {}\n"),
        (SCRIPT, "if (import.meta.vitest) { a() } else { b() }\n"),
        (SCRIPT, "const t = import.meta.vitest ? 1 : 2\n"),
        (SCRIPT, "if (import.meta.vitest) {\n"),
    ] {
        assert_eq!(split(path, text), None, "{text}");
    }
}

#[test]
fn other_languages_hold_no_tests_in_source() {
    let parts = split(b"src/a.go", "func TestX() {}\n").expect("told apart");
    assert_eq!(parts.test, "");
}

#[test]
fn merging_a_file_with_itself_changes_nothing_that_counts() {
    for (path, text, parts) in every_file() {
        let merged = put_together(path, &text, &text).expect("the same file");
        assert_eq!(split(path, &merged), Some(parts), "{text}");
        assert_eq!(merged, text);
    }
}

const OLD: &str =
    "fn add() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";

#[test]
fn the_old_source_comes_back_under_the_new_tests() {
    let new = "fn add() -> u8 {\n    2\n}\n\nfn more() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n    #[test]\n    fn b() {}\n}\n";
    let expected = "fn add() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n    #[test]\n    fn b() {}\n}\n";
    assert_eq!(put_together(RUST, OLD, new).as_deref(), Some(expected));
    // And the other way round: the old tests under the new source.
    let expected = "fn add() -> u8 {\n    2\n}\n\nfn more() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";
    assert_eq!(put_together(RUST, new, OLD).as_deref(), Some(expected));
}

#[test]
fn first_tests_go_to_the_end() {
    let old = "fn add() -> u8 { 1 }\n";
    let new = "fn add() -> u8 { 2 }\n\n#[cfg(test)]\nmod tests {}\n";
    let expected = "fn add() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {}\n";
    assert_eq!(put_together(RUST, old, new).as_deref(), Some(expected));
    assert_eq!(
        put_together(RUST, new, old).as_deref(),
        Some("fn add() -> u8 { 2 }\n")
    );
}

#[test]
fn a_module_that_is_there_for_tests_alone_is_one() {
    let text = "mod a {\n    #![cfg(test)]\n}\n";
    let parts = split(RUST, text).expect("told apart");
    assert_eq!((parts.test.as_str(), parts.source.as_str()), (text, ""));
}

#[test]
fn tests_that_stood_among_source_go_to_its_end() {
    let old = "fn a() {}\n";
    let new = "#[test]\nfn t() {}\nfn a() { b() }\n#[test]\nfn u() {}\n";
    let expected = "fn a() {}\n\n#[test]\nfn t() {}\n#[test]\nfn u() {}\n";
    assert_eq!(put_together(RUST, old, new).as_deref(), Some(expected));
    assert_eq!(put_together(RUST, old, "#[cfg(test)]\nmod tests {\n"), None);
}

#[test]
fn merged_doctests_stay_where_they_were() {
    let old = "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n    return 1\n";
    let new = "def f():\n    \"\"\"\n    >>> f()\n    2\n    \"\"\"\n    return 2\n";
    let expected = "def f():\n    \"\"\"\n    >>> f()\n    2\n    \"\"\"\n    return 1\n";
    assert_eq!(put_together(PYTHON, old, new).as_deref(), Some(expected));
}

proptest::proptest! {
    #[test]
    fn a_split_loses_no_line(text in "(#\\[test\\]|fn f\\(\\) |\\{|\\}|;|\"|/// ```|x|\n| ){0,25}") {
        for path in [RUST, PYTHON, SCRIPT] {
            if let Some(found) = split(path, &text) {
                let count = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
                proptest::prop_assert_eq!(count(&found.test) + count(&found.source), count(&text));
            }
            if let Some(merged) = put_together(path, &text, &text) {
                // A piece that had no line of its own gets one, wherever it stands.
                let pieces = |text: &str| {
                    let found = split(path, text)?;
                    let on_one_line = |piece: &str| piece.replace('\n', "").trim_end().to_owned();
                    Some((on_one_line(&found.test), on_one_line(&found.source)))
                };
                proptest::prop_assert_eq!(pieces(&merged), pieces(&text));
            }
        }
    }
}
