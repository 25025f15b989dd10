//! JUnit XML in the dialects of many runners, as a stream: no entity is expanded, nothing external is
//! read, and a text of any length takes no more memory than what is kept of it.

use std::io::{self, BufRead};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::ReadError;
use super::collect::{Collector, MESSAGE_BYTES};
use super::source::Utf8;
use crate::policy::judge::Report;

mod content;
mod dialect;
mod name;
mod outcome;

use content::{attributes, skip_text, take_text, unescaped};
use dialect::Dialect;

/// How much of a test's own output is kept, for the one dialect that has nothing else.
const OUTPUT_BYTES: usize = 16 << 10;

/// Reads a JUnit report.
pub(super) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut reader = Reader::from_reader(Utf8::new(input));
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    let mut walk = Walk::default();
    let mut buffer = Vec::new();
    let whole = loop {
        buffer.clear();
        reader.get_mut().refill();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => {
                let keep = walk.start(&tag);
                walk.depth += 1;
                walk.text(reader.get_mut(), keep)?;
            }
            Ok(Event::Empty(tag)) => {
                walk.start(&tag);
                walk.end(tag.name().into_inner());
                walk.closed |= walk.depth == 0;
                walk.text(reader.get_mut(), Keep::Nothing)?;
            }
            Ok(Event::End(tag)) => {
                walk.end(tag.name().into_inner());
                walk.depth = walk.depth.saturating_sub(1);
                walk.closed |= walk.depth == 0;
                walk.text(reader.get_mut(), Keep::Nothing)?;
            }
            Ok(Event::Eof) => break walk.depth == 0,
            Ok(_) => {}
            Err(quick_xml::Error::Io(error)) if error.kind() != io::ErrorKind::Other => {
                return Err(ReadError::Io(io::Error::new(error.kind(), error)));
            }
            Err(_) => break false,
        }
    };
    walk.finish(whole)
}

/// What is done with the text that follows a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Nothing,
    Failure,
    Output,
}

/// What an element inside a test case says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Failure,
    Error,
    Warning,
}

/// A `<failure>`, `<error>` or `<warning>`.
#[derive(Default)]
struct Failure {
    word: Option<Word>,
    kind: String,
    message: String,
    text: String,
}

/// A `<testcase>`, its strings used again for the next one.
#[derive(Default)]
struct Case {
    name: String,
    classname: String,
    class: String,
    file: String,
    status: String,
    result: String,
    output: String,
    skipped: bool,
    failures: Vec<Failure>,
}

impl Case {
    fn clear(&mut self) {
        self.name.clear();
        self.classname.clear();
        self.class.clear();
        self.file.clear();
        self.status.clear();
        self.result.clear();
        self.output.clear();
        self.skipped = false;
        self.failures.clear();
    }
}

/// A `<testsuite>` or `<testsuites>` that is open.
#[derive(Default)]
struct Suite {
    name: String,
    file: String,
    /// Whether it is the outermost `<testsuites>`, and which of the telling attributes there are.
    is_root: bool,
    attributes: usize,
    has_disabled: bool,
    failed_cases: usize,
}

#[derive(Default)]
struct Walk {
    collector: Collector,
    dialect: Option<Dialect>,
    suites: Vec<Suite>,
    case: Case,
    in_case: bool,
    failure: Failure,
    /// Elements inside a test case whose content belongs to an earlier try.
    retries: usize,
    depth: usize,
    closed: bool,
    seen: bool,
    anything: bool,
}

impl Walk {
    fn start(&mut self, tag: &BytesStart<'_>) -> Keep {
        self.anything = true;
        match tag.local_name().into_inner() {
            "testcase" => self.start_case(tag),
            "testsuite" | "testsuites" => self.start_suite(tag),
            "failure" => return self.start_failure(tag, Word::Failure),
            "error" => return self.start_failure(tag, Word::Error),
            "warning" => return self.start_failure(tag, Word::Warning),
            "skipped" | "disabled" if self.in_case => self.case.skipped = true,
            // Tries before the last one do not count.
            "flakyFailure" | "flakyError" | "rerunFailure" | "rerunError" => self.retries += 1,
            "system-out" if self.wants_output() => return Keep::Output,
            _ => {}
        }
        Keep::Nothing
    }

    fn wants_output(&self) -> bool {
        self.in_case && self.retries == 0 && self.dialect == Some(Dialect::CTest)
    }

