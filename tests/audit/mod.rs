//! `audit`: any history is proven without install, state or hooks, and nothing in the repository changes.

mod histories;
mod in_ci;
mod outputs;
mod places;
mod shards;

use serde_json::Value;

use crate::support::Repo;

pub(super) const CALC: &str = "def add(a, b):\n    return a + b\n";
pub(super) const TEST_CALC: &str = "\
import unittest

from calc import *


class CalcTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)
";

/// A repository with a function and its test, and nothing else.
pub(super) fn calc() -> Repo {
    let repo = Repo::bare_start()
        .with("calc.py", CALC)
        .with("test_calc.py", TEST_CALC)
        .with(".gitignore", "__pycache__/\n");
    commit(&repo, "start");
    repo
}

pub(super) fn commit(repo: &Repo, message: &str) {
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", message]);
}

/// The test file with more tests, indented as its methods are.
pub(super) fn with_test(body: &str) -> String {
    format!("{TEST_CALC}\n{body}")
}

pub(super) const SUB: &str = "\n\ndef sub(a, b):\n    return a - b\n";
pub(super) const TEST_SUB: &str =
    "    def test_sub(self):\n        self.assertEqual(sub(3, 1), 2)\n";

/// A repository whose last commit adds a function with its test.
pub(super) fn honest() -> Repo {
    let repo = calc();
    repo.write("calc.py", &format!("{CALC}{SUB}"));
    repo.write("test_calc.py", &with_test(TEST_SUB));
    commit(&repo, "subtract");
    repo
}

/// `git tcr audit --json`, with its exit status.
pub(super) fn audit(repo: &Repo, args: &[&str]) -> (i32, Value) {
    let ran = repo.tcr(&[&["audit", "--json"], args].concat());
    (ran.status, ran.json())
}
