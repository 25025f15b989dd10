//! The tests of one run, in little memory.

use std::ops::Range;

use crate::rules::verdict::TestStatus;

/// One test of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestCase<'a> {
    /// Stable and unique: file or suite, and name; later tests of the same name are numbered (` #2`).
    pub id: &'a str,
    /// The file it lives in, if the report says so.
    pub file: Option<&'a str>,
    /// How it ended.
    pub status: TestStatus,
    /// It failed in a way that proves nothing about what it tests: set-up or tear-down failed, it timed
    /// out, crashed, left early, was cancelled, or passed though it was marked as failing.
    pub inconclusive: bool,
    /// The first lines of the failure.
    pub message: &'a str,
}

/// The tests of a run, in the order they were told of.
///
/// A large run is mostly passed tests that have a name and nothing more: names lie in a few large texts,
/// and what few tests have is kept apart. Nothing moves when more tests come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tests {
    /// All but the last are full.
    blocks: Vec<Block>,
    details: Vec<Detail>,
}

/// How many tests share a text for their names.
const IN_A_BLOCK: usize = 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Block {
    ids: String,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    id_end: usize,
    /// The place of its details plus one; zero if it has none.
    detail: u32,
    status: TestStatus,
    inconclusive: bool,
}

/// What few tests have. Tests that are told of one after the other may share it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Detail {
    file: Option<String>,
    message: String,
}

impl Tests {
    /// How many there are.
    pub fn len(&self) -> usize {
        let full = self.blocks.len().saturating_sub(1) * IN_A_BLOCK;
        full + self.blocks.last().map_or(0, |last| last.entries.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = TestCase<'_>> {
        self.blocks.iter().flat_map(move |block| {
            let mut start = 0;
            block.entries.iter().map(move |entry| {
                let id = start..entry.id_end;
                start = entry.id_end;
                self.case(block, id, entry)
            })
        })
    }

    /// The test at a place of the list.
    pub fn get(&self, at: usize) -> Option<TestCase<'_>> {
        let block = self.blocks.get(at / IN_A_BLOCK)?;
        let at = at % IN_A_BLOCK;
        let entry = block.entries.get(at)?;
        let before = at.checked_sub(1).and_then(|at| block.entries.get(at));
        let start = before.map_or(0, |before| before.id_end);
        Some(self.case(block, start..entry.id_end, entry))
    }

    /// The test that was taken last.
    pub fn last(&self) -> Option<TestCase<'_>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Takes a test.
    pub fn push(&mut self, test: TestCase<'_>) {
        let detail = self.detail(test.file, test.message);
        let block = self.block_with_room();
        block.ids.push_str(test.id);
        block.entries.push(Entry {
            id_end: block.ids.len(),
            detail,
            status: test.status,
            inconclusive: test.inconclusive,
        });
    }

    /// Says anew how a test ended.
    pub fn set_outcome(&mut self, at: usize, status: TestStatus, inconclusive: bool) {
        if let Some(entry) = self.entry(at) {
            entry.status = status;
            entry.inconclusive = inconclusive;
        }
    }

    /// Says anew why a test failed.
    pub fn set_message(&mut self, at: usize, message: &str) {
        let file = self.get(at).and_then(|test| test.file).map(str::to_owned);
        let detail = self.detail(file.as_deref(), message);
        if let Some(entry) = self.entry(at) {
            entry.detail = detail;
        }
    }

    fn entry(&mut self, at: usize) -> Option<&mut Entry> {
        let block = self.blocks.get_mut(at / IN_A_BLOCK)?;
        block.entries.get_mut(at % IN_A_BLOCK)
    }

    fn case<'a>(&'a self, block: &'a Block, id: Range<usize>, entry: &Entry) -> TestCase<'a> {
        let place = (entry.detail as usize).checked_sub(1);
        let detail = place.and_then(|place| self.details.get(place));
        TestCase {
            id: block.ids.get(id).unwrap_or_default(),
            file: detail.and_then(|detail| detail.file.as_deref()),
            status: entry.status,
            inconclusive: entry.inconclusive,
            message: detail.map_or("", |detail| &detail.message),
        }
    }

