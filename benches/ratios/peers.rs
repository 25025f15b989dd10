//! Others of the trade, where they are installed: what a user pays for each before a write. They
//! have no goals of ours. Models that they ask are not waited for longer than they themselves do.

use std::process::Stdio;

use serde_json::json;

use crate::Options;
use crate::measure::{Cost, Processes, Ratio, costs};
use crate::support::programs;
use crate::world::World;

/// Programs that read a hook's message as we do.
const GATES: [&str; 2] = ["tdd-guard", "probity"];
const ROUNDS: usize = 5;

pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("peer") {
        return;
    }
    let files = options.sizes.iter().copied().min().unwrap_or_default();
    let world = World::generate(files, 0);
    let size = format!("{files} files");
    let rounds = options.rounds.min(ROUNDS);
    let write = json!({"file_path": "tests/test_new.py", "content": "def test_new():\n    assert new() == 1\n"});
    let payload = world.plain.payload_file("PreToolUse", "Write", &write);
    for program in GATES {
        let Some(path) = programs::find(program) else {
            continue;
        };
        let both = costs(
            rounds,
            &mut Processes {
                ours: &mut |_| {
                    let mut command = world.plain.repo().command(&path);
                    let payload = std::fs::File::open(&payload).expect("a file");
                    command
                        .stdin(payload)
                        .stdout(Stdio::null())
                        .stderr(Stdio::null());
                    Cost::of(&mut command, 0).without_cpu()
                },
                yardstick: &mut |_| world.plain.cost_of_git(&["rev-parse", "HEAD"]),
            },
        );
        show(Ratio::of(
            &format!("peer {program} / git rev-parse HEAD"),
            &size,
            both,
            None,
        ));
    }
    if programs::find("git-gamble").is_some() {
        let both = costs(
            rounds,
            &mut Processes {
                ours: &mut |round| {
                    world.ours.change(round);
                    world
                        .ours
                        .cost_of_script("GAMBLE_TEST_COMMAND=true git gamble --pass")
                },
                yardstick: &mut |round| {
                    world.plain.change(round);
                    let script = "git add -A && git commit -qm WIP --no-verify";
                    world.plain.cost_of_script(script)
                },
            },
        );
        show(Ratio::of(
            "peer git-gamble / add -A && commit",
            &size,
            both,
            None,
        ));
    }
}
