//! What the JSON formats share: one object per line, texts cut while they are read, and the small JSON
//! that reporters write.

use std::io::BufRead;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};

use super::collect::{Collector, Outcome, cut};
use super::source::Lines;
use super::text::plain;
use super::{Format, ReadError};
use crate::rules::verdict::Cause;
use crate::rules::verdict::Report;

/// How many bytes of a text in JSON are kept.
const TEXT_BYTES: usize = 2_000;

/// Hands over each line that is an object of the wanted shape; other lines go to `other`.
pub(crate) fn each_line<T: DeserializeOwned>(
    input: &mut dyn BufRead,
    mut take: impl FnMut(T),
    mut other: impl FnMut(&str),
) -> Result<(), ReadError> {
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line().map_err(ReadError::Io)? {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(object) => take(object),
            Err(_) => other(line),
        }
    }
    Ok(())
}

/// Hands over each line of a file that one of our own reporters wrote. A line that cannot be read is a
/// contradiction: it may have been a failure.
pub(crate) fn each_own_line<T: DeserializeOwned>(
    input: &mut dyn BufRead,
    collector: &mut Collector,
    mut take: impl FnMut(&mut Collector, T),
) -> Result<(), ReadError> {
    let mut unreadable = 0_usize;
    let mut any = false;
    each_line(
        input,
        |object| {
            any = true;
            take(collector, object);
        },
        |_| unreadable += 1,
    )?;
    if unreadable > 0 {
        if !any {
            return Err(ReadError::OtherFormat);
        }
        collector.ended(false);
        collector.contradiction("a line of the test report could not be read");
    }
    Ok(())
}

/// Reads a whole document; an empty one is a run that did not come to write it.
pub(crate) fn document<T: DeserializeOwned>(
    input: &mut dyn BufRead,
) -> Result<Option<T>, ReadError> {
    if input.fill_buf().map_err(ReadError::Io)?.is_empty() {
        return Ok(None);
    }
    match serde_json::from_reader(input) {
        Ok(document) => Ok(Some(document)),
        Err(error) if error.is_io() => Err(ReadError::Io(error.into())),
        Err(error) if error.is_eof() => Ok(None),
        Err(_) => Err(ReadError::OtherFormat),
    }
}

/// A text of which only the beginning is kept, without colours; anything but a text is nothing.
#[derive(Debug, Default, Clone)]
pub(crate) struct Text<const BYTES: usize = TEXT_BYTES>(pub(crate) String);

impl<'de, const BYTES: usize> Deserialize<'de> for Text<BYTES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cut<const BYTES: usize>;
        impl<'de, const BYTES: usize> Visitor<'de> for Cut<BYTES> {
            type Value = Text<BYTES>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(plain(cut(text, BYTES)).into_owned()))
            }

            fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Text(String::new()))
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Text(String::new()))
            }

            fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Text(String::new()))
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Text(String::new()))
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Text(String::new()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<de::IgnoredAny>()?.is_some() {}
                Ok(Text(String::new()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map
                    .next_entry::<de::IgnoredAny, de::IgnoredAny>()?
                    .is_some()
                {}
                Ok(Text(String::new()))
            }
        }
        deserializer.deserialize_any(Cut::<BYTES>)
    }
}

/// A value that may be missing, null, or of another shape than expected.
pub(crate) fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Whether a list of texts has one that holds `NEEDLE`; the list itself is not kept.
pub(crate) struct AnyHolds<N: Needle>(pub(crate) bool, PhantomData<N>);

/// What [`AnyHolds`] looks for.
pub(crate) trait Needle {
    /// The texts, of which one is enough.
    const ANY_OF: &'static [&'static str];
    /// The texts behind which nothing is looked for.
    const NOT_AFTER: &'static [&'static str];
}

impl<N: Needle> Default for AnyHolds<N> {
    fn default() -> Self {
        AnyHolds(false, PhantomData)
    }
}

impl<'de, N: Needle> Deserialize<'de> for AnyHolds<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look<N>(PhantomData<N>);
        impl<'de, N: Needle> Visitor<'de> for Look<N> {
            type Value = AnyHolds<N>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(AnyHolds::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut found = AnyHolds::default();
                let mut is_over = false;
                while let Some(Text::<TEXT_BYTES>(text)) = seq.next_element()? {
                    let holds =
                        |needles: &[&str]| needles.iter().any(|needle| text.contains(needle));
                    found.0 |= !is_over && holds(N::ANY_OF);
                    is_over |= holds(N::NOT_AFTER);
                }
                Ok(found)
            }
        }
        deserializer.deserialize_any(Look(PhantomData))
    }
}

