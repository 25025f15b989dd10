//! What a test run says beside the last one that was accepted.

use std::collections::{BTreeMap, BTreeSet};

use super::language::Language;

/// The tests of one run by how they ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSets {
    /// Ran and passed.
    pub passed: BTreeSet<String>,
    /// Ran and failed.
    pub failed: BTreeSet<String>,
    /// Not run on purpose.
    pub skipped: BTreeSet<String>,
    /// The file of a test, from the root, where the report tells it.
    pub files: BTreeMap<String, String>,
}

impl TestSets {
    /// Whether the run had this test at all.
    pub fn has(&self, test: &str) -> bool {
        self.passed.contains(test) || self.failed.contains(test) || self.skipped.contains(test)
    }

    /// The same results for the tests of another run alone: what a run of some tests is compared
    /// with, or all the others would seem to be gone.
    pub fn restricted_to(&self, other: &TestSets) -> TestSets {
        let common = |tests: &BTreeSet<String>| {
            tests
                .iter()
                .filter(|test| other.has(test))
                .cloned()
                .collect()
        };
        TestSets {
            passed: common(&self.passed),
            failed: common(&self.failed),
            skipped: common(&self.skipped),
            files: self.files.clone(),
        }
    }
}

/// Which tests a step may have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedTests {
    /// Test files, and files whose test part changed, made, changed or deleted by the step.
    pub files: BTreeSet<String>,
    /// Whether the step changed nothing but tests, harness and docs.
    pub nothing_else: bool,
}

/// The difference between two runs. Known failures that still fail appear nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Fail, and were not there before or were skipped.
    pub new_failing: BTreeSet<String>,
    /// Failed before and fail.
    pub still_failing: BTreeSet<String>,
    /// Failed before and pass.
    pub fixed: BTreeSet<String>,
    /// Passed before and fail.
    pub regressions: BTreeSet<String>,
    /// Passed before and are gone.
    pub vanished: BTreeSet<String>,
    /// Passed before and are skipped.
    pub newly_skipped: BTreeSet<String>,
    /// Failed before, and are skipped or gone rather than mended.
    pub silenced: BTreeSet<String>,
    /// Pass, and were not there before or were skipped.
    pub new_passing: BTreeSet<String>,
    /// Known failures that pass: they leave the list for good.
    pub known_fixed: BTreeSet<String>,
    /// Those of all the above whose own file the step changed.
    pub touched: BTreeSet<String>,
}

impl Comparison {
    /// Tests that fail though no one knew them to.
    pub fn failing(&self) -> impl Iterator<Item = &String> {
        self.new_failing
            .iter()
            .chain(&self.still_failing)
            .chain(&self.regressions)
    }

    /// Passed before, and no longer do.
    pub fn lost(&self) -> impl Iterator<Item = &String> {
        self.regressions
            .iter()
            .chain(&self.vanished)
            .chain(&self.newly_skipped)
    }

    /// Regressions where the tests themselves are not to be changed.
    pub fn has_regression(&self) -> bool {
        self.lost().next().is_some()
    }

    /// Regressions where tests are being written: a test that fails because it was itself changed
    /// is a new demand, and one taken out of a changed file was removed. A skipped one still
    /// stands there and says nothing, so it counts.
    pub fn has_regression_beside_changed_tests(&self) -> bool {
        let untouched = |tests: &BTreeSet<String>| !tests.is_subset(&self.touched);
        untouched(&self.regressions) || untouched(&self.vanished) || !self.newly_skipped.is_empty()
    }

    /// Tests that were taken out or switched off, for naming them.
    pub fn weakened(&self) -> BTreeSet<String> {
        self.vanished
            .iter()
            .chain(&self.newly_skipped)
            .chain(&self.silenced)
            .cloned()
            .collect()
    }
}

