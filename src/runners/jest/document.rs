//! What `jest --json` writes, and vitest's `json` reporter in the same shape.

use std::io::BufRead;

use serde::Deserialize;
use serde_json::Value;

use super::super::formats::ReadError;
use super::super::formats::collect::{Collector, Outcome};
use super::super::formats::json::{Text, document, lenient};
use super::super::vitest;
use super::{first_words, take};
use crate::rules::verdict::Report;
use crate::runners::formats::Format;

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "testResults")]
    files: Vec<File>,
    #[serde(default, rename = "wasInterrupted")]
    interrupted: bool,
    #[serde(default)]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct File {
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: Text,
    #[serde(default, rename = "assertionResults")]
    tests: Vec<Test>,
    #[serde(default, rename = "testExecError")]
    exec_error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
    #[serde(default, deserialize_with = "lenient")]
    failure_messages: Vec<Text>,
    /// Jest has it, vitest does not.
    #[serde(default)]
    failure_details: Option<Vec<Details>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Details {
    matcher_result: Option<serde::de::IgnoredAny>,
}

/// What `jest --json` and vitest's `json` reporter write.
pub(super) static JSON: Format = Format {
    keys: &["testResults"],
    ..Format::of("jest JSON", |_, input| read(input))
};

/// Reads what `jest --json` writes, or vitest's `json` reporter.
fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let Some(document) = document::<Document>(input)? else {
        return Ok(Report::default());
    };
    let mut collector = Collector::default();
    for file in document.files {
        let has_failure = file.tests.iter().any(|test| test.status == "failed");
        if file.exec_error.is_some() || (file.status == "failed" && !has_failure) {
            collector.load_error(file.name.clone(), first_words(&file.message.0));
        }
        for test in file.tests {
            take_test(&mut collector, &file.name, test);
        }
    }
    if document.interrupted {
        collector.contradiction("the run was interrupted");
    }
    collector.ended(document.success.is_some());
    Ok(collector.finish())
}

fn take_test(collector: &mut Collector, file: &str, test: Test) {
    let mut path = test.ancestor_titles;
    // Old versions of vitest begin with an empty one.
    path.retain(|title| !title.is_empty());
    path.push(test.title);
    let id = format!("{file} > {}", path.join(" > "));
    let messages: Vec<&str> = test
        .failure_messages
        .iter()
        .map(|text| text.0.as_str())
        .collect();
    match test.failure_details {
        Some(details) => {
            let matchers: Vec<bool> = details
                .iter()
                .map(|detail| detail.matcher_result.is_some())
                .collect();
            take(
                collector,
                id,
                file.to_owned(),
                &test.status,
                &matchers,
                &messages,
            );
        }
        // vitest calls a test that never ended pending.
        None if test.status == "pending" => collector.unfinished(id),
        None if test.status == "failed" => {
            let outcome = messages
                .iter()
                .map(|message| vitest::of_stack(message))
                .fold(Outcome::Inconclusive, Outcome::stronger);
            let message = messages.first().copied().unwrap_or_default();
            collector.test(&id, Some(file), outcome, message);
        }
        None => take(collector, id, file.to_owned(), &test.status, &[], &messages),
    }
}
