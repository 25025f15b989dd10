//! One version with the steering of another.

use super::samples::*;
use super::*;

/// Each row: what is changed in the sample, in order; the texts that must be back; the texts that
/// must stay.
struct Row {
    path: &'static str,
    sample: &'static str,
    changes: &'static [(&'static str, &'static str)],
    stays: &'static [&'static str],
}

fn changed(row: &Row) -> String {
    row.changes
        .iter()
        .fold(row.sample.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{}: {old}", row.path);
            text.replacen(old, new, 1)
        })
}

const ROWS: &[Row] = &[
    Row {
        path: "package.json",
        sample: PACKAGE,
        changes: &[
            ("vitest run", "true"),
            (
                "\"chalk\": \"^5.3.0\"",
                "\"chalk\": \"^5.4.0\",\n    \"zod\": \"^3\"",
            ),
            ("1.4.0", "1.5.0"),
        ],
        stays: &["\"zod\": \"^3\"", "1.5.0", "[\"dist\"]"],
    },
    Row {
        path: "package.json",
        sample: PACKAGE,
        changes: &[
            ("  \"type\": \"module\",\n", ""),
            (
                "\"lint\": \"eslint .\"",
                "\"lint\": \"eslint .\",\n    \"posttest\": \"true\",\n    \"start\": \"node .\"",
            ),
            ("\"test\": \"vitest run\",\n", ""),
        ],
        stays: &["\"start\": \"node .\""],
    },
    Row {
        path: "package.json",
        sample: "{\n  \"name\": \"a\"\n}\n",
        changes: &[(
            "\"a\"",
            "\"b\",\n  \"scripts\": {\n    \"test\": \"true\"\n  }",
        )],
        stays: &["\"b\""],
    },
    Row {
        path: "package.json",
        sample: "{\"scripts\": {\"test\": \"x\"}}",
        changes: &[("{\"scripts\": {\"test\": \"x\"}}", "{}")],
        stays: &[],
    },
    Row {
        path: "pyproject.toml",
        sample: PYPROJECT,
        changes: &[
            ("-q --strict-markers", "-p shop.plugin"),
            ("\"httpx\",", "\"httpx\",\n    \"rich\","),
            ("testpaths = [\"tests\"]\n", ""),
            ("line-length = 100", "line-length = 80 # wide"),
        ],
        stays: &["\"rich\",", "# the command line", "line-length = 80 # wide"],
    },
    Row {
        path: "pyproject.toml",
        sample: "[project]\nname = \"x\" # me\n",
        changes: &[(
            "# me\n",
            "# you\n\n[tool.pytest.ini_options]\naddopts = \"-x\"\n",
        )],
        stays: &["# you"],
    },
    Row {
        path: "pyproject.toml",
        sample: PYPROJECT,
        changes: &[
            (
                "[tool.pytest.ini_options]\naddopts = \"-q --strict-markers\"\ntestpaths = [\"tests\"]\npythonpath = [\"src\"]\n",
                "",
            ),
            ("0.3.1", "0.4.0"),
        ],
        stays: &["0.4.0"],
    },
    Row {
        path: "Cargo.toml",
        sample: CARGO,
        changes: &[
            ("path = \"tests/main.rs\"", "path = \"src/x.rs\""),
            ("rand = \"0.8\"", "rand = \"0.9\""),
            ("lto = true", "lto = false"),
            ("std = []", "std = []\nextra = []"),
        ],
        stays: &["rand = \"0.9\"", "# data", "extra = []"],
    },
    Row {
        path: "Cargo.toml",
        sample: CARGO,
        changes: &[(
            "[dependencies]",
            "[[test]]\nname = \"b\"\npath = \"src/b.rs\"\n\n[profile.test]\nopt-level = 3\n\n[dependencies]\nregex = \"1\"",
        )],
        stays: &["regex = \"1\""],
    },
    Row {
        path: "Cargo.toml",
        sample: CARGO,
        changes: &[
            ("proptest = \"1\"", "proptest = { path = \"fake\" }"),
            ("rand = \"0.8\"", "rand = \"0.9\""),
        ],
        stays: &["rand = \"0.9\""],
    },
    Row {
        path: "setup.cfg",
        sample: SETUP_CFG,
        changes: &[
            ("addopts = -q\n", ""),
            ("    httpx", "    httpx\n    rich"),
            ("[flake8]", "[aliases]\ntest = true\n\n[flake8]"),
            ("fail_under = 80", "fail_under = 0"),
        ],
        stays: &["    rich", "# for the web"],
    },
    Row {
        path: "setup.cfg",
        sample: SETUP_CFG,
        changes: &[("[tool:pytest]\naddopts = -q\ntestpaths = tests\n\n", "")],
        stays: &[],
    },
    Row {
        path: "pom.xml",
        sample: POM,
        changes: &[
            (
                "3.2.5</version>",
                "3.2.5</version><configuration><skip>true</skip></configuration>",
            ),
            ("5.10.0", "5.11.0"),
            ("<site.url>", "<skipTests>true</skipTests>\n    <site.url>"),
        ],
        stays: &["5.11.0"],
    },
    Row {
        path: "pom.xml",
        sample: POM,
        changes: &[
            (
                "    <maven.compiler.release>17</maven.compiler.release>\n",
                "",
            ),
            ("1.0-SNAPSHOT", "2.0"),
        ],
        stays: &["2.0"],
    },
    Row {
        path: "build.gradle",
        sample: GRADLE,
        changes: &[
            ("    useJUnitPlatform()\n", "    enabled = false\n"),
            ("5.10.0'", "5.11.0'"),
            ("group = ", "test.enabled = false\ngroup = "),
        ],
        stays: &["5.11.0'"],
    },
    Row {
        path: "go.mod",
        sample: GO_MOD,
        changes: &[
            ("../b", "./fake"),
            ("v0.6.0", "v0.7.0"),
            (
                "exclude golang.org/x/net v1.2.3\n",
                "replace (\n\tgithub.com/google/go-cmp => ./x\n)\n",
            ),
        ],
        stays: &["v0.7.0", "// indirect"],
    },
    Row {
        path: "composer.json",
        sample: COMPOSER,
        changes: &[
            ("\"src/\"", "\"fake/\""),
            ("phpunit\"\n", "true\"\n"),
            ("^11", "^12"),
        ],
        stays: &["^12"],
    },
    Row {
        path: "Makefile",
        sample: MAKEFILE,
        changes: &[
            ("./run-tests", "true"),
            ("rm -f", "rm -rf"),
            ("seed:\n\t./seed\n", ""),
            ("CC = gcc", "CC = gcc\nSHELL = ./fake"),
        ],
        stays: &["rm -rf"],
    },
    Row {
        path: "Justfile",
        sample: JUSTFILE,
        changes: &[
            ("cargo test", "true"),
            ("./serve", "./server"),
            ("seed:\n    ./seed\n\n", ""),
        ],
        stays: &["./server", "# runs them"],
    },
    Row {
        path: "gradle.properties",
        sample: GRADLE_PROPERTIES,
        changes: &[("-ea", "-da"), ("version=1.0", "version=1.1")],
        stays: &["version=1.1"],
    },
];

