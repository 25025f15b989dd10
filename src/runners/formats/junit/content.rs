//! The insides of a tag, and the text between tags.

use std::borrow::Cow;

use memchr::{memchr, memmem};
use quick_xml::escape::unescape;

use crate::runners::formats::collect::cut;

const CDATA: &[u8] = b"<![CDATA[";
const CDATA_END: &[u8] = b"]]>";

/// An attribute of a tag, its value as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    pub(super) key: &'a str,
    pub(super) raw: &'a str,
    /// Whether the value may not mean what is written.
    has_escapes: bool,
}

impl<'a> Attribute<'a> {
    /// No more than the first bytes of the value.
    pub(super) fn cut(self, limit: usize) -> Attribute<'a> {
        Attribute {
            raw: cut(self.raw, limit),
            ..self
        }
    }
}

/// The attributes of a tag. Ends at the first thing that is no attribute, such as the end of the tag.
pub(super) struct Attributes<'a>(&'a str);

impl<'a> Attributes<'a> {
    pub(super) fn of(raw: &'a str) -> Self {
        Attributes(raw)
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.0
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let raw = self.0.trim_ascii_start();
        let (key, quote, value) = begun(raw)?;
        let mut end = first_of(quote, b'&', value.as_bytes())?;
        let has_escapes = value.as_bytes().get(end) == Some(&b'&');
        if has_escapes {
            end = memchr(quote, value.as_bytes())?;
        }
        self.0 = value.get(end + 1..)?;
        Some(Attribute {
            key,
            raw: value.get(..end)?,
            has_escapes,
        })
    }
}

/// A key, the quote after it, and what follows the quote.
fn begun(raw: &str) -> Option<(&str, u8, &str)> {
    let equals = first_of(b'=', b'>', raw.as_bytes())?;
    let (key, rest) = raw.split_at_checked(equals)?;
    let rest = rest.strip_prefix('=')?.trim_ascii_start();
    let quote = *rest.as_bytes().first()?;
    if !matches!(quote, b'"' | b'\'') || key.starts_with('/') {
        return None;
    }
    Some((key.trim_ascii_end(), quote, rest.get(1..)?))
}

/// Where one of two bytes is first. Most values are too short for the vectorised searches of `memchr` to
/// pay: eight bytes are looked at in one word.
#[inline]
fn first_of(one: u8, other: u8, bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The highest bit of each byte that is zero, and maybe of bytes after the first of them.
    let zeros = |word: u64| word.wrapping_sub(LOW) & !word & HIGH;
    let (ones, others) = (LOW * u64::from(one), LOW * u64::from(other));
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ ones) | zeros(word ^ others);
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let in_rest = rest
        .iter()
        .position(|byte| *byte == one || *byte == other)?;
    Some(words.len() * 8 + in_rest)
}

/// Sets a field to what the value of an attribute means.
pub(super) fn set(field: &mut String, attribute: Attribute<'_>) {
    field.clear();
    if attribute.has_escapes {
        field.push_str(&unescaped(attribute.raw));
    } else {
        field.push_str(attribute.raw);
    }
}

/// The text that is meant; entities that are not XML's own stay as they are written.
fn unescaped(raw: &str) -> Cow<'_, str> {
    unescape(raw).unwrap_or(Cow::Borrowed(raw))
}

/// The text between two tags, CDATA included, that may come in chunks.
#[derive(Default)]
pub(super) struct Text {
    in_cdata: bool,
    /// What is kept of it as it is meant, and of the present piece as it is written.
    kept: String,
    raw: Vec<u8>,
}

impl Text {
    /// Goes on to the next tag, keeping up to `limit` bytes; false if the chunk ends before.
    pub(super) fn skip_to_tag(&mut self, rest: &mut &[u8], limit: usize, is_last: bool) -> bool {
        loop {
            let end = if self.in_cdata {
                memmem::find(rest, CDATA_END)
            } else {
                memchr(b'<', rest)
            };
            let Some(end) = end else {
                // The end of a CDATA section may be cut in two.
                let may_go_on = rest.iter().rev().take_while(|byte| **byte == b']');
                let waits = match self.in_cdata && !is_last {
                    true => may_go_on.count().min(CDATA_END.len() - 1),
                    false => 0,
                };
                self.take(rest, rest.len().saturating_sub(waits), limit);
                return false;
            };
            self.take(rest, end, limit);
            if self.in_cdata {
                self.end_piece();
                *rest = rest.get(CDATA_END.len()..).unwrap_or_default();
                self.in_cdata = false;
            } else if let Some(after) = rest.strip_prefix(CDATA) {
                self.end_piece();
                *rest = after;
                self.in_cdata = true;
            } else {
                let may_be_cdata = rest.len() < CDATA.len() && CDATA.starts_with(rest);
                return is_last || !may_be_cdata;
            }
        }
    }

    /// What was kept since the last time.
    pub(super) fn end(&mut self) -> &mut String {
        self.end_piece();
        &mut self.kept
    }

    fn take(&mut self, rest: &mut &[u8], count: usize, limit: usize) {
        let (text, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        *rest = after;
        let room = limit.saturating_sub(self.kept.len() + self.raw.len());
        if room > 0 {
            self.raw.extend_from_slice(text.get(..room).unwrap_or(text));
        }
    }

    fn end_piece(&mut self) {
        if self.raw.is_empty() {
            return;
        }
        let raw = String::from_utf8_lossy(&self.raw);
        if self.in_cdata {
            self.kept.push_str(&raw);
        } else {
            self.kept.push_str(&unescaped(&raw));
        }
        self.raw.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, set};

    #[test]
    fn attributes_of_any_writing() {
        let all = |raw| -> Vec<(&str, String)> {
            let mut value = String::new();
            Attributes::of(raw)
                .map(|attribute| {
                    set(&mut value, attribute);
                    (attribute.key, value.clone())
                })
                .collect()
        };
        let expected = [
            ("name", "a 'b'"),
            ("class", "c=\"d\""),
            ("e", ""),
            ("f", "<&x;"),
        ];
        assert_eq!(
            all(" name=\"a 'b'\"\n\tclass = 'c=\"d\"' e=\"\" f='&lt;&amp;x;' "),
            expected.map(|(key, value)| (key, value.to_owned()))
        );
        for nothing in [
            "", " ", "name", "name=", "name=a", "name='a", "/>", "> b='c'",
        ] {
            assert_eq!(all(nothing), [], "{nothing}");
        }
    }
}
