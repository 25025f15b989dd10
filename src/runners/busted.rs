//! busted: the lines of our hook, and its TAP.

use super::Runner;
use super::ask::{Join, Way};
use super::formats::lines::LINES;
use super::project::Offer;
use super::tap;

pub(super) static RUNNER: Runner = Runner {
    programs: &["busted"],
    lists_only: &["-l", "--list"],
    ask: |asking| {
        let hook = format!("@{}/lua/tcr_busted.lua", asking.home);
        let text = include_str!("reporters/tcr_busted.lua");
        let way = Way::default().set("LUA_INIT", Join::Yield, hook);
        Some(way.file("lua/tcr_busted.lua", text))
    },
    reports: &[("busted-", &LINES)],
    read_text: tap::read_text,
    detect: |place, out| {
        if place.exists(".busted") || place.has_named("spec", "_spec.lua") {
            let file = place.first(&[".busted"]).unwrap_or("spec");
            out.push(Offer::by_default("lua", "busted", file));
        }
    },
    asked: "a hook of ours, by `LUA_INIT`",
    tried: Some("2.1"),
    ..Runner::named("busted")
};
