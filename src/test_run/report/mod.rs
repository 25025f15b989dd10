//! What a test run's reports and its output say, format by format.
//!
//! Every reader streams, keeps no more than the tests and the first lines of their failures, and takes
//! any input: what cannot be read gives an error or a report that has not ended, never a pass.

use std::io::{self, BufRead};

use crate::rules::verdict::{Report, TestCase};

use collect::{Collector, Told};
use libtest::Harness;

mod bats;
mod bun;
mod cause;
mod collect;
mod ctest;
mod deno;
mod exunit;
mod file_format;
mod fixtures;
mod go;
mod gtest;
mod jest;
mod json;
mod junit;
mod jvm;
mod libtest;
mod load_words;
mod minitest;
mod mocha;
mod nextest;
mod node_test;
mod php;
mod phpunit;
mod prove;
mod pytest;
mod quote;
mod rspec;
mod rust;
mod sniff;
mod source;
mod tap;
mod text;
mod unique;
mod unittest;
mod vitest;

pub use file_format::format_of_file;
pub use fixtures::settle_fixtures;
pub use libtest::with_rooted_cargo_headers;
pub use quote::{failures, settle_load_errors};
pub use rust::{settle_example_names, settle_rust_causes};
pub use sniff::sniff_text;
pub(super) use text::plain;
pub use unique::tell_apart;

/// A machine-readable format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The lines of our pytest plugin.
    PytestJsonl,
    /// The lines of our hook for `unittest`.
    UnittestJsonl,
    /// The lines of our vitest reporter.
    VitestJsonl,
    /// The lines of our Jest reporter.
    JestJsonl,
    /// What `jest --json` and vitest's `json` reporter write.
    JestJson,
    /// The lines of our reporter for `node --test`.
    NodeTestJsonl,
    /// The lines of our hook for mocha.
    MochaJsonl,
    /// What mocha's `json` reporter writes.
    MochaJson,
    /// What a Rust test binary writes with `--logfile`; named after the binary.
    LibtestLog,
    /// What a Rust test binary writes with `--format json`.
    LibtestJson,
    /// What nextest writes with `--message-format libtest-json-plus`.
    NextestJson,
    /// What `go test -json` writes.
    GoJson,
    /// JUnit XML of any runner.
    JunitXml,
    /// What RSpec's `json` formatter writes.
    RspecJson,
    /// The lines of our minitest reporter.
    MinitestJsonl,
    /// The lines of our ExUnit formatter.
    ExunitJsonl,
    /// What GoogleTest writes with `--gtest_output=json`.
    GtestJson,
    /// The Test Anything Protocol; named after the test script, if there is one.
    Tap,
    /// `{passed, failed, timestamp, total, duration}`, as small reporters write it.
    ReporterJson,
}

