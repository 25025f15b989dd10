//! `watch` beside its bounds: how soon the tests start after a save, and what waiting costs.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::measure::{Ratio, Sides, medians};
use crate::support::PROGRAM;
use crate::world::{Checkout, World};

/// The default of `debounce_ms`, and what may come on top of it.
const BOUND: Duration = Duration::from_millis(100 + 50);
/// How long it is left alone, and the CPU time that counts as none in it.
const IDLE: Duration = Duration::from_secs(5);
const NONE: Duration = Duration::from_millis(5);
const SETTLED: Duration = Duration::from_secs(1);

/// A watch that runs beside the measurement.
struct Watching {
    child: Child,
    outcomes: BufReader<ChildStdout>,
}

pub(crate) fn show(files: usize, rounds: usize, show: &mut dyn FnMut(Ratio)) {
    let world = World::generate_ours(files);
    world.add_program("started", "#!/bin/sh\necho > \"$HOME/started\"\n");
    world.seal_test_command("./started");
    // From here on a run of the tests waits until somebody reads that it has started.
    let started = world.repo().around().join("home/started");
    let pipe = rustix::fs::mkfifoat(rustix::fs::CWD, &started, rustix::fs::Mode::RWXU);
    pipe.expect("a pipe");
    let mut watching = Watching::start(&world);
    let size = format!("{files} files");
    let (ours, bound) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                let saved = Instant::now();
                world.set_first_file(round);
                std::fs::read(&started).expect("a pipe");
                let time = saved.elapsed();
                watching.next_outcome();
                time
            },
            yardstick: &mut |_| BOUND,
        },
    );
    show(Ratio::new(
        "watch, save to tests / debounce + 50",
        &size,
        ours,
        bound,
        1.0,
    ));
    // Its own commit was the last change: it looks once more that nothing else came with it.
    std::thread::sleep(SETTLED);
    let before = watching.cpu_time();
    std::thread::sleep(IDLE);
    let spent = watching.cpu_time().saturating_sub(before);
    show(Ratio::new(
        "watch, CPU in 5 s of nothing / 5 ms",
        &size,
        spent,
        NONE,
        1.0,
    ));
}

impl Watching {
    fn start(world: &Checkout) -> Watching {
        let mut child = world
            .repo()
            .command(PROGRAM)
            .args(["watch", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let outcomes = BufReader::new(child.stdout.take().expect("a pipe"));
        Watching { child, outcomes }
    }

    fn next_outcome(&mut self) {
        let mut line = String::new();
        let length = self.outcomes.read_line(&mut line).expect("a pipe");
        assert!(length > 0 && line.contains("\"commit\""), "{line}");
    }

    /// Of all its threads, as exactly as the system knows it.
    fn cpu_time(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let nanoseconds = threads.expect("it runs").flatten().filter_map(|thread| {
            let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            times.split_whitespace().next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(nanoseconds.sum())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
