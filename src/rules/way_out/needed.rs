//! Does any test need what was added?
//!
//! All that is still open is hollow at once. Failing tests show the numbers they ran into: these
//! functions get their bodies back, and the rest is asked again, until a run passes with all the rest
//! hollow. Changed tests are asked first, the suite only about what is open then.

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::{NoAnswer, Said, TestId};
use super::super::facts::Form;
use super::asking::{Look, Row, ask, look_at};
use super::facts::{Aim, Answer, Body, Number, Question, Range};
use super::report::{Gap, Need};
use super::whole::Works;

/// What is added is asked about at most this often.
pub const MOST_ROUNDS: u32 = 10;

/// Numbers, each with the tests that ran into it.
type By = BTreeMap<Number, BTreeSet<TestId>>;

/// What is known of the functions so far.
struct Needed<'a, 'r> {
    range: &'a Range<'r>,
    works: &'a Works,
    round: u32,
    /// Tests show that these are called.
    called: By,
    /// Tests fail without these, and do not show it.
    needed: By,
    unknown: BTreeMap<Number, Gap>,
}

/// What one run with hollow functions says.
enum Shows {
    /// Tests ran into these.
    Numbers(By),
    /// Tests fail, and do not show of what.
    Fails(BTreeSet<TestId>),
    /// Everything passes with these hollow.
    Passes(BTreeSet<Number>),
    /// Nothing.
    Nothing(Gap),
}

/// Whether a test needs each function that has code.
pub(super) fn judge(range: &Range<'_>, works: &Works) -> Row<BTreeMap<Number, Need>> {
    let code = range
        .functions
        .iter()
        .filter(|function| match function.body {
            Body::Code => true,
            Body::Stub | Body::Declares => false,
        });
    let all: BTreeSet<Number> = code.map(|function| function.number).collect();
    let mut needed = Needed {
        range,
        works,
        round: 0,
        called: By::new(),
        needed: By::new(),
        unknown: BTreeMap::new(),
    };
    let touched: BTreeSet<TestId> = (range.touched.intersection(&works.passing))
        .cloned()
        .collect();
    let is_aimed = range.can.aim && !touched.is_empty();
    let open = match is_aimed {
        true => needed.ask_all(all.clone(), &Aim::Tests(touched))?,
        false => all.clone(),
    };
    let untested = needed.ask_all(open, &Aim::Suite)?;
    let mut checked = needed.checked()?;
    if is_aimed {
        checked.by_others = needed.checked_by_others(&checked)?;
    }
    let need = |number| {
        let need = if untested.contains(&number) {
            Need::Untested
        } else {
            needed.need(number, &checked)
        };
        (number, need)
    };
    Ok(all.into_iter().map(need).collect())
}

impl Needed<'_, '_> {
    /// Asks some tests about functions; those without which all of them pass.
    fn ask_all(&mut self, open: BTreeSet<Number>, aim: &Aim) -> Row<BTreeSet<Number>> {
        let mut unneeded = BTreeSet::new();
        let mut groups = vec![open];
        while let Some(group) = groups.pop() {
            if group.is_empty() {
                continue;
            }
            match self.ask(&group, aim)? {
                Shows::Numbers(shown) => {
                    let rest = (group.iter()).filter(|number| !shown.contains_key(number));
                    groups.push(rest.copied().collect());
                    for (number, tests) in shown {
                        self.called.entry(number).or_default().extend(tests);
                    }
                }
                Shows::Passes(hollowed) => {
                    self.give_up(group.difference(&hollowed), gap(NoAnswer::NotHollow));
                    unneeded.extend(hollowed);
                }
                // Which of them it is, is asked half by half.
                Shows::Fails(_) | Shows::Nothing(Gap::NoAnswer(NoAnswer::NotHollow))
                    if group.len() > 1 =>
                {
                    groups.extend(halves(group));
                }
                Shows::Fails(tests) => {
                    self.needed
                        .extend(group.into_iter().map(|number| (number, tests.clone())));
                }
                // The suite may come further.
                Shows::Nothing(Gap::NotRun) if *aim != Aim::Suite => unneeded.extend(group),
                Shows::Nothing(why) => self.give_up(group.iter(), why),
            }
        }
        Ok(unneeded)
    }

