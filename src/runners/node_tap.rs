//! node-tap: the TAP that it prints.

use super::Runner;
use super::ask::Way;
use super::formats::tap as format;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["tap"],
    packages: &["tap"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    reports: &[("of-node_tap-", &format::TAP)],
    read_text: tap::read_text,
    configs: &[".taprc"],
    call: "tap",
    asked: "TAP: what it prints is kept, also behind a pipe, by `NODE_OPTIONS`",
    tried: Some("21"),
    ..Runner::named("node-tap")
};
