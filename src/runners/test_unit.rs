//! test-unit: the lines of our listener.

use super::Runner;
use super::ask::{Join, Way};
use super::command::Sign;
use super::formats::lines::LINES;
use super::minitest;

pub(super) static RUNNER: Runner = Runner {
    scripts: &[("ruby", "test/unit"), ("ruby", "test-unit")],
    // Nothing but the files tells which of the two it is; Rails has the other.
    sign: |look| minitest::sign(look).filter(|sign| *sign == Sign::Guess),
    ask: |asking| {
        let hook = format!("-r{}/ruby/tcr_test_unit.rb", asking.home);
        let text = include_str!("reporters/tcr_test_unit.rb");
        let way = Way::default().set("RUBYOPT", Join::After(" "), hook);
        Some(way.file("ruby/tcr_test_unit.rb", text))
    },
    reports: &[("test-unit-", &LINES)],
    known_by: "tasks of a Rakefile, `ruby …_test.rb`, scripts that name it",
    asked: "a listener of ours, by `RUBYOPT`",
    tried: Some("3.5"),
    ..Runner::named("test-unit")
};
