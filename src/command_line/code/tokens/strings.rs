//! Strings, in every form the languages have, with what is put into them as far as it is known.

use super::{Language, Lexer, Token, tokens};
use crate::command_line::code::values::value;
use crate::command_line::limits;
use crate::command_line::text::UNKNOWN;
use crate::command_line::words::unescape_ansi_c;

impl Lexer<'_> {
    /// A string in quotes; `raw` without escapes, `formatted` with expressions in it.
    pub(super) fn string(&mut self, quote: char, raw: bool, formatted: bool) {
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let is_triple = self.language == Language::Python && self.rest.starts_with(&triple);
        let width = if is_triple { 3 } else { 1 };
        let inner = self.rest.get(width..).unwrap_or("");
        let end = string_end(inner, quote, is_triple, &triple);
        let body = inner.get(..end).unwrap_or("");
        self.advance((width + end + width).min(self.rest.len()));
        let text = if raw {
            body.to_owned()
        } else {
            unescape_ansi_c(body)
        };
        let token = match quote {
            '`' => Token::Text(self.filled(&text, "${", '}')),
            _ if formatted => Token::Text(self.filled(&text, "{", '}')),
            _ => Token::Text(text),
        };
        self.tokens.push(token);
    }
}

/// What is put into a string.
impl Lexer<'_> {
    /// The text with what stands between `open` and `close` worked out, as far as it is known.
    fn filled(&self, text: &str, open: &str, close: char) -> String {
        let mut known = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(open) {
            known.push_str(rest.get(..at).unwrap_or(""));
            let hole = rest.get(at + open.len()..).unwrap_or("");
            let end = hole.find(close).unwrap_or(hole.len());
            known.push_str(&self.hole(hole.get(..end).unwrap_or("")));
            rest = hole.get(end + close.len_utf8()..).unwrap_or("");
        }
        known + rest
    }

    /// The value of an expression inside a string; one that holds strings itself is not followed.
    fn hole(&self, expression: &str) -> String {
        let is_name = expression
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let unknown = expression.contains(['\'', '"', '`'])
            || limits::check_program(expression.chars()).is_err()
            || (is_name && !self.constants.has(expression.trim_start_matches('$')));
        if unknown {
            return UNKNOWN.to_string();
        }
        value(
            &tokens(expression, self.language, self.constants),
            self.constants,
        )
    }
}

fn string_end(inner: &str, quote: char, is_triple: bool, triple: &str) -> usize {
    if is_triple {
        return inner.find(triple).unwrap_or(inner.len());
    }
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at,
            _ => {}
        }
    }
    inner.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::code::constants::Constants;

    fn texts(program: &str, language: Language) -> Vec<String> {
        let all = tokens(program, language, &Constants::default()).into_iter();
        all.filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        })
        .collect()
    }

    #[test]
    fn strings_in_every_language() {
        let hole = UNKNOWN.to_string();
        for (program, language, expected) in [
            (
                "open('a', \"b\") # 'c'",
                Language::Python,
                vec!["a".to_owned(), "b".to_owned()],
            ),
            (
                "r'\\n' f'x{y}z'",
                Language::Python,
                vec!["\\n".to_owned(), format!("x{hole}z")],
            ),
            ("'''a'b'''", Language::Python, vec!["a'b".to_owned()]),
            (
                "f(`a${b}`) // 'c'\n'd'",
                Language::JavaScript,
                vec![format!("a{hole}"), "d".to_owned()],
            ),
            (
                "x.replace(/'/g, 'b')",
                Language::JavaScript,
                vec!["b".to_owned()],
            ),
            ("'unclosed", Language::Python, vec!["unclosed".to_owned()]),
        ] {
            assert_eq!(texts(program, language), expected, "{program}");
        }
    }
}
