//! Long output goes through the user's pager where there is a person to turn its pages.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anstream::AutoStream;

use super::print;
use crate::env_vars;
use crate::error::Result;
use crate::git::command::git;

/// Where the text goes: a pager, or standard output.
pub(super) struct Pager {
    child: Option<Child>,
    out: Box<dyn Write>,
}

impl Pager {
    /// Starts the pager that git would use, if standard output is a terminal.
    pub(super) fn start(dir: &Path) -> Pager {
        Pager::around(dir).unwrap_or_else(|| Pager {
            child: None,
            out: Box::new(BufWriter::new(anstream::stdout())),
        })
    }

    fn around(dir: &Path) -> Option<Pager> {
        // git itself has started one for `git -p tcr log`.
        if !std::io::stdout().is_terminal() || env_vars::is_paged() {
            return None;
        }
        let wanted = git(dir, &["var", "GIT_PAGER"], b"").ok()?;
        let wanted = String::from_utf8(wanted).ok()?;
        let wanted = wanted.trim();
        if wanted.is_empty() || wanted == "cat" {
            return None;
        }
        let mut command = Command::new("sh");
        command.args(["-c", wanted]).current_dir(dir);
        command.stdin(Stdio::piped());
        // As git does: end at once if it fits on a screen, let colours through, leave the screen.
        for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
            if env_vars::value(name).is_none() {
                command.env(name, value);
            }
        }
        let mut child = command.spawn().ok()?;
        let stdin = child.stdin.take()?;
        let colour = AutoStream::choice(&std::io::stdout());
        let out = AutoStream::new(Box::new(stdin) as Box<dyn Write>, colour);
        Some(Pager {
            child: Some(child),
            out: Box::new(BufWriter::new(out)),
        })
    }

    /// Writes text; false if nobody reads any more.
    pub(super) fn write(&mut self, text: &str) -> Result<bool> {
        print::still_read(self.out.write_all(text.as_bytes()))
    }

    /// Waits until the reader has had enough.
    pub(super) fn end(mut self) {
        drop(self.out.flush());
        drop(self.out);
        if let Some(mut child) = self.child {
            drop(child.wait());
        }
    }
}