    fn give_up<'n>(&mut self, numbers: impl Iterator<Item = &'n Number>, why: Gap) {
        self.unknown.extend(numbers.map(|number| (*number, why)));
    }

    fn ask(&mut self, group: &BTreeSet<Number>, aim: &Aim) -> Row<Shows> {
        if self.round >= MOST_ROUNDS {
            return Ok(Shows::Nothing(Gap::Rounds));
        }
        self.round += 1;
        let question = Question::Needed {
            round: self.round,
            form: Form::NotImplemented,
            wide: *aim == Aim::Suite,
        };
        let answer = ask(self.range, question, aim.clone(), group)?;
        Ok(self.shows(&answer, group))
    }

    fn shows(&self, answer: &Answer, group: &BTreeSet<Number>) -> Shows {
        if let Said::Nothing(why) = answer.said {
            return Shows::Nothing(gap(why));
        }
        let mut shown = By::new();
        let mut failing = BTreeSet::new();
        let mut ran = 0;
        let mut is_cut_off = false;
        for id in &self.works.passing {
            let Some(test) = answer.tests.get(id) else {
                continue;
            };
            ran += 1;
            match look_at(test) {
                Look::Passed => {}
                Look::Failed | Look::CantLoad => {
                    failing.insert(id.clone());
                    for number in test.shows.intersection(group) {
                        shown.entry(*number).or_default().insert(id.clone());
                    }
                }
                Look::NotRun | Look::Nothing(_) => is_cut_off = true,
            }
        }
        let hollowed: BTreeSet<Number> = answer.hollowed.intersection(group).copied().collect();
        if !shown.is_empty() {
            Shows::Numbers(shown)
        } else if !failing.is_empty() {
            Shows::Fails(failing)
        } else if hollowed.is_empty() {
            Shows::Nothing(gap(NoAnswer::NotHollow))
        } else if matches!(answer.said, Said::Unloadable { .. }) {
            Shows::Nothing(Gap::CantLoad)
        } else if ran == 0 || is_cut_off {
            Shows::Nothing(Gap::NotRun)
        } else {
            Shows::Passes(hollowed)
        }
    }

    /// The called functions with an empty value: those that were asked so, and the tests that fail.
    fn checked(&mut self) -> Row<Checked> {
        let none = Checked::default();
        if self.called.is_empty() {
            return Ok(none);
        }
        let tests: BTreeSet<TestId> = self.called.values().flatten().cloned().collect();
        let numbers: BTreeSet<Number> = self.called.keys().copied().collect();
        let question = Question::Needed {
            round: self.round + 1,
            form: Form::Empty,
            wide: false,
        };
        let answer = ask(self.range, question, Aim::Tests(tests), &numbers)?;
        let ended = |wanted: fn(Look) -> bool| {
            let tests = answer.tests.iter().filter(|(_, ran)| wanted(look_at(ran)));
            tests.map(|(id, _)| id.clone()).collect()
        };
        Ok(match answer.said {
            Said::Nothing(_) | Said::Unloadable { .. } => none,
            Said::Tests { .. } => Checked {
                passing: ended(|look| look == Look::Passed),
                failing: ended(|look| matches!(look, Look::Failed | Look::CantLoad)),
                hollowed: answer.hollowed.clone(),
                by_others: None,
            },
        })
    }

    /// What changed tests call and do not check, others may check: the suite is asked.
    fn checked_by_others(&self, checked: &Checked) -> Row<Option<Others>> {
        let unchecked = self.called.iter().filter(|(number, tests)| {
            matches!(checked.need(**number, tests), Need::CalledNotChecked(_))
        });
        let numbers: BTreeSet<Number> = unchecked.map(|(number, _)| *number).collect();
        if numbers.is_empty() {
            return Ok(None);
        }
        let question = Question::Needed {
            round: self.round + 2,
            form: Form::Empty,
            wide: true,
        };
        let answer = ask(self.range, question, Aim::Suite, &numbers)?;
        let fails = |id: &&TestId| {
            let ran = answer.tests.get(*id);
            ran.is_some_and(|ran| matches!(look_at(ran), Look::Failed | Look::CantLoad))
        };
        Ok(Some(match answer.said {
            Said::Nothing(why) => Others::Nothing(gap(why)),
            Said::Unloadable { .. } | Said::Tests { .. } => {
                Others::Failing(self.works.passing.iter().filter(fails).cloned().collect())
            }
        }))
    }

    fn need(&self, number: Number, checked: &Checked) -> Need {
        if let Some(tests) = self.called.get(&number) {
            return match (checked.need(number, tests), &checked.by_others) {
                (Need::CalledNotChecked(_), Some(Others::Failing(by))) if !by.is_empty() => {
                    Need::Needed(by.clone())
                }
                (Need::CalledNotChecked(_), Some(Others::Nothing(why))) => Need::Unknown(*why),
                (need, _) => need,
            };
        }
        match (self.needed.get(&number), self.unknown.get(&number)) {
            (Some(tests), _) => Need::Needed(tests.clone()),
            (None, Some(gap)) => Need::Unknown(*gap),
            (None, None) => Need::Unknown(Gap::NothingMeasured),
        }
    }
}

/// What the tests say of called functions with an empty value.
#[derive(Default)]
struct Checked {
    passing: BTreeSet<TestId>,
    failing: BTreeSet<TestId>,
    hollowed: BTreeSet<Number>,
    by_others: Option<Others>,
}

/// What the suite says of functions that changed tests call and do not check.
enum Others {
    /// These tests fail; none if nobody checks them.
    Failing(BTreeSet<TestId>),
    /// It could not be asked.
    Nothing(Gap),
}

impl Checked {
    /// A test that calls a function and passes with an empty value does not check it.
    fn need(&self, number: Number, tests: &BTreeSet<TestId>) -> Need {
        let checking: BTreeSet<TestId> = tests.intersection(&self.failing).cloned().collect();
        if !checking.is_empty() {
            Need::Needed(checking)
        } else if self.hollowed.contains(&number) && tests.is_subset(&self.passing) {
            Need::CalledNotChecked(tests.clone())
        } else {
            Need::Needed(tests.clone())
        }
    }
}

fn gap(why: NoAnswer) -> Gap {
    Gap::NoAnswer(why)
}

fn halves(group: BTreeSet<Number>) -> [BTreeSet<Number>; 2] {
    let middle = group.len() / 2;
    let (first, second) = (group.iter()).enumerate().fold(
        (BTreeSet::new(), BTreeSet::new()),
        |(mut first, mut second), (at, number)| {
            match at < middle {
                true => first.insert(*number),
                false => second.insert(*number),
            };
            (first, second)
        },
    );
    [first, second]
}
