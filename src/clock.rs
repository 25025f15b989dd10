//! The one place that asks for the time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, for comparing with file times.
pub(crate) fn seconds_now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// Now, as `2026-11-16T03:21:35Z`.
pub(crate) fn timestamp() -> String {
    format(seconds_now() as i64)
}

/// Seconds since 1970, as `2026-11-16T03:21:35Z`.
pub(crate) fn format(seconds: i64) -> String {
    let now = gix::date::Time::new(seconds, 0);
    let text = now.format_or_unix(gix::date::time::format::ISO8601_STRICT);
    text.replace("+00:00", "Z")
}

/// Seconds since 1970 of a time as this module writes it.
pub(crate) fn seconds_of(timestamp: &str) -> Option<u64> {
    let time = gix::date::parse(timestamp, None).ok()?;
    u64::try_from(time.seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_can_be_read_back() {
        assert_eq!(seconds_of(&format(1_794_799_295)), Some(1_794_799_295));
        assert_eq!(seconds_of("yesterday-ish?"), None);
    }
}
