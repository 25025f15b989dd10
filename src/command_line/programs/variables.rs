//! Builtins that set variables.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;
use super::super::{ShellEffect, words};
use super::environment;
use crate::rules::shell_gate::Evasion;

/// `export`, `declare`, `typeset`, `local`, `readonly`. The assignments among the arguments are
/// done already; what is left are options and names.
pub(super) fn declare<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("", "");
    let options = Options::parse(call.arguments, &takes);
    let exports = call.name == "export" || options.has("-x");
    for name in &options.operands {
        if options.has("-f") && exports {
            environment::check_exported_function(shell, name);
        } else if exports {
            // A word that only became an assignment by expansion: `export "$x"`.
            match name.split_once('=') {
                Some((name, value)) => {
                    shell.set(name, value);
                    shell.export(name);
                }
                None => shell.export(name),
            }
        }
        if options.has("-n")
            && call.name != "export"
            && let Some(variable) = shell.variables.get_mut(name)
        {
            variable.is_reference = true;
        }
    }
    if exports {
        let names = options
            .operands
            .iter()
            .map(|name| name.split('=').next().unwrap_or(name));
        environment::check(shell, names);
    }
    Outcome::silent()
}

pub(super) fn unset<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for name in call.arguments {
        shell.variables.remove(name);
        shell.functions.remove(name);
    }
    Outcome::silent()
}

pub(super) fn alias<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for argument in call.arguments {
        if let Some((name, value)) = argument.split_once('=') {
            shell.aliases.insert(name.to_owned(), value.to_owned());
        }
    }
    Outcome::opaque()
}

/// `read` takes the next line of what it is fed.
pub(super) fn read<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("adinNptu", "");
    let options = Options::parse(call.arguments, &takes);
    let (line, status) = next_line(shell);
    if let Some(array) = options.value("-a -A") {
        let elements = line.split_whitespace().enumerate();
        let elements = elements.map(|(at, value)| (at.to_string(), value.to_owned()));
        shell
            .variables
            .entry(array.to_owned())
            .or_default()
            .elements = elements.collect();
    }
    let names = if options.operands.is_empty() {
        vec!["REPLY".to_owned()]
    } else {
        options.operands
    };
    let separators = shell.field_separators();
    let is_separator = |c: char| separators.contains(c);
    let mut rest = line.trim_matches(&is_separator).to_owned();
    for (index, name) in names.iter().enumerate() {
        let is_last = index + 1 == names.len();
        let (value, left) = match rest.split_once(is_separator).filter(|_| !is_last) {
            Some((value, left)) => (value.to_owned(), left.to_owned()),
            // What is unknown may fill the names that are left, too.
            None if !text::is_known(&rest) => (rest.clone(), text::unknown()),
            None => (rest.clone(), String::new()),
        };
        shell.set(name, value);
        rest = left;
    }
    Outcome {
        output: super::super::stream::Stream::empty(),
        status,
    }
}

fn next_line(shell: &mut Shell<'_>) -> (String, Option<bool>) {
    let available = shell.input().text();
    let (line, rest) = match available.split_once('\n') {
        Some((line, rest)) => (line.to_owned(), rest.to_owned()),
        None => (available.clone(), String::new()),
    };
    if available.is_empty() {
        return (String::new(), Some(false));
    }
    if !text::is_known(&line) && rest.is_empty() {
        return (line, None);
    }
    *shell.stdin.borrow_mut() = super::super::stream::Stream::Text(rest);
    (line, Some(true))
}

/// `mapfile` and `readarray`.
pub(super) fn mapfile<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("dnOsucC", "");
    let options = Options::parse(call.arguments, &takes);
    if let Some(callback) = options.value("-C") {
        shell.run_text_in_child(callback);
    }
    let name = options.operands.first().map_or("MAPFILE", String::as_str);
    let input = shell.input().text();
    let lines = input.lines().enumerate();
    let elements = lines
        .map(|(at, line)| (at.to_string(), line.to_owned()))
        .collect();
    shell.variables.entry(name.to_owned()).or_default().elements = elements;
    Outcome::silent()
}

