//! R's testthat: the lines of our reporter.

use super::Runner;
use super::ask::{Asking, Join, Way};
use super::command::{Look, Sign};
use super::formats::lines::LINES;

pub(super) static RUNNER: Runner = Runner {
    sign,
    ask: |asking| Some(ask(asking)),
    reports: &[("testthat-", &LINES)],
    known_by: "`Rscript` that names testthat or `devtools::test`",
    asked: "a reporter of ours beside the default one, by `R_PROFILE_USER`",
    tried: Some("3.1"),
    ..Runner::named("testthat")
};

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
