//! Programs that run the command given as their arguments.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::environment;
use super::{general, outputs};

/// How the words of the wrapped command are found.
struct Wrapping {
    takes: Takes,
    /// Operands before the command, such as a duration.
    skips: usize,
}

fn wrapping(name: &str) -> Wrapping {
    let (short, long, skips): (&'static str, &'static str, usize) = match name {
        "timeout" => ("ks", "kill-after signal", 1),
        "nice" => ("n", "adjustment", 0),
        "ionice" => ("cnpPu", "class classdata", 0),
        "stdbuf" => ("ioe", "input output error", 0),
        "time" => ("fo", "format output", 0),
        "chrt" | "taskset" | "chroot" | "faketime" | "setarch" | "cgexec" | "dotenvx" => {
            ("", "", 1)
        }
        "sudo" | "doas" => ("ugpCDhRrtTUa", "user group prompt chdir host role type", 0),
        "strace" | "ltrace" => ("abeEIoOPpsSuUX", "output trace", 0),
        "systemd-run" => (
            "puHME",
            "property unit uid gid setenv working-directory slice",
            0,
        ),
        "unshare" | "nsenter" => ("SGRtw", "root wd target", 0),
        "setpriv" | "capsh" => ("", "reuid regid groups", 0),
        "prlimit" | "choom" => ("pn", "pid adjust", 0),
        "xvfb-run" => ("efnpsw", "error-file auth-file server-num server-args", 0),
        "caffeinate" => ("tw", "", 0),
        "entr" => ("", "", 0),
        "numactl" => ("NmCp", "", 0),
        "bwrap" | "firejail" | "proot" | "fakeroot" | "fakechroot" => ("bwrSl", "", 0),
        "ts" | "chronic" | "unbuffer" | "nohup" | "setsid" | "eatmydata" | "rlwrap" | "winpty"
        | "catchsegv" | "linux32" | "linux64" => ("", "", 0),
        _ => ("", "", 0),
    };
    Wrapping {
        takes: Takes::new(short, long),
        skips,
    }
}

pub(super) fn plain<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let wrapping = wrapping(call.name);
    // `sudo -e` copies, edits and writes back.
    if call.name == "sudo" && call.arguments.iter().any(|a| a == "-e" || a == "--edit") {
        return general::call(shell, call.name, call.arguments);
    }
    let options = Options::parse_leading(call.arguments, &wrapping.takes);
    if matches!(call.name, "time" | "strace" | "ltrace") {
        outputs::by_option(shell, call, &options);
    }
    let mut child = shell.clone();
    if let Some(directory) = options.value("-D --chdir --working-directory --wd") {
        super::directories::enter(&mut child, directory);
    }
    let words: Vec<String> = options
        .operands
        .get(wrapping.skips..)
        .unwrap_or(&[])
        .to_vec();
    run_assigned(&mut child, words)
}

/// `env`, and words like `A=b` before the command that `sudo` takes too.
pub(super) fn env<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("uCS", "unset chdir split-string");
    // A dash alone is `-i`.
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .filter(|a| *a != "-")
        .cloned()
        .collect();
    let options = Options::parse_leading(&arguments, &takes);
    let mut child = shell.clone();
    if let Some(directory) = options.value("-C --chdir") {
        super::directories::enter(&mut child, directory);
    }
    if let Some(line) = options.value("-S --split-string") {
        let rest = super::super::simple::quoted(&options.operands);
        return child.run_text(&format!("{line} {rest}"));
    }
    run_assigned(&mut child, options.operands)
}

fn run_assigned<'c>(shell: &mut Shell<'c>, words: Vec<String>) -> Outcome<'c> {
    let is_assignment = |word: &&String| {
        word.split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && !name.contains(['/', ' ']))
    };
    let count = words.iter().take_while(is_assignment).count();
    let (assignments, command) = words.split_at(count);
    for (name, value) in assignments.iter().filter_map(|word| word.split_once('=')) {
        shell.set(name, value);
        shell.export(name);
    }
    if command.is_empty() {
        return Outcome::opaque();
    }
    let names = assignments.iter().filter_map(|word| word.split('=').next());
    environment::check(shell, names);
    shell.run_words(command.to_vec())
}

/// The arguments behind the options, none of which takes a value.
fn after_flags<'a>(call: &Call<'a>) -> &'a [String] {
    let flags = call.arguments.iter().take_while(|a| a.starts_with('-'));
    call.arguments.get(flags.count()..).unwrap_or_default()
}

/// `busybox rm`, `toybox rm`, `coreutils rm`.
pub(super) fn multicall<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    shell.clone().run_words(after_flags(call).to_vec())
}

/// `flock FILE command`, `flock FILE -c 'text'`.
pub(super) fn flock<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("wE", "timeout wait conflict-exit-code");
    let options = Options::parse_leading(call.arguments, &takes);
    if let Some(file) = options.operands.first() {
        shell.write(file, call.name);
    }
    match options.operands.get(1..) {
        Some([flag, text, ..]) if flag == "-c" || flag == "--command" => {
            shell.run_text_in_child(text)
        }
        Some(words) => shell.clone().run_words(words.to_vec()),
        None => Outcome::opaque(),
    }
}

/// `watch CMD`, `hyperfine 'text'`, `script -c 'text' FILE`, `tmux send-keys 'text' Enter`,
/// `nix-shell --run 'text'`: each word may be the text of a command, or the first word of one.
pub(super) fn texts<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    super::tool::set_variable(shell, call);
    let is_word = |word: &&String| !matches!(word.as_str(), "Enter" | "C-m" | "Space");
    let words: Vec<String> = call.arguments.iter().filter(is_word).cloned().collect();
    for text in words
        .iter()
        .filter(|word| word.contains(char::is_whitespace))
    {
        shell.run_if_shell(text);
    }
    // The command begins with a program that is known, else with the first word.
    let is_plain = |word: &String| !word.starts_with('-') && !word.contains(char::is_whitespace);
    let is_program = |at: &usize| {
        words
            .get(*at)
            .is_some_and(|word| is_plain(word) && super::is_known(word))
    };
    let mut starts: Vec<usize> = (0..words.len()).filter(is_program).collect();
    if starts.is_empty() {
        starts.extend(words.iter().position(is_plain));
    }
    for at in starts {
        shell
            .clone()
            .run_words(words.get(at..).unwrap_or(&[]).to_vec());
    }
    if call.name == "script" {
        let typed = shell.input().text();
        shell.run_if_shell(&typed);
    }
    outputs::generic(shell, call.arguments)
}
