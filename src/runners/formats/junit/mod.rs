//! JUnit XML in the dialects of many runners, as a stream: no entity is expanded, nothing external is
//! read, and a text of any length takes no more memory than what is kept of it.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::collect::{Collector, MESSAGE_BYTES};
use super::source::Chunks;
use super::{Format, ReadError};
use crate::rules::verdict::Report;

mod case;
mod content;
mod dialect;
mod java_stack;
mod name;
mod outcome;

pub(crate) use case::Case;
use case::TagEnd;
use content::{Attributes, Text, set};
pub(crate) use dialect::{Dialect, OTHER};
pub(crate) use name::{Ids, relative};
pub(crate) use outcome::{without_test_name, xunit_failure};

/// How much of a test's own output is kept, for the one dialect that has nothing else.
const OUTPUT_BYTES: usize = 16 << 10;

/// JUnit XML of any runner.
pub(crate) static XML: Format = Format::of("JUnit XML", |_, input| read(input));

/// Reads a JUnit report.
pub(crate) fn read(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut chunks = Chunks::new(input);
    let mut walk = Walk::default();
    let whole = loop {
        let (chunk, is_last) = chunks.chunk();
        match walk.chunk(chunk, is_last) {
            Walked::UpTo(used) => {
                if !chunks.advance(used).map_err(ReadError::Io)? {
                    break false;
                }
            }
            Walked::All => break walk.depth == 0,
            Walked::IllFormed => break false,
        }
    };
    walk.finish(whole)
}

/// How far a walk came.
enum Walked {
    /// So many bytes; the next ones begin something that is not there as a whole.
    UpTo(usize),
    All,
    IllFormed,
}

/// What is done with the text that follows a tag.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Keep {
    #[default]
    Nothing,
    Failure,
    Output,
}

impl Keep {
    fn limit(self) -> usize {
        match self {
            Keep::Nothing => 0,
            Keep::Failure => MESSAGE_BYTES * 4,
            Keep::Output => OUTPUT_BYTES,
        }
    }
}

/// What an element inside a test case says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Failure,
    Error,
    Warning,
}

/// A `<failure>`, `<error>` or `<warning>`.
#[derive(Default)]
pub(crate) struct Failure {
    pub(crate) word: Option<Word>,
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) text: String,
}

/// A `<testsuite>` or `<testsuites>` that is open.
#[derive(Default)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) file: String,
    /// Whether it is the outermost `<testsuites>`, and which of the telling attributes there are.
    pub(crate) is_root: bool,
    pub(crate) attributes: usize,
    pub(crate) has_disabled: bool,
    pub(crate) failed_cases: usize,
}

/// Whether the outermost element says nothing by itself.
pub(crate) fn has_bare_root(suites: &[Suite]) -> bool {
    let root = suites.first();
    root.is_some_and(|root| root.is_root && root.attributes == 0)
}

#[derive(Default)]
struct Walk {
    collector: Collector,
    dialect: Option<&'static Dialect>,
    suites: Vec<Suite>,
    /// The last test case, and whether it is open.
    case: Case,
    in_case: bool,
    ids: Ids,
    failure: Failure,
    /// The text after the last tag, and what it is kept for.
    text: Text,
    keep: Keep,
    /// Elements inside a test case whose content belongs to an earlier try.
    retries: usize,
    depth: usize,
    closed: bool,
    seen: bool,
    anything: bool,
}

impl Walk {
    fn chunk(&mut self, chunk: &str, is_last: bool) -> Walked {
        let mut reader = Reader::from_reader(chunk.as_bytes());
        let config = reader.config_mut();
        config.check_end_names = false;
        // The beginning of an element may be in an earlier chunk.
        config.allow_unmatched_ends = true;
        loop {
            let rest = reader.get_mut();
            if !self.text.skip_to_tag(rest, self.keep.limit(), is_last) {
                let used = chunk.len() - rest.len();
                return match is_last {
                    true => Walked::All,
                    false => Walked::UpTo(used),
                };
            }
            let used = chunk.len() - rest.len();
            if let Some(end) = self.case_tag(chunk.get(used..).unwrap_or_default()) {
                *rest = end.rest.as_bytes();
                continue;
            }
            match reader.read_event() {
                Ok(Event::Empty(tag)) => {
                    self.end_text();
                    self.empty(&tag);
                    self.closed |= self.depth == 0;
                }
                Ok(Event::Start(tag)) => {
                    self.end_text();
                    self.keep = self.start(&tag);
                    self.depth += 1;
                }
                Ok(Event::End(tag)) => {
                    self.end_text();
                    self.end(tag.local_name().into_inner());
                    let Some(depth) = self.depth.checked_sub(1) else {
                        return Walked::IllFormed;
                    };
                    self.depth = depth;
                    self.closed |= depth == 0;
                }
                Ok(_) => {}
                Err(quick_xml::Error::Syntax(_)) if !is_last => return Walked::UpTo(used),
                Err(_) => return Walked::IllFormed,
            }
        }
    }

