//! The words of `verify`, `push` and `fetch`.

use super::{Message, Tone, count, counts, duration, path_list, short_id};
use crate::branch::event::Event;
use crate::branch::state::TestResults;
use crate::error::Error;
use crate::outcome::share::{Fetched, Pushed};
use crate::outcome::verify::{Finding, Verified};
use crate::rules::Verdict;
use crate::rules::recorded::Flaw;
use crate::rules::squash::WipCommit;

/// The note that a WIP commit got when it was made.
pub(crate) fn expected_note(commit: &WipCommit, event: Option<&Event>) -> String {
    let label = commit.label.as_deref().unwrap_or("by-hand");
    let mut text = format!("phase: {label}\ncycle: {}\n", commit.cycle.unwrap_or(0));
    if let Some(event) = event
        && let Some(verdict) = event.verdict
    {
        text.push_str(&format!("verdict: {}\n", verdict.name()));
        if let Some(tests) = event.tests {
            text.push_str(&format!("tests: {}\n", counts(tests)));
        }
        text.push_str(&format!("duration: {}\n", duration(event.duration_ms)));
    }
    text
}

/// What is wrong with a commit of a squashed history.
pub(crate) fn flaw(flaw: &Flaw) -> String {
    match flaw {
        Flaw::NotRecorded => "the journal does not know this commit".into(),
        Flaw::RecordDiffers => "the journal says something else about this commit".into(),
        Flaw::NoteMissing => "its note is missing".into(),
        Flaw::NoteDiffers => "its note does not say what the journal says".into(),
        Flaw::RedDidNotFail => "a red whose tests did not fail".into(),
        Flaw::GreenDidNotPass => "a green whose tests did not pass".into(),
        Flaw::GreenWithoutRed => "a green that no red asked for".into(),
        Flaw::TestsChanged(paths) => tests_changed(paths),
        Flaw::TestsChangedByHand(paths) => {
            format!(
                "tests were changed by hand between red and green: {}",
                path_list(paths)
            )
        }
    }
}

pub(crate) fn tests_changed(paths: &[String]) -> String {
    format!("tests changed between red and green: {}", path_list(paths))
}

pub(crate) fn setup_failed(setup: &str, ended: std::process::ExitStatus) -> Error {
    Error::Usage {
        what: format!("`{setup}` failed in a fresh checkout: {ended}"),
        hint: "git tcr verify --replay --setup CMD".into(),
    }
}

/// A checkout can't be made whole: nothing can be said of the history.
pub(crate) fn submodules_missing(commit: gix::ObjectId, missing: &[String]) -> Error {
    Error::Usage {
        what: format!(
            "`{}` can't be tested again, submodules are not here: {}",
            short_id(&commit.to_string()),
            path_list(missing)
        ),
        hint: "git submodule update --init --recursive, or --setup with a command that gets them"
            .into(),
    }
}

pub(crate) fn nothing_to_push() -> Error {
    Error::Usage {
        what: "there is nothing to push yet".into(),
        hint: "git tcr install".into(),
    }
}

pub(crate) fn no_remote() -> Error {
    Error::Usage {
        what: "there is no remote to share with".into(),
        hint: "git remote add origin URL, or name one: git tcr push REMOTE".into(),
    }
}

pub(crate) fn missing() -> String {
    "it is missing".into()
}

pub(crate) fn no_history(claimed: &str) -> String {
    format!("its history, `{}`, is not here", short_id(claimed))
}

pub(crate) fn other_tree(claimed: &str) -> String {
    format!(
        "its content is not that of its history, `{}`",
        short_id(claimed)
    )
}

pub(crate) fn not_what_was_squashed() -> String {
    "the journal knows of no squash of this commit".into()
}

pub(crate) fn no_beginning(fork: &str) -> String {
    format!(
        "the history does not lead back to `{}`, where the work began",
        short_id(fork)
    )
}

pub(crate) fn not_here() -> String {
    "the squashed commit itself is not here".into()
}

pub(crate) fn document_differs(part: &str) -> String {
    format!("the {part} that the evidence speaks of is not as it says")
}

pub(crate) fn red_again(results: &TestResults) -> String {
    format!(
        "a red that does not fail validly when it is run again: {}",
        said(results)
    )
}

