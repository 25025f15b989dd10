//! cucumber-js: the lines of our formatter.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["cucumber-js", "cucumber.js"],
    packages: &["@cucumber/cucumber"],
    lists_only: &["-d", "--dry-run"],
    configs: &["cucumber."],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[(
        "node/tcr-cucumber-format.cjs",
        include_str!("reporters/tcr-cucumber-format.cjs"),
    )],
    reports: &[("cucumber-", &LINES)],
    call: "cucumber-js",
    asked: "a formatter of ours beside the user's, by `NODE_OPTIONS`",
    tried: Some("11"),
    ..Runner::named("cucumber-js")
};
