//! Where PHPUnit's failures come from. It tells no more than lines of files; what tells a failed set-up from
//! a failed test is the function around the line that PHPUnit called.

use std::sync::LazyLock;

use regex::Regex;

use super::super::formats::text;
use crate::rules::verdict::Report;
use crate::rules::verdict::{Cause, TestStatus};

/// Gives the text of a file of the project, by the path that PHP knows it by.
type SourceText<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Settles which failures of a report of PHPUnit are of what stands before and after each test.
pub(super) fn settle(report: &mut Report, source: SourceText<'_>) {
    let failed = (report.tests.iter().enumerate())
        .filter(|(_, test)| matches!(test.status, TestStatus::Failed(_)) && !test.inconclusive);
    let of_fixture: Vec<usize> = failed
        .filter(|(_, test)| {
            outermost_place(test.message).is_some_and(|(file, line)| {
                source(file).is_some_and(|text| is_in_fixture(&text, line))
            })
        })
        .map(|(at, _)| at)
        .collect();
    for at in of_fixture {
        let status = TestStatus::Failed(Cause::Error);
        report.tests.set_outcome(at, status, true);
    }
}

/// The last place of a trace, from which PHPUnit's own are left out.
fn outermost_place(message: &str) -> Option<(&str, usize)> {
    let line = message
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())?;
    let (file, line) = line.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

fn is_in_fixture(source: &str, line: usize) -> bool {
    static FUNCTION: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?i)\bfunction\s+&?(\w+)\s*\("));
    let lines: Vec<&str> = source.lines().take(line).collect();
    let mut around = (lines.iter().rev()).filter_map(|line| {
        let names: Vec<&str> = (FUNCTION.captures_iter(line))
            .filter_map(|found| found.get(1).map(|name| name.as_str()))
            .collect();
        (!names.is_empty()).then_some(names)
    });
    // Where one line has several functions, nothing tells which.
    matches!(around.next().as_deref(), Some([name]) if is_fixture(name))
}

fn is_fixture(function: &str) -> bool {
    [
        "setUp",
        "tearDown",
        "assertPreConditions",
        "assertPostConditions",
    ]
    .iter()
    .any(|name| function.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{TestCase, Tests};

    const SOURCE: &str = "<?php\nclass T extends TestCase {\n  protected function setUp(): void\n  {\n    \
        connect();\n  }\n  function testA() {\n    $f = function () { connect(); };\n    $f();\n  }\n}\n";

    fn is_inconclusive(trace: &str) -> bool {
        let message = format!("Exception: no db\n\n{trace}\n");
        let mut report = Report {
            tests: Tests::from_iter([TestCase {
                id: "T > testA",
                file: None,
                status: TestStatus::Failed(Cause::Error),
                inconclusive: false,
                message: &message,
            }]),
            ..Report::default()
        };
        settle(&mut report, &|file| {
            (file == "/p/T.php").then(|| SOURCE.to_owned())
        });
        report.tests.get(0).expect("a test").inconclusive
    }

    #[test]
    fn the_function_that_phpunit_called_tells() {
        for (trace, inconclusive) in [
            ("/p/T.php:5", true),
            ("/p/connect.php:3\n/p/T.php:5", true),
            ("/p/T.php:9", false),
            ("/p/T.php:5\n/p/T.php:9", false),
            ("/p/other.php:5", false),
            ("no place", false),
        ] {
            assert_eq!(is_inconclusive(trace), inconclusive, "{trace}");
        }
    }
}
