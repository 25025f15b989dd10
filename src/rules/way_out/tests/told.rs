//! Questions and findings as short words, so that tables of them can be read.

use std::collections::BTreeSet;

use super::super::facts::Form;
use super::*;

fn form(form: Form) -> &'static str {
    match form {
        Form::Empty => "empty",
        Form::NotImplemented => "not implemented",
    }
}

pub(super) fn question(question: Question) -> String {
    match question {
        Question::Whole => "whole".to_owned(),
        Question::Before => "before".to_owned(),
        Question::TestsAlone => "alone".to_owned(),
        Question::Hollow(how) => form(how).to_owned(),
        Question::Spared => "spared".to_owned(),
        Question::Unchanged(Version::Old) => "old, unchanged empty".to_owned(),
        Question::Unchanged(Version::New) => "new, unchanged empty".to_owned(),
        Question::OldTests => "old tests".to_owned(),
        Question::BothEmpty(Version::Old) => "old, all empty".to_owned(),
        Question::BothEmpty(Version::New) => "new, all empty".to_owned(),
        Question::Needed {
            round,
            form: how,
            wide,
        } => {
            let wide = if wide { ", suite" } else { "" };
            format!("needed {round} {}{wide}", form(how))
        }
        Question::Control => "control".to_owned(),
    }
}

fn names(tests: &BTreeSet<String>) -> String {
    let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
    format!("[{}]", tests.join(" "))
}

fn proof(proof: &Proof) -> String {
    match proof {
        Proof::Proven { by, but } if but.is_empty() => format!("proven by {}", names(by)),
        Proof::Proven { by, but } => format!("proven by {}, not {}", names(by), names(but)),
        Proof::Unproven(tests) => format!("unproven {}", names(tests)),
        Proof::Unknown(gap) => format!("unknown: {}", gap.name()),
        Proof::Nothing => "nothing to prove".to_owned(),
    }
}

fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Moved(to) => format!("moved to {to}"),
        Fate::Renamed => "renamed".to_owned(),
        Fate::RemovedWithItsCode => "removed with its code".to_owned(),
        Fate::Removed => "removed".to_owned(),
        Fate::Respecified => "respecified".to_owned(),
        Fate::Kept => "kept".to_owned(),
        Fate::Weakened => "weakened".to_owned(),
        Fate::Unknown(gap) => format!("unknown: {}", gap.name()),
    }
}

fn need(need: &Need) -> String {
    match need {
        Need::Needed(tests) => format!("needed by {}", names(tests)),
        Need::CalledNotChecked(tests) => format!("called, not checked by {}", names(tests)),
        Need::Untested => "untested".to_owned(),
        Need::Unknown(gap) => format!("unknown: {}", gap.name()),
    }
}

/// Everything but what is as it should be.
pub(super) fn report(report: &Report) -> String {
    let whole = match &report.whole {
        Whole::Green => None,
        Whole::NotGreen(tests) => Some(format!("not green {}", names(tests))),
        Whole::Unknown(gap) => Some(format!("whole unknown: {}", gap.name())),
    };
    let claims = report.claims.iter().map(|(whose, found)| {
        let whose = match whose {
            Whose::Cycle(number) => format!("cycle {number}"),
            Whose::Range => "range".to_owned(),
        };
        format!("{whose} {}", proof(found))
    });
    let tests = report.old_tests.iter();
    let tests = tests.map(|(id, found)| format!("{id} {}", fate(found)));
    let functions = report.functions.iter();
    let functions = functions.map(|(number, found)| format!("f{number} {}", need(found)));
    let all = whole
        .into_iter()
        .chain(claims)
        .chain(tests)
        .chain(functions);
    all.collect::<Vec<String>>().join("; ")
}
