//! Playwright's runner: the lines of our reporter.

use super::Runner;
use super::ask::{Join, Way};
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    packages: &["@playwright/test"],
    subcommands: &[("playwright", "test")],
    lists_only: &["--list"],
    configs: &["playwright.config."],
    executors: &["playwright"],
    ask: |asking| {
        let path = format!("{}/node/tcr-playwright-reporter.cjs", asking.home);
        let reporter = include_str!("reporters/tcr-playwright-reporter.cjs");
        let way = Way::default().set("PW_TEST_REPORTER", Join::Yield, path);
        Some(way.file("node/tcr-playwright-reporter.cjs", reporter))
    },
    reports: &[("playwright-", &LINES)],
    call: "playwright test",
    asked: "a reporter of ours, by `PW_TEST_REPORTER`",
    tried: Some("1.65"),
    ..Runner::named("Playwright")
};
