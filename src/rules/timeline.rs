//! Rules about the order of work: was the test first, and how much did it ask for?

use super::smell::Rule;

/// One commit of the work that is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// The commit; none for work that is not committed yet.
    pub commit: Option<String>,
    /// What the loop called it, if it is the loop's.
    pub label: Option<String>,
    /// The cycle it belongs to.
    pub cycle: Option<u64>,
    /// The journal says that its tests passed at once.
    pub passed_at_once: bool,
    /// The journal says that source was there before a failing test asked for it.
    pub source_first: bool,
    /// The files it touched.
    pub touched: Vec<Touched>,
    /// How many lines it added, where that was counted.
    pub added_lines: usize,
}

/// A file that a step touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The path from the root.
    pub path: String,
    /// Whether it holds tests or source.
    pub is_test: bool,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// A test file and when it was first touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    /// The path from the root.
    pub path: String,
    /// The first step that touched it; none if it was there before all of them.
    pub first: Option<usize>,
    /// Its text; empty where only the name is known.
    pub text: String,
}

/// Something that was done in the wrong order, or too much at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfOrder {
    /// What.
    pub rule: Rule,
    /// The file.
    pub path: String,
    /// The commit; none for work that is not committed yet.
    pub commit: Option<String>,
    /// The test that came late, or the source that was early.
    pub counterpart: Option<String>,
    /// Lines of source and lines of tests, where that is the point.
    pub lines: Option<(usize, usize)>,
}

/// So many lines of source need no justification.
const SMALL: usize = 20;
/// So many lines of source for each line of test are too many.
const LINES_PER_TEST_LINE: usize = 5;
/// Files that are about others and rarely have tests of their own.
const GLUE: &[&str] = &[
    "__init__",
    "__main__",
    "index",
    "lib",
    "main",
    "mod",
    "package-info",
    "setup",
    "types",
];

/// What was done in the wrong order, oldest first.
pub fn out_of_order(steps: &[Step], tests: &[TestFile]) -> Vec<OutOfOrder> {
    let mut found = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let told = |rule, path: &str, counterpart: Option<&str>| OutOfOrder {
            rule,
            path: path.to_owned(),
            commit: step.commit.clone(),
            counterpart: counterpart.map(str::to_owned),
            lines: None,
        };
        let is_by_the_rules = step
            .label
            .as_deref()
            .is_some_and(|label| label != "by-hand");
        for file in &step.touched {
            if step.passed_at_once && file.is_test {
                found.push(told(Rule::TestAfter, &file.path, None));
            }
            if step.source_first && !file.is_test {
                found.push(told(Rule::ImplementationFirst, &file.path, None));
            }
            let has_tests = step.touched.iter().any(|other| other.is_test);
            if is_by_the_rules || file.is_test || !file.is_new || has_tests || is_glue(&file.path) {
                continue;
            }
            let related = tests.iter().filter(|test| is_about(test, &file.path));
            match related.min_by_key(|test| test.first) {
                None => found.push(told(Rule::ImplementationFirst, &file.path, None)),
                Some(test) if test.first > Some(number) => {
                    found.push(told(
                        Rule::ImplementationFirst,
                        &file.path,
                        Some(&test.path),
                    ));
                    found.push(OutOfOrder {
                        commit: test
                            .first
                            .and_then(|first| steps.get(first))
                            .and_then(|step| step.commit.clone()),
                        ..told(Rule::TestAfter, &test.path, Some(&file.path))
                    });
                }
                Some(_) => {}
            }
        }
    }
    found.extend(unasked(steps));
    found
}

/// Cycles in which source grew by far more than its tests.
fn unasked(steps: &[Step]) -> Vec<OutOfOrder> {
    let lines_of = |cycle: Option<u64>, labels: &[&str]| -> usize {
        let wanted = |step: &&Step| {
            step.cycle == cycle
                && step
                    .label
                    .as_deref()
                    .is_some_and(|label| labels.contains(&label))
        };
        steps
            .iter()
            .filter(wanted)
            .map(|step| step.added_lines)
            .sum()
    };
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for step in steps.iter().rev() {
        let is_green = step.label.as_deref() == Some("green");
        if !is_green || step.cycle.is_none() || seen.contains(&step.cycle) {
            continue;
        }
        seen.push(step.cycle);
        let source = lines_of(step.cycle, &["green"]);
        let tests = lines_of(step.cycle, &["red", "test"]);
        // Without a red among these steps there is nothing to compare with.
        let is_too_much = tests > 0 && source > SMALL && source > LINES_PER_TEST_LINE * tests;
        let largest = step.touched.iter().find(|file| !file.is_test);
        if let Some(file) = largest.filter(|_| is_too_much) {
            found.push(OutOfOrder {
                rule: Rule::UnaskedSource,
                path: file.path.clone(),
                commit: step.commit.clone(),
                counterpart: None,
                lines: Some((source, tests)),
            });
        }
    }
    found.reverse();
    found
}

fn is_glue(path: &str) -> bool {
    GLUE.contains(&stem(path).as_str())
}

