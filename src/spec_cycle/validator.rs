//! The validator command: any program that reads JSON and answers with a verdict in JSON.

use std::io::{Read, Seek, Write};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::branch::cycle::Certificate;
use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::clock;
use crate::error::{Error, Result};
use crate::message::refusals;
use crate::rules::declared::ValidatorVerdict;
use crate::rules::lint::{LintVerdict, lint_verdict};
use crate::rules::spec::coverage::{Covered, TestFile};
use crate::rules::spec::read_spec;
use crate::test_run::jobs::test_command;
use crate::test_run::{Question as Streams, run_asked};

/// A longer answer is none.
const LONGEST_ANSWER: u64 = 1024 * 1024;
/// So much of what it printed beside the answer is quoted.
const QUOTED: usize = 400;

/// The moment at which the validator is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Asked {
    /// Do the tests say what the spec says?
    Freeze,
    /// Does the source do more than the tests ask for?
    Green,
}

/// What the validator is told.
pub(super) struct Question<'q> {
    pub(super) on: Asked,
    pub(super) tests: &'q [TestFile],
    pub(super) coverage: &'q [Covered],
    pub(super) red: &'q TestResults,
    pub(super) green: Option<&'q TestResults>,
    pub(super) source_diff: Option<&'q str>,
}

/// What it answers.
#[derive(Deserialize)]
struct Answer {
    verdict: ValidatorVerdict,
    #[serde(default)]
    notes: Value,
    #[serde(default)]
    identity: Option<String>,
}

impl Session<'_> {
    /// Asks the validator. Whatever is not a clear answer is a blocker.
    pub(super) fn ask_validator(&self, question: &Question<'_>) -> Result<Certificate> {
        let Some(command) = &self.config.validator.command else {
            return Err(refusals::no_validator());
        };
        let told = self.told(question)?;
        let timeout = Duration::from_secs(self.config.validator.timeout_s.into());
        let io = |error| Error::io("write", std::path::Path::new("a temporary file"), error);
        let mut input = tempfile::tempfile().map_err(io)?;
        input
            .write_all(told.to_string().as_bytes())
            .and_then(|()| input.rewind())
            .map_err(io)?;
        let mut answer = tempfile::tempfile().map_err(io)?;
        let streams = Streams {
            input,
            answer: answer.try_clone().map_err(io)?,
        };
        let run = run_asked(&test_command(command), self.repo.root(), timeout, streams);
        if run.interrupted {
            return Err(Error::Interrupted);
        }
        let mut text = String::new();
        let read = answer
            .rewind()
            .and_then(|()| answer.take(LONGEST_ANSWER).read_to_string(&mut text));
        let said = match (lint_verdict(&run.exit), read) {
            (LintVerdict::Clean, Ok(_)) => verdict_of(&text),
            (LintVerdict::Clean, Err(error)) => Err(format!("its answer can't be read: {error}")),
            (LintVerdict::Findings, _) => Err("it ended with a failure".into()),
            (LintVerdict::Failed(why), _) => Err(why),
        };
        let program = format!("validator `{command}`");
        Ok(match said {
            Ok((verdict, notes, identity)) => Certificate {
                verdict,
                by: identity.unwrap_or(program),
                notes,
                at: clock::timestamp(),
                auto: true,
            },
            Err(why) => Certificate {
                verdict: ValidatorVerdict::Blocker,
                notes: with_output(&why, &run.output),
                by: program,
                at: clock::timestamp(),
                auto: true,
            },
        })
    }

    fn told(&self, question: &Question<'_>) -> Result<Value> {
        let spec = self.spec()?;
        let read = |path: &str| std::fs::read_to_string(self.repo.root().join(path)).ok();
        let text = read(&spec.path).unwrap_or_default();
        let scenarios = read_spec(&text)
            .map(|spec| spec.scenarios)
            .unwrap_or_default();
        let plan = self.state.plan.as_ref().map(|plan| {
            json!({
                "path": plan.path,
                "text": read(&plan.path),
                "must_haves": plan.must_haves,
            })
        });
        let tests: Vec<Value> = question
            .tests
            .iter()
            .map(|file| json!({"path": file.path, "text": file.text}))
            .collect();
        Ok(json!({
            "version": 1,
            "on": question.on,
            "spec": {
                "id": spec.id,
                "path": spec.path,
                "hash": spec.hash,
                "text": text,
                "scenarios": scenarios,
            },
            "plan": plan,
            "tests": tests,
            "coverage": question.coverage,
            "red": question.red,
            "green": question.green,
            "source_diff": question.source_diff,
            "authors": self.state.authors,
        }))
    }
}

type Said = (ValidatorVerdict, String, Option<String>);

/// Reads an answer; one that says anything else than it should is none.
fn verdict_of(text: &str) -> std::result::Result<Said, String> {
    let answer: Answer = serde_json::from_str(text.trim())
        .map_err(|error| format!("its answer is not the JSON that is asked for: {error}"))?;
    let notes = match answer.notes {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(lines) if lines.iter().all(Value::is_string) => lines
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        _ => return Err("its `notes` are neither text nor a list of texts".into()),
    };
    let identity = answer
        .identity
        .filter(|identity| !identity.trim().is_empty());
    Ok((answer.verdict, notes, identity))
}

fn with_output(why: &str, output: &str) -> String {
    match output.trim() {
        "" => why.to_owned(),
        said => format!("{why}\n{}", crate::test_run::results::tail(said, QUOTED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_answer() {
        let answer =
            r#" {"verdict":"concerns","notes":["a","b"],"identity":"review-bot","more":1} "#;
        let said = verdict_of(answer).expect("it is clear");
        assert_eq!(
            said,
            (
                ValidatorVerdict::Concerns,
                "a\nb".into(),
                Some("review-bot".into())
            )
        );
        let said = verdict_of(r#"{"verdict":"pass","identity":" "}"#).expect("it is clear");
        assert_eq!(said, (ValidatorVerdict::Pass, String::new(), None));
    }

    #[test]
    fn nonsense_is_no_pass() {
        for nonsense in [
            "",
            "pass",
            "{}",
            "[]",
            r#"{"verdict":"PASS"}"#,
            r#"{"verdict":"fine"}"#,
            r#"{"verdict":true}"#,
            r#"{"verdict":"pass"} and more"#,
            r#"{"verdict":"pass"}{"verdict":"blocker"}"#,
            r#"{"verdict":"pass","notes":{}}"#,
            r#"{"verdict":"pass","identity":7}"#,
        ] {
            assert!(verdict_of(nonsense).is_err(), "{nonsense}");
        }
    }
}
