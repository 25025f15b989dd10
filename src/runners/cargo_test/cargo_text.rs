//! The text of `cargo test`, around that of the test binaries.

use std::sync::LazyLock;

use regex::Regex;

use super::block::{Block, take_line, without_hash};
use super::build_error::{PlacedError, build_error};
use super::named;
use crate::runners::formats::collect::{Collector, MESSAGE_BYTES, Outcome, Told};
use crate::runners::formats::text;

static RUNNING: LazyLock<Regex> =
    LazyLock::new(|| text::regex(r"^ +(?:Running (?:unittests )?(.+?) \((.+)\)|Doc-tests (.+))$"));

/// The text of `cargo test` with other names for the sources of test binaries: `rename` gets what cargo
/// says, as seen from a package, and the name of the binary.
pub(in crate::runners) fn with_rooted_cargo_headers(
    output: &str,
    rename: &mut dyn FnMut(&str, &str) -> Option<String>,
) -> String {
    let output = text::plain(output);
    let mut renamed = String::with_capacity(output.len());
    for line in output.split_inclusive('\n') {
        let header = RUNNING.captures(line.trim_end());
        let source = header.as_ref().and_then(|found| found.get(1));
        let binary = header.as_ref().and_then(|found| found.get(2));
        let new = source.zip(binary).and_then(|(source, binary)| {
            let name = rename(source.as_str(), without_hash(file_name(binary.as_str())))?;
            let (before, after) = (line.get(..source.start())?, line.get(source.end()..)?);
            Some([before, &name, after].concat())
        });
        renamed.push_str(new.as_deref().unwrap_or(line));
    }
    renamed
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The text of `cargo test`, block by block.
pub(in crate::runners) struct CargoText {
    blocks: Vec<Block>,
    build_error: Option<String>,
    /// How a test binary died.
    death: Option<String>,
    /// A target that failed stopped those after it.
    stopped: bool,
}

impl CargoText {
    /// Reads the text; none if cargo did not print it.
    pub(in crate::runners) fn read(output: &str) -> Option<CargoText> {
        static ANNOUNCED: LazyLock<Regex> =
            LazyLock::new(|| text::regex(r"^running (\d+) tests?$"));
        static RESULT: LazyLock<Regex> = LazyLock::new(|| {
            text::regex(r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;")
        });
        static PRINTED: LazyLock<Regex> =
            LazyLock::new(|| text::regex(r"^---- (.+?) std(?:out|err) ----$"));
        static LISTED: LazyLock<Regex> =
            LazyLock::new(|| text::regex(r"^error: \d+ targets? failed:$"));
        let mut cargo = CargoText {
            blocks: Vec::new(),
            build_error: None,
            death: None,
            stopped: false,
        };
        let mut placed = PlacedError::default();
        let mut printing: Option<String> = None;
        let mut waiting: Option<String> = None;
        let mut in_failures = false;
        let mut is_ours = false;
        for line in output.lines() {
            if let Some(found) = RUNNING.captures(line) {
                is_ours = true;
                let source = found.get(1).map_or_else(
                    || format!("doc {}", found.get(3).map_or("", |name| name.as_str())),
                    |path| path.as_str().to_owned(),
                );
                cargo.blocks.push(Block {
                    source,
                    ..Block::default()
                });
                (printing, waiting, in_failures) = (None, None, false);
                continue;
            }
            if let Some(error) = build_error(line) {
                is_ours = true;
                cargo.build_error.get_or_insert_with(|| error.to_owned());
            }
            placed.take(line);
            if line.contains("process didn't exit successfully: ") {
                is_ours = true;
                let signal = line
                    .split_once('(')
                    .map_or("", |(_, why)| why.trim_end_matches(')'));
                // The plain failure of a test binary has no more to say than its tests.
                if !signal.starts_with("exit status: 101") && !signal.is_empty() {
                    cargo.death.get_or_insert_with(|| {
                        format!("a test binary did not end by itself ({signal})")
                    });
                }
            }
            if let Some(found) = ANNOUNCED.captures(line) {
                is_ours = true;
                let count = found[1].parse().ok();
                match cargo.blocks.last_mut() {
                    Some(block) if block.announced.is_none() => block.announced = count,
                    // No header: quiet, or on a stream that was not kept.
                    _ => cargo.blocks.push(Block {
                        announced: count,
                        ..Block::default()
                    }),
                }
                (printing, waiting, in_failures) = (None, None, false);
                continue;
            }
            let Some(block) = cargo.blocks.last_mut() else {
                continue;
            };
            if line.starts_with("error: test failed, ") {
                block.failed = true;
                cargo.stopped = true;
            }
            // What failed is listed at the end of a run that was let go on.
            if LISTED.is_match(line) {
                cargo.stopped = false;
            }
            if let Some(found) = RESULT.captures(line) {
                let count = |at: usize| found[at].parse().unwrap_or(0);
                block.result = Some((count(1), count(2), count(3)));
                (printing, waiting) = (None, None);
            } else if let Some(found) = PRINTED.captures(line) {
                in_failures = true;
                printing = Some(found[1].to_owned());
            } else if line == "failures:" {
                in_failures = true;
                printing = None;
            } else if let Some(name) = &printing {
                let printed = block.printed.entry(name.clone()).or_default();
                if printed.len() < MESSAGE_BYTES * 2 {
                    printed.push_str(line);
                    printed.push('\n');
                }
            } else if !in_failures {
                take_line(block, &mut waiting, line);
            }
        }
        if cargo.build_error.is_some() && placed.error.is_some() {
            cargo.build_error = placed.error;
        }
        is_ours.then_some(cargo)
    }

    /// The report of the text alone.
    pub(in crate::runners) fn report(&self) -> Told {
        let mut collector = Collector::default();
        self.take_build_error(&mut collector);
        let mut ended = !self.blocks.is_empty();
        let is_whole = self.is_whole();
        for block in &self.blocks {
            if is_whole && block.has_other_harness() {
                let outcome = match block.failed {
                    true => Outcome::Inconclusive,
                    false => Outcome::Passed,
                };
                collector.test(&block.source, block.file(), outcome, "");
                continue;
            }
            let mut seen = text::Scan::default();
            for (name, outcome) in &block.tests {
                match outcome {
                    Outcome::Passed => seen.passed += 1,
                    Outcome::Skipped => seen.skipped += 1,
                    _ => seen.failed += 1,
                }
                let (outcome, message) = block.told(name, *outcome);
                collector.test(&named(&block.source, name), block.file(), outcome, message);
            }
            let Some((passed, failed, ignored)) = block.result else {
                ended = false;
                continue;
            };
            let counted = passed + failed + ignored;
            if seen.failed != failed
                || seen.passed > passed
                || block
                    .announced
                    .is_some_and(|announced| announced != counted)
            {
                collector.miscounts("cargo test");
            }
            collector.unnamed_passed(passed.saturating_sub(seen.passed));
        }
        collector.ended(ended && self.death.is_none());
        self.take_end(&mut collector);
        collector.finish_text()
    }

    /// Whether what the binaries print is there, each below the header of its own.
    fn is_whole(&self) -> bool {
        let mut announced = (self.blocks.iter()).filter(|block| block.announced.is_some());
        announced.clone().count() > 0 && announced.all(|block| !block.source.is_empty())
    }

    fn take_build_error(&self, collector: &mut Collector) {
        if let Some(error) = &self.build_error {
            collector.load_error("", error);
        }
    }

    /// What died takes nothing from tests that failed before.
    fn take_end(&self, collector: &mut Collector) {
        if self.stopped || self.death.is_some() {
            collector.cut_off();
        }
        if let Some(why) = &self.death
            && !collector.has_failures()
        {
            collector.contradiction(why.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::{Report, TestStatus};

    const LIBRARY: &str = "     Running unittests src/lib.rs (target/debug/deps/demo-8348ca7a80742723)\n\n\
        running 1 test\ntest u ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n";
    const OTHER: &str = "     Running tests/it.rs (target/debug/deps/it-a69063779ff8c574)\n";

    fn told(text: &str) -> Report {
        let cargo = CargoText::read(text).expect("the text of cargo");
        cargo.report().alone().expect("a report")
    }

    #[test]
    fn a_binary_with_another_harness_is_one_test() {
        let report = told(&format!("{LIBRARY}{OTHER}fine\n"));
        assert_eq!(
            report.tests.statuses(),
            [
                ("src/lib.rs > u", TestStatus::Passed),
                ("tests/it.rs", TestStatus::Passed)
            ]
        );
        assert!(report.ended, "{report:?}");

        let failed = "error: test failed, to rerun pass `--test it`\n";
        let report = told(&format!("{LIBRARY}{OTHER}{failed}"));
        let test = report.tests.get(1).expect("a test");
        assert!(test.inconclusive && report.ended, "{report:?}");
    }

    #[test]
    fn a_binary_of_which_the_output_is_not_seen_has_not_ended() {
        let apart = "running 1 test\ntest u ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n";
        for text in [OTHER.to_owned(), format!("{apart}{OTHER}")] {
            assert!(!told(&text).ended, "{text}");
        }
    }
}
