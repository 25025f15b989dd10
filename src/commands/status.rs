//! `git tcr status`

use std::collections::BTreeMap;

use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::{open, print};
use crate::branch::off::{effective_mode, why_off};
use crate::branch::place::{self, Place};
use crate::branch::sealed;
use crate::branch::session::Session;
use crate::commands::print::OutputArgs;
use crate::config::Config;
use crate::error::{Error, ExitStatus, Result};
use crate::git::refs;
use crate::git::repo::Repo;
use crate::message::{self, status::Facts};

pub(crate) fn status(args: OutputArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let sealed = sealed::require(&repo)?;
    let place = place::locate(&repo)?;
    let loaded = place.require()?;
    let mode = effective_mode(&loaded.state, &sealed.config, place.base.as_bstr());
    let session = Session::of_caller(&repo, &sealed.config, &place)?;
    let facts = Facts {
        cycle: session.cycle_status()?,
        base: place.base.to_string(),
        branch: open::current_branch(&place),
        state: &loaded.state,
        mode,
        off: why_off(&loaded.state, &sealed.config, place.base.as_bstr()),
        test_command: sealed.config.test.as_ref().map(ToString::to_string),
        project_tests: project_tests(&sealed.config),
        config_differs: sealed::differs_from_file(&repo, &sealed)?,
        in_flight: refs::read(&repo, &refs::pending(&repo))?.is_some(),
        on_base_beside_wip: !place.on_wip && loaded.state.wip.is_some() && ahead(&repo, &place)?,
        next_step: session.next_step(),
        patience: sealed.config.patience.into(),
    };
    if args.json {
        print::json(&as_json(&facts, place.on_wip)?)?;
    } else {
        print::message(&message::status::message(&facts))?;
    }
    Ok(ExitStatus::Done)
}

fn project_tests(config: &Config) -> Vec<(&str, String)> {
    let projects = config.projects.iter();
    let tests = projects.filter_map(|project| {
        let test = project.test.as_ref()?;
        Some((project.path.as_str(), test.to_string()))
    });
    tests.collect()
}

fn ahead(repo: &Repo, place: &Place) -> Result<bool> {
    Ok(place
        .wip_tip(repo)?
        .is_some_and(|tip| tip != place.head.commit))
}

/// The state as it is kept, with what follows from it.
fn as_json(facts: &Facts<'_>, on_wip: bool) -> Result<Value> {
    let mut value =
        serde_json::to_value(facts.state).map_err(|_| Error::internal("the state is not JSON"))?;
    let more = json!({
        "mode": facts.mode,
        "base": facts.base,
        "branch": facts.branch,
        "on_wip": on_wip,
        "test": facts.test_command,
        "project_tests": facts.project_tests.iter().cloned().collect::<BTreeMap<_, _>>(),
        "allowed_now": message::spec::allowed_in(facts.state, facts.mode),
        "next_step": facts.next_step,
        "spec_cycle": facts.cycle,
        "config_differs": facts.config_differs,
        "in_flight": facts.in_flight,
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    Ok(value)
}
