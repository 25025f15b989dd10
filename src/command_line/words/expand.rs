//! What words expand to.

use super::super::pattern;
use super::super::scope::{Outcome, Shell};
use super::super::text;
use super::fields::{Field, Fields};
use super::pieces::{self, Piece};
use super::{Operation, braces};

impl Shell<'_> {
    /// The fields a word becomes: braces, parameters, commands, splitting and globs.
    pub(in super::super) fn expand(&mut self, word: &str) -> Vec<String> {
        if is_literal(word) {
            return vec![word.to_owned()];
        }
        let mut fields = Vec::new();
        let Some(alternatives) = braces::expand(word) else {
            self.session
                .give_up("braces in it stand for too many words");
            return fields;
        };
        for alternative in alternatives {
            let Some(pieces) = self.pieces(pieces::of_word(&alternative)) else {
                continue;
            };
            let mut grown = Fields::default();
            self.grow(&pieces, &mut grown, Splitting::On);
            for field in grown.finish() {
                self.glob(field, &mut fields);
            }
        }
        fields
    }

    /// The text a word becomes where neither splitting nor globbing happens.
    pub(in super::super) fn expand_to_text(&mut self, word: &str) -> String {
        self.expand_unsplit(word).text
    }

    /// The pattern a word becomes, with quoted glob characters escaped.
    pub(in super::super) fn expand_to_pattern(&mut self, word: &str) -> String {
        self.expand_unsplit(word).pattern
    }

    /// The text of a here-document, an arithmetic expression or a subscript.
    pub(in super::super) fn expand_quoted(&mut self, text: &str) -> String {
        if !text.contains(['$', '`', '\\']) {
            return text.to_owned();
        }
        let Some(pieces) = self.pieces(pieces::of_quoted(text)) else {
            return text::unknown();
        };
        let mut fields = Fields::default();
        self.grow(&pieces, &mut fields, Splitting::Off);
        fields.join().text
    }

    fn expand_unsplit(&mut self, word: &str) -> Field {
        let mut fields = Fields::default();
        if let Some(pieces) = self.pieces(pieces::of_word(word)) {
            self.grow(&pieces, &mut fields, Splitting::Off);
        }
        fields.join()
    }

    fn pieces(&self, parsed: Result<Vec<Piece>, String>) -> Option<Vec<Piece>> {
        parsed.map_err(|why| self.session.give_up(why)).ok()
    }

    fn grow(&mut self, pieces: &[Piece], fields: &mut Fields, splitting: Splitting) {
        for piece in pieces {
            match piece {
                Piece::Plain(text) if splitting == Splitting::Quoted => fields.quoted(text),
                Piece::Plain(text) => fields.plain(text),
                Piece::Quoted(text) => fields.quoted(text),
                Piece::Double(inner) => {
                    if !is_all_positional(inner) {
                        fields.quoted("");
                    }
                    self.grow(inner, fields, Splitting::Quoted);
                }
                Piece::Tilde(name) => {
                    let directory = self.tilde(name);
                    fields.quoted(&directory);
                }
                Piece::Parameter(expansion) => {
                    let values = self.parameter(expansion);
                    self.put_values(&values, expansion.is_list(), fields, splitting);
                }
                Piece::Command(command) => {
                    let output = self.captured(command);
                    self.put_values(&[output], false, fields, splitting);
                }
                Piece::Arithmetic(expression) => {
                    let value = self.arithmetic(expression);
                    self.put_values(&[value], false, fields, splitting);
                }
            }
        }
    }

    fn put_values(
        &mut self,
        values: &[String],
        is_list: bool,
        fields: &mut Fields,
        splitting: Splitting,
    ) {
        let separators = match splitting {
            Splitting::On => self.field_separators(),
            Splitting::Off | Splitting::Quoted => String::new(),
        };
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                match splitting {
                    Splitting::Quoted if is_list => fields.separate(),
                    Splitting::On => fields.separate(),
                    Splitting::Off | Splitting::Quoted => fields.quoted(" "),
                }
            }
            match splitting {
                Splitting::On => fields.split(value, &separators),
                Splitting::Off => fields.plain(value),
                Splitting::Quoted => fields.quoted(value),
            }
        }
    }

    /// What `$(command)` is replaced by.
    pub(in super::super) fn captured(&mut self, command: &str) -> String {
        let mut inner = self.clone();
        let output = match command.trim().strip_prefix('<') {
            Some(file) if !file.starts_with(['<', '(']) => {
                let names = inner.expand(file.trim());
                let written = names.first().and_then(|name| inner.stream_of(name));
                written.map_or_else(text::unknown, |stream| stream.text())
            }
            _ => inner.run_text(command).output.text(),
        };
        output.trim_end_matches('\n').to_owned()
    }

    /// Runs what an arithmetic expression substitutes; its value is known if it is a number.
    pub(in super::super) fn arithmetic(&mut self, expression: &str) -> String {
        let expanded = self.expand_quoted(expression);
        let trimmed = expanded.trim();
        if trimmed.parse::<i64>().is_ok() {
            return trimmed.to_owned();
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.evaluated(trimmed);
        for name in trimmed.split(|c| !is_name(c)).filter(|n| !n.is_empty()) {
            if let Some(value) = self.variables.get(name).and(self.variable(name)) {
                self.evaluated(&value);
            }
        }
        if !trimmed.is_empty() && trimmed.chars().all(is_name) {
            let value = self.variable(trimmed).unwrap_or_default();
            if value.parse::<i64>().is_ok() {
                return value;
            }
        }
        for name in assigned(trimmed) {
            self.set(name, text::unknown());
        }
        text::unknown()
    }

    /// Runs what is substituted in text that the shell reads a second time, such as the subscript
    /// in the value of a variable that arithmetic looks at.
    pub(in super::super) fn evaluated(&mut self, text: &str) {
        if (text.contains("$(") || text.contains('`')) && text::is_known(text) {
            self.deeper(|shell| {
                shell.expand_quoted(text);
                Outcome::silent()
            });
        }
    }

    fn tilde(&self, name: &str) -> String {
        match name {
            "" => match self.variable("HOME") {
                Some(home) => home,
                None => text::unknown(),
            },
            "+" => self.cwd.clone(),
            "-" => self.previous.clone(),
            // Home directories are named after their users.
            _ => match self.context().home.filter(|home| home.ends_with(name)) {
                Some(home) => home.to_string_lossy().into_owned(),
                None => text::unknown(),
            },
        }
    }

    fn glob(&self, field: Field, fields: &mut Vec<String>) {
        if !field.has_glob || !text::is_known(&field.pattern) {
            fields.push(field.text);
            return;
        }
        let found = pattern::matching_paths(&field.pattern, self);
        if found.is_empty() {
            fields.push(field.text);
        } else {
            fields.extend(found);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Splitting {
    On,
    Off,
    /// Between double quotes.
    Quoted,
}

/// Whether a double-quoted part is just `"$@"`, which may be no field at all.
fn is_all_positional(pieces: &[Piece]) -> bool {
    matches!(pieces, [Piece::Parameter(expansion)] if expansion.is_list() && expansion.operation == Operation::Value)
}

fn is_literal(word: &str) -> bool {
    let plain = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'/' | b'.' | b'-' | b'_' | b'=' | b':' | b',' | b'@' | b'%' | b'+'
            )
    };
    word.bytes().all(plain)
}

/// The text of `$'…'`.
pub(in super::super) fn unescape_ansi_c(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut bytes_pending: Vec<u8> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            flush(&mut bytes_pending, &mut plain);
            plain.push(c);
            continue;
        }
        let Some(kind) = chars.next() else {
            plain.push('\\');
            break;
        };
        let mut digits = |radix: u32, most: usize| {
            let mut value = 0u32;
            let mut count = 0;
            while count < most {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else {
                    break;
                };
                value = value.wrapping_mul(radix).wrapping_add(digit);
                chars.next();
                count += 1;
            }
            value
        };
        match kind {
            'x' => bytes_pending.push(low_byte(digits(16, 2))),
            '0'..='7' => {
                let first = kind.to_digit(8).unwrap_or(0);
                let rest_count = 2;
                let mut value = first;
                for _ in 0..rest_count {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    value = value * 8 + digit;
                    chars.next();
                }
                bytes_pending.push(low_byte(value));
            }
            'u' | 'U' => {
                let value = digits(16, if kind == 'u' { 4 } else { 8 });
                flush(&mut bytes_pending, &mut plain);
                plain.extend(char::from_u32(value));
            }
            'c' => {
                flush(&mut bytes_pending, &mut plain);
                if let Some(c) = chars.next() {
                    plain.push(char::from(low_byte(u32::from(c)) & 0x1f));
                }
            }
            _ => {
                flush(&mut bytes_pending, &mut plain);
                plain.push(match kind {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'a' => '\x07',
                    'b' => '\x08',
                    'e' | 'E' => '\x1b',
                    'f' => '\x0c',
                    'v' => '\x0b',
                    other => other,
                });
            }
        }
    }
    flush(&mut bytes_pending, &mut plain);
    plain
}

fn low_byte(value: u32) -> u8 {
    u8::try_from(value & 0xff).unwrap_or(0)
}

fn flush(bytes: &mut Vec<u8>, plain: &mut String) {
    if !bytes.is_empty() {
        plain.push_str(&String::from_utf8_lossy(bytes));
        bytes.clear();
    }
}

/// The variables that an arithmetic expression sets: `i=1`, `i += 2`, `i++`, `--i`.
fn assigned(expression: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = expression.get(at..).and_then(|rest| rest.find(is_name)) {
        let (before, rest) = expression.split_at(at + start);
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        let after = after.trim_start();
        let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '^', '|']);
        let shifts = after.starts_with("<<=") || after.starts_with(">>=");
        let sets = operator.starts_with('=') && !operator.starts_with("==");
        let steps = ["++", "--"]
            .iter()
            .any(|step| after.starts_with(step) || before.trim_end().ends_with(step));
        if (shifts || sets || steps) && !name.starts_with(|c: char| c.is_ascii_digit()) {
            found.push(name);
        }
        at += start + length;
    }
    found
}
