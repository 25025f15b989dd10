//! `git tcr check red|green|refactor [TEST…]`

use super::live::Live;
use super::{open, print};
use crate::cli::{CheckArgs, GateName};
use crate::error::{ExitStatus, Result};
use crate::message::{self, Message, Tone};
use crate::tcr_loop::check::{self, Gate};

pub(super) fn check(args: &CheckArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let gate = match args.gate {
        GateName::Red => Gate::Red,
        GateName::Green => Gate::Green,
        GateName::Refactor => Gate::Refactor,
    };
    let checked = check::check(&repo, gate, &args.tests, &mut Live::new(args.json))?;
    let (status, tone, word) = match checked.holds {
        Some(true) => (ExitStatus::Done, Tone::Good, "holds"),
        Some(false) => (ExitStatus::No, Tone::Bad, "does not hold"),
        None => (ExitStatus::Undecided, Tone::Bad, "can't be told"),
    };
    if args.json {
        print::json(&checked)?;
        return Ok(status);
    }
    let mut message = Message::new(tone, format!("`{}` {word}", args.gate.name()));
    if !checked.reason.is_empty() {
        message = message.fact(checked.reason.clone());
    }
    print::message(&message.fact(format!(
        "tests: {}",
        message::outcome::results(&checked.test_results)
    )))?;
    Ok(status)
}
