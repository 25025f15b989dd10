//! The values of expressions, as far as the code spells them out.

use super::super::limits;
use super::super::text::{self, UNKNOWN};
use super::brackets::{arguments, bracketed, name_of, unnamed};
use super::constants::Constants;
use super::tables;
use super::texts::{self, each_with_each};
use super::tokens::{TOP_LEVEL, Token};
use crate::command_line::text::is_one_of;

/// Functions whose value is made of their arguments, joined as paths.
const JOINERS: &str =
    "join Pathname Path PurePath PosixPath joinpath resolve catfile abspath normalize";
/// Functions whose value is their first argument, for our purpose.
const PASSING: &str = "of get str String glob iglob sync expanduser fspath fsencode realpath File \
    dirname URL walk sorted list tuple set reversed enumerate entries keys ipairs";

/// The text an expression stands for, one alternative a line; unknown parts are marked.
pub(super) fn value(tokens: &[Token], constants: &Constants) -> String {
    let mut found = String::new();
    let mut at = 0;
    let mut joins_path = false;
    let mut is_list = false;
    while let Some(token) = tokens.get(at) {
        if found.len() > limits::MAX_MATCHED {
            return text::unknown();
        }
        match token {
            Token::Text(literal) => {
                append(&mut found, literal, joins_path, is_list);
                at += 1;
            }
            Token::Name(name) => {
                let (piece, next) = named(name, tokens, at, constants, &found);
                match piece {
                    Piece::Append(text) => {
                        is_list |= text.contains('\n');
                        append(&mut found, &text, joins_path, is_list);
                    }
                    Piece::Replace(text) => found = text,
                    Piece::Nothing => {}
                }
                at = next;
            }
            Token::Symbol('[' | '(' | '{') => {
                let Some((inner, close)) = bracketed(tokens, at) else {
                    break;
                };
                let is_table = *token == Token::Symbol('{');
                let items: Vec<String> = arguments(inner)
                    .into_iter()
                    .map(
                        |item| match tables::key_and_value(item).filter(|_| is_table) {
                            Some((key, _)) => value(key, constants),
                            None => value(item, constants),
                        },
                    )
                    .collect();
                is_list |= items.len() > 1;
                append(&mut found, &items.join("\n"), joins_path, is_list);
                at = close + 1;
            }
            Token::Symbol('/') => {
                joins_path = true;
                at += 1;
                continue;
            }
            Token::Symbol('%') => {
                let end = operand_end(tokens, at + 1);
                let filling = tokens.get(at + 1..end).unwrap_or(&[]);
                found = texts::percent(&found, &listed(filling, constants));
                at = end;
            }
            Token::Symbol('+' | '.' | '&' | '\n' | TOP_LEVEL | ':' | '-' | '>') => at += 1,
            Token::Symbol(_) => {
                found.push(UNKNOWN);
                at += 1;
            }
        }
        joins_path = false;
    }
    found
}

/// Where an operand of `%` ends: at the next operator, outside of brackets.
fn operand_end(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        at = match token {
            Token::Symbol('%' | '+' | '\n' | TOP_LEVEL) => return at,
            Token::Symbol('(' | '[' | '{') => match bracketed(tokens, at) {
                Some((_, close)) => close + 1,
                None => return tokens.len(),
            },
            _ => at + 1,
        };
    }
    tokens.len()
}

/// The values of a list that is spelled out, or the one value of anything else.
fn listed(expression: &[Token], constants: &Constants) -> Vec<String> {
    let is_list = matches!(expression.first(), Some(Token::Symbol('(' | '[')));
    match bracketed(expression, 0).filter(|_| is_list) {
        Some((inner, _)) => arguments(inner)
            .into_iter()
            .map(|item| value(item, constants))
            .collect(),
        None => vec![value(expression, constants)],
    }
}

enum Piece {
    Append(String),
    Replace(String),
    Nothing,
}

