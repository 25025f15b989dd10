//! The insides of a tag, and the text between tags.

use std::borrow::Cow;
use std::io::{self, BufRead};

use quick_xml::escape::unescape;

use crate::effects::test_run::report::source::Utf8;

const CDATA: &[u8] = b"<![CDATA[";

/// The attributes of a tag, values as they are written. Ends at the first thing that is no attribute.
pub(super) fn attributes(mut raw: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (key, rest) = raw.split_once('=')?;
        let rest = rest.trim_ascii_start();
        let quote = *rest.as_bytes().first()?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let (value, rest) = rest.get(1..)?.split_once(char::from(quote))?;
        raw = rest;
        Some((key.trim_ascii(), value))
    })
}

/// The text that is meant; entities that are not XML's own stay as they are written.
pub(super) fn unescaped(raw: &str) -> Cow<'_, str> {
    if raw.contains('&') {
        unescape(raw).unwrap_or(Cow::Borrowed(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// Skips the text up to the next tag, CDATA included.
pub(super) fn skip_text(input: &mut Utf8<'_>) -> io::Result<()> {
    loop {
        input.refill();
        let ready = input.fill_buf()?;
        let Some(at) = ready.iter().position(|byte| *byte == b'<') else {
            let all = ready.len();
            input.consume(all);
            if all == 0 {
                return Ok(());
            }
            continue;
        };
        let may_be_cdata = ready.get(at + 1).is_none_or(|byte| *byte == b'!');
        input.consume(at);
        if !may_be_cdata || input.peek(CDATA.len())? != CDATA {
            return Ok(());
        }
        input.consume(CDATA.len());
        take_cdata(input, &mut Vec::new(), 0)?;
    }
}

/// Takes the text up to the next tag, CDATA included; what is beyond `limit` bytes is dropped.
pub(super) fn take_text(input: &mut Utf8<'_>, into: &mut String, limit: usize) -> io::Result<()> {
    let mut raw = Vec::new();
    loop {
        let room = limit.saturating_sub(into.len());
        raw.clear();
        take_until_tag(input, &mut raw, room)?;
        into.push_str(&unescaped(&String::from_utf8_lossy(&raw)));
        if input.peek(CDATA.len())? != CDATA {
            return Ok(());
        }
        input.consume(CDATA.len());
        raw.clear();
        take_cdata(input, &mut raw, room)?;
        into.push_str(&String::from_utf8_lossy(&raw));
    }
}

fn take_until_tag(input: &mut Utf8<'_>, raw: &mut Vec<u8>, limit: usize) -> io::Result<()> {
    loop {
        input.refill();
        let ready = input.fill_buf()?;
        let end = ready.iter().position(|byte| *byte == b'<');
        let text = ready.get(..end.unwrap_or(ready.len())).unwrap_or_default();
        keep(raw, text, limit);
        let taken = text.len();
        input.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(());
        }
    }
}

fn take_cdata(input: &mut Utf8<'_>, raw: &mut Vec<u8>, limit: usize) -> io::Result<()> {
    const END: &[u8] = b"]]>";
    loop {
        input.refill();
        let ready = input.fill_buf()?;
        let end = ready.iter().position(|byte| *byte == b']');
        let text = ready.get(..end.unwrap_or(ready.len())).unwrap_or_default();
        keep(raw, text, limit);
        let taken = text.len();
        input.consume(taken);
        if end.is_none() {
            if taken == 0 {
                return Ok(());
            }
            continue;
        }
        if input.peek(END.len())? == END {
            input.consume(END.len());
            return Ok(());
        }
        keep(raw, b"]", limit);
        input.consume(1);
    }
}

fn keep(raw: &mut Vec<u8>, text: &[u8], limit: usize) {
    let room = limit.saturating_sub(raw.len());
    raw.extend_from_slice(text.get(..room).unwrap_or(text));
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[test]
    fn attributes_of_any_writing() {
        let all = |raw| attributes(raw).collect::<Vec<_>>();
        assert_eq!(
            all(" name=\"a 'b'\"\n\tclass = 'c=\"d\"' e=\"\" "),
            [("name", "a 'b'"), ("class", "c=\"d\""), ("e", "")]
        );
        for nothing in ["", " ", "name", "name=", "name=a", "name='a"] {
            assert_eq!(all(nothing), [], "{nothing}");
        }
    }
}
