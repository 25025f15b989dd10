//! Placeholders in `commit_message`.

/// What `commit_message` may name.
pub(super) const PLACEHOLDERS: [&str; 4] = ["phase", "cycle", "tests", "files"];

/// A piece of a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text that stays as it is.
    Text(&'a str),
    /// A word in braces, without them.
    Placeholder(&'a str),
}

/// Cuts a template into text and placeholders; braces around anything but one word are text.
pub(super) fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((text, name, after)) = next_placeholder(rest) {
        pieces.push(Piece::Text(text));
        pieces.push(Piece::Placeholder(name));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// The text before the next `{word}`, the word, and what follows.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let is_word = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
    text.match_indices('{').find_map(|(open, _)| {
        let (name, after) = text.get(open + 1..)?.split_once('}')?;
        is_word(name).then(|| (text.get(..open).unwrap_or_default(), name, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(template: &str) -> Vec<&str> {
        pieces(template)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Placeholder(name) => Some(name),
                Piece::Text(_) => None,
            })
            .collect()
    }

    #[test]
    fn only_words_in_braces_are_placeholders() {
        let cases: [(&str, &[&str]); 8] = [
            ("WIP", &[]),
            ("", &[]),
            ("{phase} {cycle}", &["phase", "cycle"]),
            ("{{phase}}", &["phase"]),
            ("{ phase }", &[]),
            ("{", &[]),
            ("}{}{", &[]),
            ("ü{fäse}", &["fäse"]),
        ];
        for (template, expected) in cases {
            assert_eq!(names(template), expected, "{template}");
        }
    }
}
