//! The process is ended after each effect of each kind of step, or the disk is full at each write:
//! nothing is lost, all is as before or as after, and the next command gets there.

mod picture;
mod scenarios;

use std::collections::{BTreeMap, BTreeSet};

use git_tcr::effects::fault::{POINTS, WRITES};

use crate::support::{Ran, Repo};
use picture::{Contents, Picture};
use scenarios::{SCENARIOS, Scenario};

/// A scenario, ready to be disturbed, and what it looks like undisturbed.
struct Stage {
    scenario: &'static Scenario,
    repo: Repo,
    contents: Contents,
    before: Picture,
    after: Picture,
    /// After one more run, which may judge what the step brought into the worktree.
    later: Picture,
}

impl Stage {
    fn new(name: &str) -> Stage {
        let scenario = SCENARIOS.iter().find(|one| one.name == name).expect("a scenario");
        let repo = (scenario.prepare)();
        let undisturbed = repo.copy();
        let ran = undisturbed.tcr(scenario.act);
        assert!(matches!(ran.status, 0 | 1), "{name}: {}{}", ran.stdout, ran.stderr);
        let (before, after) = (Picture::of(&repo), Picture::of(&undisturbed));
        assert_ne!(before, after, "{name}: nothing happens");
        undisturbed.tcr(&["run"]);
        let later = Picture::of(&undisturbed);
        Stage { scenario, contents: Contents::of(&repo), repo, before, after, later }
    }

    /// The moments that the scenario passes, in order, each with how often it came by.
    fn moments(&self) -> Vec<(String, usize)> {
        let copy = self.repo.copy();
        let trace = copy.around().join("trace");
        self.act(&copy, &format!("trace:{}", trace.display()));
        let mut passed: BTreeMap<String, usize> = BTreeMap::new();
        let text = std::fs::read_to_string(trace).expect("a trace");
        text.lines()
            .map(|name| {
                let number = passed.entry(name.to_owned()).or_default();
                *number += 1;
                (name.to_owned(), *number)
            })
            .collect()
    }

    fn act(&self, repo: &Repo, fault: &str) -> Ran {
        repo.tcr_in(repo.root(), self.scenario.act, &[("GIT_TCR_FAULT", fault)])
    }

    /// Tries one disturbance and checks everything.
    fn disturb(&self, fault: &str) {
        let what = format!("{}, {fault}", self.scenario.name);
        let repo = self.repo.copy();
        let ran = self.act(&repo, fault);
        match fault.split_once(':') {
            Some(("kill", _)) => assert_eq!(ran.status, -1, "{what}: not killed: {}", ran.stderr),
            _ => {
                assert_eq!(ran.status, 2, "{what}: {}{}", ran.stdout, ran.stderr);
                assert!(ran.stderr.contains("make room"), "{what}: {}", ran.stderr);
            }
        }
        self.contents.assert_there(&repo, &what);
        if self.scenario.is_active {
            let status = repo.tcr(&["status"]);
            assert_eq!(status.status, 0, "{what}: {}", status.stderr);
        }
        self.get_there(&repo, &what);
        self.contents.assert_there(&repo, &what);
        repo.git(&["fsck", "--no-dangling", "--no-progress"]);
        assert_tidy(&repo, &what);
    }

    /// The next command puts things right: all is as before, or as after.
    fn get_there(&self, repo: &Repo, what: &str) {
        let again = self.scenario.act;
        let finish = match again {
            ["run"] | ["install", ..] => again,
            _ => &["run", "--report"],
        };
        let next = repo.tcr(finish);
        assert!(matches!(next.status, 0 | 1), "{what}: {}{}", next.stdout, next.stderr);
        let picture = Picture::of(repo);
        if finish != again && picture == self.before {
            repo.tcr(again);
            Picture::of(repo).assert_is(&self.after, what);
        } else if finish != again || picture != self.later {
            picture.assert_is(&self.after, what);
        }
    }
}

/// No lock, no plan, nothing set aside is left.
fn assert_tidy(repo: &Repo, what: &str) {
    let mut left = Vec::new();
    let mut folders = vec![repo.path(".git")];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = item.path();
            if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "lock")
                || path.components().any(|part| part.as_os_str() == "aside")
                || path.components().any(|part| part.as_os_str() == "pending")
            {
                left.push(path);
            }
        }
    }
    assert!(left.is_empty(), "{what}: {left:?}");
}

/// Ends the process at every moment of a scenario, and fills the disk at every write. Of moments
/// that come by many times the first and the last have to do, unless all are asked for.
fn try_some(name: &str, all: bool) {
    let stage = Stage::new(name);
    let moments = stage.moments();
    for (position, (moment, number)) in moments.iter().enumerate() {
        let is_last = moments.iter().skip(position + 1).all(|(later, _)| later != moment);
        let kind = if POINTS.contains(&moment.as_str()) { "kill" } else { "full" };
        if all || *number == 1 || is_last {
            stage.disturb(&format!("{kind}:{moment}#{number}"));
        }
    }
}

fn try_all(name: &str) {
    try_some(name, false);
}

#[test]
#[ignore = "takes minutes"]
fn every_single_moment() {
    for scenario in SCENARIOS {
        try_some(scenario.name, true);
    }
}

#[test]
fn every_listed_moment_is_tried() {
    let mut tried = BTreeSet::new();
    for scenario in SCENARIOS {
        let moments = Stage::new(scenario.name).moments();
        tried.extend(moments.into_iter().map(|(name, _)| name));
    }
    let listed: BTreeSet<String> =
        POINTS.iter().chain(WRITES).map(|name| (*name).to_owned()).collect();
    assert_eq!(tried, listed);
    assert!(POINTS.len() >= 12);
}

#[test]
fn every_scenario_has_its_test() {
    let tests = include_str!("mod.rs");
    for scenario in SCENARIOS {
        let call = format!("try_all(\"{}\")", scenario.name);
        assert!(tests.contains(&call), "{call}");
    }
}

#[test]
fn the_first_commit() {
    try_all("the first commit");
}

#[test]
fn a_green_commit() {
    try_all("a green commit");
}

#[test]
fn a_revert() {
    try_all("a revert");
}

#[test]
fn a_revert_in_mode_tcr() {
    try_all("a revert in mode tcr");
}

#[test]
fn an_undo() {
    try_all("an undo");
}

#[test]
fn an_install() {
    try_all("an install");
}

#[test]
fn a_restore() {
    try_all("a restore");
}

#[test]
fn back_to_green() {
    try_all("back to green");
}

#[test]
fn source_put_aside() {
    try_all("source put aside");
}

#[test]
fn source_brought_back() {
    try_all("source brought back");
}

#[test]
fn a_renamed_base() {
    try_all("a renamed base");
}
