use std::collections::BTreeMap;

use super::first::render_first;
use super::*;
use crate::config::{Config, Layer};

/// A tree in memory: paths and texts.
struct Files(BTreeMap<String, String>);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let owned = |(path, text): &(&str, &str)| (path.to_string(), text.to_string());
        Files(files.iter().map(owned).collect())
    }
}

impl Tree for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        self.0.contains_key(path) || self.0.keys().any(|file| file.starts_with(&folder))
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let prefix = match dir {
            "" => String::new(),
            _ => format!("{dir}/"),
        };
        let mut names: Vec<String> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(&prefix))
            .map(|rest| match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Detection on a machine that has these programs.
fn look(files: &[(&str, &str)]) -> Detected {
    let programs = ["pytest", "python3", "cargo-nextest"];
    detect(&Files::new(files), &|program| programs.contains(&program))
}

const NPM_PLACEHOLDER: &str =
    r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
const JEST_SCRIPT: &str = r#"{"scripts": {"test": "jest"}}"#;

/// Paths with their texts.
type Texts = &'static [(&'static str, &'static str)];

type Shape = (&'static str, Texts, &'static str);

/// Each shape of project with the command people expect; empty if there is none.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    ("nothing at all", &[], ""),
    ("only prose", &[("README.md", "run the tests")], ""),
    // JavaScript
    ("npm script", &[("package.json", JEST_SCRIPT)], "npm test"),
    ("npm lock", &[("package.json", JEST_SCRIPT), ("package-lock.json", "{}")], "npm test"),
    ("pnpm lock", &[("package.json", JEST_SCRIPT), ("pnpm-lock.yaml", "")], "pnpm test"),
    ("yarn lock", &[("package.json", JEST_SCRIPT), ("yarn.lock", "")], "yarn test"),
    ("bun lock", &[("package.json", JEST_SCRIPT), ("bun.lock", "")], "bun run test"),
    ("old bun lock", &[("package.json", JEST_SCRIPT), ("bun.lockb", "")], "bun run test"),
    ("packageManager outranks a lock", &[("package.json", r#"{"packageManager": "pnpm@9.1.0+sha512.abc", "scripts": {"test": "jest"}}"#), ("yarn.lock", "")], "pnpm test"),
    ("devEngines names the manager", &[("package.json", r#"{"devEngines": {"packageManager": {"name": "yarn"}}, "scripts": {"test": "jest"}}"#)], "yarn test"),
    ("package.json with a BOM", &[("package.json", "\u{feff}{\"scripts\": {\"test\": \"jest\"}}")], "npm test"),
    ("placeholder only", &[("package.json", NPM_PLACEHOLDER)], ""),
    ("script that only echoes", &[("package.json", r#"{"scripts": {"test": "echo ok && exit 0"}}"#)], ""),
    ("broken package.json", &[("package.json", "{")], ""),
    ("package.json of odd types", &[("package.json", r#"{"scripts": ["test"], "workspaces": 3}"#)], ""),
    ("pnpm settings without packages", &[("package.json", r#"{"devDependencies": {"vitest": "3"}}"#), ("pnpm-workspace.yaml", "onlyBuiltDependencies:\n  - esbuild\n")], "pnpm exec vitest run"),
    ("placeholder, vitest installed", &[("package.json", r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}, "devDependencies": {"vitest": "^2"}}"#)], "npx vitest run"),
    ("vitest config, pnpm, no script", &[("package.json", "{}"), ("pnpm-lock.yaml", ""), ("vitest.config.ts", "")], "pnpm exec vitest run"),
    ("jest, yarn, no script", &[("package.json", r#"{"devDependencies": {"jest": "29"}}"#), ("yarn.lock", "")], "yarn jest"),
    ("mocha config, no script", &[("package.json", "{}"), (".mocharc.yml", "")], "npx mocha"),
    ("mocha, bun, no script", &[("package.json", r#"{"dependencies": {"mocha": "10"}}"#), ("bun.lock", "")], "bunx mocha"),
    ("playwright, no script", &[("package.json", r#"{"devDependencies": {"@playwright/test": "1"}}"#)], "npx playwright test"),
    ("cucumber, no script", &[("package.json", r#"{"devDependencies": {"@cucumber/cucumber": "11"}}"#)], "npx cucumber-js"),
    ("tape, no script", &[("package.json", r#"{"devDependencies": {"tape": "5"}}"#), ("spec/a.test.js", ""), ("test/b.js", "")], "npx tape 'test/**/*.js'"),
    ("node's own runner", &[("package.json", "{}"), ("test/a.test.js", "")], "node --test"),
    ("node's own runner, flat", &[("package.json", NPM_PLACEHOLDER), ("sum.test.mjs", "")], "node --test"),
    ("bun's own runner", &[("package.json", "{}"), ("bun.lock", ""), ("src/a.test.ts", "")], "bun test"),
    ("bunfig alone", &[("bunfig.toml", "[test]"), ("a.test.ts", "")], "bun test"),
    ("bunfig, not installed yet", &[("package.json", "{}"), ("bunfig.toml", "[test]"), ("a.test.ts", "")], "bun test"),
    ("script that watches, another that does not", &[("package.json", r#"{"scripts": {"test": "vitest watch", "test:run": "vitest run"}}"#)], "npm run test:run"),
    ("script that watches, no other", &[("package.json", r#"{"scripts": {"test": "jest --watch"}, "devDependencies": {"jest": "29"}}"#)], "npx jest"),
    ("create-react-app", &[("package.json", r#"{"scripts": {"test": "react-scripts test"}}"#)], "CI=true npm test"),
    ("angular", &[("package.json", r#"{"scripts": {"test": "ng test"}}"#)], "npm test -- --watch=false"),
    ("only sounds like angular", &[("package.json", r#"{"scripts": {"test": "echo running test && jest"}}"#)], "npm test"),
    ("angular, with yarn", &[("package.json", r#"{"scripts": {"test": "ng test"}}"#), ("yarn.lock", "")], "yarn test --watch=false"),
    ("angular that does not watch", &[("package.json", r#"{"scripts": {"test": "ng test --watch=false"}}"#)], "npm test"),
    ("only test:unit", &[("package.json", r#"{"scripts": {"test:unit": "vitest run"}}"#), ("yarn.lock", "")], "yarn test:unit"),
    ("deno", &[("deno.json", "{}"), ("main_test.ts", "")], "deno test"),
    ("deno with a task", &[("deno.jsonc", "{ // tasks\n \"tasks\": {\"test\": \"deno test -A\",}, }")], "deno task test"),
    ("deno with a described task", &[("deno.json", r#"{"tasks": {"test": {"command": "deno test"}}}"#)], "deno task test"),
    ("npm workspaces", &[("package.json", r#"{"workspaces": ["packages/*"]}"#), ("packages/a/package.json", JEST_SCRIPT)], "npm test --workspaces --if-present"),
    ("pnpm workspace", &[("package.json", "{}"), ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"), ("packages/a/package.json", JEST_SCRIPT)], "pnpm -r test"),
    ("old yarn workspaces", &[("package.json", r#"{"workspaces": {"packages": ["a"]}}"#), ("yarn.lock", ""), ("a/package.json", JEST_SCRIPT)], "yarn workspaces run test"),
    ("new yarn workspaces", &[("package.json", r#"{"workspaces": ["a"]}"#), ("yarn.lock", ""), (".yarnrc.yml", ""), ("a/package.json", JEST_SCRIPT)], "yarn workspaces foreach -A run test"),
    ("new yarn workspaces by the version", &[("package.json", r#"{"packageManager": "yarn@4.1.0", "workspaces": ["a"]}"#), ("a/package.json", JEST_SCRIPT)], "yarn workspaces foreach -A run test"),
    ("old yarn workspaces by the version", &[("package.json", r#"{"packageManager": "yarn@1.22.0", "workspaces": ["a"]}"#), ("a/package.json", JEST_SCRIPT)], "yarn workspaces run test"),
    ("new yarn workspaces by the lock", &[("package.json", r#"{"workspaces": ["a"]}"#), ("yarn.lock", "# a comment\n\n__metadata:\n  version: 8\n"), ("a/package.json", JEST_SCRIPT)], "yarn workspaces foreach -A run test"),
    ("turbo without a root script", &[("package.json", r#"{"workspaces": ["apps/*"]}"#), ("pnpm-lock.yaml", ""), ("turbo.json", "{}")], "pnpm exec turbo run test"),
    ("nx without a root script", &[("package.json", r#"{"workspaces": ["apps/*"]}"#), ("nx.json", "{}")], "npx nx run-many -t test"),
    ("workspace with a root script", &[("package.json", r#"{"workspaces": ["apps/*"], "scripts": {"test": "turbo test"}}"#), ("turbo.json", "{}")], "npm test"),
    // Rust
    ("cargo package", &[("Cargo.toml", "[package]\nname = 'a'")], "cargo test --no-fail-fast"),
    ("cargo workspace", &[("Cargo.toml", "[workspace]\nmembers = ['a']"), ("a/Cargo.toml", "")], "cargo test --workspace --no-fail-fast"),
    ("cargo with nextest", &[("Cargo.toml", "[package]"), (".config/nextest.toml", "")], "cargo nextest run --no-fail-fast"),
    ("cargo workspace with nextest", &[("Cargo.toml", "[workspace]"), (".config/nextest.toml", "")], "cargo nextest run --workspace --no-fail-fast"),
    // Go
    ("go module", &[("go.mod", "module a")], "go test ./..."),
    ("go workspace", &[("go.work", "go 1.22\n\nuse (\n\t./a // one\n\t./b/c\n)\n"), ("a/go.mod", ""), ("b/c/go.mod", "")], "go test ./a/... ./b/c/..."),
    ("go workspace with its root", &[("go.work", "use .\nuse ./tools\n"), ("go.mod", ""), ("tools/go.mod", "")], "go test ./... ./tools/..."),
    // Python
    ("pytest in pyproject", &[("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'")], "pytest"),
    ("pytest.ini", &[("pytest.ini", "[pytest]")], "pytest"),
    ("pytest in tox.ini", &[("tox.ini", "[tox]\n[pytest]\n")], "pytest"),
    ("pytest by tox", &[("tox.ini", "[testenv]\ncommands = pytest {posargs}"), ("setup.py", "")], "pytest"),
    ("pytest in setup.cfg", &[("setup.cfg", "[tool:pytest]\n")], "pytest"),
    ("conftest", &[("tests/conftest.py", ""), ("tests/test_a.py", "")], "pytest"),
    ("pytest with uv", &[("pyproject.toml", "[dependency-groups]\ndev = ['pytest']"), ("uv.lock", "")], "uv run pytest"),
    ("pytest with poetry", &[("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = '*'"), ("poetry.lock", "")], "poetry run pytest"),
    ("poetry without a lock", &[("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = '*'")], "poetry run pytest"),
    ("pytest with pdm", &[("pyproject.toml", "[tool.pytest.ini_options]"), ("pdm.lock", "")], "pdm run pytest"),
    ("pytest with hatch", &[("pyproject.toml", "[tool.hatch.envs.default]\ndependencies = ['pytest']")], "hatch run pytest"),
    ("hatch's own test environment", &[("pyproject.toml", "[tool.hatch.envs.hatch-test]\nextra-dependencies = ['pytest-mock']")], "hatch test"),
    ("hatch script", &[("pyproject.toml", "[tool.hatch.envs.default.scripts]\ntest = 'pytest'")], "hatch run test"),
    ("hatch environment for tests", &[("pyproject.toml", "[tool.hatch.envs.test]\ndependencies = ['pytest']")], "hatch run test:pytest"),
    ("hatch script of an environment for tests", &[("pyproject.toml", "[tool.hatch.envs.test.scripts]\ntest = 'pytest'")], "hatch run test:test"),
    ("hatch environments, one of them the default", &[("pyproject.toml", "[tool.hatch.envs.default]\ndependencies = ['pytest']\n[tool.hatch.envs.test]")], "hatch run pytest"),
    ("hatchling is only a build backend", &[("pyproject.toml", "[build-system]\nbuild-backend = 'hatchling.build'\n[tool.pytest.ini_options]")], "pytest"),
    ("pipenv", &[("Pipfile", "[dev-packages]\npytest = '*'")], "pipenv run pytest"),
    ("poe task", &[("pyproject.toml", "[tool.poe.tasks]\ntest = 'pytest'"), ("uv.lock", "")], "uv run poe test"),
    ("local environment", &[("pytest.ini", ""), (".venv/bin/pytest", "")], ".venv/bin/pytest"),
    ("pytest by its import", &[("tests/test_a.py", "import pytest\n")], "pytest"),
    ("pytest by plain functions", &[("test_a.py", "def test_one():\n    assert True\n")], "pytest"),
    ("pytest in a folder of the tests", &[("tests/unit/test_a.py", "import pytest\n")], "pytest"),
    ("pytest in requirements", &[("requirements-dev.txt", "pytest==8\n"), ("app.py", "")], "pytest"),
    ("unittest in a package", &[("tests/__init__.py", ""), ("tests/test_a.py", "import unittest\n")], "python3 -m unittest"),
    ("unittest in a plain folder", &[("tests/test_a.py", "import unittest\n")], "python3 -m unittest discover -s tests"),
    ("unittest at the root", &[("test_a.py", "import unittest\n")], "python3 -m unittest"),
    ("unittest in packages of packages", &[("tests/__init__.py", ""), ("tests/unit/__init__.py", ""), ("tests/unit/test_a.py", "import unittest\n")], "python3 -m unittest"),
    ("unittest in a package of a plain folder", &[("tests/unit/__init__.py", ""), ("tests/unit/test_a.py", "import unittest\n")], "python3 -m unittest discover -s tests"),
    ("unittest in a plain folder of a package", &[("tests/__init__.py", ""), ("tests/unit/test_a.py", "import unittest\n")], "python3 -m unittest discover -s tests/unit"),
    ("unittest with uv", &[("test_a.py", "import unittest\n"), ("pyproject.toml", ""), ("uv.lock", "")], "uv run python -m unittest"),
    ("django", &[("manage.py", ""), ("app/tests.py", "")], "python3 manage.py test"),
    ("django with pytest", &[("manage.py", ""), ("pytest.ini", "")], "pytest"),
    ("only tox", &[("tox.ini", "[testenv]\ncommands = stestr run")], "tox"),
    ("only tox.toml", &[("tox.toml", "env_list = ['py']")], "tox"),
    ("only tox in pyproject", &[("pyproject.toml", "[tool.tox]\nenv_list = ['py']")], "tox"),
    ("only tox in setup.cfg", &[("setup.cfg", "[tox:tox]\nenvlist = py")], "tox"),
    ("behave", &[("features/a.feature", ""), ("features/steps/a.py", "")], "behave"),
    ("behave with uv", &[("features/a.feature", ""), ("features/steps/a.py", ""), ("uv.lock", "")], "uv run behave"),
    ("features of pytest-bdd", &[("features/a.feature", ""), ("tests/test_a.py", "import pytest\n")], "pytest"),
    ("robot", &[("tests/a.robot", ""), ("lib/A.py", "")], "robot tests"),
    ("robot at the root", &[("a.robot", "")], "robot ."),
    ("nose2 by its config", &[("unittest.cfg", ""), ("tests/test_a.py", "import unittest\n")], "nose2"),
    ("nose2 in the requirements", &[("requirements-dev.txt", "nose2\n"), ("tests/test_a.py", "import unittest\n")], "nose2"),
    ("twisted trial", &[("tests/test_a.py", "from twisted.trial import unittest\n")], "python3 -m twisted.trial tests"),
    // Ruby
    ("test-unit without rake", &[("test/a_test.rb", ""), ("lib/a.rb", "")], "ruby -Ilib -Itest -e 'Dir[\"./test/**/{test_*,*_test}.rb\"].each { |f| require f }'"),
    ("rspec with bundler", &[("Gemfile", ""), (".rspec", ""), ("spec/a_spec.rb", "")], "bundle exec rspec"),
    ("rspec folder only", &[("Gemfile", ""), ("spec/models/a_spec.rb", "")], "bundle exec rspec"),
    ("rspec without bundler", &[(".rspec", "")], "rspec"),
    ("rspec in the Gemfile, no spec yet", &[("Gemfile", "gem 'rspec'\n")], "bundle exec rspec"),
    ("rake", &[("Rakefile", ""), ("test/test_a.rb", "")], "rake test"),
    ("rake with bundler", &[("Gemfile", ""), ("Rakefile", ""), ("test/a_test.rb", "")], "bundle exec rake test"),
    ("rails", &[("Gemfile", ""), ("Rakefile", ""), ("bin/rails", ""), ("test/test_helper.rb", "")], "bin/rails test"),
    // PHP
    ("composer script", &[("composer.json", r#"{"scripts": {"test": "phpunit"}}"#)], "composer test"),
    ("phpunit config", &[("composer.json", "{}"), ("phpunit.xml.dist", "")], "vendor/bin/phpunit"),
    ("phpunit dependency", &[("composer.json", r#"{"require-dev": {"phpunit/phpunit": "^11"}}"#)], "vendor/bin/phpunit"),
    ("pest", &[("composer.json", r#"{"require-dev": {"pestphp/pest": "^3"}}"#), ("phpunit.xml", "")], "vendor/bin/pest"),
    ("laravel", &[("composer.json", "{}"), ("artisan", ""), ("phpunit.xml", ""), ("package.json", r#"{"scripts": {"dev": "vite"}}"#)], "php artisan test"),
    // JVM
    ("maven", &[("pom.xml", "")], "mvn test"),
    ("maven wrapper", &[("pom.xml", ""), ("mvnw", "")], "./mvnw test"),
    ("gradle", &[("build.gradle", "")], "gradle test"),
    ("gradle wrapper, kotlin", &[("build.gradle.kts", ""), ("gradlew", ""), ("src/main/kotlin/A.kt", "")], "./gradlew test"),
    ("gradle by settings", &[("settings.gradle.kts", ""), ("gradlew", "")], "./gradlew test"),
    ("sbt", &[("build.sbt", "")], "sbt test"),
    ("leiningen", &[("project.clj", "")], "lein test"),
    ("clojure deps", &[("deps.edn", "{:aliases {:test {}}}")], "clojure -X:test"),
    // C and C++
    ("cmake, not built", &[("CMakeLists.txt", "project(a)\nenable_testing()")], "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"),
    ("cmake, built", &[("CMakeLists.txt", "include(CTest)"), ("cmake-build-debug/CMakeCache.txt", "")], "cmake --build cmake-build-debug && ctest --test-dir cmake-build-debug --output-on-failure"),
    ("cmake without tests", &[("CMakeLists.txt", "project(a)")], ""),
    ("meson", &[("meson.build", ""), ("build/build.ninja", "")], "meson test -C build"),
    ("meson, not built", &[("meson.build", "")], "(test -f build/build.ninja || meson setup build) && meson test -C build"),
    ("autotools", &[("configure.ac", "")], "make check"),
    // More languages
    ("elixir", &[("mix.exs", "")], "mix test"),
    ("erlang", &[("rebar.config", "")], "rebar3 eunit"),
    ("gleam", &[("gleam.toml", "")], "gleam test"),
    ("ocaml", &[("dune-project", "")], "dune test"),
    ("stack", &[("stack.yaml", ""), ("a.cabal", "")], "stack test"),
    ("cabal", &[("a.cabal", "")], "cabal test all"),
    ("swift", &[("Package.swift", "")], "swift test"),
    ("dart", &[("pubspec.yaml", "name: a\n")], "dart test"),
    ("flutter", &[("pubspec.yaml", "dependencies:\n  flutter:\n    sdk: flutter\n")], "flutter test"),
    ("one solution", &[("A.sln", "")], "dotnet test"),
    ("one project", &[("A.csproj", "")], "dotnet test"),
    ("two solutions", &[("A.sln", ""), ("B.sln", "")], "dotnet test A.sln"),
    ("solution beside a project", &[("My App.sln", ""), ("My App.csproj", "")], "dotnet test \"My App.sln\""),
    ("zig", &[("build.zig", "")], "zig build test"),
    ("crystal", &[("shard.yml", "")], "crystal spec"),
    ("julia", &[("Project.toml", ""), ("test/runtests.jl", "")], "julia --project -e 'using Pkg; Pkg.test()'"),
    ("perl", &[("cpanfile", ""), ("t/basic.t", "")], "prove -lr t"),
    ("bats", &[("run.sh", ""), ("test/run.bats", "")], "bats test"),
    ("bats in folders", &[("run.sh", ""), ("test/unit/run.bats", "")], "bats -r test"),
    ("bats by an npm script", &[("package.json", r#"{"scripts": {"test": "bats -r test"}}"#), ("run.sh", ""), ("test/unit/run.bats", "")], "npm test"),
    ("lua", &[(".busted", "")], "busted"),
    ("testthat of a package", &[("DESCRIPTION", ""), ("tests/testthat/test-a.R", "")], "Rscript -e 'devtools::test(stop_on_failure = TRUE)'"),
    ("testthat without a package", &[("tests/testthat/test-a.R", ""), ("a.R", "")], "Rscript -e 'testthat::test_dir(\"tests/testthat\", stop_on_failure = TRUE)'"),
    // Front doors
    ("make only", &[("Makefile", "test:\n\t./check.sh\n\t./check2.sh\n")], "make test"),
    ("make without a test target", &[("Makefile", "all: a\nTEST := x\ntesting:\n\ttrue\n")], ""),
    ("make calls one runner", &[("Makefile", ".PHONY: test\ntest:\n\t@pytest -q tests\n"), ("pytest.ini", "")], "pytest -q tests"),
    ("make needs something first", &[("Makefile", "test: generate\n\tgo test ./...\n"), ("go.mod", "")], "make test"),
    ("make exports variables", &[("Makefile", "export DB = x\ntest:\n\tgo test ./...\n"), ("go.mod", "")], "make test"),
    ("make uses variables", &[("Makefile", "test:\n\t$(GO) test ./...\n"), ("go.mod", "")], "make test"),
    ("make ignores failures", &[("Makefile", "test:\n\t-go test ./...\n"), ("go.mod", "")], "make test"),
    ("make target shadowed by a folder", &[("Makefile", "test:\n\tpytest\n"), ("test/test_a.py", "import unittest"), ("test/__init__.py", "")], "python3 -m unittest"),
    ("phony make target beside a folder", &[("Makefile", ".PHONY: build test\ntest: build\n\t./go\n"), ("test/a.c", "")], "make test"),
    ("phony make targets over several lines", &[("Makefile", ".PHONY: build \\\n\ttest\ntest: build\n\t./go\n"), ("test/a.c", "")], "make test"),
    ("make target in an included file", &[("Makefile", "-include local.mk mk/check.mk\n"), ("mk/check.mk", "include mk/more.mk\n"), ("mk/more.mk", "test:\n\tpytest\n")], "make test"),
    ("make files that include each other", &[("Makefile", "include a.mk\n"), ("a.mk", "include Makefile a.mk\n")], ""),
    ("GNUmakefile before Makefile", &[("GNUmakefile", "all:\n"), ("Makefile", "test:\n\t./x\n")], ""),
    ("empty make target", &[("Makefile", "test:\n\nall:\n\ttrue\n")], ""),
    ("make target on one line", &[("Makefile", "test check: ; ./run\n")], "make test"),
    ("just", &[("justfile", "default:\n  just --list\n\ntest: build\n  cargo test\n"), ("Cargo.toml", "")], "just test"),
    ("just calls one runner", &[("Justfile", "# all tests\n@test:\n    cargo test --all-features\n\nfmt:\n  cargo fmt\n"), ("Cargo.toml", "")], "cargo test --all-features"),
    ("just with optional arguments", &[("justfile", "test *ARGS:\n  cargo test {{ARGS}}\n"), ("Cargo.toml", "")], "just test"),
    ("just wants an argument", &[("justfile", "test NAME:\n  cargo test {{NAME}}\n"), ("Cargo.toml", "")], "cargo test --no-fail-fast"),
    ("task", &[("Taskfile.yml", "version: '3'\ntasks:\n  build:\n    cmds: [x]\n  test:\n    cmds: [y]\n")], "task test"),
    ("task without test", &[("Taskfile.yml", "version: '3'\ntasks:\n  build:\n    test: x\n")], ""),
    ("task after a comment", &[("Taskfile.yml", "version: '3'\n\ntasks: # all\n# the tests\n  test:\n    cmds: [y]\n")], "task test"),
    ("task for others to override", &[("Taskfile.dist.yaml", "tasks:\n  test: y\n")], "task test"),
    ("task in quotes", &[("Taskfile.yml", "tasks:\n  'test': y\n")], "task test"),
    ("task whose name goes on", &[("Taskfile.yml", "tasks:\n  test:unit:\n    cmds: [y]\n")], ""),
    ("mise", &[("mise.toml", "[tasks.test]\nrun = 'x'\n")], "mise run test"),
    ("script/test", &[("script/test", "#!/bin/sh"), ("Gemfile", ""), (".rspec", "")], "./script/test"),
    ("a shell script at last", &[("run_tests.sh", "")], "sh ./run_tests.sh"),
    ("a script for its own shell", &[("run_tests.sh", "#!/usr/bin/env -S bash\n")], "bash ./run_tests.sh"),
    ("a script in Python", &[("run_tests.py", "")], "python3 ./run_tests.py"),
    ("a shell script beside cargo", &[("run_tests.sh", ""), ("Cargo.toml", "")], "cargo test --no-fail-fast"),
    ("bazel", &[("MODULE.bazel", ""), ("go.mod", "")], "bazel test //..."),
    // One against another
    ("npm script before make", &[("package.json", JEST_SCRIPT), ("Makefile", "test: build\n\t./x\n")], "npm test"),
    ("several languages, one front door", &[("package.json", JEST_SCRIPT), ("Cargo.toml", ""), ("Makefile", "test: a b\n")], "make test"),
    ("most files decide: rust with tooling in node", &[("package.json", JEST_SCRIPT), ("Cargo.toml", ""), ("src/a.rs", ""), ("src/b.rs", ""), ("x.js", "")], "cargo test --no-fail-fast"),
    ("most files decide: node with a rust part", &[("package.json", JEST_SCRIPT), ("Cargo.toml", ""), ("src/lib.rs", ""), ("a.ts", ""), ("b.ts", "")], "npm test"),
    ("rails with a jest script", &[("package.json", JEST_SCRIPT), ("yarn.lock", ""), ("Gemfile", ""), (".rspec", ""), ("app/a.rb", ""), ("app/b.rb", ""), ("app/x.js", "")], "bundle exec rspec"),
    ("tools in package.json, no tests there", &[("package.json", r#"{"devDependencies": {"prettier": "3"}}"#), ("go.mod", "")], "go test ./..."),
];

#[test]
fn the_command_people_expect() {
    assert!(SHAPES.len() >= 60);
    for (name, files, expected) in SHAPES {
        let detected = look(files);
        let command = detected.test.as_ref().map_or("", |test| &test.command);
        assert_eq!(command, *expected, "{name}: {:#?}", detected.candidates);
        assert_eq!(
            detected.test.as_ref(),
            detected.candidates.first(),
            "{name}"
        );
    }
}

/// What holds whatever the project looks like.
#[test]
fn every_candidate_has_its_reason_and_the_first_config_keeps_it() {
    for (name, files, _) in SHAPES {
        let tree = Files::new(files);
        let detected = look(files);
        for (i, candidate) in detected.candidates.iter().enumerate() {
            assert!(!candidate.why.is_empty(), "{name}: {candidate:?}");
            assert!(tree.exists(&candidate.file), "{name}: {candidate:?}");
            let twice = detected.candidates.iter().skip(i + 1);
            assert!(
                !twice.clone().any(|c| c.command == candidate.command),
                "{name}"
            );
        }
        assert_eq!(look(files), detected, "{name}: the same again");
        let first = Layer {
            path: ".tcr.toml".into(),
            bytes: render_first(&detected).into_bytes(),
        };
        let config = Config::from_layers(None, Some(first)).unwrap_or_else(|e| panic!("{e}"));
        let kept = config.test.map(|command| command.to_string());
        assert_eq!(kept, detected.test.map(|test| test.command), "{name}");
    }
}

#[test]
fn all_candidates_with_their_reasons() {
    let detected = look(&[
        (
            "package.json",
            r#"{"scripts": {"test": "jest"}, "devDependencies": {"jest": "29"}}"#,
        ),
        ("Makefile", "test:\n\tnpm test\n"),
        ("index.js", ""),
        ("a.test.js", ""),
    ]);
    let listed: Vec<_> = detected
        .candidates
        .iter()
        .map(|c| format!("{} | {} | {}", c.command, c.why, c.file))
        .collect();
    assert_eq!(
        listed,
        [
            "npm test | script `test` in `package.json` | package.json",
            "make test | target `test` in `Makefile` | Makefile",
            "npx jest | `jest` in the dependencies of `package.json` | package.json",
            "node --test | `a.test.js` | a.test.js",
        ]
    );
}

#[test]
fn without_nextest_installed_its_config_changes_nothing() {
    let files = Files::new(&[("Cargo.toml", ""), (".config/nextest.toml", "")]);
    let detected = detect(&files, &|_| false);
    assert_eq!(detected.test.unwrap().command, "cargo test --no-fail-fast");
}

#[test]
fn without_pytest_on_the_path_python_is_asked() {
    let files = Files::new(&[("pytest.ini", "")]);
    let with = |programs: &'static [&'static str]| {
        let detected = detect(&files, &|program| programs.contains(&program));
        detected.test.unwrap().command
    };
    assert_eq!(with(&["python3"]), "python3 -m pytest");
    assert_eq!(with(&[]), "pytest");
}

#[test]
fn the_main_language() {
    let cases: &[(Texts, Option<&str>)] = &[
        (&[], None),
        (&[("a.py", ""), ("b.py", ""), ("c.rb", "")], Some("python")),
        (&[("package.json", JEST_SCRIPT)], Some("javascript")),
        (
            &[("package.json", JEST_SCRIPT), ("tsconfig.json", "{}")],
            Some("typescript"),
        ),
        (&[("Makefile", "test:\n\t./x\n"), ("a.c", "")], Some("c")),
        (
            &[("go.mod", ""), ("web/a.js", ""), ("web/b.js", "")],
            Some("go"),
        ),
        (
            &[("pom.xml", ""), ("src/main/kotlin/A.kt", "")],
            Some("kotlin"),
        ),
        (&[("node_modules/a/x.js", ""), ("a.rb", "")], Some("ruby")),
    ];
    for (files, expected) in cases {
        assert_eq!(look(files).language.as_deref(), *expected, "{files:?}");
    }
}

#[test]
fn the_lint_command() {
    const ESLINT: (&str, &str) = ("eslint.config.js", "");
    #[rustfmt::skip]
    let cases: &[(Texts, Option<&str>)] = &[
        (&[("package.json", "{}")], None),
        (&[("package.json", r#"{"scripts": {"lint": "tsc"}}"#)], None),
        (&[("package.json", "{}"), ESLINT], Some("npx eslint .")),
        (&[("package.json", "{}"), (".eslintrc.cjs", ""), ("pnpm-lock.yaml", "")], Some("pnpm exec eslint .")),
        (&[("package.json", r#"{"eslintConfig": {}}"#)], Some("npx eslint .")),
        (&[("package.json", r#"{"scripts": {"lint": "eslint src"}}"#), ESLINT], Some("npm run lint")),
        (&[("package.json", r#"{"scripts": {"lint": "eslint --fix ."}}"#), ESLINT], Some("npx eslint .")),
        (&[("package.json", "{}"), ("biome.json", "{}"), ("bun.lock", "")], Some("bunx biome check")),
        (&[("ruff.toml", "")], Some("ruff check")),
        (&[("pyproject.toml", "[tool.ruff]\nline-length = 100"), ("uv.lock", "")], Some("uv run ruff check")),
        (&[("pyproject.toml", "[tool.black]")], None),
        (&[("Cargo.toml", "[package]")], None),
        (&[("Cargo.toml", "[lints.clippy]\nall = 'warn'")], Some("cargo clippy --all-targets -- -D warnings")),
        (&[("Cargo.toml", "[workspace.lints.clippy]\nall = 'warn'")], Some("cargo clippy --workspace --all-targets -- -D warnings")),
        (&[("Cargo.toml", ""), ("clippy.toml", "")], Some("cargo clippy --all-targets -- -D warnings")),
        (&[("go.mod", ""), (".golangci.yaml", "")], Some("golangci-lint run")),
        (&[("Gemfile", ""), (".rubocop.yml", "")], Some("bundle exec rubocop")),
        (&[(".rubocop.yml", "")], Some("rubocop")),
        (&[("composer.json", "{}"), ("phpstan.neon.dist", "")], Some("vendor/bin/phpstan analyse")),
        // Of two linters, the one of the main language.
        (&[("package.json", "{}"), ESLINT, ("go.mod", ""), (".golangci.yml", "")], Some("golangci-lint run")),
    ];
    for (files, expected) in cases {
        let lint = look(files).lint;
        assert_eq!(
            lint.as_ref().map(|l| l.command.as_str()),
            *expected,
            "{files:?}"
        );
    }
}

/// Path, test command and whether something above covers it, of each project found.
fn projects(files: &[(&str, &str)]) -> Vec<String> {
    look(files)
        .projects
        .into_iter()
        .map(|project| {
            let test = project.test.map_or("-".to_owned(), |test| test.command);
            let covered = if project.covered { "covered" } else { "own" };
            format!("{}: {test} ({covered})", project.path)
        })
        .collect()
}

#[test]
fn parts_of_a_monorepo() {
    let cases: &[(&str, Texts, &[&str])] = &[
        (
            "a single project",
            &[("package.json", JEST_SCRIPT), ("src/a.js", "")],
            &[],
        ),
        (
            "pnpm workspace, with an exclusion",
            &[
                ("package.json", r#"{"scripts": {"test": "pnpm -r test"}}"#),
                (
                    "pnpm-workspace.yaml",
                    "packages:\n  # all\n  - \"packages/**\"\n  - '!packages/old'\n\ncatalog:\n  - x\n",
                ),
                ("packages/a/package.json", JEST_SCRIPT),
                ("packages/deep/b/package.json", "{}"),
                ("packages/old/package.json", JEST_SCRIPT),
            ],
            &[
                "packages/a: pnpm test (covered)",
                "packages/deep/b: - (covered)",
                "packages/old: pnpm test (own)",
            ],
        ),
        (
            "npm workspaces, one of them called build",
            &[
                ("package.json", r#"{"workspaces": ["./packages/*/"]}"#),
                ("packages/build/package.json", JEST_SCRIPT),
                ("packages/build/node_modules/x/package.json", JEST_SCRIPT),
            ],
            &["packages/build: npm test (covered)"],
        ),
        (
            "cargo workspace; examples only if they are members",
            &[
                (
                    "Cargo.toml",
                    "[workspace]\nmembers = ['crates/*', 'examples/a']\nexclude = ['crates/x']",
                ),
                ("crates/a/Cargo.toml", ""),
                ("crates/x/Cargo.toml", ""),
                ("examples/a/Cargo.toml", ""),
                ("examples/b/Cargo.toml", ""),
                ("target/package/z/Cargo.toml", ""),
            ],
            &[
                "crates/a: cargo test --no-fail-fast (covered)",
                "crates/x: cargo test --no-fail-fast (own)",
                "examples/a: cargo test --no-fail-fast (covered)",
            ],
        ),
        (
            "go workspace",
            &[
                ("go.work", "use (\n  ./a\n  ./b\n)"),
                ("a/go.mod", ""),
                ("b/go.mod", ""),
                ("c/go.mod", ""),
            ],
            &[
                "a: go test ./... (covered)",
                "b: go test ./... (covered)",
                "c: go test ./... (own)",
            ],
        ),
        (
            "uv workspace",
            &[
                (
                    "pyproject.toml",
                    "[tool.uv.workspace]\nmembers = ['libs/*']\n[tool.pytest.ini_options]",
                ),
                ("uv.lock", ""),
                ("libs/a/pyproject.toml", "[project]\nname = 'pytest-a'"),
            ],
            &["libs/a: uv run pytest (covered)"],
        ),
        (
            "projects of one runner",
            &[
                ("package.json", JEST_SCRIPT),
                (
                    "jest.config.js",
                    "module.exports = { projects: ['<rootDir>/packages/*'] };",
                ),
                ("packages/a/package.json", JEST_SCRIPT),
                ("other/package.json", JEST_SCRIPT),
            ],
            &["other: npm test (own)", "packages/a: npm test (covered)"],
        ),
        (
            "two unrelated projects",
            &[
                ("backend/go.mod", ""),
                ("frontend/package.json", JEST_SCRIPT),
                ("frontend/yarn.lock", ""),
            ],
            &["backend: go test ./... (own)", "frontend: yarn test (own)"],
        ),
        (
            "a workspace below the root",
            &[
                ("rust/Cargo.toml", "[workspace]\nmembers = ['a']"),
                ("rust/a/Cargo.toml", ""),
                ("rust/b/Cargo.toml", ""),
            ],
            &[
                "rust: cargo test --workspace --no-fail-fast (own)",
                "rust/a: cargo test --no-fail-fast (covered)",
                "rust/b: cargo test --no-fail-fast (own)",
            ],
        ),
        (
            "maven modules",
            &[
                ("pom.xml", ""),
                ("core/pom.xml", ""),
                ("web/pom.xml", ""),
                ("web/package.json", JEST_SCRIPT),
            ],
            &["core: mvn test (covered)", "web: npm test (own)"],
        ),
        (
            "gradle modules below a folder",
            &[
                ("server/build.gradle", ""),
                ("server/a/build.gradle.kts", ""),
            ],
            &[
                "server: gradle test (own)",
                "server/a: gradle test (covered)",
            ],
        ),
        (
            "a front door covers everything",
            &[
                ("Makefile", "test: a b\n"),
                ("a/go.mod", ""),
                ("b/package.json", JEST_SCRIPT),
            ],
            &["a: go test ./... (covered)", "b: npm test (covered)"],
        ),
        (
            "a runner called by a front door does not",
            &[
                ("Makefile", "test:\n\tgo test ./...\n"),
                ("go.mod", ""),
                ("web/package.json", JEST_SCRIPT),
            ],
            &["web: npm test (own)"],
        ),
        (
            "fixtures are no projects",
            &[
                ("Cargo.toml", ""),
                ("tests/fixtures/a/package.json", JEST_SCRIPT),
                (".hidden/go.mod", ""),
            ],
            &[],
        ),
        (
            "a member in two languages is covered in both or not at all",
            &[
                ("Cargo.toml", "[workspace]\nmembers = ['py']"),
                ("py/Cargo.toml", ""),
                ("py/pyproject.toml", "[tool.pytest.ini_options]"),
            ],
            &["py: pytest (own)"],
        ),
    ];
    for (name, files, expected) in cases {
        assert_eq!(projects(files), *expected, "{name}");
    }
}

#[test]
fn projects_that_nothing_covers_are_in_the_first_config() {
    let text = render_first(&look(&[
        ("backend/go.mod", ""),
        ("frontend/package.json", JEST_SCRIPT),
        ("frontend/packages/x/package.json", "{}"),
    ]));
    let layer = Layer {
        path: ".tcr.toml".into(),
        bytes: text.into_bytes(),
    };
    let config = Config::from_layers(None, Some(layer)).unwrap();
    let paths: Vec<_> = config.projects.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(paths, ["backend", "frontend"]);
    assert_eq!(config.test, None);
}

#[test]
fn a_huge_tree_is_looked_at_within_bounds() {
    let mut files = BTreeMap::new();
    for i in 0..400 {
        files.insert(format!("p{i:03}/go.mod"), String::new());
    }
    files.insert("a/b/c/d/go.mod".to_owned(), String::new());
    files.insert("a/b/c/d/e/go.mod".to_owned(), String::new());
    let detected = detect(&Files(files), &|_| false);
    assert_eq!(detected.projects.len(), 200);
    assert_eq!(detected.projects[0].path, "a/b/c/d");
    assert_eq!(detected.projects[1].path, "p000");
}

proptest::proptest! {
    #[test]
    fn no_content_makes_it_panic(text in "(\\PC|\n|\t|test|:|=|\\(|\\)|use |\\{|\\}|\"|,|- ){0,40}") {
        let names = [
            "package.json", "Makefile", "justfile", "Taskfile.yml", "go.work", "pyproject.toml",
            "Cargo.toml", "deno.jsonc", "pnpm-workspace.yaml", "mise.toml", "composer.json",
        ];
        for name in names {
            look(&[(name, &text)]);
        }
    }
}
