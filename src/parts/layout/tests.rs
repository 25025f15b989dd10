use super::*;

fn check(path: &str, table: &[(&str, &str, bool)]) {
    for (old, new, expected) in table {
        let found = is_same(path.as_bytes(), old.as_bytes(), new.as_bytes());
        assert_eq!(found, *expected, "{path}: {old:?} and {new:?}");
    }
}

#[test]
fn toml_by_its_values() {
    check(
        "a.toml",
        &[
            ("a = 1\n", "# why\n\na=1 # one\n", true),
            ("a = [1, 2]\n", "a = [\n  1, # one\n  2,\n]\n", true),
            ("a = { b = 1, c = 2 }\n", "a = {b=1,c=2}\n", true),
            ("[a]\nb = 1\n[c]\n", "[ a ]\nb = 1\n\n[c]\n", true),
            ("[[a]]\nb = 1\n", "# x\n[[a]]\nb   = 1\n", true),
            ("a = 1\n", "a = 2\n", false),
            ("a = 'x # y'\n", "a = 'x'\n", false),
            ("a = 1\nb = 2\n", "b = 2\na = 1\n", false),
            ("a = 1\n", "a = \n", false),
        ],
    );
}

#[test]
fn json_by_its_tokens() {
    check(
        "a.json",
        &[
            ("{\"a\":[1,2]}", "{\n  \"a\": [1,\n 2]\n}\n", true),
            ("{\"a\":1}", "// why\n{/* x */\"a\":1}", true),
            ("{\"a\":\"// x\"}", "{\"a\":\"\"}", false),
            ("{\"a\":\"x y\"}", "{\"a\":\"xy\"}", false),
            ("{\"a\":\"\\\" b\"}", "{\"a\":\"\\\"b\"}", false),
            ("[1 2]", "[12]", false),
            ("[12345678901234567891]", "[12345678901234567892]", false),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false),
            ("{\"a\":1}", "{\"a\":\"", false),
            ("{} /*", "{}", false),
        ],
    );
    check("tsconfig.json", &[("{}", "{ // x\n}", true)]);
}

#[test]
fn yaml_by_its_lines() {
    check(
        ".github/a.yml",
        &[
            ("a: 1\n", "# why\n\na: 1  # one\n", true),
            ("a: 'x # y'\n", "a: 'x'\n", false),
            ("a: x#y\n", "a: x\n", false),
            ("a:\n  b: 1\n", "a:\nb: 1\n", false),
            ("run: |\n  # one\n  two\n", "run: |\n  two\n", false),
            (
                "run: |\n  one\n\nb: 1 # x\n",
                "run: |\n  one\n\nb: 1\n",
                true,
            ),
            ("run: |\n  one\n\n  two\n", "run: |\n  one\n  two\n", false),
            ("- >-\n  a\n- b # x\n", "- >-\n  a\n- b\n", true),
            ("a: \"x\n  # y\"\n", "a: \"x\n  # y\"\n# z\n", false),
            ("a: it's\n# x\n", "a: it's\n", true),
            ("a: \"\\\"\" # x\n", "a: \"\\\"\"\n", true),
        ],
    );
}

#[test]
fn lines_without_comments() {
    check(
        "tox.ini",
        &[
            ("[a]\nb = 1\n", "; why\n[a]\n\n# x\nb = 1  \r\n", true),
            ("[a]\nb = 1\n", "[a]\nb = 1 # x\n", false),
            ("[a]\nb =\n  c\n", "[a]\nb =\nc\n", false),
        ],
    );
    check(
        ".gitignore",
        &[("/a\n", "# x\n/a\n\n", true), ("/a\n", "/b\n", false)],
    );
    check("requirements.txt", &[("a\n", "# x\na\n", true)]);
}

#[test]
fn style_sheets_and_queries_by_their_words() {
    check(
        "a.css",
        &[
            (
                "a { color: red; }",
                "/* x */\na {\n  color: red;\n}\n",
                true,
            ),
            ("a b {}", "ab {}", false),
            ("a :hover {}", "a:hover {}", false),
            ("a { content: '  '; }", "a { content: ' '; }", false),
            ("a { content: 'a , b'; }", "a { content: 'a,b'; }", false),
            ("a {}", "a {} /* open", false),
        ],
    );
    check(
        "a.sql",
        &[
            ("select 1;", "-- why\nselect  1; -- one", true),
            ("select '--x';", "select '';", false),
            ("select 1;", "select 1; /*+ hint */", false),
            ("do $$ -- x\n$$;", "do $$ $$;", false),
            ("select 1; -- x\nselect 2;", "select 1; select 2;", true),
        ],
    );
}

#[test]
fn makefiles_by_whole_lines() {
    check(
        "Makefile",
        &[
            ("a:\n\tb\n", "# why\n\na:\n\n\tb\n", true),
            ("a:\n\tb\n", "a:\n\tb # x\n", false),
            ("a:\n\tb\n", "a:\n\tb\n\t# x\n", false),
            ("X = a \\\n\nb:\n", "X = a \\\nb:\n", false),
            ("X = a\n", "X = a \n", false),
        ],
    );
}

#[test]
fn other_files_differ_if_they_differ() {
    check("a.txt", &[("a\n", "a\n", true), ("a\n", "a \n", false)]);
    assert!(!is_same(b"a.json", b"\xff1", b"\xff 1"));
    assert!(is_same(b"a.json", b"\xff", b"\xff"));
}

#[test]
fn cut_off_anywhere_nothing_panics() {
    let text = "a: \"é\\\" # {[/* -- $ '`\n\t|x = [1, {b = 2}] \\\n";
    for path in [
        "a.toml", "a.json", "a.yml", "a.ini", "a.css", "a.sql", "Makefile",
    ] {
        for (at, _) in text.char_indices() {
            let _ = is_same(path.as_bytes(), &text.as_bytes()[..at], text.as_bytes());
            let _ = is_same(path.as_bytes(), &text.as_bytes()[at..], text.as_bytes());
        }
    }
}