pub(super) fn set<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--" => {
                shell.positional = arguments.cloned().collect();
                return Outcome::silent();
            }
            "-o" | "+o" => {
                shell.stops_on_failure |= arguments.next().is_some_and(|name| name == "errexit");
            }
            option if option.starts_with('-') => shell.stops_on_failure |= option.contains('e'),
            option if option.starts_with('+') => {}
            operand => {
                shell.positional = std::iter::once(operand.to_owned())
                    .chain(arguments.cloned())
                    .collect();
                return Outcome::silent();
            }
        }
    }
    Outcome::silent()
}

pub(super) fn shift<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let count = call
        .arguments
        .first()
        .and_then(|count| count.parse().ok())
        .unwrap_or(1);
    let count = shell.positional.len().min(count);
    shell.positional.drain(..count);
    Outcome::silent()
}

/// `let` evaluates arithmetic, and subscripts in it may run commands.
pub(super) fn arithmetic<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for expression in call.arguments {
        shell.arithmetic(expression);
    }
    Outcome::silent()
}

pub(super) fn shopt<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let names = call.arguments.iter();
    shell.globs_match_dots |= names
        .clone()
        .any(|name| matches!(name.as_str(), "dotglob" | "globdots" | "GLOB_DOTS"));
    Outcome::silent()
}

/// `hash -p` and `enable -f` put another program under a name.
pub(super) fn rename_command<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("pf", "");
    let options = Options::parse(call.arguments, &takes);
    if options.value("-p -f").is_some() {
        for name in &options.operands {
            shell.emit(ShellEffect::Evasion(Evasion::ShadowedCommand(name.clone())));
        }
    }
    Outcome::silent()
}

/// `printf`, also with `-v`.
pub(super) fn printf<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let (variable, rest) = match call.arguments {
        [option, name, rest @ ..] if option == "-v" => (Some(name), rest),
        [dashes, rest @ ..] if dashes == "--" => (None, rest),
        arguments => (None, arguments),
    };
    let Some((format, values)) = rest.split_first() else {
        return Outcome::silent();
    };
    let text = formatted(format, values);
    match variable {
        Some(name) => {
            shell.set(name, text);
            Outcome::silent()
        }
        None => Outcome::text(text),
    }
}

/// What `printf` prints; the format is used again until the values are used up.
pub(super) fn formatted(format: &str, values: &[String]) -> String {
    let mut text = String::new();
    let mut values = values.iter();
    loop {
        let left = values.len();
        format_once(format, &mut values, &mut text);
        if values.len() == 0 || values.len() == left {
            return text;
        }
    }
}

fn format_once(format: &str, values: &mut std::slice::Iter<'_, String>, text: &mut String) {
    let format = words::unescape_ansi_c(&format.replace("\\'", "\\\\'"));
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut is_plain = true;
        while let Some(flag) =
            chars.next_if(|c| matches!(c, '-' | '+' | ' ' | '#' | '.' | '*' | '0'..='9'))
        {
            is_plain &= matches!(flag, '0'..='9' | '-');
        }
        let kind = chars.next();
        match kind {
            Some('%') | None => text.push('%'),
            Some(kind) => {
                let value = values.next().map_or("", String::as_str);
                match kind {
                    's' | 'd' | 'i' | 'u' | 'q' if is_plain => text.push_str(value),
                    'b' => text.push_str(&words::unescape_ansi_c(value)),
                    'c' => text.extend(value.chars().next()),
                    _ => text.push(super::super::text::UNKNOWN),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn printf_formats() {
        let values = |v: &[&str]| v.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            formatted("%s/%s", &values(&["tests", "a.py"])),
            "tests/a.py"
        );
        assert_eq!(formatted("%s\\n", &values(&["a", "b"])), "a\nb\n");
        assert_eq!(formatted("\\x72\\155%%", &[]), "rm%");
        assert_eq!(formatted("it's %b", &values(&["\\x41"])), "it's A");
    }
}
