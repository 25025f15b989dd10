//! Calls of an agent as its client makes them, with the config as shipped: the gate through the line
//! that `install` put in, the loop with nobody waiting for more.

use serde_json::{Value, json};

use crate::Options;
use crate::measure::{Cost, Processes, Ratio, costs};
use crate::world::World;

/// From here on a repository counts as large.
const LARGE: usize = 10_000;

pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("hook") {
        return;
    }
    for &files in &options.sizes {
        let world = World::generate(files, 0);
        world.ours.install_for("claude-code");
        let size = format!("{files} files");
        let write = json!({"file_path": "tests/test_new.py", "content": "def test_new():\n    assert new() == 1\n"});
        let before = world.ours.payload_file("PreToolUse", "Write", &write);
        let after = world.ours.payload_file("PostToolUse", "Write", &write);
        let goal = |small, large| if files < LARGE { small } else { large };
        let mut line = |name: &str,
                        goal: f64,
                        ours: &mut dyn FnMut(usize) -> Cost,
                        yardstick: &mut dyn FnMut(usize) -> Cost| {
            let both = costs(options.rounds, &mut Processes { ours, yardstick });
            show(Ratio::of(name, &size, both, Some(goal)));
        };
        let installed = world.ours.repo().read(".claude/settings.local.json");
        let installed: Value = serde_json::from_str(&installed).expect("settings");
        let gate = installed["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str();
        let gate = gate.expect("a line").to_owned();
        line(
            "hook as installed / git rev-parse",
            2.0,
            &mut |_| world.ours.installed_hook(&gate, &before),
            &mut |_| world.ours.cost_of_git(&["rev-parse", "HEAD"]),
        );
        let read = json!({"file_path": "src/a.py"});
        let reading = world.ours.payload_file("PostToolUse", "Read", &read);
        line(
            "hook loop, after reading / gate",
            1.0,
            &mut |_| world.ours.hook("loop", &reading),
            &mut |_| world.ours.hook("gate", &before),
        );
        line(
            "hook loop, unchanged / git status",
            1.5,
            &mut |_| world.ours.hook("loop", &after).without_cpu(),
            &mut |_| world.ours.cost_of_git(&["status", "--porcelain"]),
        );
        for (test, script, small, large, name) in [
            (
                "true",
                "git add -A && git commit -qm WIP --no-verify",
                1.3,
                0.7,
                "hook loop, green / add && commit",
            ),
            (
                "false",
                "git reset -q --hard && git clean -fdq",
                1.5,
                0.9,
                "hook loop, red / reset && clean",
            ),
        ] {
            world.ours.seal_test_command(test);
            line(
                name,
                goal(small, large),
                &mut |round| {
                    world.ours.change(round);
                    world.ours.hook("loop", &after).without_cpu()
                },
                &mut |round| {
                    world.plain.change(round);
                    world.plain.cost_of_script(script)
                },
            );
        }
    }
}
