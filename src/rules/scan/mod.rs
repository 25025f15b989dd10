//! Cuts the text of a brace language into tokens, so that braces in strings and comments are not
//! taken for braces. It knows no grammar and never fails: what it can't make sense of becomes a
//! token of its own.

mod literals;

use std::cell::Cell;

use crate::languages::Language;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or character literal, quotes included; a regular expression too.
    Literal,
    /// `'a`, in Rust.
    Lifetime,
    /// A comment, its marks included.
    Comment,
    /// A line of the C preprocessor.
    Directive,
    /// One character of punctuation.
    Punct,
}

/// A piece of text that means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Byte offset in the text.
    pub(super) start: usize,
    /// Line, from 0, that it begins on.
    pub(super) line: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn last_line(&self) -> usize {
        self.line + self.text.matches('\n').count()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && !matches!(self.kind, Kind::Literal | Kind::Comment)
    }
}

/// The tokens of a text, comments included.
pub(super) fn tokens(language: Language, text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner {
        language,
        text,
        at: 0,
        line: 0,
        found: Vec::new(),
        patience: Cell::new(text.len().saturating_mul(16)),
    };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.found
}

struct Scanner<'t> {
    language: Language,
    text: &'t str,
    at: usize,
    line: usize,
    found: Vec<Token<'t>>,
    /// How much may still be read in vain. Behind a lone quote the line is read to its end, which
    /// hostile text could ask for at every character.
    patience: Cell<usize>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self) {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            self.skip(blank);
        } else if let Some((kind, length)) = self.recognise(rest) {
            self.push(kind, length);
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            self.push(Kind::Punct, length);
        }
    }

    fn skip(&mut self, length: usize) {
        let skipped = self.rest().get(..length).unwrap_or_default();
        self.line += skipped.matches('\n').count();
        self.at += length;
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let text = self.rest().get(..length).unwrap_or_default();
        self.found.push(Token {
            kind,
            text,
            start: self.at,
            line: self.line,
        });
        self.skip(length.max(1));
    }

    fn recognise(&self, rest: &str) -> Option<(Kind, usize)> {
        comment(self.language, rest)
            .map(|length| (Kind::Comment, length))
            .or_else(|| Some((Kind::Directive, self.directive(rest)?)))
            .or_else(|| Some((Kind::Literal, self.literal(rest)?)))
            .or_else(|| Some((Kind::Lifetime, self.lifetime(rest)?)))
            .or_else(|| Some((Kind::Number, number(rest)?)))
            .or_else(|| Some((Kind::Word, word(rest)?)))
    }

    fn directive(&self, rest: &str) -> Option<usize> {
        let has_preprocessor = matches!(
            self.language,
            Language::C | Language::Cpp | Language::ObjectiveC | Language::CSharp
        );
        let first_on_line = self
            .found
            .last()
            .is_none_or(|token| token.last_line() < self.line);
        if !has_preprocessor || !first_on_line || !rest.starts_with('#') {
            return None;
        }
        let mut length = 0;
        for line in rest.split_inclusive('\n') {
            length += line.len();
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        Some(rest.get(..length)?.trim_end().len())
    }

    fn literal(&self, rest: &str) -> Option<usize> {
        let found = self.closed_literal(rest);
        if found.is_none() && rest.starts_with(['"', '\'', '/']) {
            let line = rest.find('\n').unwrap_or(rest.len());
            match self.patience.get().checked_sub(line) {
                Some(left) => self.patience.set(left),
                None => return Some(line),
            }
        }
        found
    }

    fn closed_literal(&self, rest: &str) -> Option<usize> {
        literals::string(self.language, rest).or_else(|| self.regex(rest))
    }

    fn lifetime(&self, rest: &str) -> Option<usize> {
        let name = rest.strip_prefix('\'')?;
        (self.language == Language::Rust).then_some(1 + word(name)?)
    }

    /// A `/` begins a regular expression where a value may begin.
    fn regex(&self, rest: &str) -> Option<usize> {
        if self.language != Language::JavaScript || !rest.starts_with('/') {
            return None;
        }
        let before = self.found.iter().rev().find(|t| t.kind != Kind::Comment);
        let after_value = before.is_some_and(|token| match token.kind {
            Kind::Word => !matches!(
                token.text,
                "return"
                    | "typeof"
                    | "case"
                    | "in"
                    | "of"
                    | "delete"
                    | "void"
                    | "throw"
                    | "new"
                    | "else"
                    | "do"
                    | "await"
                    | "yield"
            ),
            Kind::Number | Kind::Literal => true,
            Kind::Punct => matches!(token.text, ")" | "]" | "}"),
            Kind::Lifetime | Kind::Comment | Kind::Directive => false,
        });
        if after_value {
            return None;
        }
        literals::regex(rest)
    }
}

