//! Somebody else uses git in the same worktree at each moment of each kind of step: an editor that
//! asks for the status, a person who commits, stashes or switches, housekeeping. Nothing is lost.

use super::Stage;
use super::picture::{Contents, Picture};
use super::saves::{program, was_called};
use super::scenarios::SCENARIOS;
use crate::support::programs::are_thorough;

/// What changes nothing has to leave no trace.
const IDLE: &[&str] = &[
    "git status",
    "git gc --quiet",
    "git pack-refs --all",
    "git update-index --refresh",
];

/// What takes away objects that no ref holds yet.
const PRUNE: &str = "git gc --quiet --prune=now";

/// What moves the index, HEAD or the worktree.
const BUSY: &[&str] = &[
    PRUNE,
    "git add -A",
    "git reset -q",
    "git commit -q --allow-empty -a -m 'by hand'",
    "git stash -q -u",
    "git switch -q -c elsewhere",
    "git checkout -q --detach",
];

impl Stage {
    /// What a command that is called before the step leaves of all that is there: it may drop
    /// staged content itself.
    fn contents_after(&self, command: &str) -> Contents {
        let repo = self.repo.copy();
        let ran = repo.command("sh").args(["-c", &alone(command)]).status();
        assert!(ran.is_ok());
        self.contents.and(&Contents::of(&repo))
    }

    /// Calls git at one moment and checks everything.
    fn call_at(&self, moment: &str, number: usize, command: &str, contents: &Contents) {
        let what = format!("{}, {moment}#{number}, {command}", self.scenario.name);
        let repo = self.repo.copy();
        let program = program(&repo, &alone(command));
        let ran = self.act(
            &repo,
            &format!("call:{moment}#{number}={}", program.display()),
        );
        let said = format!("{what}: {}{}", ran.stdout, ran.stderr);
        assert!(was_called(&program, number), "{said}");
        assert!(matches!(ran.status, 0..=2), "{said}");
        contents.assert_there(&repo, &said);
        if IDLE.contains(&command) {
            Picture::of(&repo).assert_is(&self.after, &said);
        }
        let next = repo.tcr(&["run"]);
        let said = format!("{said}\nthen: {}{}", next.stdout, next.stderr);
        assert!(matches!(next.status, 0..=2), "{said}");
        contents.assert_there(&repo, &said);
        repo.git(&["fsck", "--no-dangling", "--no-progress"]);
        repo.assert_tidy(&said);
    }
}

/// Our own hooks would wait for the end of the step.
fn alone(command: &str) -> String {
    let key = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null";
    format!("export {key}\n{command} > /dev/null 2>&1\n")
}

/// Of moments that come by many times the first has to do.
fn call_at_all(name: &str, commands: &[&str]) {
    let stage = Stage::new(name);
    for command in commands {
        let contents = stage.contents_after(command);
        for (moment, number) in stage.moments() {
            // Between the last look at an object and the ref that holds it there is always a moment.
            let is_in_time = !(*command == PRUNE && moment == "between-refs");
            if number == 1 && is_in_time {
                stage.call_at(&moment, number, command, &contents);
            }
        }
    }
}

#[test]
fn at_every_moment() {
    if !are_thorough() {
        return;
    }
    for scenario in SCENARIOS {
        call_at_all(scenario.name, &[IDLE, BUSY].concat());
    }
}

#[test]
fn housekeeping_during_a_commit() {
    call_at_all("a green commit", &[PRUNE]);
}

#[test]
fn housekeeping_during_a_revert() {
    call_at_all("a revert", &[PRUNE]);
}

#[test]
fn the_index_moves_during_a_revert() {
    call_at_all("a revert", &["git status", "git add -A"]);
}

#[test]
fn head_moves_during_a_commit() {
    call_at_all(
        "a green commit",
        &["git stash -q -u", "git switch -q -c elsewhere"],
    );
}
