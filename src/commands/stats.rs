//! `git tcr stats`

use serde_json::{Value, json};

use super::pager::Pager;
use super::{open, print};
use crate::branch::place;
use crate::branch::summary::summary;
use crate::commands::print::OutputArgs;
use crate::error::{Error, ExitStatus, Result};
use crate::message::stats;

pub(crate) fn stats(args: OutputArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let place = place::locate(&repo)?;
    let summary = summary(&repo, place.kept_under(), place.require()?.tip)?;
    let base = place.base.to_string();
    if args.json {
        let mut facts = json!({"base": base});
        let more = serde_json::to_value(&summary)
            .map_err(|_| Error::internal("the numbers are not JSON"))?;
        if let (Value::Object(facts), Value::Object(more)) = (&mut facts, more) {
            facts.extend(more);
        }
        print::json(&facts)?;
    } else {
        let mut pager = Pager::start(repo.root());
        pager.write(&stats::page(&summary, &base))?;
        pager.end();
    }
    Ok(ExitStatus::Done)
}
