use super::*;

fn environment() -> Vec<Variable> {
    std::env::vars_os().collect()
}

fn run_in(dir: &Path, command: &str) -> TestRun {
    run_in_environment(dir, command, &environment())
}

fn run_in_environment(dir: &Path, command: &str, environment: &[Variable]) -> TestRun {
    let known_failures = BTreeSet::new();
    let request = Request {
        command: &TestCommand::Shell(command.to_owned()),
        dir,
        timeout: Duration::from_secs(120),
        red_needs: RedNeeds::Error,
        red_confirm: None,
        report: None,
        known_failures: &known_failures,
        environment,
        prefix: &[],
        only: None,
    };
    run_tests(&request, &mut |_| {})
}

fn run(command: &str) -> TestRun {
    let dir = tempfile::tempdir().expect("a temporary directory");
    run_in(dir.path(), command)
}

#[test]
fn without_a_report_the_exit_status_speaks_unconfirmed() {
    for (command, verdict, confirmed) in [
        ("true", Verdict::Green, false),
        ("false", Verdict::Red, false),
        ("no-such-program-here", Verdict::Broken, true),
        (
            r"printf '\033[31merror\033[0m: No test modules found\n'; false",
            Verdict::Broken,
            true,
        ),
    ] {
        let run = run(command);
        assert_eq!(run.judgement.verdict, verdict, "{command}");
        assert_eq!(run.judgement.confirmed, confirmed, "{command}");
        assert!(run.runners.is_empty(), "{command}");
    }
}

#[test]
fn red_confirm_confirms() {
    let known_failures = BTreeSet::new();
    let pattern = Regex::new("^FAILED: ").expect("a pattern");
    let request = Request {
        command: &TestCommand::Shell("echo FAILED: x; exit 1".to_owned()),
        dir: Path::new("/"),
        timeout: Duration::from_secs(60),
        red_needs: RedNeeds::Assertion,
        red_confirm: Some(&pattern),
        report: None,
        known_failures: &known_failures,
        environment: &environment(),
        prefix: &[],
        only: None,
    };
    let run = run_tests(&request, &mut |_| {});
    assert_eq!(run.judgement.verdict, Verdict::Red);
    assert!(run.judgement.confirmed);
    assert_eq!(run.output, "FAILED: x\n");
}

/// A program on PATH that does what a script says.
fn fake(dir: &Path, name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a new file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("our file");
    format!("PATH={}:$PATH; {name}", dir.display())
}

#[test]
fn a_runner_that_leaves_nothing_is_not_believed() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (script, exit) in [("exit 0", 0), ("echo oops; exit 3", 3)] {
        let run = run_in(dir.path(), &fake(dir.path(), "pytest", script));
        assert_eq!(run.exit, Exit::Code(exit));
        assert_eq!(run.judgement.verdict, Verdict::Broken, "{script}");
        assert!(run.judgement.reason.contains("`pytest` left no result"));
    }
}

#[test]
fn an_injection_that_breaks_the_run_is_taken_back() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (exit, verdict) in [(0, Verdict::Green), (1, Verdict::Broken)] {
        let script = format!(
            "case $PYTEST_ADDOPTS in *tcr*) echo 'Error importing plugin tcr_pytest'; exit 4;; esac\n\
             echo plain; exit {exit}"
        );
        let run = run_in(dir.path(), &fake(dir.path(), "pytest", &script));
        assert_eq!(run.exit, Exit::Code(exit));
        assert_eq!(run.output, "plain\n");
        assert_eq!(run.judgement.verdict, verdict);
    }
}

#[test]
fn a_runner_that_does_not_find_our_code_is_asked_for_its_own_report() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let script = "case $PYTEST_ADDOPTS in *tcr_pytest*) echo 'Error importing plugin tcr_pytest'; exit 4;; esac\n\
         report=${PYTEST_ADDOPTS##*--junitxml=}\n\
         echo '<testsuites><testsuite name=\"pytest\"><testcase classname=\"test_a\" name=\"test_x\" file=\"test_a.py\"/>\
         </testsuite></testsuites>' > \"$report\"";
    for end in ["", " | cat"] {
        let command = fake(dir.path(), "pytest", script) + end;
        let run = run_in(dir.path(), &command);
        assert_eq!(run.judgement.verdict, Verdict::Green, "{run:#?}");
        let report = run.report.expect("it was read");
        let ids: Vec<&str> = report.tests.iter().map(|test| test.id).collect();
        assert_eq!(ids, ["test_a.py::test_x"]);
    }
}

#[test]
fn a_recognised_runner_gets_a_folder_that_is_gone_afterwards() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let run = run_in(
        dir.path(),
        &fake(dir.path(), "pytest", "ls -d $GIT_TCR_OUT"),
    );
    let folder = Path::new(run.output.trim());
    assert!(folder.is_absolute(), "{folder:?}");
    assert!(!folder.exists());
}

#[test]
fn tap_on_the_output_is_read() {
    let run = run("printf '1..2\\nok 1 - works\\nnot ok 2 - fails\\n'; exit 1");
    assert_eq!(run.judgement.verdict, Verdict::Red, "{:?}", run.judgement);
    assert!(run.judgement.confirmed);
}

#[test]
fn a_report_that_bats_is_still_writing_is_waited_for() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let programs = tempfile::tempdir().expect("a temporary directory");
    let report = "<testsuites><testsuite name=\"a.bats\" tests=\"1\">\
        <testcase classname=\"a.bats\" name=\"x\" /></testsuite></testsuites>";
    let script = format!(
        "report=$4/report.xml\n: > $report\n\
         (while kill -0 $$; do :; done; echo '{report}' > $report) > /dev/null 2>&1 &\n\
         echo 1..1; echo ok 1 x"
    );
    fake(programs.path(), "bats", &script);
    let path = std::env::join_paths(std::iter::once(programs.path().to_owned()).chain(
        std::env::split_paths(&std::env::var_os("PATH").expect("PATH is set")),
    ));
    let mut environment = environment();
    environment.retain(|(name, _)| name != "PATH");
    environment.push(("PATH".into(), path.expect("plain paths")));
    let run = run_in_environment(dir.path(), "bats test", &environment);
    assert_eq!(run.judgement.verdict, Verdict::Green, "{run:#?}");
    let report = run.report.expect("it was read");
    let ids: Vec<&str> = report.tests.iter().map(|test| test.id).collect();
    assert_eq!(ids, ["a.bats > x"]);
}
