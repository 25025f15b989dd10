//! A call over MCP beside the command that it stands for.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::measure::{Ratio, Sides, medians};
use crate::support::mcp_session::Session;
use crate::world::World;

pub(crate) fn status(files: usize, rounds: usize, show: &mut dyn FnMut(Ratio)) {
    let world = World::generate_ours(files);
    let size = format!("{files} files");
    let call = |session: &mut Session| {
        let answer = session.call("status", json!({}));
        assert!(answer["structuredContent"].is_object(), "{answer}");
    };
    let mut running = Session::open(world.repo());
    let timed = |work: &mut dyn FnMut()| -> Duration {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| timed(&mut || call(&mut running)),
            yardstick: &mut |_| world.timed_tcr(&["status", "--json"], 0),
        },
    );
    show(Ratio::new(
        "MCP status / git tcr status",
        &size,
        ours,
        yardstick,
        2.0,
    ));
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| {
                timed(&mut || {
                    let mut session = Session::open(world.repo());
                    call(&mut session);
                    assert_eq!(session.close(), Some(0));
                })
            },
            yardstick: &mut |_| world.timed_tcr(&["status", "--json"], 0),
        },
    );
    show(Ratio::new(
        "MCP status, server started / git tcr",
        &size,
        ours,
        yardstick,
        3.0,
    ));
}
