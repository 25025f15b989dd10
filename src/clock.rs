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