pub(crate) fn green_again(results: &TestResults) -> String {
    format!(
        "its tests do not pass when they are run again: {}",
        said(results)
    )
}

pub(crate) fn never_made_to_pass(tests: &[String]) -> String {
    format!(
        "tests of the red that do not pass here: {}",
        path_list(tests)
    )
}

fn said(results: &TestResults) -> String {
    let verdict = results.verdict.map_or("unknown", Verdict::name);
    match (results.failed.as_slice(), results.reason.as_str()) {
        ([], "") => verdict.to_owned(),
        ([], reason) => format!("{verdict}, {reason}"),
        (failed, _) => format!("{verdict}, failing {}", path_list(failed)),
    }
}

/// What was found.
pub(crate) fn verified(verified: &Verified) -> Message {
    let wrong = verified.wrong();
    let headline = match wrong {
        0 if verified.unsure() > 0 => format!(
            "could not tell: {}",
            count(verified.unsure(), "run says nothing", "runs say nothing")
        ),
        0 => format!(
            "verified: {}",
            count(verified.histories.len(), "history holds", "histories hold")
        ),
        wrong => format!(
            "not verified: {} wrong",
            count(wrong, "thing is", "things are")
        ),
    };
    let tone = match (wrong, verified.unsure()) {
        (0, 0) => Tone::Good,
        (0, _) => Tone::Plain,
        _ => Tone::Bad,
    };
    let mut message = Message::new(tone, headline);
    for history in &verified.histories {
        let is_wrong = |finding: &Finding| !finding.remark && !finding.unsure;
        let state = if history.findings.iter().any(is_wrong) {
            "WRONG"
        } else if history.findings.iter().any(|finding| finding.unsure) {
            "could not tell"
        } else {
            "ok"
        };
        message = message.fact(format!(
            "{state} `{}` of {}: {}, {}",
            history.name,
            history.source,
            count(history.cycles, "cycle", "cycles"),
            count(history.commits, "commit", "commits")
        ));
        for finding in &history.findings {
            message = message.fact(format!("   {}", line(finding)));
        }
    }
    for finding in &verified.findings {
        message = message.fact(line(finding));
    }
    if verified.squashed + verified.without_evidence > 0 {
        message = message.fact(format!(
            "{} with evidence, {} without",
            count(verified.squashed, "commit", "commits"),
            verified.without_evidence
        ));
    }
    match (verified.replayed, wrong) {
        (0, 0) => message.hint("git tcr verify --replay runs the tests again"),
        (0, _) => message.hint("git log --notes=tcr COMMIT shows what was recorded"),
        (replayed, _) => message.fact(format!(
            "tested again: {}",
            count(replayed, "checkout", "checkouts")
        )),
    }
}

fn line(finding: &Finding) -> String {
    let id = finding.commit.as_deref().map(short_id);
    let id = id.map(|id| format!("`{id}` ")).unwrap_or_default();
    let worth = match (finding.unsure, finding.remark) {
        (true, _) => "could not tell: ",
        (false, true) => "worth a look: ",
        (false, false) => "",
    };
    format!("{worth}{id}{}", finding.what)
}

/// What a push did.
pub(crate) fn pushed(pushed: &Pushed) -> Message {
    let mut message = Message::new(
        Tone::Good,
        match pushed.refs {
            0 => format!("`{}` has everything already", pushed.remote),
            refs => format!(
                "pushed {} to `{}`",
                count(refs, "ref", "refs"),
                pushed.remote
            ),
        },
    )
    .fact(format!("under the id of this clone, `{}`", pushed.clone));
    if pushed.renamed {
        message = message.fact("another copy of this clone had pushed: this one has a new id now");
    }
    message.hint("elsewhere: git tcr fetch, git tcr verify")
}

/// What a fetch did.
pub(crate) fn fetched(fetched: &Fetched) -> Message {
    let mut message = Message::new(
        Tone::Good,
        format!(
            "fetched {} from `{}`",
            count(fetched.refs, "ref", "refs"),
            fetched.remote
        ),
    );
    if fetched.notes > 0 {
        message = message.fact(format!("{} merged", count(fetched.notes, "note", "notes")));
    }
    for name in &fetched.rewound {
        message = message.fact(format!(
            "went back over there, and stays as it was here: `{name}`"
        ));
    }
    message.hint("git tcr verify")
}
