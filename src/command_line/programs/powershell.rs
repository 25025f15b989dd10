//! PowerShell and Nushell: shells of their own kind. Each of their statements is put into words
//! that read like those of any shell; what does not is looked at no further.

use super::super::ShellEffect;
use super::super::code::{self, Language};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use crate::rules::shell_gate::Evasion;

/// Options of the program itself that take a value.
const SETTINGS: [&str; 8] = [
    "-configurationname",
    "-custompipename",
    "-ep",
    "-executionpolicy",
    "-inputformat",
    "-outputformat",
    "-settingsfile",
    "-workingdirectory",
];

/// Other names of commands, in lower case.
const ALIASES: &[(&str, &str)] = &[
    ("ac", "Add-Content"),
    ("add-content", "Add-Content"),
    ("clc", "Clear-Content"),
    ("clear-content", "Clear-Content"),
    ("copy", "Copy-Item"),
    ("copy-item", "Copy-Item"),
    ("cp", "Copy-Item"),
    ("cpi", "Copy-Item"),
    ("del", "Remove-Item"),
    ("epcsv", "Export-Csv"),
    ("erase", "Remove-Item"),
    ("export-clixml", "Export-Csv"),
    ("export-csv", "Export-Csv"),
    ("invoke-restmethod", "Invoke-WebRequest"),
    ("invoke-webrequest", "Invoke-WebRequest"),
    ("irm", "Invoke-WebRequest"),
    ("iwr", "Invoke-WebRequest"),
    ("mi", "Move-Item"),
    ("move", "Move-Item"),
    ("move-item", "Move-Item"),
    ("mv", "Move-Item"),
    ("new-item", "New-Item"),
    ("ni", "New-Item"),
    ("out-file", "Out-File"),
    ("rd", "Remove-Item"),
    ("remove-item", "Remove-Item"),
    ("ren", "Rename-Item"),
    ("rename-item", "Rename-Item"),
    ("ri", "Remove-Item"),
    ("rm", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("rni", "Rename-Item"),
    ("sc", "Set-Content"),
    ("set-content", "Set-Content"),
    ("tee", "Tee-Object"),
    ("tee-object", "Tee-Object"),
];

/// `pwsh -c TEXT`, `pwsh -File SCRIPT`, `pwsh SCRIPT`, or a script on standard input.
pub(super) fn powershell<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut rest = call.arguments.iter();
    while let Some(argument) = rest.next() {
        let lower = argument.to_lowercase();
        if SETTINGS.contains(&lower.as_str()) {
            rest.next();
        } else if lower.len() > 1 && "-encodedcommand".starts_with(&lower) || lower == "-ec" {
            shell.emit(ShellEffect::Evasion(Evasion::DisguisedCode));
            return Outcome::opaque();
        } else if lower.len() > 1 && "-command".starts_with(&lower) {
            let text = rest.cloned().collect::<Vec<_>>().join(" ");
            return run_given(shell, &text, call.name);
        } else if lower.len() > 1 && "-file".starts_with(&lower) {
            continue;
        } else if argument == "-" || !argument.starts_with('-') {
            let following: Vec<String> = rest.cloned().collect();
            let text = match shell.stream_of(argument) {
                Some(script) => with_parameters(&script.text(), &following),
                None => format!("{argument} {}", following.join(" ")),
            };
            return run(shell, &text, call.name);
        }
    }
    let script = shell.input().text();
    run(shell, &script, call.name)
}

/// A script with its parameters set to what it is called with.
fn with_parameters(script: &str, values: &[String]) -> String {
    let list = script
        .split_once("param(")
        .and_then(|(_, rest)| rest.split_once(')'));
    let names = list.map_or("", |(names, _)| names).split(',');
    let names = names.filter_map(|name| name.split('$').nth(1));
    let names = names.map(|name| name.split(['=', ' ']).next().unwrap_or(name).trim());
    let operands = values.iter().filter(|value| !value.starts_with('-'));
    let mut text: String = names
        .zip(operands)
        .map(|(name, value)| format!("${name} = '{value}'\n"))
        .collect();
    text.push_str(script);
    text
}

