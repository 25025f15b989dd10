//! Builds a [`Report`]: messages bounded, several channels joined.

use std::collections::{HashMap, HashSet};

use super::load_words;
use super::unique::tell_apart;
use crate::rules::verdict::{Cause, TestStatus};
use crate::rules::verdict::{LoadError, Report, TestCase};

/// How many bytes of one failure are kept.
pub(crate) const MESSAGE_BYTES: usize = 1_200;
/// How many bytes of one failure are kept once all of them together took [`ALL_MESSAGES`].
const SHORT_MESSAGE_BYTES: usize = 160;
const ALL_MESSAGES: usize = 4_000_000;

/// How many bytes of what is told of something that could not be loaded are looked at.
const ALL_WORDS: usize = 8_000;

/// How one test ended, as a format's reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Skipped,
    Failed(Cause),
    /// Failed in a way that proves nothing about what it tests.
    Inconclusive,
}

impl Outcome {
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Outcome::Failed(_) | Outcome::Inconclusive)
    }

    /// Of two failures of one test the one that tells more.
    pub(crate) fn stronger(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Failed(one), Outcome::Failed(other)) => Outcome::Failed(one.max(other)),
            (Outcome::Failed(_), _) => self,
            _ => other,
        }
    }
}

/// What a text tells: a report, and whether its counts and its names disagree. The text of a runner may
/// have names that a reader does not find, so that this is no doubt about another channel.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) report: Report,
    pub(crate) miscount: Option<String>,
    /// The runner ended well, but the text does not say whether a test ran.
    is_silent: bool,
}

impl Told {
    /// The text of a runner that ended well and said nothing more.
    pub(crate) fn silent() -> Told {
        Told {
            is_silent: true,
            ..Told::default()
        }
    }

    /// The text as the only channel; none if only the exit status can tell.
    pub(crate) fn alone(self) -> Option<Report> {
        let mut report = self.report;
        tell_apart(&mut report);
        report.contradiction = report.contradiction.or(self.miscount);
        (!self.is_silent).then_some(report)
    }
}

impl Told {
    /// Two runners that worked for one command.
    pub(crate) fn and(self, other: Told) -> Told {
        let mut both = Collector::default();
        both.ended(true);
        for told in [&self, &other].into_iter().filter(|told| !told.is_silent) {
            both.merge(told.report.clone());
        }
        Told {
            report: both.finish(),
            miscount: self.miscount.or(other.miscount),
            is_silent: self.is_silent && other.is_silent,
        }
    }
}

impl From<Report> for Told {
    fn from(report: Report) -> Told {
        Told {
            report,
            ..Told::default()
        }
    }
}

/// Collects what a reader finds.
#[derive(Default)]
pub(crate) struct Collector {
    report: Report,
    message_bytes: usize,
    miscount: Option<String>,
}

impl Collector {
    /// Takes a test that ended.
    pub(crate) fn test(&mut self, id: &str, file: Option<&str>, outcome: Outcome, message: &str) {
        let (status, inconclusive) = match outcome {
            Outcome::Passed => (TestStatus::Passed, false),
            Outcome::Skipped => (TestStatus::Skipped, false),
            Outcome::Failed(cause) => (TestStatus::Failed(cause), false),
            Outcome::Inconclusive => (TestStatus::Failed(Cause::Error), true),
        };
        let message = match status {
            TestStatus::Failed(_) => self.bounded(message),
            TestStatus::Passed | TestStatus::Skipped => "",
        };
        self.push(TestCase {
            id,
            file,
            status,
            inconclusive,
            message,
        });
    }

    /// Takes a test that ended, and the line of its file where it failed.
    pub(crate) fn test_at(
        &mut self,
        id: &str,
        place: Option<(&str, u32)>,
        file: Option<&str>,
        outcome: Outcome,
        message: &str,
    ) {
        match place.filter(|_| outcome.is_failure()) {
            Some((at, line)) => {
                let message = cut(message.trim_end(), MESSAGE_BYTES - 200);
                let message = format!("{message}\n{}", placed(at, line));
                self.test(id, file, outcome, &message);
            }
            None => self.test(id, file, outcome, message),
        }
    }

    /// Takes a test read before.
    pub(crate) fn push(&mut self, test: TestCase<'_>) {
        self.report.tests.push(test);
    }

