//! PHPUnit: its text; its report is JUnit XML.

use std::sync::LazyLock;

use regex::Regex;

mod fixtures;

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::formats::collect::{Collector, Outcome, Told};
use super::formats::junit;
use super::formats::junit::{Dialect, without_test_name, xunit_failure};
use super::formats::{cause, text};
use super::project::{Offer, Place, Strength};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    programs: &["phpunit", "simple-phpunit", "pest"],
    subcommands: &[("artisan", "test")],
    lists_only: &["--list-tests", "--list-tests-xml"],
    ask: |asking| Some(ask(asking)),
    ours: &["--log-junit"],
    reports: &[("phpunit-", &junit::XML)],
    read_text,
    telling: &[r"^PHPUnit \d.* by Sebastian Bergmann"],
    settle: |report, sources| fixtures::settle(report, sources.text),
    // Pest has other names, and Laravel a runner of its own in front.
    takes_aim: |found| {
        let is_other = |word: &String| word.ends_with("pest") || word.ends_with("artisan");
        !found.words.iter().any(is_other)
    },
    filters: &["--filter"],
    junit: &JUNIT,
    detect,
    caches: &[".phpunit.cache"],
    known_by: "also behind `php`",
    asked: "JUnit XML, by `PHP_INI_SCAN_DIR`",
    tried: Some("9.6"),
    ..Runner::named("PHPUnit")
};

fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    let composer = place.json("composer.json");
    let says = |list: &str, name: &str| {
        composer
            .as_ref()
            .is_some_and(|json| json[list].get(name).is_some())
    };
    if says("scripts", "test") {
        let why = "script `test` in `composer.json`";
        out.push(Offer::new(
            Strength::Script,
            Some("php"),
            "composer test",
            why,
            "composer.json",
        ));
    }
    if place.exists("artisan") {
        out.push(Offer::configured("php", "php artisan test", "artisan"));
    }
    if says("require-dev", "pestphp/pest") {
        out.push(Offer::configured("php", "vendor/bin/pest", "composer.json"));
    }
    let config = place.first(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]);
    if let Some(file) = config {
        out.push(Offer::configured("php", "vendor/bin/phpunit", file));
        if !place.exists("vendor/bin/phpunit") && (place.has_program)("phpunit") {
            out.push(Offer::by_default("php", "phpunit", file));
        }
    } else if says("require-dev", "phpunit/phpunit") {
        out.push(Offer::by_default(
            "php",
            "vendor/bin/phpunit",
            "composer.json",
        ));
    }
}

static JUNIT: Dialect = Dialect {
    is_case: |case, _| !case.class.is_empty(),
    id: |ids, case, _| ids.joined([case.class.as_str(), &case.name]),
    is_load_error: |case, _| is_hook_of_class(&case.name),
    not_loaded: |case, suites| match suites.last() {
        Some(suite) if case.class.is_empty() => suite.name.clone(),
        _ => (Dialect::KNOWN.not_loaded)(case, suites),
    },
    // A test has no time if its class could not be set up.
    outcome: |case| {
        let is_not_set_up = case.took_no_time && !case.failures.is_empty();
        is_not_set_up.then_some(Outcome::Inconclusive)
    },
    failure: |_, failure| match failure.kind.ends_with("RiskyTestError") {
        true => Outcome::Passed,
        false => xunit_failure(failure),
    },
    message: |_, failure| without_test_name(failure.words()),
    ..Dialect::KNOWN
};

fn ask(asking: &Asking<'_>) -> Way {
    let home = asking.home;
    let ini = format!("auto_prepend_file=\"{home}/php/tcr_prepend.php\"\n");
    Way::default()
        // An empty first entry stands for the folder that PHP was built with.
        .set(
            "PHP_INI_SCAN_DIR",
            Join::AlwaysAfter(":"),
            format!("{home}/php"),
        )
        .file("php/tcr.ini", &ini)
        .file(
            "php/tcr_prepend.php",
            include_str!("../reporters/tcr_prepend.php"),
        )
}

/// Reads PHPUnit's text.
pub(super) fn read_text(output: &str) -> Option<Told> {
    static SECTION: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^There (?:was|were) \d+ (?:PHPUnit )?(error|failure|warning|risky test|incomplete test|skipped test|deprecation|notice)s?:$",
        )
    });
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^\d+\) (.+)$"));
    let fatal = output.lines().find(|line| {
        line.contains("PHP Fatal error:")
            || line.contains("PHP Parse error:")
            || line.starts_with("Fatal error: ")
            || line.starts_with("Parse error: ")
    });
    let began = output
        .lines()
        .any(|line| line.starts_with("PHPUnit ") && line.contains(" by Sebastian"));
    if !began && fatal.is_none() {
        return None;
    }
    let mut collector = Collector::default();
    if let Some(fatal) = fatal {
        collector.load_error("", fatal);
    }
    if let Some((_, rest)) = output.split_once("Error in bootstrap script") {
        collector.load_error(
            "the bootstrap script",
            rest.trim_start_matches([':', ' ', '\n']),
        );
    }
    let mut section = String::new();
    let mut failed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(found) = SECTION.captures(line) {
            section = found[1].to_owned();
            continue;
        }
        let Some(found) = NUMBERED.captures(line) else {
            continue;
        };
        let id = named(&found[1]);
        let mut message = String::new();
        let is_end =
            |line: &str| line == "--" || line.starts_with("Tests: ") || END.contains(&line);
        while let Some(line) = lines
            .next_if(|line| !NUMBERED.is_match(line) && !SECTION.is_match(line) && !is_end(line))
        {
            if message.len() < super::formats::collect::MESSAGE_BYTES {
                message.push_str(line);
                message.push('\n');
            }
        }
        match section.as_str() {
            "error" | "failure"
                if is_hook_of_class(found[1].rsplit("::").next().unwrap_or_default()) =>
            {
                failed += 1;
                collector.load_error(id, &message);
            }
            "failure" => {
                failed += 1;
                collector.test(&id, None, Outcome::Failed(Cause::Assertion), &message);
            }
            // An entry without a test: its data could not be provided.
            "error" if !found[1].contains("::") => {
                failed += 1;
                collector.load_error(message.lines().next().unwrap_or_default(), &message);
            }
            "error" if message.contains("::setUpBeforeClass()") => {
                failed += 1;
                collector.test(&id, None, Outcome::Inconclusive, &message);
            }
            "error" => {
                failed += 1;
                let outcome = match cause::of_text(&message, Cause::Error) {
                    Outcome::Failed(Cause::Assertion) => Outcome::Failed(Cause::Error),
                    outcome => outcome,
                };
                collector.test(&id, None, outcome, &message);
            }
            // One that is about no test has the message for a name.
            "warning" if !found[1].contains("::") => collector.load_error("", &message),
            "warning" => collector.load_error(id, &message),
            "skipped test" | "incomplete test" => collector.test(&id, None, Outcome::Skipped, ""),
            _ => {}
        }
    }
    take_counts(&mut collector, output, failed);
    Some(collector.finish_text())
}

