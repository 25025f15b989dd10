//! Builtins that run other commands.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;

pub(super) fn eval<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let text = call.arguments.join(" ");
    shell.run_text(text.strip_prefix("-- ").unwrap_or(&text))
}

/// `source FILE`: only what comes through a pipe is in the command.
pub(super) fn source<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let Some(file) = call.arguments.iter().find(|a| *a != "--") else {
        return Outcome::opaque();
    };
    match shell.stream_of(file) {
        Some(stream) => {
            let script = stream.text();
            shell.run_text(&script)
        }
        None => Outcome::opaque(),
    }
}

pub(super) fn trap<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let mut arguments = call.arguments.iter().filter(|a| *a != "--");
    match (arguments.next(), arguments.next()) {
        (Some(action), Some(_)) if !action.starts_with('-') => {
            shell.run_text_in_child(action);
            shell.traps.push(action.clone());
        }
        _ => {}
    }
    Outcome::silent()
}

/// `compgen -C 'command'` runs it to ask for words.
pub(super) fn completion<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("ACFGWPSXo", "");
    let options = Options::parse(call.arguments, &takes);
    for command in options
        .values("-C -F")
        .map(str::to_owned)
        .collect::<Vec<_>>()
    {
        shell.run_text_in_child(&command);
    }
    Outcome::opaque()
}

/// `test`, `[`: with `-v` the name may hold a subscript that is evaluated.
pub(super) fn test<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    for (option, name) in call.arguments.iter().zip(call.arguments.iter().skip(1)) {
        if option == "-v" {
            shell.evaluated(name);
        }
    }
    Outcome::opaque()
}

/// `command`, `builtin`, `noglob`, `nocorrect`: the words after them are the command.
pub(super) fn command<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse_leading(call.arguments, &Takes::new("", ""));
    if options.has("-v -V") {
        return super::printing::which(shell, call);
    }
    match options.operands.split_first() {
        // A function of the same name is passed by.
        Some((name, arguments)) => super::run(shell, name, arguments),
        None => Outcome::silent(),
    }
}

pub(super) fn exec<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse_leading(call.arguments, &Takes::new("a", ""));
    shell.run_words(options.operands)
}

pub(super) fn succeed<'c>(_: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    Outcome {
        output: Stream::empty(),
        status: Some(true),
    }
}

pub(super) fn fail<'c>(_: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    Outcome {
        output: Stream::empty(),
        status: Some(false),
    }
}

/// Programs that print nothing that matters and change nothing.
pub(super) fn harmless<'c>(_: &mut Shell<'c>, _: &Call<'_>) -> Outcome<'c> {
    Outcome::opaque()
}
