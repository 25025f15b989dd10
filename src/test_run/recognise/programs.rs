//! Programs that are test runners, or that start one by their arguments or by what is in a file.

use super::{Call, Place, Runner, Search, base_name, skip_options};

/// Adds the runner that a program is.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    if let Some(runner) = by_name(call.name) {
        search.add(runner, call, at);
        return;
    }
    match call.name {
        "cargo" | "cross" => cargo(search, call, at),
        "go" | "richgo" => go(search, call, at),
        "node" | "nodejs" | "tsx" | "ts-node" | "electron" | "swc-node" => node(search, call, at),
        "bun" => sub(search, call, at, &["test"], Runner::Bun),
        "deno" => sub(search, call, at, &["test"], Runner::Deno),
        "react-scripts" | "craco" | "react-app-rewired" => {
            sub(search, call, at, &["test"], Runner::Jest);
        }
        "mix" => {
            if call.has("test") {
                search.add(Runner::Exunit, call, at);
            }
        }
        "hatch" | "rye" => sub(search, call, at, &["test"], Runner::Pytest),
        "nox" => by_content(search, call, at, "noxfile.py", &PYTHON_RUNNERS),
        "invoke" | "inv" => by_content(search, call, at, "tasks.py", &PYTHON_RUNNERS),
        "rake" => rake(search, call, at),
        "rails" | "spring" => {
            if call.arguments.iter().any(|word| word.starts_with("test")) {
                search.add(Runner::Minitest, call, at);
            }
        }
        "ruby" | "jruby" | "truffleruby" => ruby(search, call, at),
        "php" => php(search, call, at),
        "perl" => perl(search, call, at),
        "Build" => sub(search, call, at, &["test"], Runner::Prove),
        "mvn" | "mvnw" | "mvnd" => maven(search, call, at),
        "gradle" | "gradlew" => gradle(search, call, at),
        "cmake" => {
            let target = call.option(&["--target", "-t"]);
            if target.is_some_and(|target| matches!(target, "test" | "check" | "RUN_TESTS")) {
                search.add(Runner::CTest, call, at);
            }
        }
        "ninja" => sub(search, call, at, &["test"], Runner::CTest),
        name if is_python(name) => python(search, call, at),
        _ => own_script(search, call, at),
    }
}

fn by_name(name: &str) -> Option<Runner> {
    Some(match name {
        "pytest" | "py.test" | "pytest-3" => Runner::Pytest,
        "vitest" | "vitest.mjs" => Runner::Vitest,
        "jest" | "jest.js" => Runner::Jest,
        "mocha" | "_mocha" | "mocha.js" | "electron-mocha" => Runner::Mocha,
        "cargo-nextest" => Runner::Nextest,
        "gotestsum" | "gotest" => Runner::GoTest,
        "phpunit" | "simple-phpunit" | "pest" => Runner::PhpUnit,
        "rspec" => Runner::Rspec,
        "ctest" => Runner::CTest,
        "gtest-parallel" => Runner::GTest,
        "bats" => Runner::Bats,
        "prove" => Runner::Prove,
        _ => return None,
    })
}

fn runs_tests(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "test")
}

/// Adds the runner if the first word is one of `names`.
fn sub(search: &mut Search<'_>, call: &Call<'_>, at: &Place, names: &[&str], runner: Runner) {
    if call
        .positional(&["--cwd", "-C", "-c", "--config", "-e", "-p"])
        .is_some_and(|(first, _)| names.contains(&first))
    {
        search.add(runner, call, at);
    }
}

const PYTHON_RUNNERS: [(&str, Runner); 2] =
    [("pytest", Runner::Pytest), ("unittest", Runner::Unittest)];

/// Guesses by words that a file contains.
fn by_content(
    search: &mut Search<'_>,
    call: &Call<'_>,
    at: &Place,
    file: &str,
    words: &[(&str, Runner)],
) {
    let content = search.file(at, file).unwrap_or_default();
    let found = words.iter().find(|(word, _)| content.contains(word));
    if let Some((_, runner)) = found {
        search.add_guess(*runner, call, at);
    }
}

