//! uvu: the lines of our watcher, as it has no reporters.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    programs: &["uvu"],
    packages: &["uvu"],
    scripts: &[("node", "'uvu'"), ("node", "\"uvu\"")],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[("node/tcr-uvu.cjs", include_str!("reporters/tcr-uvu.cjs"))],
    reports: &[("uvu-", &LINES)],
    call: "uvu {dir}",
    configs: &["uvu.config."],
    known_by: "scripts that load it",
    asked: "a watcher of ours, by `NODE_OPTIONS`",
    tried: Some("0.5"),
    ..Runner::named("uvu")
};
