//! `gate`, as clients call it before each tool, next to the cheapest question one can ask git.

use serde_json::{Value, json};

use crate::Options;
use crate::measure::{Processes, Ratio, costs};
use crate::world::{Checkout, World};

/// Its medians are of single milliseconds, so they are taken of more.
const ROUNDS: usize = 200;

/// What a write and a shell command may take, in units of `git rev-parse HEAD`.
const WRITE: f64 = 1.4;
const SHELL: f64 = 1.6;
/// What size and age of a repository may add.
const FLAT: f64 = 1.05;

/// 300 characters of the everyday kind, allowed in every phase.
const COMMAND: &str = "cd packages/area0 && grep -rn --include='*.py' 'def step_1' part0 part1 | sort -t: -k1,1 -u \
    | head -n 40 > /tmp/steps.txt; for f in part0/unit0/file_1.py part0/unit1/file_25.py; do test -s \"$f\" \
    && wc -l \"$f\"; done; git log --oneline -n 5 -- . && git diff --stat HEAD~1 2>/dev/null || echo 'nothing'";

/// A write and a shell command, on a small repository and on one that is large and old.
pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("gate") {
        return;
    }
    let smallest = options.sizes.iter().copied().min().unwrap_or_default();
    let largest = options.sizes.iter().copied().max().unwrap_or_default();
    let rounds = options.rounds.max(ROUNDS);
    let small = World::generate_ours(smallest);
    let large = World::generate_aged(largest, options.refs, options.events);
    let old = format!("{largest} files, {} events", options.events);
    for (checkout, size, factor) in [
        (&small, format!("{smallest} files"), 1.0),
        (&large, old, FLAT),
    ] {
        checkout.seal("test = \"true\"\n");
        let write = json!({"file_path": "tests/test_new.py", "content": "def test_new():\n    assert new() == 1\n"});
        let shell = json!({ "command": COMMAND });
        show(one(
            "gate, write / git rev-parse HEAD",
            checkout,
            &size,
            ("Write", &write),
            WRITE * factor,
            rounds,
        ));
        show(one(
            "gate, shell / git rev-parse HEAD",
            checkout,
            &size,
            ("Bash", &shell),
            SHELL * factor,
            rounds,
        ));
    }
}

fn one(
    name: &str,
    checkout: &Checkout,
    size: &str,
    (tool, input): (&str, &Value),
    allowed: f64,
    rounds: usize,
) -> Ratio {
    let payload = checkout.payload_file("PreToolUse", tool, input);
    let both = costs(
        rounds,
        &mut Processes {
            ours: &mut |_| checkout.hook("gate", &payload),
            yardstick: &mut |_| checkout.cost_of_git(&["rev-parse", "HEAD"]),
        },
    );
    Ratio::of(name, size, both, Some(allowed))
}
