//! HTML text: everything that comes from the repository is escaped here.

use std::fmt::{self, Display};

/// Text between tags or in a quoted attribute; control characters show as a replacement.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(needs_care) {
            let (plain, special) = rest.split_at(at);
            f.write_str(plain)?;
            let mut chars = special.chars();
            match chars.next() {
                Some('&') => f.write_str("&amp;")?,
                Some('<') => f.write_str("&lt;")?,
                Some('>') => f.write_str("&gt;")?,
                Some('"') => f.write_str("&quot;")?,
                Some('\'') => f.write_str("&#39;")?,
                _ => f.write_str("\u{fffd}")?,
            }
            rest = chars.as_str();
        }
        f.write_str(rest)
    }
}

/// Markup characters, control characters, and those that turn the direction of writing around.
fn needs_care(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'')
        || (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The same, with what stands in backticks as code.
pub(super) fn with_code(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        html.push_str(&Escaped(before).to_string());
        html.push_str(&format!("<code>{}</code>", Escaped(code)));
        rest = after;
    }
    html.push_str(&Escaped(rest).to_string());
    html
}

/// The beginning of a text that may be long.
pub(super) fn shortened(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let cases = [
            ("plain → text", "plain → text"),
            (
                "<script>alert(1)</script>",
                "&lt;script&gt;alert(1)&lt;/script&gt;",
            ),
            ("\" onload='x' &", "&quot; onload=&#39;x&#39; &amp;"),
            ("a\u{1b}[31mb\0c\rd", "a\u{fffd}[31mb\u{fffd}c\u{fffd}d"),
            ("abc\u{202e}txt.exe", "abc\u{fffd}txt.exe"),
            ("tab\tand\nline", "tab\tand\nline"),
        ];
        for (text, escaped) in cases {
            assert_eq!(Escaped(text).to_string(), escaped);
        }
    }

    #[test]
    fn backticks_become_code_in_pairs() {
        let cases = [
            ("no code", "no code"),
            ("`a<b` and `c`", "<code>a&lt;b</code> and <code>c</code>"),
            ("`a` left ` open", "<code>a</code> left ` open"),
        ];
        for (text, html) in cases {
            assert_eq!(with_code(text), html);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened("äöü", 2), "äö…");
        assert_eq!(shortened("äöü", 3), "äöü");
    }
}
