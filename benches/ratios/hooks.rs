//! What git's hooks cost a person whose work is none of ours.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Options;
use crate::measure::{Ratio, Sides, medians};
use crate::world::{Checkout, World};

/// Medians of single milliseconds are taken of more.
const ROUNDS: usize = 100;

/// What the hook for moving refs may take, in units of a program that does nothing.
const REF_HOOK: f64 = 2.5;
/// What a command may take, in units of the same with hooks that do nothing: how often git calls
/// them is git's affair.
const COMMAND: f64 = 1.5;

pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("hook") {
        return;
    }
    let files = options.sizes.iter().copied().min().unwrap_or_default();
    let world = World::generate(files, 0);
    for refs in [1, 3, 1_000] {
        show(ref_hook(&world.ours, refs, options.rounds.max(ROUNDS)));
    }
    idle_hooks(&world.plain);
    for (name, line) in [
        ("commit", "git commit -q --allow-empty -m x"),
        ("switch", "git switch -q -C other && git switch -q main"),
        ("stash", "echo x >new && git stash -qu && git stash drop -q"),
    ] {
        let (ours, yardstick) = medians(
            options.rounds,
            &mut Sides {
                ours: &mut |_| world.ours.timed_script(line),
                yardstick: &mut |_| world.plain.timed_script(line),
            },
        );
        let name = format!("{name}, hooks / hooks that idle");
        show(Ratio::new(
            &name,
            &format!("{files} files"),
            ours,
            yardstick,
            COMMAND,
        ));
    }
}

/// The hooks that we put in, as programs that do nothing.
fn idle_hooks(checkout: &Checkout) {
    for name in [
        "reference-transaction",
        "pre-commit",
        "commit-msg",
        "post-checkout",
    ] {
        let hook = checkout.repo().path(&format!(".git/hooks/{name}"));
        std::fs::create_dir_all(hook.parent().expect("a folder")).expect("a folder");
        std::os::unix::fs::symlink("/bin/true", hook).expect("a link");
    }
}

fn ref_hook(checkout: &Checkout, refs: usize, rounds: usize) -> Ratio {
    let line = |number| format!("{0} {0} refs/remotes/origin/b{number}\n", "1".repeat(40));
    let input: String = (0..refs).map(line).collect();
    let hook = checkout.repo().path(".git/hooks/reference-transaction");
    let time = |program: &std::path::Path| {
        let mut command = checkout.repo().command(program);
        fed(command.arg("prepared"), input.as_bytes())
    };
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| time(&hook),
            yardstick: &mut |_| time(std::path::Path::new("/bin/true")),
        },
    );
    let size = if refs == 1 {
        "1 ref, not ours".to_owned()
    } else {
        format!("{refs} refs, none ours")
    };
    Ratio::new("ref hook / true", &size, ours, yardstick, REF_HOOK)
}

fn fed(command: &mut Command, input: &[u8]) -> Duration {
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().expect("it runs");
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever does not listen has decided.
        drop(stdin.write_all(input));
    }
    let ended = child.wait().expect("it ran");
    let time = start.elapsed();
    assert!(ended.success(), "{command:?}");
    time
}
