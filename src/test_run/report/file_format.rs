//! Which format a file of results has, by what it begins with.

use std::collections::HashMap;

use gix::bstr::ByteSlice;
use serde::de::IgnoredAny;

use super::Format;

/// The format of a file that some reporter wrote. Its reader refuses what turns out to be something else.
pub fn format_of_file(bytes: &[u8]) -> Format {
    match bytes.trim_start().first() {
        Some(b'<' | 0xef) => Format::JunitXml,
        Some(b'{') => of_json(bytes),
        _ => Format::Tap,
    }
}

/// The first document tells, also where each line is one.
fn of_json(bytes: &[u8]) -> Format {
    let documents = serde_json::Deserializer::from_slice(bytes);
    let first = documents.into_iter::<HashMap<String, IgnoredAny>>().next();
    let Some(Ok(keys)) = first else {
        return Format::ReporterJson;
    };
    let shapes: [(&[&str], Format); 5] = [
        (&["testResults"], Format::JestJson),
        (&["stats", "passes"], Format::MochaJson),
        (&["examples", "summary"], Format::RspecJson),
        (&["testsuites"], Format::GtestJson),
        (&["Action"], Format::GoJson),
    ];
    let has_all = |names: &[&str]| names.iter().all(|name| keys.contains_key(*name));
    let found = shapes.into_iter().find(|(names, _)| has_all(names));
    found.map_or(Format::ReporterJson, |(_, format)| format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_reporters_are_told_apart() {
        for (text, format) in [
            ("<?xml version=\"1.0\"?><testsuites/>", Format::JunitXml),
            ("\u{feff}<testsuites/>", Format::JunitXml),
            ("TAP version 13\n1..1\nok 1\n", Format::Tap),
            (r#"{"success":true,"testResults":[]} "#, Format::JestJson),
            (
                "\n{\"stats\":{},\"tests\":[],\"passes\":[],\"failures\":[]}",
                Format::MochaJson,
            ),
            (
                r#"{"version":"3.13","examples":[],"summary":{}}"#,
                Format::RspecJson,
            ),
            (r#"{"tests":0,"testsuites":[]}"#, Format::GtestJson),
            (
                "{\"Action\":\"start\",\"Package\":\"a\"}\n{\"Action\":\"pass\"}\n",
                Format::GoJson,
            ),
            (r#"{"passed":[],"failed":[]}"#, Format::ReporterJson),
            (r#"{"passed":["#, Format::ReporterJson),
        ] {
            assert_eq!(format_of_file(text.as_bytes()), format, "{text}");
        }
    }
}