/// What a name in an expression adds to it, and where the expression goes on.
fn named(
    name: &str,
    tokens: &[Token],
    at: usize,
    constants: &Constants,
    before: &str,
) -> (Piece, usize) {
    if let Some(found) = from_environment(name, tokens, at, constants) {
        return found;
    }
    if matches!(name, "for" | "foreach") {
        return (Piece::Nothing, at + 1);
    }
    let is_call = tokens.get(at + 1) == Some(&Token::Symbol('('));
    if let Some((entry, next)) = tables::entry_at(tokens, at, constants) {
        return (Piece::Append(entry), next);
    }
    if !is_call {
        let takes_next =
            is_one_of(name, PASSING) && matches!(tokens.get(at + 1), Some(Token::Text(_)));
        if takes_next {
            return (Piece::Nothing, at + 1);
        }
        let is_module = matches!(tokens.get(at + 1), Some(Token::Symbol('.' | ':')));
        let is_member =
            at.checked_sub(1).and_then(|before| tokens.get(before)) == Some(&Token::Symbol('.'));
        let known = match name {
            "__dirname" => Some(&constants.cwd),
            // `os.sep`, `path.sep`.
            "sep" if is_member => return (Piece::Append("/".to_owned()), at + 1),
            "DIRECTORY_SEPARATOR" => return (Piece::Append("/".to_owned()), at + 1),
            _ if is_member => constants.attribute(name).or_else(|| constants.get(name)),
            _ => constants.get(name),
        };
        return match known {
            // Which item of a list is meant is not worked out: it may be any.
            Some(value) => {
                let index = tokens.get(at + 1) == Some(&Token::Symbol('['));
                let after = bracketed(tokens, at + 1).filter(|_| index);
                let next = after.map_or(at + 1, |(_, close)| close + 1);
                (Piece::Append(value.clone()), next)
            }
            None if is_module || matches!(name, "new" | "await" | "my" | "b" | "_") => {
                (Piece::Nothing, at + 1)
            }
            None => (Piece::Append(text::unknown()), at + 1),
        };
    }
    let (inner, close) = match bracketed(tokens, at + 1) {
        Some(found) => found,
        None => return (Piece::Append(text::unknown()), tokens.len()),
    };
    let parts: Vec<String> = arguments(inner)
        .into_iter()
        .map(|part| value(unnamed(part), constants))
        .collect();
    if let Some(decoded) = texts::decoded(name, &parts) {
        return (Piece::Append(decoded), close + 1);
    }
    let piece = match name {
        "glob" | "rglob" if !before.is_empty() => Piece::Replace(below(before, &parts)),
        "iterdir" => Piece::Replace(format!("{before}/{UNKNOWN}")),
        "split" | "strip" | "trim" | "encode" | "decode" | "to_s" | "toString" | "absolute"
        | "resolve" | "items" | "keys" | "entries"
            if !before.is_empty() =>
        {
            Piece::Nothing
        }
        "format" => {
            let names = arguments(inner).into_iter().map(name_of);
            let values: Vec<_> = names.zip(parts).collect();
            Piece::Replace(texts::braces(before, &values))
        }
        "sprintf" => match parts.split_first() {
            Some((template, values)) => Piece::Append(texts::percent(template, values)),
            None => Piece::Nothing,
        },
        "replace" | "replaceAll" | "gsub" | "sub" if !before.is_empty() => {
            Piece::Replace(texts::replaced(before, &parts))
        }
        // `shlex.split(command)`.
        "split" => Piece::Append(parts.into_iter().next().unwrap_or_default()),
        "join" if texts::is_joined_text(tokens, at) => {
            Piece::Replace(texts::join(tokens, at, before, &parts))
        }
        "require" | "__import__" => Piece::Nothing,
        "getcwd" | "cwd" | "pwd" => Piece::Append(constants.cwd.clone()),
        "getenv" => Piece::Append(constants.variable(&parts.concat())),
        _ if is_one_of(name, JOINERS) && !before.is_empty() => {
            Piece::Replace(below(before, &parts))
        }
        _ if is_one_of(name, JOINERS) => Piece::Append(match parts.split_first() {
            Some((first, rest)) => below(first, rest),
            None => String::new(),
        }),
        _ if is_one_of(name, PASSING) => {
            Piece::Append(parts.into_iter().next().unwrap_or_default())
        }
        _ => Piece::Append(text::unknown()),
    };
    (piece, close + 1)
}

/// `environ["F"]`, `environ.get("F")`, `env.F`, `$ENV{F}`.
fn from_environment(
    name: &str,
    tokens: &[Token],
    at: usize,
    constants: &Constants,
) -> Option<(Piece, usize)> {
    if !matches!(name, "environ" | "env" | "ENV" | "_ENV" | "_SERVER") {
        return None;
    }
    let is_open = |at: usize| matches!(tokens.get(at), Some(Token::Symbol('[' | '{' | '(')));
    let (open, member) = match (tokens.get(at + 1)?, tokens.get(at + 2)) {
        (Token::Symbol('.'), Some(Token::Name(member))) => (at + 3, Some(member)),
        _ => (at + 1, None),
    };
    if let Some(member) = member.filter(|_| !is_open(open)) {
        return Some((Piece::Append(constants.variable(member)), at + 3));
    }
    let (inner, close) = bracketed(tokens, open).filter(|_| is_open(open))?;
    let key = match inner.first()? {
        Token::Text(key) | Token::Name(key) => key,
        Token::Symbol(_) => return None,
    };
    Some((Piece::Append(constants.variable(key)), close + 1))
}

fn append(found: &mut String, piece: &str, joins_path: bool, is_list: bool) {
    let separator = match joins_path && !found.is_empty() && !found.ends_with('/') {
        true => "/",
        false => "",
    };
    if is_list && !found.is_empty() {
        *found = each_with_each(found, separator, piece);
    } else {
        found.push_str(separator);
        found.push_str(piece);
    }
}

/// Parts of a path below a directory, whichever of their alternatives they are.
fn below(directory: &str, parts: &[String]) -> String {
    parts.iter().fold(directory.to_owned(), |path, part| {
        each_with_each(&path, "/", part)
    })
}

pub(super) fn is_write_text(mode: &str) -> bool {
    mode.len() <= 5 && mode.contains(['w', 'a', 'x', '+', 'c'])
}

/// Whether an argument is a mode that lets the file be written.
pub(super) fn is_write_mode(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| match token {
        Token::Text(mode) => is_write_text(mode),
        Token::Name(name) => is_one_of(
            name,
            "O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND WRONLY RDWR \
            CREAT TRUNC APPEND write append truncate",
        ),
        Token::Symbol(_) => false,
    })
}
