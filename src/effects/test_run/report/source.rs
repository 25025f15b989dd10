//! Reading a report in bounded memory: lines of bounded length, and bytes that are always UTF-8.

use std::io::{self, BufRead, Read};

/// Longer lines are cut; the rest of them is skipped.
const LINE_BYTES: usize = 4 << 20;

/// Reads lines; one that is too long is cut, bytes that are no UTF-8 become replacement characters.
pub(super) struct Lines<'a> {
    input: &'a mut dyn BufRead,
    bytes: Vec<u8>,
    text: String,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead) -> Self {
        Lines {
            input,
            bytes: Vec::new(),
            text: String::new(),
        }
    }

    /// The next line without its end, or none at the end of the input.
    pub(super) fn next_line(&mut self) -> io::Result<Option<&str>> {
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
const BUFFER_BYTES: usize = 64 << 10;

/// Passes a stream on as UTF-8, and ends it with an error when one piece of it takes too many bytes.
pub(super) struct Utf8<'a> {
    input: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    /// Where what was not consumed begins, where what is known to be UTF-8 ends, where the bytes end.
    from: usize,
    valid: usize,
    filled: usize,
    at_end: bool,
    budget: usize,
}

impl<'a> Utf8<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead) -> Self {
        Utf8 {
            input,
            buffer: vec![0; BUFFER_BYTES],
            from: 0,
            valid: 0,
            filled: 0,
            at_end: false,
            budget: TAG_BYTES,
        }
    }

    /// Grants the next piece its bytes.
    pub(super) fn refill(&mut self) {
        self.budget = TAG_BYTES;
    }

    /// Up to `count` of the next bytes; less only at the end.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.valid - self.from < count && !self.at_end {
            self.read_more()?;
        }
        let to = self.valid.min(self.from + count);
        Ok(self.buffer.get(self.from..to).unwrap_or_default())
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.from..self.filled, 0);
        self.filled -= self.from;
        self.valid -= self.from;
        self.from = 0;
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let read = self.input.read(room)?;
        self.at_end = read == 0;
        self.filled += read;
        self.make_valid();
        Ok(())
    }

    /// Replaces what is no UTF-8; a character that is cut in two by the end of the buffer waits there.
    fn make_valid(&mut self) {
        while let Some(fresh) = self.buffer.get_mut(self.valid..self.filled) {
            let Err(error) = std::str::from_utf8(fresh) else {
                self.valid = self.filled;
                return;
            };
            let at = error.valid_up_to();
            let bad = match error.error_len() {
                Some(bad) => bad,
                None if self.at_end => fresh.len() - at,
                None => {
                    self.valid += at;
                    return;
                }
            };
            if let Some(bytes) = fresh.get_mut(at..at + bad) {
                bytes.fill(b'?');
            }
            self.valid += at + bad;
        }
    }
}

impl Read for Utf8<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let read = ready.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Utf8<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.budget == 0 {
            return Err(io::Error::other("a tag is too long"));
        }
        if self.from == self.valid {
            self.peek(1)?;
        }
        Ok(self.buffer.get(self.from..self.valid).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.budget = self.budget.saturating_sub(amount);
        self.from = self.valid.min(self.from + amount);
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

    #[test]
    fn every_buffer_size_gives_the_same_text() {
        let text = "naïve ☃ 日本 🎉 end";
        for size in 1..12 {
            let mut input = BufReader::with_capacity(size, Trickle(text.as_bytes()));
            let mut read = String::new();
            Utf8::new(&mut input)
                .read_to_string(&mut read)
                .expect("it is UTF-8");
            assert_eq!(read, text, "buffer of {size}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        for size in 1..6 {
            let mut input = BufReader::with_capacity(size, Trickle(b"a\xffb\xe2\x98"));
            let mut read = String::new();
            Utf8::new(&mut input)
                .read_to_string(&mut read)
                .expect("it is made UTF-8");
            assert_eq!(read, "a?b??");
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
