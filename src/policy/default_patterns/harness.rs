//! What steers how tests run.

use super::{Name, among, contains, starts_with_any};

const HARNESS_NAMES: &[&str] = &[
    ".behaverc",
    ".busted",
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
    "tsconfig.spec.json",
    "tsconfig.test.json",
    "unittest.cfg",
    "usercustomize.py",
    "xunit.runner.json",
];

const HARNESS_PREFIXES: &[&str] = &[
    ".jasmine.",
    ".labrc",
    ".mocharc",
    ".nycrc",
    ".testcaferc",
    ".testem",
    "ava.config.",
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
pub(in crate::policy) fn is_harness(name: &Name) -> bool {
    let base = name.base();
    among(base, HARNESS_NAMES)
        || starts_with_any(base, HARNESS_PREFIXES)
        || among(name.extension(), HARNESS_EXTENSIONS)
        || (starts_with_any(base, CONFIGURED_RUNNERS) && contains(base, b".config."))
        || HARNESS_PATHS
            .iter()
            .any(|path| is_tail(&name.components, path))
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
