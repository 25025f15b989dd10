//! The collected cases, judged by the whole gate in a real repository: every deny is denied, no
//! allow is.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::*;
use crate::clients;
use crate::clients::Client;
use crate::clients::event::EventKind;

const COLLECTED: &str = include_str!("../../fixtures/gate/cases.jsonl");
const NEIGHBOURS: &str = include_str!("../../fixtures/gate/more.jsonl");

#[test]
fn every_collected_case_is_judged_as_a_person_would() {
    assert!(judge_all(COLLECTED) > 600);
}

#[test]
fn and_so_are_their_neighbours() {
    assert!(judge_all(NEIGHBOURS) > 1_000);
}

fn judge_all(cases: &str) -> usize {
    let fixture = Fixture::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in cases.lines() {
        // What an earlier call left outside of the repository is each case's own.
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        let line = line.replace("/tmp/fx", &elsewhere.path().display().to_string());
        let case: Value = serde_json::from_str(&line).expect("a case is one line of JSON");
        if case.get("debatable").is_some() || case.get("limit").is_some() {
            continue;
        }
        count += 1;
        let denial = match text(&case, "setup") {
            "" => denial(&fixture, &case),
            setup => denial(&Fixture::new().after(setup), &case),
        };
        let right = match (text(&case, "expect"), text(&case, "pre")) {
            ("deny", _) => denial.is_some(),
            ("allow", _) | ("detect", "allow") => denial.is_none(),
            _ => true,
        };
        if !right {
            wrong.push(format!("{line}\n    {denial:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    count
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case.get(field).and_then(Value::as_str).unwrap_or("")
}

/// The repository that the cases are about.
struct Fixture {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

impl Fixture {
    fn new() -> Fixture {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let around = dir
            .path()
            .canonicalize()
            .expect("it exists")
            .join("fixture");
        std::fs::create_dir(&around).expect("a new folder");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/gate/fixture.sh");
        let root = around.join("repo");
        run(Command::new("bash").arg(script).arg(&around), &around);
        Fixture { _dir: dir, root }
    }

    fn after(self, setup: &str) -> Fixture {
        run(Command::new("sh").args(["-c", setup]), &self.root);
        self
    }

    fn gate(&self, phase: &str, mode: &str) -> Gate {
        let repo = Repo::discover(&self.root).expect("a repository");
        let mut state = serde_json::to_value(State::new(
            "main".into(),
            String::new(),
            String::new(),
            String::new(),
        ))
        .expect("a state is JSON");
        state["phase"] = json!(if phase == "none" { "red" } else { phase });
        state["mode"] = json!(mode);
        if phase != "none" {
            state["spec"] = json!({"id": "spec", "path": "SPEC.md", "hash": "", "prd": null});
            let certificate = json!({"verdict": "pass", "by": "somebody else", "at": ""});
            state["oracle"] = json!({
                "commit": "", "red_commit": "", "red_tree": "", "failed": [], "certificate": certificate,
            });
        }
        let state: State = serde_json::from_value(state).expect("a state");
        let config = Config::default();
        Gate {
            classes: Classes::new(&repo, &config, state.spec_path()).expect("patterns"),
            mode: effective_mode(&state, &config, "main".into()),
            base: "main".into(),
            wip: "tcr/main".into(),
            current: Some("tcr/main".into()),
            repo,
            config,
            state: Some(state),
            link: None,
            drift: OnceCell::new(),
            accepted: OnceCell::new(),
            own: RefCell::default(),
            written: RefCell::default(),
            only_git: Cell::new(false),
            pending: OnceCell::new(),
            head: None,
            guarded: OnceCell::new(),
        }
    }
}

/// With a home of its own, next to the repository.
fn run(command: &mut Command, dir: &Path) {
    for name in crate::env_vars::GIT_LOCAL {
        command.env_remove(name);
    }
    let output = command
        .current_dir(dir)
        .env("HOME", dir.with_file_name("home"))
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("GIT_CONFIG_GLOBAL")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// Why the call is denied, as Claude Code would be told.
fn denial(fixture: &Fixture, case: &Value) -> Option<String> {
    let tool = match text(case, "tool") {
        "bash" => "Bash",
        "write" => "Write",
        "edit" => "Edit",
        "multiedit" => "MultiEdit",
        other => other,
    };
    let input = case["input"].to_string();
    let input = input.replace("@REPO@", &fixture.root.display().to_string());
    let input: Value = serde_json::from_str(&input).expect("it was JSON");
    let payload = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input});
    let gate = fixture.gate(text(case, "phase"), text(case, "mode"));
    match clients::parse(Client::ALL[0], payload.to_string().as_bytes()) {
        Ok(event) => match &event.kind {
            EventKind::BeforeTool(call) => gate
                .judge(&event, call, &fixture.root)
                .map(|denial| format!("{:?}", denial.objection)),
            other => Some(format!("{other:?}")),
        },
        Err(bad) => Some(bad.to_string()),
    }
}
