//! QUnit's own runner: the TAP that it prints.

use super::Runner;
use super::ask::Way;
use super::formats::tap as format;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["qunit"],
    packages: &["qunit"],
    ask: |asking| Some(Way::default().node_hook(asking.home)),
    reports: &[("of-qunit-", &format::TAP)],
    read_text: tap::read_text,
    call: "qunit",
    configs: &["qunit.config."],
    asked: "TAP: what it prints is kept, also behind a pipe, by `NODE_OPTIONS`",
    tried: Some("2"),
    ..Runner::named("QUnit")
};
