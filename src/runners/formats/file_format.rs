//! Which format a file of results has, by what it begins with.

use std::collections::HashMap;

use gix::bstr::ByteSlice;
use serde::de::IgnoredAny;

use super::{Format, formats, json, junit, tap};

/// The format of a file that some reporter wrote. Its reader refuses what turns out to be something else.
pub fn format_of_file(bytes: &[u8]) -> &'static Format {
    match bytes.trim_start().first() {
        Some(b'<' | 0xef) => &junit::XML,
        Some(b'{') => of_json(bytes),
        _ => &tap::TAP,
    }
}

/// The first document tells, also where each line is one.
fn of_json(bytes: &[u8]) -> &'static Format {
    let documents = serde_json::Deserializer::from_slice(bytes);
    let first = documents.into_iter::<HashMap<String, IgnoredAny>>().next();
    let Some(Ok(keys)) = first else {
        return &json::SMALL;
    };
    let has_all = |format: &&Format| {
        !format.keys.is_empty() && format.keys.iter().all(|key| keys.contains_key(*key))
    };
    formats().find(has_all).unwrap_or(&json::SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_reporters_are_told_apart() {
        for (text, format) in [
            ("<?xml version=\"1.0\"?><testsuites/>", "JUnit XML"),
            ("\u{feff}<testsuites/>", "JUnit XML"),
            ("TAP version 13\n1..1\nok 1\n", "TAP"),
            (r#"{"success":true,"testResults":[]} "#, "jest JSON"),
            (
                "\n{\"stats\":{},\"tests\":[],\"passes\":[],\"failures\":[]}",
                "mocha JSON",
            ),
            (
                r#"{"version":"3.13","examples":[],"summary":{}}"#,
                "RSpec JSON",
            ),
            (r#"{"tests":0,"testsuites":[]}"#, "GoogleTest JSON"),
            (
                "{\"Action\":\"start\",\"Package\":\"a\"}\n{\"Action\":\"pass\"}\n",
                "go test JSON",
            ),
            (r#"{"passed":[],"failed":[]}"#, "small JSON"),
            (r#"{"passed":["#, "small JSON"),
        ] {
            assert_eq!(format_of_file(text.as_bytes()).name, format, "{text}");
        }
    }
}
