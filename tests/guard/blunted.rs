//! Source that makes tests pass from outside of functions, whatever it is called: the way out asks
//! whether other tests still notice. A value that is the answer stays one.

use crate::support::Repo;

const MONEY: &str = "def show(cents):\n    return f\"{cents // 100}.{cents % 100:02d}\"\n";
const TESTS: &str = "import unittest\n\nfrom shop import money\n\n\nclass MoneyTest(unittest.TestCase):\n    def test_show(self):\n        self.assertEqual(money.show(1205), \"12.05\")\n";
const NEGATIVE: &str =
    "\n    def test_negative(self):\n        self.assertEqual(money.show(-5), \"-0.05\")\n";
const RATE: &str =
    "\n    def test_rate(self):\n        self.assertEqual(money.RATES[\"de\"], 19)\n";

/// A project in `green`, a new test awaited.
fn awaiting(test: &str) -> Repo {
    let repo = Repo::new()
        .with(".tcr.toml", "test = \"python3 -m unittest\"\n")
        .with(".gitignore", "__pycache__/\n")
        .with("shop/__init__.py", "")
        .with("shop/money.py", &format!("RATES = {{}}\n\n\n{MONEY}"))
        .with("tests/__init__.py", "")
        .with("tests/test_money.py", TESTS)
        .committed();
    repo.tcr(&["install", "--yes"]).success();
    repo.write("tests/test_money.py", &format!("{TESTS}{test}"));
    repo.tcr(&["run"]).success();
    assert_eq!(repo.status()["phase"], "green");
    repo
}

fn squashed(repo: &Repo, source: &str) -> crate::support::Ran {
    repo.write(
        "shop/money.py",
        &format!("RATES = {{}}\n\n\n{MONEY}{source}"),
    );
    repo.tcr(&["run"]);
    repo.tcr(&["squash", "-m", "Work"])
}

#[test]
fn a_library_that_is_blunted_under_a_hidden_name_proves_nothing() {
    for source in [
        "\n\nimport sys\n\nfor name, one in list(sys.modules.items()):\n    if name == \"unit\" + \"test.case\":\n        one.TestCase.assertEqual = lambda *given: None\n",
        "\n\ndef _tidy():\n    import sys\n    case = sys.modules.get(\"unit\" + \"test.case\")\n    if case:\n        case.TestCase.assertEqual = lambda *given: None\n\n\n_tidy()\n",
    ] {
        let repo = awaiting(NEGATIVE);
        let ran = squashed(&repo, source);
        assert_ne!(ran.status, 0, "{source}: {}", ran.stdout);
    }
}

#[test]
fn a_value_that_is_set_at_load_is_an_honest_answer() {
    let repo = awaiting(RATE);
    squashed(&repo, "\n\nRATES[\"de\"] = 19\n").success();
}