fn cargo(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let with_value = [
        "--manifest-path",
        "-Z",
        "--config",
        "-C",
        "--color",
        "--target-dir",
    ];
    let Some((first, rest)) = call.positional(&with_value) else {
        return;
    };
    match first {
        "test" | "t" => search.add(Runner::CargoTest, call, at),
        "nextest" => search.add(Runner::Nextest, call, at),
        "llvm-cov" | "miri" | "hack" | "careful" | "tarpaulin" | "auditable" | "mutants" => {
            if rest.iter().any(|word| word == "nextest") {
                search.add(Runner::Nextest, call, at);
            } else if rest.iter().any(|word| word == "test") || first == "llvm-cov" {
                search.add(Runner::CargoTest, call, at);
            }
        }
        _ => {}
    }
}

fn go(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    match call.positional(&["-C"]) {
        Some(("test", _)) => search.add(Runner::GoTest, call, at),
        Some(("run", rest)) if rest.iter().any(|word| word.contains("gotestsum")) => {
            search.add(Runner::GoTest, call, at);
        }
        _ => {}
    }
}

fn node(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    if call.has("--test") {
        search.add(Runner::NodeTest, call, at);
        return;
    }
    let with_value = [
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "-C",
        "--conditions",
        "--env-file",
        "--project",
        "-P",
        "--tsconfig",
    ];
    let Some((script, rest)) = call.positional(&with_value) else {
        return;
    };
    let inner = Call {
        program: script,
        name: base_name(script),
        arguments: rest,
        assignments: call.assignments,
    };
    let packages = script.replace('\\', "/");
    let in_package = ["vitest", "jest", "jest-cli", "mocha", "react-scripts"]
        .into_iter()
        .find(|package| packages.contains(&format!("node_modules/{package}/")))
        .or_else(|| packages.ends_with(".bin/jest").then_some("jest"));
    match in_package {
        Some("vitest") => search.add(Runner::Vitest, call, at),
        Some("mocha") => search.add(Runner::Mocha, call, at),
        Some(_) => search.add(Runner::Jest, call, at),
        None => match by_name(inner.name) {
            Some(runner) => search.add(runner, call, at),
            None => by_content(search, call, at, script, &[("node:test", Runner::NodeTest)]),
        },
    }
}

fn is_python(name: &str) -> bool {
    ["python", "pypy", "py"].iter().any(|stem| {
        name.strip_prefix(stem).is_some_and(|version| {
            version
                .chars()
                .all(|char| char.is_ascii_digit() || char == '.')
        })
    })
}

fn python(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let mut options = call
        .arguments
        .iter()
        .take_while(|word| word.starts_with('-'));
    // Isolated interpreters read none of the variables we would set.
    let is_isolated =
        options.any(|word| !word.starts_with("--") && word != "-m" && word.contains(['I', 'E']));
    let at = &if is_isolated {
        at.elsewhere()
    } else {
        at.clone()
    };
    let module = call.arguments.iter().position(|word| word == "-m");
    let script_first = skip_options(call.arguments, &["-W", "-X", "-m"]);
    if let Some((module, rest)) =
        module.and_then(|position| call.arguments.split_at(position + 1).1.split_first())
    {
        match module.as_str() {
            "pytest" | "py.test" => search.add(Runner::Pytest, call, at),
            "unittest" => search.add(Runner::Unittest, call, at),
            "coverage" | "tox" | "nox" | "invoke" | "poetry" | "uv" | "pdm" | "hatch" => {
                let mut words = vec![module.clone()];
                words.extend_from_slice(rest);
                search.command(&words, at);
            }
            _ => {}
        }
        return;
    }
    let Some((script, rest)) = script_first.split_first() else {
        return;
    };
    match base_name(script) {
        "manage.py" | "setup.py" if runs_tests(rest) => search.add(Runner::Unittest, call, at),
        "manage.py" | "setup.py" => {}
        "pytest" | "py.test" => search.add(Runner::Pytest, call, at),
        _ => by_content(search, call, at, script, &PYTHON_RUNNERS),
    }
}

