//! `git tcr check red|green|refactor [TEST…]`

use super::live::Live;
use super::{open, print};
use crate::cli::{CheckArgs, GateName};
use crate::error::{ExitStatus, Result};
use crate::message;
use crate::tcr_loop::check::{self, Gate};

pub(super) fn check(args: &CheckArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let gate = match args.gate {
        GateName::Red => Gate::Red,
        GateName::Green => Gate::Green,
        GateName::Refactor => Gate::Refactor,
    };
    let checked = check::check(&repo, gate, &args.tests, &mut Live::new(args.json))?;
    if args.json {
        print::json(&checked)?;
    } else {
        print::message(&message::check::checked(args.gate.name(), &checked))?;
    }
    Ok(match checked.holds {
        Some(true) => ExitStatus::Done,
        Some(false) => ExitStatus::No,
        None => ExitStatus::Undecided,
    })
}
