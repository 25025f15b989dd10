//! What may become of a test of the old tree: each story gets its own name, or none.

use proptest::prelude::*;

use super::super::super::answer::{Before, NoAnswer};
use super::*;
use crate::rules::Cause;

const PASSES: End = End::Passed;
const FAILS: End = End::Failed(Cause::Assertion);

/// What happened to a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Story {
    LeftAlone,
    Moved,
    Renamed,
    FollowsNames,
    RemovedWithItsCode,
    Removed,
    Skipped,
    SwitchedOff,
    /// It asks for something else, which the old code does not have.
    Respecified,
    /// The same, in a language where it can't be loaded with the old code.
    RespecifiedUnloadable,
    /// It was made to fit what the code does now, which the old code did, too.
    Loosened,
    /// It checks more, or the same in other words.
    Rewritten,
    /// It did not check much, and still does not.
    StillWeak,
    /// It passes whatever the code does.
    Blunted,
    /// It failed before.
    FailedBefore,
}

impl Story {
    const ALL: [Story; 15] = [
        Story::LeftAlone,
        Story::Moved,
        Story::Renamed,
        Story::FollowsNames,
        Story::RemovedWithItsCode,
        Story::Removed,
        Story::Skipped,
        Story::SwitchedOff,
        Story::Respecified,
        Story::RespecifiedUnloadable,
        Story::Loosened,
        Story::Rewritten,
        Story::StillWeak,
        Story::Blunted,
        Story::FailedBefore,
    ];

    fn change(self, id: &TestId) -> Change {
        match self {
            Story::LeftAlone | Story::SwitchedOff => Change::Same,
            Story::Moved => Change::Moved(elsewhere(id)),
            Story::Renamed => Change::Renamed(elsewhere(id)),
            Story::FollowsNames => Change::Changed { only_names: true },
            Story::RemovedWithItsCode | Story::Removed => Change::Removed,
            Story::Skipped
            | Story::Respecified
            | Story::RespecifiedUnloadable
            | Story::Loosened
            | Story::Rewritten
            | Story::StillWeak
            | Story::Blunted
            | Story::FailedBefore => Change::Changed { only_names: false },
        }
    }

    fn before(self) -> End {
        match self {
            Story::FailedBefore => FAILS,
            Story::LeftAlone
            | Story::Moved
            | Story::Renamed
            | Story::FollowsNames
            | Story::RemovedWithItsCode
            | Story::Removed
            | Story::Skipped
            | Story::SwitchedOff
            | Story::Respecified
            | Story::RespecifiedUnloadable
            | Story::Loosened
            | Story::Rewritten
            | Story::StillWeak
            | Story::Blunted => PASSES,
        }
    }

    /// How the final tree runs it; none if it does not.
    fn whole(self) -> Option<End> {
        match self {
            Story::Moved
            | Story::Renamed
            | Story::RemovedWithItsCode
            | Story::Removed
            | Story::SwitchedOff => None,
            Story::Skipped => Some(End::Skipped),
            Story::LeftAlone
            | Story::FollowsNames
            | Story::Respecified
            | Story::RespecifiedUnloadable
            | Story::Loosened
            | Story::Rewritten
            | Story::StillWeak
            | Story::Blunted
            | Story::FailedBefore => Some(PASSES),
        }
    }

    /// Its new version on the old source.
    fn alone(self) -> End {
        match self {
            Story::Respecified => FAILS,
            Story::RespecifiedUnloadable => End::CantLoad,
            Story::LeftAlone
            | Story::Moved
            | Story::Renamed
            | Story::FollowsNames
            | Story::RemovedWithItsCode
            | Story::Removed
            | Story::Skipped
            | Story::SwitchedOff
            | Story::Loosened
            | Story::Rewritten
            | Story::StillWeak
            | Story::Blunted
            | Story::FailedBefore => PASSES,
        }
    }

    /// Its old version on the new source.
    fn old_version(self) -> End {
        match self {
            Story::RemovedWithItsCode | Story::RespecifiedUnloadable => End::CantLoad,
            Story::Respecified | Story::Loosened | Story::FailedBefore => FAILS,
            Story::LeftAlone
            | Story::Moved
            | Story::Renamed
            | Story::FollowsNames
            | Story::Removed
            | Story::Skipped
            | Story::SwitchedOff
            | Story::Rewritten
            | Story::StillWeak
            | Story::Blunted => PASSES,
        }
    }

    /// With every function empty, in one version or the other.
    fn all_empty(self, version: Version) -> End {
        match (self, version) {
            (Story::StillWeak, _) | (Story::Blunted, Version::New) => PASSES,
            (
                Story::LeftAlone
                | Story::Moved
                | Story::Renamed
                | Story::FollowsNames
                | Story::RemovedWithItsCode
                | Story::Removed
                | Story::Skipped
                | Story::SwitchedOff
                | Story::Respecified
                | Story::RespecifiedUnloadable
                | Story::Loosened
                | Story::Rewritten
                | Story::FailedBefore,
                _,
            )
            | (Story::Blunted, Version::Old) => FAILS,
        }
    }

