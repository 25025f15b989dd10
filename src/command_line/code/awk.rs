//! The files an awk program writes and the commands it runs.

use super::super::text;
use super::Found;
use super::pieces::{Piece, Pieces};

/// The pieces of a program; a field is a word of its own.
fn cut(program: &str) -> Vec<Piece> {
    Pieces::of(&program.replace('$', " $")).all
}

fn prints(piece: &Piece) -> bool {
    matches!(piece, Piece::Word(word) if word == "print" || word == "printf")
}

fn ends(piece: &Piece) -> bool {
    matches!(piece, Piece::End(_) | Piece::Mark('}'))
}

fn is_word(piece: Option<&Piece>, wanted: &str) -> bool {
    matches!(piece, Some(Piece::Word(word)) if word == wanted)
}

/// Reads a program, with the variables given on the command line and the files it reads.
pub(in super::super) fn read(
    program: &str,
    given: &[(String, String)],
    inputs: &[String],
) -> Found {
    let pieces = cut(program);
    let mut variables: Vec<(String, String)> = given.to_vec();
    let mut found = Found::default();
    let mut printing = false;
    let mut depth = 0usize;
    for (at, piece) in pieces.iter().enumerate() {
        let rest = pieces.get(at + 1..).unwrap_or(&[]);
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        match piece {
            _ if prints(piece) => {
                printing = true;
                depth = 0;
            }
            _ if ends(piece) => printing = false,
            Piece::Word(word) if word == "system" => {
                let command = rest.get(1..).unwrap_or(&[]);
                found.commands.extend(value(command, &variables));
            }
            Piece::Word(name) if matches!(rest, [Piece::Mark('='), Piece::Literal(..), ..]) => {
                let bound = value(rest.get(1..).unwrap_or(&[]), &variables);
                variables.extend(bound.map(|text| (name.clone(), text)));
            }
            Piece::Mark('(') => depth += 1,
            Piece::Mark(')') => depth = depth.saturating_sub(1),
            // Of `>>` the second half counts.
            Piece::Word(word)
                if word == ">" && printing && depth == 0 && !is_word(rest.first(), ">") =>
            {
                let target = rest.iter().find(|piece| **piece != Piece::Mark('('));
                if is_word(target, "FILENAME") || is_word(target, "ARGV") {
                    found.files.extend(inputs.iter().cloned());
                }
                found.files.extend(value(rest, &variables));
            }
            // `cmd | getline` and `print | cmd` run a shell.
            Piece::Mark('|') if printing => found.commands.extend(value(rest, &variables)),
            Piece::Mark('|') => {
                if let (true, Some(Piece::Literal(_, command))) =
                    (is_word(rest.first(), "getline"), before)
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
    for piece in cut(program) {
        let redirects = is_word(Some(&piece), ">") || piece == Piece::Mark('|');
        match piece {
            _ if prints(&piece) => is_printing = true,
            _ if is_printing && (redirects || ends(&piece)) => {
                is_printing = false;
                lines.push('\n');
            }
            Piece::Literal(_, literal) if is_printing => lines.push_str(&literal),
            Piece::Mark(',') if is_printing => lines.push(' '),
            Piece::Word(_) if is_printing => lines.push(text::UNKNOWN),
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
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
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
        let pieces = cut(action);
        let [
            Piece::Mark('{'),
            Piece::Word(print),
            items @ ..,
            Piece::Mark('}'),
        ] = pieces.as_slice()
        else {
            return None;
        };
        let parts = match print.as_str() {
            "print" => parts(items)?,
            "printf" => filled_in(items)?,
            _ => return None,
        };
        Some(LineTemplate { pattern, parts })
    }

    /// What is printed for a line.
    pub(in super::super) fn fill(&self, line: &str) -> String {
        if !text::is_known(line) {
            return text::unknown() + "\n";
        }
        let text_of = |part: &Part| match part {
            Part::Literal(literal) => literal.clone(),
            Part::Field(0) => line.to_owned(),
            Part::Field(n) => {
                let word = line.split_whitespace().nth(n - 1);
                word.unwrap_or("").to_owned()
            }
        };
        self.parts.iter().map(text_of).collect::<String>() + "\n"
    }
}

/// Literals and fields side by side; with a comma, a space comes between.
fn parts(items: &[Piece]) -> Option<Vec<Part>> {
    if items.is_empty() {
        return Some(vec![Part::Field(0)]);
    }
    let part = |piece: &Piece| match piece {
        Piece::Literal(_, literal) => Some(Part::Literal(literal.clone())),
        Piece::Mark(',') => Some(Part::Literal(" ".to_owned())),
        Piece::Word(field) => field.strip_prefix('$')?.parse().ok().map(Part::Field),
        _ => None,
    };
    items.iter().map(part).collect()
}

/// `printf "rm %s\n", $1`: the values in place of the marks.
fn filled_in(items: &[Piece]) -> Option<Vec<Part>> {
    let [Piece::Literal(_, format), values @ ..] = items else {
        return None;
    };
    let is_value = |part: &Part| *part != Part::Literal(" ".to_owned());
    let values = parts(values.get(1..).unwrap_or(&[]))?;
    let mut values = values.into_iter().filter(is_value);
    let mut found = Vec::new();
    for (index, literal) in format.split("%s").enumerate() {
        if index > 0 {
            found.push(values.next()?);
        }
        let literal = literal.trim_end_matches("\\n").trim_end_matches('\n');
        found.push(Part::Literal(literal.to_owned()));
    }
    Some(found)
}

/// The text of an expression that starts here: literals and known variables side by side.
fn value(pieces: &[Piece], variables: &[(String, String)]) -> Option<String> {
    let mut text = String::new();
    let mut any = false;
    for piece in pieces {
        match piece {
            Piece::Literal(_, literal) => text.push_str(literal),
            Piece::Word(name) => {
                let (_, value) = variables.iter().rev().find(|(known, _)| known == name)?;
                text.push_str(value);
            }
            Piece::Mark('(') if !any => continue,
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
