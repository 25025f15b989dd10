//! Programs that run the command given as their arguments.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::environment;
use super::find::as_text;
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

/// `perf stat CMD`, `perf record -o FILE CMD`.
pub(super) fn perf<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("eoCFcprtux", "event output repeat field-separator");
    let verb = Options::parse_leading(call.arguments, &takes).operands;
    let Some((verb, rest)) = verb.split_first() else {
        return Outcome::opaque();
    };
    let options = Options::parse_leading(rest, &takes);
    outputs::by_option(shell, call, &options);
    match verb.as_str() {
        "stat" | "record" | "trace" => shell.clone().run_words(options.operands),
        _ => Outcome::opaque(),
    }
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

/// `script -c 'text' FILE`, `script FILE command`.
pub(super) fn script<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("cEIBOTmot", "command log-out log-in log-io log-timing");
    let options = Options::parse(call.arguments, &takes);
    for file in options.values("-O -I -B -T --log-out --log-in --log-io --log-timing") {
        shell.write(file, call.name);
    }
    if let Some((file, words)) = options.operands.split_first() {
        shell.write(file, call.name);
        shell.clone().run_words(words.to_vec());
    }
    match options.value("-c --command") {
        Some(text) => {
            let text = text.to_owned();
            shell.run_text_in_child(&text)
        }
        None => {
            let typed = shell.input().text();
            shell.run_text_in_child(&typed)
        }
    }
}

/// `watch`, `hyperfine`, `nodemon -x`: words or one text, handed to a shell.
pub(super) fn watch<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("nqdw", "interval equexit shotsdir");
    let options = Options::parse_leading(call.arguments, &takes);
    let text = options.operands.join(" ");
    shell.run_text_in_child(&text)
}

pub(super) fn each_text<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "wmrpcsPDLxe",
        "warmup min-runs runs prepare cleanup setup shell export-json export-markdown exec",
    );
    let options = Options::parse(call.arguments, &takes);
    for file in options.values("--export-json --export-markdown --export-csv") {
        shell.write(file, call.name);
    }
    let commands = options.values("-p -c -s -x --prepare --cleanup --setup --exec");
    let mut commands: Vec<String> = commands.map(str::to_owned).collect();
    // After the dashes it is one command, word by word.
    match options.before_dashes {
        Some(at) => {
            let (before, after) = options.operands.split_at(at.min(options.operands.len()));
            commands.extend_from_slice(before);
            shell.clone().run_words(after.to_vec());
        }
        None => commands.extend_from_slice(&options.operands),
    }
    for command in commands {
        shell.run_text_in_child(&command);
    }
    Outcome::opaque()
}

/// `tmux new -d 'text'`, `screen -dm command`, `tmux send-keys 'text' Enter`.
pub(super) fn terminal<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("LSfncstFxyXpQ", "");
    if call.name == "screen" {
        let options = Options::parse_leading(call.arguments, &takes);
        return shell.clone().run_words(options.operands);
    }
    let Some((verb, rest)) = after_flags(call).split_first() else {
        return Outcome::opaque();
    };
    if matches!(verb.as_str(), "set-environment" | "setenv") {
        return super::tool::set_variable(shell, call);
    }
    let runs = [
        "new",
        "new-session",
        "new-window",
        "neww",
        "split-window",
        "splitw",
        "send-keys",
        "send",
        "run-shell",
        "run",
        "respawn-pane",
        "if-shell",
        "popup",
        "display-popup",
    ];
    if runs.contains(&verb.as_str()) {
        let options = Options::parse(rest, &takes);
        let typed = options
            .operands
            .iter()
            .filter(|word| !matches!(word.as_str(), "Enter" | "C-m" | "Space"));
        let typed: Vec<String> = typed.cloned().collect();
        match typed.as_slice() {
            [] => {}
            words => {
                let text = words.join(" ");
                shell.run_text_in_child(&text);
            }
        }
    }
    Outcome::opaque()
}

/// `nix-shell --run 'text'`, `nix develop -c command`, `direnv exec DIR command`.
pub(super) fn nix<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_start = |a: &String| matches!(a.as_str(), "--run" | "--command" | "-c" | "exec");
    let Some(at) = call.arguments.iter().position(is_start) else {
        return Outcome::opaque();
    };
    let words = call.arguments.get(at + 1..).unwrap_or(&[]);
    match call.name {
        "direnv" => shell
            .clone()
            .run_words(words.get(1..).unwrap_or(&[]).to_vec()),
        "nix" => shell.clone().run_words(words.to_vec()),
        _ => {
            let text = as_text(words.get(..1).unwrap_or(&[]));
            shell.run_text_in_child(&text)
        }
    }
}

/// `expect -c`: Tcl whose `spawn` and `exec` run commands.
pub(super) fn expect<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("cf", "");
    let options = Options::parse(call.arguments, &takes);
    for script in options.values("-c").map(str::to_owned).collect::<Vec<_>>() {
        for line in script.split([';', '\n']) {
            let line = line.trim();
            if let Some(command) = line
                .strip_prefix("spawn ")
                .or_else(|| line.strip_prefix("exec "))
                .or_else(|| line.strip_prefix("system "))
            {
                shell.run_text_in_child(command);
            }
        }
    }
    Outcome::opaque()
}
