//! Programs that write to a file named by an option or an operand.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;

/// Every operand is written: `truncate`, `sponge`, `fallocate`, `mkfifo`, `dos2unix`.
pub(super) fn operands<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "srolm",
        long: &["size", "reference", "length", "offset", "mode"],
    };
    for file in &Options::parse(call.arguments, &takes).operands {
        shell.write(file, call.name);
    }
    Outcome::silent()
}

/// What the option for an output names is written.
pub(super) fn by_option(shell: &mut Shell<'_>, call: &Call<'_>, options: &Options) {
    for file in options.values(&["-o", "--output"]) {
        shell.write(file, call.name);
    }
}

/// The first operand is written: `mknod FILE p`.
pub(super) fn first<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "m",
        long: &["mode"],
    };
    if let Some(file) = Options::parse(call.arguments, &takes).operands.first() {
        shell.write(file, call.name);
    }
    Outcome::silent()
}

/// `split FILE PREFIX`, `csplit -f PREFIX FILE …`.
pub(super) fn split<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let (takes, usual) = match call.name {
        "csplit" => (
            Takes {
                short: "bfn",
                long: &["suffix-format", "prefix", "digits"],
            },
            "xx",
        ),
        _ => (
            Takes {
                short: "abClnt",
                long: &[
                    "suffix-length",
                    "bytes",
                    "line-bytes",
                    "lines",
                    "number",
                    "separator",
                    "filter",
                    "additional-suffix",
                ],
            },
            "x",
        ),
    };
    let options = Options::parse(call.arguments, &takes);
    if let Some(filter) = options.value(&["--filter"]) {
        shell.run_text_in_child(filter);
    }
    let prefix = match call.name {
        "csplit" => options.value(&["-f", "--prefix"]),
        _ => options.operands.get(1).map(String::as_str),
    };
    let suffix = options.value(&["--additional-suffix"]).unwrap_or("");
    shell.write(&format!("{}aa{suffix}", prefix.unwrap_or(usual)), call.name);
    Outcome::opaque()
}

/// `openssl … -out FILE`.
pub(super) fn openssl<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        if matches!(argument.as_str(), "-out" | "-keyout" | "-writerand")
            && let Some(file) = arguments.next()
        {
            shell.write(file, call.name);
        }
    }
    let decodes = call.arguments.iter().any(|argument| argument == "-d");
    let is_base64 = call
        .arguments
        .iter()
        .any(|argument| matches!(argument.as_str(), "base64" | "-base64" | "-a"));
    match (decodes, is_base64) {
        (true, true) => super::filters::recoded(shell, super::super::decode::base64),
        (true, false) => super::filters::recoded(shell, |_| None),
        (false, _) => Outcome::opaque(),
    }
}

/// Compilers, whose `-o` may have its value attached; `javac -d DIRECTORY`.
pub(super) fn compiler<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    super::other_languages::read_sources(shell, call);
    let attached = call.arguments.iter().filter_map(|a| a.strip_prefix("-o"));
    for file in attached.filter(|file| !file.is_empty()) {
        shell.write(file, call.name);
    }
    let directory = call.arguments.iter().skip_while(|a| *a != "-d").nth(1);
    if let Some(directory) = directory.filter(|_| call.name == "javac") {
        shell.write_into(directory, call.name);
    }
    generic(shell, call.arguments)
}

/// Programs that edit their operands only when asked to: `yq -i`, `sd`, `jq` never.
pub(super) fn in_place<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "e",
        long: &["expression"],
    };
    let options = Options::parse(call.arguments, &takes);
    if options.has(&["-i", "--inplace", "--in-place"]) {
        // `.` alone is the filter that changes nothing.
        for file in options.operands.iter().filter(|operand| *operand != ".") {
            shell.write(file, call.name);
        }
    }
    Outcome::opaque()
}

/// `sd FIND REPLACE FILE…`.
pub(super) fn sd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "nf",
        long: &["max-replacements", "flags"],
    };
    let options = Options::parse(call.arguments, &takes);
    if !options.has(&["-p", "--preview"]) {
        for file in options.operands.iter().skip(2) {
            shell.write(file, call.name);
        }
    }
    Outcome::opaque()
}

