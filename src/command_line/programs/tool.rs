//! What is done to git-tcr itself: ending it, uninstalling it, agents started without it.

use super::super::ShellEffect;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use crate::clients;
use crate::command_line::text::is_one_of;
use crate::rules::shell_gate::Evasion;

const TOOL: &str = "git-tcr";
/// The columns of `ps aux`.
const PS_COLUMNS: usize = 11;

fn emit(shell: &Shell<'_>, evasion: Evasion) {
    shell.emit(ShellEffect::Evasion(evasion));
}

/// `kill $(pgrep git-tcr)`: the ids come from a search for the tool.
pub(super) fn kill<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    if call
        .arguments
        .iter()
        .any(|argument| argument.contains(TOOL))
    {
        emit(shell, Evasion::EndsTool);
    }
    Outcome::silent()
}

/// `ps`: one of the processes may be the tool's. Whichever column is cut out of its line, the name
/// is in it, so that `kill` sees it.
pub(super) fn ps<'c>(_: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    let columns = [TOOL; PS_COLUMNS].join(" ");
    Outcome::text(format!("{}\n{columns}\n", text::UNKNOWN))
}

/// `pgrep`, `pidof`: prints ids; they carry the name, so that `kill` sees it.
pub(super) fn pgrep<'c>(_: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    match names_tool(call.arguments) {
        true => Outcome::text(format!("{TOOL}\n")),
        false => Outcome::opaque(),
    }
}

/// `pkill`, `killall`: by name, or by a pattern that the name matches.
pub(super) fn pkill<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    if names_tool(call.arguments) {
        emit(shell, Evasion::EndsTool);
    }
    Outcome::silent()
}

fn names_tool(arguments: &[String]) -> bool {
    let patterns = arguments.iter().filter(|a| !a.starts_with('-'));
    patterns
        .map(|pattern| pattern.replace(['[', ']', '^', '$', '\\'], ""))
        .any(|pattern| {
            pattern.contains(TOOL)
                || pattern.contains("git tcr")
                || pattern.contains("git.tcr")
                || pattern == "tcr"
        })
}

/// `systemctl stop`, `launchctl unload` and the like.
pub(super) fn service<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let ends = [
        "stop", "kill", "disable", "mask", "unload", "bootout", "remove",
    ];
    let verb = call.arguments.iter().find(|a| ends.contains(&a.as_str()));
    if verb.is_some() && names_tool(call.arguments) {
        emit(shell, Evasion::EndsTool);
    }
    set_variable(shell, call)
}

/// `systemctl set-environment NAME=VALUE`, `launchctl setenv NAME VALUE`, `setx NAME VALUE`,
/// `tmux set-environment`: what is started later gets to see it.
pub(super) fn set_variable<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let names = call
        .arguments
        .iter()
        .filter_map(|word| word.split('=').next());
    let ours = names.filter(|name| *name == "GIT_TCR");
    for name in ours {
        emit(shell, Evasion::ToolVariable(name.to_owned()));
    }
    Outcome::opaque()
}

/// Programs a package manager takes out.
pub(super) fn check_package_removal(shell: &Shell<'_>, call: &Call<'_>) {
    let mut words = call.arguments.iter().map(String::as_str);
    let removes = words.any(|word| {
        is_one_of(
            word,
            "uninstall remove rm un unlink purge autoremove erase -R -Rs -Rns -r -P",
        )
    });
    let is_tool = |word: &String| {
        let name = word.split(['@', '=']).next().unwrap_or("");
        text::base_name(name) == TOOL || name == "git_tcr"
    };
    if removes && call.arguments.iter().any(is_tool) {
        emit(shell, Evasion::RemovesTool);
    }
}

/// A coding agent started by the agent: only if told to leave its hooks aside.
pub(super) fn agent<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let (options, variables) = clients::ways_past_hooks();
    let flag = call.arguments.iter().any(|argument| {
        let name = argument.split('=').next().unwrap_or("");
        options.contains(&name)
            || argument.contains("disableAllHooks")
            || (argument.contains("hooks")
                && (argument.contains("false")
                    || argument.contains("=[]")
                    || argument.contains("={}")))
    });
    let takes = Takes::new("c", "config disable");
    let given = Options::parse(call.arguments, &takes);
    let disables = given
        .values("--disable")
        .any(|feature| feature.contains("hooks"));
    let configured = variables
        .iter()
        .chain(&["XDG_CONFIG_HOME", "HOME"])
        .any(|name| shell.exported(name).is_some());
    if flag || disables || configured {
        emit(shell, Evasion::UnguardedAgent(call.name));
    }
    Outcome::opaque()
}
