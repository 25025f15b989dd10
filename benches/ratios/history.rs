//! What reads a long history, next to the cheapest question one can ask git.

use crate::Options;
use crate::measure::{Processes, Ratio, costs};
use crate::world::World;

pub(crate) fn show(options: &Options, show: &mut dyn FnMut(Ratio)) {
    if !options.wants("history") {
        return;
    }
    let files = options.sizes.iter().copied().min().unwrap_or_default();
    let old = World::generate_aged(files, 0, options.events);
    for (command, goal) in [("stats", 5.0), ("recover", 3.0), ("report", 10.0)] {
        let both = costs(
            options.rounds,
            &mut Processes {
                ours: &mut |_| old.cost_of_tcr(&[command]),
                yardstick: &mut |_| old.cost_of_git(&["rev-parse", "HEAD"]),
            },
        );
        show(Ratio::of(
            &format!("history: {command} / git rev-parse HEAD"),
            &format!("{} events", options.events),
            both,
            Some(goal),
        ));
    }
}
