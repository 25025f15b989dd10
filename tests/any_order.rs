//! Edits, git by hand and git tcr in any order: whatever the order, nothing is lost, what is committed
//! was tested, and every answer is one of the three.
//!
//! The orders are drawn from fixed seeds, so that a failure comes again.

use std::collections::BTreeSet;

use crate::crash::picture::Contents;
use crate::support::{RUNNER, Repo};

/// Writes down the tree that the tests see, in objects of its own.
const NOTE_TREE: &str = r#"
copy="$HOME/index.$$"
objects="$PWD/.git/objects"
cp -p .git/index "$copy"
mkdir -p "$HOME/objects"
noted() {
  GIT_INDEX_FILE="$copy" GIT_OBJECT_DIRECTORY="$HOME/objects" \
    GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects" git "$@"
}
noted add -A && noted write-tree >> "$HOME/seen"
rm -f "$copy"
"#;

const SEEDS: std::ops::Range<u64> = 1..13;
const STEPS: usize = 24;

const SOURCE: [&str; 4] = [
    "src/a.sh",
    "src/sp ace.sh",
    "src/deep/er/b.sh",
    "src/lib.rs",
];
const TESTS: [&str; 3] = ["tests/x.t", "tests/new\nline.t", "tests/sub/y.t"];
const OTHERS: [&str; 4] = ["guide.md", "docs/page.md", "data.json", "Makefile"];

/// Source with its test in the same file.
fn with_tests(value: usize, expected: usize) -> String {
    format!(
        "pub fn f() -> usize {{ {value} }}\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{ assert_eq!(super::f(), {expected}); }}\n}}\n"
    )
}

/// A generator that needs no more than to be the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

struct Walk {
    repo: Repo,
    dice: Dice,
    /// Everything that was done, for the one who reads of a failure.
    story: Vec<String>,
    checked: BTreeSet<String>,
}

impl Walk {
    fn new(seed: u64) -> Walk {
        let repo = Repo::new()
            .with(
                "run-tests",
                &RUNNER.replace("#!/bin/sh\n", &format!("#!/bin/sh\n{NOTE_TREE}")),
            )
            .with("src/lib.rs", &with_tests(1, 1))
            .committed()
            .installed();
        Walk {
            repo,
            dice: Dice(seed),
            story: vec![format!("seed {seed}")],
            checked: BTreeSet::new(),
        }
    }

    fn step(&mut self) {
        match self.dice.below(10) {
            0..=3 => self.edit(),
            4 => self.git_by_hand(),
            _ => self.git_tcr(),
        }
    }

    fn edit(&mut self) {
        let number = self.story.len();
        let path = match self.dice.below(5) {
            0 | 1 => self.dice.of(&SOURCE),
            2 | 3 => self.dice.of(&TESTS),
            _ => self.dice.of(&OTHERS),
        };
        let on_disk = self.repo.path(path);
        let is_there = on_disk.symlink_metadata().is_ok();
        let kind = self.dice.below(8);
        self.story.push(format!("edit {path:?}, kind {kind}"));
        if is_there && kind < 4 {
            std::fs::remove_file(&on_disk).expect("a file to remove");
        }
        match kind {
            0 => {}
            1 | 2 if is_there => self.repo.link("nowhere", path),
            3 if is_there => self.repo.write("src/moved.sh", "moved() { :; }\n"),
            _ => {
                let content = self.content(path, number);
                self.repo.write(path, &content);
            }
        }
    }

    fn content(&mut self, path: &str, number: usize) -> String {
        let (name, value) = (self.dice.below(3), self.dice.below(3));
        match path {
            "src/lib.rs" => with_tests(value, name),
            _ if path.starts_with("src") => format!("f{name}() {{ echo {value}; }} # {number}\n"),
            _ if path.starts_with("tests") && value == 0 => format!("true # {number}\n"),
            _ if path.starts_with("tests") => format!("[ \"$(f{name})\" = {name} ]\n"),
            _ => format!("{number}\n"),
        }
    }

