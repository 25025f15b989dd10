//! Worlds to play against the rules of a step: every test has a result in every tree, and a player
//! that knows nothing but these answers what is asked.

mod honest;
mod random;

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Answer, Before, Gone, NoAnswer, Outcome, Said, TestFact, TestId};
use super::decision::{Decision, Next};
use super::facts::{Changed, Experiment, Facts, Form, SourceKind, TestsPart};
use super::step;
use crate::rules::{Cause, CycleKind, Phase, RedNeeds};

/// A tree that can be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tree {
    Accepted,
    Alone,
    Empty,
    NotImplemented,
    Whole,
}

impl Tree {
    const ALL: [Tree; 5] = [
        Tree::Accepted,
        Tree::Alone,
        Tree::Empty,
        Tree::NotImplemented,
        Tree::Whole,
    ];
}

/// What becomes of the run of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    Loads,
    Unloadable { parses: bool, missing_package: bool },
    Nothing(NoAnswer),
    BeyondTests,
    Unnamed { confirmed: bool },
}

/// What becomes of a test in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Passes,
    /// Fails, and passes when it is run again.
    FailsOnce,
    Fails(Cause),
    Skips,
    /// The run does not come as far.
    CutOff,
    /// It never ends.
    Hangs,
    NotThere,
}

#[derive(Debug, Clone)]
struct Test {
    touched: bool,
    /// Somebody ran it in the accepted tree.
    is_remembered: bool,
    gone: Gone,
    fates: BTreeMap<Tree, Fate>,
}

/// Everything that is true of a step.
#[derive(Debug, Clone)]
struct World {
    phase: Phase,
    cycle: CycleKind,
    changed: Changed,
    red_needs: RedNeeds,
    can_aim: bool,
    tests_name_what_is_new: bool,
    suite_is_quick: bool,
    /// Only tests changed, no helper or harness: the tests alone can be aimed at.
    has_plain_tests: bool,
    has_lab: bool,
    is_settling: bool,
    tests_came_along: bool,
    awaited: BTreeSet<TestId>,
    known: BTreeSet<TestId>,
    failing_since_fork: BTreeSet<TestId>,
    loads: BTreeMap<Tree, Load>,
    tests: BTreeMap<TestId, Test>,
}

/// How a step was played.
#[derive(Debug, Clone)]
struct Played {
    decision: Decision,
    answers: BTreeMap<Experiment, Answer>,
    /// Runs that cost the suite.
    suites: usize,
}

impl World {
    fn facts<'a>(&'a self, answers: &'a BTreeMap<Experiment, Answer>) -> Facts<'a> {
        Facts {
            phase: self.phase,
            cycle: self.cycle,
            changed: self.changed,
            awaited: &self.awaited,
            known_failures: &self.known,
            failing_since_fork: &self.failing_since_fork,
            red_needs: self.red_needs,
            can_aim: self.can_aim,
            tests_name_what_is_new: self.tests_name_what_is_new,
            suite_is_quick: self.suite_is_quick,
            tests_came_along: self.tests_came_along,
            is_settling: self.is_settling,
            answers,
        }
    }

    /// Answers what is asked until there is a decision.
    fn play(&self) -> Played {
        self.play_by(step::next)
    }