/// `cmd /c TEXT`: its commands are among those that PowerShell knows.
pub(super) fn cmd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_command = |a: &String| matches!(a.to_lowercase().as_str(), "/c" | "/k" | "//c");
    let words = call.arguments.iter().skip_while(|a| !is_command(a)).skip(1);
    let text = words.cloned().collect::<Vec<_>>().join(" ");
    run(shell, &text, call.name)
}

fn run_given<'c>(shell: &mut Shell<'c>, text: &str, how: &'static str) -> Outcome<'c> {
    match text.trim() {
        "-" => {
            let script = shell.input().text();
            run(shell, &script, how)
        }
        text => run(shell, text, how),
    }
}

fn run<'c>(shell: &mut Shell<'c>, text: &str, how: &'static str) -> Outcome<'c> {
    if !text::is_known(text) {
        return Outcome::opaque();
    }
    // Calls of .NET look like those of other languages.
    code::run(shell, text, Language::Python, how, &[]);
    let mut inside = shell.clone();
    let mut piped = String::new();
    for statement in statements(text) {
        let statement = statement.trim().trim_start_matches(['&', '.', '(', ' ']);
        let statement = statement.replace('\\', "/");
        piped = run_statement(&mut inside, &statement, &piped, how);
    }
    Outcome::opaque()
}

/// Runs one statement; what it is about comes back, for the next one in the pipe.
fn run_statement(shell: &mut Shell<'_>, statement: &str, piped: &str, how: &'static str) -> String {
    let (word, rest) = statement
        .split_once(char::is_whitespace)
        .unwrap_or((statement, ""));
    let rest = rest.trim();
    let lower = word.to_lowercase();
    if let Some(value) = rest.strip_prefix('=').filter(|_| word.starts_with('$')) {
        let name = word.trim_start_matches('$');
        check_variable(shell, name);
        shell.run_here_if_shell(&format!("{name}={}", value.trim()));
        return String::new();
    }
    if matches!(lower.as_str(), "iex" | "invoke-expression") {
        let inner = rest.trim_matches(['"', '\'']).to_owned();
        run(shell, &inner, how);
        return String::new();
    }
    if lower == "foreach"
        && let Some((name, values)) = rest.trim_matches(['(', ')', ' ']).split_once(" in ")
    {
        let name = name.trim_start_matches('$');
        shell.run_here_if_shell(&format!("{name}={values}"));
    }
    if matches!(lower.as_str(), "start-process" | "saps" | "start") {
        let is_option = |word: &&str| !word.starts_with('-');
        let words: Vec<&str> = rest.split_whitespace().filter(is_option).collect();
        shell.run_here_if_shell(&words.join(" "));
    }
    // What is done with each is in the block that follows.
    if matches!(
        lower.as_str(),
        "" | "%" | "?" | "foreach" | "foreach-object" | "where" | "where-object"
    ) {
        return piped.to_owned();
    }
    let alias = ALIASES.binary_search_by(|(alias, _)| (*alias).cmp(lower.as_str()));
    let Some((_, name)) = alias.ok().and_then(|at| ALIASES.get(at)) else {
        shell.run_here_if_shell(statement);
        if statement.starts_with(['"', '\'', '$']) {
            return statement.to_owned();
        }
        return rest.trim_end_matches(')').to_owned();
    };
    // `Get-Item FILE | Remove-Item`: what is in the pipe is what it is about.
    let about = match rest.starts_with('-') && !has_path(rest) || rest.is_empty() {
        true => format!("{rest} {piped}"),
        false => rest.replace("$_.FullName", piped).replace("$_", piped),
    };
    shell.run_here_if_shell(&format!("{name} {about}"));
    piped.to_owned()
}

fn has_path(rest: &str) -> bool {
    let lower = rest.to_lowercase();
    ["path", "-outfile", "-destination", "-newname", "-name"]
        .iter()
        .any(|option| lower.contains(option))
        || rest.split_whitespace().any(|word| !word.starts_with('-'))
}

/// `$env:GIT_TCR = …`, `$env.GIT_TCR = …`.
fn check_variable(shell: &Shell<'_>, name: &str) {
    let name = name.rsplit([':', '.']).next().unwrap_or(name);
    if name.split('_').any(|part| part == "TCR") {
        shell.emit(ShellEffect::Evasion(Evasion::ToolVariable(name.to_owned())));
    }
}

