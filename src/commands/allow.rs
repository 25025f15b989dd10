//! `git tcr allow PATH… --once`

use clap::Args;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use gix::bstr::BStr;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::branch::event::EventKind;
use crate::branch::state::Waiver;
use crate::clock;
use crate::error::{ExitStatus, Result};
use crate::git::refs;
use crate::message::{self, path_list};

/// `allow`
#[derive(Debug, Args)]
pub(crate) struct AllowArgs {
    /// The paths, from where you are.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// For the next change only.
    #[arg(long, required = true)]
    pub(crate) once: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn allow(args: &AllowArgs) -> Result<ExitStatus> {
    open::people_only("allow")?;
    let opened = Opened::new(&mut Live::new(args.json))?;
    let mut session = opened.session()?;
    let mut shown = Vec::new();
    for path in &args.paths {
        let inside = open::from_root(opened.repo.root(), path, "git tcr allow PATH --once")?;
        let on_disk = opened.repo.root().join(&inside).symlink_metadata();
        if on_disk.is_ok_and(|found| found.is_dir()) {
            return Err(message::allow::is_folder(&inside));
        }
        let name = inside.display().to_string();
        if shown.contains(&name) {
            continue;
        }
        shown.push(name);
        // Encoded, because a path need not be text.
        let path = refs::component(BStr::new(inside.as_os_str().as_bytes()));
        session.state.waivers.retain(|waiver| waiver.path != path);
        session.state.waivers.push(Waiver {
            path,
            since: clock::timestamp(),
        });
    }
    let event = session.event(EventKind::Allow, path_list(&shown));
    session.record(vec![event])?;
    if args.json {
        print::json(&serde_json::json!({"action": "allow", "paths": shown}))?;
    } else {
        print::message(&message::allow::allowed_once(&shown))?;
    }
    Ok(ExitStatus::Done)
}
