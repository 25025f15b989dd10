//! What steers how tests run.

use super::{Name, among, contains, is_docs, starts_with_any};
use crate::languages::Language;

const HARNESS_NAMES: &[&str] = &[
    ".behaverc",
    ".busted",
    ".coveragerc",
    ".env.test",
    ".env.testing",
    ".hspec",
    ".hspec-options",
    ".noserc",
    ".proverc",
    ".pytest.ini",
    ".pytest.toml",
    ".rspec",
    ".rspec-local",
    ".runsettings",
    ".taprc",
    "behat.yaml",
    "behat.yml",
    "behave.ini",
    "bunfig.toml",
    "codeception.yaml",
    "codeception.yml",
    "conftest.py",
    "ctestconfig.cmake",
    "ctestcustom.cmake",
    "cucumber.yaml",
    "cucumber.yml",
    "cypress.json",
    "dart_test.yaml",
    "insta.yaml",
    "jasmine.json",
    "junit-platform.properties",
    "kotest.properties",
    "mocha.opts",
    "nextest.toml",
    "nose.cfg",
    "nose2.cfg",
    "noxfile.py",
    "pest.php",
    "phpspec.yaml",
    "phpspec.yml",
    "pytest.ini",
    "pytest.toml",
    "rails_helper.rb",
    "robot.toml",
    "sitecustomize.py",
    "spec_helper.cr",
    "spec_helper.lua",
    "spec_helper.rb",
    "test_helper.exs",
    "test_helper.rb",
    "testconfig.json",
    "testem.js",
    "testem.json",
    "testng.xml",
    "tests.edn",
    "tox.ini",
    "tox.toml",
    "unittest.cfg",
    "usercustomize.py",
    "xunit.runner.json",
];

const HARNESS_PREFIXES: &[&str] = &[
    ".babelrc",
    ".c8rc",
    ".istanbul.",
    ".jasmine.",
    ".labrc",
    ".mocharc",
    ".nycrc",
    ".swcrc",
    ".testcaferc",
    ".testem",
    "ava.config.",
    "babel.config.",
    "codecept.conf.",
    "cucumber.js",
    "cypress.config.",
    "jasmine.config.",
    "jest-setup.",
    "jest.config.",
    "jest.env.",
    "jest.global",
    "jest.preset.",
    "jest.setup.",
    "karma.conf",
    "nightwatch.conf.",
    "nyc.config.",
    "phpunit.",
    "playwright-ct.config.",
    "playwright.config.",
    "protractor.conf.",
    "setup-tests.",
    "setuptests.",
    "vite.config.",
    "vitest-setup.",
    "vitest.config.",
    "vitest.global",
    "vitest.setup.",
    "vitest.workspace.",
    "wdio.conf.",
    "web-test-runner.config.",
];

const HARNESS_EXTENSIONS: &[&str] = &["runsettings", "xctestplan", "testsettings"];

/// From the root or below any folder.
const HARNESS_PATHS: &[&str] = &[
    ".cargo/config",
    ".cargo/config.toml",
    ".mvn/extensions.xml",
    ".mvn/jvm.config",
    ".mvn/maven.config",
    "test/bootstrap.php",
    "tests/bootstrap.php",
];

/// Variants such as `jest-e2e.config.js` or `vitest.unit.config.ts`.
const CONFIGURED_RUNNERS: &[&str] = &["jest", "vitest", "cypress", "playwright", "karma", "mocha"];

/// What steers how tests run.
pub(in crate::rules) fn is_harness(name: &Name) -> bool {
    let base = name.base();
    among(base, HARNESS_NAMES)
        || starts_with_any(base, HARNESS_PREFIXES)
        || among(name.extension(), HARNESS_EXTENSIONS)
        || (starts_with_any(base, CONFIGURED_RUNNERS) && contains(base, b".config."))
        || is_compiler_config(base)
        || is_build_script(name)
        || HARNESS_PATHS
            .iter()
            .any(|path| is_tail(&name.components, path))
}

/// `tsconfig.json`, `tsconfig.test.json`, `tsconfig-base.json`.
fn is_compiler_config(base: &[u8]) -> bool {
    starts_with_any(base, &["tsconfig", "jsconfig"]) && base.ends_with(b".json")
}

/// `build.rs` beside a `Cargo.toml`; in a folder of source it is a module like any other.
fn is_build_script(name: &Name) -> bool {
    const OF_SOURCE: &[&str] = &["src", "lib", "tests", "benches", "examples"];
    name.base() == b"build.rs" && !name.folders().iter().any(|part| among(part, OF_SOURCE))
}

const SETTINGS: &[&str] = &[
    "", "cfg", "conf", "ini", "json", "rc", "toml", "yaml", "yml",
];

/// What a runner prints into is no setting of it.
const PRINTED: &[&str] = &["cache", "log", "output", "report", "result"];

/// A file that steers if it is new: its name begins with that of a runner that could load it.
pub(in crate::rules) fn begins_with_runner(name: &Name) -> bool {
    let base = name.base().strip_prefix(b".").unwrap_or(name.base());
    let is_whole = |rest: &[u8]| {
        rest.first().is_none_or(|next| b".-_".contains(next)) || rest.starts_with(b"rc")
    };
    let is_settings = || {
        let is_printed = PRINTED.iter().any(|word| contains(base, word.as_bytes()));
        among(name.extension(), SETTINGS) && !is_docs(name) && !is_printed
    };
    let is_named_after = |runner: &str| base.strip_prefix(runner.as_bytes()).is_some_and(is_whole);
    match name.language() {
        Some(language) => language.runners().iter().copied().any(is_named_after),
        None => is_settings() && Language::all_runners().any(is_named_after),
    }
}

fn is_tail(components: &[Vec<u8>], path: &str) -> bool {
    let wanted: Vec<&[u8]> = path.as_bytes().split(|byte| *byte == b'/').collect();
    components.len() >= wanted.len()
        && components
            .iter()
            .rev()
            .zip(wanted.iter().rev())
            .all(|(a, b)| a.as_slice() == *b)
}
