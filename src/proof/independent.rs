//! The experiments of the way out that need no answer of another one: they can run on several machines.

use gix::ObjectId;

use super::bench::{asked_parts, run_suite};
use super::facts::{Facts, Grounds, Suspicious, suspicious};
use super::left_out::LeftOut;
use super::trees as proof_trees;
use super::{Means, Work};
use crate::branch::state::TestResults;
use crate::error::Result;
use crate::languages;
use crate::rules::way_out::{Function, Question};
use crate::rules::{Form, SourceKind, TestsPart};
use crate::step::parts::Parts;
use crate::step::trees::{self as step_trees, Ends, Repairs};

/// An experiment that can be done at once.
pub(crate) struct Independent {
    pub(crate) id: &'static str,
    pub(crate) question: Question,
    pub(crate) tree: ObjectId,
}

/// Those of a range: what the way out would ask first. It asks on from there by itself.
pub(crate) fn independent(work: &Work<'_>) -> Result<Vec<Independent>> {
    let Some(parts) = asked_parts(work)? else {
        return Ok(Vec::new());
    };
    let ends = Ends {
        accepted: work.before,
        worktree: work.tip,
    };
    let mut found = Vec::new();
    let mut note = |id, question, tree: Option<ObjectId>| {
        found.extend(tree.map(|tree| Independent { id, question, tree }));
    };
    note("whole", Question::Whole, Some(work.tip));
    let changed = parts.changed();
    let has_source = changed.source > SourceKind::Same;
    let left_out = LeftOut::of(work.repo, work.entries, work.tip)?;
    let functions = functions(work, &parts, &left_out)?;
    if !matches!(suspicious(&parts, &left_out), Suspicious::Nothing) {
        note("before", Question::Before, Some(work.before));
        let old = proof_trees::old_tests(work.repo, work.tip, &parts)?;
        note("old-tests", Question::OldTests, old);
    }
    if has_source && changed.tests != TestsPart::Same {
        let alone = step_trees::tests_alone(work.repo, ends, &parts)?;
        note("tests-alone", Question::TestsAlone, alone);
        let repairs = Repairs::default();
        let hollow = step_trees::hollow(work.repo, ends, &parts, Form::Empty, &repairs)?;
        note("hollow", Question::Hollow(Form::Empty), Some(hollow.tree));
    }
    if !functions.is_empty() {
        let is_asked = |number: u32| functions.iter().any(|one| one.number == number);
        let form = languages::Form::NotImplemented;
        let needed = proof_trees::needed(work.repo, work.tip, &parts, form, &is_asked)?;
        let question = Question::Needed {
            round: 1,
            form: Form::NotImplemented,
            wide: true,
        };
        note("needed", question, Some(needed.tree));
    }
    Ok(found)
}

/// How many functions there are to ask about.
pub(crate) fn count_functions(work: &Work<'_>) -> Result<usize> {
    let Some(parts) = asked_parts(work)? else {
        return Ok(0);
    };
    let left_out = LeftOut::of(work.repo, work.entries, work.tip)?;
    Ok(functions(work, &parts, &left_out)?.len())
}

fn functions(work: &Work<'_>, parts: &Parts, left_out: &LeftOut) -> Result<Vec<Function>> {
    let grounds = Grounds {
        parts,
        left_out,
        whole: None,
        old: None,
        knows_old_results: false,
        can_aim: true,
    };
    Ok(Facts::of(work, &grounds)?.functions)
}

/// Runs the suite on a tree; without results where the experiment has none.
pub(crate) fn run(
    work: &Work<'_>,
    experiment: &Independent,
    means: &mut Means<'_>,
) -> Result<std::result::Result<TestResults, String>> {
    run_suite(work, experiment.tree, experiment.question, means)
}