fn rake(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let rakefile = search
        .first_file(at, &["Rakefile", "rakefile", "Rakefile.rb"])
        .unwrap_or_default();
    let task = call.positional(&["-f", "-C", "-I"]).map(|(task, _)| task);
    let names_spec =
        task.is_none_or(|task| task.contains("spec") || task == "default" || task == "test");
    let names_test = task.is_none_or(|task| task.contains("test") || task == "default");
    if names_spec && (rakefile.contains("RSpec::Core::RakeTask") || rakefile.contains("rspec")) {
        search.add_guess(Runner::Rspec, call, at);
    }
    if names_test
        && ["TestTask", "minitest", "Rails.application"]
            .iter()
            .any(|word| rakefile.contains(word))
    {
        search.add_guess(Runner::Minitest, call, at);
    }
}

fn ruby(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let has_inline = call.has("-e");
    let text = call.arguments.join(" ");
    if has_inline && (text.contains("_test") || text.contains("minitest")) {
        search.add_guess(Runner::Minitest, call, at);
        return;
    }
    let Some((script, rest)) = call.positional(&["-I", "-r", "-C"]) else {
        return;
    };
    match base_name(script) {
        "rspec" => search.add(Runner::Rspec, call, at),
        "rails" | "rake" | "bundle" => {
            let mut words = vec![script.to_owned()];
            words.extend_from_slice(rest);
            search.command(&words, at);
        }
        name if name.ends_with("_test.rb") || name.starts_with("test_") => {
            search.add_guess(Runner::Minitest, call, at);
        }
        _ => by_content(
            search,
            call,
            at,
            script,
            &[("minitest", Runner::Minitest), ("rspec", Runner::Rspec)],
        ),
    }
}

fn php(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let Some((script, rest)) = call.positional(&["-d", "-c", "-z"]) else {
        return;
    };
    match base_name(script) {
        "artisan" if runs_tests(rest) => {
            search.add(Runner::PhpUnit, call, at);
        }
        "composer" => {
            let mut words = vec![script.to_owned()];
            words.extend_from_slice(rest);
            search.command(&words, at);
        }
        name if by_name(name) == Some(Runner::PhpUnit) => search.add(Runner::PhpUnit, call, at),
        _ => {}
    }
}

fn perl(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    match call.positional(&["-I"]) {
        Some((script, rest)) if base_name(script) == "Build" && runs_tests(rest) => {
            search.add(Runner::Prove, call, at);
        }
        Some((script, _)) if base_name(script) == "prove" => search.add(Runner::Prove, call, at),
        _ => {}
    }
}

fn maven(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    const PHASES: [&str; 7] = [
        "test",
        "package",
        "verify",
        "install",
        "deploy",
        "integration-test",
        "prepare-package",
    ];
    if call.arguments.iter().any(|word| {
        PHASES.contains(&word.as_str()) || word.contains("surefire:") || word.contains("failsafe:")
    }) {
        search.add(Runner::Surefire, call, at);
    }
}

fn gradle(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    let runs_tests = call
        .arguments
        .iter()
        .filter(|word| !word.starts_with('-'))
        .filter_map(|word| word.rsplit(':').next())
        .any(|task| matches!(task, "check" | "build") || task.to_lowercase().contains("test"));
    if runs_tests {
        search.add(Runner::Gradle, call, at);
    }
}

/// A program of the project: a script that may start a runner, or a compiled test.
fn own_script(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    if !call.program.contains('/') {
        return;
    }
    let Some(content) = search.file(at, call.program) else {
        if call.name.to_lowercase().contains("test") {
            search.add_guess(Runner::GTest, call, at);
        }
        return;
    };
    let first_line = content.lines().next().unwrap_or_default();
    if !first_line.starts_with("#!") {
        return;
    }
    let interpreter = first_line
        .trim_start_matches("#!")
        .split_whitespace()
        .map(base_name)
        .find(|word| *word != "env" && !word.starts_with('-'))
        .unwrap_or_default();
    match interpreter {
        "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" => {
            search.task("file", call.program, Some(content), at);
        }
        "bats" => search.add(Runner::Bats, call, at),
        _ => {
            let mut words = vec![interpreter.to_owned(), call.program.to_owned()];
            words.extend_from_slice(call.arguments);
            search.command(&words, &at.deeper());
        }
    }
}