    fn play_by(&self, rules: fn(&Facts<'_>) -> Next) -> Played {
        let mut answers = BTreeMap::new();
        let mut suites = 0;
        loop {
            let next = rules(&self.facts(&answers));
            assert_eq!(next, rules(&self.facts(&answers.clone())));
            match next {
                Next::Ask(experiment) => {
                    suites += usize::from(self.is_suite(experiment));
                    let was = answers.insert(experiment, self.answer(experiment));
                    assert_eq!(was, None, "asked twice");
                }
                Next::AskAgain(experiment) => {
                    suites += usize::from(!self.can_aim);
                    self.run_again(experiment, &mut answers);
                }
                Next::Decide(decision) => {
                    return Played {
                        decision,
                        answers,
                        suites,
                    };
                }
            }
        }
    }

    fn run_again(&self, experiment: Experiment, answers: &mut BTreeMap<Experiment, Answer>) {
        let again = step::to_run_again(&self.facts(answers), experiment);
        assert!(!again.is_empty());
        let answer = answers.get_mut(&experiment).expect("asked before");
        assert!(!answer.ran_again, "run again twice");
        answer.ran_again = true;
        for id in again {
            let fate = self.tests[&id].fates[&self.tree(experiment)];
            let ran = answer.tests.get_mut(&id).expect("it ran");
            match fate {
                Fate::FailsOnce => ran.outcome = Outcome::Flaky,
                Fate::Hangs => ran.outcome = Outcome::Failed(Cause::Error),
                Fate::Passes | Fate::Fails(_) | Fate::Skips | Fate::CutOff | Fate::NotThere => {}
            }
        }
    }

    fn is_suite(&self, experiment: Experiment) -> bool {
        match experiment {
            Experiment::Whole => true,
            Experiment::TestsAlone | Experiment::Hollow(_) => {
                !self.can_aim || !self.has_plain_tests
            }
            Experiment::Awaited | Experiment::Before => !self.can_aim,
        }
    }

    fn is_own_hollow(&self) -> bool {
        self.changed.source.is_its_own_hollow()
    }

    fn tree(&self, experiment: Experiment) -> Tree {
        match experiment {
            Experiment::Whole | Experiment::Awaited => Tree::Whole,
            Experiment::Before => Tree::Accepted,
            Experiment::TestsAlone if self.changed.source == SourceKind::Same => {
                if self.changed.other {
                    Tree::Alone
                } else {
                    Tree::Whole
                }
            }
            Experiment::TestsAlone => Tree::Alone,
            Experiment::Hollow(Form::Empty) if self.is_own_hollow() => Tree::Whole,
            Experiment::Hollow(Form::Empty) => Tree::Empty,
            Experiment::Hollow(Form::NotImplemented) => Tree::NotImplemented,
        }
    }

    fn is_asked(&self, experiment: Experiment, id: &TestId, test: &Test) -> bool {
        match experiment {
            Experiment::Whole => true,
            Experiment::TestsAlone | Experiment::Hollow(_) => {
                test.touched || self.is_suite(experiment)
            }
            Experiment::Awaited => self.awaited.contains(id) || !self.can_aim,
            Experiment::Before => !test.is_remembered || !self.can_aim,
        }
    }

    fn answer(&self, experiment: Experiment) -> Answer {
        let tree = self.tree(experiment);
        if tree != Tree::Whole && !self.has_lab {
            return Answer::nothing(NoAnswer::NoLab);
        }
        let tests = |beyond_tests, confirmed, fails_unnamed| Said::Tests {
            beyond_tests,
            confirmed,
            fails_unnamed,
        };
        let said = match self.loads[&tree] {
            Load::Nothing(why) => return Answer::nothing(why),
            Load::Unloadable {
                parses,
                missing_package,
            } => Said::Unloadable {
                parses,
                missing_package,
            },
            Load::Loads => tests(false, true, false),
            Load::BeyondTests => tests(true, true, false),
            Load::Unnamed { confirmed } => tests(false, confirmed, true),
        };
        let mut answer = Answer {
            said,
            tests: BTreeMap::new(),
            gone: BTreeMap::new(),
            ran_again: false,
        };
        let has_tests = matches!(self.loads[&tree], Load::Loads | Load::BeyondTests);
        let asked = |(id, test): &(&TestId, &Test)| self.is_asked(experiment, id, test);
        for (id, test) in self.tests.iter().filter(asked).filter(|_| has_tests) {
            self.tell(&mut answer, tree, id, test);
        }
        answer
    }

    fn tell(&self, answer: &mut Answer, tree: Tree, id: &TestId, test: &Test) {
        let outcome = match test.fates[&tree] {
            Fate::Passes => Outcome::Passed,
            Fate::FailsOnce => Outcome::Failed(Cause::Error),
            Fate::Fails(cause) => Outcome::Failed(cause),
            Fate::Skips => Outcome::Skipped,
            Fate::CutOff => Outcome::Unknown,
            Fate::Hangs => Outcome::Hung,
            Fate::NotThere if test.before() == Before::Passed => {
                answer.gone.insert(id.clone(), test.gone);
                return;
            }
            Fate::NotThere => return,
        };
        let fact = TestFact {
            outcome,
            before: test.before(),
            touched: test.touched,
        };
        answer.tests.insert(id.clone(), fact);
    }

    /// What is left of the step after a commit of this tree, and what is then remembered.
    fn accept(&mut self, tree: Tree) {
        let source = self.changed.source;
        self.changed = match tree {
            Tree::Whole => Changed::NOTHING,
            Tree::Alone if source == SourceKind::Same && !self.changed.other => Changed::NOTHING,
            Tree::Alone => Changed {
                tests: TestsPart::Same,
                layout: false,
                docs: false,
                ..self.changed
            },
            Tree::Accepted | Tree::Empty | Tree::NotImplemented => Changed {
                source: SourceKind::Code,
                ..Changed::NOTHING
            },
        };
        let load = self.loads[&tree];
        self.loads.insert(Tree::Accepted, load);
        for test in self.tests.values_mut() {
            let fate = test.fates[&tree];
            test.fates.insert(Tree::Accepted, fate);
            test.is_remembered |= test.touched;
            test.touched = false;
        }
        self.tests_came_along = true;
    }
}

impl Test {
    fn before(&self) -> Before {
        if !self.is_remembered {
            return Before::Unknown;
        }
        match self.fates[&Tree::Accepted] {
            Fate::Passes | Fate::FailsOnce => Before::Passed,
            Fate::Fails(_) => Before::Failed,
            Fate::Skips => Before::Skipped,
            Fate::CutOff | Fate::Hangs => Before::Unknown,
            Fate::NotThere => Before::Absent,
        }
    }
}
