//! `cargo test`: its text, around that of Rust's own test harness.

mod block;
mod build_error;
mod cargo_text;

pub(super) use cargo_text::{CargoText, with_rooted_cargo_headers};

use super::Runner;
use super::ask::{Asking, Way};
use super::command::Sign;
use super::project::Offer;
use super::rust::{self, Cargo, aim::CargoAim, files};

pub(super) static RUNNER: Runner = Runner {
    subcommands: &[("cargo", "test")],
    sign: |look| Sign::sure_if(rust::run_by(look) == Some(Cargo::Test)),
    lists_only: &["--no-run", "--list"],
    // What it prints has all the names; only a part of it is asked for by a program in its place.
    ask: |asking| Some(ask(asking, &CargoAim::of(asking.aim?, asking.found))),
    tells_unasked: true,
    read_text: |output| CargoText::read(output).map(|cargo| cargo.report()),
    telling: &[
        r"^ +Running (?:unittests )?\S.* \(\S+\)$|^   Doc-tests |^running \d+ tests?$|^error: could not compile |^error: no such command: ",
    ],
    rooted: files::rooted,
    settle: rust::settle,
    // Found first on PATH, if a name is all that is given.
    takes_aim: |found| found.words.first().is_some_and(|word| word == "cargo"),
    filters: &["--exact"],
    detect: |place, out| {
        if let Some(all) = rust::all_targets(place) {
            out.push(Offer::by_default(
                "rust",
                format!("cargo test{all}"),
                "Cargo.toml",
            ));
        }
    },
    known_by: "also behind `cargo llvm-cov`, `cargo miri` and the like",
    asked: "not asked: what it prints has all names",
    tried: Some("1.95"),
    ..Runner::named("cargo test")
};

fn ask(asking: &Asking<'_>, aim: &CargoAim) -> Way {
    let home = asking.home;
    let way = Way::default()
        .shim(
            home,
            "shims/cargo",
            include_str!("../reporters/shims/cargo"),
        )
        .shim(
            home,
            "shims/tcr-cargo-runner",
            include_str!("../reporters/shims/tcr-cargo-runner"),
        )
        .file("aim/cargo/targets", &aim.targets())
        .file("aim/cargo/table", &aim.table())
        .file_if("aim/cargo/tests", aim.has_tests().then(String::new));
    let doctests = Some(aim.doctests()).filter(|names| !names.is_empty());
    way.file_if("aim/cargo/doctests", doctests)
}

fn named(binary: &str, name: &str) -> String {
    if binary.is_empty() {
        name.to_owned()
    } else {
        format!("{binary} > {name}")
    }
}
