//! Programs that write to a file named by an option or an operand.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;

/// What the option for an output names is written.
pub(super) fn by_option(shell: &mut Shell<'_>, call: &Call<'_>, options: &Options) {
    for file in options.values("-o --output") {
        shell.write(file, call.name);
    }
}

/// `split FILE PREFIX`, `csplit -f PREFIX FILE …`.
pub(super) fn split<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let csplit = call.name == "csplit";
    let takes = match csplit {
        true => Takes::new("bfn", "suffix-format prefix digits"),
        false => Takes::new(
            "abClnt",
            "suffix-length bytes line-bytes lines number separator filter additional-suffix",
        ),
    };
    let options = Options::parse(call.arguments, &takes);
    if let Some(filter) = options.value("--filter") {
        shell.run_text_in_child(filter);
    }
    let prefix = match csplit {
        true => options.value("-f --prefix").or(Some("xx")),
        false => options.operands.get(1).map(String::as_str),
    };
    let suffix = options.value("--additional-suffix").unwrap_or("");
    shell.write(&format!("{}aa{suffix}", prefix.unwrap_or("x")), call.name);
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

/// `man -P PAGER`.
pub(super) fn manual<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("PCMRSs", "pager config-file manpath");
    let options = Options::parse(call.arguments, &takes);
    if let Some(pager) = options.value("-P --pager") {
        let pager = pager.to_owned();
        shell.run_text_in_child(&pager);
    }
    Outcome::opaque()
}

/// Pagers, which can log what they show: `less -o FILE`.
pub(super) fn viewer<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("oOpPkTtbhjxyz", "log-file LOG-FILE");
    let options = Options::parse(call.arguments, &takes);
    for file in options.values("-o -O --log-file --LOG-FILE") {
        shell.write(file, call.name);
    }
    super::filters::cat(shell, call)
}

/// What options for a file that is written are usually called, and those for a folder.
const OUTPUT_FILES: &str = "-o -out --output --out --output-file --outfile --out-file --outFile --outputFile \
     --junitxml --junit-xml --log-file --report-log --result-file";
const OUTPUT_FOLDERS: &str = "--output-dir --out-dir --outdir --outDir --output-directory --destination --dest \
     --target-dir --basetemp --pack-destination";

/// A program nobody here knows: only the usual output options are looked at.
pub(super) fn generic<'c>(shell: &Shell<'c>, arguments: &[String]) -> Outcome<'c> {
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) if argument.starts_with('-') => (name, Some(value)),
            _ => (argument.as_str(), None),
        };
        let is_file = OUTPUT_FILES.split(' ').any(|option| option == name);
        let is_directory = OUTPUT_FOLDERS.split(' ').any(|option| option == name)
            || name.starts_with("--") && name.ends_with("_out");
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

/// Whether an option says what is written: then all else is read.
pub(super) fn names_one(arguments: &[String]) -> bool {
    let name = |word: &String| word.split('=').next().unwrap_or("").to_owned();
    let options = || {
        OUTPUT_FILES
            .split_whitespace()
            .chain(OUTPUT_FOLDERS.split_whitespace())
    };
    arguments
        .iter()
        .any(|word| options().any(|option| option == name(word)))
}

/// `pytest -o name=value` sets an option.
fn is_setting(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
    value
        .split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_plain))
}
