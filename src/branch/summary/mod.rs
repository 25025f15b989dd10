//! Numbers about a branch, summed up event by event, oldest first, in an amount of memory that does not
//! grow with them. What was summed up is kept, and the next time only what came since is read.

mod figures;
mod kept;

use serde::{Deserialize, Serialize};

use crate::branch::event::{Counts, Event, EventKind, Would};
use crate::clock;
use crate::rules::{Phase, Verdict};
pub(crate) use figures::{Bucket, Causes, SizeClass};
use figures::{
    Commits, FromTo, Runs, SecondsIn, Sizes, Spread, Steps, Streak, WouldHave, bucket_of,
};
pub(crate) use kept::summary;

/// Nobody works on one step for longer: a gap of more seconds is a break.
const BREAK_S: i64 = 30 * 60;
/// How finely the course of time is kept.
const BUCKETS: usize = 240;

/// Everything that is counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) events: u64,
    /// When the oldest event was.
    pub(crate) since: Option<String>,
    /// When the newest event was.
    pub(crate) until: Option<String>,
    /// Cycles that ended with a green.
    pub(crate) cycles: u64,
    pub(crate) commits: Commits,
    pub(crate) runs: Runs,
    pub(crate) reverts: Causes,
    pub(crate) denials: Causes,
    /// Kept without a commit.
    pub(crate) kept: u64,
    pub(crate) would_have: WouldHave,
    pub(crate) streak: Streak,
    pub(crate) seconds_in: SecondsIn,
    pub(crate) between_commits: Spread,
    pub(crate) steps: Steps,
    pub(crate) tests: FromTo<Counts>,
    pub(crate) run_ms: FromTo<u64>,
    /// The course of time, oldest first.
    pub(crate) course: Vec<Bucket>,
}

/// A summary that goes on: with what the next event is seen beside.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sums {
    so_far: Summary,
    sizes: Sizes,
    /// When the event before was, and the phase it led to.
    earlier: Option<(i64, Phase)>,
    earlier_commit: Option<i64>,
    gaps: u64,
    gaps_s: u64,
    /// How many events one stretch of the course holds, and the newest one so far.
    stride: u64,
    in_newest: u64,
}

impl Summary {
    /// Time at work, breaks aside.
    pub(crate) fn seconds_at_work(&self) -> u64 {
        let SecondsIn {
            plan,
            red,
            green,
            refactor,
            done,
        } = self.seconds_in;
        plan + red + green + refactor + done
    }
}

impl Sums {
    /// Takes in the next event.
    fn add(&mut self, event: &Event) {
        let sum = &mut self.so_far;
        sum.events += 1;
        sum.since.get_or_insert_with(|| event.at.clone());
        sum.until = Some(event.at.clone());
        self.add_time(event);
        self.add_result(event);
        self.add_step(event);
        self.add_to_course(event);
    }

    /// Everything in the form in which it is read.
    fn summary(&self) -> Summary {
        let mut sum = self.so_far.clone();
        sum.between_commits.average = self.gaps_s.checked_div(self.gaps).unwrap_or(0);
        if sum.runs.total > 0 {
            sum.runs.pass_rate = sum.runs.green as f64 / sum.runs.total as f64;
        }
        sum.steps = self.sizes.steps();
        sum
    }

    fn add_time(&mut self, event: &Event) {
        let Some(at) = clock::parse(&event.at) else {
            return;
        };
        if let Some((earlier, phase)) = self.earlier
            && let Some(seconds) = worked(earlier, at)
        {
            let seconds_in = &mut self.so_far.seconds_in;
            // What was done since the last event was done in the phase that it led to.
            *match phase {
                Phase::Plan => &mut seconds_in.plan,
                Phase::Red => &mut seconds_in.red,
                Phase::Green => &mut seconds_in.green,
                Phase::Refactor => &mut seconds_in.refactor,
                Phase::Done => &mut seconds_in.done,
            } += seconds;
        }
        self.earlier = Some((at, event.next_phase));
        if event.event == EventKind::Commit {
            if let Some(earlier) = self.earlier_commit
                && let Some(seconds) = worked(earlier, at)
            {
                self.so_far.between_commits.see(seconds, self.gaps == 0);
                self.gaps += 1;
                self.gaps_s += seconds;
            }
            self.earlier_commit = Some(at);
        }
    }

