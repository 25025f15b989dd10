//! Brace expansion: `{a,b}`, `{1..3}`.

use super::super::limits::MAX_VALUE;

/// Of a longer sequence the first ones stand for all.
const MAX_WORDS: usize = 512;
const MAX_DEPTH: usize = 8;

/// The words a raw word stands for once its braces are expanded; none if a word that somebody
/// spelled out would be left out.
pub(super) fn expand(word: &str) -> Option<Vec<String>> {
    if !word.contains('{') {
        return Some(vec![word.to_owned()]);
    }
    let mut expansion = Expansion::default();
    expansion.add(word, 0)?;
    Some(expansion.words)
}

#[derive(Default)]
struct Expansion {
    words: Vec<String>,
    bytes: usize,
}

impl Expansion {
    fn add(&mut self, word: &str, depth: usize) -> Option<()> {
        let Some(group) = first_group(word) else {
            self.bytes += word.len();
            self.words.push(word.to_owned());
            return (self.bytes <= MAX_VALUE).then_some(());
        };
        if depth >= MAX_DEPTH {
            return None;
        }
        let before = word.get(..group.open).unwrap_or("");
        let after = word.get(group.close + 1..).unwrap_or("");
        for alternative in group.alternatives {
            if self.words.len() >= MAX_WORDS {
                return group.is_sequence.then_some(());
            }
            self.add(&format!("{before}{alternative}{after}"), depth + 1)?;
        }
        Some(())
    }
}

/// A group that expands: where it opens and closes, and what it offers.
struct Group {
    open: usize,
    close: usize,
    alternatives: Vec<String>,
    is_sequence: bool,
}

/// The first group that expands.
fn first_group(word: &str) -> Option<Group> {
    let bytes = word.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'$' if bytes.get(at + 1) == Some(&b'{') => at = skip(word, at),
            b'\\' | b'\'' | b'"' | b'`' | b'$' => at = skip(word, at),
            b'{' => match group_at(word, at) {
                Some(group) => return Some(group),
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    None
}

/// The index after the quoted or substituted construct at `at`.
fn skip(word: &str, at: usize) -> usize {
    use super::extent;
    let bytes = word.as_bytes();
    let end = match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\\'), _) => Some(at + 2),
        (Some(b'\''), _) => extent::single_quoted(word, at + 1),
        (Some(b'"'), _) => extent::double_quoted(word, at + 1),
        (Some(b'`'), _) => extent::escaped_until(word, at + 1, b'`'),
        (Some(b'$'), Some(b'{')) => extent::braced(word, at + 2, false),
        (Some(b'$'), Some(b'(')) => extent::command(word, at + 2),
        _ => Some(at + 1),
    };
    end.unwrap_or(word.len())
}

fn group_at(word: &str, open: usize) -> Option<Group> {
    let bytes = word.as_bytes();
    let mut commas = Vec::new();
    let mut depth = 0usize;
    let mut at = open;
    let close = loop {
        match bytes.get(at)? {
            b'{' => {
                depth += 1;
                at += 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    break at;
                }
                at += 1;
            }
            b',' => {
                if depth == 1 {
                    commas.push(at);
                }
                at += 1;
            }
            b'\\' | b'\'' | b'"' | b'`' | b'$' => at = skip(word, at),
            _ => at += 1,
        }
    };
    if commas.is_empty() {
        let alternatives = sequence(word.get(open + 1..close)?)?;
        return Some(Group {
            open,
            close,
            alternatives,
            is_sequence: true,
        });
    }
    let mut alternatives = Vec::new();
    let mut start = open + 1;
    for end in commas.into_iter().chain([close]) {
        alternatives.push(word.get(start..end)?.to_owned());
        start = end + 1;
    }
    Some(Group {
        open,
        close,
        alternatives,
        is_sequence: false,
    })
}

fn sequence(inner: &str) -> Option<Vec<String>> {
    let mut parts = inner.split("..");
    let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
    let step = step.map_or(Some(1), |text| text.parse::<i64>().ok())?;
    let step = usize::try_from(step.unsigned_abs().max(1)).ok()?;
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let width = if first.starts_with('0') {
            first.len()
        } else {
            0
        };
        let numbers = (from.min(to)..=from.max(to)).step_by(step).take(MAX_WORDS);
        return Some(numbers.map(|n| format!("{n:0width$}")).collect());
    }
    let mut letters = [first, last].into_iter().map(|text| {
        let mut chars = text.chars();
        chars
            .next()
            .filter(|c| c.is_ascii_alphabetic() && chars.next().is_none())
    });
    let (from, to) = (letters.next()??, letters.next()??);
    let letters = (from.min(to)..=from.max(to)).step_by(step);
    Some(letters.map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn braces_expand_as_in_bash() {
        for (word, expected) in [
            ("a{b,c}d", vec!["abd", "acd"]),
            ("{a,b{1..3}}", vec!["a", "b1", "b2", "b3"]),
            ("{a}", vec!["{a}"]),
            ("${x,,}{1,2}", vec!["${x,,}1", "${x,,}2"]),
            ("'{a,b}'", vec!["'{a,b}'"]),
            ("\"{a,b}\"", vec!["\"{a,b}\""]),
            ("{01..03}", vec!["01", "02", "03"]),
            ("{a..c}", vec!["a", "b", "c"]),
            ("{{{{", vec!["{{{{"]),
            ("x{,.bak}", vec!["x", "x.bak"]),
        ] {
            let expected = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(expand(word), Some(expected), "{word}");
        }
    }

    #[test]
    fn no_word_that_was_spelled_out_is_left_out() {
        assert_eq!(expand("{1..100000}").map(|words| words.len()), Some(512));
        let many: Vec<String> = (0..600).map(|n| format!("a{n}")).collect();
        assert_eq!(expand(&format!("{{{}}}", many.join(","))), None);
        assert_eq!(
            expand(&format!("{}x{}", "{a,".repeat(9), "}".repeat(9))),
            None
        );
        assert_eq!(expand(&"{a,b}".repeat(50_000)), None);
    }
}
