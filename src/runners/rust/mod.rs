//! Panics of Rust tests. `assert!(c, "text")` prints nothing but the text, and `panic!` can print what an
//! assertion prints; what tells them apart is the source at the place that the panic names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

pub(super) mod aim;
pub(super) mod files;

use super::Sources;
use super::command::Look;
use super::formats::collect::Outcome;
use super::formats::unique::tell_apart;
use super::formats::{cause, text};
use super::project::Place;
use crate::rules::verdict::{Cause, TestStatus};
use crate::rules::verdict::{Report, TestCase};

/// Gives a line of a source file of the project, by its path as the compiler saw it.
type SourceLine<'a> = &'a dyn Fn(&str, u32) -> Option<String>;

/// Why a test failed, from what it printed, without a look at the source.
pub(super) fn of_panic(output: &str) -> Outcome {
    if output.contains("test did not panic as expected")
        || output.contains("panic did not contain expected string")
    {
        return Outcome::Failed(Cause::Assertion);
    }
    let Some(panic) = Panic::find(output) else {
        return Outcome::Failed(Cause::Error);
    };
    if panic.reads_like_an_assertion() {
        Outcome::Failed(Cause::Assertion)
    } else if panic.is_stub() {
        Outcome::Failed(Cause::Stub)
    } else {
        Outcome::Failed(Cause::Error)
    }
}

/// What a test printed from its panic on: what comes before says nothing about the failure.
pub(super) fn from_panic(output: &str) -> &str {
    let at = output.find("panicked at ").map(|at| {
        output
            .get(..at)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |line| line + 1)
    });
    at.and_then(|at| output.get(at..)).unwrap_or(output)
}

/// What runs the tests of a Rust package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cargo {
    /// `cargo test`
    Test,
    /// `cargo nextest`
    Nextest,
}

/// What a call of cargo runs the tests with, if it does.
pub(super) fn run_by(look: &Look<'_>) -> Option<Cargo> {
    const WITH_VALUE: [&str; 6] = [
        "--manifest-path",
        "-Z",
        "--config",
        "-C",
        "--color",
        "--target-dir",
    ];
    const AROUND: [&str; 7] = [
        "llvm-cov",
        "miri",
        "hack",
        "careful",
        "tarpaulin",
        "auditable",
        "mutants",
    ];
    let (first, rest) = look.call.positional(&WITH_VALUE)?;
    let has = |name: &str| rest.iter().any(|word| word == name);
    match first {
        _ if !look.is(&["cargo", "cross"]) => None,
        "test" | "t" => Some(Cargo::Test),
        "nextest" => Some(Cargo::Nextest),
        around if AROUND.contains(&around) && has("nextest") => Some(Cargo::Nextest),
        around if AROUND.contains(&around) && (has("test") || around == "llvm-cov") => {
            Some(Cargo::Test)
        }
        _ => None,
    }
}

/// The options with which cargo tests all there is; none if it is no package.
pub(super) fn all_targets(place: &Place<'_>) -> Option<String> {
    let manifest = place.toml("Cargo.toml")?;
    let all = match manifest.contains_key("workspace") {
        true => " --workspace",
        false => "",
    };
    // A failing target must not hide what the others say.
    Some(format!("{all} --no-fail-fast"))
}

/// Settles what only the source tells of a report of Rust tests.
pub(super) fn settle(report: &mut Report, sources: &Sources<'_>) {
    settle_causes(report, &|file, line| sources.line(file, line));
    files::settle(sources.dir, report);
    settle_example_names(report);
}

/// Settles the causes of a report of Rust tests by a look at the source.
fn settle_causes(report: &mut Report, source: SourceLine<'_>) {
    let settled: Vec<(usize, Cause)> = (report.tests.iter().enumerate())
        .filter(|(_, test)| matches!(test.status, TestStatus::Failed(_)) && !test.inconclusive)
        .filter_map(|(at, test)| {
            let panic = Panic::find(test.message)?;
            if test.id.starts_with("doc ") {
                let is_assertion = panic.is_of_example(source);
                return is_assertion.then_some((at, Cause::Assertion));
            }
            let line = source(panic.path, panic.line)?;
            Some((at, panic.by_source(&line)?))
        })
        .collect();
    for (at, cause) in settled {
        report
            .tests
            .set_outcome(at, TestStatus::Failed(cause), false);
    }
}

/// `thread 'x' (12) panicked at src/lib.rs:14:9:`, and what follows.
struct Panic<'a> {
    path: &'a str,
    line: u32,
    column: usize,
    message: &'a str,
}

