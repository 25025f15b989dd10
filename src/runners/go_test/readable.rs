//! The events of `go test -json` as the text that `go test` would have printed.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow)]
    output: Option<std::borrow::Cow<'a, str>>,
}

/// Puts the output of each event in its place; other lines stay as they are.
pub(super) fn readable(text: &str) -> String {
    let mut readable = String::with_capacity(text.len() / 2);
    for line in text.split_inclusive('\n') {
        match serde_json::from_str::<Event<'_>>(line) {
            Ok(event) if line.starts_with('{') => {
                let output = event.output.unwrap_or_default();
                if !is_progress(&output) {
                    readable.push_str(&output);
                }
            }
            _ => readable.push_str(line),
        }
    }
    readable
}

/// Lines that only `-v` prints, and that `-json` brings along.
fn is_progress(output: &str) -> bool {
    let line = output.trim_start();
    [
        "=== RUN ",
        "=== PAUSE ",
        "=== CONT ",
        "=== NAME ",
        "--- PASS: ",
        "--- SKIP: ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
        || output == "PASS\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_the_usual_text() {
        let text = r#"# demo [build failed]
{"Action":"start","Package":"demo"}
{"Action":"output","Package":"demo","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"demo","Test":"TestA","Output":"    a_test.go:3: \u003cno\u003e\n"}
{"Action":"output","Package":"demo","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"demo"}
{not json
end"#;
        let expected =
            "# demo [build failed]\n    a_test.go:3: <no>\n--- FAIL: TestA (0.00s)\n{not json\nend";
        assert_eq!(readable(text), expected);
    }
}