fn comment(language: Language, rest: &str) -> Option<usize> {
    let line_mark = rest.starts_with("//")
        || (language == Language::Php && rest.starts_with('#') && !rest.starts_with("#["));
    if line_mark {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let nests = matches!(
        language,
        Language::Rust | Language::Kotlin | Language::Swift | Language::Scala | Language::Dart
    );
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(here) = rest.get(at..).filter(|text| !text.is_empty()) {
        if here.starts_with("/*") && (nests || depth == 0) {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(rest.len())
}

fn word(rest: &str) -> Option<usize> {
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(rest.len());
    let begins_well = rest
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    begins_well.then_some(end)
}

fn number(rest: &str) -> Option<usize> {
    rest.chars().next().filter(char::is_ascii_digit)?;
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(language: Language, text: &str) -> Vec<&str> {
        tokens(language, text).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn strings_and_comments_are_one_token() {
        let table: &[(Language, &str, &[&str])] = &[
            (
                Language::Rust,
                r####"a r#"}"# "\"}" '}' '\'' 'x b'{' "####,
                &["a", "r#\"}\"#", "\"\\\"}\"", "'}'", "'\\''", "'x", "b'{'"],
            ),
            (
                Language::Rust,
                "/* a /* } */ b */ c // }\nd",
                &["/* a /* } */ b */", "c", "// }", "d"],
            ),
            (
                Language::Rust,
                "fn f<'a>(x: &'a str)",
                &[
                    "fn", "f", "<", "'a", ">", "(", "x", ":", "&", "'a", "str", ")",
                ],
            ),
            (
                Language::Rust,
                "\"a\nb\" br##\"x\"# y\"## r#type",
                &["\"a\nb\"", "br##\"x\"# y\"##", "r", "#", "type"],
            ),
            (
                Language::JavaScript,
                "`a${b(`}`)}c` '}' \"}\" x",
                &["`a${b(`}`)}c`", "'}'", "\"}\"", "x"],
            ),
            (
                Language::JavaScript,
                "a = /[/}]/g; b / c / d",
                &["a", "=", "/[/}]/", "g", ";", "b", "/", "c", "/", "d"],
            ),
            (
                Language::JavaScript,
                "<p>Don't</p>\nx",
                &["<", "p", ">", "Don", "'", "t", "<", "/", "p", ">", "x"],
            ),
            (
                Language::Go,
                "`a\n}` '\\'' \"x\"",
                &["`a\n}`", "'\\''", "\"x\""],
            ),
            (
                Language::C,
                "#include <a>\n#define X \\\n 1\nint",
                &["#include <a>", "#define X \\\n 1", "int"],
            ),
            (Language::CSharp, "@\"a\"\"}\" x", &["@\"a\"\"}\"", "x"]),
            (
                Language::Java,
                "\"\"\"\n}\n\"\"\" x",
                &["\"\"\"\n}\n\"\"\"", "x"],
            ),
            (Language::Php, "# }\n$a", &["# }", "$a"]),
            (Language::Rust, "/* open", &["/* open"]),
            (Language::JavaScript, "`open ${", &["`open ${"]),
        ];
        for (language, text, expected) in table {
            assert_eq!(cut(*language, text), *expected, "{language:?} {text}");
        }
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let lines: Vec<usize> = tokens(Language::Rust, "a\n\"x\ny\" b\n/*\n*/ c")
            .iter()
            .map(|t| t.line)
            .collect();
        assert_eq!(lines, [0, 1, 2, 3, 4]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_cut_without_loss(text in "[a-z'\"`/*{}$\\\\#r\n é]{0,60}") {
            for language in [Language::Rust, Language::JavaScript, Language::C, Language::CSharp] {
                let found = tokens(language, &text);
                let mut at = 0;
                for token in &found {
                    proptest::prop_assert!(text[at..token.start].trim().is_empty());
                    proptest::prop_assert_eq!(&text[token.start..token.end()], token.text);
                    at = token.end();
                }
                proptest::prop_assert!(text[at..].trim().is_empty());
            }
        }
    }
}
