use super::*;

/// A project as paths and contents.
pub(super) type Files = &'static [(&'static str, &'static str)];

fn runners(command: &str, files: Files) -> Vec<&'static str> {
    search(command, files)
        .into_iter()
        .map(|found| found.runner.name)
        .collect()
}

impl Project for Files {
    fn text(&self, file: &Path) -> Option<String> {
        self.iter()
            .find(|(name, _)| Path::new(name) == file)
            .map(|(_, content)| (*content).to_owned())
    }

    fn folders(&self, folder: &Path) -> Vec<String> {
        let inside = self
            .iter()
            .filter_map(|(name, _)| Path::new(name).strip_prefix(folder).ok());
        let mut names: Vec<String> = inside
            .filter(|path| path.iter().count() > 1)
            .filter_map(|path| path.iter().next()?.to_str().map(str::to_owned))
            .collect();
        names.dedup();
        names
    }
}

pub(super) fn search(command: &str, files: Files) -> Vec<Found> {
    recognise(&TestCommand::Shell(command.to_owned()), &files)
}

const NOTHING: Files = &[];

#[test]
fn runners_are_known_by_their_names_and_arguments() {
    let cases: &[(&str, &[&str])] = &[
        ("pytest -q", &["pytest"]),
        ("/usr/bin/python3.12 -m pytest tests", &["pytest"]),
        ("python -W error -m unittest discover", &["unittest"]),
        ("python manage.py test", &["unittest"]),
        ("python manage.py migrate", &[]),
        ("node_modules/.bin/vitest run", &["vitest"]),
        (
            "node --no-warnings node_modules/jest/bin/jest.js --ci",
            &["jest"],
        ),
        ("react-scripts test --watchAll=false", &["jest"]),
        ("mocha 'test/**/*.js'", &["mocha"]),
        ("node --test", &["node:test"]),
        ("node --import tsx --test src/*.ts", &["node:test"]),
        ("bun test", &["bun test"]),
        ("deno test -A", &["deno test"]),
        ("cargo test --workspace", &["cargo test"]),
        ("cargo +nightly t", &["cargo test"]),
        ("cargo nextest run", &["nextest"]),
        ("cargo llvm-cov nextest", &["nextest"]),
        ("cargo build", &[]),
        ("go test ./...", &["go test"]),
        ("go vet ./...", &[]),
        ("gotestsum -- ./...", &["go test"]),
        ("vendor/bin/phpunit", &["PHPUnit"]),
        ("php -d memory_limit=-1 vendor/bin/phpunit", &["PHPUnit"]),
        ("php artisan test", &["PHPUnit"]),
        ("rspec", &["RSpec"]),
        ("bin/rails test", &["minitest"]),
        ("ruby -Itest test/calc_test.rb", &["minitest", "test-unit"]),
        ("mvn -q test", &["Surefire"]),
        ("./mvnw verify", &["Surefire"]),
        ("mvn compile", &[]),
        ("./gradlew :app:testDebug", &["Gradle"]),
        ("gradle assemble", &[]),
        ("mix test", &["ExUnit"]),
        ("ctest --test-dir build", &["CTest"]),
        ("cmake --build b --target test", &["CTest"]),
        ("./build/calc_test", &["GoogleTest"]),
        ("bats test", &["bats"]),
        ("prove -lr t", &["prove"]),
        ("./Build test", &["prove"]),
        ("true", &[]),
        ("echo pytest", &[]),
        ("", &[]),
        ("'", &[]),
    ];
    for (command, expected) in cases {
        assert_eq!(&runners(command, &[]), expected, "{command}");
    }
}

