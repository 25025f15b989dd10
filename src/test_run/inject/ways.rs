//! How each runner is asked for a report without a change to the project: by variables, and by files
//! of ours outside of it.

use std::path::Path;

use crate::test_run::aim::{Aim, CargoAim};
use crate::test_run::recognise::{Found, PackageRunner};
use crate::test_run::report::Runner;

/// How a value of ours goes with one that is set already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// After it, with this between.
    After(&'static str),
    /// Before it, with this between.
    Before(&'static str),
    /// After it, and after the separator if there is none.
    AlwaysAfter(&'static str),
    /// Not at all: the user's own value stays.
    Yield,
}

/// A variable to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) join: Join,
    pub(super) value: String,
}

/// A file to write into our folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reporter {
    pub(super) path: &'static str,
    pub(super) content: String,
    pub(super) is_program: bool,
}

/// What is needed to get a report from one runner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) settings: Vec<Setting>,
    pub(super) reporters: Vec<Reporter>,
}

impl Way {
    fn set(mut self, name: &'static str, join: Join, value: impl Into<String>) -> Way {
        let value = value.into();
        self.settings.push(Setting { name, join, value });
        self
    }

    fn set_if(self, is_set: bool, name: &'static str, value: String) -> Way {
        match is_set {
            true => self.set(name, Join::Yield, value),
            false => self,
        }
    }

    fn file(mut self, path: &'static str, content: &str) -> Way {
        self.reporters.push(Reporter {
            path,
            content: content.to_owned(),
            is_program: false,
        });
        self
    }

    fn shim(mut self, home: &str, path: &'static str, content: &str) -> Way {
        self.reporters.push(Reporter {
            path,
            content: content.to_owned(),
            is_program: true,
        });
        let shims = format!("{home}/shims");
        self.set("PATH", Join::Before(":"), shims.clone())
            .set("GIT_TCR_SHIMS", Join::Yield, shims)
    }
}