/// Database shells, whose commands write files and run programs: `.output`, `\o`, `tee`, `\!`.
pub(super) fn database<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut texts: Vec<String> = call.arguments.to_vec();
    texts.push(shell.input().text());
    for line in texts.iter().flat_map(|text| text.lines()) {
        let mut words = line
            .split_whitespace()
            .map(|word| word.trim_matches(['\'', '"', ';']));
        let Some(verb) = words.next() else {
            continue;
        };
        match verb {
            ".output" | ".once" | ".backup" | ".save" | ".log" | ".excel" | "\\o" | "\\g"
            | "\\w" | "tee" | "\\T" => {
                if let Some(file) = words.next_back() {
                    shell.write(file, call.name);
                }
            }
            ".shell" | ".system" | "\\!" | "system" => {
                let command = line
                    .split_once(char::is_whitespace)
                    .map_or("", |(_, rest)| rest);
                shell.run_text_in_child(command);
            }
            _ => writefile_calls(shell, line, call.name),
        }
    }
    if !call.name.starts_with("sqlite") {
        return generic(shell, call.arguments);
    }
    let mut operands = call.arguments.iter().filter(|a| !a.starts_with('-'));
    let database = operands.next();
    let changes = operands.any(|sql| {
        let sql = sql.to_lowercase();
        [
            "insert", "update", "delete", "create", "drop", "alter", "vacuum",
        ]
        .iter()
        .any(|verb| sql.contains(verb))
    });
    if let Some(file) = database.filter(|file| changes && *file != ":memory:") {
        shell.write(file, call.name);
    }
    Outcome::opaque()
}

fn writefile_calls(shell: &Shell<'_>, sql: &str, how: &'static str) {
    let lower = sql.to_lowercase();
    for marker in [
        "writefile(",
        "vacuum into ",
        "attach ",
        ") to ",
        " to ",
        "into outfile ",
    ] {
        if let Some(at) = lower.find(marker) {
            let argument = sql.get(at + marker.len()..).unwrap_or("");
            if let Some(file) = argument.split('\'').nth(1) {
                shell.write(file, how);
            }
        }
    }
}

/// `man -P PAGER`.
pub(super) fn manual<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "PCMRSs",
        long: &["pager", "config-file", "manpath"],
    };
    let options = Options::parse(call.arguments, &takes);
    if let Some(pager) = options.value(&["-P", "--pager"]) {
        let pager = pager.to_owned();
        shell.run_text_in_child(&pager);
    }
    Outcome::opaque()
}

/// Pagers, which can log what they show: `less -o FILE`.
pub(super) fn viewer<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes {
        short: "oOpPkTtbhjxyz",
        long: &["log-file", "LOG-FILE"],
    };
    let options = Options::parse(call.arguments, &takes);
    for file in options.values(&["-o", "-O", "--log-file", "--LOG-FILE"]) {
        shell.write(file, call.name);
    }
    super::filters::cat(shell, call)
}

/// Converters whose last operand is what they write.
pub(super) fn last<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let operands: Vec<&String> = call
        .arguments
        .iter()
        .filter(|a| !a.starts_with('-'))
        .collect();
    if let [_, .., output] = operands.as_slice() {
        shell.write(output, call.name);
    }
    Outcome::opaque()
}

/// A program nobody here knows: only the usual output options are looked at.
pub(super) fn generic<'c>(shell: &Shell<'c>, arguments: &[String]) -> Outcome<'c> {
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) if argument.starts_with('-') => (name, Some(value)),
            _ => (argument.as_str(), None),
        };
        let is_file = matches!(
            name,
            "-o" | "-out"
                | "--output"
                | "--out"
                | "--output-file"
                | "--outfile"
                | "--out-file"
                | "--outFile"
                | "--outputFile"
                | "--junitxml"
                | "--junit-xml"
                | "--log-file"
                | "--report-log"
                | "--result-file"
        );
        let is_directory = matches!(
            name,
            "--output-dir"
                | "--out-dir"
                | "--outdir"
                | "--outDir"
                | "--output-directory"
                | "--destination"
                | "--dest"
                | "--target-dir"
                | "--basetemp"
                | "--pack-destination"
        ) || name.starts_with("--") && name.ends_with("_out");
        if !is_file && !is_directory {
            continue;
        }
        let value = attached.or_else(|| rest.peek().map(|next| next.as_str()));
        match value {
            Some(value) if value.starts_with('-') || (name == "-o" && is_setting(value)) => {}
            Some(value) if is_file => shell.write(value, "output option"),
            Some(value) => shell.write_into(value, "output option"),
            None => {}
        }
    }
    Outcome::opaque()
}

/// `pytest -o name=value` sets an option.
fn is_setting(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
    value
        .split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_plain))
}
