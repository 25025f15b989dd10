//! The document of an audit about one change, made from what the way out found.

use std::collections::BTreeMap;

use super::range::{self, Span};
use crate::error::Result;
use crate::git::repo::Repo;
use crate::outcome::audit::{Asked, Document, File, Function, OldTest, Verdict, Works};
use crate::proof::Proven;
use crate::rules::way_out::{Ending, Fate, Gap, Need, Proof, Report, Whole, Whose};
use crate::step::parts::{Part, PartKind, Parts};

/// What was found about one change.
pub(super) fn document(
    repo: &Repo,
    span: &Span,
    is_one_of_many: bool,
    parts: &Parts,
    proven: Option<&Proven>,
) -> Result<Document> {
    let (commit, subject) = match is_one_of_many {
        true => (
            Some(span.tip.to_string()),
            Some(range::subject(repo, span.tip)?),
        ),
        false => (None, None),
    };
    let files = files(parts);
    let steers = |file: &&File| file.kind == "harness" && file.change != "layout";
    Ok(Document {
        commit,
        subject,
        verdict: proven.map_or(Verdict::Nothing, |proven| verdict(&proven.report)),
        works: works(proven),
        asked: asked(proven),
        old_tests: proven.map(old_tests).unwrap_or_default(),
        functions: proven.map(functions).unwrap_or_default(),
        harness_changed: (files.iter().filter(steers))
            .map(|file| file.path.clone())
            .collect(),
        why_unknown: proven
            .map(|proven| why_unknown(&proven.report))
            .unwrap_or_default(),
        no_answer: proven.and_then(|proven| proven.no_answer.clone()),
        files,
    })
}

fn verdict(report: &Report) -> Verdict {
    match report.ending() {
        Ending::Proven => Verdict::Proven,
        Ending::Wanting => Verdict::Wanting,
        Ending::CantTell => Verdict::Unknown,
    }
}

fn works(proven: Option<&Proven>) -> Works {
    let Some(proven) = proven else {
        return Works {
            answer: "not_asked",
            passing: 0,
            failing: Vec::new(),
            known_failures: Vec::new(),
        };
    };
    let (answer, failing) = match &proven.report.whole {
        Whole::Green => ("green", Vec::new()),
        Whole::NotGreen(tests) => ("not_green", tests.iter().cloned().collect()),
        Whole::Unknown(_) => ("unknown", Vec::new()),
    };
    Works {
        answer,
        passing: proven.passing,
        failing,
        known_failures: proven.report.known_failures.iter().cloned().collect(),
    }
}

fn asked(proven: Option<&Proven>) -> Asked {
    let proof = proven.and_then(|proven| proven.report.claims.get(&Whose::Range));
    let list = |tests: &std::collections::BTreeSet<String>| tests.iter().cloned().collect();
    let (answer, by, but) = match proof {
        Some(Proof::Proven { by, but }) => ("proven", list(by), list(but)),
        Some(Proof::Unproven(tests)) => ("unproven", Vec::new(), list(tests)),
        Some(Proof::Unknown(_)) => ("unknown", Vec::new(), Vec::new()),
        Some(Proof::Nothing) | None => ("nothing", Vec::new(), Vec::new()),
    };
    Asked { answer, by, but }
}

fn old_tests(proven: &Proven) -> Vec<OldTest> {
    let told = proven.report.old_tests.iter().map(|(id, fate)| {
        let (word, to, why) = match fate {
            Fate::Moved(to) => ("moved", Some(to.clone()), None),
            Fate::Renamed => ("renamed", None, None),
            Fate::RemovedWithItsCode => ("removed_with_its_code", None, None),
            // It still stands there, switched off.
            Fate::Removed if proven.skipped.contains(id) => ("skipped", None, None),
            Fate::Removed if proven.untouched.contains(id) => ("not_run", None, None),
            Fate::Removed => ("removed", None, None),
            Fate::Respecified => ("respecified", None, None),
            Fate::Kept => ("kept", None, None),
            Fate::Weakened => ("weakened", None, None),
            Fate::Unknown(gap) => ("unknown", None, Some(gap.name())),
        };
        OldTest {
            test: id.clone(),
            fate: word,
            file: proven.test_files.get(id).cloned(),
            to,
            why,
        }
    });
    told.collect()
}

fn functions(proven: &Proven) -> Vec<Function> {
    let told = proven.functions.iter().filter_map(|function| {
        let need = proven.report.functions.get(&function.number)?;
        let (word, tests, why) = match need {
            Need::Needed(tests) => ("proven", tests.iter().cloned().collect(), None),
            Need::CalledNotChecked(tests) => {
                ("called_not_checked", tests.iter().cloned().collect(), None)
            }
            Need::Untested => ("untested", Vec::new(), None),
            Need::Unknown(gap) => ("unknown", Vec::new(), Some(gap.name())),
        };
        Some(Function {
            path: function.path.clone(),
            line: function.line,
            name: function.name.clone(),
            word,
            tests,
            why,
        })
    });
    told.collect()
}

fn why_unknown(report: &Report) -> Vec<&'static str> {
    let gaps = report.trailers().gaps;
    let mut names: Vec<&'static str> = gaps.into_iter().map(Gap::name).collect();
    names.dedup();
    names
}

fn files(parts: &Parts) -> Vec<File> {
    let gone: BTreeMap<gix::ObjectId, String> = (parts.parts.iter())
        .filter(|part| part.change.after.is_none())
        .filter_map(|part| Some((part.change.before?.id, part.change.path.to_string())))
        .collect();
    let told = parts.parts.iter().map(|part| {
        let from = match (part.change.before, part.change.after) {
            (None, Some(leaf)) => gone.get(&leaf.id).cloned(),
            _ => None,
        };
        File {
            path: part.change.path.to_string(),
            kind: kind(part),
            change: change(part, from.is_some()),
            from,
        }
    });
    told.collect()
}

fn kind(part: &Part) -> &'static str {
    match part.kind {
        PartKind::Tests(_) => "tests",
        PartKind::AroundTests { harness: true } => "harness",
        PartKind::AroundTests { harness: false } => "around_tests",
        PartKind::Source { .. } => "source",
        PartKind::Dependencies => "dependencies",
        PartKind::Other => "other",
        PartKind::Docs => "docs",
    }
}

fn change(part: &Part, is_moved: bool) -> &'static str {
    match (part.change.before, part.change.after) {
        _ if is_moved => "moved",
        _ if part.layout => "layout",
        (None, _) => "added",
        (_, None) => "removed",
        (Some(_), Some(_)) => "changed",
    }
}
