//! The lines of those of our reporters that have no tongue of their own: one JSON object for each thing
//! that happened.
//!
//! `{"event": "start"}`, `{"event": "begin", "id": …}`, `{"event": "load", "what": …, "message": …}`,
//! `{"event": "end"}`, and for a test that ended `{"id": …, "status": …}` with `file`, `at` (file and line),
//! `kind` (the class of what was raised) and `message`.

use std::io::BufRead;

use serde::Deserialize;

use super::collect::{Collector, Outcome};
use super::json::{Text, each_own_line, lenient};
use super::{Format, ReadError, cause};
use crate::rules::verdict::{Cause, Report};

/// These lines.
pub(crate) static LINES: Format = Format::own("lines of our reporters", |_, input| read(input));

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    event: Option<String>,
    id: String,
    what: String,
    file: Option<String>,
    status: String,
    kind: Option<Text>,
    message: Option<Text>,
    #[serde(deserialize_with = "lenient")]
    at: Option<(String, u32)>,
}

fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut collector = Collector::default();
    let mut begun: Vec<String> = Vec::new();
    each_own_line(input, &mut collector, |collector, line: Line| {
        let message = line.message.unwrap_or_default().0;
        match line.event.as_deref() {
            Some("start") => return collector.ended(false),
            Some("end") => return collector.ended(true),
            Some("begin") => return begun.push(line.id),
            Some("load") => {
                let words = message.lines().find(|line| !line.trim().is_empty());
                let words = words.unwrap_or_default().to_owned();
                return collector.load_error_told(line.what, &words, &message);
            }
            _ => {}
        }
        if let Some(at) = begun.iter().rposition(|id| *id == line.id) {
            begun.remove(at);
        }
        let kind = line.kind.unwrap_or_default().0;
        let outcome = match line.status.as_str() {
            "passed" => Outcome::Passed,
            "skipped" => Outcome::Skipped,
            "failed" if kind.is_empty() => cause::of_text(&message, Cause::Assertion),
            "failed" => cause::of_raised(&kind, without_kind(&message, &kind)),
            // An error is never an assertion, whatever its name.
            "error" => match cause::of_raised(&kind, without_kind(&message, &kind)) {
                Outcome::Failed(Cause::Assertion) => Outcome::Failed(Cause::Error),
                outcome => outcome,
            },
            _ => Outcome::Inconclusive,
        };
        let at = line.at.as_ref().map(|(file, line)| (file.as_str(), *line));
        collector.test_at(&line.id, at, line.file.as_deref(), outcome, &message);
    })?;
    begun.into_iter().for_each(|id| collector.unfinished(id));
    Ok(collector.finish())
}

fn without_kind<'a>(message: &'a str, kind: &str) -> &'a str {
    let rest = message.strip_prefix(kind);
    rest.and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus::{Failed, Passed, Skipped};

    fn report(lines: &str) -> Report {
        read(&mut lines.as_bytes()).expect("our own lines")
    }

    #[test]
    fn tests_causes_and_places() {
        let report = report(
            r#"{"event": "start"}
{"event": "begin", "id": "a"}
{"id": "a", "status": "passed", "file": "t.py"}
{"id": "b", "status": "skipped"}
{"id": "c", "status": "failed", "kind": "AssertionError", "message": "AssertionError: 5 != 6", "file": "t.py", "at": ["t.py", 3]}
{"id": "d", "status": "failed", "kind": "TypeError", "message": "TypeError: no"}
{"id": "e", "status": "error", "kind": "AssertionError", "message": "no"}
{"id": "f", "status": "failed", "kind": "NotImplementedError", "message": "NotImplementedError: f"}
{"id": "g", "status": "failed", "message": "5 is not 6"}
{"event": "end"}
"#,
        );
        let error = Failed(Cause::Error);
        assert_eq!(
            report.tests.statuses(),
            [
                ("a", Passed),
                ("b", Skipped),
                ("c", Failed(Cause::Assertion)),
                ("d", error),
                ("e", error),
                ("f", Failed(Cause::Stub)),
                ("g", Failed(Cause::Assertion)),
            ]
        );
        assert!(report.ended && report.unfinished.is_empty());
        let failed = report.tests.get(2).expect("a test");
        assert!(failed.message.ends_with("at t.py:3"), "{}", failed.message);
    }

    #[test]
    fn what_did_not_end_and_what_could_not_be_loaded() {
        let cut = report("{\"event\": \"start\"}\n{\"event\": \"begin\", \"id\": \"a\"}\n");
        assert!(!cut.ended);
        assert_eq!(cut.unfinished, ["a"]);
        let load = "{\"event\": \"load\", \"what\": \"x.py\", \"message\": \"SyntaxError: no\"}\n";
        let unloaded = report(load);
        assert_eq!(unloaded.load_errors[0].what, "x.py");
    }
}