    fn ends(self, id: &TestId) -> Option<Fate> {
        match self {
            Story::LeftAlone | Story::FailedBefore => None,
            Story::Moved => Some(Fate::Moved(elsewhere(id))),
            Story::Renamed | Story::FollowsNames => Some(Fate::Renamed),
            Story::RemovedWithItsCode => Some(Fate::RemovedWithItsCode),
            Story::Removed | Story::Skipped | Story::SwitchedOff => Some(Fate::Removed),
            Story::Respecified | Story::RespecifiedUnloadable => Some(Fate::Respecified),
            Story::Loosened | Story::Blunted => Some(Fate::Weakened),
            Story::Rewritten | Story::StillWeak => Some(Fate::Kept),
        }
    }
}

fn elsewhere(id: &TestId) -> TestId {
    format!("elsewhere/{id}")
}

/// A range that does these things to tests.
#[derive(Debug, Clone)]
struct Tale {
    stories: BTreeMap<TestId, Story>,
    remembers: bool,
    can_aim: bool,
    harness: bool,
    /// Questions from this one on have no answer.
    answers: usize,
}

impl Tale {
    fn known(&self) -> Known {
        let old = self.stories.iter().map(|(id, story)| {
            let before = match (self.remembers, story.before()) {
                (true, End::Passed) => Before::Passed,
                (true, _) => Before::Failed,
                (false, _) => Before::Unknown,
            };
            let change = story.change(id);
            (id.clone(), OldTest { before, change })
        });
        Known {
            claims: Vec::new(),
            old: old.collect(),
            knows_old: self.remembers,
            touched: BTreeSet::new(),
            functions: Vec::new(),
            harness: self.harness,
            names_library: false,
            acts: false,
            switched_off: BTreeSet::new(),
            values: false,
            unreadable: false,
            can: Can {
                name_tests: true,
                aim: self.can_aim,
            },
            control: None,
        }
    }

    fn answer(&self, ask: &Ask) -> Answer {
        let is_asked = |id: &TestId| match &ask.aim {
            Aim::Suite => true,
            Aim::Tests(tests) => tests.contains(id),
        };
        let mut tests = BTreeMap::new();
        if ask.question == Question::Whole {
            tests.insert("other".to_owned(), ran(PASSES));
        }
        for (id, story) in self.stories.iter().filter(|(id, _)| is_asked(id)) {
            let end = match ask.question {
                Question::Whole => story.whole(),
                Question::Before => Some(story.before()),
                Question::TestsAlone => Some(story.alone()),
                Question::Hollow(_) => Some(FAILS),
                Question::OldTests => Some(story.old_version()),
                Question::BothEmpty(version) => Some(story.all_empty(version)),
                Question::Needed { .. }
                | Question::Control
                | Question::Spared
                | Question::Unchanged(_) => None,
            };
            if let Some(end) = end {
                let misses_removed_names = *story == Story::RemovedWithItsCode;
                let found = Ran {
                    misses_removed_names,
                    ..ran(end)
                };
                tests.insert(id.clone(), found);
            }
            if ask.question == Question::Whole
                && let Change::Moved(to) | Change::Renamed(to) = story.change(id)
            {
                tests.insert(to, ran(PASSES));
            }
        }
        tests_said(tests, BTreeSet::new())
    }
}

fn tale() -> impl Strategy<Value = Tale> {
    let story = prop::sample::select(Story::ALL.to_vec());
    let stories = prop::collection::vec(story, 1..6);
    let bits = any::<[bool; 4]>();
    (stories, bits, 1_usize..12).prop_map(|(stories, bits, answers)| {
        let named = stories.into_iter().enumerate();
        let named = named.map(|(at, story)| (format!("test_{at}"), story));
        Tale {
            stories: named.collect(),
            remembers: bits[0],
            can_aim: bits[1] || bits[2],
            harness: bits[3],
            answers,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn each_story_gets_its_name_or_none(tale in tale()) {
        let mut asked = 0;
        let (report, _) = tale.known().play(|ask| {
            asked += 1;
            match asked <= tale.answers {
                true => tale.answer(ask),
                false => Answer::nothing(NoAnswer::NoTime),
            }
        });
        let has_all_answers = tale.can_aim && asked <= tale.answers;
        for (id, story) in &tale.stories {
            let found = report.old_tests.get(id);
            let expected = story.ends(id);
            let is_unknown = matches!(found, Some(Fate::Unknown(_))) && !has_all_answers;
            prop_assert!(found == expected.as_ref() || is_unknown, "{id}: {story:?} {found:?}");
        }
        prop_assert_eq!(report.refusals(STRICT), []);
    }
}