/// Whether a test is about a file: by its name, or because it names it.
fn is_about(test: &TestFile, source: &str) -> bool {
    let subject = stem(source);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names_it = || {
        subject.len() >= 3
            && test
                .text
                .split(|c| !is_word(c))
                .any(|word| word.to_lowercase() == subject)
    };
    tested(&test.path) == subject || names_it()
}

/// The name of a file without folders and extensions, in lower case.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let start = name.split('.').next().unwrap_or(name);
    start.to_lowercase()
}

/// What a test file is about, by its name: `add` of `test_add.py`, `add.test.ts`, `AddTest.java`.
fn tested(path: &str) -> String {
    let name = stem(path);
    let ends = ["_test", "_spec", "-test", "-spec", "tests", "test", "spec"];
    let body = ends
        .iter()
        .find_map(|end| name.strip_suffix(end).filter(|rest| !rest.is_empty()))
        .unwrap_or(&name);
    let body = body.strip_prefix("test_").unwrap_or(body);
    body.trim_end_matches(['_', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(label: &str, paths: &[&str]) -> Step {
        Step {
            label: (!label.is_empty()).then(|| label.to_owned()),
            cycle: (!label.is_empty()).then_some(1),
            touched: paths
                .iter()
                .map(|path| Touched {
                    path: (*path).to_owned(),
                    is_test: path.contains("test"),
                    is_new: true,
                })
                .collect(),
            ..Step::default()
        }
    }

    fn test_file(path: &str, first: Option<usize>, text: &str) -> TestFile {
        TestFile {
            path: path.to_owned(),
            first,
            text: text.to_owned(),
        }
    }

    fn found(steps: &[Step], tests: &[TestFile]) -> Vec<(&'static str, String)> {
        out_of_order(steps, tests)
            .into_iter()
            .map(|found| (found.rule.name(), found.path))
            .collect()
    }

    #[test]
    fn a_test_is_known_by_its_name() {
        for (path, subject) in [
            ("tests/test_add.py", "add"),
            ("src/add.test.ts", "add"),
            ("add_test.go", "add"),
            ("AddTest.java", "add"),
            ("spec/add_spec.rb", "add"),
            ("tests/add.rs", "add"),
            ("tests/AddTests.php", "add"),
            ("test.py", "test"),
        ] {
            assert_eq!(tested(path), subject, "{path}");
        }
    }

    #[test]
    fn source_before_its_test_is_found_on_both_sides() {
        let steps = [step("", &["src/add.py"]), step("", &["tests/test_add.py"])];
        let tests = [test_file("tests/test_add.py", Some(1), "")];
        assert_eq!(
            found(&steps, &tests),
            [
                ("implementation_first", "src/add.py".to_owned()),
                ("test_after", "tests/test_add.py".to_owned()),
            ]
        );
    }

    #[test]
    fn source_after_or_with_its_test_is_fine() {
        for (steps, first) in [
            (
                vec![step("", &["tests/test_add.py"]), step("", &["src/add.py"])],
                Some(0),
            ),
            (
                vec![step("", &["src/add.py", "tests/test_add.py"])],
                Some(0),
            ),
            (vec![step("", &["src/add.py"])], None),
            (vec![step("green", &["src/add.py"])], Some(9)),
            (vec![step("", &["src/__init__.py"])], Some(9)),
        ] {
            let tests = [test_file("tests/test_add.py", first, "")];
            assert_eq!(found(&steps, &tests), [], "{steps:?}");
        }
    }

    #[test]
    fn a_test_of_another_name_counts_if_it_names_the_source() {
        let steps = [step("", &["tests/test_all.py"]), step("", &["src/add.py"])];
        let naming = [test_file(
            "tests/test_all.py",
            Some(0),
            "from src.add import x",
        )];
        assert_eq!(found(&steps, &naming), []);
        let silent = [test_file(
            "tests/test_all.py",
            Some(0),
            "from src.adds import x",
        )];
        assert_eq!(
            found(&steps, &silent),
            [("implementation_first", "src/add.py".to_owned())]
        );
    }

    #[test]
    fn the_journal_is_believed() {
        let mut after = step("test", &["tests/test_add.py"]);
        after.passed_at_once = true;
        let mut early = step("red", &["tests/test_sub.py", "src/sub.py"]);
        early.source_first = true;
        assert_eq!(
            found(&[after, early], &[]),
            [
                ("test_after", "tests/test_add.py".to_owned()),
                ("implementation_first", "src/sub.py".to_owned()),
            ]
        );
    }

    #[test]
    fn more_source_than_the_tests_ask_for() {
        let of = |tests: usize, source: &[usize]| {
            let mut steps = vec![step("red", &["tests/test_add.py"])];
            steps[0].added_lines = tests;
            for lines in source {
                let mut green = step("green", &["src/add.py"]);
                green.added_lines = *lines;
                steps.push(green);
            }
            found(&steps, &[]).len()
        };
        assert_eq!(of(5, &[25]), 0);
        assert_eq!(of(5, &[26]), 1);
        assert_eq!(of(5, &[13, 13]), 1, "partial greens add up");
        assert_eq!(of(1, &[20]), 0, "a few lines are always fine");
        assert_eq!(of(0, &[500]), 0, "the red is not among the steps");
    }
}
