//! What a change of a file's content comes to, part by part.

use super::*;

fn judge(path: &str, old: &str, new: &str) -> (PathClass, Change) {
    let (old, new) = (Some(old.as_bytes()), Some(new.as_bytes()));
    content_change(path.as_bytes(), PathClass::Source, old, new)
}

#[test]
fn content_is_judged_by_part() {
    use SourcePart as S;
    let with =
        |source: &str, test: &str| format!("{source}\n#[cfg(test)]\nmod tests {{\n{test}}}\n");
    let (one, two) = (
        "#[test]\nfn a() {}\n",
        "#[test]\nfn a() {}\n#[test]\nfn b() {}\n",
    );
    let stub = "mod x;\nfn s() { todo!() }\n";
    let table = [
        (
            with("mod x;\n", one),
            with("mod x;\n", two),
            true,
            (true, S::Same),
        ),
        (
            with("mod x;\n", one),
            with(stub, two),
            true,
            (true, S::Stub),
        ),
        (
            with("mod x;\n", one),
            with(stub, one),
            true,
            (false, S::Stub),
        ),
        (
            with("mod x;\n", one),
            with("mod y;\n", one),
            true,
            (false, S::Changed),
        ),
        (
            "mod x;\n".to_owned(),
            with("mod x;\n", one),
            true,
            (true, S::Same),
        ),
        (
            with("mod x;\n", one),
            "mod x;\n".to_owned(),
            true,
            (true, S::Same),
        ),
        (
            "mod x;\n".to_owned(),
            stub.to_owned(),
            false,
            (false, S::Stub),
        ),
        (
            "mod x;\n".to_owned(),
            "mod y;\n".to_owned(),
            false,
            (false, S::Changed),
        ),
    ];
    for (old, new, is_mixed, (tests_change, source)) in table {
        let (class, change) = judge("src/a.rs", &old, &new);
        assert_eq!(class == PathClass::Mixed, is_mixed, "{old}\n=>\n{new}");
        let Change::Parts {
            tests,
            source: found,
        } = change
        else {
            unreachable!("{change:?}: {old}\n=>\n{new}");
        };
        assert_eq!(
            (tests != TestPart::Same, found),
            (tests_change, source),
            "{old}\n=>\n{new}"
        );
    }
}

#[test]
fn what_may_hold_tests_and_cannot_be_read_may_be_either() {
    for (path, new) in [
        ("src/a.rs", "#[cfg(test)] mod t {"),
        ("src/a.py", "def f(:\n    '''\n    >>> f()\n"),
        ("src/a.ts", "if (import.meta.vitest) {\n"),
        ("src/a.vue", "if (import.meta.vitest) {}\n"),
    ] {
        let found = judge(path, "", new);
        assert_eq!(found, (PathClass::Mixed, Change::Unknown), "{path}");
    }
    for (path, new) in [
        ("src/a.rs", "mod t {"),
        ("src/a.vue", "<a>"),
        ("a.sh", ">>>\n"),
    ] {
        let found = judge(path, "", new);
        assert_eq!(found, (PathClass::Source, Change::Unknown), "{path}");
    }
}

#[test]
fn a_new_source_file_that_says_nothing_is_a_stub() {
    for path in ["src/a.rs", "src/__init__.py", "src/a.ts", "a.go"] {
        let found = content_change(path.as_bytes(), PathClass::Source, None, Some(b""));
        let (tests, source) = (TestPart::Same, SourcePart::Stub);
        assert_eq!(
            found,
            (PathClass::Source, Change::Parts { tests, source }),
            "{path}"
        );
    }
}
