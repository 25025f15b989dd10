//! Real runs of real runners: what each of them says about the same five small projects.
//!
//! Those that come with a usual developer's machine run with the other tests if they are on PATH. The
//! rest is run by `just test-all`, which installs them first.

mod kits;
mod telling;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::programs::are_there;
use git_tcr::rules::{Cause, RedNeeds, TestStatus, Verdict};
use git_tcr::test_run::{Request, Selection, TestCommand, TestRun, Wanted, can_aim, run_tests};

/// A file of a project.
type File = (&'static str, &'static str);

/// A runner, and the project it is tried on.
struct Kit {
    runner: &'static str,
    /// Programs that must be on PATH.
    programs: &'static [&'static str],
    command: &'static str,
    /// Files that all the projects have.
    common: &'static [File],
    pass: File,
    assertion: File,
    /// A test that needs a module which is not there.
    missing: Option<File>,
    /// A test of a function that only says it is not implemented.
    stub: Option<File>,
    /// A project without any test.
    empty: Option<File>,
    /// A test that ends the whole process as if all were well.
    leaves: Option<File>,
}

impl Kit {
    fn project(&self, files: &[File]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (name, content) in self.common.iter().chain(files) {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("inside the project")).expect("a new folder");
            fs::write(path, content).expect("a new file");
        }
        let needs_packages = self.command.contains("node_modules");
        if let Some(packages) = node_packages(self.programs).filter(|_| needs_packages) {
            std::os::unix::fs::symlink(packages, dir.path().join("node_modules"))
                .expect("a new link");
        }
        dir
    }

    fn run(&self, file: File, red_needs: RedNeeds) -> TestRun {
        let dir = self.project(&[file]);
        run(dir.path(), self.command, red_needs)
    }
}

/// The folder of packages from which a program on PATH comes.
fn node_packages(programs: &[&str]) -> Option<PathBuf> {
    programs.iter().find_map(|program| {
        let real = which::which(program).ok()?.canonicalize().ok()?;
        let packages = real
            .ancestors()
            .find(|folder| folder.ends_with("node_modules"))?;
        Some(packages.to_owned())
    })
}

/// The runners whose results were read.
fn names(run: &TestRun) -> Vec<&'static str> {
    run.runners.iter().map(|runner| runner.name).collect()
}

fn run(dir: &Path, command: &str, red_needs: RedNeeds) -> TestRun {
    run_only(dir, command, red_needs, None)
}

fn run_only(dir: &Path, command: &str, red_needs: RedNeeds, only: Option<&Selection>) -> TestRun {
    let environment: Vec<_> = std::env::vars_os()
        // The tests of this project run under cargo, those of the small one must not.
        .filter(|(name, _)| !name.to_string_lossy().starts_with("CARGO_") || name == "CARGO_HOME")
        .filter(|(name, _)| name != "NEXTEST" && name != "RUST_BACKTRACE")
        .collect();
    let request = Request {
        command: &TestCommand::Shell(command.to_owned()),
        dir,
        timeout: Duration::from_secs(300),
        red_needs,
        red_confirm: None,
        report: None,
        known_failures: &BTreeSet::new(),
        environment: &environment,
        prefix: &[],
        only,
    };
    run_tests(&request, &mut |_| {})
}

/// All five projects, and one more behind a task runner.
fn try_out(kit: &Kit) {
    if !are_there(kit.programs) {
        return;
    }
    let expect = |run: &TestRun, verdict: Verdict, what: &str| {
        let told = format!(
            "{what}\n{:#?}\n{:#?}\n{}",
            run.judgement, run.report, run.output
        );
        assert_eq!(run.judgement.verdict, verdict, "{told}");
        assert!(run.judgement.confirmed, "{told}");
    };
    let has = |run: &TestRun, status: TestStatus| {
        let report = run.report.as_ref();
        report.is_some_and(|report| report.tests.iter().any(|test| test.status == status))
    };

    let passing = kit.run(kit.pass, RedNeeds::Error);
    expect(&passing, Verdict::Green, "all pass");
    assert!(has(&passing, TestStatus::Passed), "{passing:#?}");
    assert_eq!(names(&passing), [kit.runner]);

    let failing = kit.run(kit.assertion, RedNeeds::Assertion);
    expect(&failing, Verdict::Red, "an assertion fails");
    assert!(
        has(&failing, TestStatus::Failed(Cause::Assertion)),
        "{failing:#?}"
    );
    assert!(has(&failing, TestStatus::Passed), "{failing:#?}");

    if let Some(missing) = kit.missing {
        expect(
            &kit.run(missing, RedNeeds::Error),
            Verdict::Broken,
            "a module is missing",
        );
    }
    if let Some(stub) = kit.stub {
        let run = kit.run(stub, RedNeeds::Stub);
        expect(&run, Verdict::Red, "a stub");
        assert!(has(&run, TestStatus::Failed(Cause::Stub)), "{run:#?}");
        expect(
            &kit.run(stub, RedNeeds::Assertion),
            Verdict::Broken,
            "a stub, by the strict rule",
        );
    }
    if let Some(empty) = kit.empty {
        expect(
            &kit.run(empty, RedNeeds::Error),
            Verdict::Broken,
            "no tests",
        );
    }
    if let Some(leaves) = kit.leaves {
        expect(
            &kit.run(leaves, RedNeeds::Error),
            Verdict::Broken,
            "an early exit",
        );
    }
    behind_a_task_runner(kit, &failing);
    aimed(kit, &failing);
}

