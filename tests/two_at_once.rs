//! Many processes at the same time: no update is lost, the numbers add up, no lock is left.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Repo;
use crate::support::programs::are_thorough;

/// What the processes said they did.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    commits: u64,
    reverts: u64,
    /// Links of the state chain that are neither.
    others: u64,
}

impl Tally {
    fn add(&mut self, outcome: &Value) {
        if let Some(rounds) = outcome["rounds"].as_array() {
            return rounds.iter().for_each(|round| self.add(round));
        }
        match outcome["action"].as_str() {
            Some("commit") => self.commits += 1,
            Some("take_back") => self.reverts += 1,
            Some("none") => {}
            _ => self.others += 1,
        }
    }
}

fn prepared() -> Repo {
    let repo = Repo::bare_start();
    repo.write(
        ".tcr.toml",
        "test = \"! grep -qs bad *.sh\"\nmode = \"tcr\"\n",
    );
    repo.committed().installed()
}

/// Changes of one process after the other, each followed by a run. Every fifth change is bad.
fn work(repo: &Repo, root: &Path, worker: usize, changes: usize) -> Tally {
    let mut tally = Tally::default();
    for change in 1..=changes {
        let word = if change % 5 == 0 { "bad" } else { "good" };
        let path = root.join(format!("worker-{worker}.sh"));
        std::fs::write(path, format!("{word} {change}\n")).expect("a file");
        loop {
            let ran = repo.tcr_in(root, &["run", "--json"], &[]);
            let outcome = ran.json();
            tally.add(&outcome);
            // Where others save while the tests run, twice, nothing can be decided.
            let is_undecided = ran.status == 2 && outcome["action"] == "keep";
            if !is_undecided {
                assert!(matches!(ran.status, 0 | 1), "{}{}", ran.stdout, ran.stderr);
                break;
            }
        }
    }
    tally
}

/// Lets the workers loose, two or more in a worktree, and adds up what each worktree's did.
fn all_at_once(repo: &Repo, roots: &[PathBuf], workers: usize, changes: usize) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = roots.iter().map(|_| Tally::default()).collect();
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|worker| {
                let place = worker % roots.len();
                let root = &roots[place];
                (
                    place,
                    scope.spawn(move || work(repo, root, worker, changes)),
                )
            })
            .collect();
        for (place, thread) in started {
            let done = thread.join().expect("a worker ends well");
            tallies[place].commits += done.commits;
            tallies[place].reverts += done.reverts;
            tallies[place].others += done.others;
        }
    });
    tallies
}

fn assert_adds_up(repo: &Repo, root: &Path, base: &str, tally: &Tally) {
    let count = |args: &[&str]| -> u64 { repo.git(args).parse().expect("a number") };
    let state: Value =
        serde_json::from_str(&repo.show(&format!("refs/tcr/state/{base}:state.json")))
            .expect("JSON");
    assert!(tally.commits > 0, "{base}: {tally:?}");
    assert_eq!(state["stats"]["commits"], tally.commits, "{base}");
    assert_eq!(state["stats"]["reverts"], tally.reverts, "{base}");
    let on_wip = count(&["rev-list", "--count", &format!("{base}..tcr/{base}")]);
    assert_eq!(on_wip, tally.commits, "{base}");
    let saved = repo.git(&["for-each-ref", &format!("refs/tcr/reverts/{base}/")]);
    assert_eq!(saved.lines().count() as u64, tally.reverts, "{base}");
    // One link for becoming active.
    let links = count(&["rev-list", "--count", &format!("refs/tcr/state/{base}")]);
    assert_eq!(
        links,
        1 + tally.commits + tally.reverts + tally.others,
        "{base}"
    );
    let range = format!("{base}..tcr/{base}");
    let notes = repo.git(&["log", "--notes=tcr", "--format=%x01%N", &range]);
    let noted = notes
        .split('\u{1}')
        .filter(|note| note.contains("verdict: green"))
        .count();
    assert_eq!(noted as u64, tally.commits, "{base}: {notes}");
    let status = repo
        .tcr_in(root, &["status", "--json"], &[])
        .success()
        .json();
    assert_eq!(status["in_flight"], false, "{base}");
}

fn on_one_worktree(changes: usize) {
    let repo = prepared();
    let roots = [repo.root().to_owned()];
    let tally = all_at_once(&repo, &roots, 8, changes);
    assert_adds_up(&repo, &roots[0], "main", &tally[0]);
    repo.git(&["fsck", "--no-dangling", "--no-progress"]);
    repo.assert_tidy("all are done");
}

fn on_linked_worktrees(changes: usize) {
    let repo = prepared();
    let roots: Vec<PathBuf> = (0..4)
        .map(|number| {
            let branch = format!("branch-{number}");
            repo.linked_worktree(&format!("tree-{number}"), &["-b", &branch], "HEAD")
        })
        .collect();
    for root in &roots {
        repo.tcr_in(root, &["on"], &[]).success();
    }
    let tallies = all_at_once(&repo, &roots, 8, changes);
    for (number, root) in roots.iter().enumerate() {
        assert_adds_up(&repo, root, &format!("branch-{number}"), &tallies[number]);
    }
    repo.git(&["fsck", "--no-dangling", "--no-progress"]);
    repo.assert_tidy("all are done");
}

/// How many changes each process makes.
fn changes() -> usize {
    if are_thorough() { 50 } else { 6 }
}

#[test]
fn eight_processes_on_one_worktree() {
    on_one_worktree(changes());
}

#[test]
fn eight_processes_on_four_linked_worktrees() {
    on_linked_worktrees(changes());
}
