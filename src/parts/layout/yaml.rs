//! YAML without comments and blank lines, except inside of block texts.

/// `None` where a quoted text goes on over a line's end: there a comment can't be told from text.
pub(super) fn normal(text: &str) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    // The indent of the line that opened a block text, while one is open.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if let Some(outer) = block {
            if line.trim().is_empty() || indent > outer {
                found.push(line.to_owned());
                continue;
            }
            block = None;
        }
        let code = without_comment(line)?.trim_end();
        if code.trim().is_empty() {
            continue;
        }
        if opens_block(code) {
            block = Some(indent);
        }
        found.push(code.to_owned());
    }
    while found.last().is_some_and(|line| line.trim().is_empty()) {
        found.pop();
    }
    Some(found.join("\n"))
}

/// `key: |`, `- >-2` and their like.
fn opens_block(code: &str) -> bool {
    let last = code.split(' ').next_back().unwrap_or_default();
    last.starts_with(['|', '>']) && last.chars().skip(1).all(|c| "+-123456789".contains(c))
}

fn without_comment(line: &str) -> Option<&str> {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return line.get(..at),
            (None, '"' | '\'') if " [{,:-(".contains(before) => quote = Some(c),
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                before = c;
                continue;
            }
            (Some(open), c) if open == c && !escaped => quote = None,
            (None | Some(_), _) => {}
        }
        escaped = false;
        before = c;
    }
    quote.is_none().then_some(line)
}
