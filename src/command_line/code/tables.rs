//! Tables that are spelled out: dictionaries and objects.

use super::constants::Constants;
use super::tokens::Token;

/// The name that an entry of a table is known by.
pub(super) fn entry_of(table: &str, key: &str) -> String {
    format!("{table}[{key}]")
}

/// `table["key"]`, `table.key`, as far as the table is spelled out, and where it ends.
pub(super) fn entry_at(
    tokens: &[Token],
    at: usize,
    constants: &Constants,
) -> Option<(String, usize)> {
    let (table, key, next) = match tokens.get(at..)? {
        [
            Token::Name(table),
            Token::Symbol('['),
            Token::Text(key),
            Token::Symbol(']'),
            ..,
        ] => (table, key, at + 4),
        [Token::Name(table), Token::Symbol('.'), Token::Name(key), ..] => (table, key, at + 3),
        _ => return None,
    };
    let entry = constants.get(&entry_of(table, key))?;
    Some((entry.clone(), next))
}

/// The two sides of an entry of a dictionary.
pub(super) fn key_and_value(entry: &[Token]) -> Option<(&[Token], &[Token])> {
    let mut depth = 0usize;
    for (at, token) in entry.iter().enumerate() {
        match token {
            Token::Symbol('(' | '[' | '{') => depth += 1,
            Token::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let length = match entry.get(at..) {
            Some([Token::Symbol(':'), ..]) => 1,
            Some([Token::Symbol('='), Token::Symbol('>'), ..]) => 2,
            _ => continue,
        };
        if depth == 0 {
            return Some((entry.get(..at)?, entry.get(at + length..)?));
        }
    }
    None
}
