//! `git tcr completions SHELL`

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};
use crate::error::ExitStatus;

pub(super) fn completions(args: &CompletionsArgs) -> ExitStatus {
    // Shells complete `git-tcr`; git's own completion hands `git tcr` over to it.
    clap_complete::generate(
        args.shell,
        &mut Cli::command(),
        "git-tcr",
        &mut std::io::stdout(),
    );
    ExitStatus::Done
}