/// Each test alone gives what it gave among the others; those that can't be run alone run all together.
fn aimed(kit: &Kit, whole: &TestRun) {
    let report = whole.report.as_ref().expect("it was read");
    let statuses = |run: &TestRun| -> Vec<(String, TestStatus)> {
        let tests = run.report.iter().flat_map(|report| report.tests.iter());
        let mut statuses: Vec<_> = tests
            .map(|test| (test.id.to_owned(), test.status))
            .collect();
        // Some run their tests in another order each time.
        statuses.sort_by(|one, other| one.0.cmp(&other.0));
        statuses
    };
    let dir = kit.project(&[kit.assertion]);
    let command = TestCommand::Shell(kit.command.to_owned());
    let can_aim = can_aim(&command, dir.path());
    for test in report.tests.iter() {
        let wanted = Wanted {
            id: test.id.to_owned(),
            file: test.file.map(str::to_owned),
            ..Wanted::default()
        };
        let tests = vec![wanted];
        let only = Selection { tests };
        let run = run_only(dir.path(), kit.command, RedNeeds::Error, Some(&only));
        assert_eq!(run.aimed, can_aim, "{run:#?}");
        if can_aim {
            assert_eq!(
                statuses(&run),
                [(test.id.to_owned(), test.status)],
                "{run:#?}"
            );
        } else {
            assert_eq!(statuses(&run), statuses(whole), "{run:#?}");
        }
    }
    let nothing = Selection {
        tests: vec![Wanted {
            file: Some("nowhere".to_owned()),
            name: "nothing".to_owned(),
            ..Wanted::default()
        }],
    };
    let run = run_only(dir.path(), kit.command, RedNeeds::Error, Some(&nothing));
    // GoogleTest has to know the suite.
    if run.aimed {
        assert_eq!(statuses(&run), [], "{run:#?}");
        assert_eq!(run.judgement.verdict, Verdict::Broken, "{run:#?}");
    }
}

/// The same run behind `make test` or `npm test` gives the same tests.
fn behind_a_task_runner(kit: &Kit, plain: &TestRun) {
    let makefile = format!(
        ".PHONY: test\ntest:\n\t{}\n",
        kit.command.replace('$', "$$")
    );
    let manifest = serde_json::json!({ "type": "module", "scripts": { "test": kit.command } });
    let runners = [
        ("make", "make test", "Makefile", makefile),
        ("npm", "npm test", "package.json", manifest.to_string()),
    ];
    for (program, command, file, content) in runners {
        if which::which(program).is_err() {
            println!("skipped: `{program}` is not on PATH");
            continue;
        }
        let dir = kit.project(&[kit.assertion]);
        fs::write(dir.path().join(file), content).expect("a new file");
        let run = run(dir.path(), command, RedNeeds::Assertion);
        assert_eq!(run.judgement.verdict, Verdict::Red, "{command}\n{run:#?}");
        assert_eq!(run.judgement.failing, plain.judgement.failing, "{command}");
        assert_eq!(run.runners, plain.runners, "{command}");
    }
}

#[test]
fn two_runners_in_one_command_are_both_read() {
    if which::which("python3").is_err() || which::which("node").is_err() {
        println!("skipped: `python3` or `node` is not on PATH");
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in [
        (
            "test_a.py",
            "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n",
        ),
        (
            "b.test.mjs",
            "import test from 'node:test';\ntest('b', () => {});\n",
        ),
    ] {
        fs::write(dir.path().join(name), content).expect("a new file");
    }
    let run = run(
        dir.path(),
        "python3 -m unittest && node --test",
        RedNeeds::Error,
    );
    assert_eq!(run.judgement.verdict, Verdict::Green, "{run:#?}");
    assert_eq!(names(&run), ["unittest", "node:test"]);
    let report = run.report.expect("both were read");
    let ids: Vec<&str> = report.tests.iter().map(|test| test.id).collect();
    assert_eq!(ids, ["test_a.T.test_a", "b.test.mjs > b"]);
}

#[test]
fn what_a_test_starts_itself_is_not_the_run() {
    if which::which("python3").is_err() {
        println!("skipped: `python3` is not on PATH");
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in [
        (
            "test_a.py",
            "import subprocess, sys, unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        \
             self.assertNotEqual(subprocess.call([sys.executable, '-m', 'unittest', 'inner']), 0)\n",
        ),
        (
            "inner.py",
            "import unittest\nclass I(unittest.TestCase):\n    def test_fails(self): self.fail()\n",
        ),
    ] {
        fs::write(dir.path().join(name), content).expect("a new file");
    }
    let run = run(dir.path(), "python3 -m unittest test_a", RedNeeds::Error);
    assert_eq!(run.judgement.verdict, Verdict::Green, "{run:#?}");
    assert_eq!(run.report.expect("it was read").tests.len(), 1);
}