#[test]
fn steering_is_put_back_and_the_rest_stays() {
    for row in ROWS {
        let new = changed(row);
        let made = with_steering_of(row.path.as_bytes(), new.as_bytes(), row.sample.as_bytes());
        let made = made.unwrap_or_else(|| panic!("{}: nothing was made of {new}", row.path));
        let text = String::from_utf8(made.clone()).expect("text");
        let left = compare(
            row.path.as_bytes(),
            Some(row.sample.as_bytes()),
            Some(&made),
        );
        let left = left.expect("it is read");
        assert!(
            !left.steering,
            "{}: {:?}\n{text}",
            row.path, left.steering_keys
        );
        for stays in row.stays {
            assert!(
                text.contains(stays),
                "{}: {stays} is gone\n{text}",
                row.path
            );
        }
    }
}

#[test]
fn steering_is_taken_over_and_the_rest_stays() {
    for row in ROWS {
        let new = changed(row);
        let made = with_steering_of(row.path.as_bytes(), row.sample.as_bytes(), new.as_bytes());
        let made = made.unwrap_or_else(|| panic!("{}: nothing was made of {new}", row.path));
        let left = compare(row.path.as_bytes(), Some(new.as_bytes()), Some(&made));
        let left = left.expect("it is read");
        assert!(!left.steering, "{}: {:?}", row.path, left.steering_keys);
    }
}

#[test]
fn only_what_differs_is_touched() {
    let new = PACKAGE
        .replace("vitest run", "true")
        .replace("1.4.0", "1.5.0");
    let made = with_steering_of(b"package.json", new.as_bytes(), PACKAGE.as_bytes());
    let expected = PACKAGE.replace("1.4.0", "1.5.0");
    assert_eq!(made.as_deref(), Some(expected.as_bytes()));

    let new = PYPROJECT
        .replace("-q --strict-markers", "-x")
        .replace("0.3.1", "0.4.0");
    let made = with_steering_of(b"pyproject.toml", new.as_bytes(), PYPROJECT.as_bytes());
    let expected = PYPROJECT.replace("0.3.1", "0.4.0");
    assert_eq!(made.as_deref(), Some(expected.as_bytes()));

    let new = format!("{GO_MOD}replace x => ./x\n").replace("v0.6.0", "v0.7.0");
    let made = with_steering_of(b"go.mod", new.as_bytes(), GO_MOD.as_bytes());
    let expected = GO_MOD.replace("v0.6.0", "v0.7.0");
    assert_eq!(made.as_deref(), Some(expected.as_bytes()));

    for (path, sample) in ALL {
        let same = with_steering_of(path.as_bytes(), sample.as_bytes(), sample.as_bytes());
        assert_eq!(same.as_deref(), Some(sample.as_bytes()), "{path}");
    }
}

#[test]
fn dependencies_can_be_taken_over_too() {
    let rows = [
        (
            "package.json",
            PACKAGE,
            "\"chalk\": \"^5.3.0\"",
            "\"zod\": \"^3\"",
            "1.4.0",
        ),
        (
            "Cargo.toml",
            CARGO,
            "rand = \"0.8\"",
            "regex = \"1\"",
            "0.2.0",
        ),
        (
            "pyproject.toml",
            PYPROJECT,
            "\"httpx\",",
            "\"rich\",",
            "0.3.1",
        ),
        ("go.mod", GO_MOD, "v0.6.0", "v0.7.0", "example.org/shop"),
    ];
    for (path, sample, old, new, version) in rows {
        let changed = sample.replace(old, new).replace(version, "9.9.9");
        let made = with_part_of(
            path.as_bytes(),
            sample.as_bytes(),
            Part::Dependencies,
            changed.as_bytes(),
        );
        let text = String::from_utf8(made.expect(path)).expect("text");
        assert!(text.contains(new) && !text.contains(old), "{text}");
        assert!(text.contains(version) && !text.contains("9.9.9"), "{text}");
    }
}
