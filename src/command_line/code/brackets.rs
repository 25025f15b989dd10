//! Brackets and what stands between them: the arguments of a call, the items of a list.

use super::tokens::Token;

/// The tokens between the bracket at `open` and the one that closes it, and where that is.
pub(super) fn bracketed(tokens: &[Token], open: usize) -> Option<(&[Token], usize)> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Symbol('(' | '[' | '{') => depth += 1,
            Token::Symbol(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some((tokens.get(open + 1..at)?, at));
                }
            }
            _ => {}
        }
    }
    // A call that is not closed, as in code that is cut off, ends with the code.
    Some((tokens.get(open + 1..)?, tokens.len()))
}

/// The index of the bracket that opens what closes at `close`.
pub(super) fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (0..=close).rev() {
        match tokens.get(at)? {
            Token::Symbol(')' | ']' | '}') => depth += 1,
            Token::Symbol('(' | '[' | '{') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Arguments, split at the commas that are not inside brackets.
pub(super) fn arguments(tokens: &[Token]) -> Vec<&[Token]> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Symbol('(' | '[' | '{') => depth += 1,
            Token::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Symbol(',') if depth == 0 => {
                found.push(tokens.get(start..at).unwrap_or(&[]));
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = tokens.get(start..).unwrap_or(&[]);
    if !last.is_empty() {
        found.push(last);
    }
    found
}

/// An argument without the name it is passed by.
pub(super) fn unnamed(argument: &[Token]) -> &[Token] {
    match argument {
        [Token::Name(_), Token::Symbol('='), rest @ ..]
            if rest.first() != Some(&Token::Symbol('=')) =>
        {
            rest
        }
        // Swift: `removeItem(atPath: "x")`.
        [Token::Name(label), Token::Symbol(':'), rest @ ..]
            if matches!(label.as_str(), "atPath" | "toPath" | "at" | "to") =>
        {
            rest
        }
        _ => argument,
    }
}

/// The name an argument is passed by.
pub(super) fn name_of(argument: &[Token]) -> Option<&str> {
    match argument {
        [Token::Name(name), Token::Symbol('='), ..] => Some(name.as_str()),
        _ => None,
    }
}
