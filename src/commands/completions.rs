//! `git tcr completions SHELL`

use clap::Args;
use std::io::Write;

use clap_complete::Shell;

use super::print;
use crate::error::{ExitStatus, Result};

/// `completions`
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

const PROGRAM: &str = "git-tcr";

/// git's own completion for bash calls this for `git tcr …`; the one for zsh finds `_git-tcr`.
const BASH_FOR_GIT: &str = r#"
_git_tcr() {
    local COMP_WORDS=(git-tcr "${words[@]:2}") COMP_CWORD=$((cword - 1))
    _git__tcr git-tcr "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
}
"#;

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut grammar: clap::Command,
) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar, PROGRAM, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        // A hyphen in the program's name is spelt in two ways, so that nothing after a subcommand
        // would be completed.
        script = script.replace("git__subcmd__tcr", "git__tcr");
        script.push_str(BASH_FOR_GIT);
    }
    let mut out = std::io::stdout().lock();
    print::still_read(out.write_all(script.as_bytes()).and_then(|()| out.flush()))?;
    Ok(ExitStatus::Done)
}