/// A test runner, as its output shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the name of a program")]
pub enum Runner {
    Pytest,
    Unittest,
    Vitest,
    Jest,
    Mocha,
    NodeTest,
    Bun,
    Deno,
    CargoTest,
    Nextest,
    GoTest,
    PhpUnit,
    Rspec,
    Minitest,
    Surefire,
    Gradle,
    Exunit,
    CTest,
    GTest,
    Bats,
    Prove,
    /// Anything that prints TAP.
    Tap,
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
pub fn read(format: Format, input: &mut dyn BufRead) -> Result<Report, ReadError> {
    read_named(format, "", input)
}

/// Reads the report of the test script or test binary `name`, for formats that do not say whose it is.
pub fn read_named(
    format: Format,
    name: &str,
    input: &mut dyn BufRead,
) -> Result<Report, ReadError> {
    match format {
        Format::PytestJsonl => pytest::read(input),
        Format::UnittestJsonl => unittest::read(input),
        Format::VitestJsonl => vitest::read(input),
        Format::JestJsonl => jest::read(input),
        Format::JestJson => jest::document::read(input),
        Format::NodeTestJsonl => node_test::read(input),
        Format::MochaJsonl => mocha::read(input),
        Format::MochaJson => mocha::read_json(input),
        Format::LibtestLog => libtest::read_log(name, input),
        Format::LibtestJson => libtest::read_json(Harness::Libtest, input),
        Format::NextestJson => libtest::read_json(Harness::Nextest, input),
        Format::GoJson => go::read(input),
        Format::JunitXml => junit::read(input),
        Format::RspecJson => rspec::read(input),
        Format::MinitestJsonl => minitest::read(input),
        Format::ExunitJsonl => exunit::read(input),
        Format::GtestJson => gtest::read(input),
        Format::Tap => tap::read(name, input),
        Format::ReporterJson => json::read_small(input),
    }
}

/// What the output of a runner says, for want of a report; none if it is not this runner's output.
pub fn read_text(runner: Runner, output: &str) -> Option<Report> {
    tell(runner, &text::plain(output)).and_then(Told::alone)
}

fn tell(runner: Runner, output: &str) -> Option<Told> {
    match runner {
        Runner::Pytest => pytest::read_text(output),
        Runner::Unittest => unittest::read_text(output),
        Runner::Vitest => vitest::read_text(output),
        Runner::Jest => jest::read_text(output),
        Runner::Mocha => mocha::read_text(output),
        Runner::NodeTest => node_test::read_text(output).or_else(|| tell(Runner::Tap, output)),
        Runner::Bun => bun::read_text(output),
        Runner::Deno => deno::read_text(output),
        Runner::CargoTest => libtest::CargoText::read(output).map(|cargo| cargo.report()),
        Runner::Nextest => nextest::read_text(output),
        Runner::GoTest => go::read_text(output),
        Runner::PhpUnit => phpunit::read_text(output),
        Runner::Rspec => rspec::read_text(output),
        Runner::Minitest => minitest::read_text(output),
        Runner::Surefire => jvm::read_maven(output),
        Runner::Gradle => jvm::read_gradle(output),
        Runner::Exunit => exunit::read_text(output),
        Runner::CTest => ctest::read_text(output),
        Runner::GTest => gtest::read_text(output),
        Runner::Prove => prove::read_text(output),
        Runner::Bats | Runner::Tap => {
            let has_plan = output.lines().any(tap::is_telling);
            let report = tap::read("", &mut output.as_bytes()).ok();
            report.filter(|_| has_plan).map(Told::from)
        }
    }
}

/// Joins what is known of one run: its reports, one per process or file, and the output of the runners
/// that worked in it.
///
/// A report that could not be read counts as one that has not ended. The output adds what a format is
/// known to leave out, and is all there is if there is no report. `expected` says that a report was
/// asked for: a run that left neither one nor a readable output has not ended. None if nothing is known.
/// Every test has an id of its own in the end.
pub fn combine(
    reports: Vec<(Format, Result<Report, ReadError>)>,
    runners: &[Runner],
    output: &str,
    expected: bool,
) -> Option<Report> {
    let output = text::plain(output);
    let mut told: Option<Told> = None;
    for more in runners.iter().filter_map(|runner| tell(*runner, &output)) {
        told = Some(match told {
            Some(known) => known.and(more),
            None => more,
        });
    }
    if reports.is_empty() {
        return match told {
            Some(told) => told.alone(),
            None => expected.then(Report::default),
        };
    }
    let is_complete = reports.iter().all(|(format, _)| format.is_complete());
    let mut all = Collector::default();
    all.ended(true);
    let mut logs = Vec::new();
    for (format, report) in reports {
        match report {
            Ok(report) if format == Format::LibtestLog => logs.push(report),
            Ok(report) if format == Format::LibtestJson => {
                all.merge(libtest::with_cargo_names(report, &output));
            }
            Ok(report) => all.merge(report),
            Err(error) => {
                all.contradiction(error.to_string());
                all.ended(false);
            }
        }
    }
    if !logs.is_empty() {
        all.merge(libtest::with_cargo_text(logs, &output));
    }
    all.tell_apart();
    if let Some(told) = told {
        all.add_text(told.report, is_complete);
    }
    Some(all.finish())
}

impl Format {
    /// Whether the format tells all there is to tell, so that the output adds nothing to a report that has
    /// ended. Others leave out files that could not be loaded, errors outside of tests, runs that were cut
    /// short or overwritten by a later one.
    fn is_complete(self) -> bool {
        match self {
            Format::PytestJsonl
            | Format::UnittestJsonl
            | Format::VitestJsonl
            | Format::JestJsonl
            | Format::NodeTestJsonl
            | Format::MochaJsonl
            | Format::LibtestLog
            | Format::LibtestJson
            | Format::NextestJson
            | Format::GoJson
            | Format::RspecJson
            | Format::MinitestJsonl
            | Format::ExunitJsonl => true,
            Format::JestJson
            | Format::MochaJson
            | Format::JunitXml
            | Format::GtestJson
            | Format::Tap
            | Format::ReporterJson => false,
        }
    }
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

pub(super) fn shortened<'a>(text: &'a str, root: &str) -> Option<&'a str> {
    let path = text.strip_prefix("file://").unwrap_or(text);
    path.strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
        .or_else(|| path.strip_prefix("./"))
}

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod properties;
