//! What is quoted of a failure: where it is, and the assertion with its values or what was raised.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::collect::cut;
use super::{load_words, text};
use crate::rules::verdict::TestStatus;
use crate::rules::verdict::{Failure, Report, TestCase};

/// How many tests are quoted.
const TESTS: usize = 50;
/// How many bytes of each.
const BYTES: usize = 600;

/// What is quoted of the tests that failed, by id; of the first ones, if there are many. `root` is the folder of
/// the project, and `exists` tells whether it has a file of this path.
pub fn failures(
    report: &Report,
    root: &str,
    exists: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, Failure> {
    let failed = (report.tests.iter())
        .filter(|test| matches!(test.status, TestStatus::Failed(_)))
        .take(TESTS);
    failed
        .map(|test| (test.id.to_owned(), failure(&test, root, exists)))
        .collect()
}

/// Names the files of what could not be loaded.
pub fn settle_load_errors(report: &mut Report, root: &str, exists: &dyn Fn(&str) -> bool) {
    for error in &mut report.load_errors {
        if let Some((file, _)) = &mut error.does_not_parse
            && let Some(short) = super::shortened(file, root)
        {
            *file = short.to_owned();
        }
        let head = error.what.split(" > ").next().unwrap_or_default();
        let head = head.split("::").next().unwrap_or_default();
        let dotted = format!("{}.py", head.replace('.', "/"));
        let told = load_words::place(&error.message).map(|(file, _)| file);
        let told = told.map(|file| super::shortened(&file, root).unwrap_or(&file).to_owned());
        let places = [Some(head.to_owned()), Some(dotted), error.file.take(), told];
        error.file =
            (places.into_iter().flatten()).find(|place| !place.is_empty() && exists(place));
    }
}

fn failure(test: &TestCase<'_>, root: &str, exists: &dyn Fn(&str) -> bool) -> Failure {
    let message = text::plain(test.message);
    let place = place(&message, test);
    let file = place.as_ref().map(|(file, _)| file.as_str());
    let file = file
        .map(|file| settled(super::shortened(file, root).unwrap_or(file), test, exists))
        .or(test.file.map(str::to_owned));
    Failure {
        file,
        line: place.map(|(_, line)| line),
        message: words(&message),
    }
}

/// A file as it is seen from the project, where the runner names it from elsewhere.
fn settled(file: &str, test: &TestCase<'_>, exists: &dyn Fn(&str) -> bool) -> String {
    let file = file.trim_start_matches("file://").trim_start_matches("./");
    if exists(file) {
        return file.to_owned();
    }
    if let Some(own) = test.file
        && (own.ends_with(&format!("/{file}")) || file.ends_with(&format!("/{own}")))
    {
        return own.to_owned();
    }
    // Go names a file of a package without its folder, and a package by the module's name.
    let package = test.id.split(" > ").next().unwrap_or_default();
    let mut folders = package.match_indices('/').map(|(at, _)| at + 1);
    let below = |at| package.get(at..).map(|folder| format!("{folder}/{file}"));
    // Java names a file without its folder too, and a class by its package.
    let (package_of_class, _) = package.rsplit_once('.').unwrap_or_default();
    let of_class = package_of_class.replace('.', "/");
    let usual =
        ["src/test/java", "src/test/kotlin"].map(|root| format!("{root}/{of_class}/{file}"));
    folders
        .find_map(|at| below(at).filter(|place| exists(place)))
        .or_else(|| usual.into_iter().find(|place| exists(place)))
        .unwrap_or_else(|| file.to_owned())
}

static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    text::regex(r"^\s+at (?:async )?(?:.*\()?(?:file://)?([^()]+?):(\d+)(?::\d+)?\)?$")
});

/// The place of a failure in the words of many runners, the surest first.
fn place(message: &str, test: &TestCase<'_>) -> Option<(String, u32)> {
    static PLACES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        [
            // Rust
            r"panicked at (?:'.*', )?([^\s:']+):(\d+):\d+",
            // Go
            r"(?m)^\s*([\w.-]+\.go):(\d+): ",
            r"(?m)^\t(\S+_test\.go):(\d+) \+0x",
            // minitest, RSpec
            r"(?m)\[(\S+\.rb):(\d+)\]",
            r"(?m)^\s*# (\./\S+):(\d+):in ",
            // GoogleTest, CTest, Catch2
            r"(?m)^(\S+\.(?:cc|cpp|cxx|c|h|hpp)):(\d+)(?::|$)",
            // PHPUnit
            r"(?m)^(/?\S+\.php):(\d+)$",
            // pytest
            r"(?m)^(\S+\.py):(\d+): ",
            r#"File "([^"]+)", line (\d+)"#,
            // bats, Perl
            r"in test file (\S+?), line (\d+)",
            r"(?m)at (\S+) line (\d+)\.?",
            // ExUnit
            r"(?m)^\s+(test/\S+\.exs):(\d+)",
            // Java
            r"\(([A-Za-z_]\w*\.(?:java|kt|scala|groovy)):(\d+)\)",
        ]
        .map(text::regex)
        .into()
    });
    let taken = |found: regex::Captures<'_>| {
        let line = found.get(2)?.as_str().parse().ok()?;
        Some((found.get(1)?.as_str().to_owned(), line))
    };
    let is_own = |(file, _): &(String, u32)| {
        test.file
            .is_some_and(|own| file == own || file.ends_with(&format!("/{own}")))
    };
    let frames: Vec<(String, u32)> = (message.lines())
        .filter_map(|line| FRAME.captures(line).and_then(taken))
        .filter(|(file, _)| !file.contains("node_modules/") && !file.starts_with("node:"))
        .collect();
    let own = frames.iter().find(|frame| is_own(frame)).or(frames.first());
    own.cloned().or_else(|| {
        PLACES
            .iter()
            .find_map(|pattern| pattern.captures(message).and_then(taken))
    })
}

/// The words of a failure without stacks, places and empty lines.
fn words(message: &str) -> String {
    static NOISE: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(
            r"^(?:\s{2,}at \S.*|thread '.*' (?:\(\d+\) )?panicked at .*:|note: .*|\s*# \./\S+:\d+:in .*|\[\S+\.rb:\d+\]:?|/?\S+\.php:\d+|\S+\.(?:cc|cpp|cxx|c|h|hpp):\d+(?:: Failure)?|at \S+ line \d+\.?|goroutine \d+ .*|stderr:|Test executable failed .*|\s*\^+)$",
        )
    });
    // Go puts it in front of the words.
    static WITHOUT_PLACE: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^\s*[\w.-]+\.go:\d+: "));
    let old_panic = message.contains("panicked at '");
    let mut kept = String::new();
    for line in message.lines() {
        if line.starts_with("stack backtrace:") || line.starts_with("goroutine ") {
            break;
        }
        let is_noise = !old_panic && NOISE.is_match(line);
        if is_noise || line.trim().is_empty() {
            continue;
        }
        if kept.len() > BYTES {
            break;
        }
        if !kept.is_empty() {
            kept.push('\n');
        }
        kept.push_str(WITHOUT_PLACE.replace(line.trim_end(), "").as_ref());
    }
    let short = cut(kept.trim(), BYTES);
    if short.len() < kept.trim().len() {
        return format!("{} …", cut(short, BYTES - 4).trim_end());
    }
    short.to_owned()
}
