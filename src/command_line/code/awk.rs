//! The files an awk program writes and the commands it runs.

use super::super::text;
use super::Found;
use super::constants::Constants;
use super::tokens::{Language, Token, tokens};

/// Reads a program, with the variables given on the command line and the files it reads.
pub(in super::super) fn read(
    program: &str,
    given: &[(String, String)],
    inputs: &[String],
) -> Found {
    let tokens = tokens(program, Language::Awk, &Constants::default());
    let mut variables: Vec<(String, String)> = given.to_vec();
    let mut found = Found::default();
    let mut printing = false;
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at + 1..).unwrap_or(&[]);
        match token {
            Token::Name(name) if name == "print" || name == "printf" => {
                printing = true;
                depth = 0;
            }
            Token::Name(name) if name == "system" => found
                .commands
                .extend(value(rest.get(1..).unwrap_or(&[]), &variables)),
            Token::Name(name) if matches!(rest, [Token::Symbol('='), Token::Text(_), ..]) => {
                variables.extend(
                    value(rest.get(1..).unwrap_or(&[]), &variables)
                        .map(|text| (name.clone(), text)),
                );
            }
            Token::Symbol('(') => depth += 1,
            Token::Symbol(')') => depth = depth.saturating_sub(1),
            Token::Symbol(';' | '}' | '\n') => printing = false,
            // Of `>>` the second half counts.
            Token::Symbol('>')
                if printing && depth == 0 && rest.first() != Some(&Token::Symbol('>')) =>
            {
                let target = rest.iter().find(|token| **token != Token::Symbol('('));
                if matches!(target, Some(Token::Name(name)) if name == "FILENAME" || name == "ARGV")
                {
                    found.files.extend(inputs.iter().cloned());
                }
                found.files.extend(value(rest, &variables));
            }
            // `cmd | getline` and `print | cmd` run a shell.
            Token::Symbol('|') => {
                if printing {
                    found.commands.extend(value(rest, &variables));
                }
                if matches!(rest.first(), Some(Token::Name(name)) if name == "getline")
                    && let Some(Token::Text(command)) =
                        at.checked_sub(1).and_then(|before| tokens.get(before))
                {
                    found.commands.push(command.clone());
                }
            }
            _ => {}
        }
    }
    found
}

/// What the program prints, with everything but literals unknown.
pub(in super::super) fn printed(program: &str) -> String {
    let mut lines = text::unknown() + "\n";
    let mut is_printing = false;
    for token in tokens(program, Language::Awk, &Constants::default()) {
        match token {
            Token::Name(name) if name == "print" || name == "printf" => is_printing = true,
            Token::Symbol(';' | '}' | '\n' | '>' | '|') if is_printing => {
                is_printing = false;
                lines.push('\n');
            }
            Token::Text(literal) if is_printing => lines.push_str(&literal),
            Token::Symbol(',') if is_printing => lines.push(' '),
            Token::Name(_) if is_printing => lines.push(text::UNKNOWN),
            _ => {}
        }
    }
    lines
}

/// What `{print "rm " $1}` and `/x/ {print $2}` make of each line; nothing for other programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct LineTemplate {
    /// The pattern of the lines it prints for.
    pub(in super::super) pattern: Option<String>,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// `$0` is the line, the others are its words.
    Field(usize),
}

impl LineTemplate {
    pub(in super::super) fn of(program: &str) -> Option<Self> {
        let program = program.trim();
        let (pattern, action) = match program.strip_prefix('/') {
            Some(rest) => {
                let (pattern, action) = rest.split_once('/')?;
                (Some(pattern.to_owned()), action.trim())
            }
            None => (None, program),
        };
        let tokens = tokens(action, Language::Awk, &Constants::default());
        let [
            Token::Symbol('{'),
            Token::Name(print),
            items @ ..,
            Token::Symbol('}'),
        ] = tokens.as_slice()
        else {
            return None;
        };
        let pieces = match print.as_str() {
            "print" => pieces(items)?,
            "printf" => filled_in(items)?,
            _ => return None,
        };
        Some(LineTemplate { pattern, pieces })
    }

