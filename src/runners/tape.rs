//! tape, also behind a printer such as faucet: the TAP that it prints.

use super::Runner;
use super::ask::Way;
use super::formats::tap as format;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["tape"],
    packages: &["tape"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    node_files: &[("node/tcr-tee.cjs", include_str!("reporters/tcr-tee.cjs"))],
    reports: &[("of-tape-", &format::TAP)],
    read_text: tap::read_text,
    call: "tape '{dir}/**/*.js'",
    configs: &[".tape"],
    asked: "TAP: what it prints is kept, also behind a pipe, by `NODE_OPTIONS`",
    tried: Some("5"),
    ..Runner::named("tape")
};
