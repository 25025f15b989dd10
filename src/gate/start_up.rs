//! Start-up files: what would switch TCR off the next time a shell or a client starts.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::Gate;
use super::wanted::{Wanted, Writing};
use crate::command_line::ShellEffect;
use crate::outcome::gate::Objection;
use crate::rules::shell_gate::{self, Evasion};
use crate::rules::start_up::{adds_switch, is_start_up_file, names_switch};

fn is_one(path: &Path) -> bool {
    is_start_up_file(path.as_os_str().as_bytes())
}

impl Gate {
    /// What stands against a change whose outcome is known.
    pub(super) fn judge_start_up(&self, wanted: &Wanted) -> Option<Objection> {
        let Writing::Content {
            before,
            after: Some(after),
        } = &wanted.writing
        else {
            return None;
        };
        let disarms = is_one(&wanted.path) && adds_switch(before.as_deref(), after);
        self.disarming(disarms)
    }

    /// What stands against changes whose outcome is not known: `text` is all there is to go by.
    pub(super) fn judge_unseen_start_up(
        &self,
        text: &str,
        effects: &[ShellEffect],
    ) -> Option<Objection> {
        let is_unseen = |effect: &ShellEffect| match effect {
            ShellEffect::Write {
                path,
                content: None,
                ..
            }
            | ShellEffect::UnknownTarget {
                likely: Some(path), ..
            } => is_one(path),
            _ => false,
        };
        self.disarming(effects.iter().any(is_unseen) && names_switch(text))
    }

    /// The same for the files a tool nobody knows would write.
    pub(super) fn judge_unseen_input(&self, text: &str, wanted: &[Wanted]) -> Option<Objection> {
        let is_unseen =
            |wanted: &Wanted| matches!(wanted.writing, Writing::Unknown) && is_one(&wanted.path);
        self.disarming(wanted.iter().any(is_unseen) && names_switch(text))
    }

    fn disarming(&self, disarms: bool) -> Option<Objection> {
        let reason = disarms.then(|| shell_gate::judge_evasion(&Evasion::StartUpFile));
        self.unless_off(reason)
    }
}
