//! `${…}`: which parameter, and what is done with its value.

/// A parameter expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Expansion {
    /// The name, number or special character.
    pub(in super::super) name: String,
    /// What stands between the brackets of `${name[index]}`.
    pub(in super::super) index: Option<String>,
    /// `${!name}`: the value is a name.
    pub(in super::super) indirect: bool,
    /// What happens to the value.
    pub(in super::super) operation: Operation,
}

/// What a parameter expansion does with the value. The strings are words, not yet expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Operation {
    Value,
    Length,
    /// `${!prefix*}` or `${!array[@]}`.
    Names,
    Default(String),
    Assign(String),
    Alternative(String),
    Error(String),
    StripPrefix {
        pattern: String,
        longest: bool,
    },
    StripSuffix {
        pattern: String,
        longest: bool,
    },
    Replace {
        pattern: String,
        with: String,
        at: ReplaceAt,
    },
    Slice {
        offset: String,
        length: Option<String>,
    },
    Case(CaseChange),
    /// `${x@Q}` and its like.
    Transform(char),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ReplaceAt {
    First,
    Everywhere,
    Start,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum CaseChange {
    UpperFirst,
    Upper,
    LowerFirst,
    Lower,
}

impl Expansion {
    pub(super) fn plain(name: &str) -> Self {
        Expansion {
            name: name.to_owned(),
            index: None,
            indirect: false,
            operation: Operation::Value,
        }
    }
}

/// The name a bare `$` is followed by.
pub(super) fn bare_name(rest: &str) -> Option<&str> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() || is_special(first) {
        return rest.get(..1);
    }
    let length = identifier_length(rest);
    (length > 0).then(|| rest.get(..length)).flatten()
}

fn is_special(c: char) -> bool {
    matches!(c, '@' | '*' | '#' | '?' | '-' | '$' | '!')
}

fn identifier_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// Understands what stands between `${` and `}`.
pub(super) fn parse(inner: &str) -> Result<Expansion, String> {
    let (indirect, length, body) = match inner.as_bytes() {
        [b'!', _, ..] => (true, false, inner.get(1..).unwrap_or("")),
        [b'#', next, ..]
            if !matches!(next, b'#' | b'%' | b':' | b'-' | b'}' | b'/') || inner == "##" =>
        {
            (false, true, inner.get(1..).unwrap_or(""))
        }
        _ => (false, false, inner),
    };
    let name_length = match body.chars().next() {
        Some(c) if c.is_ascii_digit() => body
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(body.len()),
        Some(c) if is_special(c) => 1,
        _ => identifier_length(body),
    };
    if name_length == 0 {
        return Err(format!("the expansion `${{{inner}}}` makes no sense"));
    }
    let (name, rest) = body.split_at(name_length);
    let (index, rest) = split_index(rest);
    let operation = if length {
        Operation::Length
    } else if indirect && (matches!(index, Some("@" | "*")) || matches!(rest, "*" | "@")) {
        Operation::Names
    } else {
        operation(rest)
    };
    Ok(Expansion {
        name: name.to_owned(),
        index: index.map(str::to_owned),
        indirect: indirect && operation != Operation::Names,
        operation,
    })
}

fn split_index(rest: &str) -> (Option<&str>, &str) {
    if !rest.starts_with('[') {
        return (None, rest);
    }
    let mut depth = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (rest.get(1..at), rest.get(at + 1..).unwrap_or(""));
        }
    }
    (None, rest)
}

fn operation(rest: &str) -> Operation {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else {
        return Operation::Value;
    };
    let after_first = chars.as_str();
    let doubled = after_first.strip_prefix(first);
    match first {
        ':' => match (after_first.chars().next(), after_first.get(1..)) {
            (Some('-'), Some(word)) => Operation::Default(word.to_owned()),
            (Some('='), Some(word)) => Operation::Assign(word.to_owned()),
            (Some('+'), Some(word)) => Operation::Alternative(word.to_owned()),
            (Some('?'), Some(word)) => Operation::Error(word.to_owned()),
            _ => {
                let (offset, length) = match after_first.split_once(':') {
                    Some((offset, length)) => (offset, Some(length.to_owned())),
                    None => (after_first, None),
                };
                Operation::Slice {
                    offset: offset.to_owned(),
                    length,
                }
            }
        },
        '-' => Operation::Default(after_first.to_owned()),
        '=' => Operation::Assign(after_first.to_owned()),
        '+' => Operation::Alternative(after_first.to_owned()),
        '?' => Operation::Error(after_first.to_owned()),
        '#' => Operation::StripPrefix {
            pattern: doubled.unwrap_or(after_first).to_owned(),
            longest: doubled.is_some(),
        },
        '%' => Operation::StripSuffix {
            pattern: doubled.unwrap_or(after_first).to_owned(),
            longest: doubled.is_some(),
        },
        '/' => replacement(after_first),
        '^' => Operation::Case(if doubled.is_some() {
            CaseChange::Upper
        } else {
            CaseChange::UpperFirst
        }),
        ',' => Operation::Case(if doubled.is_some() {
            CaseChange::Lower
        } else {
            CaseChange::LowerFirst
        }),
        '@' => Operation::Transform(after_first.chars().next().unwrap_or('Q')),
        _ => Operation::Value,
    }
}

fn replacement(rest: &str) -> Operation {
    let (at, body) = match rest.chars().next() {
        Some('/') => (ReplaceAt::Everywhere, rest.get(1..).unwrap_or("")),
        Some('#') => (ReplaceAt::Start, rest.get(1..).unwrap_or("")),
        Some('%') => (ReplaceAt::End, rest.get(1..).unwrap_or("")),
        _ => (ReplaceAt::First, rest),
    };
    let split = unescaped_slash(body);
    let (pattern, with) = match split {
        Some(slash) => (body.get(..slash), body.get(slash + 1..)),
        None => (Some(body), Some("")),
    };
    Operation::Replace {
        pattern: pattern.unwrap_or("").to_owned(),
        with: with.unwrap_or("").to_owned(),
        at,
    }
}

fn unescaped_slash(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => return Some(at),
            _ => {}
        }
    }
    None
}
