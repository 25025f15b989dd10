//! Build descriptions that are programs, of which only single lines are known: `Rakefile`,
//! `CMakeLists.txt`, `mix.exs`, `build.sbt`, `Package.swift`, `setup.py`.

use super::entry::{Change, Format, Key, Part};
use super::pieces::{self, Piece};

use Part::{About, Dependencies, Steering};

/// Words by which a line is known.
struct Words {
    steering: &'static [&'static str],
    dependencies: &'static [&'static str],
}

const RAKE_WORDS: Words = Words {
    steering: &["test", "spec", "cucumber", "LOAD_PATH"],
    dependencies: &[],
};

const C_MAKE: Words = Words {
    steering: &[
        "add_test",
        "build_testing",
        "catch_discover_tests",
        "ctest",
        "doctest_discover_tests",
        "enable_testing",
        "gtest_discover_tests",
        "set_tests_properties",
    ],
    dependencies: &["find_package", "fetchcontent", "externalproject"],
};

const MIX_WORDS: Words = Words {
    steering: &[
        "elixirc_paths",
        "preferred_cli_env",
        "test_coverage",
        "test_elixirc",
        "test_ignore",
        "test_load",
        "test_paths",
        "test_pattern",
        "test:",
        "\"test\"",
    ],
    dependencies: &["{:"],
};

const SBT_WORDS: Words = Words {
    steering: &["test /", "in test", "testoptions", "testframeworks"],
    dependencies: &["librarydependencies", "addsbtplugin", " % "],
};

const SWIFT: Words = Words {
    steering: &[".testtarget", "swiftsettings", "unsafeflags", ".plugin("],
    dependencies: &[".package(", ".product("],
};

const SETUP_WORDS: Words = Words {
    steering: &[
        "cmdclass",
        "ext_modules",
        "package_dir",
        "pytest11",
        "test_loader",
        "test_suite",
    ],
    dependencies: &[
        "install_requires",
        "extras_require",
        "tests_require",
        "setup_requires",
    ],
};

macro_rules! format_by {
    ($words:expr) => {
        Format {
            read: |text| Ok(pieces::entries(&read(text, &$words))),
            take: |base, from, keys| take(base, from, keys, &$words),
            effect: |change: &Change<'_>| change.part,
        }
    };
}

pub(super) const RAKEFILE: Format = format_by!(RAKE_WORDS);
pub(super) const CMAKE_LISTS: Format = format_by!(C_MAKE);
pub(super) const MIX: Format = format_by!(MIX_WORDS);
pub(super) const SBT: Format = format_by!(SBT_WORDS);
pub(super) const PACKAGE_SWIFT: Format = format_by!(SWIFT);
pub(super) const SETUP_PY: Format = format_by!(SETUP_WORDS);

fn read(text: &str, words: &Words) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    for (span, line) in pieces::lines(text) {
        let code = line.trim();
        if code.is_empty() || code.starts_with('#') || code.starts_with("//") {
            continue;
        }
        let value = code.split_whitespace().collect::<Vec<_>>().join(" ");
        found.push(Piece {
            key: vec![value.clone()],
            part: part_of(&value, words),
            value,
            span,
            alone: None,
            // Where it stands in the program says what it does.
            is_bound: true,
        });
    }
    pieces::number(&mut found);
    found
}

fn part_of(line: &str, words: &Words) -> Part {
    let line = line.to_ascii_lowercase();
    let has = |words: &[&str]| {
        words
            .iter()
            .any(|word| line.contains(&word.to_ascii_lowercase()))
    };
    if has(words.dependencies) {
        Dependencies
    } else if has(words.steering) {
        Steering
    } else {
        About
    }
}

fn take(base: &str, from: &str, keys: &[Key], words: &Words) -> Option<String> {
    let (ours, theirs) = (read(base, words), read(from, words));
    pieces::take((base, &ours), (from, &theirs), keys)
}
