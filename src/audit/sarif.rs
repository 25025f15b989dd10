//! What an audit found, as SARIF 2.1.0 for code scanning.

use serde_json::{Value, json};

use crate::message::audit as words;
use crate::outcome::audit::{Audited, Document};

/// The rules: id, level, and what is wrong.
const RULES: &[(&str, &str)] = &[
    ("not-green", "error"),
    ("unproven", "error"),
    ("weakened", "error"),
    ("removed", "error"),
    ("skipped", "error"),
    ("not_run", "error"),
    ("untested", "warning"),
    ("called_not_checked", "warning"),
    ("unknown", "note"),
    ("harness", "note"),
];

/// The findings as SARIF.
pub(crate) fn sarif(audited: &Audited) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, level)| {
            json!({
                "id": id,
                "shortDescription": {"text": words::rule(id)},
                "defaultConfiguration": {"level": level},
            })
        })
        .collect();
    let results: Vec<Value> = audited.changes.iter().flat_map(results).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "git-tcr audit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn results(document: &Document) -> Vec<Value> {
    let mut found = Vec::new();
    // What belongs to no line is shown at the first file that changed.
    let somewhere = document.files.first().map(|file| file.path.as_str());
    let mut note = |rule: &str, text: String, path: Option<&str>, line: u32| {
        let location = path.or(somewhere).map(|path| {
            json!({"physicalLocation": {
                "artifactLocation": {"uri": uri(path)},
                "region": {"startLine": line.max(1)},
            }})
        });
        let level = RULES.iter().find(|(id, _)| *id == rule);
        found.push(json!({
            "ruleId": rule,
            "level": level.map_or("warning", |(_, level)| level),
            "message": {"text": text},
            "locations": location.into_iter().collect::<Vec<_>>(),
            "partialFingerprints": {"tcr/v1": format!("{rule}:{text}")},
        }));
    };
    if document.works.answer == "not_green" {
        note("not-green", words::not_green(document), None, 1);
    }
    if document.asked.answer == "unproven" {
        note("unproven", words::unproven(document), None, 1);
    }
    for test in &document.old_tests {
        if test.is_less() || test.fate == "unknown" {
            let text = words::old_test(test);
            note(test.fate, text, test.file.as_deref(), 1);
        }
    }
    for function in &document.functions {
        if function.word != "proven" {
            let text = words::function(function);
            note(function.word, text, Some(&function.path), function.line);
        }
    }
    for path in &document.harness_changed {
        note("harness", words::harness(path), Some(path), 1);
    }
    found
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'@' => {
                uri.push(char::from(byte));
            }
            other => drop(write!(uri, "%{other:02X}")),
        }
    }
    uri
}
