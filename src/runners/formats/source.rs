//! Reading a report in bounded memory: lines of bounded length, and bytes that are always UTF-8.

use std::io::{self, BufRead, Read};

/// Longer lines are cut; the rest of them is skipped.
const LINE_BYTES: usize = 4 << 20;

/// Reads lines; one that is too long is cut, bytes that are no UTF-8 become replacement characters.
pub(crate) struct Lines<'a> {
    input: &'a mut dyn BufRead,
    bytes: Vec<u8>,
    text: String,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(input: &'a mut dyn BufRead) -> Self {
        Lines {
            input,
            bytes: Vec::new(),
            text: String::new(),
        }
    }

    /// The next line without its end, or none at the end of the input.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<&str>> {
        self.bytes.clear();
        let mut limited = Read::take(&mut *self.input, LINE_BYTES as u64);
        if limited.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        if self.bytes.last() == Some(&b'\n') {
            self.bytes.pop();
        } else if self.bytes.len() >= LINE_BYTES {
            self.input.skip_until(b'\n')?;
        }
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        self.text.clear();
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(&self.bytes)),
        }
        Ok(Some(&self.text))
    }
}

/// One tag or comment may not be longer.
const TAG_BYTES: usize = 16 << 20;
const CHUNK_BYTES: usize = 64 << 10;

/// A stream as UTF-8, one chunk after the other; what was not used of a chunk begins the next one.
pub(crate) struct Chunks<'a> {
    input: &'a mut dyn BufRead,
    text: String,
    /// The beginning of a character whose rest has not come.
    cut: Vec<u8>,
    at_end: bool,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(input: &'a mut dyn BufRead) -> Self {
        Chunks {
            input,
            text: String::with_capacity(2 * CHUNK_BYTES),
            cut: Vec::new(),
            at_end: false,
        }
    }

    /// The text at hand, and whether no more will come.
    pub(crate) fn chunk(&self) -> (&str, bool) {
        (&self.text, self.at_end)
    }

    /// Drops the first bytes and reads on; false if what is left is too long to be one piece.
    pub(crate) fn advance(&mut self, used: usize) -> io::Result<bool> {
        self.text.drain(..self.text.floor_char_boundary(used));
        // What is not yet whole is looked at again only when there is twice as much of it.
        let before = self.text.len();
        while self.text.len() <= before * 2 && !self.at_end {
            if self.text.len() >= TAG_BYTES {
                return Ok(false);
            }
            self.read_more()?;
        }
        Ok(true)
    }

    fn read_more(&mut self) -> io::Result<()> {
        let fresh = match self.input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            fresh => fresh?,
        };
        let fresh = fresh.get(..CHUNK_BYTES).unwrap_or(fresh);
        let count = fresh.len();
        self.at_end = count == 0;
        if self.cut.is_empty() {
            self.cut = take_text(&mut self.text, fresh, self.at_end).to_vec();
        } else {
            self.cut.extend_from_slice(fresh);
            let bytes = std::mem::take(&mut self.cut);
            self.cut = take_text(&mut self.text, &bytes, self.at_end).to_vec();
        }
        self.input.consume(count);
        Ok(())
    }
}

/// Appends bytes as text, with replacement characters for what is no UTF-8; gives back the beginning of a
/// character that is cut off by their end.
fn take_text<'a>(text: &mut String, bytes: &'a [u8], at_end: bool) -> &'a [u8] {
    let mut rest = bytes;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return &[];
            }
            Err(error) => error,
        };
        let (valid, after) = rest.split_at(error.valid_up_to());
        text.push_str(&String::from_utf8_lossy(valid));
        if error.error_len().is_none() && !at_end {
            return after;
        }
        text.push(char::REPLACEMENT_CHARACTER);
        let bad = error.error_len().unwrap_or(after.len());
        rest = after.get(bad..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Gives at most three bytes at a time, as a pipe may.
    struct Trickle(&'static [u8]);

    impl Read for Trickle {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = into.len().min(3);
            self.0.read(&mut into[..count])
        }
    }

    /// All of a stream, by at most five bytes a chunk.
    fn all(input: &mut dyn BufRead) -> String {
        let mut chunks = Chunks::new(input);
        let mut text = Vec::new();
        loop {
            let (chunk, is_last) = chunks.chunk();
            let used = &chunk.as_bytes()[..chunk.len().min(5)];
            if used.is_empty() && is_last {
                return String::from_utf8(text).expect("it is made UTF-8");
            }
            text.extend_from_slice(used);
            let used = used.len();
            assert!(chunks.advance(used).expect("memory can be read"));
        }
    }

    #[test]
    fn a_piece_may_be_longer_than_a_chunk_but_not_endless() {
        let mut long = io::repeat(b'x').take(TAG_BYTES as u64 * 3);
        let mut input = BufReader::new(&mut long);
        let mut chunks = Chunks::new(&mut input);
        while chunks.advance(0).expect("memory can be read") {}
        let (chunk, is_last) = chunks.chunk();
        assert_eq!((chunk.len(), is_last), (TAG_BYTES, false));
    }

    #[test]
    fn every_buffer_size_gives_the_same_text() {
        let text = "naïve ☃ 日本 🎉 end";
        for size in 1..12 {
            let mut input = BufReader::with_capacity(size, Trickle(text.as_bytes()));
            assert_eq!(all(&mut input), text, "buffer of {size}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        for size in 1..6 {
            let mut input = BufReader::with_capacity(size, Trickle(b"a\xffb\xe2\x98"));
            assert_eq!(all(&mut input), "a\u{fffd}b\u{fffd}");
        }
    }

    #[test]
    fn lines_are_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; LINE_BYTES + 10];
        text.extend_from_slice(b"\r\nb\xff\r\nc");
        let mut input = &text[..];
        let mut lines = Lines::new(&mut input);
        let mut read = Vec::new();
        while let Some(line) = lines.next_line().expect("memory can be read") {
            read.push(line.to_owned());
        }
        assert_eq!(read[0].len(), LINE_BYTES);
        assert_eq!(&read[1..], ["b\u{fffd}", "c"]);
    }
}
