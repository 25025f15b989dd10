//! Taking turns at the keyboard.

use std::time::{Duration, Instant};

/// A timer for a pair or a mob.
#[derive(Debug)]
pub(super) struct Turns {
    length: Duration,
    names: Vec<String>,
    turn: usize,
    ends: Instant,
}

impl Turns {
    pub(super) fn new(minutes: u32, names: &[String], now: Instant) -> Turns {
        let length = Duration::from_secs(60 * u64::from(minutes));
        Turns {
            length,
            names: names.to_vec(),
            turn: 0,
            ends: now + length,
        }
    }

    /// Whose turn it is.
    pub(super) fn name(&self) -> Option<&str> {
        let at = self.turn.checked_rem(self.names.len())?;
        self.names.get(at).map(String::as_str)
    }

    pub(super) fn left(&self, now: Instant) -> Duration {
        self.ends.saturating_duration_since(now)
    }

    /// Begins the next turn if this one is over.
    pub(super) fn has_ended(&mut self, now: Instant) -> bool {
        let over = now >= self.ends;
        if over {
            self.turn = self.turn.wrapping_add(1);
            self.ends = now + self.length;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_round() {
        let start = Instant::now();
        let minutes = |count: u64| start + Duration::from_secs(60 * count);
        let mut turns = Turns::new(5, &["Ada".into(), "Grace".into()], start);
        assert_eq!(turns.name(), Some("Ada"));
        assert!(!turns.has_ended(minutes(4)));
        assert_eq!(turns.left(minutes(4)), Duration::from_secs(60));
        assert!(turns.has_ended(minutes(5)));
        assert_eq!(turns.name(), Some("Grace"));
        // The lid was closed for an hour: that is one turn, not twelve.
        assert!(turns.has_ended(minutes(65)));
        assert_eq!(turns.name(), Some("Ada"));
        assert!(!turns.has_ended(minutes(66)));
    }

    #[test]
    fn without_names_there_is_only_the_clock() {
        let start = Instant::now();
        let mut turns = Turns::new(1, &[], start);
        assert!(turns.has_ended(start + Duration::from_secs(60)));
        assert_eq!(turns.name(), None);
    }
}