impl<'a> Panic<'a> {
    fn find(output: &'a str) -> Option<Panic<'a>> {
        static PLACE: LazyLock<Regex> =
            LazyLock::new(|| text::regex(r"(?m)panicked at (.+):(\d+):(\d+):?[ \t]*\r?$"));
        let found = PLACE.captures(output)?;
        let (all, path) = (found.get(0)?, found.get(1)?);
        let message = output.get(all.end()..)?.trim_start_matches(['\r', '\n']);
        Some(Panic {
            path: path.as_str(),
            line: found.get(2)?.as_str().parse().ok()?,
            column: found.get(3)?.as_str().parse().ok()?,
            message,
        })
    }

    fn reads_like_an_assertion(&self) -> bool {
        self.message.starts_with("assertion ")
            || self.message.starts_with("snapshot assertion ")
            || self.message.starts_with("Test failed: assertion ")
            || self.is_of_property()
    }

    /// proptest names the place of its own assertions behind their words, and of nothing else that failed.
    fn is_of_property(&self) -> bool {
        static OF_PROPERTY: LazyLock<Regex> = LazyLock::new(|| {
            text::regex(r"\ATest failed: [\s\S]*? at \S+\.rs:\d+\.\s+minimal failing input")
        });
        OF_PROPERTY.is_match(self.message)
    }

    fn is_stub(&self) -> bool {
        cause::is_stub("", self.message)
    }

    /// Whether an assertion of a doctest is meant. rustdoc puts a line before the example, and some
    /// versions count it.
    fn is_of_example(&self, source: SourceLine<'_>) -> bool {
        [Some(self.line), self.line.checked_sub(1)]
            .into_iter()
            .flatten()
            .filter_map(|line| source(self.path, line))
            .any(|line| {
                let code = line.trim_start_matches(['/', '!', '*', ' ']);
                code.starts_with("assert") && code.contains('!')
            })
    }

    fn by_source(&self, line: &str) -> Option<Cause> {
        let at: String = line
            .chars()
            .skip(self.column.saturating_sub(1))
            .take(80)
            .collect();
        let name: String = at
            .chars()
            .take_while(|character| character.is_alphanumeric() || matches!(character, '_' | ':'))
            .collect();
        let is_macro = at
            .get(name.len()..)
            .is_some_and(|rest| rest.starts_with('!'));
        let name = name.rsplit("::").next().unwrap_or_default();
        if !is_macro {
            // A method that panics, an index, an overflow; or a call of a function that asserts on
            // behalf of its caller, which only the text can tell.
            let claims = self.reads_like_an_assertion();
            let calls_by_name = at.contains('(') && !name.is_empty();
            return Some(match () {
                () if claims && calls_by_name && !matches!(name, "unwrap" | "expect") => {
                    Cause::Assertion
                }
                () if self.is_stub() => Cause::Stub,
                () => Cause::Error,
            });
        }
        match name {
            "todo" | "unimplemented" => Some(Cause::Stub),
            "panic" | "unreachable" | "bail" | "vec" | "format" => Some(if self.is_stub() {
                Cause::Stub
            } else {
                Cause::Error
            }),
            name if name.contains("assert") => Some(Cause::Assertion),
            // A macro of the project, whose inside is not looked at.
            _ => None,
        }
    }
}

/// Takes the lines out of the names of examples in documentation, `doc a > src/lib.rs - add (line 2)`: they
/// change with every line above them, and the test would seem to be gone. Several examples of one item are
/// numbered in the order of the source, whichever ends first.
fn settle_example_names(report: &mut Report) {
    let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (name, line) in report.tests.iter().filter_map(|test| example(test.id)) {
        lines.entry(name).or_default().insert(line);
    }
    if lines.is_empty() {
        return;
    }
    let tests = std::mem::take(&mut report.tests);
    for test in tests.iter() {
        let settled = example(test.id).map(|(name, line)| {
            let before = (lines.get(&name)).map_or(0, |lines| lines.range(..line).count());
            match before {
                0 => name,
                _ => format!("{name} #{}", before + 1),
            }
        });
        let id = settled.as_deref().unwrap_or(test.id);
        report.tests.push(TestCase { id, ..test });
    }
    tell_apart(report);
}

/// The name of an example without its line, and the line.
fn example(id: &str) -> Option<(String, u32)> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| text::regex(r" \(line (\d+)\)"));
    let found = LINE.captures(id).filter(|_| id.starts_with("doc "))?;
    let line = found.get(1)?.as_str().parse().ok()?;
    Some((LINE.replace(id, "").into_owned(), line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::Tests;

    fn settled(message: &str, line: &str) -> (Cause, Cause) {
        let Outcome::Failed(by_text) = of_panic(message) else {
            unreachable!("a panic always tells")
        };
        let mut report = Report {
            tests: Tests::from_iter([TestCase {
                id: "a",
                file: None,
                status: TestStatus::Failed(by_text),
                inconclusive: false,
                message,
            }]),
            ..Report::default()
        };
        settle_causes(&mut report, &|path, number| {
            assert_eq!((path, number), ("src/lib.rs", 14));
            Some(line.to_owned())
        });
        let TestStatus::Failed(by_source) = report.tests.get(0).expect("a test").status else {
            unreachable!("it stays failed")
        };
        (by_text, by_source)
    }

    #[test]
    fn an_example_is_found_near_the_place_that_the_panic_names() {
        let source = [
            "/// ```",
            "/// assert!(add(1, 2) == 4, \"four\");",
            "/// ```",
            "pub fn add() {}",
        ];
        let cause = |line: usize, message: &str| {
            let message = format!("thread 'main' panicked at src/lib.rs:{line}:1:\n{message}");
            let mut report = Report {
                tests: Tests::from_iter([TestCase {
                    id: "doc demo > src/lib.rs - add (line 1)",
                    file: None,
                    status: TestStatus::Failed(Cause::Error),
                    inconclusive: false,
                    message: &message,
                }]),
                ..Report::default()
            };
            settle_causes(&mut report, &|_, number| {
                let at = usize::try_from(number).ok()?.checked_sub(1)?;
                source.get(at).map(|line| (*line).to_owned())
            });
            report.tests.get(0).expect("a test").status
        };
        let assertion = TestStatus::Failed(Cause::Assertion);
        assert_eq!(cause(2, "four"), assertion);
        assert_eq!(cause(3, "four"), assertion);
        assert_eq!(cause(4, "four"), TestStatus::Failed(Cause::Error));
    }

    #[test]
    fn the_source_settles_what_the_text_claims() {
        let equal = "assertion `left == right` failed\n  left: 1\n right: 2";
        for (message, line, column, by_text, by_source) in [
            (
                equal,
                "assert_eq!(1, 2);",
                1,
                Cause::Assertion,
                Cause::Assertion,
            ),
            (
                equal,
                "panic!(\"assertion\");",
                1,
                Cause::Assertion,
                Cause::Error,
            ),
            (
                equal,
                "cases! { a: 1, 2; }",
                1,
                Cause::Assertion,
                Cause::Assertion,
            ),
            (equal, "check(1, 2);", 1, Cause::Assertion, Cause::Assertion),
            (
                "too small",
                "assert!(a > b, \"too small\");",
                1,
                Cause::Error,
                Cause::Assertion,
            ),
            (
                "not yet implemented: add",
                "    todo!(\"add\")",
                5,
                Cause::Stub,
                Cause::Stub,
            ),
            (
                "called `Option::unwrap()` on a `None` value",
                "assert_eq!(v.unwrap(), 1);",
                14,
                Cause::Error,
                Cause::Error,
            ),
            (
                "index out of bounds: the len is 0",
                "é; assert_eq!(v[i], 1);",
                15,
                Cause::Error,
                Cause::Error,
            ),
            (
                "boom",
                "insta::assert_snapshot!(x);",
                1,
                Cause::Error,
                Cause::Assertion,
            ),
        ] {
            let message =
                format!("thread 'a' (7) panicked at src/lib.rs:14:{column}:\n{message}\n");
            assert_eq!(
                settled(&message, line),
                (by_text, by_source),
                "{message}{line}"
            );
        }
    }

    #[test]
    fn a_test_that_did_not_panic_as_it_should_is_an_assertion() {
        assert_eq!(
            of_panic("note: test did not panic as expected at src/lib.rs:3:8"),
            Outcome::Failed(Cause::Assertion)
        );
        assert_eq!(of_panic("Error: \"no\""), Outcome::Failed(Cause::Error));
    }

    #[test]
    fn examples_keep_their_names_when_they_move() {
        let named = |ids: &[&str]| {
            let mut report = Report {
                tests: (ids.iter())
                    .map(|id| TestCase {
                        id,
                        file: None,
                        status: TestStatus::Passed,
                        inconclusive: false,
                        message: "",
                    })
                    .collect(),
                ..Report::default()
            };
            settle_example_names(&mut report);
            let ids = report.tests.iter().map(|test| test.id.to_owned());
            ids.collect::<Vec<_>>()
        };
        let ids = [
            "src/lib.rs > tests::x (line 1)",
            "doc a > src/lib.rs - add (line 17)",
            "doc a > src/lib.rs - add (line 2)",
            "doc a > src/lib.rs - sub (line 9) - compile fail",
        ];
        assert_eq!(
            named(&ids),
            [
                "src/lib.rs > tests::x (line 1)",
                "doc a > src/lib.rs - add #2",
                "doc a > src/lib.rs - add",
                "doc a > src/lib.rs - sub - compile fail",
            ]
        );
    }
}
