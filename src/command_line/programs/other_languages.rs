//! Interpreters and compilers of languages that are read like another one, or by the names of their
//! functions alone.

use super::super::code::prefix::{self, Dialect};
use super::super::code::{self, Language};
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use super::{formatters, outputs, runners};

/// The programs an interpreter is given: inline, in a file the command wrote, or coming in.
fn programs(shell: &Shell<'_>, arguments: &[String]) -> Vec<String> {
    let takes = Takes {
        short: "ecx",
        long: &["eval", "execute", "load", "script", "expr"],
    };
    // Some write long options with one dash.
    let two_dashes = |a: &String| match a.as_str() {
        "-eval" => "--eval".to_owned(),
        _ => a.clone(),
    };
    let arguments: Vec<String> = arguments.iter().map(two_dashes).collect();
    let options = Options::parse(&arguments, &takes);
    let inline = options.values(&["-e", "-c", "-x", "--eval", "--execute", "--expr"]);
    let mut found: Vec<String> = inline.map(str::to_owned).collect();
    let files = options.values(&["--load", "--script"]);
    let operands = options.operands.iter().map(String::as_str);
    for file in files.chain(operands) {
        match shell.stream_of(file) {
            Some(script) => found.push(script.text()),
            // `bb '(spit …)'`.
            None if file.starts_with('(') => found.push(file.to_owned()),
            None => {}
        }
    }
    if found.is_empty() {
        found.push(shell.input().text());
    }
    found.retain(|program| text::is_known(program));
    found
}

/// Lisps: `guile -c`, `racket -e`, `sbcl --eval`, `clojure -e`.
pub(super) fn lisp<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    in_dialect(shell, call, Dialect::Lisp)
}

/// `ghc -e`, `runghc FILE`, `ocaml -e`.
pub(super) fn applied<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    in_dialect(shell, call, Dialect::Applied)
}

/// `tclsh FILE`.
pub(super) fn tcl<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    in_dialect(shell, call, Dialect::Tcl)
}

fn in_dialect<'c>(shell: &mut Shell<'c>, call: &Call<'_>, dialect: Dialect) -> Outcome<'c> {
    for program in programs(shell, call.arguments) {
        prefix::run(shell, &program, dialect, call.name);
    }
    outputs::generic(shell, call.arguments)
}

/// `elixir -e`, `iex -e`, `mix run -e`, `mix eval CODE`.
pub(super) fn elixir<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    formatters::by_verb(shell, call);
    let mut given = programs(shell, call.arguments);
    if let [verb, code, ..] = call.arguments
        && verb == "eval"
    {
        given.push(code.clone());
    }
    for program in given {
        let program = program.replace("~c\"", "\"").replace("~s\"", "\"");
        code::run(shell, &unpiped(&program), Language::Python, call.name, &[]);
    }
    outputs::generic(shell, call.arguments)
}

/// `"file" |> File.write!(text)` as `File.write!("file", text)`.
fn unpiped(program: &str) -> String {
    let mut pieces = program.split("|>");
    let mut found = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let literal = found
            .trim_end()
            .strip_suffix('"')
            .and_then(|rest| rest.rsplit('"').next())
            .map(str::to_owned);
        match (literal, piece.split_once('(')) {
            (Some(literal), Some((function, rest))) => {
                found.push_str(&format!("; {}(\"{literal}\", {rest}", function.trim()));
            }
            _ => found.push_str(&format!("; {piece}")),
        }
    }
    found
}

/// `groovy -e`: properties are set like methods are called.
pub(super) fn groovy<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for program in programs(shell, call.arguments) {
        let mut parts = program.split(".execute(").collect::<Vec<_>>();
        parts.pop();
        for part in parts {
            let command = part.strip_suffix(['"', '\'']).unwrap_or("");
            let command = command.rsplit(['"', '\'']).next().unwrap_or("").to_owned();
            shell.run_if_shell(&command);
        }
        let mut program = program.replace(") <<", ").setText() ");
        for property in [
            ".text =",
            ".text=",
            ".bytes =",
            ".withWriter {",
            ".withPrintWriter {",
        ] {
            program = program.replace(property, ".setText() ");
        }
        code::run(shell, &program, Language::JavaScript, call.name, &[]);
    }
    Outcome::opaque()
}