/// The way of asking `found` for a report; `None` where its output, or what it writes anyway, must do.
/// `home` holds our files, `out` takes the reports.
pub(super) fn way(
    found: &Found,
    home: &Path,
    out: &Path,
    variable: &dyn Fn(&str) -> String,
    aim: Option<&Aim<'_>>,
) -> Option<Way> {
    if !found.reachable {
        return None;
    }
    let (home, out) = (home.to_str()?, out.to_str()?);
    let has = |text: &str| found.words.iter().any(|word| word.starts_with(text));
    let by_name = found
        .words
        .first()
        .is_some_and(|program| !program.contains('/'));
    let way = Way::default();
    Some(match found.runner {
        Runner::Pytest => pytest(way, found, home),
        Runner::Unittest => way
            .set("PYTHONPATH", Join::Before(":"), format!("{home}/python-start"))
            .file("python-start/sitecustomize.py", include_str!("../reporters/sitecustomize.py")),
        Runner::Vitest | Runner::Jest | Runner::Mocha => node_hook(way, home)
            .file("node/tcr-jest-filter.cjs", include_str!("../reporters/tcr-jest-filter.cjs"))
            .file("node/tcr-vitest-reporter.mjs", include_str!("../reporters/tcr-vitest-reporter.mjs"))
            .file("node/tcr-jest-reporter.cjs", include_str!("../reporters/tcr-jest-reporter.cjs"))
            .file("node/tcr-mocha-require.cjs", include_str!("../reporters/tcr-mocha-require.cjs")),
        Runner::NodeTest => {
            let way = node_test(way, found, home, &variable("NODE_OPTIONS"))?;
            if aim.is_none() { way } else { node_hook(way, home) }
        }
        Runner::Bun if has("--reporter") => return None,
        Runner::Bun => {
            let ours = format!("--reporter=junit --reporter-outfile={out}/bun.xml");
            let titles = aim.and_then(Aim::title_pattern);
            // The variable is split at blanks.
            let titles = titles.map(|titles| titles.replace(' ', r"\x20").replace('"', r"\x22"));
            let titles = titles.map(|titles| format!(" --test-name-pattern={titles}"));
            way.set("BUN_OPTIONS", Join::After(" "), ours + &titles.unwrap_or_default())
        }
        Runner::Deno if by_name => with_titles(
            way.shim(home, "shims/deno", include_str!("../reporters/shims/deno")),
            aim.and_then(Aim::outer_title_pattern),
        ),
        Runner::Nextest => {
            let way = way.shim(
                home,
                "shims/cargo-nextest",
                include_str!("../reporters/shims/cargo-nextest"),
            );
            match aim.map(|aim| aim.cargo(found)) {
                Some(aim) => way
                    .file("aim/cargo/targets", &aim.targets())
                    .file("aim/cargo/filterset", &aim.filterset()),
                None => way,
            }
        }
        Runner::GoTest if by_name => {
            let way = way.shim(home, "shims/go", include_str!("../reporters/shims/go"));
            match aim.map(Aim::go) {
                Some(aim) => way
                    .file("aim/go/packages", &aim.table())
                    .file("aim/go/run", &aim.pattern()),
                None => way,
            }
        }
        // It writes JUnit XML by itself.
        Runner::Surefire => way.set("MAVEN_OPTS", Join::After(" "), aim?.surefire()?),
        // What it prints has all the names; only a part of it is asked for by a program in its place.
        Runner::CargoTest => cargo_test(way, home, &aim?.cargo(found)),
        Runner::Bats if by_name => with_titles(
            way.shim(home, "shims/bats", include_str!("../reporters/shims/bats")),
            aim.and_then(Aim::posix_title_pattern),
        ),
        Runner::CTest if by_name => with_titles(
            way.shim(home, "shims/ctest", include_str!("../reporters/shims/ctest")),
            aim.and_then(Aim::name_pattern),
        ),
        Runner::PhpUnit => way
            // An empty first entry stands for the folder that PHP was built with.
            .set("PHP_INI_SCAN_DIR", Join::AlwaysAfter(":"), format!("{home}/php"))
            .file("php/tcr.ini", &format!("auto_prepend_file=\"{home}/php/tcr_prepend.php\"\n"))
            .file("php/tcr_prepend.php", include_str!("../reporters/tcr_prepend.php")),
        // A formatter in `SPEC_OPTS` replaces all others, also one that writes a file of the user's.
        Runner::Rspec if has("--out") || has("-o") || has_formatter(&variable("SPEC_OPTS")) => {
            return None;
        }
        Runner::Rspec => way
            .set(
                "SPEC_OPTS",
                Join::After(" "),
                format!(
                    "--require {home}/ruby/tcr_rspec.rb --format {} --format json --out {out}/rspec.json",
                    rspec_formatter(&found.words)
                ),
            )
            .file("ruby/tcr_rspec.rb", include_str!("../reporters/tcr_rspec.rb")),
        Runner::Minitest => way
            .set("RUBYOPT", Join::After(" "), format!("-r{home}/ruby/tcr_minitest.rb"))
            .file("ruby/tcr_minitest.rb", include_str!("../reporters/tcr_minitest.rb")),
        Runner::Exunit => way
            .set(
                "ELIXIR_ERL_OPTIONS",
                Join::After(" "),
                format!(
                    "-eval application:ensure_all_started(elixir),'Elixir.Code':compile_file(<<\"{home}/elixir/tcr_exunit_formatter.ex\">>) \
                     -ex_unit formatters ['Elixir.ExUnit.CLIFormatter','Elixir.TcrExUnitFormatter']"
                ),
            )
            .file("elixir/tcr_exunit_formatter.ex", include_str!("../reporters/tcr_exunit_formatter.ex"))
            .set_if(
                aim.is_some(),
                "GIT_TCR_AIM_EXUNIT",
                format!("{home}/aim/exunit"),
            )
            .file("aim/exunit", &aim.map(Aim::exunit_names).unwrap_or_default()),
        Runner::GTest => {
            let way = way.set("GTEST_OUTPUT", Join::Yield, format!("xml:{out}/gtest/"));
            match aim.and_then(Aim::gtest_filter) {
                Some(filter) => way.set("GTEST_FILTER", Join::Yield, filter),
                None => way,
            }
        }
        Runner::Prove => way.set("PERL_TEST_HARNESS_DUMP_TAP", Join::Yield, format!("{out}/tap")),
        Runner::Deno
        | Runner::GoTest
        | Runner::Bats
        | Runner::CTest
        // It writes JUnit XML by itself.
        | Runner::Gradle
        | Runner::Tap => return None,
    })
}

