//! What the clients' own readers take for JSON. We read comments, commas before a closing bracket and
//! byte order marks; a client that does not read its whole file calls no hook from it, and some do so
//! without a word.

use super::json_text;
use crate::event::Client;

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
    not_read(client)
        .iter()
        .copied()
        .find(|foreign| has(*foreign))
}

/// As the programs themselves were seen to do.
fn not_read(client: Client) -> &'static [Foreign] {
    use Foreign::{ByteOrderMark, Comment, TrailingComma};
    match client {
        Client::ClaudeCode => &[Comment, TrailingComma],
        Client::Codex | Client::Copilot => &[Comment, TrailingComma, ByteOrderMark],
        Client::Gemini => &[TrailingComma, ByteOrderMark],
        // A program, and one whose reader is not known.
        Client::OpenCode | Client::Cursor => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            for client in Client::ALL {
                let wanted = found.filter(|found| not_read(client).contains(found));
                assert_eq!(unreadable_for(client, text), wanted, "{client} {text:?}");
            }
        }
        assert_eq!(unreadable_for(Client::ClaudeCode, "\u{feff}{}"), None);
        assert_eq!(unreadable_for(Client::Gemini, "{} // mine"), None);
        assert_eq!(unreadable_for(Client::Codex, "{} // mine"), Some(Comment));
    }
}
