//! What a shell command would write, delete, or do to git, found out without running it.
//!
//! The command is parsed and then walked the way a shell would run it, over values that are known
//! as far as the text tells. Where a value can't be known before the command runs it becomes
//! `text::UNKNOWN` and the walk goes on; where the text itself can't be understood the analysis
//! is [`Analysis::Unparsed`], which is never an allow.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

mod code;
mod decode;
mod effect;
mod files;
mod here_documents;
mod limits;
mod options;
mod parameters;
mod paths;
mod pattern;
mod programs;
mod redirects;
mod scope;
mod simple;
mod stream;
mod targets;
mod text;
mod walk;
mod words;

#[cfg(test)]
mod composition_tests;
#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod inline_code_tests;
#[cfg(test)]
mod pipeline_tests;
#[cfg(test)]
mod spelling_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world_tests;

pub(crate) use effect::{Content, ShellEffect};
pub(crate) use simple::quoted;

/// What the analysis may ask about the world; nothing else is looked at.
pub(crate) struct ShellContext<'a> {
    /// The directory the command starts in, absolute.
    pub cwd: &'a Path,
    /// The root of the worktree, absolute and without symbolic links.
    pub repo_root: &'a Path,
    /// The user's home directory.
    pub home: Option<&'a Path>,
    /// The value of an environment variable the command inherits.
    pub variables: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a path is a directory.
    pub is_dir: &'a dyn Fn(&Path) -> bool,
    /// The names in a directory, for globs and `find`.
    pub list: &'a dyn Fn(&Path) -> Vec<OsString>,
    /// The text of a file, such as a patch that is applied.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
    /// What `git config alias.<name>` says.
    pub git_alias: &'a dyn Fn(&str) -> Option<String>,
    /// Where a symbolic link points, as `readlink` says it.
    pub resolve_link: &'a dyn Fn(&Path) -> Option<PathBuf>,
}

/// The outcome of looking at a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Analysis {
    /// It was understood, and would do this.
    Effects(Vec<ShellEffect>),
    /// It was not understood: it may do anything.
    Unparsed {
        /// What stood in the way.
        why: String,
    },
}

/// Says what `command` would do if a shell ran it.
pub(crate) fn analyze(command: &str, context: &ShellContext<'_>) -> Analysis {
    if let Err(why) = limits::check_input(command) {
        return Analysis::Unparsed { why };
    }
    let mut shell = scope::Shell::new(context);
    shell.run_text(command);
    shell.run_traps();
    shell.into_analysis()
}

/// Where a path given to a tool leads: absolute, with `~`, dots and links resolved.
pub(crate) fn resolve(path: &str, context: &ShellContext<'_>) -> PathBuf {
    let shell = scope::Shell::new(context);
    let home = context.home.map(Path::to_string_lossy);
    let path = match (path.strip_prefix('~'), home) {
        (Some(below), Some(home)) if below.is_empty() || below.starts_with('/') => {
            format!("{home}{below}")
        }
        _ => path.to_owned(),
    };
    shell.resolve(&shell.absolute(&path), true)
}
