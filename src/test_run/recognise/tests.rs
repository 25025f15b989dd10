use super::*;
use Runner::*;

/// A project as paths and contents.
pub(super) type Files = &'static [(&'static str, &'static str)];

fn runners(command: &str, files: Files) -> Vec<Runner> {
    search(command, files)
        .into_iter()
        .map(|found| found.runner)
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
    let cases: &[(&str, &[Runner])] = &[
        ("pytest -q", &[Pytest]),
        ("/usr/bin/python3.12 -m pytest tests", &[Pytest]),
        ("python -W error -m unittest discover", &[Unittest]),
        ("python manage.py test", &[Unittest]),
        ("python manage.py migrate", &[]),
        ("node_modules/.bin/vitest run", &[Vitest]),
        (
            "node --no-warnings node_modules/jest/bin/jest.js --ci",
            &[Jest],
        ),
        ("react-scripts test --watchAll=false", &[Jest]),
        ("mocha 'test/**/*.js'", &[Mocha]),
        ("node --test", &[NodeTest]),
        ("node --import tsx --test src/*.ts", &[NodeTest]),
        ("bun test", &[Bun]),
        ("deno test -A", &[Deno]),
        ("cargo test --workspace", &[CargoTest]),
        ("cargo +nightly t", &[CargoTest]),
        ("cargo nextest run", &[Nextest]),
        ("cargo llvm-cov nextest", &[Nextest]),
        ("cargo build", &[]),
        ("go test ./...", &[GoTest]),
        ("go vet ./...", &[]),
        ("gotestsum -- ./...", &[GoTest]),
        ("vendor/bin/phpunit", &[PhpUnit]),
        ("php -d memory_limit=-1 vendor/bin/phpunit", &[PhpUnit]),
        ("php artisan test", &[PhpUnit]),
        ("rspec", &[Rspec]),
        ("bin/rails test", &[Minitest]),
        ("ruby -Itest test/calc_test.rb", &[Minitest]),
        ("mvn -q test", &[Surefire]),
        ("./mvnw verify", &[Surefire]),
        ("mvn compile", &[]),
        ("./gradlew :app:testDebug", &[Gradle]),
        ("gradle assemble", &[]),
        ("mix test", &[Exunit]),
        ("ctest --test-dir build", &[CTest]),
        ("cmake --build b --target test", &[CTest]),
        ("./build/calc_test", &[GTest]),
        ("bats test", &[Bats]),
        ("prove -lr t", &[Prove]),
        ("./Build test", &[Prove]),
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
    let cases: &[(&str, &[Runner])] = &[
        ("A=b C='d e' pytest", &[Pytest]),
        ("env -u X A=b pytest", &[Pytest]),
        ("cross-env CI=1 vitest run", &[Vitest]),
        ("timeout -k 5 60 pytest", &[Pytest]),
        ("nice -n 10 cargo test", &[CargoTest]),
        ("time -p go test ./...", &[GoTest]),
        ("npx --yes vitest run", &[Vitest]),
        ("npm exec -- jest", &[Jest]),
        ("pnpm exec vitest", &[Vitest]),
        ("pnpm vitest run", &[Vitest]),
        ("yarn jest --ci", &[Jest]),
        ("bunx jest", &[Jest]),
        ("uv run --with pytest-cov pytest", &[Pytest]),
        ("uv run python -m pytest", &[Pytest]),
        ("uvx --from pytest pytest", &[Pytest]),
        ("poetry run pytest", &[Pytest]),
        ("pdm run pytest", &[Pytest]),
        ("pipenv run python -m unittest", &[Unittest]),
        ("hatch test", &[Pytest]),
        ("hatch run pytest", &[Pytest]),
        ("hatch run test:pytest -q", &[Pytest]),
        ("hatch run test:python -m unittest", &[Unittest]),
        ("conda run -n env pytest", &[Pytest]),
        ("coverage run -m pytest -q", &[Pytest]),
        ("python -m coverage run --source x -m unittest", &[Unittest]),
        ("bundle exec rspec", &[Rspec]),
        ("mise exec node@22 -- npx vitest", &[Vitest]),
        ("nix develop -c cargo test", &[CargoTest]),
        ("nix-shell --run 'cargo nextest run'", &[Nextest]),
        ("c8 --reporter lcov mocha", &[Mocha]),
        ("sh -c 'pytest -q'", &[Pytest]),
        ("bash -euo pipefail -c 'cd x && pytest'", &[Pytest]),
        ("xvfb-run -a npx jest", &[Jest]),
        ("docker compose exec -T web pytest", &[Pytest]),
        (
            "docker compose -f a.yml run --rm web python -m pytest",
            &[Pytest],
        ),
        ("docker exec -it box bundle exec rspec", &[Rspec]),
        ("docker-compose run web mix test", &[Exunit]),
        ("kubectl exec pod -- pytest", &[Pytest]),
        ("docker build .", &[]),
    ];
    for (command, expected) in cases {
        assert_eq!(&runners(command, &[]), expected, "{command}");
    }
}

#[test]
fn chains_may_hold_several_runners() {
    let cases: &[(&str, &[Runner])] = &[
        ("ruff check && pytest -q", &[Pytest]),
        ("pytest tests; pytest tests2", &[Pytest, Pytest]),
        ("npx vitest run && cargo test", &[Vitest, CargoTest]),
        ("pytest -q | tee log.txt", &[Pytest]),
        ("(cd a && pytest) && go test ./...", &[Pytest, GoTest]),
        ("if [ -d x ]; then pytest; else jest; fi", &[Pytest, Jest]),
        ("concurrently 'jest' 'mocha test'", &[Jest, Mocha]),
    ];
    for (command, expected) in cases {
        assert_eq!(&runners(command, &[]), expected, "{command}");
    }
}

#[test]
fn tasks_are_followed_into_the_manifests() {
    let cases: &[(&str, Files, &[Runner])] = &[
        (
            "npm test --silent",
            &[("package.json", r#"{"scripts":{"test":"vitest run"}}"#)],
            &[Vitest],
        ),
        (
            "npm test",
            &[(
                "package.json",
                r#"{"scripts":{"pretest":"eslint .","test":"npm run unit","unit":"node --test"}}"#,
            )],
            &[NodeTest],
        ),
        (
            "npm --prefix web test",
            &[("web/package.json", r#"{"scripts":{"test":"jest"}}"#)],
            &[Jest],
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
            &[Mocha],
        ),
        (
            "pnpm -C web unit",
            &[("web/package.json", r#"{"scripts":{"unit":"vitest"}}"#)],
            &[Vitest],
        ),
        (
            "yarn run check",
            &[(
                "package.json",
                r#"{"scripts":{"check":"run-s a b","a":"tsc","b":"jest"}}"#,
            )],
            &[Jest],
        ),
        (
            "bun run test",
            &[("package.json", r#"{"scripts":{"test":"bun test"}}"#)],
            &[Bun],
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
            &[Deno],
        ),
        (
            "make test",
            &[(
                "Makefile",
                "PYTEST = python3 -m pytest\ntest: build\n\t@$(PYTEST) -q\nbuild:\n\tcc x.c\n",
            )],
            &[Pytest],
        ),
        (
            "make -j 4 -C sub check",
            &[("sub/Makefile", "check:\n\tgo test ./...\n\tbats test\n")],
            &[GoTest, Bats],
        ),
        (
            "make",
            &[
                ("Makefile", "all: t\nt:\n\t$(MAKE) -C sub t\n"),
                ("sub/Makefile", "t:\n\tprove t\n"),
            ],
            &[Prove],
        ),
        (
            "make test",
            &[(
                "Makefile",
                "# CMAKE generated file: DO NOT EDIT!\n\ntest:\n\t/usr/bin/ctest\n",
            )],
            &[CTest],
        ),
        (
            "just test",
            &[(
                "justfile",
                "default:\n    just --list\n\ntest *args:\n    cargo nextest run {{args}}\n",
            )],
            &[Nextest],
        ),
        (
            "task test",
            &[(
                "Taskfile.yml",
                "tasks:\n  test:\n    cmds:\n      - go test ./...\n",
            )],
            &[GoTest],
        ),
        (
            "tox -q",
            &[("tox.ini", "[testenv]\ncommands =\n    pytest {posargs}\n")],
            &[Pytest],
        ),
        (
            "tox",
            &[(
                "pyproject.toml",
                "[tool.tox]\nenv_run_base.commands = [['pytest']]",
            )],
            &[Pytest],
        ),
        (
            "nox -s t",
            &[("noxfile.py", "session.run('pytest')")],
            &[Pytest],
        ),
        (
            "hatch run test:run",
            &[(
                "pyproject.toml",
                "[tool.hatch.envs.test.scripts]\nrun = 'pytest {args}'",
            )],
            &[Pytest],
        ),
        (
            "pdm run test",
            &[(
                "pyproject.toml",
                "[tool.pdm.scripts]\ntest = {shell = 'python -m unittest'}",
            )],
            &[Unittest],
        ),
        (
            "poe test",
            &[("pyproject.toml", "[tool.poe.tasks.test]\ncmd = 'pytest'")],
            &[Pytest],
        ),
        (
            "composer test",
            &[(
                "composer.json",
                r#"{"scripts":{"test":["@lint","phpunit"],"lint":"phpcs"}}"#,
            )],
            &[PhpUnit],
        ),
        (
            "bundle exec rake",
            &[(
                "Rakefile",
                "RSpec::Core::RakeTask.new(:spec)\ntask default: :spec",
            )],
            &[Rspec],
        ),
        (
            "rake test",
            &[("Rakefile", "Rake::TestTask.new")],
            &[Minitest],
        ),
        (
            "./run-tests.sh",
            &[(
                "run-tests.sh",
                "#!/usr/bin/env bash\nset -e\ncd py\npytest\n",
            )],
            &[Pytest],
        ),
        (
            "bin/check",
            &[("bin/check", "#!/usr/bin/env python3\nimport unittest\n")],
            &[Unittest],
        ),
        (
            "node run.mjs",
            &[("run.mjs", "import { run } from 'node:test';")],
            &[NodeTest],
        ),
        (
            "cd web && npm test && cd ../py && make test",
            &[
                ("web/package.json", r#"{"scripts":{"test":"vitest"}}"#),
                ("py/Makefile", "test:\n\tpytest\n"),
            ],
            &[Vitest, Pytest],
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
fn an_argument_list_is_looked_at_too() {
    let words = ["npx", "vitest", "run"].map(std::ffi::OsString::from);
    let found = recognise(&TestCommand::Args(words.to_vec()), &NOTHING);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].words, ["vitest", "run"]);
}

#[test]
fn scripts_without_end_are_left() {
    let bomb = "sh -c 'x' ;".repeat(100_000);
    assert_eq!(runners(&bomb, &[]), []);
    let files: Files = &[
        (
            "Makefile",
            "a:\n\tmake b; make a; pytest\nb:\n\tmake a; make c\nc:\n\tnpm test\n",
        ),
        ("package.json", r#"{"scripts":{"test":"make a b c"}}"#),
    ];
    assert_eq!(runners("make a", files), [Pytest]);
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