/// Compares a run with the last accepted one, if there is one.
pub fn compare(
    before: Option<&TestSets>,
    now: &TestSets,
    known: &BTreeSet<String>,
    changed: &ChangedTests,
) -> Comparison {
    let nothing = TestSets::default();
    let before = before.unwrap_or(&nothing);
    let mut found = Comparison::default();
    for test in &now.passed {
        if known.contains(test) {
            found.known_fixed.insert(test.clone());
        } else if before.failed.contains(test) {
            found.fixed.insert(test.clone());
        } else if !before.passed.contains(test) {
            found.new_passing.insert(test.clone());
        }
    }
    for test in &now.failed {
        if before.passed.contains(test) {
            // Even a known one: having passed, it left that list for good.
            found.regressions.insert(test.clone());
        } else if !known.contains(test) {
            let kind = match before.failed.contains(test) {
                true => &mut found.still_failing,
                false => &mut found.new_failing,
            };
            kind.insert(test.clone());
        }
    }
    for test in &before.passed {
        if now.skipped.contains(test) {
            found.newly_skipped.insert(test.clone());
        } else if !now.has(test) {
            found.vanished.insert(test.clone());
        }
    }
    for test in before.failed.difference(known) {
        if !now.passed.contains(test) && !now.failed.contains(test) {
            found.silenced.insert(test.clone());
        }
    }
    found.touched = touched(&found, |test| {
        let told = now.files.get(test).or_else(|| before.files.get(test));
        match told.map(String::as_str).or_else(|| file_in_name(test)) {
            Some(file) => changed.files.contains(file),
            None => changed.nothing_else && !changed.files.is_empty(),
        }
    });
    found
}

fn touched(found: &Comparison, is_touched: impl Fn(&str) -> bool) -> BTreeSet<String> {
    found
        .failing()
        .chain(&found.fixed)
        .chain(&found.vanished)
        .chain(&found.newly_skipped)
        .chain(&found.silenced)
        .chain(&found.new_passing)
        .chain(&found.known_fixed)
        .filter(|test| is_touched(test))
        .cloned()
        .collect()
}

