//! Tests in JavaScript and TypeScript files: `if (import.meta.vitest) { … }`.

use std::ops::Range;

use crate::languages::Language;
use crate::rules::scan::{Kind, Token, tokens};

const CONDITION: [&str; 9] = ["if", "(", "import", ".", "meta", ".", "vitest", ")", "{"];

/// The ranges of a text that are tests; none if `import.meta.vitest` is used in another way.
pub(super) fn tests(text: &str) -> Option<Vec<Range<usize>>> {
    if !text.contains("vitest") {
        return Some(Vec::new());
    }
    let code: Vec<Token<'_>> = tokens(Language::JavaScript, text)
        .into_iter()
        .filter(|token| token.kind != Kind::Comment)
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.len() {
        if is_at(&code, at, &CONDITION) {
            let close = closing(&code, at + CONDITION.len() - 1)?;
            let has_other_side = code.get(close + 1).is_some_and(|token| token.is("else"));
            if has_other_side {
                return None;
            }
            found.push(code.get(at)?.start..code.get(close)?.end());
            at = close + 1;
        } else if is_at(&code, at, &["import", ".", "meta", ".", "vitest"]) {
            return None;
        } else {
            at += 1;
        }
    }
    Some(found)
}

fn is_at(code: &[Token<'_>], at: usize, texts: &[&str]) -> bool {
    code.get(at..at + texts.len())
        .is_some_and(|window| window.iter().zip(texts).all(|(token, text)| token.is(text)))
}

fn closing(code: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        match (token.kind, token.text) {
            (Kind::Punct, "{") => depth += 1,
            (Kind::Punct, "}") => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
