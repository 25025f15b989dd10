//! Small histories and what is said of each: who is proven, who is accused, and of what.

use serde_json::Value;

use super::{CALC, SUB, TEST_CALC, TEST_SUB, audit, calc, commit, with_test};
use crate::support::Repo;

/// What is said of a range, in words: its answers, tests that check less, functions.
fn told(found: &Value) -> String {
    let document = &found["changes"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut said = vec![format!(
        "{}: works {}, asked {}",
        text(&document["verdict"]),
        text(&document["works"]["answer"]),
        text(&document["asked"]["answer"])
    )];
    for test in list(&document["old_tests"]) {
        let name = text(&test["test"]);
        let name = name
            .rsplit(['.', ' '])
            .next()
            .unwrap_or_default()
            .to_owned();
        said.push(format!("{name} {}", text(&test["fate"])));
    }
    for function in list(&document["functions"]) {
        said.push(format!(
            "{} {}",
            text(&function["name"]),
            text(&function["word"])
        ));
    }
    for path in list(&document["harness_changed"]) {
        said.push(format!("harness {}", text(&path)));
    }
    said.join("; ")
}

/// Files as a commit leaves them; nothing takes one away.
type Files<'a> = &'a [(&'a str, &'a str)];

fn apply(repo: &Repo, files: Files<'_>) {
    for (path, content) in files {
        match *content {
            "" => repo.remove(path),
            content => repo.write(path, content),
        }
    }
}

#[track_caller]
fn says(repo: &Repo, status: i32, expected: &str) {
    let (exit, found) = audit(repo, &["HEAD^!"]);
    assert_eq!(
        (told(&found).as_str(), exit),
        (expected, status),
        "{found:#}"
    );
}

/// A base, what the commit after it does, the exit status, and what is said.
#[track_caller]
fn case(base: Files<'_>, change: Files<'_>, status: i32, expected: &str) {
    let repo = calc();
    apply(&repo, base);
    if !base.is_empty() {
        commit(&repo, "base");
    }
    apply(&repo, change);
    commit(&repo, "change");
    says(&repo, status, expected);
}

#[test]
fn a_function_with_its_test_is_proven() {
    let source = format!("{CALC}{SUB}");
    case(
        &[],
        &[("calc.py", &source), ("test_calc.py", &with_test(TEST_SUB))],
        0,
        "proven: works green, asked proven; sub proven",
    );
}

#[test]
fn a_function_without_a_test_is_untested() {
    let source = format!("{CALC}{SUB}");
    case(
        &[],
        &[("calc.py", &source)],
        1,
        "wanting: works green, asked unproven; sub untested",
    );
}

#[test]
fn a_test_that_asks_nothing_is_named() {
    let source = format!("{CALC}{SUB}");
    let asks_nothing = "    def test_sub(self):\n        sub(3, 1)\n";
    case(
        &[],
        &[
            ("calc.py", &source),
            ("test_calc.py", &with_test(asks_nothing)),
        ],
        1,
        "wanting: works green, asked proven; sub called_not_checked",
    );
}

#[test]
fn what_its_own_test_does_not_check_another_may() {
    let source = "def add(a, b):\n    return int(a) + int(b)\n";
    let smoke = "    def test_text(self):\n        add('1', '2')\n        int('1')\n";
    case(
        &[],
        &[("calc.py", source), ("test_calc.py", &with_test(smoke))],
        1,
        "wanting: works green, asked unproven; add proven",
    );
}

#[test]
fn a_test_that_passes_without_its_fix_is_unproven() {
    let fixed = "def add(a, b):\n    return (a or 0) + (b or 0)\n";
    let test = "    def test_none(self):\n        self.assertEqual(add(2, 2), 4)\n";
    case(
        &[],
        &[("calc.py", fixed), ("test_calc.py", &with_test(test))],
        1,
        "wanting: works green, asked unproven; add proven",
    );
}

#[test]
fn a_fix_with_its_test_is_proven() {
    let fixed = "def add(a, b):\n    return (a or 0) + (b or 0)\n";
    let test = "    def test_none(self):\n        self.assertEqual(add(None, 2), 2)\n";
    case(
        &[],
        &[("calc.py", fixed), ("test_calc.py", &with_test(test))],
        0,
        "proven: works green, asked proven; add proven",
    );
}

#[test]
fn a_refactoring_is_proven_by_the_tests_that_are_there() {
    let other = "def add(a, b):\n    total = a\n    total += b\n    return total\n";
    case(
        &[],
        &[("calc.py", other)],
        0,
        "proven: works green, asked proven; add proven",
    );
}

#[test]
fn moves_names_docs_and_dependencies_are_not_accused() {
    let renamed = CALC.replace("add", "plus");
    let test = TEST_CALC.replace("add", "plus");
    let (exit, found) = {
        let repo = calc();
        repo.write("calc.py", &renamed);
        repo.write("test_calc.py", &test);
        commit(&repo, "rename");
        audit(&repo, &["HEAD^!"])
    };
    assert_eq!(exit, 0, "{found:#}");
    // A whole file moves.
    case(
        &[],
        &[
            ("calc.py", ""),
            ("sums.py", CALC),
            (
                "test_calc.py",
                &TEST_CALC.replace("calc import", "sums import"),
            ),
        ],
        0,
        "proven: works green, asked proven",
    );
    case(
        &[],
        &[("README.md", "Sums.\n")],
        0,
        "nothing: works not_asked, asked nothing",
    );
    case(
        &[],
        &[("requirements.txt", "\n# none\n")],
        0,
        "proven: works green, asked nothing",
    );
    case(
        &[],
        &[("calc.py", "def add(a, b):\n    # Sums.\n    return a + b\n")],
        0,
        "nothing: works not_asked, asked nothing",
    );
}

#[test]
fn a_test_with_another_name_and_more_in_it_is_not_removed() {
    let more =
        TEST_CALC.replace("test_add", "test_sums") + "        self.assertEqual(add(2, 2), 4)\n";
    case(
        &[],
        &[("test_calc.py", &more)],
        0,
        "proven: works green, asked nothing; test_add kept",
    );
    // The name changes, and what is expected follows the code.
    let source = "def add(a, b):\n    return a + b + 1\n";
    let test = TEST_CALC
        .replace("test_add", "test_sums")
        .replace("add(1, 2), 3", "add(1, 2), 4");
    case(
        &[],
        &[("calc.py", source), ("test_calc.py", &test)],
        0,
        "proven: works green, asked proven; test_add respecified; add proven",
    );
    // Another name hides nothing.
    let base = TEST_CALC.to_owned() + "        self.assertEqual(add(2, 2), 4)\n";
    let weak = (base.replace("test_add", "test_sums"))
        .replace("assertEqual(", "assertTrue([")
        .replace("3)", "3])")
        .replace("4)", "4])");
    case(
        &[("test_calc.py", &base)],
        &[("test_calc.py", &weak)],
        1,
        "wanting: works green, asked nothing; test_add weakened",
    );
}

#[test]
fn a_refactoring_whose_tests_are_put_in_other_words_is_not_accused() {
    let base = "def name(a):\n    return 'name: {}'.format(a)\n";
    let test = "import unittest\n\nfrom name import name\n\n\nclass NameTest(unittest.TestCase):\n    def test_name(self):\n        self.assertEqual(name('a'), 'name: {}'.format('a'))\n";
    let reworded = test.replace("'name: {}'.format('a')", "f'name: {\"a\"}'");
    let refactored = "def name(a):\n    return f'name: {a}'\n";
    case(
        &[("name.py", base), ("test_name.py", test)],
        &[("name.py", refactored), ("test_name.py", &reworded)],
        0,
        "proven: works green, asked proven; test_name kept; name proven",
    );
}

#[test]
fn tests_that_are_added_alone_need_no_source() {
    let test = "    def test_more(self):\n        self.assertEqual(add(2, 2), 4)\n";
    case(
        &[],
        &[("test_calc.py", &with_test(test))],
        0,
        "proven: works green, asked nothing",
    );
}

#[test]
fn a_weakened_test_is_named() {
    let weak = TEST_CALC.replace("assertEqual(add(1, 2), 3)", "assertIsNotNone(type(add))");
    case(
        &[],
        &[("test_calc.py", &weak)],
        1,
        "wanting: works green, asked nothing; test_add weakened",
    );
}

/// A module whose functions run while it is loaded: as a decorator, in a class body, for a constant.
const RUNS_AT_LOAD: &str = "\
def step():
    return 1


def table(first):
    return {'add': first}


def known(function):
    NAMES[function.__name__] = step()
    return function


NAMES = table(step())


class Sums:
    size = max(step(), 1)


@known
def add(a, b):
    return a + b
";

#[test]
fn a_weakened_test_is_named_where_functions_run_at_load() {
    let base = [("calc.py", RUNS_AT_LOAD)];
    let weaker = [
        "assertEqual(add(1, 2), 3)",
        "assertTrue(True)",
        "assertTrue([add(1, 2)])",
    ];
    for weak in &weaker[1..] {
        let weak = TEST_CALC.replace(weaker[0], weak);
        let expected = "wanting: works green, asked nothing; test_add weakened";
        case(&base, &[("test_calc.py", &weak)], 1, expected);
    }
    for same in [
        "assertEqual(3, add(1, 2), 'a sum')",
        "assertIn(add(1, 2), [3])",
    ] {
        let same = TEST_CALC.replace(weaker[0], same);
        let expected = "proven: works green, asked nothing; test_add kept";
        case(&base, &[("test_calc.py", &same)], 0, expected);
    }
}

#[test]
fn an_expected_value_that_follows_the_code_is_no_weakening() {
    let source = "def add(a, b):\n    return a + b + 1\n";
    let test = TEST_CALC.replace("add(1, 2), 3", "add(1, 2), 4");
    case(
        &[],
        &[("calc.py", source), ("test_calc.py", &test)],
        0,
        "proven: works green, asked proven; test_add respecified; add proven",
    );
}

#[test]
fn removed_and_skipped_tests_are_named() {
    let two = with_test("    def test_more(self):\n        self.assertEqual(add(2, 2), 4)\n");
    case(
        &[("test_calc.py", &two)],
        &[("test_calc.py", TEST_CALC)],
        1,
        "wanting: works green, asked nothing; test_more removed",
    );
    let skipped = two.replace(
        "    def test_more",
        "    @unittest.skip('later')\n    def test_more",
    );
    case(
        &[("test_calc.py", &two)],
        &[("test_calc.py", &skipped)],
        1,
        "wanting: works green, asked nothing; test_more skipped",
    );
}

#[test]
fn a_test_that_goes_with_its_code_is_no_loss() {
    let source = format!("{CALC}{SUB}");
    let test = with_test(TEST_SUB);
    case(
        &[("calc.py", &source), ("test_calc.py", &test)],
        &[("calc.py", CALC), ("test_calc.py", TEST_CALC)],
        0,
        "proven: works green, asked nothing; test_sub removed_with_its_code",
    );
}

#[test]
fn a_helper_of_tests_that_lets_everything_pass_is_named() {
    let helper = "def same(case, a, b):\n    case.assertEqual(a, b)\n";
    let blunt = "def same(case, a, b):\n    pass\n";
    let test = TEST_CALC
        .replace("from calc", "from tests.helper import same\nfrom calc")
        .replace("self.assertEqual(add(1, 2), 3)", "same(self, add(1, 2), 3)");
    case(
        &[
            ("tests/__init__.py", "\n"),
            ("tests/helper.py", helper),
            ("test_calc.py", &test),
        ],
        &[("tests/helper.py", blunt)],
        1,
        "wanting: works green, asked nothing; test_add weakened",
    );
}

#[test]
fn what_does_not_work_is_no_proof() {
    case(
        &[],
        &[("calc.py", "def add(a, b):\n    return a\n")],
        1,
        "wanting: works not_green, asked unknown; add unknown",
    );
}

#[test]
fn a_test_that_failed_before_is_known() {
    let fails = with_test("    def test_wrong(self):\n        self.assertEqual(add(1, 1), 3)\n");
    let source = format!("{CALC}{SUB}");
    let both = format!("{fails}\n{TEST_SUB}");
    case(
        &[("test_calc.py", &fails)],
        &[("calc.py", &source), ("test_calc.py", &both)],
        0,
        "proven: works green, asked proven; sub proven",
    );
}

#[test]
fn the_command_and_the_classes_come_from_the_base() {
    let repo = calc();
    repo.write(".tcr.toml", "test = \"python3 -m unittest\"\n");
    commit(&repo, "config");
    repo.write(".tcr.toml", "test = \"true\"\nexempt = [\"*.py\"]\n");
    repo.write("calc.py", &format!("{CALC}{SUB}"));
    commit(&repo, "nothing to see");
    let (exit, found) = audit(&repo, &["HEAD^!"]);
    assert_eq!(exit, 1, "{found:#}");
    assert_eq!(found["test"], serde_json::json!(["python3 -m unittest"]));
    assert_eq!(found["rules_from"], "`.tcr.toml` of the base");
}

#[test]
fn tests_that_were_never_made_ready_accuse_nobody() {
    let repo = calc();
    repo.write("Makefile", "test:\n\tno-such-program --all\n");
    commit(&repo, "makefile");
    repo.write("calc.py", &format!("{CALC}{SUB}"));
    commit(&repo, "untested");
    let (exit, found) = audit(&repo, &["HEAD^!", "--test", "make test"]);
    assert_eq!(exit, 2, "{found:#}");
    // Another way was found, and works.
    let (exit, found) = audit(&repo, &["HEAD^!"]);
    assert_eq!(exit, 1, "{found:#}");
    assert_eq!(found["changes"][0]["functions"][0]["word"], "untested");
}

#[test]
fn each_commit_is_asked_by_itself() {
    let repo = super::honest();
    repo.write(
        "calc.py",
        &format!("{CALC}{SUB}\n\ndef mul(a, b):\n    return a * b\n"),
    );
    commit(&repo, "multiply");
    let (exit, found) = audit(&repo, &["--each", "HEAD~2..HEAD"]);
    assert_eq!(exit, 1, "{found:#}");
    let verdicts: Vec<&str> = found["changes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["verdict"].as_str().expect("a word"))
        .collect();
    assert_eq!(verdicts, ["proven", "wanting"]);
    assert_eq!(found["changes"][1]["subject"], "multiply");
}
