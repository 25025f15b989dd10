//! Two sides in turn, their medians, and the line of the table.

use std::fmt;
use std::time::Duration;

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

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// One line of the table.
pub(crate) struct Ratio {
    operation: String,
    size: String,
    ours: Duration,
    yardstick: Duration,
    allowed: f64,
}

impl Ratio {
    pub(crate) const HEADER: &str = "\
| operation / yardstick                | size                      |    ours |   yard | ratio | allowed |      |
|--------------------------------------|---------------------------|--------:|-------:|------:|--------:|------|";

    pub(crate) fn new(
        operation: &str,
        size: &str,
        ours: Duration,
        yardstick: Duration,
        allowed: f64,
    ) -> Ratio {
        Ratio {
            operation: operation.into(),
            size: size.into(),
            ours,
            yardstick,
            allowed,
        }
    }

    fn ratio(&self) -> f64 {
        self.ours.as_secs_f64() / self.yardstick.as_secs_f64()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ratio() > self.allowed
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        write!(
            f,
            "| {:<36} | {:<25} | {:>7.2} | {:>6.2} | {:>5.2} | {:>7.1} | {} |",
            self.operation,
            self.size,
            ms(self.ours),
            ms(self.yardstick),
            self.ratio(),
            self.allowed,
            if self.is_over() { "over" } else { "ok  " },
        )
    }
}
