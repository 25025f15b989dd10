//! What is known of a range of work, what can be asked of it, and what an answer says.

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::{Before, NoAnswer, Said, TestId};
use super::super::facts::Form;
use crate::rules::Cause;

/// The number of a function, as its hollow body says it.
pub type Number = u32;

/// Everything that is known of a range so far: from the tree that it will sit on to its tip. What
/// came by a baseline is left out of all lists.
#[derive(Debug, Clone)]
pub struct Range<'a> {
    /// What has to be proven.
    pub claims: &'a [Claim],
    /// The tests of the old tree that the range does something to, by their old names; those that it
    /// leaves alone only where their result there is known.
    pub old_tests: &'a BTreeMap<TestId, OldTest>,
    /// The results of the old tree are known, test by test.
    pub knows_old_results: bool,
    /// Tests that the range adds or changes, by their names in the final tree.
    pub touched: &'a BTreeSet<TestId>,
    /// Functions, branches and arms that the range adds or changes.
    pub functions: &'a [Function],
    /// Tests that already failed when the work began.
    pub known_failures: &'a BTreeSet<TestId>,
    /// Harness changed: what steers how tests are found and run.
    pub harness_changed: bool,
    /// Source that the range adds names the test library or the runner.
    pub source_names_test_library: bool,
    /// It does something when it is loaded, beside declaring.
    pub acts_at_load: bool,
    /// Tests of the claims that stand in the final tree, and of which its run says nothing at all.
    pub switched_off: &'a BTreeSet<TestId>,
    /// It adds or changes values outside functions: constants, tables.
    pub values_changed: bool,
    /// Some of its source can't be read.
    pub has_unreadable_source: bool,
    /// What can be asked at all.
    pub can: Can,
    /// What has to fail before a run that passes is believed.
    pub control: Option<&'a Control>,
    /// What was asked so far.
    pub answers: &'a BTreeMap<Question, Answer>,
}

/// What can be asked of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Can {
    /// The runner says which tests ran: more than an exit status.
    pub name_tests: bool,
    /// It can be aimed at some tests.
    pub aim: bool,
}

/// A function that is known to be needed, to see whether a hollow body is noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Its number.
    pub number: Number,
    /// Tests that need it.
    pub tests: BTreeSet<TestId>,
}

/// Something that a range says it has done test first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Whose claim it is.
    pub of: Whose,
    /// Its tests, by their names in the final tree: those that a cycle waited for, or all that the
    /// range adds or changes.
    pub tests: BTreeSet<TestId>,
    /// It only declares.
    pub declares_only: bool,
}

/// Whose claim it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// A cycle's that ended green, by its number.
    Cycle(u64),
    /// The range's as one change.
    Range,
}

/// A test of the old tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldTest {
    /// How it stood there.
    pub before: Before,
    /// What the range does to it.
    pub change: Change,
}

/// What a range does to a test of the old tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Same,
    /// Its text differs.
    Changed {
        /// Only by names that the source renamed.
        only_names: bool,
    },
    /// It is not where it was; the same test stands here.
    Moved(TestId),
    /// It has another name; the same test stands here.
    Renamed(TestId),
    /// It has another name and another text; most of it stands here.
    Rewritten(TestId),
    /// It was taken out.
    Removed,
}

/// Something of the source that can be hollow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its number.
    pub number: Number,
    /// Its file.
    pub path: String,
    /// The line where it begins.
    pub line: u32,
    /// Its name.
    pub name: String,
    /// What stands in it.
    pub body: Body,
}

/// What stands in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Body {
    /// Code.
    Code,
    /// Nothing yet: an empty value, or "not implemented".
    Stub,
    /// Nothing ever: a declaration.
    Declares,
}

/// A question about a range. Each is asked at most once, so its answer can be kept under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// The suite on the final tree, from committed files and dependencies alone.
    Whole,
    /// Tests whose result in the old tree is unknown, there.
    Before,
    /// The tests of the final tree, on the old source.
    TestsAlone,
    /// The same, on the new source with hollow bodies.
    Hollow(Form),
    /// As hollow and empty, and what runs while tests load keeps its body.
    Spared,
    /// Tests that the range leaves alone, functions empty that it leaves alone too.
    Unchanged(Version),
    /// Tests and harness as they were, on the final source.
    OldTests,
    /// Changed tests, every function that they reach empty.
    BothEmpty(Version),
    /// The final tree with some of its functions hollow.
    Needed {
        /// Counted from 1.
        round: u32,
        /// What stands in the hollow bodies.
        form: Form,
        /// The suite, not some tests.
        wide: bool,
    },
    /// The final tree with a function hollow that is known to be needed.
    Control,
}

/// Which version: of a changed test, of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// As it was.
    Old,
    /// As it is.
    New,
}

/// A question, and how it is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// The tests it is about.
    pub aim: Aim,
    /// The functions that are hollow in it, where the question is about some; else, if it is about
    /// hollow bodies, all that the range adds.
    pub hollow: BTreeSet<Number>,
}

/// The tests that a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// All of them.
    Suite,
    /// These; where the runner can't be aimed, all are run and these looked at.
    Tests(BTreeSet<TestId>),
}

/// What a run said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the run as a whole said.
    pub said: Said,
    /// The tests of the run, and those it was to have. A test that fails and passes when it is run
    /// again is flaky here.
    pub tests: BTreeMap<TestId, Ran>,
    /// The functions that were hollow indeed.
    pub hollowed: BTreeSet<Number>,
}

impl Answer {
    /// An answer that says nothing.
    pub fn nothing(why: NoAnswer) -> Answer {
        Answer {
            said: Said::Nothing(why),
            tests: BTreeMap::new(),
            hollowed: BTreeSet::new(),
        }
    }
}

/// One test in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// The numbers of hollow functions that its failure shows.
    pub shows: BTreeSet<Number>,
    /// It fails for want of names that the range's source removed.
    pub misses_removed_names: bool,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its expectations held.
    Passed,
    /// It failed once and passed when it was run again.
    Flaky,
    /// It failed.
    Failed(Cause),
    /// It could not be built or loaded.
    CantLoad,
    /// It was left out on purpose.
    Skipped,
    /// It was not run.
    Unknown,
}
