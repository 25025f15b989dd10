//! Out of the WIP branch: squash, verify and replay next to what git itself takes for the same.

use std::time::{Duration, Instant};

use crate::Options;
use crate::measure::{Ratio, Sides, medians};
use crate::world::{Checkout, World};

/// Every line of this part.
pub(crate) fn out(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if options.wants("squash") {
        show(squash(options));
    }
    if options.wants("verify") {
        show(verify(options));
    }
    if options.wants("replay") {
        show(replay(options));
    }
}

fn steps(options: &Options) -> usize {
    if options.quick { 20 } else { 500 }
}

fn files(options: &Options) -> usize {
    options.sizes.iter().copied().min().unwrap_or_default()
}

fn squash(options: &Options) -> Ratio {
    let count = steps(options);
    let world = World::generate(files(options), 0);
    world.ours.play_loops(count);
    world.plain.play_commits(count);
    let tip = world.plain.repo().commit("HEAD");
    let line = format!("git reset -q --soft HEAD~{count} && git commit -qm squashed");
    let (ours, yardstick) = medians(
        options.rounds,
        &mut Sides {
            ours: &mut |round| {
                if round > 0 {
                    world.ours.timed_tcr(&["squash", "--undo"], 0);
                }
                world.ours.timed_tcr(&["squash"], 0)
            },
            yardstick: &mut |_| {
                world.plain.timed_git(&["reset", "-q", "--soft", &tip]);
                world.plain.timed_script(&line)
            },
        },
    );
    world.ours.expect_clean();
    Ratio::new(
        "squash / reset --soft && commit",
        &format!("{count} commits"),
        ours,
        yardstick,
        2.0,
    )
}

/// Every line of the tests is a test that passes if the source has it: one process runs them all.
const RUNNER: &str = r#"awk 'FNR==NR { have[$2] = 1; next }
{ n++; ok = ($1 in have); print (ok ? "ok " : "not ok ") n " - " $1; bad += !ok }
END { print "1.." n; exit bad > 0 }' src/steps.py tests/test_steps.py
"#;

/// A squashed history of so many commits, red and green in turn.
fn cycles(files: usize, count: usize) -> Checkout {
    let checkout = World::generate_ours(files);
    let repo = checkout.repo();
    let (mut tests, mut source) = ("step0\n".to_owned(), "# step0\n".to_owned());
    repo.write("run-tests", RUNNER);
    repo.write("tests/test_steps.py", &tests);
    repo.write("src/steps.py", &source);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "a runner"]);
    repo.write(".tcr.toml", "test = \"sh run-tests\"\n");
    repo.tcr(&["install", "--yes"]).success();
    for number in 1..=count / 2 {
        tests.push_str(&format!("step{number}\n"));
        repo.write("tests/test_steps.py", &tests);
        checkout.timed_tcr(&["run"], 0);
        source.push_str(&format!("# step{number}\n"));
        repo.write("src/steps.py", &source);
        checkout.timed_tcr(&["run"], 0);
    }
    repo.tcr(&["squash"]).success();
    assert_eq!(
        repo.git(&["rev-list", "--count", "main~1..refs/tcr/archive/main/1"]),
        (count / 2 * 2).to_string()
    );
    checkout
}

fn verify(options: &Options) -> Ratio {
    let count = steps(options);
    let checkout = cycles(files(options), count);
    let range = [
        "rev-list",
        "--objects",
        "refs/tcr/archive/main/1",
        "^main~1",
    ];
    let (ours, yardstick) = medians(
        options.rounds,
        &mut Sides {
            ours: &mut |_| checkout.timed_tcr(&["verify"], 0),
            yardstick: &mut |_| checkout.timed_git(&range),
        },
    );
    Ratio::new(
        "verify / rev-list --objects",
        &format!("{count} commits"),
        ours,
        yardstick,
        3.0,
    )
}

/// The tests themselves take a few milliseconds each; they are left in.
fn replay(options: &Options) -> Ratio {
    const COMMITS: usize = 20;
    const ROUNDS: usize = 5;
    let checkout = cycles(files(options), COMMITS);
    let repo = checkout.repo();
    let listed = repo.git(&["rev-list", "main~2..refs/tcr/archive/main/1"]);
    let commits: Vec<&str> = listed.lines().collect();
    let (ours, yardstick) = medians(
        options.rounds.min(ROUNDS),
        &mut Sides {
            ours: &mut |_| checkout.timed_tcr(&["verify", "--replay", "--jobs", "1"], 0),
            yardstick: &mut |round| {
                let folder = repo.around().join(format!("by-git-{round}"));
                let mut taken = Duration::ZERO;
                for commit in &commits {
                    let dir = folder.join(commit);
                    let dir = dir.to_str().expect("text");
                    let start = Instant::now();
                    repo.git(&["worktree", "add", "-q", "--detach", dir, commit]);
                    taken += start.elapsed();
                }
                std::fs::remove_dir_all(&folder).expect("it is there");
                repo.git(&["worktree", "prune"]);
                taken
            },
        },
    );
    Ratio::new(
        "replay, one at a time / worktree add",
        &format!("{} commits", commits.len()),
        ours,
        yardstick,
        1.5,
    )
}
