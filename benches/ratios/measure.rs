//! Two sides in turn, their medians, and the line of the table.

use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// Rounds before anything counts, for warm caches.
const WARM_UP: usize = 2;

/// What is compared: each is called with the number of the round, prepares, and returns the time
/// that counts.
pub(crate) struct Sides<'a> {
    pub(crate) ours: &'a mut dyn FnMut(usize) -> Duration,
    pub(crate) yardstick: &'a mut dyn FnMut(usize) -> Duration,
}

/// The medians of both sides, measured in turn so that other load on the machine hits both.
pub(crate) fn medians(rounds: usize, sides: &mut Sides<'_>) -> (Duration, Duration) {
    let mut ours = Vec::with_capacity(rounds);
    let mut yardstick = Vec::with_capacity(rounds);
    for round in 0..WARM_UP + rounds {
        let (one, other) = if round % 2 == 0 {
            let one = (sides.ours)(round);
            (one, (sides.yardstick)(round))
        } else {
            let other = (sides.yardstick)(round);
            ((sides.ours)(round), other)
        };
        if round >= WARM_UP {
            ours.push(one);
            yardstick.push(other);
        }
    }
    (median(ours), median(yardstick))
}

/// What one process took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    /// The processor's time, where the system tells. That of processes below it is not in it.
    cpu: Option<Duration>,
}

impl Cost {
    /// For a process that leaves the work to others.
    pub(crate) fn without_cpu(self) -> Cost {
        Cost { cpu: None, ..self }
    }

    /// Runs a process.
    pub(crate) fn of(command: &mut Command, status: i32) -> Cost {
        let start = Instant::now();
        let mut child = command.spawn().expect("the program runs");
        let pid = Pid::from_child(&child);
        // It has ended, and can still be asked what it took.
        let ended = waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        );
        let wall = start.elapsed();
        let cpu = ended.ok().and_then(|_| processor_time(child.id()));
        let ended = child.wait().expect("it ended");
        assert_eq!(ended.code(), Some(status), "{command:?}");
        Cost { wall, cpu }
    }
}

/// In nanoseconds, as Linux counts them; of its first thread.
fn processor_time(pid: u32) -> Option<Duration> {
    let times = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    let spent = times.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(spent))
}

/// Two processes that are compared: each is called with the number of the round, and prepares.
pub(crate) struct Processes<'a> {
    pub(crate) ours: &'a mut dyn FnMut(usize) -> Cost,
    pub(crate) yardstick: &'a mut dyn FnMut(usize) -> Cost,
}

/// The medians of two processes, measured in turn.
pub(crate) fn costs(rounds: usize, sides: &mut Processes<'_>) -> (Cost, Cost) {
    let (mut ours, mut yardstick) = (Vec::new(), Vec::new());
    let walls = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                let cost = (sides.ours)(round);
                ours.push(cost.cpu);
                cost.wall
            },
            yardstick: &mut |round| {
                let cost = (sides.yardstick)(round);
                yardstick.push(cost.cpu);
                cost.wall
            },
        },
    );
    let cpu = |times: Vec<Option<Duration>>| -> Option<Duration> {
        let times: Option<Vec<Duration>> = times.into_iter().skip(WARM_UP).collect();
        times.map(median)
    };
    let cost = |wall, times| Cost {
        wall,
        cpu: cpu(times),
    };
    (cost(walls.0, ours), cost(walls.1, yardstick))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// One line of the table.
pub(crate) struct Ratio {
    operation: String,
    size: String,
    ours: Cost,
    yardstick: Cost,
    /// None for what is none of ours.
    allowed: Option<f64>,
}

impl Ratio {
    pub(crate) const HEADER: &str = "\
| operation / yardstick                | size                      |    ours |   yard | ratio |   cpu |  yard | ratio | goal |      |
|--------------------------------------|---------------------------|--------:|-------:|------:|------:|------:|------:|-----:|------|";

    /// By the clock alone.
    pub(crate) fn new(
        operation: &str,
        size: &str,
        ours: Duration,
        yardstick: Duration,
        allowed: f64,
    ) -> Ratio {
        let cost = |wall| Cost { wall, cpu: None };
        Ratio::of(
            operation,
            size,
            (cost(ours), cost(yardstick)),
            Some(allowed),
        )
    }

    pub(crate) fn of(
        operation: &str,
        size: &str,
        (ours, yardstick): (Cost, Cost),
        allowed: Option<f64>,
    ) -> Ratio {
        Ratio {
            operation: operation.into(),
            size: size.into(),
            ours,
            yardstick,
            allowed,
        }
    }

    fn cpu(&self) -> Option<(Duration, Duration)> {
        self.ours.cpu.zip(self.yardstick.cpu)
    }

    /// The processor's time says more where it is known: others at work on the machine add little to it.
    fn ratio(&self) -> f64 {
        match self.cpu() {
            Some((ours, yardstick)) => times(ours, yardstick),
            None => times(self.ours.wall, self.yardstick.wall),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.allowed.is_some_and(|allowed| self.ratio() > allowed)
    }
}

fn times(ours: Duration, yardstick: Duration) -> f64 {
    ours.as_secs_f64() / yardstick.as_secs_f64()
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let (ours, yardstick) = (self.ours.wall, self.yardstick.wall);
        write!(
            f,
            "| {:<36} | {:<25} | {:>7.2} | {:>6.2} | {:>5.2} |",
            self.operation,
            self.size,
            ms(ours),
            ms(yardstick),
            times(ours, yardstick),
        )?;
        match self.cpu() {
            Some((ours, yardstick)) => write!(
                f,
                " {:>5.2} | {:>5.2} | {:>5.2} |",
                ms(ours),
                ms(yardstick),
                times(ours, yardstick)
            )?,
            None => write!(f, " {:>5} | {:>5} | {:>5} |", "", "", "")?,
        }
        match self.allowed {
            Some(allowed) => write!(f, " {allowed:>4.1} |")?,
            None => write!(f, " {:>4} |", "")?,
        }
        write!(f, " {} |", if self.is_over() { "over" } else { "ok  " })
    }
}
