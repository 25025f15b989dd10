//! The collected cases: every deny is denied, no allow is.

use std::path::PathBuf;

use serde_json::Value;

use super::world_tests::{ROOT, State, World};
use crate::clients::apply_patch::{self, Change};
use crate::rules::{Mode, Phase};

const CASES: &str = include_str!("../../fixtures/gate/cases.jsonl");

#[test]
fn every_case_is_judged_as_a_person_would() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is one line of JSON");
        if case.get("debatable").is_some() || case.get("limit").is_some() {
            continue;
        }
        count += 1;
        let denial = judged(&case);
        let right = match (text(&case, "expect"), text(&case, "pre")) {
            ("deny", _) => denial.is_some(),
            ("allow", _) | ("detect", "allow") => denial.is_none(),
            _ => true,
        };
        if !right {
            wrong.push(format!(
                "{} {} {}\n    {}\n    {denial:?}",
                text(&case, "id"),
                text(&case, "phase"),
                text(&case, "mode"),
                case["input"]
            ));
        }
    }
    assert!(count > 600, "{count} cases");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case.get(field).and_then(Value::as_str).unwrap_or("")
}

fn judged(case: &Value) -> Option<String> {
    let state = State {
        phase: match text(case, "phase") {
            "plan" => Phase::Plan,
            "green" => Phase::Green,
            "refactor" => Phase::Refactor,
            "done" => Phase::Done,
            _ => Phase::Red,
        },
        mode: match text(case, "mode") {
            "tdd" => Mode::Tdd,
            "tcr" => Mode::Tcr,
            "relaxed" => Mode::Relaxed,
            "off" => Mode::Off,
            _ => Mode::Both,
        },
    };
    let world = after_setup(text(case, "setup"));
    let input = &case["input"];
    if text(case, "tool") == "bash" {
        return world.denial(text(input, "command"), state);
    }
    let paths = tool_paths(case);
    let resolved = paths.iter().map(|path| {
        let path = path.replace("@REPO@", ROOT);
        world.with_context(|context| super::resolve(&path, context))
    });
    let denied: Vec<PathBuf> = resolved.filter(|path| state.denies_path(path)).collect();
    let unreadable = paths.is_empty();
    (unreadable || !denied.is_empty()).then(|| format!("{denied:?}"))
}

/// The files a tool call names.
fn tool_paths(case: &Value) -> Vec<String> {
    let input = &case["input"];
    if text(case, "tool") != "apply_patch" {
        return vec![text(input, "file_path").to_owned()];
    }
    let patch = ["command", "input", "patchText"]
        .iter()
        .find_map(|key| input.get(key)?.as_str());
    let changes = apply_patch::changes(patch.unwrap_or("")).unwrap_or_default();
    let path = |change: &Change| match change {
        Change::Write(path) | Change::Delete(path) => path.clone(),
    };
    changes.iter().map(path).collect()
}

/// The world after an earlier call, as far as it matters: links and new files.
fn after_setup(setup: &str) -> World {
    let world = World::new();
    if let Some((target, name)) = setup
        .strip_prefix("ln -s ")
        .and_then(|words| words.split_once(' '))
    {
        return world.with_link(name, target);
    }
    match setup.split_once("> docs/") {
        Some((_, name)) => world.with_file(&format!("docs/{name}")),
        None => world,
    }
}
