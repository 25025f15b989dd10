//! Configuration: lasting, for one call, and through the environment.

use super::super::super::options::{Options, Takes};
use super::super::super::scope::Shell;
use super::super::super::text;
use super::remote::fetched_refs;
use super::{GitCall, emit, run_alias};
use crate::command_line::text::is_one_of;
use crate::rules::shell_gate::GitAction;

const CONFIG: Takes = Takes::new(
    "f",
    "file blob type default value url comment get-color get-colorbool get-urlmatch",
);

pub(super) fn config(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&CONFIG);
    let mut operands = options.operands.clone();
    let verbs = "get set unset list edit rename-section remove-section";
    let verb = match operands.first() {
        Some(first) if verbs.split(' ').any(|verb| verb == first) => operands.remove(0),
        _ => String::new(),
    };
    let reads = "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list --name-only";
    if options.has(reads) || matches!(verb.as_str(), "get" | "list") {
        return;
    }
    if options.has("-e --edit") || verb == "edit" {
        return emit(shell, GitAction::Configure { key: None });
    }
    if let Some(file) = options.value("-f --file") {
        let ours = shell
            .known_path(file)
            .is_none_or(|path| shell.is_inside(&path));
        shell.write(file, "git config");
        if !ours {
            return;
        }
    }
    let removes = options.has("--unset --unset-all --remove-section --rename-section")
        || matches!(verb.as_str(), "unset" | "remove-section" | "rename-section");
    match operands.as_slice() {
        [key, ..] if removes => configure(shell, key),
        [key, value, ..] => apply(shell, key, value),
        [key] if verb == "set" || options.has("--add --replace-all") => configure(shell, key),
        // One operand alone is a question.
        _ => {}
    }
}

fn configure(shell: &Shell<'_>, key: &str) {
    let key = text::is_known(key).then(|| key.to_lowercase());
    emit(shell, GitAction::Configure { key });
}

/// A key gets a value: the change itself, and the program it may name.
pub(super) fn apply(shell: &mut Shell<'_>, key: &str, value: &str) {
    configure(shell, key);
    let lower = key.to_lowercase();
    if lower.starts_with("alias.") {
        run_alias(shell, value, &[]);
    } else if names_program(&lower) {
        shell.run_text_in_child(value.trim_start_matches('!'));
    } else if lower.starts_with("remote.") && lower.ends_with(".fetch") {
        fetched_refs(shell, &[value.to_owned()]);
    }
}

/// Keys whose value git runs.
fn names_program(key: &str) -> bool {
    const NAMES: &str = "core.fsmonitor core.editor core.pager core.sshcommand core.askpass \
        core.gitproxy sequence.editor diff.external gpg.program credential.helper \
        interactive.difffilter uploadpack.packobjectshook web.browser core.alternaterefscommand";
    let ends = [
        ".command",
        ".cmd",
        ".textconv",
        ".driver",
        ".clean",
        ".smudge",
        ".process",
        ".helper",
        ".program",
        ".editor",
    ];
    is_one_of(key, NAMES) || key.starts_with("pager.") || ends.iter().any(|end| key.ends_with(end))
}

/// Keys set for this one call: `-c`, `--config-env`, `GIT_CONFIG_*`.
pub(super) fn overrides(shell: &Shell<'_>, options: &Options) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for setting in options.values("-c") {
        let (key, value) = setting.split_once('=').unwrap_or((setting, "true"));
        found.push((key.to_owned(), value.to_owned()));
    }
    for setting in options.values("--config-env") {
        let (key, variable) = setting.split_once('=').unwrap_or((setting, ""));
        let value = shell.variable(variable).unwrap_or_else(text::unknown);
        found.push((key.to_owned(), value));
    }
    for name in shell.exported_names() {
        if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
            let key = shell.exported(&name).unwrap_or_default();
            let value = shell.exported(&format!("GIT_CONFIG_VALUE_{number}"));
            found.push((key, value.unwrap_or_default()));
        }
    }
    if let Some(settings) = shell.exported("GIT_CONFIG_PARAMETERS") {
        // Quoted as a whole, or key and value each.
        for setting in settings.replace("'='", "=").split('\'') {
            if let Some((key, value)) = setting.split_once('=').filter(|(key, _)| key.contains('.'))
            {
                found.push((key.to_owned(), value.to_owned()));
            }
        }
    }
    found
}

/// Files git writes because the environment says so.
pub(super) fn trace(shell: &Shell<'_>) {
    for name in shell.exported_names() {
        let file = shell
            .exported(&name)
            .filter(|_| name.starts_with("GIT_TRACE"));
        if let Some(file) = file.filter(|file| file.starts_with('/')) {
            shell.write(&file, "git");
        }
    }
}

/// Programs git starts because the environment says so.
pub(super) fn run_programs_of_environment(shell: &mut Shell<'_>) {
    const NAMES: &str = "GIT_EXTERNAL_DIFF GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL \
        GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS SSH_ASKPASS GIT_PROXY_COMMAND";
    for name in NAMES.split_whitespace() {
        if let Some(program) = shell.exported(name) {
            shell.run_text_in_child(&program);
        }
    }
}
