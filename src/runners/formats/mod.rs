//! What a test run's reports and its output say: the tongues that several runners speak, and what the
//! readers of all of them share.
//!
//! Every reader streams, keeps no more than the tests and the first lines of their failures, and takes
//! any input: what cannot be read gives an error or a report that has not ended, never a pass.

use std::io::{self, BufRead};

use crate::rules::verdict::{Report, TestCase};

use super::{RUNNERS, Runner};
use collect::Collector;
pub(crate) use collect::Told;

pub(crate) mod cause;
pub(crate) mod collect;
mod file_format;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod lines;
mod load_words;
pub(crate) mod nothing_ran;
pub(crate) mod places;
mod quote;
mod sniff;
pub(crate) mod source;
pub(crate) mod tap;
pub(crate) mod text;
pub(crate) mod unique;

pub use file_format::format_of_file;
pub use quote::{failures, settle_load_errors};
pub use sniff::sniff_text;
pub(crate) use text::plain;
pub use unique::tell_apart;

/// A machine-readable format.
pub struct Format {
    /// What it is called.
    pub name: &'static str,
    /// Reads it. Formats that do not say whose they are get the name of the test script.
    pub(crate) read: fn(&str, &mut dyn BufRead) -> Result<Report, ReadError>,
    /// Whether the format tells all there is to tell, so that the output adds nothing to a report that has
    /// ended. Others leave out files that could not be loaded, errors outside of tests, runs that were cut
    /// short or overwritten by a later one.
    pub(crate) is_complete: bool,
    /// What a document in it has, if it is JSON.
    pub(crate) keys: &'static [&'static str],
}

impl Format {
    /// One that does not tell all.
    pub(crate) const fn of(
        name: &'static str,
        read: fn(&str, &mut dyn BufRead) -> Result<Report, ReadError>,
    ) -> Format {
        Format {
            name,
            read,
            is_complete: false,
            keys: &[],
        }
    }

    /// One that tells all, such as that of a reporter of ours.
    pub(crate) const fn own(
        name: &'static str,
        read: fn(&str, &mut dyn BufRead) -> Result<Report, ReadError>,
    ) -> Format {
        Format {
            is_complete: true,
            ..Format::of(name, read)
        }
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A name is that of one format.
impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

/// Every format that a report may have: the shared ones, and those of the runners.
pub(crate) fn formats() -> impl Iterator<Item = &'static Format> {
    let shared = [&junit::XML, &tap::TAP, &json::SMALL];
    let own = RUNNERS.iter().flat_map(|runner| {
        let reports = runner.reports.iter().map(|(_, format)| *format);
        reports.chain(runner.documents.iter().copied())
    });
    shared.into_iter().chain(own)
}

/// Why a report could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Reading failed.
    #[error("the test report could not be read: {0}")]
    Io(#[source] io::Error),
    /// It is something else.
    #[error("the test report is not in the expected format")]
    OtherFormat,
}

/// Reads a report that names its tests by itself. Names may come again: see [`tell_apart`].
pub fn read(format: &Format, input: &mut dyn BufRead) -> Result<Report, ReadError> {
    (format.read)("", input)
}

/// What the output of a runner says, for want of a report; none if it is not this runner's output.
pub fn read_text(runner: &Runner, output: &str) -> Option<Report> {
    (runner.read_text)(&text::plain(output)).and_then(Told::alone)
}

/// A report that was read, or could not be.
pub(crate) type Reading = (&'static Format, Result<Report, ReadError>);

/// Joins what is known of one run: its reports, one per process or file, and the output of the runners
/// that worked in it.
///
/// A report that could not be read counts as one that has not ended. The output adds what a format is
/// known to leave out, and is all there is if there is no report. `expected` says that a report was
/// asked for: a run that left neither one nor a readable output has not ended. None if nothing is known.
/// Every test has an id of its own in the end.
pub(crate) fn combine(
    reports: Vec<Reading>,
    runners: &[&Runner],
    output: &str,
    expected: bool,
) -> Option<Report> {
    let output = text::plain(output);
    let told = (runners.iter())
        .filter_map(|runner| (runner.read_text)(&output))
        .reduce(Told::and);
    if reports.is_empty() {
        return match told {
            Some(told) => told.alone(),
            None => expected.then(Report::default),
        };
    }
    let is_complete = reports.iter().all(|(format, _)| format.is_complete);
    let mut all = Collector::default();
    all.ended(true);
    for (_, report) in reports {
        match report {
            Ok(report) => all.merge(report),
            Err(error) => {
                all.contradiction(error.to_string());
                all.ended(false);
            }
        }
    }
    all.tell_apart();
    if let Some(told) = told {
        all.add_text(told.report, is_complete);
    }
    Some(all.finish())
}

/// Makes paths in ids relative to the directory that the tests ran in.
pub fn relative_to(report: &mut Report, root: &str) {
    let root = root.trim_end_matches('/');
    let is_long = |text| shortened(text, root).is_some();
    if (report.tests.iter()).any(|test| is_long(test.id) || test.file.is_some_and(is_long)) {
        report.tests = (report.tests.iter())
            .map(|test| TestCase {
                id: shortened(test.id, root).unwrap_or(test.id),
                file: test.file.map(|file| shortened(file, root).unwrap_or(file)),
                ..test
            })
            .collect();
    }
    let errors = report.load_errors.iter_mut().map(|error| &mut error.what);
    let untold = report.unfinished.iter_mut().chain(&mut report.unknown);
    for text in errors.chain(untold) {
        if let Some(rest) = shortened(text, root) {
            *text = rest.to_owned();
        }
    }
}

pub(crate) fn shortened<'a>(text: &'a str, root: &str) -> Option<&'a str> {
    let path = text.strip_prefix("file://").unwrap_or(text);
    path.strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
        .or_else(|| path.strip_prefix("./"))
}

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod properties_tests;
