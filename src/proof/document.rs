//! What the way out found, for commits, pull requests, evidence and programs.

use super::Proven;
use crate::outcome::proof::{Cycle, Document, Place};
use crate::rules::way_out::{Fate, Need, Proof, Whole, Whose};

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
