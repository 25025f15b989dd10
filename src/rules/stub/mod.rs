//! Whether source only grows by what lets tests load: imports, module lines, signatures, types,
//! bodies that say "not implemented".
//!
//! This looks at content and errs on the side of "no"; what a stub does when it runs is for the
//! loop to judge.

mod brace;
mod declaration;
mod ended;
mod plain;
mod python;

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::languages::Language;

/// Marks a line, or the item that it stands on, as a stub.
const MARKER: &str = "STUB:TDD";

/// Beyond this a change in the middle of a file is no stub, and comparing costs too much.
const MOST_LINES: usize = 4_000;

/// How far an insertion is shifted each way.
const MOST_SHIFTS: usize = 32;

/// Whether `new` is `old` with nothing but stubs added. An absent file is an empty one.
pub fn grows_only_by_stubs(language: Language, old: &str, new: &str) -> bool {
    let lines: Vec<&str> = new.lines().collect();
    let Some(hunks) = inserted(&old.lines().collect::<Vec<_>>(), &lines) else {
        return false;
    };
    let is_stub: Box<dyn Fn(Range<usize>) -> bool> = match family(language) {
        Family::Brace => brace::judge(language, new),
        Family::Python => python::judge(new),
        Family::Ended => ended::judge(language, &lines),
        Family::Unknown => Box::new(|_| false),
    };
    hunks
        .into_iter()
        .all(|hunk| is_blank(&lines, &hunk) || alternatives(&lines, hunk).into_iter().any(&is_stub))
}

enum Family {
    Brace,
    Python,
    Ended,
    Unknown,
}

fn family(language: Language) -> Family {
    use Language::*;
    match language {
        C | Cpp | CSharp | Dart | Go | Groovy | Java | JavaScript | Kotlin | Php | Rust | Scala
        | Swift => Family::Brace,
        Python => Family::Python,
        Crystal | Elixir | Ruby => Family::Ended,
        Clojure | Erlang | FSharp | Haskell | Julia | Lisp | Lua | Nim | ObjectiveC | OCaml
        | Perl | PowerShell | R | Shell | VisualBasic | Zig | Unlisted => Family::Unknown,
    }
}

fn is_blank(lines: &[&str], range: &Range<usize>) -> bool {
    lines
        .get(range.clone())
        .is_some_and(|lines| lines.iter().all(|line| line.trim().is_empty()))
}

/// The ranges of lines in `new` that are not in `old`; none if anything of `old` is gone.
fn inserted(old: &[&str], new: &[&str]) -> Option<Vec<Range<usize>>> {
    let same_at_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, rest) = (old.get(same_at_start..)?, new.get(same_at_start..)?);
    if old.is_empty() {
        let whole = same_at_start..new.len();
        return Some(if whole.is_empty() {
            vec![]
        } else {
            vec![whole]
        });
    }
    if !is_subsequence(old, rest) || old.len() + rest.len() > MOST_LINES {
        return None;
    }
    let mut found = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, old, rest) {
        match operation {
            DiffOp::Equal { .. } => {}
            DiffOp::Insert {
                new_index, new_len, ..
            } => {
                let start = same_at_start + new_index;
                found.push(start..start + new_len);
            }
            DiffOp::Delete { .. } | DiffOp::Replace { .. } => return None,
        }
    }
    Some(found)
}

fn is_subsequence(short: &[&str], long: &[&str]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|line| rest.any(|other| other == line))
}

/// A diff can't tell which of two equal closing lines is the new one: the same insertion, shifted
/// along equal lines.
fn alternatives(lines: &[&str], hunk: Range<usize>) -> Vec<Range<usize>> {
    let mut found = vec![hunk.clone()];
    let mut up = hunk.clone();
    while up.start > 0
        && found.len() < MOST_SHIFTS
        && lines.get(up.start - 1) == lines.get(up.end - 1)
    {
        up = up.start - 1..up.end - 1;
        found.push(up.clone());
    }
    let mut down = hunk;
    while lines.get(down.end).is_some()
        && found.len() < 2 * MOST_SHIFTS
        && lines.get(down.start) == lines.get(down.end)
    {
        down = down.start + 1..down.end + 1;
        found.push(down.clone());
    }
    found
}

/// Whether a message or the name of an exception says that something is not there yet.
fn says_not_implemented(text: &str) -> bool {
    let letters: String = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    [
        "notimplemented",
        "notyetimplemented",
        "unimplemented",
        "unsupportedoperation",
        "todo",
    ]
    .iter()
    .any(|words| letters.contains(words))
}

#[cfg(test)]
mod tests;
