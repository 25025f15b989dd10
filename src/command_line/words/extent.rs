//! Where the constructs inside a word end.

/// Deeper than anything that is parsed; the stack grows with it.
const MAX_DEPTH: usize = 100;

/// The index after the quote that closes the single-quoted text starting at `from`.
pub(in super::super) fn single_quoted(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.find('\'').map(|at| from + at + 1)
}

/// The index after the unescaped `close` that ends the text starting at `from`.
pub(in super::super) fn escaped_until(text: &str, from: usize, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == close => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// The index after the `"` that ends the double-quoted text starting at `from`.
pub(in super::super) fn double_quoted(text: &str, from: usize) -> Option<usize> {
    double_quoted_in(text, from, 0)
}

fn double_quoted_in(text: &str, from: usize, depth: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'"' => return Some(at + 1),
            b'`' => escaped_until(text, at + 1, b'`')?,
            b'$' => dollar(text, at, true, depth)?,
            _ => at + 1,
        };
    }
    None
}

/// The index after the construct a `$` at `at` opens, or after the `$` if it opens none that nests.
fn dollar(text: &str, at: usize, quoted: bool, depth: usize) -> Option<usize> {
    match text.as_bytes().get(at + 1) {
        Some(b'(' | b'{') if depth >= MAX_DEPTH => None,
        Some(b'(') => command_in(text, at + 2, depth + 1),
        Some(b'{') => braced_in(text, at + 2, quoted, depth + 1),
        _ => Some(at + 1),
    }
}

/// The index after the `}` that ends the parameter expansion whose inside starts at `from`.
///
/// Between double quotes a single quote in it is just a character.
pub(in super::super) fn braced(text: &str, from: usize, quoted: bool) -> Option<usize> {
    braced_in(text, from, quoted, 0)
}

fn braced_in(text: &str, from: usize, quoted: bool, depth: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'}' => return Some(at + 1),
            b'\'' if !quoted => single_quoted(text, at + 1)?,
            b'"' => double_quoted_in(text, at + 1, depth)?,
            b'`' => escaped_until(text, at + 1, b'`')?,
            b'$' => dollar(text, at, quoted, depth)?,
            _ => at + 1,
        };
    }
    None
}

/// The index after the `)` that ends the command substitution whose inside starts at `from`.
///
/// Quotes, comments and here-documents inside are stepped over, since a bracket there closes
/// nothing.
pub(in super::super) fn command(text: &str, from: usize) -> Option<usize> {
    command_in(text, from, 0)
}

fn command_in(text: &str, from: usize, depth: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    let mut open = 1usize;
    let mut here_documents: Vec<HereTag> = Vec::new();
    let mut at_word_start = true;
    while let Some(&byte) = bytes.get(at) {
        let starts_word = at_word_start;
        at_word_start = matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'(' | b'&' | b'|');
        at = match byte {
            b'\\' => at + 2,
            b'\'' => single_quoted(text, at + 1)?,
            b'"' => double_quoted_in(text, at + 1, depth)?,
            b'`' => escaped_until(text, at + 1, b'`')?,
            b'$' if bytes.get(at + 1) == Some(&b'\'') => escaped_until(text, at + 2, b'\'')?,
            b'$' => dollar(text, at, false, depth)?,
            b'#' if starts_word => line_end(text, at),
            b'<' if text.get(at..).is_some_and(|rest| rest.starts_with("<<<")) => at + 3,
            b'<' if bytes.get(at + 1) == Some(&b'<') => match here_tag(text, at + 2) {
                Some((tag, after)) => {
                    here_documents.push(tag);
                    after
                }
                None => at + 2,
            },
            b'\n' if !here_documents.is_empty() => {
                let mut after = at + 1;
                for tag in here_documents.drain(..) {
                    after = here_document(text, after, &tag)?;
                }
                after
            }
            b'(' => {
                open += 1;
                at + 1
            }
            b')' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
                at + 1
            }
            _ => at + 1,
        };
    }
    None
}

struct HereTag {
    tag: String,
    strip_tabs: bool,
}

fn here_tag(text: &str, from: usize) -> Option<(HereTag, usize)> {
    let rest = text.get(from..)?;
    let strip_tabs = rest.starts_with('-');
    let blanks = |c: char| c == ' ' || c == '\t';
    let word = rest.trim_start_matches('-').trim_start_matches(blanks);
    let start = from + (rest.len() - word.len());
    let length = word
        .find(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')'))
        .unwrap_or(word.len());
    let tag: String = word
        .get(..length)?
        .chars()
        .filter(|c| !matches!(c, '\'' | '"' | '\\'))
        .collect();
    (length > 0).then_some((HereTag { tag, strip_tabs }, start + length))
}

fn here_document(text: &str, from: usize, here: &HereTag) -> Option<usize> {
    let mut at = from;
    loop {
        let end = line_end(text, at);
        let line = text.get(at..end)?;
        let line = if here.strip_tabs {
            line.trim_start_matches('\t')
        } else {
            line
        };
        if line == here.tag {
            return Some(end);
        }
        if end >= text.len() {
            return None;
        }
        at = end + 1;
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |at| from + at)
}