    /// The test taken last.
    pub(crate) fn last(&self) -> Option<TestCase<'_>> {
        self.report.tests.last()
    }

    /// Says that the test taken last failed after all, in a way that proves nothing.
    pub(crate) fn last_is_inconclusive(&mut self, message: &str) {
        if let Some(last) = self.report.tests.len().checked_sub(1) {
            let status = TestStatus::Failed(Cause::Error);
            self.report.tests.set_outcome(last, status, true);
            self.report.tests.set_message(last, message);
        }
    }

    /// Whether any test was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.report.tests.is_empty()
    }

    /// Takes a file or suite that could not be loaded; a second word on the same one is dropped.
    pub(crate) fn load_error(&mut self, what: impl Into<String>, message: &str) {
        self.load_error_told(what, message, message);
    }

    /// The same, where more is told than is to be shown.
    pub(crate) fn load_error_told(&mut self, what: impl Into<String>, message: &str, all: &str) {
        let what = what.into();
        if self
            .report
            .load_errors
            .iter()
            .any(|known| known.what == what)
        {
            return;
        }
        let message = self.bounded(message).to_owned();
        let mut error = LoadError {
            what,
            message,
            ..LoadError::default()
        };
        load_words::explain(&mut error, cut(all, ALL_WORDS));
        self.report.load_errors.push(error);
    }

    /// Takes one that was read before.
    fn known_load_error(&mut self, error: LoadError) {
        let known = &mut self.report.load_errors;
        if known.iter().all(|one| one.what != error.what) {
            known.push(error);
        }
    }

    /// Takes passed tests that have no name.
    pub(crate) fn unnamed_passed(&mut self, count: usize) {
        self.report.unnamed_passed = self.report.unnamed_passed.saturating_add(count);
    }

    /// Takes a test that began and never ended.
    pub(crate) fn unfinished(&mut self, id: impl Into<String>) {
        self.report.unfinished.push(id.into());
    }

    /// Takes a test that the run never came to.
    pub(crate) fn unknown(&mut self, id: impl Into<String>) {
        self.report.unknown.push(id.into());
        self.report.cut_off = true;
    }

    /// Tests may be missing that nobody named.
    pub(crate) fn cut_off(&mut self) {
        self.report.cut_off = true;
    }

    /// The run ended by itself.
    pub(crate) fn ended(&mut self, ended: bool) {
        self.report.ended = ended;
    }

    /// The channel says that it is not to be believed; the first word stays.
    pub(crate) fn contradiction(&mut self, why: impl Into<String>) {
        if self.report.contradiction.is_none() {
            let why = why.into();
            self.report.contradiction = Some(cut(&why, MESSAGE_BYTES).to_owned());
        }
    }

    /// Takes all of another report of the same run.
    pub(crate) fn merge(&mut self, other: Report) {
        if self.report.tests.is_empty() {
            self.report.tests = other.tests;
        } else {
            self.report.tests.extend(other.tests.iter());
        }
        for error in other.load_errors {
            self.known_load_error(error);
        }
        self.report.unfinished.extend(other.unfinished);
        self.report.unknown.extend(other.unknown);
        self.report.cut_off |= other.cut_off;
        self.report.unnamed_passed += other.unnamed_passed;
        self.report.ended &= other.ended;
        if let Some(why) = other.contradiction {
            self.contradiction(why);
        }
    }

    /// Gives every test an id of its own.
    pub(crate) fn tell_apart(&mut self) {
        tell_apart(&mut self.report);
    }

    /// Adds what only the output tells. It may be forged, so it can make a run worse, never better.
    pub(crate) fn add_text(&mut self, mut text: Report, is_complete: bool) {
        self.explain(&text.load_errors);
        if is_complete && self.report.ended {
            return;
        }
        tell_apart(&mut text);
        let failures = |report: &Report| {
            report
                .tests
                .iter()
                .filter(|test| matches!(test.status, TestStatus::Failed(_)))
                .count()
        };
        if failures(&self.report) == 0 && failures(&text) > 0 {
            self.contradiction("the output tells of failures that the report does not have");
        }
        // A crash or a time-out that the report gives as a plain failure.
        let doubtful: HashSet<&str> = text
            .tests
            .iter()
            .filter(|test| test.inconclusive)
            .map(|test| test.id)
            .collect();
        for at in 0..self.report.tests.len() {
            let is_doubtful = self.report.tests.get(at).is_some_and(|test| {
                matches!(test.status, TestStatus::Failed(_)) && doubtful.contains(test.id)
            });
            if is_doubtful {
                let status = TestStatus::Failed(Cause::Error);
                self.report.tests.set_outcome(at, status, true);
            }
        }
        self.explain_failures(&text);
        for error in text.load_errors {
            self.known_load_error(error);
        }
        self.report.unfinished.extend(text.unfinished);
        self.report.cut_off |= text.cut_off;
        if let Some(why) = text.contradiction {
            self.contradiction(why);
        }
    }

    /// Takes the words for failures from the output, where the report has none.
    fn explain_failures(&mut self, text: &Report) {
        let told: HashMap<&str, &str> = (text.tests.iter())
            .filter(|test| !test.message.is_empty())
            .map(|test| (test.id, test.message))
            .collect();
        for at in 0..self.report.tests.len() {
            let silent = self.report.tests.get(at).filter(|test| {
                test.message.is_empty() && matches!(test.status, TestStatus::Failed(_))
            });
            if let Some(words) = silent.and_then(|test| told.get(test.id)) {
                self.report.tests.set_message(at, words);
            }
        }
    }

    /// Takes the words for what could not be loaded from the output, where the report has none.
    fn explain(&mut self, told: &[LoadError]) {
        let silent = self.report.load_errors.iter_mut();
        for error in silent.filter(|error| error.message.is_empty()) {
            if let Some(told) = told.iter().find(|told| told.what == error.what) {
                error.clone_from(told);
            }
        }
    }

    /// The text of a runner counts other tests than it names.
    pub(crate) fn miscounts(&mut self, runner: &str) {
        self.miscount
            .get_or_insert_with(|| format!("{runner} counts other tests than it names"));
    }

    /// Whether something could not be loaded.
    pub(crate) fn has_load_errors(&self) -> bool {
        !self.report.load_errors.is_empty()
    }

    /// Whether a test failed.
    pub(crate) fn has_failures(&self) -> bool {
        let mut tests = self.report.tests.iter();
        tests.any(|test| matches!(test.status, TestStatus::Failed(_)))
    }

    /// What was collected from a text.
    pub(crate) fn finish_text(mut self) -> Told {
        Told {
            miscount: self.miscount.take(),
            report: self.finish(),
            is_silent: false,
        }
    }

    /// What was collected.
    pub(crate) fn finish(self) -> Report {
        self.report
    }

    fn bounded<'a>(&mut self, message: &'a str) -> &'a str {
        let limit = if self.message_bytes < ALL_MESSAGES {
            MESSAGE_BYTES
        } else {
            SHORT_MESSAGE_BYTES
        };
        let message = cut(message.trim_matches(['\n', '\r', ' ']), limit).trim_end();
        self.message_bytes += message.len();
        message
    }
}

