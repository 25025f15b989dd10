//! Stubs in the languages that put bodies in braces.

use std::collections::BTreeSet;
use std::ops::Range;

use super::MARKER;
use super::declaration::{Declarations, Place};
use crate::languages::Language;
use crate::rules::scan::{Kind, Token, tokens};

/// Judges insertions into a text: whether the lines of a range are stubs and nothing else.
pub(super) fn judge<'t>(
    language: Language,
    text: &'t str,
) -> Box<dyn Fn(Range<usize>) -> bool + 't> {
    let all = tokens(language, text);
    Box::new(move |lines| {
        let Some(hunk) = Hunk::cut(&all, &lines) else {
            return is_inside_comment(&all, &lines);
        };
        if hunk.code.is_empty() {
            return true;
        }
        match place_after(language, &hunk.before) {
            Some(place) => Declarations::new(language, &hunk.code, &hunk.marked).are_stubs(place),
            None => false,
        }
    })
}

/// The tokens of an insertion, and what stands before it.
struct Hunk<'t> {
    before: Vec<Token<'t>>,
    code: Vec<Token<'t>>,
    marked: BTreeSet<usize>,
}

impl<'t> Hunk<'t> {
    /// None if a token crosses the border of the range.
    fn cut(all: &[Token<'t>], lines: &Range<usize>) -> Option<Hunk<'t>> {
        let mut hunk = Hunk {
            before: Vec::new(),
            code: Vec::new(),
            marked: marked_lines(all),
        };
        for token in all {
            let inside = |line: usize| lines.contains(&line);
            match (inside(token.line), inside(token.last_line())) {
                (true, true) if token.kind == Kind::Comment => {}
                (true, true) => hunk.code.push(*token),
                (false, false) if token.line >= lines.end => break,
                (false, false) if token.last_line() >= lines.end => return None,
                (false, false) if token.kind == Kind::Comment => {}
                (false, false) => hunk.before.push(*token),
                (true, false) | (false, true) => return None,
            }
        }
        Some(hunk)
    }
}

fn is_inside_comment(all: &[Token<'_>], lines: &Range<usize>) -> bool {
    all.iter().any(|token| {
        token.kind == Kind::Comment && token.line < lines.start && token.last_line() >= lines.end
    })
}

/// The lines a marker speaks for: its own, or the next one if it stands alone.
fn marked_lines(all: &[Token<'_>]) -> BTreeSet<usize> {
    let code_lines: BTreeSet<usize> = all
        .iter()
        .filter(|token| token.kind != Kind::Comment)
        .flat_map(|token| [token.line, token.last_line()])
        .collect();
    all.iter()
        .filter(|token| token.kind == Kind::Comment && token.text.contains(MARKER))
        .map(|token| match code_lines.contains(&token.line) {
            true => token.line,
            false => token.last_line() + 1,
        })
        .collect()
}

/// Where an item may stand after these tokens; none inside a function or a statement.
fn place_after(language: Language, before: &[Token<'_>]) -> Option<Place> {
    // Each open bracket with what it holds and the header it interrupts.
    let mut open: Vec<(Option<Place>, Vec<&Token<'_>>)> = Vec::new();
    let mut header: Vec<&Token<'_>> = Vec::new();
    for token in before {
        match token.text {
            "{" if token.kind == Kind::Punct => {
                open.push((place_in(language, &header), Vec::new()));
                header.clear();
            }
            "(" | "[" if token.kind == Kind::Punct => {
                open.push((None, std::mem::take(&mut header)));
            }
            "}" | ")" | "]" if token.kind == Kind::Punct => {
                header = open.pop()?.1;
            }
            ";" => header.clear(),
            _ => header.push(token),
        }
    }
    let here = open.iter().try_fold(Place::Top, |_, (place, _)| *place)?;
    let complete = match before.last() {
        None => true,
        Some(last) => {
            matches!(last.text, "{" | "}" | ";")
                || last.kind == Kind::Directive
                || (here == Place::Fields && last.is(","))
                || (ends_by_line(language) && may_end_statement(last))
                || is_php_open(before)
        }
    };
    complete.then_some(here)
}

fn is_php_open(before: &[Token<'_>]) -> bool {
    matches!(before, [.., a, b, c] if a.is("<") && b.is("?") && c.is("php"))
}

/// What a block with this header holds; none for function bodies, literals and the like.
fn place_in(language: Language, header: &[&Token<'_>]) -> Option<Place> {
    let word = |names: &[&str]| {
        header
            .iter()
            .any(|token| token.kind == Kind::Word && names.contains(&token.text))
    };
    let is_value = language != Language::Rust && header.iter().any(|token| token.is("="));
    let holds_data = (word(&["struct", "union", "enum"]) && !structs_hold_members(language))
        || (word(&["interface"]) && language == Language::Go);
    if word(function_words(language)) || is_value {
        None
    } else if holds_data {
        Some(Place::Fields)
    } else if word(member_words(language)) {
        Some(Place::Members)
    } else if word(&["mod", "namespace"]) || is_extern_block(header) {
        Some(Place::Top)
    } else {
        None
    }
}

fn is_extern_block(header: &[&Token<'_>]) -> bool {
    matches!(header, [word, name] if word.is("extern") && name.kind == Kind::Literal)
}

/// Words that begin a function.
pub(super) fn function_words(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["fn"],
        Language::Go | Language::Swift => &["func"],
        Language::Kotlin => &["fun"],
        Language::Scala | Language::Groovy => &["def"],
        Language::JavaScript | Language::Php => &["function"],
        _ => &[],
    }
}

/// Words that begin a type with members.
pub(super) fn member_words(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["impl", "trait"],
        Language::Go | Language::C => &[],
        Language::JavaScript => &["class", "interface", "enum"],
        _ => &[
            "class",
            "interface",
            "trait",
            "object",
            "protocol",
            "extension",
            "record",
            "mixin",
            "struct",
            "enum",
            "actor",
        ],
    }
}

/// Whether a `struct` or `enum` may hold functions between its braces.
pub(super) fn structs_hold_members(language: Language) -> bool {
    matches!(
        language,
        Language::Cpp | Language::CSharp | Language::Swift | Language::Scala
    )
}

/// Whether the end of a line can end a statement.
pub(super) fn ends_by_line(language: Language) -> bool {
    matches!(
        language,
        Language::JavaScript
            | Language::Go
            | Language::Kotlin
            | Language::Swift
            | Language::Scala
            | Language::Groovy
    )
}

/// Whether a statement may end with this token at the end of its line.
pub(super) fn may_end_statement(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word => !matches!(
            token.text,
            "else" | "do" | "return" | "throw" | "new" | "default"
        ),
        Kind::Number | Kind::Literal => true,
        Kind::Punct => matches!(token.text, ")" | "]" | "}" | ";" | ">" | "?" | "!"),
        Kind::Lifetime | Kind::Comment | Kind::Directive => false,
    }
}