#[test]
fn wrappers_are_looked_through() {
    let cases: &[(&str, &[&str])] = &[
        ("A=b C='d e' pytest", &["pytest"]),
        ("env -u X A=b pytest", &["pytest"]),
        ("cross-env CI=1 vitest run", &["vitest"]),
        ("timeout -k 5 60 pytest", &["pytest"]),
        ("nice -n 10 cargo test", &["cargo test"]),
        ("time -p go test ./...", &["go test"]),
        ("npx --yes vitest run", &["vitest"]),
        ("npm exec -- jest", &["jest"]),
        ("pnpm exec vitest", &["vitest"]),
        ("pnpm vitest run", &["vitest"]),
        ("yarn jest --ci", &["jest"]),
        ("bunx jest", &["jest"]),
        ("uv run --with pytest-cov pytest", &["pytest"]),
        ("uv run python -m pytest", &["pytest"]),
        ("uvx --from pytest pytest", &["pytest"]),
        ("poetry run pytest", &["pytest"]),
        ("pdm run pytest", &["pytest"]),
        ("pipenv run python -m unittest", &["unittest"]),
        ("hatch test", &["pytest"]),
        ("hatch run pytest", &["pytest"]),
        ("hatch run test:pytest -q", &["pytest"]),
        ("hatch run test:python -m unittest", &["unittest"]),
        ("conda run -n env pytest", &["pytest"]),
        ("coverage run -m pytest -q", &["pytest"]),
        (
            "python -m coverage run --source x -m unittest",
            &["unittest"],
        ),
        ("bundle exec rspec", &["RSpec"]),
        ("mise exec node@22 -- npx vitest", &["vitest"]),
        ("nix develop -c cargo test", &["cargo test"]),
        ("nix-shell --run 'cargo nextest run'", &["nextest"]),
        ("c8 --reporter lcov mocha", &["mocha"]),
        ("sh -c 'pytest -q'", &["pytest"]),
        ("bash -euo pipefail -c 'cd x && pytest'", &["pytest"]),
        ("xvfb-run -a npx jest", &["jest"]),
        ("docker compose exec -T web pytest", &["pytest"]),
        (
            "docker compose -f a.yml run --rm web python -m pytest",
            &["pytest"],
        ),
        ("docker exec -it box bundle exec rspec", &["RSpec"]),
        ("docker-compose run web mix test", &["ExUnit"]),
        ("kubectl exec pod -- pytest", &["pytest"]),
        ("docker build .", &[]),
    ];
    for (command, expected) in cases {
        assert_eq!(&runners(command, &[]), expected, "{command}");
    }
}

#[test]
fn chains_may_hold_several_runners() {
    let cases: &[(&str, &[&str])] = &[
        ("ruff check && pytest -q", &["pytest"]),
        ("pytest tests; pytest tests2", &["pytest", "pytest"]),
        ("npx vitest run && cargo test", &["vitest", "cargo test"]),
        ("pytest -q | tee log.txt", &["pytest"]),
        ("(cd a && pytest) && go test ./...", &["pytest", "go test"]),
        (
            "if [ -d x ]; then pytest; else jest; fi",
            &["pytest", "jest"],
        ),
        ("concurrently 'jest' 'mocha test'", &["jest", "mocha"]),
    ];
    for (command, expected) in cases {
        assert_eq!(&runners(command, &[]), expected, "{command}");
    }
}

