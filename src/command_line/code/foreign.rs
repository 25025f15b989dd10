//! Code of languages that nobody here reads: the paths it speaks of where it also writes, and the
//! commands it runs. Only the words are looked at: a word that reads keeps what follows it out.

use super::super::decode;
use crate::command_line::text::is_one_of;

/// What code for any interpreter speaks of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Spoken {
    /// Whether some word of it writes, removes or renames.
    pub(in super::super) writes: bool,
    /// Paths that no reading word comes before.
    pub(in super::super) paths: Vec<String>,
    /// Whatever may be a path, read or not.
    pub(in super::super) named: Vec<String>,
    /// The brackets outside of its texts.
    pub(in super::super) brackets: String,
    /// What it may hand to a shell.
    pub(in super::super) commands: Vec<String>,
}

/// Beginnings of words that write, remove or rename.
const WRITING: &str = "append chmod copy creat delet eras extract link mov output persist remov renam sav spit \
     spurt symlink touch trunc unlink writ";
/// Words that do so as they stand.
const WRITING_WORDS: &str =
    "cat cp del dump mkdir mv ni once out put rd ren ri rm rmdir rmtree sc sink tee update w";
/// Endings of compound words that do so: `Set-Content`, `with-temp-file`, `display-to-file`.
const WRITING_PAIRS: &[(&str, &str)] = &[
    ("add", "content"),
    ("clear", "content"),
    ("new", "item"),
    ("set", "content"),
    ("temp", "file"),
    ("to", "file"),
    ("delete", "buffer"),
];
/// Words that run a command.
const RUNNING: &str = "call cmd command exec execute iex invoke popen process program qx run script sh shell \
     spawn start system";
/// Words that only look at what follows them.
const READING: &str = "assert buffer child content contents count display displayln exists format from gc grep \
     host include input insert into length lines list load message parse princ print printf \
     println puts read recurse require search select slurp source stat table test";
/// Words that make a path of what follows them.
const NAMING: &str = "at file files find get io java new nio of path pathname paths raw url";
/// Modes that open a file for writing.
const MODES: &str = "+< +> > >> a a+ ab at r+ r+b rb+ w w+ wb wt x";

/// Pieces between a word and the path it is about.
const MAX_BETWEEN: usize = 50;

/// What code speaks of.
pub(in super::super) fn spoken(code: &str) -> Spoken {
    let (pieces, brackets) = pieces(code);
    let mut found = Spoken {
        brackets,
        ..Spoken::default()
    };
    let verbs = pieces.iter().filter_map(|piece| match piece {
        Piece::Word(word) if writes(word) => Some(word),
        _ => None,
    });
    let only_copies = verbs.clone().count() > 0 && verbs.clone().all(|verb| copies(verb));
    let decodes = ["decode", "64", "hex"]
        .iter()
        .any(|word| code.contains(word));
    let mut runs = false;
    let mut literals: Vec<&str> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Word(word) => {
                found.writes |= writes(word);
                runs |= runs_command(word);
                let before = pieces.get(..at).unwrap_or(&[]);
                let may_be_path =
                    !word.starts_with('-') && (word.contains('/') || follows_writing(before));
                if may_be_path && !is_read(before) {
                    found.paths.push(word.clone());
                }
                if word.contains('/') {
                    found.named.push(word.clone());
                }
            }
            Piece::Literal(quote, text) => {
                found.writes |= is_one_of(text, MODES) || text.starts_with('>');
                literals.push(text);
                if *quote == '`' {
                    found.commands.push(text.clone());
                }
                // `[from => to]`: what is copied is read.
                let is_source = only_copies
                    && matches!(pieces.get(at + 1), Some(Piece::Word(next)) if next == ">");
                let is_path = !text.contains(char::is_whitespace) && !is_source;
                if is_path && !is_read(pieces.get(..at).unwrap_or(&[])) {
                    found.paths.push(text.trim_start_matches('>').to_owned());
                    found.writes |= is_name(text) && writes(text);
                }
                let decoded = || decode::base64(text).or_else(|| decode::hexadecimal(text));
                found.paths.extend(
                    Some(decodes)
                        .filter(|decodes| *decodes)
                        .and_then(|_| decoded()),
                );
                found.named.push(text.clone());
            }
            Piece::End => {
                commands(&mut found, runs, &literals);
                runs = false;
                literals.clear();
            }
        }
    }
    commands(&mut found, runs, &literals);
    found
}

/// `System.IO` is no call of `system`.
fn runs_command(word: &str) -> bool {
    let parts = parts(word);
    let last = parts.len().saturating_sub(1);
    let runs =
        |(at, part): (usize, &String)| is_one_of(part, RUNNING) && (part != "system" || at == last);
    parts.iter().enumerate().any(runs)
}

/// Each literal may be a command, and all of them the words of one.
fn commands(found: &mut Spoken, runs: bool, literals: &[&str]) {
    if runs && !literals.is_empty() {
        found
            .commands
            .extend(literals.iter().map(|text| (*text).to_owned()));
        found.commands.push(literals.join(" "));
    }
}

/// The last word before that says what is done, past those that only name or are options.
fn last_verb(before: &[Piece]) -> Option<&str> {
    before
        .iter()
        .rev()
        .take(MAX_BETWEEN)
        .find_map(|piece| match piece {
            Piece::End => Some(""),
            Piece::Word(word) if word.starts_with('-') => None,
            Piece::Word(word) => {
                let names = parts(word).iter().all(|part| is_one_of(part, NAMING));
                (!names).then_some(word.as_str())
            }
            Piece::Literal(..) => None,
        })
}