    fn add_result(&mut self, event: &Event) {
        let sum = &mut self.so_far;
        if let Some(tests) = event.tests {
            sum.tests.see(tests);
        }
        let Some(verdict) = event.verdict else {
            return;
        };
        sum.runs.total += 1;
        sum.runs.ms += event.duration_ms;
        if event.duration_ms > 0 {
            sum.run_ms.see(event.duration_ms);
        }
        *match verdict {
            Verdict::Green => &mut sum.runs.green,
            Verdict::Red => &mut sum.runs.red,
            Verdict::Broken => &mut sum.runs.broken,
        } += 1;
    }

    fn add_step(&mut self, event: &Event) {
        let sum = &mut self.so_far;
        match event.would {
            Some(Would::Deny) => sum.would_have.denied += 1,
            Some(Would::Revert) => sum.would_have.reverted += 1,
            Some(Would::Commit) => sum.would_have.committed += 1,
            Some(Would::Keep | Would::Other) | None => {}
        }
        match event.event {
            EventKind::Commit => self.add_commit(event),
            EventKind::Revert | EventKind::Undo => {
                sum.streak.now = 0;
                sum.reverts.see(event);
                self.sizes.see(event.lines, false);
            }
            EventKind::Denied if event.would.is_none() => sum.denials.see(event),
            EventKind::Keep => sum.kept += 1,
            // A spec cycle ends by declaration.
            EventKind::Phase if event.next_phase == Phase::Done => sum.cycles += 1,
            EventKind::Denied
            | EventKind::Disarmed
            | EventKind::Activate
            | EventKind::Record
            | EventKind::Phase
            | EventKind::Step
            | EventKind::Allow
            | EventKind::Switch
            | EventKind::Restore
            | EventKind::Save
            | EventKind::Squash
            | EventKind::Other => {}
        }
    }

    fn add_commit(&mut self, event: &Event) {
        let sum = &mut self.so_far;
        sum.streak.now += 1;
        sum.streak.longest = sum.streak.longest.max(sum.streak.now);
        sum.commits.total += 1;
        *match event.label.as_deref() {
            Some("red") => &mut sum.commits.red,
            Some("green" | "tcr") => &mut sum.commits.green,
            Some("refactor") => &mut sum.commits.refactor,
            _ => &mut sum.commits.other,
        } += 1;
        let ends_cycle = event.phase == Phase::Green && event.next_phase == Phase::Red;
        sum.cycles += u64::from(ends_cycle);
        self.sizes.see(event.lines, true);
    }

    fn add_to_course(&mut self, event: &Event) {
        let course = &mut self.so_far.course;
        let one = bucket_of(event);
        self.stride = self.stride.max(1);
        match course.last_mut() {
            Some(newest) if self.in_newest < self.stride => {
                newest.absorb(one);
                self.in_newest += 1;
            }
            _ => {
                course.push(one);
                self.in_newest = 1;
            }
        }
        if course.len() > BUCKETS {
            if course.len().is_multiple_of(2) {
                self.in_newest += self.stride;
            }
            self.stride *= 2;
            let mut stretches = std::mem::take(course).into_iter();
            while let Some(mut older) = stretches.next() {
                if let Some(newer) = stretches.next() {
                    older.absorb(newer);
                }
                course.push(older);
            }
        }
    }
}

