//! No input makes a reader panic or hang, and none that is damaged gives a green that it was not.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::rules::verdict::{Exit, JudgeRules, fingerprint, judge};
use crate::rules::verdict::{RedNeeds, Verdict};

fn verdict(exit: Exit, report: Option<&Report>) -> Verdict {
    let known = BTreeSet::new();
    let rules = JudgeRules {
        red_needs: RedNeeds::Error,
        red_confirm_matched: None,
        known_failures: &known,
    };
    judge(&exit, report, None, &rules).verdict
}

/// Reads an input in every way there is; a green of a format is told.
fn read_every_way(input: &[u8]) -> Vec<&'static Format> {
    let mut green = Vec::new();
    for format in formats() {
        if let Ok(report) = (format.read)("t/a.t", &mut &input[..]) {
            fingerprint(&report, "");
            if verdict(Exit::Code(0), Some(&report)) == Verdict::Green {
                green.push(format);
            }
        }
    }
    let text = String::from_utf8_lossy(input);
    sniff_text(&text);
    for runner in RUNNERS.iter().copied() {
        if let Some(report) = read_text(runner, &text) {
            fingerprint(&report, &text);
        }
        combine(
            vec![(&tap::TAP, (tap::TAP.read)("x-1", &mut &input[..]))],
            &[runner],
            &text,
            true,
        );
    }
    green
}

/// Every report and output of the captured runs.
fn captured() -> &'static [String] {
    static TEXTS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
        super::corpus_tests::cases()
            .into_iter()
            .flat_map(|(_, case)| case.texts())
            .filter(|text| text.len() < 20_000)
            .collect()
    });
    &TEXTS
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_never_green(input in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert_eq!(read_every_way(&input), Vec::<&Format>::new());
    }

    #[test]
    fn arbitrary_lines_of_known_words_do_no_harm(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "ok", "not ok", "1..", "2", " - ", "#", "SKIP", "---", "...", "    ", "\n", "\r\n", "<testsuite>",
                "<testcase name='", "'/>", "<failure>", "<![CDATA[", "]]>", "&#", "&amp;", "{\"event\":", "\"end\"}",
                "test ", " ... ", "FAILED", "test result: ok. ", "passed;", "running ", "tests", "FAIL", "\t", "é",
                "  1) ", "[  FAILED  ] ", "● ", "✓ ", "--- PASS: ", "=== RUN   ", "Tests: ", "\u{1b}[31m", ":", "(",
            ]),
            0..120,
        )
    ) {
        read_every_way(words.concat().as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn damaged_reports_do_no_harm(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        length in 0_usize..64,
        with in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        let text = which.get(captured()).as_bytes();
        let at = at.index(text.len() + 1);
        let end = (at + length).min(text.len());
        let mut damaged = text[..at].to_vec();
        damaged.extend_from_slice(&with);
        damaged.extend_from_slice(&text[end..]);
        read_every_way(&damaged);
    }

    #[test]
    fn a_failing_report_that_is_cut_short_is_never_green(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let text = which.get(captured()).as_bytes();
        for format in formats() {
            let Ok(whole) = (format.read)("t/a.t", &mut &text[..]) else { continue };
            if verdict(Exit::Code(0), Some(&whole)) == Verdict::Green {
                continue;
            }
            let cut = &text[..at.index(text.len() + 1)];
            // Node 20 tells no end; it is judged with the exit status.
            if format.name == "node:test lines" {
                continue;
            }
            if let Ok(report) = (format.read)("t/a.t", &mut &cut[..]) {
                prop_assert_ne!(verdict(Exit::Code(0), Some(&report)), Verdict::Green, "{:?}", format);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_tests_fit() {
    let mut xml = String::from("<testsuites>");
    for suite in 0..100 {
        xml += &format!("<testsuite name='s{suite}'>");
        for test in 0..1_000 {
            xml += &format!("<testcase name='t{test}' classname='s{suite}' time='0.1'/>");
        }
        xml += "</testsuite>";
    }
    xml += "</testsuites>";
    let report = read(&junit::XML, &mut xml.as_bytes()).expect("it is a report");
    assert_eq!(report.tests.len(), 100_000);
    assert_eq!(verdict(Exit::Code(0), Some(&report)), Verdict::Green);
}