    /// What is printed for a line.
    pub(in super::super) fn fill(&self, line: &str) -> String {
        if !text::is_known(line) {
            return text::unknown() + "\n";
        }
        let text_of = |piece: &Piece| match piece {
            Piece::Literal(literal) => literal.clone(),
            Piece::Field(0) => line.to_owned(),
            Piece::Field(n) => {
                let word = line.split_whitespace().nth(n - 1);
                word.unwrap_or("").to_owned()
            }
        };
        self.pieces.iter().map(text_of).collect::<String>() + "\n"
    }
}

/// Literals and fields side by side; with a comma, a space comes between.
fn pieces(items: &[Token]) -> Option<Vec<Piece>> {
    if items.is_empty() {
        return Some(vec![Piece::Field(0)]);
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = items.get(at) {
        at += 1;
        match token {
            Token::Text(literal) => found.push(Piece::Literal(literal.clone())),
            Token::Symbol(',') => found.push(Piece::Literal(" ".to_owned())),
            Token::Symbol('$') => {
                let digits: String = items
                    .get(at..)?
                    .iter()
                    .map_while(|token| match token {
                        Token::Symbol(c) if c.is_ascii_digit() => Some(*c),
                        _ => None,
                    })
                    .collect();
                at += digits.len();
                found.push(Piece::Field(digits.parse().ok()?));
            }
            _ => return None,
        }
    }
    Some(found)
}

/// `printf "rm %s\n", $1`: the values in place of the marks.
fn filled_in(items: &[Token]) -> Option<Vec<Piece>> {
    let [Token::Text(format), values @ ..] = items else {
        return None;
    };
    let is_value = |piece: &Piece| *piece != Piece::Literal(" ".to_owned());
    let mut values = pieces(values.get(1..).unwrap_or(&[]))?
        .into_iter()
        .filter(is_value);
    let mut found = Vec::new();
    for (index, literal) in format.split("%s").enumerate() {
        if index > 0 {
            found.push(values.next()?);
        }
        let literal = literal.trim_end_matches("\\n").trim_end_matches('\n');
        found.push(Piece::Literal(literal.to_owned()));
    }
    Some(found)
}

/// The text of an expression that starts here: literals and known variables side by side.
fn value(tokens: &[Token], variables: &[(String, String)]) -> Option<String> {
    let mut text = String::new();
    let mut any = false;
    for token in tokens {
        match token {
            Token::Text(literal) => text.push_str(literal),
            Token::Name(name) => {
                let (_, value) = variables.iter().rev().find(|(known, _)| known == name)?;
                text.push_str(value);
            }
            Token::Symbol('(') if !any => continue,
            _ => break,
        }
        any = true;
    }
    any.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_write_or_run() {
        let given = [("f".to_owned(), "out".to_owned())];
        for (program, files, commands) in [
            ("$1 > 5", vec![], vec![]),
            ("{print > \"out\"}", vec!["out"], vec![]),
            ("{print $1 >> \"a\" \"b\"}", vec!["ab"], vec![]),
            ("{printf(\"%s\", $1) > f}", vec!["out"], vec![]),
            ("BEGIN{g=\"x\"; print 1 > g}", vec!["x"], vec![]),
            ("{print (1 > 2)}", vec![], vec![]),
            ("BEGIN{system(\"rm x\")}", vec![], vec!["rm x"]),
            ("{print | \"sh\"}", vec![], vec!["sh"]),
            ("BEGIN{\"date\" | getline d}", vec![], vec!["date"]),
            ("{print \"a > b\"}", vec![], vec![]),
            ("/>/ {print}", vec![], vec![]),
            ("{print > FILENAME}", vec!["in"], vec![]),
        ] {
            let found = read(program, &given, &["in".to_owned()]);
            assert_eq!(found.files, files, "{program}");
            assert_eq!(found.commands, commands, "{program}");
        }
    }
}