    fn start_suite(&mut self, tag: &BytesStart<'_>) {
        self.seen = true;
        let mut suite = Suite {
            is_root: self.suites.is_empty() && tag.local_name().into_inner() == "testsuites",
            ..Suite::default()
        };
        for (key, value) in attributes(tag.attributes_raw()) {
            suite.attributes += 1;
            match key {
                "name" => set(&mut suite.name, value),
                "file" | "filepath" => set(&mut suite.file, value),
                "disabled" => suite.has_disabled = true,
                _ => {}
            }
        }
        if self.dialect.is_none() {
            self.dialect = Dialect::of_suite(&suite);
        }
        self.suites.push(suite);
    }

    fn start_case(&mut self, tag: &BytesStart<'_>) {
        self.seen = true;
        self.in_case = true;
        self.retries = 0;
        self.case.clear();
        for (key, value) in attributes(tag.attributes_raw()) {
            let field = match key {
                "name" => &mut self.case.name,
                "classname" => &mut self.case.classname,
                "class" => &mut self.case.class,
                "file" => &mut self.case.file,
                "status" => &mut self.case.status,
                "result" => &mut self.case.result,
                _ => continue,
            };
            set(field, value);
        }
        if self.dialect.is_none() {
            self.dialect = Some(Dialect::of_case(&self.case, &self.suites));
        }
    }

    fn start_failure(&mut self, tag: &BytesStart<'_>, word: Word) -> Keep {
        if self.retries > 0 {
            return Keep::Nothing;
        }
        self.failure = Failure {
            word: Some(word),
            ..Failure::default()
        };
        for (key, value) in attributes(tag.attributes_raw()) {
            match key {
                "type" => set(&mut self.failure.kind, value),
                "message" => set_bounded(&mut self.failure.message, value),
                _ => {}
            }
        }
        Keep::Failure
    }

    fn end(&mut self, name: &str) {
        match name {
            "testcase" if self.in_case => {
                self.in_case = false;
                self.end_case();
            }
            "testsuite" | "testsuites" => {
                self.suites.pop();
            }
            "failure" | "error" | "warning" if self.retries == 0 => self.end_failure(),
            "flakyFailure" | "flakyError" | "rerunFailure" | "rerunError" => {
                self.retries = self.retries.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn end_failure(&mut self) {
        let failure = std::mem::take(&mut self.failure);
        if failure.word.is_none() {
            return;
        }
        if self.in_case {
            self.case.failures.push(failure);
        } else if let Some(suite) = self.suites.last() {
            dialect::suite_failure(&mut self.collector, self.dialect, suite, &failure);
        }
    }

    fn end_case(&mut self) {
        let dialect = self.dialect.unwrap_or(Dialect::Other);
        if !self.case.failures.is_empty()
            && let Some(suite) = self.suites.last_mut()
        {
            suite.failed_cases += 1;
        }
        dialect.take(&mut self.collector, &self.case, &self.suites);
    }

    /// Takes the text up to the next tag, CDATA included.
    fn text(&mut self, input: &mut Utf8<'_>, keep: Keep) -> Result<(), ReadError> {
        let (into, limit) = match keep {
            Keep::Nothing => return skip_text(input).map_err(ReadError::Io),
            Keep::Failure => (&mut self.failure.text, MESSAGE_BYTES * 4),
            Keep::Output => (&mut self.case.output, OUTPUT_BYTES),
        };
        take_text(input, into, limit).map_err(ReadError::Io)
    }

    fn finish(mut self, whole: bool) -> Result<Report, ReadError> {
        if self.anything && !self.seen {
            return Err(ReadError::OtherFormat);
        }
        if !self.anything && !whole {
            return Err(ReadError::OtherFormat);
        }
        if self.in_case {
            self.collector.unfinished(self.case.name.clone());
        }
        self.collector.ended(whole && self.closed && self.seen);
        let mut report = self.collector.finish();
        if let Some(dialect) = self.dialect {
            dialect.finish(&mut report);
        }
        Ok(report)
    }
}

fn set(field: &mut String, raw: &str) {
    field.clear();
    field.push_str(&unescaped(raw));
}

fn set_bounded(field: &mut String, raw: &str) {
    // Escapes take up to ten bytes a character.
    set(field, super::collect::cut(raw, MESSAGE_BYTES * 10));
}

#[cfg(test)]
mod tests;
