//! A short name for "the same failure again".

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest, Sha256};

use super::{Report, TestStatus};

/// How much of the end of an output that no report explains goes into a fingerprint.
const TAIL: usize = 4000;

/// The same for two runs that failed alike, even when times, addresses, temporary paths and line numbers
/// differ; none if nothing failed.
pub fn fingerprint(report: &Report, output: &str) -> Option<String> {
    let mut facts = BTreeSet::new();
    for test in report.tests.iter() {
        if let TestStatus::Failed(cause) = test.status {
            facts.insert(format!("{}\0{cause:?}\0{}", test.id, settled(test.message)));
        }
    }
    for error in &report.load_errors {
        facts.insert(format!("{}\0load\0{}", error.what, settled(&error.message)));
    }
    for test in &report.unfinished {
        facts.insert(format!("{test}\0unfinished"));
    }
    if let Some(contradiction) = &report.contradiction {
        facts.insert(format!("contradiction\0{}", settled(contradiction)));
    }
    if facts.is_empty() {
        if report.ended && report.ran() > 0 {
            return None;
        }
        facts.insert(settled(tail(output)));
    }
    let mut hash = Sha256::new();
    for fact in &facts {
        hash.update(fact.as_bytes());
        hash.update([0xff]);
    }
    Some(
        hash.finalize()
            .iter()
            .take(8)
            .fold(String::with_capacity(16), |mut hex, byte| {
                write!(hex, "{byte:02x}").expect("a string takes every write");
                hex
            }),
    )
}

fn tail(output: &str) -> &str {
    let mut start = output.len().saturating_sub(TAIL);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    output.get(start..).unwrap_or_default()
}

static COLOURS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]").expect("the pattern is constant"));

/// `file.ext:12:3`; only after a file name, so that `{"a":1}` keeps its number.
static LOCATION: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(\.[A-Za-z][A-Za-z0-9]{0,5}):\d+(?::\d+)?\b"));

static UNSETTLED: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = [
        // addresses, UUIDs
        r"0x[0-9a-fA-F]+",
        r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
        // dates and times of day
        r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?",
        r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b",
        // temporary paths
        r"(?:/private)?(?:/tmp|/var/tmp|/var/folders|/run/user/\d+|/dev/shm)/[^\s'\x22`:,)]*",
        r"(?i)[A-Z]:\\Users\\[^\\]+\\AppData\\Local\\Temp\\[^\s'\x22`:,)]*",
        // durations
        r"\b\d+(?:\.\d+)?(?:e-?\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?|mins?|minutes?)\b",
        // line 12, pid 345, and the thread ids of panics
        r"(?i)\b(?:lines?|col(?:umn)?|pid|thread|port)[ =:#]+\d+",
        r"\(\d{2,}\)",
    ];
    compiled(&patterns.join("|"))
});

/// Digits and ends of words are ASCII's: with those of all scripts a pattern takes long to compile, and
/// each failing run compiles it.
fn compiled(pattern: &str) -> Regex {
    let ascii = pattern.replace(r"\d", "[0-9]").replace(r"\b", r"(?-u:\b)");
    Regex::new(&ascii).expect("the patterns are constant")
}

fn settled(text: &str) -> String {
    if text.trim_ascii().is_empty() {
        return String::new();
    }
    let text = COLOURS.replace_all(text, "");
    let text = LOCATION.replace_all(&text, "$1");
    let text = UNSETTLED.replace_all(&text, "·");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::Cause;
    use crate::rules::verdict::{LoadError, TestCase, Tests};

    fn failing(message: &str) -> Report {
        Report {
            tests: Tests::from_iter([TestCase {
                id: "a > b",
                file: None,
                status: TestStatus::Failed(Cause::Assertion),
                inconclusive: false,
                message,
            }]),
            ended: true,
            ..Report::default()
        }
    }

    #[test]
    fn what_changes_from_run_to_run_does_not_change_it() {
        for (one, other) in [
            ("at src/a.rs:10:4", "at src/a.rs:12:9"),
            ("thread 'x' (2811) panicked", "thread 'x' (99) panicked"),
            ("took 12ms", "took 0.4 ms"),
            ("finished in 1.2s", "finished in 3s"),
            ("<Calc object at 0x7f48>", "<Calc object at 0x9a>"),
            (
                "no /tmp/pytest-of-u/pytest-1/x0/f.txt here",
                "no /tmp/pytest-of-u/pytest-22/x0/f.txt here",
            ),
            (
                "File \"a.py\", line 3, in f",
                "File \"a.py\", line 44, in f",
            ),
            ("2026-11-16T02:22:33Z x", "2027-01-01T00:00:00Z x"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
        ] {
            let (one, other) = (failing(one), failing(other));
            assert_eq!(fingerprint(&one, ""), fingerprint(&other, "x"), "{one:?}");
        }
    }

    #[test]
    fn another_failure_changes_it() {
        let base = fingerprint(&failing("3 != 4"), "");
        assert_ne!(base, fingerprint(&failing("3 != 5"), ""));
        assert_ne!(
            fingerprint(&failing(r#"{"a":1}"#), ""),
            fingerprint(&failing(r#"{"a":2}"#), "")
        );
        let mut more = failing("3 != 4");
        more.load_errors.push(LoadError {
            what: "a".into(),
            message: "no".into(),
            ..LoadError::default()
        });
        assert_ne!(base, fingerprint(&more, ""));
        assert_eq!(base.map(|hex| hex.len()), Some(16));
    }

    #[test]
    fn only_failures_have_one() {
        let mut passing = failing("");
        passing.tests.set_outcome(0, TestStatus::Passed, false);
        assert_eq!(fingerprint(&passing, "noise"), None);
        assert_ne!(
            fingerprint(&Report::default(), "no such file"),
            fingerprint(&Report::default(), "syntax error")
        );
    }
}