/// The parts of a text between its pipes, braces and semicolons, but for those in quotes.
fn statements(text: &str) -> Vec<&str> {
    let mut quote = None;
    text.split(|c: char| {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        quote.is_none() && matches!(c, '|' | ';' | '\n' | '{' | '}')
    })
    .collect()
}

/// `Set-Content -Path FILE -Value TEXT` and its like: options are words, and may be shortened.
pub(super) fn cmdlet<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let given = Given::of(call.arguments);
    if given.only_asks {
        return Outcome::opaque();
    }
    let path = given.path.as_ref().or(given.operands.first());
    let target = given.target.as_ref().or(match given.path {
        Some(_) => given.operands.first(),
        None => given.operands.get(1),
    });
    match call.name {
        "Invoke-WebRequest" => write(shell, given.target.as_ref(), call.name),
        "Remove-Item" => {
            let all = given.path.iter().chain(&given.operands);
            all.for_each(|file| shell.delete(file, call.name));
        }
        "Copy-Item" => write(shell, target, call.name),
        "Move-Item" | "Rename-Item" => {
            if let Some(file) = path {
                shell.delete(file, call.name);
            }
            write(shell, target, call.name);
        }
        _ => write(shell, path, call.name),
    }
    Outcome::opaque()
}

fn write(shell: &Shell<'_>, file: Option<&String>, how: &'static str) {
    if let Some(file) = file {
        shell.write(file, how);
    }
}

/// The arguments of a command of PowerShell.
#[derive(Default)]
struct Given {
    path: Option<String>,
    target: Option<String>,
    operands: Vec<String>,
    only_asks: bool,
}

impl Given {
    fn of(arguments: &[String]) -> Given {
        let mut given = Given::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let Some(option) = argument.strip_prefix('-').filter(|o| !o.is_empty()) else {
                given
                    .operands
                    .push(argument.trim_end_matches(')').to_owned());
                continue;
            };
            let (option, attached) = match option.split_once(':') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (option, None),
            };
            let mut value = || attached.clone().or_else(|| rest.next().cloned());
            match option.to_lowercase().as_str() {
                "path" | "literalpath" | "filepath" | "pspath" | "lp" | "name" => {
                    given.path = value();
                }
                "destination" | "outfile" | "newname" => given.target = value(),
                "whatif" | "wi" => given.only_asks = true,
                "value" | "encoding" | "itemtype" | "type" | "inputobject" | "filter"
                | "include" | "exclude" | "uri" | "method" | "body" | "headers" | "delimiter"
                | "stream" | "width" => drop(value()),
                _ => {}
            }
        }
        given
    }
}

/// `nu -c`, `elvish -c`, `xonsh -c`: shells of their own kind, whose simple commands read alike.
pub(super) fn unlike<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    use super::super::options::{Options, Takes};
    let takes = Takes {
        short: "ce",
        long: &["commands", "execute"],
    };
    let options = Options::parse_leading(call.arguments, &takes);
    let given = options.values(&["-c", "-e", "--commands", "--execute"]);
    let mut texts: Vec<String> = given.map(str::to_owned).collect();
    if texts.is_empty() {
        let script = match options.operands.first() {
            Some(file) => shell.stream_of(file),
            None => Some(shell.input()),
        };
        texts.extend(script.map(|script| script.text()));
    }
    for text in texts.iter().filter(|text| text::is_known(text)) {
        if call.name == "xonsh" {
            code::run(shell, text, Language::Python, call.name, &[]);
        }
        shell.run_if_shell(text);
        for statement in statements(text) {
            run_plain(shell, statement.trim().trim_start_matches('^'));
        }
    }
    Outcome::opaque()
}

/// One statement of Nushell: `save FILE` writes what comes in.
fn run_plain(shell: &mut Shell<'_>, statement: &str) {
    match statement.split_once(char::is_whitespace) {
        Some(("save", rest)) => drop(shell.run_if_shell(&format!("sponge {rest}"))),
        Some((word, rest)) if word.starts_with("$env.") && rest.trim().starts_with('=') => {
            check_variable(shell, word);
        }
        _ => drop(shell.run_if_shell(statement)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_aliases_are_sorted_for_the_search() {
        assert!(ALIASES.is_sorted());
    }
}
