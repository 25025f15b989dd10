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
        let mut lines = notes.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            let target = match key {
                "name" => &mut fields.kind,
                "code" => &mut fields.code,
                "failureType" => &mut fields.failure_type,
                "error" | "message" => &mut fields.message,
                "location" => &mut fields.location,
                "duration_ms" => {
                    fields.duration = true;
                    continue;
                }
                "type" => {
                    fields.suite |= value == "'suite'";
                    continue;
                }
                _ => continue,
            };
            if !target.is_empty() {
                continue;
            }
            fields.any = true;
            if value.starts_with('|') || value.starts_with('>') {
                while let Some(more) =
                    lines.next_if(|line| line.starts_with(' ') || line.trim().is_empty())
                {
                    target.push_str(more.trim_start_matches("  "));
                    target.push('\n');
                }
            } else {
                target.push_str(value.trim_matches(['\'', '"']));
            }
        }
        fields
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
        match (self.kind.is_empty(), self.message.is_empty()) {
            (_, true) => notes.to_owned(),
            (true, false) => self.message.clone(),
            (false, false) => format!("{}: {}", self.kind, self.message),
        }
    }

    pub(super) fn file(&self) -> Option<String> {
        let (path, _) = self.location.rsplit_once(':')?;
        let (path, _) = path.rsplit_once(':')?;
        Some(path.to_owned())
    }
}
