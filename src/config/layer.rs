//! One config file, laid over what the layers below said.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Findings, Hint};
use super::keys::Scope;
use super::project::read_projects;
use super::reader::{Key, Reader, Value};
use super::{Config, Validator};
use crate::rules::smell::{Rule, Severity};

/// Instants plus longer times than these could overflow, and nobody waits that long.
pub(super) const TIMEOUT_S: std::ops::RangeInclusive<u32> = 1..=86_400;
const DEBOUNCE_MS: std::ops::RangeInclusive<u32> = 0..=60_000;
const OUTPUT_LIMIT: std::ops::RangeInclusive<u32> = 0..=1_000_000;
const PATIENCE: std::ops::RangeInclusive<u32> = 0..=1_000;

/// A config file as it was read from disk or from a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What messages call it.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Which of the two files a layer is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    User,
    Project,
}

impl Layer {
    /// Lays this file over `config`; what is wrong with it goes to `error`.
    pub(super) fn apply(&self, origin: Origin, config: &mut Config, error: &mut ConfigError) {
        let text = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(bad) => return self.refuse_encoding(bad.valid_up_to(), error),
        };
        // Editors on Windows like to write one; it is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (table, syntax_errors) = DeTable::parse_recoverable(text);
        if !syntax_errors.is_empty() {
            return self.refuse_syntax(text, syntax_errors, error);
        }
        let mut reader = Reader::new();
        read_top(&mut reader, origin, table.get_ref(), config);
        reader.into_findings().report(&self.path, text, error);
    }

    fn refuse_encoding(&self, valid_up_to: usize, error: &mut ConfigError) {
        let readable = self.bytes.get(..valid_up_to).unwrap_or_default();
        let readable = String::from_utf8_lossy(readable);
        let mut findings = Findings::new();
        findings.add(
            readable.len()..readable.len(),
            "the file is not UTF-8".to_owned(),
            Hint::Text("save it as UTF-8".to_owned()),
        );
        findings.report(&self.path, &readable, error);
    }

    /// The parser goes on after a mistake and stumbles over its remains: one problem a line.
    fn refuse_syntax(&self, text: &str, errors: Vec<toml::de::Error>, error: &mut ConfigError) {
        let line_of = |at: usize| text.get(..at).map_or(0, |s| s.matches('\n').count());
        let mut findings = Findings::new();
        let mut last_line = None;
        for syntax in errors {
            let span = syntax.span().unwrap_or(0..0);
            let line = Some(line_of(span.start));
            if line != last_line {
                let mut what = syntax.message().trim_end().replace('\n', ", ");
                // The one mistake of which the parser does not say what it is about.
                if what == "duplicate key"
                    && let Some(key) = text.get(span.clone())
                {
                    what = format!("{what} `{key}`");
                }
                findings.add(span, what, Hint::Nothing);
            }
            last_line = line;
        }
        findings.report(&self.path, text, error);
    }
}

fn read_top(reader: &mut Reader, origin: Origin, table: &DeTable<'_>, config: &mut Config) {
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "enabled" => put(&mut config.enabled, reader.flag(key, value)),
            "mode" => put(&mut config.mode, reader.choice(key, value)),
            "test" => put(&mut config.test, reader.command(key, value)),
            "lint" => put(&mut config.lint, reader.command(key, value)),
            "tests" => put(&mut config.tests, reader.patterns(key, value).map(Some)),
            "source" => put(&mut config.source, reader.patterns(key, value).map(Some)),
            "harness" => add(&mut config.harness, reader.patterns(key, value)),
            "protected" => add(&mut config.protected, reader.patterns(key, value)),
            "exempt" => add(&mut config.exempt, reader.patterns(key, value)),
            "commit_message" => {
                put(
                    &mut config.commit_message,
                    reader.message_template(key, value),
                );
            }
            "debounce_ms" => {
                put(
                    &mut config.debounce_ms,
                    reader.number(key, value, DEBOUNCE_MS),
                );
            }
            "show_test_output" => put(&mut config.show_test_output, reader.flag(key, value)),
            "test_output_limit" => {
                let limit = reader.number(key, value, OUTPUT_LIMIT);
                put(&mut config.test_output_limit, limit);
            }
            "timeout_s" => put(&mut config.timeout_s, reader.number(key, value, TIMEOUT_S)),
            "trigger" => put(&mut config.trigger, reader.choice(key, value)),
            "patience" => put(&mut config.patience, reader.number(key, value, PATIENCE)),
            "needed" => put(&mut config.needed, reader.choice(key, value)),
            "setup" => put(&mut config.setup, reader.command(key, value)),
            "report" => put(&mut config.report, reader.file(key, value)),
            "red_confirm" => put(&mut config.red_confirm, reader.regex(key, value)),
            "red_needs" => put(&mut config.red_needs, reader.choice(key, value).map(Some)),
            "branches" => put(&mut config.branches, reader.list(key, value, Reader::glob)),
            "validator" => read_validator(reader, key, value, &mut config.validator),
            "smells" => read_smells(reader, key, value, &mut config.smells),
            "project" if origin == Origin::User => reader.problem_with_hint(
                key.span(),
                "`project` can't be a default for every repository".to_owned(),
                "write it in the repository's `.tcr.toml`".to_owned(),
            ),
            "project" => put(&mut config.projects, read_projects(reader, key, value)),
            _ => reader.unknown_key(Scope::Top, key),
        }
    }
}

fn read_validator(reader: &mut Reader, key: &Key<'_>, value: &Value<'_>, into: &mut Validator) {
    let DeValue::Table(table) = value.get_ref() else {
        return reader.wrong_type(key, value, "a table (`[validator]`)");
    };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "command" => put(&mut into.command, reader.command(key, value)),
            "on" => put(&mut into.on, reader.list(key, value, Reader::choice)),
            "timeout_s" => put(&mut into.timeout_s, reader.number(key, value, TIMEOUT_S)),
            _ => reader.unknown_key(Scope::Validator, key),
        }
    }
}

fn read_smells(
    reader: &mut Reader,
    key: &Key<'_>,
    value: &Value<'_>,
    into: &mut BTreeMap<Rule, Severity>,
) {
    let DeValue::Table(table) = value.get_ref() else {
        return reader.wrong_type(key, value, "a table (`[smells]`)");
    };
    for (key, value) in table {
        match Rule::of_name(key.get_ref()) {
            Some(rule) => match reader.choice(key, value) {
                // The default may be set back over another one of the user's own file.
                Some(severity) if severity == rule.default_severity() => drop(into.remove(&rule)),
                Some(severity) => drop(into.insert(rule, severity)),
                None => {}
            },
            None => reader.unknown_key(Scope::Smells, key),
        }
    }
}

pub(super) fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// These patterns only ever add to what the layers below and the built-in ones say.
fn add(place: &mut Vec<String>, patterns: Option<Vec<String>>) {
    for pattern in patterns.unwrap_or_default() {
        if !place.contains(&pattern) {
            place.push(pattern);
        }
    }
}
