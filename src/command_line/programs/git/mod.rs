//! `git` in all its forms: whose repository, which configuration, which verb.

mod config;
mod history;
mod output;
mod refs;
mod remote;
mod verbs;
mod worktree;

use std::path::{Path, PathBuf};

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::{self, Call};
use super::super::text;
use super::environment;
use crate::rules::shell_gate::{GitAction, TcrCommand};

/// A git command after its global options.
struct GitCall<'a> {
    verb: &'a str,
    arguments: &'a [String],
}

impl GitCall<'_> {
    fn options(&self, takes: &Takes) -> Options {
        Options::parse(self.arguments, takes)
    }
}

fn emit(shell: &Shell<'_>, action: GitAction) {
    shell.emit(ShellEffect::Git(action));
}

/// Options of git itself that take a value.
const GLOBAL: Takes = Takes::new(
    "Cc",
    "git-dir work-tree namespace config-env super-prefix attr-source list-cmds",
);

pub(super) fn git<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse_leading(call.arguments, &GLOBAL);
    let Some((verb, arguments)) = options.operands.split_first() else {
        return Outcome::opaque();
    };
    let mut inner = shell.clone();
    for directory in options.values("-C") {
        let directory = inner.resolve(&inner.absolute(directory), true);
        inner.cwd = directory.to_string_lossy().into_owned();
    }
    let call = GitCall { verb, arguments };
    if matches!(arguments.first().map(String::as_str), Some("--help" | "-h")) {
        return Outcome::opaque();
    }
    config::trace(&inner);
    let overrides = config::overrides(&inner, &options);
    inner.deeper(|shell| run(shell, &call, &options, &overrides))
}

fn run<'c>(
    shell: &mut Shell<'c>,
    call: &GitCall<'_>,
    options: &Options,
    overrides: &[(String, String)],
) -> Outcome<'c> {
    let whose = repository(shell, options);
    if whose == Whose::Another {
        remote::into_this_repository(shell, call);
        return output::of(shell, call);
    }
    for (key, value) in overrides {
        config::apply(shell, key, value);
    }
    config::run_programs_of_environment(shell);
    let reads_only = verbs::READING.split(' ').any(|verb| verb == call.verb);
    if !reads_only {
        let foreign = match options.value("--exec-path") {
            Some(_) => Some("--exec-path"),
            None => foreign_variable(shell),
        };
        if let (Whose::Mixed, _) | (_, Some(_)) = (whose, foreign) {
            let variable = foreign.unwrap_or("GIT_DIR");
            emit(shell, GitAction::ForeignRepository { variable });
        }
    }
    if call.verb == "tcr" {
        environment::check_before_hooks(shell);
        return tcr_command(shell, call.arguments);
    }
    match verbs::lookup(call.verb) {
        Some(handler) => {
            handler(shell, call);
            output::of(shell, call)
        }
        None if reads_only => output::of(shell, call),
        None => aliased(shell, call, overrides),
    }
}

/// `git-tcr …` called by its own name.
pub(super) fn tcr<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    environment::check_before_hooks(shell);
    tcr_command(shell, call.arguments)
}

fn tcr_command<'c>(shell: &mut Shell<'c>, arguments: &[String]) -> Outcome<'c> {
    shell.emit(ShellEffect::Tcr(TcrCommand::new(arguments)));
    let takes = Takes::new("", "out");
    let options = Options::parse(arguments, &takes);
    if let Some(file) = options.value("--out") {
        shell.write(file, "git tcr");
    }
    // `git tcr run -- CMD` runs what it is given.
    if let (Some("run"), Some(at)) = (
        options.operands.first().map(String::as_str),
        options.before_dashes,
    ) {
        let words = options.operands.get(at..).unwrap_or(&[]).to_vec();
        shell.clone().run_words(words);
    }
    Outcome::opaque()
}