/// The file that a name such as `tests/test_a.py::test_b` begins with.
fn file_in_name(test: &str) -> Option<&str> {
    let (file, _) = test
        .split_once("::")
        .or_else(|| test.split_once(" > "))
        .or_else(|| test.split_once(' '))?;
    Language::of_path(file.as_bytes()).map(|_| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> BTreeSet<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    fn run(passed: &str, failed: &str, skipped: &str) -> TestSets {
        TestSets {
            passed: set(passed),
            failed: set(failed),
            skipped: set(skipped),
            files: BTreeMap::new(),
        }
    }

    fn plain(before: &TestSets, now: &TestSets) -> Comparison {
        compare(
            Some(before),
            now,
            &BTreeSet::new(),
            &ChangedTests::default(),
        )
    }

    #[test]
    fn every_pair_of_outcomes() {
        // Outcome before and now: p(assed), f(ailed), s(kipped), - (not there).
        let field = |c: &Comparison| {
            [
                (&c.new_failing, "new_failing"),
                (&c.still_failing, "still_failing"),
                (&c.fixed, "fixed"),
                (&c.regressions, "regressions"),
                (&c.vanished, "vanished"),
                (&c.newly_skipped, "newly_skipped"),
                (&c.silenced, "silenced"),
                (&c.new_passing, "new_passing"),
                (&c.known_fixed, "known_fixed"),
            ]
            .into_iter()
            .filter(|(tests, _)| !tests.is_empty())
            .map(|(_, name)| name)
            .collect::<Vec<_>>()
            .join("+")
        };
        let outcome = |letter: char| match letter {
            'p' => run("t", "", ""),
            'f' => run("", "t", ""),
            's' => run("", "", "t"),
            '-' => run("", "", ""),
            other => unreachable!("no outcome {other}"),
        };
        let table = [
            ("pp", "", "known_fixed"),
            ("pf", "regressions", "regressions"),
            ("ps", "newly_skipped", "newly_skipped"),
            ("p-", "vanished", "vanished"),
            ("fp", "fixed", "known_fixed"),
            ("ff", "still_failing", ""),
            ("fs", "silenced", ""),
            ("f-", "silenced", ""),
            ("sp", "new_passing", "known_fixed"),
            ("sf", "new_failing", ""),
            ("ss", "", ""),
            ("s-", "", ""),
            ("-p", "new_passing", "known_fixed"),
            ("-f", "new_failing", ""),
            ("-s", "", ""),
            ("--", "", ""),
        ];
        for (pair, unknown, known) in table {
            let mut letters = pair.chars().map(outcome);
            let before = letters.next().expect("two letters");
            let now = letters.next().expect("two letters");
            let untouched = ChangedTests::default();
            let found = compare(Some(&before), &now, &BTreeSet::new(), &untouched);
            assert_eq!(field(&found), unknown, "{pair}");
            let found = compare(Some(&before), &now, &set("t"), &untouched);
            assert_eq!(field(&found), known, "{pair}, known to fail");
        }
    }

    #[test]
    fn without_an_earlier_run_everything_is_new() {
        let found = compare(
            None,
            &run("a", "b", "c"),
            &BTreeSet::new(),
            &ChangedTests::default(),
        );
        assert_eq!(found.new_passing, set("a"));
        assert_eq!(found.new_failing, set("b"));
        assert!(!found.has_regression());
    }

    #[test]
    fn a_failure_in_a_changed_file_is_a_changed_test() {
        let before = run("t/a.py::x t/b.py::y", "", "");
        let now = run("", "t/a.py::x t/b.py::y", "");
        let with = |files: &str, nothing_else| {
            let changed = ChangedTests {
                files: set(files),
                nothing_else,
            };
            compare(Some(&before), &now, &BTreeSet::new(), &changed)
        };
        assert_eq!(with("t/a.py", true).touched, set("t/a.py::x"));
        assert!(with("t/a.py", true).has_regression_beside_changed_tests());
        assert!(!with("t/a.py t/b.py", false).has_regression_beside_changed_tests());
        assert!(with("t/a.py t/b.py", false).has_regression());
    }

    #[test]
    fn the_report_knows_the_file_better_than_the_name() {
        let mut now = run("", "suite::x", "");
        now.files.insert("suite::x".into(), "t/x.py".into());
        let found = |files: &str| {
            let changed = ChangedTests {
                files: set(files),
                nothing_else: false,
            };
            compare(
                Some(&run("suite::x", "", "")),
                &now,
                &BTreeSet::new(),
                &changed,
            )
            .touched
        };
        assert_eq!(found("t/x.py"), set("suite::x"));
        assert_eq!(found("t/y.py"), set(""));
    }

    #[test]
    fn a_test_without_a_file_counts_as_changed_if_only_tests_changed() {
        let before = run("mod::a", "", "");
        let now = run("", "mod::a", "");
        for (files, nothing_else, regression) in [
            ("t/a.rs", true, false),
            ("t/a.rs", false, true),
            ("", true, true),
        ] {
            let changed = ChangedTests {
                files: set(files),
                nothing_else,
            };
            let found = compare(Some(&before), &now, &BTreeSet::new(), &changed);
            assert_eq!(found.has_regression_beside_changed_tests(), regression);
        }
    }

    #[test]
    fn switching_a_test_off_is_a_regression_and_removing_it_is_not() {
        let changed = ChangedTests {
            files: set("t/a.py"),
            nothing_else: true,
        };
        let before = run("t/a.py::x", "", "");
        let beside = |now: &TestSets| {
            compare(Some(&before), now, &BTreeSet::new(), &changed)
                .has_regression_beside_changed_tests()
        };
        assert!(beside(&run("", "", "t/a.py::x")));
        assert!(!beside(&run("", "", "")));
    }

    #[test]
    fn a_run_of_some_tests_is_compared_with_those() {
        let before = run("a b c", "d", "e");
        let now = run("a", "d", "");
        let found = plain(&before.restricted_to(&now), &now);
        assert!(!found.has_regression());
        assert_eq!(found.still_failing, set("d"));
        assert!(plain(&before, &now).has_regression());
    }

    #[test]
    fn weakened_tests_can_be_named() {
        let found = plain(&run("a b c", "d e", ""), &run("a", "e", "b"));
        assert_eq!(found.weakened(), set("b c d"));
    }
}
