//! What follows a failed result: a YAML block, JSON in its place, or comments.

use serde_json::Value;

use crate::rules::verdict::Cause;
use crate::runners::bats;
use crate::runners::formats::cause;
use crate::runners::formats::collect::Outcome;

/// The shallow fields of a YAML block, or of a line of JSON in its place.
#[derive(Default)]
pub(super) struct Fields {
    kind: String,
    code: String,
    failure_type: String,
    message: String,
    location: String,
    /// What was compared, where it is told in fields of its own.
    expected: String,
    actual: String,
    /// The process of a script ended with this status.
    exit_code: String,
    /// What was raised where no test waited for it, as node-tap says.
    caught: String,
    pub(super) duration: bool,
    /// It is a list of tests of Node, which is none itself.
    pub(super) suite: bool,
    any: bool,
}

impl Fields {
    pub(super) fn of(notes: &str) -> Fields {
        let mut fields = Fields::default();
        if let Ok(Value::Object(object)) = serde_json::from_str::<Value>(notes.trim()) {
            fields.any = true;
            fields.message = object
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            return fields;
        }
        let (mut raised, mut diff, mut thrown) = ("", String::new(), String::new());
        let mut stack = String::new();
        let indent = |line: &str| line.len() - line.trim_start().len();
        let base = notes.lines().next().map_or(0, indent);
        let mut lines = notes.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let is_inner = indent(line) > base;
            let key = key.trim().trim_start_matches('\'');
            // Keys with a colon of their own stand in quotes.
            let value = value.trim().trim_start_matches("':").trim_start();
            let target = match key {
                "Error thrown in test" | "Rejected promise returned by test" => &mut thrown,
                _ if key.starts_with("Difference (- actual, + expected)") => &mut diff,
                _ if is_inner => continue,
                "name" => &mut fields.kind,
                "code" => &mut fields.code,
                "failureType" => &mut fields.failure_type,
                "error" | "message" => &mut fields.message,
                "location" => &mut fields.location,
                "exitCode" => &mut fields.exit_code,
                "tapCaught" => &mut fields.caught,
                "expected" | "wanted" => &mut fields.expected,
                "actual" | "found" => &mut fields.actual,
                "diff" => &mut diff,
                "stack" => &mut stack,
                "duration_ms" => {
                    fields.duration = true;
                    continue;
                }
                "type" => {
                    fields.suite |= value == "'suite'";
                    raised = value;
                    continue;
                }
                _ => continue,
            };
            if !target.is_empty() {
                continue;
            }
            fields.any = true;
            if key.starts_with("Difference") {
                // ava turns the signs around.
                target.push_str("--- actual\n");
            }
            if value.starts_with('|') || value.starts_with('>') {
                let outer = indent(line);
                while let Some(more) =
                    lines.next_if(|line| indent(line) > outer || line.trim().is_empty())
                {
                    target.push_str(more.trim_start_matches("  "));
                    target.push('\n');
                }
            } else {
                target.push_str(value.trim_matches(['\'', '"']));
            }
        }
        if !fields.caught.is_empty() && !raised.is_empty() {
            fields.kind = raised.to_owned();
        }
        // qunit
        if fields.message.trim_start().starts_with("Died on test #") {
            let kind = cause::leading_type(&stack).map_or("Error", |(kind, _)| kind);
            fields.kind = kind.to_owned();
        }
        fields.read_diff(&diff);
        fields.read_thrown(&thrown);
        fields
    }

    /// node-tap and ava tell both values in a diff.
    fn read_diff(&mut self, diff: &str) {
        let (expected, actual) = match diff.starts_with("--- actual") {
            true => ('+', '-'),
            false => ('-', '+'),
        };
        let line = |sign: char| {
            let header: String = std::iter::repeat_n(sign, 3).collect();
            let mut lines = diff.lines().filter(|line| !line.starts_with(&header));
            let line = lines.find_map(|line| line.trim_start().strip_prefix(sign));
            line.unwrap_or_default().trim().to_owned()
        };
        if self.expected.is_empty() && self.actual.is_empty() {
            (self.expected, self.actual) = (line(expected), line(actual));
        }
    }

    /// ava shows what a test threw as an object: `TypeError {` and, among others, `message: 'why',`.
    fn read_thrown(&mut self, thrown: &str) {
        let Some(kind) = thrown
            .split([' ', '{'])
            .next()
            .filter(|kind| !kind.is_empty())
        else {
            return;
        };
        self.kind = kind.to_owned();
        let mut lines = thrown.lines().map(str::trim);
        if let Some(message) = lines.find_map(|line| line.strip_prefix("message: ")) {
            self.message = message.trim_matches([',', '\'', '"', '`']).to_owned();
        }
    }

    /// Whether it is about a script as a whole, whose process failed.
    pub(super) fn is_of_process(&self) -> bool {
        !matches!(self.exit_code.as_str(), "" | "null" | "~")
    }

    /// What was raised.
    pub(super) fn raised(&self) -> &str {
        &self.kind
    }

    pub(super) fn cause(&self, notes: &str) -> Outcome {
        match self.failure_type.as_str() {
            "" => {}
            "testCodeFailure" | "subtestsFailed" => {
                if self.code == "ERR_ASSERTION" {
                    return Outcome::Failed(Cause::Assertion);
                }
                let kind = if self.kind.is_empty() {
                    "Error"
                } else {
                    &self.kind
                };
                return cause::of_raised(kind, &self.message);
            }
            _ => return Outcome::Inconclusive,
        }
        if let Some(outcome) = of_lua(notes) {
            return outcome;
        }
        if notes.contains("in test file ") {
            return bats::of_diagnostics(notes);
        }
        if !self.kind.is_empty() {
            return cause::of_raised(&self.kind, &self.message);
        }
        let words = if self.any { &self.message } else { notes };
        cause::of_text(words, Cause::Assertion)
    }

    pub(super) fn message(&self, notes: &str) -> String {
        let values = match (self.expected.as_str(), self.actual.as_str()) {
            ("", "") => String::new(),
            (expected, actual) => format!("expected: {expected}\nactual: {actual}\n"),
        };
        let said = match (self.kind.is_empty(), self.message.is_empty()) {
            (_, true) => notes.to_owned(),
            (true, false) => self.message.clone(),
            (false, false) => format!("{}: {}", self.kind, self.message),
        };
        match (self.message.is_empty(), values.is_empty()) {
            (_, true) => said,
            (true, false) => values + &said,
            (false, false) => format!("{said}\n{values}"),
        }
    }

    pub(super) fn file(&self) -> Option<String> {
        let (path, _) = self.location.rsplit_once(':')?;
        let (path, _) = path.rsplit_once(':')?;
        Some(path.to_owned())
    }
}

/// busted says what an assertion compared, and raises all else with the words of Lua.
fn of_lua(notes: &str) -> Option<Outcome> {
    let said = (notes.lines()).find_map(|line| {
        let words = ["Failure message: ", "Error message: "];
        words.iter().find_map(|words| line.strip_prefix(words))
    })?;
    // After the place where it was raised.
    let mut parts = said.splitn(3, ':');
    let words = match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(line), Some(rest)) if line.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => said,
    };
    let words = words.trim_start();
    const RAISED: [&str; 4] = [
        "attempt to ",
        "bad argument #",
        "module '",
        "error loading module ",
    ];
    Some(match RAISED.iter().any(|start| words.starts_with(start)) {
        true => Outcome::Failed(Cause::Error),
        false => cause::of_text(words, Cause::Assertion),
    })
}
