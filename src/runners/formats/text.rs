//! What the readers of runners' text share.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// What a text counts.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Scan {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) errors: usize,
    pub(crate) skipped: usize,
}

/// Compiles a constant pattern.
pub(crate) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is constant")
}

/// The number in front of one of the words, all of them added up: `2 failed, 1 passed`.
pub(crate) fn number_before(text: &str, words: &[&str]) -> usize {
    let mut total = 0;
    let mut last = None;
    for token in text.split(|character: char| !character.is_alphanumeric()) {
        if token.is_empty() {
            continue;
        }
        if words.contains(&token) {
            total += last.unwrap_or(0);
        }
        last = token.parse::<usize>().ok();
    }
    total
}

/// The last line that is not blank.
pub(crate) fn last_line(text: &str) -> &str {
    text.lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
}

/// The text without the escape sequences of terminals, and with plain ends of lines.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    static FOREIGN: LazyLock<Regex> =
        LazyLock::new(|| regex(r"(?m)\x1b(?:\[[0-9;?]*[A-Za-z]|[()][0-9A-Za-z])|\r+$"));
    // Most texts have none, and this is the quicker look.
    if !text.contains(['\x1b', '\r']) {
        return Cow::Borrowed(text);
    }
    FOREIGN.replace_all(text, "")
}

/// The numbers behind a word such as `skipped=`, added up.
pub(crate) fn number_after(text: &str, word: &str) -> usize {
    text.match_indices(word)
        .filter_map(|(at, _)| {
            let digits = text.get(at + word.len()..)?;
            let end = digits
                .find(|character: char| !character.is_ascii_digit())
                .unwrap_or(digits.len());
            digits.get(..end)?.parse::<usize>().ok()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn colours_are_taken_out_with_the_character_set_that_terminals_are_put_back_to() {
        let plain = super::plain("test a ... \x1b[31mFAILED\x1b(B\x1b[m");
        assert_eq!(plain, "test a ... FAILED");
    }

    #[test]
    fn lines_end_alike_and_what_draws_over_itself_stays() {
        assert_eq!(super::plain("1..1\r\nok 1\r\n"), "1..1\nok 1\n");
        assert_eq!(super::plain("10%\r20%\n"), "10%\r20%\n");
    }
}