    /// Puts the text before a tag where it belongs.
    fn end_text(&mut self) {
        let into = match std::mem::take(&mut self.keep) {
            Keep::Nothing => return,
            Keep::Failure => &mut self.failure.text,
            Keep::Output => &mut self.case.output,
        };
        let text = self.text.end();
        into.push_str(text);
        text.clear();
    }

    fn empty(&mut self, tag: &BytesStart<'_>) {
        self.start(tag);
        self.end(tag.local_name().into_inner());
    }

    /// Takes the tag of a test case, if that is what a text begins with.
    fn case_tag<'a>(&mut self, text: &'a str) -> Option<TagEnd<'a>> {
        if self.in_case || self.keep != Keep::Nothing {
            return None;
        }
        let end = TagEnd::of_case(text, &mut self.case)?;
        self.begin_case();
        if end.is_empty {
            self.end_case();
            self.closed |= self.depth == 0;
        } else {
            self.depth += 1;
        }
        Some(end)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Keep {
        self.anything = true;
        match tag.local_name().into_inner() {
            "testcase" => {
                self.case.begin(&mut Attributes::of(tag.attributes_raw()));
                self.begin_case();
            }
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
        self.in_case
            && self.retries == 0
            && self.dialect.is_some_and(|dialect| dialect.wants_output)
    }

    fn start_suite(&mut self, tag: &BytesStart<'_>) {
        self.seen = true;
        let mut suite = Suite {
            is_root: self.suites.is_empty() && tag.local_name().into_inner() == "testsuites",
            ..Suite::default()
        };
        for attribute in Attributes::of(tag.attributes_raw()) {
            suite.attributes += 1;
            match attribute.key {
                "name" => set(&mut suite.name, attribute),
                "file" | "filepath" => set(&mut suite.file, attribute),
                "disabled" => suite.has_disabled = true,
                _ => {}
            }
        }
        if self.dialect.is_none() {
            self.dialect = Dialect::of_suite(&suite);
        }
        self.suites.push(suite);
    }

    fn begin_case(&mut self) {
        self.in_case = true;
        self.anything = true;
        self.seen = true;
        self.retries = 0;
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
        for attribute in Attributes::of(tag.attributes_raw()) {
            match attribute.key {
                "type" => set(&mut self.failure.kind, attribute),
                // Escapes take up to ten bytes a character.
                "message" => set(&mut self.failure.message, attribute.cut(MESSAGE_BYTES * 10)),
                _ => {}
            }
        }
        Keep::Failure
    }

    fn end(&mut self, name: &str) {
        match name {
            "testcase" if self.in_case => self.end_case(),
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
            let dialect = self.dialect.unwrap_or(&OTHER);
            dialect.take_suite(&mut self.collector, suite, &failure);
        }
    }

    fn end_case(&mut self) {
        self.in_case = false;
        let dialect = self.dialect.unwrap_or(&OTHER);
        if !self.case.failures.is_empty()
            && let Some(suite) = self.suites.last_mut()
        {
            suite.failed_cases += 1;
        }
        let (case, suites) = (&self.case, &self.suites);
        dialect.take(&mut self.collector, &mut self.ids, case, suites);
    }

    fn finish(mut self, whole: bool) -> Result<Report, ReadError> {
        self.end_text();
        if self.anything && !self.seen {
            return Err(ReadError::OtherFormat);
        }
        if !self.anything && !whole {
            return Err(ReadError::OtherFormat);
        }
        if self.in_case {
            self.collector.unfinished(self.case.name);
        }
        self.collector.ended(whole && self.closed && self.seen);
        let mut report = self.collector.finish();
        if let Some(dialect) = self.dialect {
            (dialect.finish)(&mut report);
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests;
