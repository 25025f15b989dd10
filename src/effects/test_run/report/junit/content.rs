//! The insides of a tag, and the text between tags.

use std::borrow::Cow;

use memchr::{memchr, memmem};
use quick_xml::escape::unescape;

const CDATA: &[u8] = b"<![CDATA[";
const CDATA_END: &[u8] = b"]]>";

/// The attributes of a tag, values as they are written. Ends at the first thing that is no attribute, such
/// as the end of the tag.
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
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let raw = self.0.trim_ascii_start();
        // Keys are too short for a vectorised search to pay.
        let is_end = |byte: u8| matches!(byte, b'=' | b'>' | b'<' | b'/' | b'"' | b'\'');
        let equals = raw.bytes().position(is_end)?;
        let key = raw.get(..equals)?.trim_ascii_end();
        let rest = raw.get(equals..)?.strip_prefix('=')?.trim_ascii_start();
        let quote = *rest.as_bytes().first()?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let value = rest.get(1..)?;
        let end = memchr(quote, value.as_bytes())?;
        self.0 = value.get(end + 1..)?;
        Some((key, value.get(..end)?))
    }
}

/// The text that is meant; entities that are not XML's own stay as they are written.
pub(super) fn unescaped(raw: &str) -> Cow<'_, str> {
    if memchr(b'&', raw.as_bytes()).is_some() {
        unescape(raw).unwrap_or(Cow::Borrowed(raw))
    } else {
        Cow::Borrowed(raw)
    }
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
                let waits = match self.in_cdata && !is_last {
                    true => CDATA_END.len() - 1,
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
    use super::Attributes;

    #[test]
    fn attributes_of_any_writing() {
        let all = |raw| Attributes::of(raw).collect::<Vec<_>>();
        assert_eq!(
            all(" name=\"a 'b'\"\n\tclass = 'c=\"d\"' e=\"\" "),
            [("name", "a 'b'"), ("class", "c=\"d\""), ("e", "")]
        );
        for nothing in [
            "", " ", "name", "name=", "name=a", "name='a", "/>", "> b='c'",
        ] {
            assert_eq!(all(nothing), [], "{nothing}");
        }
    }
}
