//! The words of `git tcr uninstall`.

use std::path::PathBuf;

use super::{Message, Tone, install};
use crate::outcome::install::{Change, ClientFile};

/// Where work is that was not squashed yet.
pub(crate) struct Unsquashed {
    pub(crate) wip: String,
    pub(crate) base: String,
}

/// What was taken out, what stays, and how to get at work on a WIP branch.
pub(crate) fn uninstalled(
    files: &[ClientFile],
    stays: &[PathBuf],
    unsquashed: Option<&Unsquashed>,
) -> Message {
    let mut message = Message::new(
        Tone::Good,
        "uninstalled; states and work taken back stay under `refs/tcr/`",
    );
    message.facts.extend(files.iter().map(taken_out));
    for file in stays {
        message = message
            .fact(format!("`{}` may serve other repositories", file.display()))
            .hint("git tcr uninstall --global");
    }
    match unsquashed {
        Some(Unsquashed { wip, base }) => {
            message
                .fact(format!("your work is on `{wip}`"))
                .hint(format!(
                    "git switch {base} && git merge --squash tcr/{base}"
                ))
        }
        None => message,
    }
}

fn taken_out(file: &ClientFile) -> String {
    let path = file.file.display();
    match &file.change {
        Change::Removed => format!("removed `{path}`"),
        Change::LeftAlone(why) => format!("left `{path}` alone: {}", install::why_left(why)),
        Change::Written | Change::AsItWas => format!("`{path}` is as it was before"),
    }
}
