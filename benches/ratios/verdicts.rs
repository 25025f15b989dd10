//! What it costs to know what a test run said.

use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write as _};
use std::time::{Duration, Instant};

use git_tcr::runners::formats::{format_of_file, read};

use crate::measure::{Ratio, Sides, medians};
use crate::world::{Checkout, World};

/// Prints the ratios of this part.
pub(crate) fn show(tests: usize, files: usize, rounds: usize, show: &mut dyn FnMut(Ratio)) {
    show(junit(tests, rounds));
    show(known_result(files, rounds));
    show(recognised(files, rounds));
}

/// Reading a report next to walking through the XML of the same file and doing nothing.
fn junit(tests: usize, rounds: usize) -> Ratio {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(report_of(tests).as_bytes()).expect("a file");
    let open = || {
        let file = File::open(file.path()).expect("a file");
        BufReader::with_capacity(64 << 10, file)
    };
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| {
                // The loop gives the memory back before it ends, so that counts too.
                let (found, time) = timed(|| {
                    let found = read(format_of_file(b"<"), &mut open());
                    found.expect("a report").tests.len()
                });
                assert_eq!(found, tests);
                time
            },
            yardstick: &mut |_| timed(|| walk(open())).1,
        },
    );
    let size = format!("{tests} tests");
    Ratio::new("JUnit report / quick-xml walk", &size, ours, yardstick, 1.5)
}

/// A tree that was tested before next to one whose test takes no time.
fn known_result(files: usize, rounds: usize) -> Ratio {
    const REPORT: &str = "printf '1..1\\nok 1 - a\\n'";
    let (known, unknown) = (World::generate_ours(files), World::generate_ours(files));
    known.seal_test_command(&REPORT.replace('\\', "\\\\"));
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| toggle(&known, round),
            yardstick: &mut |round| toggle(&unknown, round),
        },
    );
    let size = format!("{files} files");
    Ratio::new(
        "loop, result known / test is `true`",
        &size,
        ours,
        yardstick,
        1.0,
    )
}

/// A command that looks like a known runner's, found behind `make test`, next to one that does not. Both
/// print the same and end the same way, so that only recognising and asking for a report differ.
fn recognised(files: usize, rounds: usize) -> Ratio {
    const MAY_ADD: Duration = Duration::from_millis(5);
    let (runner, other) = (World::generate_ours(files), World::generate_ours(files));
    for (checkout, program) in [(&runner, "pytest"), (&other, "neither")] {
        checkout.add_program(program, "#!/bin/sh\necho '1 passed in 0.01s'\n");
        checkout.ignored("Makefile", &format!("test:\n\t@./{program}\n"));
        checkout.seal_test_command("make test");
    }
    let one = |checkout: &Checkout, round: usize| {
        checkout.change(round);
        checkout.timed_tcr(&["run"], 0)
    };
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| one(&runner, round),
            yardstick: &mut |round| one(&other, round),
        },
    );
    let allowed = (yardstick + MAY_ADD).as_secs_f64() / yardstick.as_secs_f64();
    let size = format!("{files} files");
    Ratio::new(
        "loop, runner recognised / unknown",
        &size,
        ours,
        yardstick,
        allowed,
    )
}

/// Two contents in turn: from the third time on each tree is an old one.
fn toggle(checkout: &Checkout, round: usize) -> Duration {
    checkout.set_first_file(round % 2);
    checkout.timed_tcr(&["run"], 0)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn walk(report: impl BufRead) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_reader(report);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).expect("XML") {
            Event::Eof => return,
            event => drop(black_box(event)),
        }
    }
}

fn report_of(tests: usize) -> String {
    const IN_A_SUITE: usize = 50;
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n");
    for number in 0..tests {
        let suite = number / IN_A_SUITE;
        if number % IN_A_SUITE == 0 {
            let _ = writeln!(
                xml,
                "<testsuite name=\"pytest\" errors=\"0\" failures=\"1\" skipped=\"0\" \
                 tests=\"{IN_A_SUITE}\" time=\"0.52\" timestamp=\"2026-01-01T00:00:00\">"
            );
        }
        let _ = write!(
            xml,
            "<testcase classname=\"tests.part{suite}.test_unit\" name=\"test_step_{number}\" \
             time=\"0.001\""
        );
        let _ = match number % IN_A_SUITE {
            7 => writeln!(
                xml,
                "><failure message=\"assert {number} == 0\">def test_step_{number}():\n\
                 &gt;   assert {number} == 0\nE   assert {number} == 0\n\n\
                 tests/part{suite}/test_unit.py:12: AssertionError</failure></testcase>"
            ),
            _ => writeln!(xml, " />"),
        };
        if number % IN_A_SUITE == IN_A_SUITE - 1 || number + 1 == tests {
            xml.push_str("</testsuite>\n");
        }
    }
    xml.push_str("</testsuites>\n");
    xml
}