/// What stands between the last failure and the counts.
const END: [&str; 3] = ["ERRORS!", "FAILURES!", "WARNINGS!"];

/// `OK (2 tests, 2 assertions)`, or `Tests: 8, Assertions: 8, Failures: 1.`
fn take_counts(collector: &mut Collector, output: &str, failed: usize) {
    let mut ended = output
        .lines()
        .any(|line| line.trim() == "No tests executed!");
    for line in output.lines() {
        if let Some(counts) = line.strip_prefix("OK (") {
            collector.unnamed_passed(text::number_before(counts, &["test", "tests"]));
            ended = true;
        } else if line.starts_with("Tests: ") {
            let count = |word: &str| text::number_after(line, word);
            let not_passed = count("Errors: ")
                + count("Failures: ")
                + count("Skipped: ")
                + count("Incomplete: ");
            if count("Errors: ") + count("Failures: ") > failed {
                collector.miscounts("PHPUnit");
            }
            collector.unnamed_passed(count("Tests: ").saturating_sub(not_passed));
            ended = true;
        }
    }
    collector.ended(ended);
}

/// Whether an entry is named after what is done once for a class, which is no test.
pub(super) fn is_hook_of_class(name: &str) -> bool {
    matches!(name, "setUpBeforeClass" | "tearDownAfterClass")
}

/// `Class::test with data set "x" (1, 2)`, without the data.
fn named(line: &str) -> String {
    let (class, name) = line.split_once("::").unwrap_or(("", line));
    let name = match name.split_once(" with data set ") {
        Some((_, rest)) => {
            let data = rest.rsplit_once(" (").map_or("", |(_, data)| data);
            name.strip_suffix(&format!(" ({data}")).unwrap_or(name)
        }
        None => name,
    };
    format!("{class} > {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_could_not_be_provided_is_no_test() {
        let text = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n\
            .E   2 / 2 (100%)\n\nThere was 1 error:\n\n1) Error\n\
            The data provider specified for ATest::testP is invalid.\nException: x\n\n\
            ERRORS!\nTests: 2, Assertions: 1, Errors: 1.\n";
        let report = read_text(text).and_then(Told::alone).expect("its output");
        assert!(report.tests.is_empty(), "{:?}", report.tests);
        assert_eq!(
            report.load_errors[0].what,
            "The data provider specified for ATest::testP is invalid."
        );
    }

    #[test]
    fn a_test_whose_class_could_not_be_set_up_proves_nothing() {
        let text = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n\
            ES   2 / 2 (100%)\n\nThere was 1 error:\n\n1) ATest::testA\n\
            Exception: no db in /a/ATest.php:1\nStack trace:\n\
            #0 /usr/share/php/PHPUnit/Framework/TestSuite.php(628): ATest::setUpBeforeClass()\n\n\
            ERRORS!\nTests: 2, Assertions: 0, Errors: 1, Skipped: 1.\n";
        let report = read_text(text).and_then(Told::alone).expect("its output");
        assert!(report.tests.get(0).expect("a test").inconclusive);
    }

    #[test]
    fn what_is_done_once_for_a_class_is_no_test() {
        for (word, words) in [("error", "Error"), ("failure", "Failure")] {
            let text = format!(
                "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n\
                .E   2 / 2 (100%)\n\nThere was 1 {word}:\n\n1) ATest::tearDownAfterClass\n\
                Exception: x\n\n{}S!\nTests: 1, Assertions: 1, {words}s: 1.\n",
                word.to_uppercase()
            );
            let report = read_text(&text).and_then(Told::alone).expect("its output");
            assert!(report.tests.is_empty(), "{:?}", report.tests);
            assert_eq!(report.load_errors[0].what, "ATest > tearDownAfterClass");
        }
    }

    #[test]
    fn the_last_failure_ends_with_its_place() {
        let text = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n\
            E   1 / 1 (100%)\n\nThere was 1 error:\n\n1) ATest::testA\nException: no db\n\n\
            /p/ATest.php:5\n\nERRORS!\nTests: 1, Assertions: 0, Errors: 1.\n";
        let report = read_text(text).and_then(Told::alone).expect("its output");
        let test = report.tests.get(0).expect("a test");
        assert_eq!(test.message.lines().last(), Some("/p/ATest.php:5"));
    }
}
