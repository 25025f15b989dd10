//! Tests in Rust files: items under `#[cfg(test)]` and `#[test]`, and the code in doc comments.

use std::ops::Range;

use crate::languages::Language;
use crate::rules::scan::{Kind, Token, tokens};

/// Attributes that make a test of a function, by the last word of their path.
const TEST_ATTRIBUTES: &[&str] = &[
    "bench",
    "parameterized",
    "proptest",
    "quickcheck",
    "rstest",
    "test",
    "test_case",
    "test_matrix",
    "test_log",
    "wasm_bindgen_test",
];

/// The ranges of a text that are tests; none if an item's end can't be found.
pub(super) fn tests(text: &str) -> Option<Vec<Range<usize>>> {
    let all = tokens(Language::Rust, text);
    let code: Vec<Token<'_>> = all
        .iter()
        .filter(|t| t.kind != Kind::Comment)
        .copied()
        .collect();
    let code = Code {
        partners: partners(&code),
        tokens: &code,
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.tokens.len() {
        let Some(attribute) = code.attribute(at) else {
            at += 1;
            continue;
        };
        if !attribute.is_test() {
            at = attribute.end;
        } else if attribute.is_inner {
            // `#![cfg(test)]` at the top makes a test of all; deeper, of what encloses it.
            let whole = 0..text.len();
            return (at == 0).then(|| vec![whole]);
        } else {
            let end = code.item_end(attribute.end)?;
            let start = with_comments_above(&all, code.tokens.get(code.first_attribute(at))?);
            found.push(start..code.tokens.get(end)?.end());
            at = end + 1;
        }
    }
    found.extend(doctests(&all)?);
    Some(found)
}

/// `#[…]` or `#![…]`, as indices of tokens.
struct Attribute<'a, 't> {
    is_inner: bool,
    inside: &'a [Token<'t>],
    end: usize,
}

impl Attribute<'_, '_> {
    fn is_test(&self) -> bool {
        let path: Vec<&Token<'_>> = self
            .inside
            .iter()
            .take_while(|t| !t.is("(") && !t.is("="))
            .collect();
        let arguments = self.inside.get(path.len()..).unwrap_or_default();
        match path.last() {
            Some(name) if name.is("cfg") => is_test_condition(arguments),
            Some(name) => TEST_ATTRIBUTES.contains(&name.text),
            None => false,
        }
    }
}

