//! The process is ended after each effect of each kind of step, or the disk is full at each write:
//! nothing is lost, all is as before or as after, and the next command gets there.

mod beside;
mod full_disk;
pub(crate) mod picture;
mod saves;
mod scenarios;

use std::collections::{BTreeMap, BTreeSet};

use git_tcr::fault::{POINTS, WRITES};

use crate::support::programs::are_thorough;
use crate::support::{PROGRAM, Ran, Repo};
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
        let scenario = SCENARIOS
            .iter()
            .find(|one| one.name == name)
            .expect("a scenario");
        let repo = (scenario.prepare)();
        let undisturbed = repo.copy();
        let ran = undisturbed.tcr(scenario.act);
        assert!(
            matches!(ran.status, 0 | 1),
            "{name}: {}{}",
            ran.stdout,
            ran.stderr
        );
        let (before, after) = (Picture::of(&repo), Picture::of(&undisturbed));
        assert_ne!(before, after, "{name}: nothing happens");
        undisturbed.tcr(&["run"]);
        let later = Picture::of(&undisturbed);
        Stage {
            scenario,
            contents: Contents::of(&repo),
            repo,
            before,
            after,
            later,
        }
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

    /// A copy of the repository in which the process died at a moment, such as `refs-moved#1`.
    fn killed_at(&self, moment: &str) -> Repo {
        let repo = self.repo.copy();
        let ran = self.act(&repo, &format!("kill:{moment}"));
        assert_eq!(ran.status, -1, "{moment}: not killed: {}", ran.stderr);
        repo
    }

    /// Tries one disturbance and checks everything.
    fn disturb(&self, fault: &str) {
        let what = format!("{}, {fault}", self.scenario.name);
        let repo = self.repo.copy();
        let ran = self.act(&repo, fault);
        if !fault.ends_with("#1") && matches!(ran.status, 0 | 1) {
            // Young files are looked at again, older ones are not: it did not come by this time.
            return;
        }
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
        repo.assert_tidy(&what);
    }

    /// The next command puts things right: all is as before, or as after.
    fn get_there(&self, repo: &Repo, what: &str) {
        let again = self.scenario.act;
        let finish = match again {
            ["run"] | ["install", ..] | ["push"] | ["fetch"] => again,
            _ => &["run", "--report"],
        };
        let next = repo.tcr(finish);
        assert!(
            matches!(next.status, 0 | 1),
            "{what}: {}{}",
            next.stdout,
            next.stderr
        );
        let picture = Picture::of(repo);
        if finish != again && picture.is_still(&self.before) {
            repo.tcr(again);
            Picture::of(repo).assert_is(&self.after, what);
        } else if finish != again || picture != self.later {
            picture.assert_is(&self.after, what);
        }
    }
}

/// Ends the process at every moment of a scenario, and fills the disk at every write. Of moments
/// that come by many times the first has to do, unless all are asked for; but each ref that moves
/// leaves another picture behind.
fn try_all(name: &str) {
    let stage = Stage::new(name);
    let all = are_thorough();
    for (moment, number) in stage.moments() {
        let kind = if POINTS.contains(&moment.as_str()) {
            "kill"
        } else {
            "full"
        };
        if all || number == 1 || moment == "between-refs" {
            stage.disturb(&format!("{kind}:{moment}#{number}"));
        }
    }
}

