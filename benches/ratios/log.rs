//! `log` next to git's own.

use crate::Options;
use crate::measure::{Ratio, Sides, medians};
use crate::world::World;

/// The newest 50 events next to the newest 50 commits with their notes.
pub(crate) fn newest(options: &Options, show: &mut dyn FnMut(Ratio)) {
    const LOOPS: usize = 100;
    if !options.wants("log") {
        return;
    }
    let files = options.sizes.iter().copied().min().unwrap_or_default();
    let world = World::generate_ours(files);
    world.play_loops(LOOPS);
    let (ours, yardstick) = medians(
        options.rounds,
        &mut Sides {
            ours: &mut |_| world.timed_tcr(&["log", "-n", "50"], 0),
            yardstick: &mut |_| world.timed_git(&["log", "-n", "50", "--notes"]),
        },
    );
    show(Ratio::new(
        "log -n 50 / git log -n 50 --notes",
        &format!("{files} files, {LOOPS} loops"),
        ours,
        yardstick,
        2.0,
    ));
}
