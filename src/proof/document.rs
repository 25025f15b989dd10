//! What the way out found, for commits, pull requests, evidence and programs.

use serde::Serialize;

use super::Proven;
use crate::rules::way_out::{Fate, Need, Proof, Whole, Whose};

/// What the way out found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Document {
    /// Whether the final tree works: `green`, `not_green`, `unknown`.
    pub(crate) whole: &'static str,
    /// Cycles whose tests fail without their source.
    pub(crate) proven: Vec<Cycle>,
    /// Cycles whose tests pass without it.
    pub(crate) unproven: Vec<Cycle>,
    /// Cycles of which nobody can tell.
    pub(crate) unknown: Vec<Cycle>,
    pub(crate) tests_weakened: Vec<String>,
    pub(crate) tests_removed: Vec<String>,
    pub(crate) tests_removed_with_their_code: Vec<String>,
    pub(crate) tests_respecified: Vec<String>,
    /// Old tests of which nobody can tell what became of them.
    pub(crate) tests_unknown: Vec<String>,
    /// Functions that a test needs, with the tests.
    pub(crate) needed: Vec<Place>,
    /// Functions that tests call and do not check, with the tests.
    pub(crate) called_not_checked: Vec<Place>,
    /// Functions that no test needs.
    pub(crate) untested: Vec<Place>,
    /// Functions of which nobody can tell.
    pub(crate) functions_unknown: Vec<Place>,
    /// What steers the tests changed.
    pub(crate) harness_changed: bool,
    /// Paths that came by baselines: listed, not asked.
    pub(crate) not_asked: Vec<String>,
    /// Why something could not be told.
    pub(crate) why_unknown: Vec<&'static str>,
    /// Why an experiment has no answer, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_answer: Option<String>,
    /// How many experiments were run for it.
    pub(crate) runs: usize,
}

/// A cycle and the tests that speak for or against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Cycle {
    pub(crate) cycle: u64,
    pub(crate) tests: Vec<String>,
}

/// A function and the tests that speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<String>,
}

impl Place {
    /// `path:line name`
    pub(crate) fn shown(&self) -> String {
        format!("{}:{} {}", self.path, self.line, self.name)
    }
}

impl Proven {
    /// What was found, as a document.
    pub(crate) fn document(&self) -> Document {
        let report = &self.report;
        let mut document = Document {
            whole: match report.whole {
                Whole::Green => "green",
                Whole::NotGreen(_) => "not_green",
                Whole::Unknown(_) => "unknown",
            },
            harness_changed: report.harness_changed,
            not_asked: self.not_asked.clone(),
            why_unknown: report
                .trailers()
                .gaps
                .iter()
                .map(|gap| gap.name())
                .collect(),
            no_answer: self.no_answer.clone(),
            runs: self.runs,
            ..Document::default()
        };
        document.why_unknown.dedup();
        self.add_claims(&mut document);
        self.add_tests(&mut document);
        self.add_functions(&mut document);
        document
    }

    fn add_claims(&self, document: &mut Document) {
        for (whose, proof) in &self.report.claims {
            let Whose::Cycle(cycle) = whose else { continue };
            let cycle = |tests: Vec<String>| Cycle {
                cycle: *cycle,
                tests,
            };
            match proof {
                Proof::Proven { by, .. } => {
                    document.proven.push(cycle(by.iter().cloned().collect()));
                }
                Proof::Unproven(tests) => {
                    document
                        .unproven
                        .push(cycle(tests.iter().cloned().collect()));
                }
                Proof::Unknown(_) => document.unknown.push(cycle(Vec::new())),
                Proof::Nothing => {}
            }
        }
    }

    fn add_tests(&self, document: &mut Document) {
        for (id, fate) in &self.report.old_tests {
            let list = match fate {
                Fate::Weakened => &mut document.tests_weakened,
                // It still stands there, switched off.
                Fate::Removed if self.skipped.contains(id) => &mut document.tests_weakened,
                Fate::Removed => &mut document.tests_removed,
                Fate::RemovedWithItsCode => &mut document.tests_removed_with_their_code,
                Fate::Respecified => &mut document.tests_respecified,
                Fate::Unknown(_) => &mut document.tests_unknown,
                Fate::Moved(_) | Fate::Renamed | Fate::Kept => continue,
            };
            list.push(id.clone());
        }
    }

    fn add_functions(&self, document: &mut Document) {
        for function in &self.functions {
            let Some(need) = self.report.functions.get(&function.number) else {
                continue;
            };
            let (list, tests) = match need {
                Need::Needed(tests) => (&mut document.needed, tests.iter().cloned().collect()),
                Need::CalledNotChecked(tests) => (
                    &mut document.called_not_checked,
                    tests.iter().cloned().collect(),
                ),
                Need::Untested => (&mut document.untested, Vec::new()),
                Need::Unknown(_) => (&mut document.functions_unknown, Vec::new()),
            };
            list.push(Place {
                path: function.path.clone(),
                line: function.line,
                name: function.name.clone(),
                tests,
            });
        }
    }
}