/// Tests that failed, with the words for the first failure of each, where a text may tell of several.
#[derive(Default)]
pub(crate) struct Failing<'a>(Vec<Failed<'a>>);

struct Failed<'a> {
    id: String,
    outcome: Outcome,
    words: String,
    at: Option<(&'a str, u32)>,
}

impl<'a> Failing<'a> {
    /// Takes a failure of a test, and its place.
    pub(crate) fn add(
        &mut self,
        id: &str,
        outcome: Outcome,
        words: String,
        at: Option<(&'a str, u32)>,
    ) {
        match self.0.iter_mut().find(|known| known.id == id) {
            Some(known) => known.outcome = known.outcome.stronger(outcome),
            None => self.0.push(Failed {
                id: id.to_owned(),
                outcome,
                words,
                at,
            }),
        }
    }

    /// Hands them over, and says how many they are.
    pub(crate) fn told_to(self, collector: &mut Collector) -> usize {
        for one in &self.0 {
            let file = one.at.map(|(file, _)| file);
            collector.test_at(&one.id, one.at, file, one.outcome, &one.words);
        }
        self.0.len()
    }
}

/// The last line of a message that says where its test failed, as [`super::quote`] reads it.
pub(crate) fn placed(file: &str, line: u32) -> String {
    format!("    at {file}:{line}")
}

/// At most `limit` bytes of a text, cut between characters.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_bounded_one_by_one_and_together() {
        let mut collector = Collector::default();
        let long = "é".repeat(MESSAGE_BYTES);
        for n in 0..4_000 {
            collector.test(&format!("{n}"), None, Outcome::Inconclusive, &long);
        }
        let report = collector.finish();
        assert_eq!(
            report.tests.get(0).expect("a test").message.len(),
            MESSAGE_BYTES
        );
        assert_eq!(
            report.tests.get(3_999).expect("a test").message.len(),
            SHORT_MESSAGE_BYTES
        );
    }

    #[test]
    fn a_crash_that_only_the_output_tells_is_no_failing_test() {
        let mut collector = Collector::default();
        collector.test("a", None, Outcome::Failed(Cause::Assertion), "");
        collector.test("b", None, Outcome::Failed(Cause::Assertion), "");
        let mut text = Collector::default();
        text.test("a", None, Outcome::Inconclusive, "");
        collector.add_text(text.finish(), false);
        let doubtful: Vec<bool> = collector
            .finish()
            .tests
            .iter()
            .map(|test| test.inconclusive)
            .collect();
        assert_eq!(doubtful, [true, false]);
    }
}
