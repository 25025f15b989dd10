//! What a test run printed, kept in bounded memory.

/// How much of the start of the output is kept for reading results from it.
const HEAD_KEPT: usize = 1 << 20;
/// How much of its end is kept.
const TAIL_KEPT: usize = 3 << 20;
/// The longest line shown while the tests run.
const LIVE_LINE: usize = 512;

/// Collects output chunk by chunk: the beginning, the end, and how much was between them.
#[derive(Debug)]
pub(super) struct Output {
    head: Vec<u8>,
    tail: Vec<u8>,
    dropped: u64,
    head_limit: usize,
    tail_limit: usize,
    line: Vec<u8>,
}

impl Default for Output {
    fn default() -> Output {
        Output::with_limits(HEAD_KEPT, TAIL_KEPT)
    }
}

impl Output {
    fn with_limits(head_limit: usize, tail_limit: usize) -> Output {
        Output {
            head: Vec::new(),
            tail: Vec::new(),
            dropped: 0,
            head_limit,
            tail_limit,
            line: Vec::new(),
        }
    }

    /// Adds what was read, and gives the last line that is not empty to `on_line`.
    pub(super) fn push(&mut self, chunk: &[u8], on_line: &mut dyn FnMut(&str)) {
        self.keep(chunk);
        self.show_last_line(chunk, on_line);
    }

    fn keep(&mut self, chunk: &[u8]) {
        let room = self.head_limit - self.head.len();
        let (first, rest) = chunk.split_at(room.min(chunk.len()));
        self.head.extend_from_slice(first);
        self.tail.extend_from_slice(rest);
        // Twice the limit before anything moves, so that each byte is moved at most once.
        if self.tail.len() > 2 * self.tail_limit {
            self.trim_tail();
        }
    }

    fn trim_tail(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
        self.dropped += surplus as u64;
    }

    fn show_last_line(&mut self, chunk: &[u8], on_line: &mut dyn FnMut(&str)) {
        // A carriage return ends a line too: progress bars draw over themselves.
        let mut pieces = chunk.rsplit(|byte| matches!(byte, b'\n' | b'\r'));
        let unfinished = pieces.next().unwrap_or_default();
        let finished = pieces.by_ref().find(|piece| !piece.trim_ascii().is_empty());
        let is_first_line = finished.is_some() && pieces.next().is_none();
        if let Some(piece) = finished {
            if !is_first_line {
                self.line.clear();
            }
            self.append_to_line(piece);
        }
        if !self.line.trim_ascii().is_empty() && chunk.len() != unfinished.len() {
            on_line(String::from_utf8_lossy(&self.line).trim());
        }
        if chunk.len() != unfinished.len() {
            self.line.clear();
        }
        self.append_to_line(unfinished);
    }

    fn append_to_line(&mut self, bytes: &[u8]) {
        let room = LIVE_LINE.saturating_sub(self.line.len());
        self.line
            .extend_from_slice(bytes.split_at(room.min(bytes.len())).0);
    }

    /// The text as far as it was kept, and whether that is all of it.
    pub(super) fn into_text(mut self) -> Text {
        self.trim_tail();
        let complete = self.dropped == 0;
        if complete {
            self.head.append(&mut self.tail);
            return Text {
                text: lossy(self.head),
                complete,
            };
        }
        let mut text = lossy(self.head);
        text.push_str(&left_out(self.dropped));
        text.push_str(&lossy(self.tail));
        Text { text, complete }
    }
}

/// The output of a run as text.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// What was kept; bytes that are not UTF-8 are replaced.
    pub(super) text: String,
    /// Whether nothing is missing in the middle.
    pub(super) complete: bool,
}

/// The beginning and the end of `text`, for people and for the record.
pub(super) fn head_and_tail(text: String, head: usize, tail: usize) -> String {
    if text.len() <= head + tail {
        return text;
    }
    let head_end = text.floor_char_boundary(head);
    let tail_start = text.ceil_char_boundary(text.len() - tail);
    let (start, rest) = text.split_at(head_end);
    let (middle, end) = rest.split_at(tail_start - head_end);
    format!("{start}{}{end}", left_out(middle.len() as u64))
}

fn left_out(bytes: u64) -> String {
    format!("\n[… {bytes} bytes left out …]\n")
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(chunks: &[&str]) -> (String, bool, Vec<String>) {
        let mut output = Output::with_limits(4, 4);
        let mut lines = Vec::new();
        for chunk in chunks {
            output.push(chunk.as_bytes(), &mut |line| lines.push(line.to_owned()));
        }
        let text = output.into_text();
        (text.text, text.complete, lines)
    }

    #[test]
    fn short_output_is_kept_whole() {
        assert_eq!(collect(&["abc", "defgh"]).0, "abcdefgh");
        assert!(collect(&["abc", "defgh"]).1);
    }

    #[test]
    fn long_output_keeps_both_ends_and_says_what_is_missing() {
        let (text, complete, _) = collect(&["0123", "456", "789ab", "cdef", "ghij"]);
        assert_eq!(text, "0123\n[… 12 bytes left out …]\nghij");
        assert!(!complete);
    }

    #[test]
    fn the_live_line_is_the_last_finished_one_of_each_chunk() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["one\ntwo\n"], &["two"]),
            (&["o", "ne\n"], &["one"]),
            (&["one\ntw", "o\n"], &["one", "two"]),
            (&["one\n\n\n"], &["one"]),
            (&["10%\r20%\r"], &["20%"]),
            (&["par", "tial"], &[]),
        ];
        for (chunks, lines) in cases {
            assert_eq!(collect(chunks).2, lines, "{chunks:?}");
        }
    }

    #[test]
    fn a_line_without_end_does_not_grow() {
        let mut output = Output::default();
        for _ in 0..10 {
            output.push(&[b'x'; 1000], &mut |_| {});
        }
        assert_eq!(output.line.len(), LIVE_LINE);
    }

    #[test]
    fn head_and_tail_cut_at_characters() {
        let text = "ééééé".to_owned();
        assert_eq!(
            head_and_tail(text.clone(), 3, 3),
            "é\n[… 6 bytes left out …]\né"
        );
        assert_eq!(head_and_tail(text.clone(), 5, 5), text);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let mut output = Output::default();
        output.push(b"a\xffb", &mut |_| {});
        assert_eq!(output.into_text().text, "a\u{fffd}b");
    }
}
