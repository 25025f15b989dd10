//! Shells started by the command: `sh -c`, a script on standard input.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;

pub(super) fn sh<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("oO", "rcfile init-file");
    let plain: Vec<String> = call
        .arguments
        .iter()
        .filter(|a| !a.starts_with('+'))
        .cloned()
        .collect();
    let options = Options::parse_leading(&plain, &takes);
    let only_checks = options.has("-n") || options.has("--version --help");
    if only_checks {
        return Outcome::opaque();
    }
    for file in options.values("--rcfile --init-file") {
        if let Some(script) = shell.stream_of(file) {
            shell.run_text_in_child(&script.text());
        }
    }
    // What a shell that is no terminal's reads before anything else.
    if let Some(script) = shell
        .exported("BASH_ENV")
        .and_then(|file| shell.stream_of(&file))
    {
        shell.run_text_in_child(&script.text());
    }
    let mut operands = options.operands.iter();
    if let Some(command) = operands.next().filter(|_| options.has("-c")) {
        let mut child = child(shell);
        if let Some(name) = operands.next() {
            child.set("0", name);
        }
        child.positional = operands.cloned().collect();
        return child.run_text(command);
    }
    let mut operands = options.operands.iter();
    let script = match operands.next() {
        None => Some(shell.input()),
        Some(_) if options.has("-s") => Some(shell.input()),
        Some(file) => shell.stream_of(file),
    };
    match script {
        Some(script) => {
            let mut child = child(shell);
            // With `-s` all operands are arguments, else the first is the script.
            let names = usize::from(!options.has("-s"));
            child.positional = options.operands.iter().skip(names).cloned().collect();
            child.run_text(&script.text())
        }
        None => Outcome::opaque(),
    }
}

/// A new process: functions, aliases and variables that are not exported stay behind. Variables
/// are kept all the same, since what is exported may be decided in ways that are not seen.
fn child<'c>(shell: &Shell<'c>) -> Shell<'c> {
    let mut child = shell.clone();
    child.aliases.clear();
    child
}

/// `su -c`, `ssh host 'command'`: the command is shell text.
pub(super) fn su<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("cgGswu", "command shell group session-command user");
    let options = Options::parse(call.arguments, &takes);
    match options.value("-c --command --session-command") {
        Some(command) => {
            let command = command.to_owned();
            shell.run_text_in_child(&command)
        }
        None if call.name == "runuser" => shell.clone().run_words(options.operands),
        None => {
            let script = shell.input().text();
            shell.run_text_in_child(&script)
        }
    }
}

pub(super) fn ssh<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("bcDEeFIiJLlmOopQRSWw", "");
    let options = Options::parse_leading(call.arguments, &takes);
    for setting in options.values("-o").map(str::to_owned).collect::<Vec<_>>() {
        let value = setting.split_once(['=', ' ']);
        if let Some(("ProxyCommand" | "LocalCommand" | "KnownHostsCommand", command)) = value {
            shell.run_text_in_child(command);
        }
    }
    let Some((host, command)) = options.operands.split_first() else {
        return Outcome::opaque();
    };
    let host = host.rsplit('@').next().unwrap_or(host);
    // Another machine is another matter.
    if !matches!(host, "localhost" | "127.0.0.1" | "::1" | "0.0.0.0") {
        return Outcome::opaque();
    }
    let mut remote = shell.clone();
    if let Some(home) = shell.variable("HOME") {
        remote.cwd = home;
    }
    match command.is_empty() {
        true => {
            let script = shell.input().text();
            remote.run_text(&script)
        }
        false => remote.run_text(&command.join(" ")),
    }
}

/// `at`, `batch`: the commands come in on standard input and run later.
pub(super) fn at<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("fqt", "");
    let options = Options::parse(call.arguments, &takes);
    if let Some(script) = options.value("-f").and_then(|file| shell.stream_of(file)) {
        shell.run_text_in_child(&script.text());
    }
    if !options.has("-l -r -d -f") {
        let script = shell.input().text();
        shell.run_text_in_child(&script);
    }
    Outcome::opaque()
}

/// `crontab -`: the commands after the five fields of each line.
pub(super) fn crontab<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    if call.arguments.iter().any(|a| a == "-") {
        let table = shell.input().text();
        for line in table.lines() {
            let fields = if line.starts_with('@') { 2 } else { 6 };
            if let Some(command) = line.splitn(fields, char::is_whitespace).nth(fields - 1) {
                shell.run_text_in_child(command);
            }
        }
    }
    Outcome::opaque()
}
