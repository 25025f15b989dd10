//! `git tcr spike start|drop|keep`

use clap::Args;
use clap::Subcommand;
use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::error::{ExitStatus, Result};
use crate::message::spike as words;

/// `spike`
#[derive(Debug, Args)]
pub(crate) struct SpikeArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: SpikeAction,
    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What `spike` can do.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum SpikeAction {
    /// Begin: nothing is denied, tested, committed or taken back until the spike is over.
    Start {
        /// What it is to find out; kept in the log.
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
    },
    /// End it and go back to where it began; the work is kept for `git tcr recover`.
    Drop,
    /// End it and commit the work as `untested`; the squash says so.
    Keep,
}

pub(crate) fn spike(args: &SpikeArgs) -> Result<ExitStatus> {
    open::people_only("spike")?;
    let opened = Opened::new(&mut Live::new(args.json))?;
    crate::branch::stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let (value, message) = match &args.action {
        SpikeAction::Start { why } => {
            let recover = session.start_spike(why.clone())?;
            (
                json!({"action": "spike_start", "recover": recover}),
                words::started(recover),
            )
        }
        SpikeAction::Drop => {
            let dropped = session.drop_spike()?;
            let value = json!({
                "action": "spike_drop",
                "recover": dropped.recover,
                "files": dropped.files,
                "edited_meanwhile": dropped.edited_meanwhile,
            });
            (value, words::dropped(&dropped, &session.next_step()))
        }
        SpikeAction::Keep => {
            let kept = session.keep_spike()?;
            let value = json!({
                "action": "spike_keep",
                "commit": kept.commit,
                "files": kept.files,
            });
            (value, words::kept(&kept, &session.next_step()))
        }
    };
    if args.json {
        print::json(&value)?;
    } else {
        print::message(&message)?;
    }
    Ok(ExitStatus::Done)
}
