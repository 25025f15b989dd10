//! The one place that asks what time it is. How long something takes is measured where it happens.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use gix::date::time::CustomFormat;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::env_vars;

/// Now, for comparing with file times.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Now, in seconds since 1970.
pub(crate) fn seconds_now() -> u64 {
    now()
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

/// Now, with the user's distance from UTC.
pub(crate) fn local_time() -> gix::date::Time {
    static ZONE: OnceLock<TimeZone> = OnceLock::new();
    let now = Timestamp::now();
    let offset = ZONE.get_or_init(time_zone).to_offset(now);
    gix::date::Time::new(now.as_second(), offset.seconds())
}

/// The machine's own zone is read straight from its file: to find it by name, all the zones there
/// are would be listed first.
fn time_zone() -> TimeZone {
    if env_vars::names_time_zone() {
        return TimeZone::system();
    }
    let zone = std::fs::read("/etc/localtime").ok();
    zone.and_then(|data| TimeZone::tzif("local", &data).ok())
        .unwrap_or(TimeZone::UTC)
}

/// A time as people write it in `GIT_COMMITTER_DATE`, which may be relative to now.
pub(crate) fn parse_given(date: &str) -> Option<gix::date::Time> {
    gix::date::parse(date, Some(gix::date::Zoned::now())).ok()
}

/// A recorded time in seconds since 1970.
pub(crate) fn parse(timestamp: &str) -> Option<i64> {
    gix::date::parse(timestamp, None)
        .ok()
        .map(|time| time.seconds)
}

/// How far the clock on the wall is ahead of UTC, in seconds.
pub(crate) fn local_offset() -> i32 {
    local_time().offset
}

/// The day and the time of day of a moment, `offset` seconds ahead of UTC.
pub(crate) fn day_and_time(seconds: i64, offset: i32) -> (String, String) {
    const DAY: CustomFormat = CustomFormat::new("%a %-d %b %Y");
    const TIME: CustomFormat = CustomFormat::new("%H:%M:%S");
    let time = gix::date::Time::new(seconds, offset);
    (time.format_or_unix(DAY), time.format_or_unix(TIME))
}
