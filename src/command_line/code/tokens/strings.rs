//! Strings, in every form the languages have, with what is put into them as far as it is known.

use super::{Language, Lexer, Token, tokens};
use crate::command_line::code::values::value;
use crate::command_line::limits;
use crate::command_line::text::UNKNOWN;
use crate::command_line::words::unescape_ansi_c;

impl Lexer<'_> {
    /// Strings with an opener of their own: `%x{}`, `qw()`, `[[…]]`.
    pub(super) fn special_string(&self) -> Option<(Token, usize)> {
        let openers: &[(&str, bool)] = match self.language {
            Language::Ruby => &[("%x", true), ("%q", false), ("%Q", false), ("%w", false)],
            Language::Perl => &[("qx", true), ("qq", false), ("qw", false), ("q", false)],
            Language::Lua => &[("[", false)],
            _ => &[],
        };
        if self.language == Language::Perl
            && let Some(found) = self.angle_glob()
        {
            return Some(found);
        }
        let (opener, runs) = openers
            .iter()
            .find(|(opener, _)| self.rest.starts_with(opener))?;
        let after = self.rest.get(opener.len()..)?;
        let open = after.chars().next()?;
        let close = match open {
            '(' => ")",
            '{' => "}",
            '[' if *opener == "[" => "]]",
            '[' => "]",
            '<' => ">",
            '/' | '|' | '!' if *opener != "q" && *opener != "[" => {
                return delimited(opener, after, open, *runs);
            }
            _ => return None,
        };
        if *opener == "[" && open != '[' {
            return None;
        }
        let inner = after.get(1..)?;
        let end = inner.find(close)?;
        let text = inner.get(..end)?.to_owned();
        let token = match *opener {
            _ if *runs => Token::Command(text),
            // Words: one alternative a line.
            "%w" | "qw" => Token::Text(text.split_whitespace().collect::<Vec<_>>().join("\n")),
            _ => Token::Text(text),
        };
        Some((token, opener.len() + 1 + end + close.len()))
    }

    /// Perl's `<tests/*.py>`: the files a pattern matches.
    fn angle_glob(&self) -> Option<(Token, usize)> {
        let inner = self.rest.strip_prefix('<')?;
        let (pattern, _) = inner.split_once('>')?;
        let is_pattern = pattern.contains(['*', '/', '.'])
            && !pattern.contains(|c: char| c.is_whitespace() || matches!(c, '$' | '=' | ';'));
        is_pattern.then(|| (Token::Text(pattern.to_owned()), pattern.len() + 2))
    }

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
            '`' if matches!(
                self.language,
                Language::Ruby | Language::Perl | Language::Php
            ) =>
            {
                Token::Command(text)
            }
            '`' => Token::Text(self.filled(&text, "${", '}')),
            '"' => match self.language {
                Language::Ruby => Token::Text(self.filled(&text, "#{", '}')),
                Language::Perl | Language::Php => Token::Text(self.with_variables(&text)),
                _ if formatted => Token::Text(self.filled(&text, "{", '}')),
                _ => Token::Text(text),
            },
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

    /// The text with the variables in it worked out, as far as they are known.
    fn with_variables(&self, text: &str) -> String {
        let mut known = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let opens = matches!(c, '$' | '@')
                && chars
                    .peek()
                    .is_some_and(|n| n.is_alphabetic() || matches!(n, '_' | '{'));
            if !opens {
                known.push(c);
                continue;
            }
            let mut name = String::new();
            while let Some(part) =
                chars.next_if(|n| n.is_alphanumeric() || matches!(n, '_' | '{' | '}'))
            {
                name.push(part);
            }
            known.push_str(&self.hole(name.trim_matches(['{', '}'])));
        }
        known
    }
}

/// A string between two of the same mark, such as `qx|…|`.
fn delimited(opener: &str, after: &str, delimiter: char, runs: bool) -> Option<(Token, usize)> {
    let inner = after.get(1..)?;
    let end = inner.find(delimiter)?;
    let text = inner.get(..end)?.to_owned();
    let token = if runs {
        Token::Command(text)
    } else {
        Token::Text(text)
    };
    Some((token, opener.len() + 2 + end))
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
            (
                "q(a) qq{b}",
                Language::Perl,
                vec!["a".to_owned(), "b".to_owned()],
            ),
            ("[[a]] -- 'b'", Language::Lua, vec!["a".to_owned()]),
            ("'unclosed", Language::Python, vec!["unclosed".to_owned()]),
        ] {
            assert_eq!(texts(program, language), expected, "{program}");
        }
    }
}
