//! What a test run's reports and its output say, format by format.
//!
//! Every reader streams, keeps no more than the tests and the first lines of their failures, and takes
//! any input: what cannot be read gives an error or a report that has not ended, never a pass.

use std::io::{self, BufRead};

use crate::policy::judge::Report;

use collect::Collector;

mod bats;
mod cause;
mod collect;
mod gtest;
mod jest;
mod junit;
mod rust;
mod source;
mod tap;

pub use rust::{SourceLine, settle_rust_causes};

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

/// Reads a report that names its tests by itself.
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
        Format::JunitXml => junit::read(input),
        Format::Tap => tap::read(name, input),
        _ => Err(ReadError::OtherFormat),
    }
}

/// What the output of a runner says, for want of a report; none if it is not this runner's output.
pub fn read_text(_runner: Runner, output: &str) -> Option<Report> {
    read(Format::Tap, &mut output.as_bytes())
        .ok()
        .filter(|report| !report.tests.is_empty() || report.contradiction.is_some())
}

/// Whose output this looks like; more than one runner may have worked for one command.
pub fn sniff_text(output: &str) -> Vec<Runner> {
    if output
        .lines()
        .any(|l| l.starts_with("ok ") || l.starts_with("not ok ") || l.starts_with("Bail out!"))
    {
        vec![Runner::Prove]
    } else {
        Vec::new()
    }
}

/// Joins what was read of one run: its reports, one per process or file, and what its output says.
///
/// A report that could not be read counts as one that has not ended. The output adds to a report what the
/// format is known to leave out, and is all there is if there is no report; none if there is neither.
pub fn combine(
    reports: Vec<(Format, Result<Report, ReadError>)>,
    text: Option<Report>,
) -> Option<Report> {
    if reports.is_empty() {
        return text;
    }
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
    Some(all.finish())
}
