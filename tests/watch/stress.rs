//! A watch under saves, renames, deletions and branch switches in an order that looks random and
//! is the same every time.

use std::time::{Duration, Instant};

use super::watching::Watching;
use crate::support::Repo;
use crate::support::dice::Dice;
use crate::support::programs::are_thorough;

const PATHS: &[&str] = &[
    "src/add.sh",
    "src/sub.sh",
    "tests/add.t",
    "tests/sub.t",
    "data/a.cfg",
    "data/deep/er/b.cfg",
    "README.md",
    "noise.log",
];
const CONTENTS: &[&str] = &["", "true\n", "false\n", "if\n", "add() { echo 3; }\n"];

/// One thing that a person, an editor or git may do.
fn act(repo: &Repo, dice: &mut Dice) {
    let path = dice.pick(PATHS);
    match dice.roll(10) {
        0..5 => repo.write(path, dice.pick(CONTENTS)),
        5 => {
            repo.write(".half-written.tmp", dice.pick(CONTENTS));
            // The folder may have gone with another branch.
            let _ = std::fs::rename(repo.path(".half-written.tmp"), repo.path(path));
            let _ = std::fs::remove_file(repo.path(".half-written.tmp"));
        }
        6 => drop(std::fs::remove_file(repo.path(path))),
        7 => drop(std::fs::rename(
            repo.path(path),
            repo.path(dice.pick(PATHS)),
        )),
        8 => drop(repo.try_git(&["switch", "-q", dice.pick(&["main", "tcr/main"])])),
        _ => drop(repo.tcr(&["phase", dice.pick(&["refactor", "red"])])),
    }
}

/// A few acts, then a change that has to be answered.
fn round(repo: &Repo, dice: &mut Dice, watch: &mut Watching, number: usize) {
    for _ in 0..=dice.roll(6) {
        act(repo, dice);
    }
    if repo.try_git(&["switch", "-q", "tcr/main"]).status != 0 {
        repo.git(&["clean", "-fdq"]);
        repo.git(&["switch", "-q", "--discard-changes", "tcr/main"]);
    }
    repo.write("last.cfg", &format!("round {number}\n"));
    watch.until_named("last.cfg");
}

fn prepared() -> Repo {
    let repo = Repo::new()
        .with(".gitignore", "*.log\n")
        .committed()
        .installed();
    // Tracked: a new file that comes while the tests run may be theirs, and is only named.
    repo.write("last.cfg", "0\n");
    assert_eq!(repo.run_json()["action"], "commit");
    repo
}

/// The journal, the refs and the worktree tell the same story.
fn assert_consistent(repo: &Repo) {
    let state = repo.status();
    assert_eq!(state["wip_tip"], repo.git(&["rev-parse", "tcr/main"]));
    assert_eq!(
        state["accepted_tree"],
        repo.git(&["rev-parse", "tcr/main^{tree}"])
    );
    let log = repo
        .tcr(&["log", "--json", "-n", "1000000"])
        .success()
        .json();
    let log = log.as_array().expect("a list");
    let commits = log.iter().filter(|event| event["commit"].is_string());
    for event in commits.clone() {
        let commit = event["commit"].as_str().expect("an id");
        repo.git(&["merge-base", "--is-ancestor", commit, "tcr/main"]);
    }
    for event in log {
        if let Some(number) = event["recover"].as_u64() {
            repo.git(&["cat-file", "-e", &format!("refs/tcr/reverts/main/{number}")]);
        }
    }
    let by_tcr = commits.filter(|event| event["why"] != "by-hand").count();
    let wip = repo.git(&["rev-list", "--count", "main..tcr/main"]);
    assert_eq!(wip.parse::<usize>().expect("a number"), by_tcr);
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    repo.assert_tidy("after the storm");
}

#[test]
fn nothing_is_lost_under_a_storm_of_changes() {
    let repo = prepared();
    let mut watch = Watching::start(&repo);
    let mut dice = Dice(0x7c12);
    for number in 0..25 {
        round(&repo, &mut dice, &mut watch, number);
    }
    assert!(watch.end().success());
    assert_consistent(&repo);
}

/// By then what is made once and kept is there: a megabyte of patterns, most of all.
const WARM: usize = 200;
/// The fewest rounds between the middles of the two halves that are compared.
const APART: usize = 150;
/// What may be kept of a round, in kilobytes: a tenth of it was measured, and a leak of four
/// kilobytes a round is four times as much.
const A_ROUND: usize = 1;

/// The allocator of glibc keeps what is free in case it is needed again, in several places: that
/// sways by megabytes before it levels off, and hides what is kept for good. With these it has one
/// place and gives back at once, so that what is left is what the program holds.
const NOTHING_IN_RESERVE: &[(&str, &str)] = &[
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "0"),
    ("MALLOC_TOP_PAD_", "0"),
    ("MALLOC_MMAP_THRESHOLD_", "8192"),
];

#[test]
fn nothing_is_lost_and_nothing_grows_in_ten_minutes() {
    if !are_thorough() {
        return;
    }
    let repo = prepared();
    let mut watch = Watching::start_with(&repo, NOTHING_IN_RESERVE);
    let mut dice = Dice(0x7c12);
    let started = Instant::now();
    let mut number = 0;
    let mut sizes = Vec::new();
    while started.elapsed() < Duration::from_secs(600) {
        round(&repo, &mut dice, &mut watch, number);
        number += 1;
        if number > WARM {
            sizes.push(own_kilobytes(watch.process()));
        }
    }
    let apart = sizes.len() / 2;
    assert!(apart >= APART, "only {number} rounds: nothing to compare");
    let (early, late) = sizes.split_at(apart);
    let (early, late) = (median(early), median(late));
    println!("{number} rounds; the halves after {WARM}: {early} kB, {late} kB");
    assert!(
        late < early + apart * A_ROUND,
        "{early} kB, then {late} kB {apart} rounds later"
    );
    assert!(watch.end().success());
    assert_consistent(&repo);
}

/// What a process has of its own. The pages of its program come and go as the system likes.
fn own_kilobytes(process: u32) -> usize {
    let memory = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup"));
    let memory = memory.expect("it runs");
    let line = memory
        .lines()
        .find_map(|line| line.strip_prefix("Anonymous:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .expect("a size")
}

fn median(sizes: &[usize]) -> usize {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable();
    sizes[sizes.len() / 2]
}