/// How a program is told to run the tasks of all packages to their end, and to let them see our variables. A
/// result that it only prints again has no names of tests.
pub(super) fn to_run_all(program: PackageRunner) -> Vec<Setting> {
    let set = |name, value: &str| Setting {
        name,
        join: Join::Yield,
        value: value.to_owned(),
    };
    match program {
        PackageRunner::Turbo => vec![set("TURBO_FORCE", "true"), set("TURBO_ENV_MODE", "loose")],
        PackageRunner::Nx | PackageRunner::Lerna => vec![set("NX_SKIP_NX_CACHE", "true")],
        PackageRunner::Pnpm => vec![set("npm_config_bail", "false")],
    }
}

fn pytest(way: Way, found: &Found, home: &str) -> Way {
    let way = way
        .set("PYTEST_ADDOPTS", Join::After(" "), "-p tcr_pytest")
        .set("PYTHONPATH", Join::After(":"), format!("{home}/python"))
        .file(
            "python/tcr_pytest.py",
            include_str!("../reporters/tcr_pytest.py"),
        );
    if found.words.first().is_some_and(|word| word == "tox") {
        let pass = "testenv.pass_env+=PYTEST_ADDOPTS,PYTHONPATH,GIT_TCR_OUT,GIT_TCR_AIM";
        return way.set("TOX_OVERRIDE", Join::After(";"), pass);
    }
    way
}

/// With a pattern for the titles of wanted tests, for a shim.
fn with_titles(way: Way, titles: Option<String>) -> Way {
    match titles {
        Some(titles) => way.file("aim/titles", &titles),
        None => way,
    }
}

fn node_hook(way: Way, home: &str) -> Way {
    let hook = format!("--require={home}/node/tcr-node-hook.cjs");
    way.set("NODE_OPTIONS", Join::After(" "), hook)
        .file(
            "node/tcr-node-hook.cjs",
            include_str!("../reporters/tcr-node-hook.cjs"),
        )
        .file(
            "node/tcr-node-aim.cjs",
            include_str!("../reporters/tcr-node-aim.cjs"),
        )
        .file("node/nothing.cjs", "")
}

fn cargo_test(way: Way, home: &str, aim: &CargoAim) -> Way {
    let way = way
        .shim(
            home,
            "shims/cargo",
            include_str!("../reporters/shims/cargo"),
        )
        .shim(
            home,
            "shims/tcr-cargo-runner",
            include_str!("../reporters/shims/tcr-cargo-runner"),
        )
        .file("aim/cargo/targets", &aim.targets())
        .file("aim/cargo/table", &aim.table());
    let way = match aim.has_tests() {
        true => way.file("aim/cargo/tests", ""),
        false => way,
    };
    match aim.doctests().as_str() {
        "" => way,
        names => way.file("aim/cargo/doctests", names),
    }
}

/// Node refuses to start unless there are as many destinations as reporters; only a single reporter
/// may come without.
fn node_test(way: Way, found: &Found, home: &str, options: &str) -> Option<Way> {
    let count = |name: &str| {
        let given = found.words.iter().map(String::as_str);
        given
            .chain(options.split_whitespace())
            .filter(|word| word.split('=').next() == Some(name))
            .count()
    };
    // A plain file, though nothing is written to it: Node syncs it, which a device may refuse.
    let ours = format!(
        "--test-reporter={home}/node/tcr-node-reporter.mjs --test-reporter-destination={home}/node/nothing"
    );
    let destinations = count("--test-reporter-destination");
    let value = match count("--test-reporter") {
        0 => format!("--test-reporter=spec --test-reporter-destination=stdout {ours}"),
        1 if destinations == 0 => format!("{ours} --test-reporter-destination=stdout"),
        reporters if reporters == destinations => ours,
        _ => return None,
    };
    Some(way.set("NODE_OPTIONS", Join::After(" "), value).file(
        "node/tcr-node-reporter.mjs",
        include_str!("../reporters/tcr-node-reporter.mjs"),
    ))
}

fn has_formatter(options: &str) -> bool {
    options
        .split_whitespace()
        .any(|word| word.starts_with("-f") || word.starts_with("--f") || word.starts_with("--out"))
}

/// The formatter the user asked for on the command line or in `.rspec`, or the usual one.
fn rspec_formatter(words: &[String]) -> &str {
    let position = words
        .iter()
        .position(|word| word == "--format" || word == "-f");
    position
        .and_then(|position| words.get(position + 1))
        .map_or("progress", String::as_str)
}
