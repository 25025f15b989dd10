use super::*;
use crate::runners::named;
use crate::test_run::recognise::recognise;
use crate::test_run::{OnDisk, TestCommand};

fn found(command: &str) -> Vec<Found> {
    recognise(
        &TestCommand::Shell(command.to_owned()),
        &OnDisk(Path::new("/nowhere")),
    )
}

fn settings(command: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let mut environment: Vec<Variable> = variables
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let before = environment.clone();
    for found in &found(command) {
        let variables = environment.clone();
        let variable = |name: &str| {
            value_of(&variables, name)
                .map(|value| value.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        if let Some(way) = way(
            found,
            Path::new("/h"),
            Path::new("/h/out"),
            &variable,
            None,
            false,
        ) {
            for setting in &way.settings {
                apply(&mut environment, setting);
            }
        }
    }
    environment
        .iter()
        .filter(|variable| !before.contains(variable))
        .map(|(name, value)| format!("{}={}", name.display(), value.display()))
        .collect()
}

#[test]
fn runners_are_asked_by_variables_that_go_with_the_users_own() {
    type Case = (
        &'static str,
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
    );
    let cases: &[Case] = &[
        (
            "pytest",
            &[],
            &["PYTEST_ADDOPTS=-p tcr_pytest", "PYTHONPATH=/h/python"],
        ),
        (
            "pytest",
            &[("PYTEST_ADDOPTS", "-x"), ("PYTHONPATH", "src")],
            &[
                "PYTEST_ADDOPTS=-x -p tcr_pytest",
                "PYTHONPATH=src:/h/python",
            ],
        ),
        (
            "python -m unittest",
            &[("PYTHONPATH", "src")],
            &["PYTHONPATH=/h/python-start:src"],
        ),
        (
            "vitest run && jest",
            &[("NODE_OPTIONS", "--max-old-space-size=99")],
            &["NODE_OPTIONS=--max-old-space-size=99 --require=/h/node/tcr-node-hook.cjs"],
        ),
        (
            "node --test",
            &[],
            &[
                "NODE_OPTIONS=--test-reporter=spec --test-reporter-destination=stdout --test-reporter=/h/node/tcr-node-reporter.mjs --test-reporter-destination=/h/node/nothing",
            ],
        ),
        (
            "node --test --test-reporter=dot --test-reporter-destination=stdout",
            &[],
            &[
                "NODE_OPTIONS=--test-reporter=/h/node/tcr-node-reporter.mjs --test-reporter-destination=/h/node/nothing",
            ],
        ),
        (
            "node --test --test-reporter=dot",
            &[],
            &[
                "NODE_OPTIONS=--test-reporter=/h/node/tcr-node-reporter.mjs --test-reporter-destination=/h/node/nothing --test-reporter-destination=stdout",
            ],
        ),
        (
            "node --test --test-reporter=dot --test-reporter=tap",
            &[],
            &[],
        ),
        ("phpunit", &[], &["PHP_INI_SCAN_DIR=:/h/php"]),
        (
            "phpunit",
            &[("PHP_INI_SCAN_DIR", "/etc/php")],
            &["PHP_INI_SCAN_DIR=/etc/php:/h/php"],
        ),
        (
            "rspec -f doc",
            &[],
            &[
                "SPEC_OPTS=--require /h/ruby/tcr_rspec.rb --format doc --format json --out /h/out/rspec.json",
            ],
        ),
        (
            "rspec --format RspecJunitFormatter --out mine.xml",
            &[],
            &[],
        ),
        ("rspec", &[("SPEC_OPTS", "--format html")], &[]),
        (
            "go test ./...",
            &[("PATH", "/bin")],
            &["PATH=/h/shims:/bin", "GIT_TCR_SHIMS=/h/shims"],
        ),
        ("/usr/local/go/bin/go test ./...", &[("PATH", "/bin")], &[]),
        ("prove t", &[], &["PERL_TEST_HARNESS_DUMP_TAP=/h/out/tap"]),
        ("prove t", &[("PERL_TEST_HARNESS_DUMP_TAP", "/mine")], &[]),
        ("./x_test", &[], &["GTEST_OUTPUT=xml:/h/out/gtest/"]),
        (
            "bun test",
            &[],
            &["BUN_OPTIONS=--reporter=junit --reporter-outfile=/h/out/bun.xml"],
        ),
        (
            "bun test --reporter=junit --reporter-outfile=mine.xml",
            &[],
            &[],
        ),
        ("cargo test", &[], &[]),
        ("docker compose exec web pytest", &[], &[]),
        ("true", &[], &[]),
    ];
    for (command, variables, expected) in cases {
        assert_eq!(settings(command, variables), *expected, "{command}");
    }
}

#[test]
fn nothing_is_written_if_nobody_is_asked() {
    for command in ["true", "cargo test", "docker run x pytest", "mvn test"] {
        let injection =
            Injection::prepare(&found(command), &[], None, &|_| false).expect("no file is touched");
        assert!(injection.is_none(), "{command}");
    }
}

#[test]
fn a_runner_that_writes_to_one_file_is_not_asked_twice() {
    for command in ["bun test a; bun test b", "rspec a && rspec b"] {
        let injection = Injection::prepare(&found(command), &[], None, &|_| false)
            .expect("a temporary directory");
        assert!(injection.is_none(), "{command}");
    }
    let injection = Injection::prepare(&found("pytest a; pytest b"), &[], None, &|_| false);
    assert!(injection.expect("a temporary directory").is_some());
}

#[test]
fn reports_are_read_by_the_names_of_their_files() {
    let injection = Injection::prepare(&found("prove t && phpunit"), &[], None, &|_| false)
        .expect("a temporary directory")
        .expect("both are asked");
    for (name, content) in [
        ("tap/t/a.t", "1..1\nok 1 - works\n"),
        ("phpunit-7.xml", ""),
        ("unknown.txt", "x"),
    ] {
        let path = injection.out().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a new folder");
        fs::write(path, content).expect("a new file");
    }
    let reports = injection.reports();
    assert_eq!(
        reports.keys().map(|runner| runner.name).collect::<Vec<_>>(),
        ["prove"]
    );
    let (format, report) = &reports[named("prove").expect("it is on the shelf")][0];
    assert_eq!(format.name, "TAP");
    let report = report.as_ref().expect("it is well formed");
    assert_eq!(report.tests.get(0).expect("a test").id, "t/a.t > works");
}

#[test]
fn a_usage_error_is_known_by_what_it_names() {
    let injection = Injection::prepare(&found("pytest"), &[], None, &|_| false)
        .expect("a temporary directory")
        .expect("it is asked");
    let folder = injection.folder.path().display();
    let cases = [
        (format!("cannot open {folder}/node/x"), true),
        ("Error importing plugin \"tcr_pytest\"".to_owned(), true),
        ("node: --test-reporter= is not allowed".to_owned(), true),
        ("SyntaxError: invalid syntax".to_owned(), false),
    ];
    for (output, blamed) in cases {
        assert_eq!(
            injection.is_blamed(&output, &Exit::Code(1)),
            blamed,
            "{output}"
        );
    }
}