    fn git_by_hand(&mut self) {
        let number = self.story.len().to_string();
        let acts: [&[&str]; 8] = [
            &["add", "-A"],
            &["add", "-A"],
            &["commit", "-q", "-m", &number],
            &["commit", "-q", "-a", "-m", &number],
            &["reset", "-q"],
            &["rm", "-q", "--cached", "tests/first.t"],
            &["switch", "-q", "main"],
            &["switch", "-q", "tcr/main"],
        ];
        let act = self.dice.of(&acts);
        // Whether git does it is git's own affair.
        let ran = self.repo.try_git(act);
        self.story.push(format!("git {act:?}: {}", ran.status));
        assert!(!ran.stderr.contains("panicked"), "{}", self.told());
    }

    fn git_tcr(&mut self) {
        let acts: [&[&str]; 22] = [
            &["run"],
            &["run"],
            &["run"],
            &["run"],
            &["run"],
            &["run"],
            &["run", "--force"],
            &["phase", "refactor"],
            &["phase", "red", "--why", "it is wrong"],
            &["step"],
            &["allow", "src/a.sh", "--once"],
            &["mode", "tcr"],
            &["mode", "both"],
            &["mode", "both"],
            &["recover", "restore", "1"],
            &["recover", "green"],
            &["squash", "-m", "squashed"],
            &["squash", "--by-cycle"],
            &["squash", "--undo"],
            &["spike", "start"],
            &["spike", "drop"],
            &["spike", "keep"],
        ];
        let act = self.dice.of(&acts);
        let before = Contents::of(&self.repo);
        let ran = self.repo.tcr(act);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        self.story
            .push(format!("git tcr {act:?}: {}\n{said}", ran.status));
        let told = self.told();
        assert!(matches!(ran.status, 0..=2), "{told}");
        assert!(!said.contains("panicked"), "{told}");
        assert!(
            ran.status == 0 || said.contains("hint: "),
            "no way on: {told}"
        );
        before.assert_there(&self.repo, &told);
        self.repo.assert_tidy(&told);
        self.assert_tested(&told);
    }

    /// Every commit of the loop has a tree that the tests saw.
    fn assert_tested(&mut self, told: &str) {
        let seen = std::fs::read_to_string(self.repo.around().join("home/seen"));
        let seen = seen.expect("the tests ran at least once");
        let seen: BTreeSet<&str> = seen.lines().collect();
        let format = "--format=%H %T %(trailers:key=TCR-Phase,valueonly,separator=%x2C)";
        let log = self.repo.git(&["log", "--all", format]);
        for line in log.lines() {
            let [commit, tree, label] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                continue;
            };
            let is_judged = ["red", "green", "test", "chore", "refactor", "sync"].contains(&label);
            let is_entry = || {
                let entries = ["for-each-ref", "--format=%(refname)", "--points-at", commit];
                self.repo.git(&entries).contains("refs/tcr/reverts/")
            };
            if !is_judged || !self.checked.insert(commit.to_owned()) || is_entry() {
                continue;
            }
            assert!(
                seen.contains(tree),
                "{label} {commit} was not tested: {told}"
            );
        }
    }

    fn told(&self) -> String {
        self.story.join("\n")
    }
}

#[test]
fn nothing_is_lost_and_nothing_untested_is_committed() {
    std::thread::scope(|scope| {
        for half in [0, 1] {
            scope.spawn(move || {
                for seed in SEEDS.filter(|seed| seed % 2 == half) {
                    let mut walk = Walk::new(seed);
                    for _ in 0..STEPS {
                        walk.step();
                    }
                    walk.repo
                        .git(&["fsck", "--connectivity-only", "--no-dangling"]);
                    walk.repo.tcr(&["status", "--json"]).success().json();
                }
            });
        }
    });
}
