//! AVA: it is told to print TAP.

use super::Runner;
use super::ask::Way;
use super::formats::tap as format;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["ava"],
    packages: &["ava"],
    node_files: &[("node/tcr-tee.cjs", include_str!("reporters/tcr-tee.cjs"))],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    reports: &[("of-ava-", &format::TAP)],
    read_text: tap::read_text,
    configs: &["ava.config."],
    call: "ava",
    asked: "TAP: what it prints is kept, also behind a pipe, by `NODE_OPTIONS`",
    tried: Some("6"),
    ..Runner::named("AVA")
};
