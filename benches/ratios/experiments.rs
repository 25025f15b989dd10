//! What experiments cost next to plain runs of the tests, on a suite of 2,000 tests. They need a
//! runner that can be aimed: where pytest is not on PATH these lines are left out.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::Options;
use crate::measure::{Ratio, Sides, medians};
use crate::support::Repo;

const FILES: usize = 100;
const TESTS_PER_FILE: usize = 20;
/// Each round runs the suite several times.
const MOST_ROUNDS: usize = 7;

/// Every line of this part.
pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("experiment") {
        return;
    }
    if Command::new("pytest").arg("--version").output().is_err() {
        println!("(no pytest on PATH: nothing is said of experiments)");
        return;
    }
    let rounds = options.rounds.min(MOST_ROUNDS);
    edits_in_green(rounds, show);
    show(proof_in_one_round(rounds));
    show(way_out(rounds));
}

/// A project with its suite, installed.
fn project() -> Repo {
    let repo = Repo::bare_start();
    repo.write(".gitignore", "__pycache__/\n.pytest_cache/\n");
    repo.write("pytest.ini", "[pytest]\npythonpath = .\n");
    repo.write("shop/__init__.py", "");
    repo.write("shop/money.py", "def same(n):\n    return n\n");
    for file in 0..FILES {
        let test = |number: usize| {
            format!("def test_{file}_{number}():\n    assert same({number}) == {number}\n\n\n")
        };
        let tests: String = (0..TESTS_PER_FILE).map(test).collect();
        let text = format!("from shop.money import same\n\n\n{tests}");
        repo.write(&format!("tests/test_{file}.py"), &text);
    }
    repo.write(".tcr.toml", "test = \"pytest -q\"\npatience = 1000\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    repo.installed()
}

fn timed(repo: &Repo, program: &str, args: &[&str]) -> Duration {
    let began = Instant::now();
    let done = repo.command(program).args(args).output();
    assert!(done.is_ok(), "{program} runs");
    began.elapsed()
}

fn asks(round: usize) -> String {
    format!(
        "from shop import extra\n\n\ndef test_new_{round}():\n    assert extra.of_{round}(4) == 2\n"
    )
}

fn answers(round: usize) -> String {
    format!("def of_{round}(n):\n    return n // 2\n")
}

/// An edit that does not pass yet, while one test of 2,000 is awaited.
fn edits_in_green(rounds: usize, show: &mut dyn FnMut(Ratio)) {
    let repo = project();
    repo.write("tests/test_new.py", &asks(0));
    repo.write(
        "shop/extra.py",
        "def of_0(n):\n    raise NotImplementedError\n",
    );
    repo.tcr(&["run"]);
    let size = format!("{} tests, 1 awaited", FILES * TESTS_PER_FILE);
    let mut edit = |round: usize| {
        repo.write(
            "shop/extra.py",
            &format!("def of_0(n):\n    return n + {}\n", round + 9),
        );
        timed(&repo, env!("CARGO_BIN_EXE_git-tcr"), &["run"])
    };
    let (ours, alone) = medians(
        rounds,
        &mut Sides {
            ours: &mut edit,
            yardstick: &mut |_| timed(&repo, "pytest", &["-q", "tests/test_new.py::test_new_0"]),
        },
    );
    show(Ratio::new(
        "experiment: edit in green / its test",
        &size,
        ours,
        alone,
        1.3,
    ));
    let suite = timed(&repo, "pytest", &["-q"]);
    show(Ratio::new(
        "experiment: edit in green / suite",
        &size,
        ours,
        suite,
        1.0,
    ));
}

/// A test and its code in one round: shown by experiment, committed as red and green.
fn proof_in_one_round(rounds: usize) -> Ratio {
    let repo = project();
    let (ours, suite) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                repo.write(
                    &format!("tests/test_new_{round}.py"),
                    &asks(round).replace("extra", &format!("extra_{round}")),
                );
                repo.write(&format!("shop/extra_{round}.py"), &answers(round));
                timed(&repo, env!("CARGO_BIN_EXE_git-tcr"), &["run"])
            },
            yardstick: &mut |_| timed(&repo, "pytest", &["-q"]),
        },
    );
    let size = format!("{} tests", FILES * TESTS_PER_FILE);
    Ratio::new("experiment: red and green / suite", &size, ours, suite, 1.3)
}

/// The proof before a squash.
fn way_out(rounds: usize) -> Ratio {
    let repo = project();
    let (ours, suite) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                repo.write(
                    &format!("tests/test_new_{round}.py"),
                    &asks(round).replace("extra", &format!("extra_{round}")),
                );
                repo.write(&format!("shop/extra_{round}.py"), &answers(round));
                repo.tcr(&["run"]);
                timed(
                    &repo,
                    env!("CARGO_BIN_EXE_git-tcr"),
                    &["squash", "-m", "more"],
                )
            },
            yardstick: &mut |_| timed(&repo, "pytest", &["-q"]),
        },
    );
    let size = format!("{} tests", FILES * TESTS_PER_FILE);
    Ratio::new("experiment: the way out / suite", &size, ours, suite, 3.3)
}