#[test]
fn tasks_are_followed_into_the_manifests() {
    let cases: &[(&str, Files, &[&str])] = &[
        (
            "npm test --silent",
            &[("package.json", r#"{"scripts":{"test":"vitest run"}}"#)],
            &["vitest"],
        ),
        (
            "npm test",
            &[(
                "package.json",
                r#"{"scripts":{"pretest":"eslint .","test":"npm run unit","unit":"node --test"}}"#,
            )],
            &["node:test"],
        ),
        (
            "npm --prefix web test",
            &[("web/package.json", r#"{"scripts":{"test":"jest"}}"#)],
            &["jest"],
        ),
        (
            "npm test -w @me/core",
            &[
                ("package.json", r#"{"scripts":{}}"#),
                (
                    "packages/core/package.json",
                    r#"{"scripts":{"test":"mocha"}}"#,
                ),
            ],
            &["mocha"],
        ),
        (
            "pnpm -C web unit",
            &[("web/package.json", r#"{"scripts":{"unit":"vitest"}}"#)],
            &["vitest"],
        ),
        (
            "yarn run check",
            &[(
                "package.json",
                r#"{"scripts":{"check":"run-s a b","a":"tsc","b":"jest"}}"#,
            )],
            &["jest"],
        ),
        (
            "bun run test",
            &[("package.json", r#"{"scripts":{"test":"bun test"}}"#)],
            &["bun test"],
        ),
        (
            "npm test",
            &[("package.json", r#"{"scripts":{"test":"npm test"}}"#)],
            &[],
        ),
        ("npm test", &[], &[]),
        (
            "deno task test",
            &[(
                "deno.json",
                "{\n// tests\n\"tasks\":{\"test\":\"deno test -A\"}}",
            )],
            &["deno test"],
        ),
        (
            "make test",
            &[(
                "Makefile",
                "PYTEST = python3 -m pytest\ntest: build\n\t@$(PYTEST) -q\nbuild:\n\tcc x.c\n",
            )],
            &["pytest"],
        ),
        (
            "make -j 4 -C sub check",
            &[("sub/Makefile", "check:\n\tgo test ./...\n\tbats test\n")],
            &["go test", "bats"],
        ),
        (
            "make",
            &[
                ("Makefile", "all: t\nt:\n\t$(MAKE) -C sub t\n"),
                ("sub/Makefile", "t:\n\tprove t\n"),
            ],
            &["prove"],
        ),
        (
            "make test",
            &[(
                "Makefile",
                "# CMAKE generated file: DO NOT EDIT!\n\ntest:\n\t/usr/bin/ctest\n",
            )],
            &["CTest"],
        ),
        (
            "just test",
            &[(
                "justfile",
                "default:\n    just --list\n\ntest *args:\n    cargo nextest run {{args}}\n",
            )],
            &["nextest"],
        ),
        (
            "task test",
            &[(
                "Taskfile.yml",
                "tasks:\n  test:\n    cmds:\n      - go test ./...\n",
            )],
            &["go test"],
        ),
        (
            "tox -q",
            &[("tox.ini", "[testenv]\ncommands =\n    pytest {posargs}\n")],
            &["pytest"],
        ),
        (
            "tox",
            &[(
                "pyproject.toml",
                "[tool.tox]\nenv_run_base.commands = [['pytest']]",
            )],
            &["pytest"],
        ),
        (
            "nox -s t",
            &[("noxfile.py", "session.run('pytest')")],
            &["pytest"],
        ),
        (
            "hatch run test:run",
            &[(
                "pyproject.toml",
                "[tool.hatch.envs.test.scripts]\nrun = 'pytest {args}'",
            )],
            &["pytest"],
        ),
        (
            "pdm run test",
            &[(
                "pyproject.toml",
                "[tool.pdm.scripts]\ntest = {shell = 'python -m unittest'}",
            )],
            &["unittest"],
        ),
        (
            "poe test",
            &[("pyproject.toml", "[tool.poe.tasks.test]\ncmd = 'pytest'")],
            &["pytest"],
        ),
        (
            "composer test",
            &[(
                "composer.json",
                r#"{"scripts":{"test":["@lint","phpunit"],"lint":"phpcs"}}"#,
            )],
            &["PHPUnit"],
        ),
        (
            "bundle exec rake",
            &[(
                "Rakefile",
                "RSpec::Core::RakeTask.new(:spec)\ntask default: :spec",
            )],
            &["RSpec"],
        ),
        (
            "rake test",
            &[("Rakefile", "Rake::TestTask.new")],
            &["minitest", "test-unit"],
        ),
        (
            "./run-tests.sh",
            &[(
                "run-tests.sh",
                "#!/usr/bin/env bash\nset -e\ncd py\npytest\n",
            )],
            &["pytest"],
        ),
        (
            "bin/check",
            &[("bin/check", "#!/usr/bin/env python3\nimport unittest\n")],
            &["unittest"],
        ),
        (
            "node run.mjs",
            &[("run.mjs", "import { run } from 'node:test';")],
            &["node:test"],
        ),
        (
            "cd web && npm test && cd ../py && make test",
            &[
                ("web/package.json", r#"{"scripts":{"test":"vitest"}}"#),
                ("py/Makefile", "test:\n\tpytest\n"),
            ],
            &["vitest", "pytest"],
        ),
    ];
    for (command, files, expected) in cases {
        assert_eq!(&runners(command, files), expected, "{command} {files:?}");
    }
}

#[test]
fn it_is_known_where_a_runner_starts_and_whether_it_can_be_reached() {
    let cases = [
        ("pytest", "", true),
        ("cd a/b && cd ../c && pytest", "a/c", true),
        ("(cd a; true); pytest", "", true),
        ("docker compose exec web pytest", "", false),
        ("env -i PATH=/bin pytest", "", false),
        ("sudo pytest", "", false),
        ("sudo -E pytest", "", true),
        ("python3 -I -m pytest", "", false),
        ("ssh host 'cd x && pytest'", "x", false),
    ];
    for (command, dir, reachable) in cases {
        let found = search(command, &[]);
        assert_eq!(found.len(), 1, "{command}");
        assert_eq!(found[0].dir, Path::new(dir), "{command}");
        assert_eq!(found[0].reachable, reachable, "{command}");
    }
}

#[test]
fn only_what_must_run_is_sure() {
    let cases = [
        ("pytest", true),
        ("ruff check && pytest", true),
        ("pytest || true", false),
        ("if command -v x; then pytest; fi", false),
        ("./build/calc_test", false),
    ];
    for (command, sure) in cases {
        assert_eq!(search(command, &[])[0].sure, sure, "{command}");
    }
}

#[test]
fn packages_that_bun_runs_are_known_by_what_it_puts_before_their_lines() {
    let files: Files = &[
        ("package.json", r#"{"workspaces": ["packages/*"]}"#),
        (
            "packages/a/package.json",
            r#"{"name": "@x/a", "scripts": {"test": "bun test"}}"#,
        ),
    ];
    let found = search("bun run --filter '*' test", files);
    let packages = found.iter().filter_map(|one| one.package.as_ref());
    let prefixes: Vec<&str> = packages.map(|package| package.prefix.as_str()).collect();
    assert_eq!(prefixes, ["@x/a test: "]);
}

#[test]
fn an_argument_list_is_looked_at_too() {
    let words = ["npx", "vitest", "run"].map(std::ffi::OsString::from);
    let found = recognise(&TestCommand::Args(words.to_vec()), &NOTHING);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].words, ["vitest", "run"]);
}

#[test]
fn scripts_without_end_are_left() {
    let bomb = "sh -c 'x' ;".repeat(100_000);
    assert!(runners(&bomb, &[]).is_empty());
    let files: Files = &[
        (
            "Makefile",
            "a:\n\tmake b; make a; pytest\nb:\n\tmake a; make c\nc:\n\tnpm test\n",
        ),
        ("package.json", r#"{"scripts":{"test":"make a b c"}}"#),
    ];
    assert_eq!(runners("make a", files), ["pytest"]);
}

/// A project in which every file has the same text.
struct Everywhere(String);

impl Project for Everywhere {
    fn text(&self, _: &Path) -> Option<String> {
        Some(self.0.clone())
    }

    fn folders(&self, _: &Path) -> Vec<String> {
        vec!["a".to_owned()]
    }
}

proptest::proptest! {
    #[test]
    fn no_command_makes_it_panic(command in ".{0,200}", file in ".{0,200}") {
        let read = Everywhere(file);
        recognise(&TestCommand::Shell(command), &read);
        for task in ["npm test", "make test", "just test", "tox", "composer x", "poe x", "task x"] {
            recognise(&TestCommand::Shell(task.to_owned()), &read);
        }
    }
}
