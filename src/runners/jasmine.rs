//! Jasmine: the lines of our reporter.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["jasmine"],
    packages: &["jasmine"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[(
        "node/tcr-jasmine-helper.cjs",
        include_str!("reporters/tcr-jasmine-helper.cjs"),
    )],
    reports: &[("jasmine-", &LINES)],
    call: "jasmine",
    configs: &["jasmine.json"],
    asked: "a helper of ours, by `NODE_OPTIONS`",
    tried: Some("5"),
    ..Runner::named("Jasmine")
};
