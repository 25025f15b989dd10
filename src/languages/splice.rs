//! Several edits of a text at once.

use super::syntax::Edit;

/// A text with its edits, and where its places went.
pub(super) struct Spliced {
    pub(super) text: String,
    /// (end of what was replaced, end of what stands there now), in order.
    moves: Vec<(usize, usize, usize)>,
}

impl Spliced {
    /// Where a place of the old text is now, behind what was put there.
    pub(super) fn end_of(&self, at: usize) -> usize {
        self.place(self.moves.partition_point(|(_, end, _)| *end <= at), at)
    }

    /// Where a place of the old text is now, before what was put there.
    pub(super) fn start_of(&self, at: usize) -> usize {
        self.place(self.moves.partition_point(|(start, _, _)| *start < at), at)
    }

    fn place(&self, passed: usize, at: usize) -> usize {
        match passed.checked_sub(1).and_then(|last| self.moves.get(last)) {
            Some((_, end, now)) => now + at.saturating_sub(*end),
            None => at,
        }
    }
}

/// Makes the edits. Where two overlap the first one counts.
pub(super) fn splice(text: &str, mut edits: Vec<Edit>) -> Spliced {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    // What several functions need at the same place is needed there once.
    edits.dedup();
    let mut spliced = Spliced {
        text: String::with_capacity(text.len()),
        moves: Vec::new(),
    };
    let mut at = 0;
    for edit in edits {
        if edit.range.start < at {
            continue;
        }
        let between = text.get(at..edit.range.start).unwrap_or_default();
        spliced.text.push_str(between);
        spliced.text.push_str(&edit.text);
        at = edit.range.end;
        spliced
            .moves
            .push((edit.range.start, edit.range.end, spliced.text.len()));
    }
    spliced.text.push_str(text.get(at..).unwrap_or_default());
    spliced
}
