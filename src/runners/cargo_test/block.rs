//! What one test binary printed for `cargo test`.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::rules::verdict::Cause;
use crate::runners::formats::collect::{MESSAGE_BYTES, Outcome};
use crate::runners::formats::text;
use crate::runners::rust;

/// What one test binary printed.
#[derive(Default)]
pub(super) struct Block {
    /// `src/lib.rs`, `tests/it.rs`, `doc name`.
    pub(super) source: String,
    pub(super) announced: Option<usize>,
    pub(super) tests: Vec<(String, Outcome)>,
    pub(super) printed: HashMap<String, String>,
    /// Passed, failed, ignored.
    pub(super) result: Option<(usize, usize, usize)>,
    /// cargo says that the binary failed.
    pub(super) failed: bool,
}

impl Block {
    pub(super) fn file(&self) -> Option<&str> {
        let source = self.source.as_str();
        (!source.is_empty() && !source.starts_with("doc ")).then_some(source)
    }

    /// Whether the binary has a main function of its own (`harness = false`): all there is to know is
    /// whether it failed.
    pub(super) fn has_other_harness(&self) -> bool {
        self.announced.is_none() && self.result.is_none() && self.file().is_some()
    }

    /// What the failure section says of a test.
    pub(super) fn told(&self, name: &str, outcome: Outcome) -> (Outcome, &str) {
        if !outcome.is_failure() {
            return (outcome, "");
        }
        let printed = self.printed.get(name).map_or("", String::as_str);
        (rust::of_panic(printed), rust::from_panic(printed))
    }
}

/// `test name ... ok`; with `--nocapture` the word may come lines later, after what the test printed.
pub(super) fn take_line(block: &mut Block, waiting: &mut Option<String>, line: &str) {
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        text::regex(r"^test (.+?) *(?: - (?:should panic|compile fail|compile))? \.\.\. ?(.*)$")
    });
    static QUIET: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(\S.*) --- FAILED$"));
    let (name, word) = if let Some(found) = TEST.captures(line) {
        *waiting = None;
        (found[1].to_owned(), found[2].to_owned())
    } else if let Some(found) = QUIET.captures(line) {
        (found[1].to_owned(), "FAILED".to_owned())
    } else if let Some(name) = waiting.clone() {
        (name, line.to_owned())
    } else {
        return;
    };
    let outcome = if word == "ok" || word.starts_with("ok <") {
        Outcome::Passed
    } else if word.ends_with("FAILED") || word.starts_with("FAILED <") {
        Outcome::Failed(Cause::Error)
    } else if word == "ignored" || word.starts_with("ignored, ") {
        Outcome::Skipped
    } else if word.ends_with("ok") && waiting.is_some() {
        Outcome::Passed
    } else {
        let printed = block.printed.entry(name.clone()).or_default();
        if printed.len() < MESSAGE_BYTES * 2 {
            printed.push_str(&word);
            printed.push('\n');
        }
        *waiting = Some(name);
        return;
    };
    *waiting = None;
    block.tests.push((name, outcome));
}

/// The name of a test binary without the hash that changes from build to build.
pub(super) fn without_hash(binary: &str) -> &str {
    match binary.rsplit_once('-') {
        Some((name, hash))
            if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            name
        }
        _ => binary,
    }
}