/// A verb that is no command of git's may be an alias.
fn aliased<'c>(
    shell: &mut Shell<'c>,
    call: &GitCall<'_>,
    overrides: &[(String, String)],
) -> Outcome<'c> {
    let key = format!("alias.{}", call.verb);
    let given = overrides
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(&key));
    let alias = given.map(|(_, value)| value.clone());
    match alias.or_else(|| (shell.context().git_alias)(call.verb)) {
        Some(alias) => run_alias(shell, &alias, call.arguments),
        None => Outcome::opaque(),
    }
}

/// What an alias stands for: another git command, or after `!` a shell command.
fn run_alias<'c>(shell: &mut Shell<'c>, alias: &str, arguments: &[String]) -> Outcome<'c> {
    let rest = simple::quoted(arguments);
    match alias.trim().strip_prefix('!') {
        Some(command) => shell.run_text_in_child(&format!("{command} {rest}")),
        None => shell.run_text_in_child(&format!("git {alias} {rest}")),
    }
}

/// Whose repository a git command works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Ours,
    Another,
    /// Our git directory with another worktree, or the other way round.
    Mixed,
}

fn repository(shell: &Shell<'_>, options: &Options) -> Whose {
    let given = |option: &str, variable: &str| {
        let value = options.value(option).map(str::to_owned);
        value.or_else(|| shell.exported(variable))
    };
    let here = is_ours(shell, Path::new(&shell.cwd));
    let git_dir = given("--git-dir", "GIT_DIR").map(|path| is_our_git_dir(shell, &path));
    let work_tree =
        given("--work-tree", "GIT_WORK_TREE").map(|path| is_our_work_tree(shell, &path));
    match (git_dir.unwrap_or(here), work_tree.unwrap_or(here)) {
        (true, true) => Whose::Ours,
        (false, false) => Whose::Another,
        // `git --git-dir=/x/.git` run from elsewhere: its worktree is where it runs.
        (true, false) | (false, true) => Whose::Mixed,
    }
}

fn is_our_git_dir(shell: &Shell<'_>, path: &str) -> bool {
    match shell.known_path(path) {
        Some(path) => path.starts_with(shell.context().repo_root.join(".git")),
        // Not known: it may be ours.
        None => true,
    }
}

fn is_our_work_tree(shell: &Shell<'_>, path: &str) -> bool {
    shell
        .known_path(path)
        .is_none_or(|path| is_ours(shell, &path))
}

/// Whether a directory belongs to this worktree and not to a repository inside it.
fn is_ours(shell: &Shell<'_>, directory: &Path) -> bool {
    let root = shell.context().repo_root;
    let spelled = directory.to_string_lossy();
    if let Some((known, _)) = spelled.split_once(text::UNKNOWN) {
        let root = root.to_string_lossy();
        // It may be ours as long as what is known of it leads here.
        return known.starts_with(root.as_ref()) || root.starts_with(known);
    }
    let Ok(below) = directory.strip_prefix(root) else {
        return false;
    };
    if below.starts_with(".git") {
        return true;
    }
    let mut inner = root.to_path_buf();
    for name in below {
        inner.push(name);
        if has_git_directory(shell, &inner) {
            return false;
        }
    }
    true
}

fn has_git_directory(shell: &Shell<'_>, directory: &Path) -> bool {
    let git_dir: PathBuf = directory.join(".git");
    shell.is_directory(&git_dir)
        || (shell.context().list)(directory)
            .iter()
            .any(|name| name == ".git")
}

/// A variable that makes git work on something else than it seems to.
fn foreign_variable(shell: &Shell<'_>) -> Option<&'static str> {
    const NAMES: &str = "GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY \
        GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_EXEC_PATH GIT_TEMPLATE_DIR \
        GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG GIT_REPLACE_REF_BASE GIT_GRAFT_FILE";
    NAMES
        .split_whitespace()
        .find(|name| shell.exported(name).is_some())
}
