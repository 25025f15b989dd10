//! Questions and decisions as short words, so that tables of them can be read.

use super::decision::{Commit, Decision, Keep, Label, Move, Scope, TakeBack};
use super::facts::{Experiment, Form};

pub(super) fn experiment(experiment: Experiment) -> &'static str {
    match experiment {
        Experiment::Whole => "whole",
        Experiment::Awaited => "awaited",
        Experiment::TestsAlone => "alone",
        Experiment::Hollow(Form::Empty) => "empty",
        Experiment::Hollow(Form::NotImplemented) => "not implemented",
        Experiment::Before => "before",
    }
}

pub(super) fn decision(decision: &Decision) -> String {
    match decision {
        Decision::Commit(made) => commit(made),
        Decision::Keep(Keep { why, counted }) => {
            let counted = if *counted { ", counted" } else { "" };
            format!("kept: {}{counted}", why.name())
        }
        Decision::TakeBack(TakeBack { why, scope }) => {
            let scope = match scope {
                Scope::Tests => "tests",
                Scope::Source => "source",
                Scope::AllButTests => "all but tests",
                Scope::Step => "step",
            };
            format!("taken back: {}, {scope}", why.name())
        }
        Decision::Nothing => "nothing".to_owned(),
        Decision::Await(tests) => {
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            format!("awaits {}", tests.join(" "))
        }
    }
}

fn commit(made: &Commit) -> String {
    let label = match made.label {
        Label::Red => "red",
        Label::Test => "test",
        Label::Green { partial: true } => "partial green",
        Label::Green { partial: false } => "green",
        Label::Declared => "declared",
        Label::Refactor => "refactor",
        Label::Chore => "chore",
        Label::Docs => "docs",
        Label::Tcr => "tcr",
    };
    let next = match made.next {
        Move::Stay => "",
        Move::ToGreen => ", to green",
        Move::NextCycle => ", next cycle",
    };
    let awaited = match &made.awaited {
        None => String::new(),
        Some(tests) => {
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            format!(", awaits [{}]", tests.join(" "))
        }
    };
    format!("commit {label} of {}{next}{awaited}", experiment(made.tree))
}