/// Seconds between two moments, unless there was a break.
fn worked(earlier: i64, later: i64) -> Option<u64> {
    let gap = later.saturating_sub(earlier);
    (gap <= BREAK_S).then(|| u64::try_from(gap).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event `minute` minutes after the start, made of JSON as the journal has it.
    fn event(minute: u64, more: &str) -> Event {
        let (hour, minute) = (8 + minute / 60, minute % 60);
        let json = format!(
            r#"{{"at":"2026-03-02T{hour:02}:{minute:02}:00Z","cycle":1,"phase":"red","next_phase":"red",{more}}}"#
        );
        // A later key of the same name would be an error, so `more` gives the phases if it has to.
        let json = match more.contains("next_phase") {
            true => json.replacen(r#""phase":"red","next_phase":"red","#, "", 1),
            false => json,
        };
        serde_json::from_str(&json).expect("an event")
    }

    fn summed(oldest_first: &[Event]) -> Summary {
        // What was summed up before goes on as if it had never been put away.
        let mut sums = Sums::default();
        for event in oldest_first {
            let kept = serde_json::to_vec(&sums).expect("sums are JSON");
            sums = serde_json::from_slice(&kept).expect("and come back");
            sums.add(event);
        }
        sums.summary()
    }

    const RED: &str = r#""event":"commit","label":"red","phase":"red","next_phase":"green","verdict":"red","tests":{"passed":1,"failed":1,"skipped":0},"lines":{"added":4,"removed":0},"duration_ms":100"#;
    const GREEN: &str = r#""event":"commit","label":"green","phase":"green","next_phase":"red","verdict":"green","tests":{"passed":2,"failed":0,"skipped":0},"lines":{"added":8,"removed":1},"duration_ms":300"#;
    const REVERT: &str = r#""event":"revert","phase":"green","next_phase":"green","verdict":"red","cause":"no_progress","lines":{"added":60,"removed":0}"#;

    #[test]
    fn counts_and_times_of_a_cycle() {
        let sum = summed(&[
            event(0, RED),
            event(2, REVERT),
            event(5, GREEN),
            // A night between two cycles is no work.
            event(300, RED),
            event(310, GREEN),
        ]);
        assert_eq!(
            (sum.cycles, sum.commits.total, sum.reverts.total),
            (2, 4, 1)
        );
        assert_eq!(sum.reverts.by_cause.get("no_progress"), Some(&1));
        assert_eq!((sum.seconds_in.red, sum.seconds_in.green), (0, 900));
        assert_eq!(
            (sum.between_commits.shortest, sum.between_commits.longest),
            (300, 600)
        );
        assert_eq!((sum.streak.longest, sum.streak.now), (3, 3));
        assert_eq!((sum.runs.total, sum.runs.green, sum.runs.ms), (5, 2, 800));
        assert!((sum.runs.pass_rate - 0.4).abs() < 1e-9);
        assert_eq!((sum.steps.median_lines, sum.steps.largest_lines), (9, 60));
        assert_eq!((sum.run_ms.first, sum.run_ms.last), (Some(100), Some(300)));
        assert_eq!(sum.course.len(), 5);
        assert_eq!(sum.course.first().map(|bucket| bucket.red), Some(1));
    }

    #[test]
    fn a_revert_ends_the_streak() {
        let both = [GREEN, GREEN, GREEN, REVERT, GREEN];
        let events: Vec<Event> = (0..).zip(both).map(|(at, more)| event(at, more)).collect();
        assert_eq!(
            (summed(&events).streak.longest, summed(&events).streak.now),
            (3, 1)
        );
        let ends_with_revert = &events[..4];
        assert_eq!(summed(ends_with_revert).streak.now, 0);
    }

    #[test]
    fn what_observe_would_have_done_is_not_what_was_done() {
        let sum = summed(&[
            event(
                0,
                r#""event":"denied","would":"deny","cause":"no_failing_test""#,
            ),
            event(1, r#""event":"denied","cause":"protected""#),
            event(2, r#""event":"record","would":"revert","verdict":"red""#),
            event(3, r#""event":"record","would":"commit","verdict":"green""#),
        ]);
        let would = sum.would_have;
        assert_eq!((would.denied, would.reverted, would.committed), (1, 1, 1));
        assert_eq!(
            (sum.denials.total, sum.reverts.total, sum.commits.total),
            (1, 0, 0)
        );
    }

    #[test]
    fn a_long_course_is_kept_in_few_buckets_and_loses_nothing() {
        let events: Vec<Event> = (0..900).map(|at| event(at, GREEN)).collect();
        let sum = summed(&events);
        assert!(sum.course.len() <= BUCKETS, "{}", sum.course.len());
        assert_eq!(
            sum.course.iter().map(|bucket| bucket.green).sum::<u64>(),
            900
        );
        assert_eq!(
            sum.course.first().map(|bucket| bucket.at.as_str()),
            sum.since.as_deref()
        );
    }
}
