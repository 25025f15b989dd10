//! Bounds that keep the parser's stack and time small, checked before and while parsing.

use brush_parser::ast::Program;
use brush_parser::{ParserOptions, Token};

use super::here_documents::{self, HereDocument};
use super::text;

/// No shell on Linux takes a longer command in one argument (`MAX_ARG_STRLEN` is 128 KiB).
const MAX_BYTES: usize = 256 * 1024;
/// How deep brackets may nest; the parser's stack grows with it.
const MAX_BRACKETS: usize = 60;
/// The same in a program of another language, which is read with a stack that grows with it.
const MAX_BRACKETS_IN_CODE: usize = 200;
/// How deep `if`, loops and `case` may nest.
const MAX_BLOCKS: usize = 60;
/// How many `!`, `&&` and `||` one `[[ … ]]` may have.
const MAX_CONDITIONS: usize = 200;

/// The longest value the imagined shell keeps; commands that double a value over and over end here.
pub(super) const MAX_VALUE: usize = 256 * 1024;
/// All text together that commands, variables and pipes may make on the way.
pub(super) const MAX_TEXT: usize = 4 * 1024 * 1024;
/// The most things a command may be said to do.
pub(super) const MAX_EFFECTS: usize = 50_000;
/// The system takes no longer name of a file.
pub(super) const MAX_PATH: usize = 4 * 1024;
/// The most words one command or array may have.
pub(super) const MAX_WORDS: usize = 20_000;
/// The longest value patterns are applied to.
pub(super) const MAX_MATCHED: usize = 4 * 1024;

/// Parses a command, or says why it can't be understood. Its here-documents go to `documents`.
pub(super) fn parse(command: &str, documents: &mut Vec<HereDocument>) -> Result<Program, String> {
    check(command)?;
    let command = &here_documents::take_out(command, documents)?;
    // Only now: the text of a here-document may hold any brackets.
    check_brackets(command)?;
    let options = ParserOptions::default();
    let tokens = brush_parser::uncached_tokenize_str(command, &options.tokenizer_options())
        .map_err(|error| error.to_string())?;
    check_blocks(&tokens)?;
    brush_parser::parse_tokens(&tokens, &options).map_err(|error| error.to_string())
}

/// Refuses what no command given by a client should hold.
pub(super) fn check_input(command: &str) -> Result<(), String> {
    if command.contains([text::UNKNOWN, text::DISGUISED, here_documents::MARK, '\0']) {
        return Err("it holds a character no command needs".to_owned());
    }
    Ok(())
}

fn check(command: &str) -> Result<(), String> {
    if command.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    if command.contains([text::UNKNOWN, text::DISGUISED, '\0']) {
        return Err("it holds a character no command needs".to_owned());
    }
    Ok(())
}

fn check_brackets(command: &str) -> Result<(), String> {
    nest_at_most(MAX_BRACKETS, command.chars())
}

/// Refuses a program that nobody writes by hand, by the brackets in it.
pub(super) fn check_program(brackets: impl Iterator<Item = char>) -> Result<(), String> {
    nest_at_most(MAX_BRACKETS_IN_CODE, brackets)
}

fn nest_at_most(most: usize, brackets: impl Iterator<Item = char>) -> Result<(), String> {
    let mut depth = 0usize;
    for bracket in brackets {
        match bracket {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most {
            return Err(format!("its brackets nest deeper than {most}"));
        }
    }
    Ok(())
}

fn check_blocks(tokens: &[Token]) -> Result<(), String> {
    let mut depth = 0usize;
    for token in tokens {
        match token.to_str() {
            // A coprocess is the rest of its command: nothing ends it.
            "if" | "for" | "while" | "until" | "case" | "select" | "coproc" => depth += 1,
            "fi" | "done" | "esac" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_BLOCKS {
            return Err(format!("its blocks nest deeper than {MAX_BLOCKS}"));
        }
    }
    check_conditions(tokens)
}

/// The parser goes one level deeper with each part of a condition.
fn check_conditions(tokens: &[Token]) -> Result<(), String> {
    let mut parts = None;
    for token in tokens {
        match (token.to_str(), parts) {
            ("[[", _) => parts = Some(0usize),
            ("]]", _) => parts = None,
            ("!" | "&&" | "||", Some(count)) if count >= MAX_CONDITIONS => {
                return Err(format!("a condition has more than {MAX_CONDITIONS} parts"));
            }
            ("!" | "&&" | "||", Some(count)) => parts = Some(count + 1),
            _ => {}
        }
    }
    Ok(())
}