/// `{passed, failed, timestamp, total, duration}`; lists of names, or numbers.
#[derive(Deserialize)]
struct Small {
    passed: Some_,
    failed: Some_,
    #[serde(default)]
    skipped: Option<Some_>,
    #[serde(default)]
    total: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Some_ {
    Count(usize),
    Tests(Vec<Named>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    Name(String),
    Test {
        #[serde(alias = "id", alias = "fullName", alias = "title")]
        name: String,
        #[serde(default)]
        file: Option<String>,
        #[serde(default, alias = "error")]
        message: Option<Text>,
    },
}

/// `{passed, failed, timestamp, total, duration}`, as small reporters write it.
pub(crate) static SMALL: Format = Format::of("small JSON", |_, input| read_small(input));

fn read_small(input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let Some(small) = document::<Small>(input)? else {
        return Ok(Report::default());
    };
    let mut rest = [0_u8; 1];
    if input.read(&mut rest).map_err(ReadError::Io)? > 0 {
        return Err(ReadError::OtherFormat);
    }
    let mut collector = Collector::default();
    let mut seen = 0;
    seen += take_small(&mut collector, small.passed, Outcome::Passed);
    seen += take_small(
        &mut collector,
        small.failed,
        Outcome::Failed(Cause::Assertion),
    );
    if let Some(skipped) = small.skipped {
        seen += take_small(&mut collector, skipped, Outcome::Skipped);
    }
    match small.total {
        Some(total) if total > seen => {
            collector.contradiction(format!("the report names {seen} of {total} tests"))
        }
        _ => {}
    }
    collector.ended(true);
    Ok(collector.finish())
}

fn take_small(collector: &mut Collector, tests: Some_, outcome: Outcome) -> usize {
    match tests {
        Some_::Count(count) => {
            match outcome {
                Outcome::Passed => collector.unnamed_passed(count),
                // A failure without a name proves nothing.
                Outcome::Failed(_) if count > 0 => collector.contradiction(format!(
                    "the report counts {count} failed tests without naming them"
                )),
                _ => {}
            }
            count
        }
        Some_::Tests(tests) => {
            let count = tests.len();
            for test in tests {
                match test {
                    Named::Name(name) => collector.test(&name, None, outcome, ""),
                    Named::Test {
                        name,
                        file,
                        message,
                    } => {
                        let message = message.unwrap_or_default().0;
                        collector.test(&name, file.as_deref(), outcome, &message);
                    }
                }
            }
            count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus;

    #[test]
    fn the_small_json_of_reporters() {
        let mut input =
            &br#"{"passed":["a"],"failed":["b"],"timestamp":1,"total":2,"duration":3}"#[..];
        let report = read_small(&mut input).expect("it is a report");
        assert!(report.ended && report.contradiction.is_none());
        assert_eq!(
            report.tests.statuses(),
            [
                ("a", TestStatus::Passed),
                ("b", TestStatus::Failed(Cause::Assertion))
            ]
        );
    }

    #[test]
    fn counts_pass_but_do_not_fail() {
        let mut input = &br#"{"passed":3,"failed":0,"total":3}"#[..];
        let report = read_small(&mut input).expect("it is a report");
        assert_eq!((report.ran(), report.contradiction), (3, None));
        let mut input = &br#"{"passed":3,"failed":1,"total":4}"#[..];
        assert!(
            read_small(&mut input)
                .expect("it is a report")
                .contradiction
                .is_some()
        );
    }

    #[test]
    fn other_json_and_cut_json_give_nothing() {
        for other in [
            "{}",
            "[]",
            "1",
            "{\"passed\":[]}",
            "{\"passed\":[\"a\"],\"failed\":[]} x",
        ] {
            assert!(read_small(&mut other.as_bytes()).is_err(), "{other}");
        }
        let cut = read_small(&mut &b"{\"passed\":[\"a\"],"[..]).expect("it may have been a report");
        assert!(!cut.ended);
    }
}
