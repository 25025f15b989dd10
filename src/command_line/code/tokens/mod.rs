//! Tokens of the languages people put into one-liners. One reader for all of them: what differs is
//! comments, string forms and which characters belong to a name.

mod strings;

use super::constants::Constants;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::command_line) enum Language {
    Python,
    JavaScript,
    Awk,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier, without its sigil.
    Name(String),
    /// A string literal; what is interpolated is unknown.
    Text(String),
    Symbol(char),
}

/// Follows the line end before a line of Python that stands at the margin.
pub(super) const TOP_LEVEL: char = '\u{c}';

/// The tokens of a program; white space but line ends and comments are gone.
pub(super) fn tokens(program: &str, language: Language, constants: &Constants) -> Vec<Token> {
    let mut lexer = Lexer {
        rest: program,
        language,
        constants,
        tokens: Vec::new(),
    };
    while lexer.step().is_some() {}
    lexer.tokens
}

struct Lexer<'a> {
    rest: &'a str,
    language: Language,
    /// What is put into strings that hold names.
    constants: &'a Constants,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) -> Option<()> {
        let c = self.rest.chars().next()?;
        if let Some(length) = self.comment_length() {
            self.advance(length);
        } else if c == '/' && self.may_start_pattern() {
            let length = self.pattern_length().unwrap_or(1);
            self.advance(length);
        } else if matches!(c, '\'' | '"' | '`') {
            self.string(c, false, false);
        } else if c.is_alphabetic() || c == '_' || (c == '$' && self.language != Language::Awk) {
            self.name();
        } else {
            if !c.is_whitespace() || c == '\n' {
                self.tokens.push(Token::Symbol(c));
            }
            self.advance(c.len_utf8());
            let at_margin = |next: char| !next.is_whitespace() && !")]}#".contains(next);
            if c == '\n' && self.language == Language::Python && self.rest.starts_with(at_margin) {
                self.tokens.push(Token::Symbol(TOP_LEVEL));
            }
        }
        Some(())
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    fn comment_length(&self) -> Option<usize> {
        let openers: &[&str] = match self.language {
            Language::Python | Language::Awk => &["#"],
            Language::JavaScript => &["//", "/*"],
        };
        let open = openers.iter().find(|open| self.rest.starts_with(*open))?;
        let length = match *open {
            "/*" => self.rest.find("*/").map(|end| end + "*/".len()),
            _ => self.rest.find('\n'),
        };
        Some(length.unwrap_or(self.rest.len()))
    }

    /// A slash where an operand is expected opens a pattern, not a division.
    fn may_start_pattern(&self) -> bool {
        let has_patterns = matches!(self.language, Language::JavaScript | Language::Awk);
        has_patterns
            && match self.tokens.last() {
                None => true,
                Some(Token::Symbol(c)) => matches!(
                    c,
                    '(' | ','
                        | '{'
                        | '}'
                        | ';'
                        | '!'
                        | '~'
                        | '&'
                        | '|'
                        | '='
                        | '\n'
                        | '['
                        | ':'
                        | '?'
                ),
                Some(Token::Name(name)) => matches!(
                    name.as_str(),
                    "if" | "unless" | "and" | "or" | "not" | "return" | "split" | "gsub" | "sub"
                ),
                Some(Token::Text(_)) => false,
            }
    }

    fn pattern_length(&self) -> Option<usize> {
        let mut escaped = false;
        let mut in_brackets = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_brackets = true,
                ']' => in_brackets = false,
                '/' if !in_brackets => return Some(at + 1),
                '\n' => return None,
                _ => {}
            }
        }
        None
    }

    fn name(&mut self) {
        let sigil = usize::from(self.rest.starts_with(['$', '@']));
        let body = self.rest.get(sigil..).unwrap_or("");
        let length = body
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(body.len());
        if length == 0 {
            self.tokens
                .extend(self.rest.chars().next().map(Token::Symbol));
            self.advance(1);
            return;
        }
        let name = body.get(..length).unwrap_or("").to_owned();
        let next = body.get(length..).and_then(|rest| rest.chars().next());
        let is_prefix = self.language == Language::Python
            && name.len() <= 2
            && name.chars().all(|c| "rRbBuUfF".contains(c));
        self.advance(sigil + length);
        match next {
            Some(quote @ ('\'' | '"')) if is_prefix => {
                let lower = name.to_lowercase();
                self.string(quote, lower.contains('r'), lower.contains('f'));
            }
            _ => self.tokens.push(Token::Name(name)),
        }
    }
}
