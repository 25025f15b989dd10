//! What the clients' own readers take for JSON. We read comments, commas before a closing bracket and
//! byte order marks; a client that does not read its whole file calls no hook from it, and some do so
//! without a word.

use super::json_text;
use crate::clients::Client;

/// Something in a settings file that keeps a client from reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// A comment.
    Comment,
    /// A comma before a closing bracket.
    TrailingComma,
    /// A byte order mark.
    ByteOrderMark,
}

/// The first thing in a text that the client can't read, if what is wrong with it is one of these.
pub(crate) fn unreadable_for(client: Client, text: &str) -> Option<Foreign> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let has = |foreign: Foreign| match foreign {
        Foreign::ByteOrderMark => body.len() < text.len(),
        Foreign::Comment => json_text::has_comments(body),
        Foreign::TrailingComma => json_text::has_trailing_commas(body),
    };
    client
        .not_read
        .iter()
        .copied()
        .find(|foreign| has(*foreign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{claude_code, codex, gemini};

    #[test]
    fn each_client_reads_json_in_its_own_way() {
        use Foreign::{ByteOrderMark, Comment, TrailingComma};
        let texts = [
            ("{\"a\": [1]}\n", None),
            ("{\"a\": \"// no, /* no */ ,}\"}\r\n", None),
            ("// mine\n{\"a\": 1}", Some(Comment)),
            ("{\"a\": 1 /* mine */}", Some(Comment)),
            ("{\"a\": [1,],}", Some(TrailingComma)),
            ("\u{feff}{\"a\": 1}", Some(ByteOrderMark)),
            ("not JSON at all", None),
            ("", None),
        ];
        for (text, found) in texts {
            for client in Client::all() {
                let wanted = found.filter(|found| client.not_read.contains(found));
                assert_eq!(unreadable_for(client, text), wanted, "{client} {text:?}");
            }
        }
        assert_eq!(unreadable_for(claude_code::CLIENT, "\u{feff}{}"), None);
        assert_eq!(unreadable_for(gemini::CLIENT, "{} // mine"), None);
        assert_eq!(unreadable_for(codex::CLIENT, "{} // mine"), Some(Comment));
    }
}