/// Whether a name says that what bears it reads: `Get-Content`, `read_file`.
pub(in super::super) fn reads(name: &str) -> bool {
    let parts = parts(name);
    let reads = |part: &String| part == "get" || is_one_of(part, READING);
    parts.len() > 1 && parts.first().is_some_and(reads) && !writes(name)
}

/// Whether what comes next is only looked at: after a word that reads, or as what is copied.
fn is_read(before: &[Piece]) -> bool {
    if let [.., Piece::Word(verb)] = before
        && copies(verb)
    {
        return true;
    }
    last_verb(before).is_some_and(|verb| {
        !writes(verb) && parts(verb).iter().any(|part| is_one_of(part, READING))
    })
}

fn follows_writing(before: &[Piece]) -> bool {
    last_verb(before).is_some_and(|verb| verb == ">" || writes(verb))
}

/// Whether a text may be the name of a function.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn copies(verb: &str) -> bool {
    parts(verb)
        .last()
        .is_some_and(|part| part.starts_with("copy") || part == "cp")
}

fn writes(word: &str) -> bool {
    // Of `psql`.
    if matches!(word, "\\o" | "\\g" | "\\w") {
        return true;
    }
    let parts = parts(word);
    let output =
        word.eq_ignore_ascii_case("write-output") || word.eq_ignore_ascii_case("write-host");
    let writes = |part: &String| {
        is_one_of(part, WRITING_WORDS)
            || WRITING
                .split_whitespace()
                .any(|stem| part.starts_with(stem))
    };
    let pairs = || {
        parts
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if WRITING_PAIRS.contains(&(a.as_str(), b.as_str()))))
    };
    !output && (parts.iter().any(writes) || pairs())
}

/// The parts of `writeTextFile`, `delete-file`, `File.rm!`, in lower case.
fn parts(word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut joins = false;
    for c in word.chars() {
        let starts = !joins || c.is_uppercase();
        joins = c.is_alphanumeric();
        if !joins {
            continue;
        }
        let is_capital = c.is_uppercase() && found.last().is_some_and(|part| part.len() == 1);
        match found.last_mut().filter(|_| !starts || is_capital) {
            Some(part) => part.extend(c.to_lowercase()),
            None => found.push(c.to_lowercase().collect()),
        }
    }
    found
}

#[derive(Debug)]
enum Piece {
    Word(String),
    /// In these quotes.
    Literal(char, String),
    /// A line, or a statement, ends here.
    End,
}

fn pieces(code: &str) -> (Vec<Piece>, String) {
    let mut found = Vec::new();
    let mut brackets = String::new();
    let mut rest = code;
    let mut line_starts = true;
    while let Some(c) = rest.chars().next() {
        let is_comment = line_starts
            && ["# ", "// ", "-- ", ";; "]
                .iter()
                .any(|mark| rest.starts_with(mark));
        let length = match c {
            _ if is_comment => rest.find('\n').unwrap_or(rest.len()),
            '\n' | ';' => {
                found.push(Piece::End);
                1
            }
            '"' | '\'' | '`' => match literal(rest, c) {
                Some((text, length)) => {
                    found.push(Piece::Literal(c, text));
                    length
                }
                None => 1,
            },
            '>' => {
                found.push(Piece::Word(">".to_owned()));
                1
            }
            '(' | '[' | '{' | ')' | ']' | '}' => {
                brackets.push(c);
                1
            }
            _ => {
                let is_end = |c: char| !(c.is_alphanumeric() || "_-./~*?!\\$@+".contains(c));
                let length = rest.find(is_end).unwrap_or(rest.len());
                if length > 0 {
                    found.push(Piece::Word(rest.get(..length).unwrap_or("").to_owned()));
                }
                length.max(c.len_utf8())
            }
        };
        line_starts = c == '\n' || (line_starts && c.is_whitespace());
        rest = rest.get(length.max(1)..).unwrap_or("");
    }
    (found, brackets)
}

/// A text in quotes and its length; a lone apostrophe quotes nothing.
fn literal(code: &str, quote: char) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            _ if std::mem::take(&mut escaped) => text.push(c),
            '\\' => escaped = true,
            '(' if at == 1 && quote == '\'' => return None,
            _ if c == quote => return Some((text, at + 1)),
            '\n' if quote == '\'' => return None,
            _ => text.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart() {
        assert_eq!(parts("writeTextFile"), ["write", "text", "file"]);
        assert_eq!(parts("IO.File.rm!"), ["io", "file", "rm"]);
        assert_eq!(parts("delete-file"), ["delete", "file"]);
    }

    #[test]
    fn what_is_written_and_what_is_read() {
        for (code, writes, paths) in [
            ("(delete-file \"tests/a\")", true, vec!["tests/a"]),
            ("(read-file \"tests/a\")", false, vec![]),
            ("file delete -force tests", true, vec!["tests"]),
            ("Files.readString(Path.of(\"tests/a\"))", false, vec![]),
            ("open(\"a/b\", \"w\")", true, vec!["a/b", "w"]),
        ] {
            let found = spoken(code);
            let found = (found.writes, found.paths);
            assert_eq!(
                found,
                (writes, paths.into_iter().map(str::to_owned).collect()),
                "{code}"
            );
        }
    }
}
