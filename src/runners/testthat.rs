//! R's testthat: the lines of our reporter.

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::command::{Look, Sign};
use super::formats::lines::LINES;
use super::project::{Offer, Place};

pub(super) static RUNNER: Runner = Runner {
    sign,
    ask: |asking| Some(ask(asking)),
    reports: &[("testthat-", &LINES)],
    detect,
    known_by: "`Rscript` that names testthat or `devtools::test`",
    asked: "a reporter of ours beside the default one, by `R_PROFILE_USER`",
    tried: Some("3.1"),
    ..Runner::named("testthat")
};

/// devtools loads the package as its users would; without it, or without a package, testthat alone does.
fn detect(place: &Place<'_>, out: &mut Vec<Offer>) {
    const DIR: &str = "tests/testthat";
    if !place.exists(DIR) {
        return;
    }
    let mut add = |call: &str, file: &str| {
        out.push(Offer::by_default("r", format!("Rscript -e '{call}'"), file));
    };
    if place.exists("DESCRIPTION") {
        add("devtools::test(stop_on_failure = TRUE)", "DESCRIPTION");
        add(
            "testthat::test_local(stop_on_failure = TRUE)",
            "DESCRIPTION",
        );
    }
    add(
        &format!("testthat::test_dir(\"{DIR}\", stop_on_failure = TRUE)"),
        DIR,
    );
}

fn sign(look: &Look<'_>) -> Option<Sign> {
    let is_r = look.is(&["Rscript", "R", "r", "littler"]);
    let names = |text: &str| text.contains("testthat") || text.contains("devtools::test");
    let mut words = look.call.arguments.iter();
    let is_told = words.any(|word| {
        let in_file = || (look.read)(word).is_some_and(|text| names(&text));
        names(word) || (word.ends_with(".R") && in_file())
    });
    Sign::sure_if(is_r && is_told)
}

fn ask(asking: &Asking<'_>) -> Way {
    let profile = format!("{}/r/tcr_profile.R", asking.home);
    // It reads the user's own first.
    let own = (asking.variable)("R_PROFILE_USER");
    Way::default()
        .set("GIT_TCR_R_PROFILE", Join::Yield, own)
        .set("R_PROFILE_USER", Join::Replace, profile)
        .file("r/tcr_profile.R", include_str!("reporters/tcr_profile.R"))
}
