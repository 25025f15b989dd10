//! What the functions on strings make of texts that are spelled out.

use super::super::decode;
use super::super::limits;
use super::super::text::{self, UNKNOWN};
use super::tokens::Token;

/// Items, one a line, as one text.
fn joined(items: &str, separator: &str) -> String {
    replaced_by(items, "\n", separator)
}

/// A text with one part in the place of another, unless that makes it too long: a program can double
/// a text over and over.
fn replaced_by(text: &str, from: &str, to: &str) -> String {
    let grown = text.len() + text.matches(from).count() * to.len();
    match grown <= limits::MAX_MATCHED {
        true => text.replace(from, to),
        false => text::unknown(),
    }
}

/// `path.replace("src", "tests")`.
pub(super) fn replaced(before: &str, parts: &[String]) -> String {
    match parts {
        [from, to, ..] if text::is_known(from) && !from.is_empty() => replaced_by(before, from, to),
        _ => format!("{before}{UNKNOWN}"),
    }
}

/// Whether the `join` at `at` is that of a string or a list, and not that of paths.
pub(super) fn is_joined_text(tokens: &[Token], at: usize) -> bool {
    matches!(
        at.checked_sub(2).and_then(|before| tokens.get(before..at)),
        Some([Token::Text(_) | Token::Symbol(']'), Token::Symbol('.')])
    )
}

/// `"/".join(list)`, `list.join("/")`: what was `before` ends with the string or the list.
pub(super) fn join(tokens: &[Token], at: usize, before: &str, parts: &[String]) -> String {
    let argument = parts.first().map_or("", String::as_str);
    match at.checked_sub(2).and_then(|before| tokens.get(before)) {
        Some(Token::Text(separator)) => {
            let start = before.strip_suffix(separator.as_str()).unwrap_or(before);
            format!("{start}{}", joined(argument, separator))
        }
        _ => joined(before, argument),
    }
}

/// `"%s/%s" % (a, b)`.
pub(super) fn percent(template: &str, values: &[String]) -> String {
    let mut values = values.iter();
    let mut pieces = template.split('%');
    let mut found = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        if found.len() > limits::MAX_MATCHED {
            return text::unknown();
        }
        match piece.strip_prefix(['s', 'd', 'i', 'r']) {
            Some(rest) => {
                let value = values.next().cloned();
                found = followed_by(found, &value.unwrap_or_else(text::unknown), rest);
            }
            None => {
                found.push('%');
                found.push_str(piece);
            }
        }
    }
    found
}

/// `"{}/{name}".format(a, name=b)`; values that are passed by position have no name.
pub(super) fn braces(template: &str, values: &[(Option<&str>, String)]) -> String {
    let mut position = 0;
    let mut pieces = template.split('{');
    let mut found = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        if found.len() > limits::MAX_MATCHED {
            return text::unknown();
        }
        let Some((field, rest)) = piece.split_once('}') else {
            found.push('{');
            found.push_str(piece);
            continue;
        };
        let field = field.split([':', '!']).next().unwrap_or("");
        let value = match field.parse() {
            Ok(index) => values.get::<usize>(index),
            Err(_) if field.is_empty() => {
                position += 1;
                values.get(position - 1)
            }
            Err(_) => values.iter().find(|(name, _)| *name == Some(field)),
        };
        let value = value.map_or_else(text::unknown, |(_, value)| value.clone());
        found = followed_by(found, &value, rest);
    }
    found
}

/// A text, then a value with all of its alternatives, then more text.
fn followed_by(mut start: String, value: &str, rest: &str) -> String {
    if value.contains('\n') {
        return each_with_each(&each_with_each(&start, "", value), "", rest);
    }
    start.push_str(value);
    start.push_str(rest);
    start
}

/// Every line of one text followed by every line of another.
pub(super) fn each_with_each(first: &str, separator: &str, second: &str) -> String {
    let mut combined = String::new();
    for start in first.split('\n') {
        for end in second.split('\n') {
            if combined.len() > limits::MAX_MATCHED {
                return text::unknown();
            }
            if !combined.is_empty() {
                combined.push('\n');
            }
            combined.push_str(&format!("{start}{separator}{end}"));
        }
    }
    combined
}

/// What a decoder of the usual libraries makes of its arguments; none if it is no decoder.
pub(super) fn decoded(function: &str, arguments: &[String]) -> Option<String> {
    let encoded = arguments.first().map_or("", String::as_str);
    let encoding = match function {
        "b64decode" | "standard_b64decode" | "urlsafe_b64decode" | "decodebytes" | "atob"
        | "decode64" | "strict_decode64" | "urlsafe_decode64" | "base64_decode"
        | "decode_base64" => "base64",
        "fromhex" | "unhexlify" | "a2b_hex" | "hex2bin" => "hex",
        // `Buffer.from(text, "base64")`.
        "from" => arguments.get(1)?.as_str(),
        _ => return None,
    };
    let found = match encoding {
        "base64" | "base64url" => decode::base64(encoded),
        "hex" => decode::hexadecimal(encoded),
        _ => return None,
    };
    Some(found.unwrap_or_else(text::unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let values = ["tests".to_owned(), "a\nb".to_owned()];
        assert_eq!(percent("%s/%s.py", &values), "tests/a.py\ntests/b.py");
        assert_eq!(percent("100% %s", &values), "100% tests");
        assert_eq!(percent("%s", &[]), text::unknown());
        let values = [(None, "tests".to_owned()), (Some("n"), "a".to_owned())];
        assert_eq!(braces("{}/{n:>2}.py", &values), "tests/a.py");
        assert_eq!(braces("{0}/{0}", &values), "tests/tests");
        assert_eq!(braces("{x} {", &values), format!("{} {{", text::unknown()));
    }

    #[test]
    fn texts_that_grow_over_and_over_end_as_unknown() {
        let mut texts = [
            "a\nb".to_owned(),
            "a".to_owned(),
            "a".to_owned(),
            "a".to_owned(),
        ];
        for _ in 0..200 {
            let [listed, changed, filled, formatted] = &mut texts;
            *listed = joined(&format!("{listed}\n{listed}"), "//");
            *changed = replaced(changed, &["a".to_owned(), "aa".to_owned()]);
            *filled = percent("%s%s", &[filled.clone(), filled.clone()]);
            *formatted = braces("{0}{0}", &[(None, formatted.clone())]);
        }
        for text in texts {
            assert!(text.len() <= 3 * limits::MAX_MATCHED, "{}", text.len());
        }
    }

    #[test]
    fn decoders_are_known_by_name() {
        let hex = ["6869".to_owned(), "hex".to_owned()];
        assert_eq!(decoded("fromhex", &hex).as_deref(), Some("hi"));
        assert_eq!(decoded("from", &hex).as_deref(), Some("hi"));
        assert_eq!(decoded("join", &hex), None);
    }
}