/// `Rscript -e`, `R -e`; `julia -e`.
pub(super) fn statistics<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let language = match call.name {
        "julia" => Language::Julia,
        _ => Language::R,
    };
    let mut given = programs(shell, call.arguments);
    let named = given
        .iter()
        .flat_map(|program| shell.written_and_named(program, &["R", "r", "jl"]));
    let sourced: Vec<String> = named.filter(|program| text::is_known(program)).collect();
    given.extend(sourced);
    for program in given {
        code::run(shell, &program, language, call.name, &[]);
    }
    outputs::generic(shell, call.arguments)
}

/// `crystal eval CODE`, `crystal run FILE`: read like Ruby.
pub(super) fn crystal<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut given: Vec<String> = written_by_command(shell, call.arguments);
    if let [verb, code @ ..] = call.arguments
        && verb == "eval"
    {
        given.push(code.join(" "));
    }
    for program in given {
        code::run(shell, &program, Language::Ruby, call.name, &[]);
    }
    outputs::generic(shell, call.arguments)
}

/// `nim --eval:CODE`, `nim e FILE`, `nim r FILE`: like Ruby its calls need no brackets.
pub(super) fn nim<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let inline = call
        .arguments
        .iter()
        .filter_map(|a| a.strip_prefix("--eval:"));
    let mut given: Vec<String> = inline.map(str::to_owned).collect();
    given.extend(written_by_command(shell, call.arguments));
    let input = shell.input().text();
    given.extend(Some(input).filter(|input| text::is_known(input)));
    for program in given {
        code::run(shell, &program, Language::Ruby, call.name, &[]);
    }
    outputs::generic(shell, call.arguments)
}

/// `raku -e`: read like Ruby.
pub(super) fn raku<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for program in programs(shell, call.arguments) {
        // `"file".IO` is the file.
        let program = program.replace(".IO.", ".");
        code::run(shell, &program, Language::Ruby, call.name, &[]);
    }
    Outcome::opaque()
}

/// `dotnet format --include FILE`, `dotnet csharpier FILE`, `dotnet fsi`, `dotnet script FILE`.
pub(super) fn dotnet<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    match call.arguments.split_first() {
        Some((verb, rest)) if verb == "csharpier" => {
            let mut words = vec!["csharpier".to_owned(), "format".to_owned()];
            words.extend(rest.iter().filter(|word| *word != "format").cloned());
            let checks = rest.iter().any(|word| word == "check");
            shell
                .clone()
                .run_words(if checks { Vec::new() } else { words })
        }
        Some((verb, rest)) if matches!(verb.as_str(), "fsi" | "script") => {
            for program in programs(shell, rest) {
                code::run(shell, &program, Language::JavaScript, call.name, &[]);
            }
            Outcome::opaque()
        }
        _ => formatters::by_verb(shell, call),
    }
}

/// `java FILE`, `kotlin -e CODE`, `swift -`: languages with braces.
pub(super) fn braced<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    formatters::by_verb(shell, call);
    for program in programs(shell, call.arguments) {
        code::run(shell, &program, Language::JavaScript, call.name, &[]);
    }
    runners::unknown(shell, call.arguments)
}

/// `go run FILE`, and compilers: what the command wrote and has built is meant to run.
pub(super) fn sources<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    formatters::by_verb(shell, call);
    read_sources(shell, call);
    outputs::generic(shell, call.arguments)
}

pub(super) fn read_sources(shell: &mut Shell<'_>, call: &Call<'_>) {
    for program in written_by_command(shell, call.arguments) {
        code::run(shell, &program, Language::JavaScript, call.name, &[]);
    }
}

/// The texts of those arguments that are files the command itself wrote.
fn written_by_command(shell: &Shell<'_>, arguments: &[String]) -> Vec<String> {
    let files = arguments.iter().filter(|a| !a.starts_with('-'));
    files
        .filter_map(|file| shell.stream_of(file))
        .map(|stream| stream.text())
        .filter(|program| text::is_known(program))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_in_a_pipe_becomes_an_argument() {
        assert_eq!(
            unpiped("\"a\" |> File.write!(\"x\")"),
            "\"a\" ; File.write!(\"a\", \"x\")"
        );
    }
}
