//! `git tcr uninstall`

use serde_json::json;

use super::live::Live;
use super::{open, print};
use crate::cli::OutputArgs;
use crate::effects::git::ref_writer;
use crate::effects::git::refs::{self, Move};
use crate::effects::install::exclude;
use crate::effects::transaction;
use crate::error::{Error, ExitStatus, Result};
use crate::installation::{self, Change};
use crate::journal::place;
use crate::journal::sealed;
use crate::message::{Message, Tone};

/// Where the sealed config goes: nothing is lost, and nothing obeys it.
const RETIRED: &str = "refs/tcr/archive/config";

pub(super) fn uninstall(args: OutputArgs) -> Result<ExitStatus> {
    open::people_only("uninstall")?;
    let repo = open::repository()?;
    let _lock = open::lock(&repo, &mut Live::new(args.json))?;
    let sealed = sealed::require(&repo)?;
    transaction::finish_pending(&repo)?;
    let mut files = installation::take_out(&repo)?;
    files.extend(installation::take_roles_out(&repo)?);
    let own_config = sealed::wrote_file(&repo, &sealed)?;
    if own_config {
        let path = repo.root().join(sealed::FILE);
        std::fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
    }
    exclude::take_out(&repo, sealed::FILE)?;
    let retired = refs::current(&repo, RETIRED)?;
    let config = refs::current(&repo, refs::CONFIG)?;
    ref_writer::apply(
        &repo,
        &[
            Move {
                name: RETIRED.into(),
                old: retired,
                new: config.clone(),
            },
            Move {
                name: refs::CONFIG.into(),
                old: config,
                new: None,
            },
        ],
        "git tcr uninstall",
    )?;
    let mut message = Message::new(
        Tone::Good,
        "uninstalled; states and reverted work stay under `refs/tcr/`",
    );
    for file in &files {
        message = message.fact(match &file.change {
            Change::Removed => format!("removed `{}`", file.file.display()),
            Change::LeftAlone(why) => format!("left `{}` alone: {why}", file.file.display()),
            Change::Written | Change::AsItWas => {
                format!("`{}` is as it was before", file.file.display())
            }
        });
    }
    if let Ok(place) = place::locate(&repo)
        && place.on_wip
    {
        message = message
            .fact(format!("your work is on `{}`", refs::short(&place.wip)))
            .hint(format!(
                "git switch {0} && git merge --squash tcr/{0}",
                place.base
            ));
    }
    if args.json {
        let files: Vec<String> = files
            .iter()
            .map(|file| file.file.display().to_string())
            .collect();
        print::json(&json!({"action": "uninstall", "files": files, "config_removed": own_config}))?;
    } else {
        print::message(&message)?;
    }
    Ok(ExitStatus::Done)
}
