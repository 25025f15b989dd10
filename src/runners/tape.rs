//! tape, also where a script loads it, and behind a printer such as faucet: the lines of our watcher.

use super::Runner;
use super::ask::Way;
use super::formats::lines::LINES;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["tape"],
    packages: &["tape"],
    scripts: &[("node", "'tape'"), ("node", "\"tape\"")],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[("node/tcr-tape.cjs", include_str!("reporters/tcr-tape.cjs"))],
    reports: &[("of-tape-", &LINES)],
    read_text: tap::read_text,
    call: "tape '{dir}/**/*.js'",
    configs: &[".tape"],
    known_by: "scripts that load it",
    asked: "a watcher of ours in every process, by `NODE_OPTIONS`",
    tried: Some("5"),
    ..Runner::named("tape")
};