    fn block_with_room(&mut self) -> &mut Block {
        let is_full = |last: &Block| last.entries.len() == IN_A_BLOCK;
        if self.blocks.last().is_none_or(is_full) {
            // The names of the next ones are about as long.
            let room = self.blocks.last().map(|last| last.ids.len() * 9 / 8);
            self.blocks.push(Block {
                ids: String::with_capacity(room.unwrap_or_default()),
                entries: Vec::with_capacity(room.map_or(0, |_| IN_A_BLOCK)),
            });
        }
        self.blocks
            .last_mut()
            .expect("a block was added if there was none")
    }

    fn detail(&mut self, file: Option<&str>, message: &str) -> u32 {
        if file.is_none() && message.is_empty() {
            return 0;
        }
        let is_last = |last: &Detail| last.file.as_deref() == file && last.message == message;
        if !self.details.last().is_some_and(is_last) {
            self.details.push(Detail {
                file: file.map(str::to_owned),
                message: message.to_owned(),
            });
        }
        // There are never so many that they can't be numbered: their memory alone forbids it.
        u32::try_from(self.details.len()).unwrap_or(0)
    }
}

#[cfg(test)]
impl Tests {
    /// What tests of readers ask for most.
    pub(crate) fn statuses(&self) -> Vec<(&str, TestStatus)> {
        self.iter().map(|test| (test.id, test.status)).collect()
    }
}

impl<'a> Extend<TestCase<'a>> for Tests {
    fn extend<I: IntoIterator<Item = TestCase<'a>>>(&mut self, tests: I) {
        tests.into_iter().for_each(|test| self.push(test));
    }
}

impl<'a> FromIterator<TestCase<'a>> for Tests {
    fn from_iter<I: IntoIterator<Item = TestCase<'a>>>(tests: I) -> Tests {
        let mut all = Tests::default();
        all.extend(tests);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::Cause;

    fn case<'a>(id: &'a str, file: Option<&'a str>, message: &'a str) -> TestCase<'a> {
        TestCase {
            id,
            file,
            status: TestStatus::Failed(Cause::Assertion),
            inconclusive: false,
            message,
        }
    }

    #[test]
    fn what_was_taken_is_given_back() {
        let all = [
            case("a", None, ""),
            case("", Some("f"), "why"),
            case("b", Some("f"), ""),
            case("ü", Some("g"), "because"),
            case("c", Some("f"), "why"),
            case("d", Some(""), ""),
        ];
        let many = all.iter().copied().cycle().take(IN_A_BLOCK * 2 + 5);
        let tests: Tests = many.clone().collect();
        assert!(tests.iter().eq(many.clone()));
        for (at, test) in many.enumerate() {
            assert_eq!(tests.get(at), Some(test));
            let so_far: Tests = tests.iter().take(at + 1).collect();
            assert_eq!((so_far.len(), so_far.last()), (at + 1, Some(test)));
        }
        assert_eq!(tests.get(tests.len()), None);
        assert!(Tests::default().is_empty() && Tests::default().last().is_none());
    }

    #[test]
    fn what_is_said_anew_is_said_of_one_test() {
        let mut tests: Tests = [case("a", None, "old"), case("b", None, "old")]
            .into_iter()
            .collect();
        tests.set_outcome(1, TestStatus::Passed, true);
        tests.set_message(1, "new");
        tests.set_message(7, "nobody's");
        assert_eq!(tests.get(0), Some(case("a", None, "old")));
        let anew = TestCase {
            status: TestStatus::Passed,
            inconclusive: true,
            ..case("b", None, "new")
        };
        assert_eq!(tests.get(1), Some(anew));
    }
}