/// `(test)` or `(all(test, …))`. `any(test, …)` also builds into the product.
fn is_test_condition(arguments: &[Token<'_>]) -> bool {
    let texts: Vec<&str> = arguments.iter().map(|token| token.text).collect();
    match texts.as_slice() {
        ["(", "test", ")"] => true,
        ["(", "all", "(", rest @ ..] => {
            let mut depth = 0usize;
            rest.iter().any(|text| {
                match *text {
                    "(" => depth += 1,
                    ")" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && *text == "test"
            })
        }
        _ => false,
    }
}

/// For each bracket the index of the one that closes it, and the other way round.
fn partners(code: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut found = vec![None; code.len()];
    let mut open = Vec::new();
    for (at, token) in code.iter().enumerate() {
        match (token.kind, token.text) {
            (Kind::Punct, "{" | "(" | "[") => open.push(at),
            (Kind::Punct, "}" | ")" | "]") => {
                if let Some(start) = open.pop() {
                    for (from, to) in [(start, at), (at, start)] {
                        if let Some(slot) = found.get_mut(from) {
                            *slot = Some(to);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Tokens without comments, and where their brackets open and close.
struct Code<'a, 't> {
    tokens: &'a [Token<'t>],
    partners: Vec<Option<usize>>,
}

impl<'a, 't> Code<'a, 't> {
    fn partner(&self, bracket: usize) -> Option<usize> {
        self.partners.get(bracket).copied().flatten()
    }

    fn attribute(&self, at: usize) -> Option<Attribute<'a, 't>> {
        self.tokens.get(at).filter(|token| token.is("#"))?;
        let is_inner = self.tokens.get(at + 1)?.is("!");
        let open = at + 1 + usize::from(is_inner);
        self.tokens.get(open).filter(|token| token.is("["))?;
        let close = self.partner(open)?;
        Some(Attribute {
            is_inner,
            inside: self.tokens.get(open + 1..close)?,
            end: close + 1,
        })
    }

    /// The first of a row of attributes that ends with the one at `at`.
    fn first_attribute(&self, at: usize) -> usize {
        let mut first = at;
        while let Some(before) = self.attribute_before(first) {
            first = before;
        }
        first
    }

    fn attribute_before(&self, at: usize) -> Option<usize> {
        let close = at.checked_sub(1)?;
        self.tokens.get(close).filter(|token| token.is("]"))?;
        let start = self.partner(close)?.checked_sub(1)?;
        self.attribute(start).map(|_| start)
    }

    /// The index of the last token of the item that begins at `at`, further attributes skipped.
    fn item_end(&self, mut at: usize) -> Option<usize> {
        while let Some(attribute) = self.attribute(at) {
            at = attribute.end;
        }
        let ends_with_semicolon = self.ends_with_semicolon(at);
        while let Some(token) = self.tokens.get(at) {
            match (token.kind, token.text) {
                (Kind::Punct, ";") => return Some(at),
                (Kind::Punct, "{") => {
                    at = self.partner(at)?;
                    if !ends_with_semicolon {
                        return Some(at);
                    }
                }
                (Kind::Punct, "(" | "[") => at = self.partner(at)?,
                // A field, a variant, an argument: no item ends here.
                (Kind::Punct, "}" | ")" | "]") => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn ends_with_semicolon(&self, at: usize) -> bool {
        let words: Vec<&str> = self
            .tokens
            .iter()
            .skip(at)
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .filter(|word| !matches!(*word, "pub" | "crate" | "super"))
            .take(2)
            .collect();
        match words.as_slice() {
            ["const", next] => !matches!(*next, "fn" | "unsafe" | "async" | "extern"),
            ["static" | "use" | "type" | "let", ..] => true,
            _ => false,
        }
    }
}

/// Comments on the lines right above belong to what follows.
fn with_comments_above(all: &[Token<'_>], token: &Token<'_>) -> usize {
    let mut at = all.partition_point(|other| other.start < token.start);
    let (mut start, mut line) = (token.start, token.line);
    while let Some(above) = at.checked_sub(1).and_then(|before| all.get(before)) {
        let before = at.checked_sub(2).and_then(|before| all.get(before));
        let behind_code = before.is_some_and(|other| other.last_line() == above.line);
        let belongs = above.kind == Kind::Comment
            && !above.text.starts_with("//!")
            && above.last_line() + 1 == line
            && !behind_code;
        if !belongs {
            break;
        }
        (start, line) = (above.start, above.line);
        at -= 1;
    }
    start
}

/// The fenced code in doc comments, from fence to fence; none if a fence stays open or stands in a
/// block comment.
fn doctests(all: &[Token<'_>]) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut open: Option<(Fence, usize)> = None;
    let mut line_before = None;
    for comment in all.iter().filter(|token| token.kind == Kind::Comment) {
        let is_block_doc = comment.text.starts_with("/**") || comment.text.starts_with("/*!");
        if is_block_doc && comment.text.contains("```") {
            return None;
        }
        let Some(prose) = doc_text(comment.text) else {
            continue;
        };
        if open.is_some() && line_before != comment.line.checked_sub(1) {
            return None;
        }
        line_before = Some(comment.line);
        match (&open, fence(prose)) {
            (None, Some(fence)) => open = Some((fence, comment.start)),
            (Some((Fence::Code, start)), Some(_)) => {
                found.push(*start..comment.end());
                open = None;
            }
            (Some((Fence::Prose, _)), Some(_)) => open = None,
            (_, None) => {}
        }
    }
    open.is_none().then_some(found)
}

/// What a fence holds.
enum Fence {
    Code,
    Prose,
}

fn doc_text(comment: &str) -> Option<&str> {
    let text = comment
        .strip_prefix("///")
        .or_else(|| comment.strip_prefix("//!"))?;
    // Four slashes are no doc comment.
    (!text.starts_with('/')).then_some(text)
}

fn fence(prose: &str) -> Option<Fence> {
    let info = prose.trim_start().strip_prefix("```")?;
    let is_code = info
        .split([',', ' '])
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .all(|word| {
            matches!(
                word,
                "rust" | "should_panic" | "no_run" | "ignore" | "compile_fail"
            ) || word.starts_with("edition")
                || word.starts_with("ignore-")
        });
    Some(if is_code { Fence::Code } else { Fence::Prose })
}
