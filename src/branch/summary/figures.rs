//! The figures of a summary, each taking in one event after the other, oldest first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::branch::event::{Counts, Event, EventKind};
use crate::git::line_count::Lines;

/// Commits by what they are.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Commits {
    pub(crate) total: u64,
    pub(crate) red: u64,
    pub(crate) green: u64,
    pub(crate) refactor: u64,
    pub(crate) other: u64,
}

/// Test runs by verdict.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Runs {
    pub(crate) total: u64,
    pub(crate) green: u64,
    pub(crate) red: u64,
    pub(crate) broken: u64,
    /// The share of green ones.
    pub(crate) pass_rate: f64,
    /// All of them together.
    pub(crate) ms: u64,
}

/// What the mode kept git tcr from doing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct WouldHave {
    pub(crate) denied: u64,
    pub(crate) reverted: u64,
    pub(crate) committed: u64,
}

/// Steps in a row that were not taken back.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Streak {
    pub(crate) longest: u64,
    pub(crate) now: u64,
}

/// Time at work by phase, breaks aside.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct SecondsIn {
    pub(crate) plan: u64,
    pub(crate) red: u64,
    pub(crate) green: u64,
    pub(crate) refactor: u64,
    pub(crate) done: u64,
}

/// How often, and why.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Causes {
    pub(crate) total: u64,
    pub(crate) by_cause: BTreeMap<String, u64>,
}

impl Causes {
    pub(super) fn see(&mut self, event: &Event) {
        self.total += 1;
        let cause = event.cause.clone().unwrap_or_else(|| "unknown".into());
        *self.by_cause.entry(cause).or_default() += 1;
    }
}

/// Seconds from one commit to the next.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) shortest: u64,
    pub(crate) average: u64,
    pub(crate) longest: u64,
}

impl Spread {
    pub(super) fn see(&mut self, seconds: u64, is_first: bool) {
        self.shortest = match is_first {
            true => seconds,
            false => self.shortest.min(seconds),
        };
        self.longest = self.longest.max(seconds);
    }
}

/// Steps of about the same size.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct SizeClass {
    pub(crate) from: u64,
    /// The largest of the class; none for the last.
    pub(crate) to: Option<u64>,
    pub(crate) committed: u64,
    pub(crate) reverted: u64,
}

/// The sizes that tell steps apart, by their largest.
const SIZES: [u64; 6] = [2, 5, 10, 20, 50, 100];

/// Lines changed by a step, committed or reverted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Steps {
    pub(crate) median_lines: u64,
    pub(crate) largest_lines: u64,
    pub(crate) by_size: Vec<SizeClass>,
}

/// How many steps had so many lines.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sizes {
    committed: BTreeMap<u64, u64>,
    reverted: BTreeMap<u64, u64>,
}

impl Sizes {
    pub(super) fn see(&mut self, lines: Option<Lines>, committed: bool) {
        let Some(lines) = lines else {
            return;
        };
        let size = lines.added + lines.removed;
        let counted = if committed {
            &mut self.committed
        } else {
            &mut self.reverted
        };
        *counted.entry(size).or_default() += 1;
    }

    pub(super) fn steps(&self) -> Steps {
        let mut all = self.committed.clone();
        for (size, count) in &self.reverted {
            *all.entry(*size).or_default() += count;
        }
        let half = all.values().sum::<u64>().div_ceil(2);
        let mut seen = 0;
        let median = all.iter().find(|(_, count)| {
            seen += **count;
            seen >= half
        });
        let mut from = 0;
        let bounds = SIZES.iter().copied().map(Some).chain([None]);
        let by_size = bounds.map(|to| {
            let within = |counted: &BTreeMap<u64, u64>| -> u64 {
                counted
                    .range(from..=to.unwrap_or(u64::MAX))
                    .map(|(_, count)| count)
                    .sum()
            };
            let class = SizeClass {
                from,
                to,
                committed: within(&self.committed),
                reverted: within(&self.reverted),
            };
            from = to.map_or(from, |to| to + 1);
            class
        });
        Steps {
            median_lines: median.map_or(0, |(size, _)| *size),
            largest_lines: all.last_key_value().map_or(0, |(size, _)| *size),
            by_size: by_size.collect(),
        }
    }
}

/// What it was at first, and what it is now.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct FromTo<T> {
    pub(crate) first: Option<T>,
    pub(crate) last: Option<T>,
}

impl<T: Copy> FromTo<T> {
    pub(super) fn see(&mut self, value: T) {
        self.first = self.first.or(Some(value));
        self.last = Some(value);
    }
}

/// A stretch of the history: one event, or several where it is long.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bucket {
    pub(crate) at: String,
    pub(crate) cycle: u64,
    pub(crate) red: u64,
    pub(crate) green: u64,
    pub(crate) refactor: u64,
    pub(crate) other: u64,
    pub(crate) reverts: u64,
    pub(crate) denials: u64,
    /// The newest counts of the stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tests: Option<Counts>,
}

impl Bucket {
    /// Takes in the stretch after this one.
    pub(super) fn absorb(&mut self, newer: Bucket) {
        self.red += newer.red;
        self.green += newer.green;
        self.refactor += newer.refactor;
        self.other += newer.other;
        self.reverts += newer.reverts;
        self.denials += newer.denials;
        self.tests = newer.tests.or(self.tests);
    }
}

/// The stretch of one event.
pub(super) fn bucket_of(event: &Event) -> Bucket {
    let mut bucket = Bucket {
        at: event.at.clone(),
        cycle: event.cycle,
        tests: event.tests,
        ..Bucket::default()
    };
    match (event.event, event.label.as_deref()) {
        (EventKind::Commit, Some("red")) => bucket.red = 1,
        (EventKind::Commit, Some("green" | "tcr")) => bucket.green = 1,
        (EventKind::Commit, Some("refactor")) => bucket.refactor = 1,
        (EventKind::Commit, _) => bucket.other = 1,
        (EventKind::Revert | EventKind::Undo, _) => bucket.reverts = 1,
        (EventKind::Denied, _) => bucket.denials = 1,
        _ => {}
    }
    bucket
}