#[test]
fn every_listed_moment_is_tried() {
    let mut tried = BTreeSet::new();
    for scenario in SCENARIOS {
        let moments = Stage::new(scenario.name).moments();
        tried.extend(moments.into_iter().map(|(name, _)| name));
    }
    let listed: BTreeSet<String> = POINTS
        .iter()
        .chain(WRITES)
        .map(|name| (*name).to_owned())
        .collect();
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
fn a_red_and_its_green_in_one_run() {
    try_all("a red and its green in one run");
}

#[test]
fn the_green_after_the_red_of_one_run() {
    let stage = Stage::new("a red and its green in one run");
    let again =
        |(moment, number): &(String, usize)| *number == 2 && POINTS.contains(&moment.as_str());
    let moments: Vec<_> = stage.moments().into_iter().filter(again).collect();
    assert!(moments.iter().any(|(moment, _)| moment == "refs-moved"));
    for (moment, number) in moments {
        stage.disturb(&format!("kill:{moment}#{number}"));
    }
}

#[test]
fn a_linted_commit() {
    try_all("a linted commit");
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
fn a_freeze() {
    try_all("a freeze");
}

#[test]
fn an_accepted_test_bug() {
    try_all("an accepted test bug");
}

#[test]
fn the_end_of_a_spec_cycle() {
    try_all("the end of a spec cycle");
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

#[test]
fn a_dropped_spike() {
    try_all("a dropped spike");
}

#[test]
fn a_kept_spike() {
    try_all("a kept spike");
}

#[test]
fn a_squash() {
    try_all("a squash");
}

#[test]
fn an_undone_squash() {
    try_all("an undone squash");
}

#[test]
fn a_push() {
    try_all("a push");
}

#[test]
fn a_fetch() {
    try_all("a fetch");
}

/// A squash over a base that moved on takes several steps: wherever it ends, doing it again gets
/// there.
#[test]
fn a_squash_over_a_moved_base() {
    let prepared = scenarios::squash_over_a_moved_base();
    let undisturbed = prepared.copy();
    undisturbed.tcr(&["squash"]).success();
    let goal = undisturbed.tree("main");
    let contents = Contents::of(&prepared);
    let trace = prepared.around().join("trace");
    let copy = prepared.copy();
    let fault = format!("trace:{}", trace.display());
    copy.tcr_in(copy.root(), &["squash"], &[("GIT_TCR_FAULT", &fault)])
        .success();
    let text = std::fs::read_to_string(trace).expect("a trace");
    let mut passed: BTreeMap<&str, usize> = BTreeMap::new();
    for name in text.lines() {
        let number = passed.entry(name).or_default();
        *number += 1;
        let is_last = *number == text.lines().filter(|line| *line == name).count();
        if *number != 1 && !is_last {
            continue;
        }
        let what = format!("squash over a moved base, {name}#{number}");
        let repo = prepared.copy();
        let fault = format!("kill:{name}#{number}");
        let ran = repo.tcr_in(repo.root(), &["squash"], &[("GIT_TCR_FAULT", &fault)]);
        contents.assert_there(&repo, &what);
        repo.tcr(&["status"]).success();
        let again = repo.tcr(&["squash"]);
        let is_done = ran.status == 0 || again.stderr.contains("nothing to squash");
        assert!(again.status == 0 || is_done, "{what}: {}", again.stderr);
        assert_eq!(repo.tree("main"), goal, "{what}");
        assert_eq!(
            (repo.branch(), repo.porcelain()),
            ("main".into(), String::new()),
            "{what}"
        );
        contents.assert_there(&repo, &what);
        repo.git(&["fsck", "--no-dangling", "--no-progress"]);
        repo.assert_tidy(&what);
    }
}

/// A test run that kills the process, now or while it carries out what was decided. What the run
/// started lives on.
#[test]
fn killed_from_within_its_own_tests() {
    const TRIES: u64 = 12;
    for name in ["the first commit", "a revert"] {
        let stage = Stage::new(name);
        let mut seed: u64 = 20_240_229;
        for _ in 0..TRIES {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let delay = format!("0.{:03}", (seed >> 33) % 80);
            let what = format!("{name}, killed after {delay} s");
            let repo = stage.repo.copy();
            let mut command = repo.command(PROGRAM);
            command.args(stage.scenario.act).env("KILL_AFTER", &delay);
            // Killed or not, it depends on the moment.
            command.output().expect("the program runs");
            stage.contents.assert_there(&repo, &what);
            repo.tcr(&["status"]).success();
            stage.get_there(&repo, &what);
            stage.contents.assert_there(&repo, &what);
            repo.git(&["fsck", "--no-dangling", "--no-progress"]);
            repo.assert_tidy(&what);
        }
    }
}

/// Ctrl-C in the moment in which git finds a lock of ours: it waits, and git goes on at once.
#[test]
fn a_signal_leaves_no_lock_behind() {
    let stage = Stage::new("a green commit");
    for moment in ["refs-locked", "index-locked"] {
        for signal in ["INT", "TERM", "HUP"] {
            let what = format!("{moment}, {signal}");
            let repo = stage.repo.copy();
            let program = saves::program(&repo, &format!("kill -{signal} $PPID\n"));
            let ran = stage.act(&repo, &format!("call:{moment}#1={}", program.display()));
            assert_eq!(ran.status, -1, "{what}: {}{}", ran.stdout, ran.stderr);
            for lock in [".git/index.lock", ".git/HEAD.lock", ".git/tcr/refs-lock"] {
                assert!(!repo.exists(lock), "{what}: {lock}");
            }
            stage.get_there(&repo, &what);
            stage.contents.assert_there(&repo, &what);
            repo.assert_tidy(&what);
        }
    }
}

/// Locks on refs keep plain git out: they go with the next command, also if it changes no ref.
#[test]
fn locks_on_refs_go_with_a_plan_that_had_not_begun() {
    let stage = Stage::new("a squash");
    let repo = stage.repo.copy();
    assert_eq!(stage.act(&repo, "kill:refs-locked#1").status, -1);
    let lock = repo.path(".git/refs/heads/main.lock");
    std::fs::write(&lock, "").expect("a file");
    let word = format!("process 1\n{}\0", lock.display());
    repo.write(".git/tcr/refs-lock", &word);
    let ran = repo.tcr(&["run"]).success();
    assert!(ran.stdout.contains("nothing to do"), "{}", ran.stdout);
    repo.assert_tidy("nothing to do");
    Picture::of(&repo).assert_is(&stage.before, "nothing to do");
}

/// What only the plan holds is kept from being pruned.
#[test]
fn garbage_is_collected_before_the_next_command() {
    for name in ["a revert", "the first commit"] {
        let stage = Stage::new(name);
        for point in [
            "snapshot-held",
            "plan-written",
            "between-refs",
            "refs-moved",
            "index-aligned",
        ] {
            let what = format!("{name}, gc after {point}");
            let repo = stage.killed_at(&format!("{point}#1"));
            repo.git(&["prune", "--expire=now"]);
            stage.get_there(&repo, &what);
            stage.contents.assert_there(&repo, &what);
            repo.git(&["fsck", "--no-dangling", "--no-progress"]);
        }
    }
}

/// A person who does not wait for the next command, but goes on with git.
#[test]
fn a_commit_by_hand_overtakes_the_plan() {
    let stage = Stage::new("a revert");
    for point in [
        "plan-written#1",
        "between-refs#1",
        "refs-moved#1",
        "path-aligned#2",
    ] {
        let what = format!("overtaken after {point}");
        let repo = stage.killed_at(point);
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "by hand"]);
        let contents = Contents::of(&repo);
        let by_hand = repo.git(&["rev-parse", "HEAD"]);
        let ran = repo.tcr(&["run"]);
        assert!(
            matches!(ran.status, 0 | 1),
            "{what}: {}{}",
            ran.stdout,
            ran.stderr
        );
        contents.assert_there(&repo, &what);
        assert_eq!(repo.git(&["rev-parse", "HEAD"]), by_hand, "{what}");
        assert_eq!(repo.porcelain(), "", "{what}");
        repo.assert_tidy(&what);
    }
}

/// The first commit is half made, the branch goes on: the WIP branch is not there by half.
#[test]
fn a_commit_on_the_base_overtakes_the_plan() {
    let stage = Stage::new("the first commit");
    for number in 1..=3 {
        let what = format!("overtaken after between-refs#{number}");
        let repo = stage.killed_at(&format!("between-refs#{number}"));
        // As git advises.
        drop(std::fs::remove_file(repo.path(".git/HEAD.lock")));
        repo.write("src/z.sh", "z() { echo z; }\n");
        repo.git(&["add", "src/z.sh"]);
        repo.git(&["commit", "-q", "-m", "by hand"]);
        let by_hand = repo.git(&["rev-parse", "HEAD"]);
        let ran = repo.tcr(&["run"]);
        assert!(
            matches!(ran.status, 0 | 1),
            "{what}: {}{}",
            ran.stdout,
            ran.stderr
        );
        stage.contents.assert_there(&repo, &what);
        assert_eq!(repo.branch(), "tcr/main", "{what}");
        assert_eq!(repo.git(&["rev-parse", "main"]), by_hand, "{what}");
        assert_eq!(repo.git(&["rev-parse", "tcr/main^"]), by_hand, "{what}");
        repo.assert_tidy(&what);
    }
}

/// A merge that a person began before the next command: the rest of the plan waits for it.
#[test]
fn a_merge_is_not_disturbed() {
    let stage = Stage::new("a revert");
    let repo = stage.killed_at("path-aligned#2");
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write(".git/MERGE_HEAD", &format!("{head}\n"));
    let (files, refs) = (repo.porcelain(), repo.git(&["for-each-ref"]));
    let ran = repo.tcr(&["run"]).exits(2);
    assert!(
        ran.stderr.contains("a merge is in progress"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        (repo.porcelain(), repo.git(&["for-each-ref"])),
        (files, refs)
    );
    repo.remove(".git/MERGE_HEAD");
    stage.get_there(&repo, "after the merge");
    stage.contents.assert_there(&repo, "after the merge");
    repo.assert_tidy("after the merge");
}

/// A file that was saved in the instant before it was replaced, and then the process died.
#[test]
fn a_last_moment_edit_is_given_back() {
    let stage = Stage::new("a revert");
    for point in ["path-set-aside", "path-swapped"] {
        let repo = stage.killed_at(&format!("{point}#1"));
        let aside = std::fs::read_dir(repo.path(".git/tcr/aside")).expect("a folder");
        let aside: Vec<_> = aside.flatten().map(|item| item.path()).collect();
        assert_eq!(aside.len(), 1, "{point}: {aside:?}");
        std::fs::remove_file(&aside[0]).expect("a file");
        std::fs::write(&aside[0], "saved in the last moment\n").expect("a file");
        repo.tcr(&["run", "--report"]);
        let found = repo.try_git(&["grep", "-l", "--untracked", "in the last moment"]);
        assert_eq!(found.stdout.lines().count(), 1, "{point}: {}", found.stderr);
        repo.assert_tidy(point);
    }
}

#[test]
fn what_was_finished_for_a_process_that_died_is_told() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo 4; }\n");
    let fault = [("GIT_TCR_FAULT", "kill:refs-moved#1")];
    repo.tcr_in(repo.root(), &["run"], &fault);
    assert!(repo.exists("src/add.sh"), "ended before the worktree");
    let ran = repo.tcr(&["run"]);
    assert!(!repo.exists("src/add.sh"));
    assert!(
        ran.stdout.contains("is kept as recover 1"),
        "{}",
        ran.stdout
    );
}
