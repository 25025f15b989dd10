use proptest::prelude::*;
use serde_json::json;

use super::json_text::to_value;
use super::own_entries::{Finding, findings};
use super::*;
use crate::clients::{claude_code, cursor, opencode, windsurf};

const TIMES: Times = Times {
    gate_s: 10,
    loop_s: 180,
};

fn merged_clients() -> impl Iterator<Item = Client> {
    Client::all().filter(|client| matches!(client.hooks, Hooks::Entries(_)))
}

/// Settings as people have them.
const REAL: &[&str] = &[
    "",
    "\n",
    "  \r\n",
    "// nothing yet\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\r\n}\r\n",
    "{\n\n}",
    "{ // mine\n}\n",
    "{ /* mine */ }\n",
    "{\"a\":1}",
    "{\"a\": 1, \"b\": [1, 2]}\n",
    "{\"hooks\":{}}",
    "{\"hooks\": {}, \"a\": 1}",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\n\t\"model\": \"opus\",\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls)\"]\n\t}\n}",
    "{\r\n    \"model\": \"opus\", // the best\r\n    \"env\": {}, /* none */\r\n}\r\n",
    "{\n  \"$schema\": \"https://json.schemastore.org/x.json\",\n  \"model\": \"a\"\n  // last words\n}\n",
    "{\n  \"model\": \"a\" // last words\n}\n",
    "{\n  \"model\": \"a\", // last words\n}\n",
    "{\n  \"model\": \"a\"\n  ,\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"preToolUse\": [],\n    \"BeforeTool\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n    ],\n    \"preToolUse\": [ /* none */ ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"./check.sh\" }] }],\n    \"Stop\": [\n      // say so\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] } // aloud\n    ]\n  },\n  \"model\": \"a\"\n}\n",
    "{\n  \"version\": 1,\n  \"hooks\": {\n    \"preToolUse\": [{ \"command\": \"./a.sh\" },],\n    \"stop\": [\n      { \"command\": \"./b.sh\" },\n    ],\n  },\n}\n",
    "\u{feff}{\n  \"a\": 1\n}\n",
    "\u{feff}",
    "// head\n{\n  \"a\": 1 }\n// tail",
    "{\"a\": 1,\n \"b\": 2}\n",
    "{ \"a\": 1,\n  \"b\": 2 }\n",
    "[1, 2]",
];

fn fields(text: &str) -> Value {
    to_value(text.trim_start_matches('\u{feff}')).unwrap()
}

/// Merging keeps everything, twice is once, and taking out gives back the bytes.
fn check(client: Client, before: &str) -> Result<(), TestCaseError> {
    let Ok(after) = plan(client, Some(before), TIMES) else {
        return Ok(());
    };
    prop_assert_eq!(
        &plan(client, Some(&after), TIMES).unwrap(),
        &after,
        "twice is once"
    );
    let mut found = findings(client, &after, TIMES);
    // What the client can't read was there before.
    found.retain(|finding| !matches!(finding, Finding::UnreadableForClient(_)));
    prop_assert_eq!(found, vec![], "{}", after);
    let removed = remove(client, &after).unwrap();
    prop_assert_eq!(removed, Removed::Text(before.into()), "{}", after);
    let (old, new) = (fields(before), fields(&after));
    for (key, value) in old.as_object().into_iter().flatten() {
        if key != "hooks" {
            prop_assert_eq!(&new[key], value);
        }
    }
    let events = old["hooks"].as_object();
    for (event, list) in events.into_iter().flatten() {
        let kept = new["hooks"][event].as_array().unwrap();
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        prop_assert_eq!(&kept[..list.len()], list);
    }
    let mut rest = after.as_str();
    for line in before
        .split('\n')
        .map(str::trim)
        .filter(|line| line.starts_with("//"))
    {
        let at = rest.find(line);
        prop_assert!(at.is_some(), "comment lost: {}", line);
        rest = &rest[at.unwrap()..];
    }
    Ok(())
}

#[test]
fn real_settings_survive() {
    for client in merged_clients() {
        for before in REAL {
            check(client, before).unwrap_or_else(|error| panic!("{client} {before:?}: {error}"));
        }
    }
}

#[test]
fn only_what_is_no_object_is_refused() {
    for client in merged_clients() {
        for before in REAL {
            let refused = plan(client, Some(before), TIMES).is_err();
            assert_eq!(refused, *before == "[1, 2]", "{client} {before:?}");
        }
    }
    let refusals = [
        "{",
        "{\"hooks\": []}",
        "{\"hooks\": null}",
        "{\"hooks\": {\"PreToolUse\": {}}}",
        "{\"hooks\": {}, \"hooks\": {}}",
        "{hooks: {}}",
        "{'hooks': {}}",
    ];
    for text in refusals {
        assert!(
            plan(claude_code::CLIENT, Some(text), TIMES).is_err(),
            "{text}"
        );
    }
    assert_eq!(
        plan(opencode::CLIENT, Some("export const Mine = 1"), TIMES),
        Err(Unmergeable::Foreign)
    );
}

#[test]
fn a_file_of_our_own_goes_again() {
    for client in Client::all() {
        let text = plan(client, None, TIMES).unwrap();
        assert!(text.ends_with('\n'));
        assert_eq!(plan(client, Some(&text), TIMES).unwrap(), text);
        assert_eq!(findings(client, &text, TIMES), vec![], "{client}");
        assert_eq!(remove(client, &text), Ok(Removed::File), "{client}");
        let longer = Times {
            loop_s: 900,
            ..TIMES
        };
        let updated = plan(client, Some(&text), longer).unwrap();
        assert_eq!(updated, plan(client, None, longer).unwrap(), "{client}");
        // This one's hooks have no times.
        let has_times = client != windsurf::CLIENT;
        assert_eq!(updated != text, has_times, "{client}");
        let found = findings(client, &text, longer);
        assert_eq!(!found.is_empty(), has_times, "{client}");
    }
}

#[test]
fn what_was_added_since_stays() {
    let ours = plan(cursor::CLIENT, None, TIMES).unwrap();
    let theirs = ours.replacen('{', "{\n  \"mine\": true,", 1);
    let removed = remove(cursor::CLIENT, &theirs).unwrap();
    assert_eq!(removed, Removed::Text("{\n  \"mine\": true\n}\n".into()));

    let ours = plan(claude_code::CLIENT, Some("{}\n"), TIMES).unwrap();
    let theirs = ours.replacen(
        "\"type\": \"command\"",
        "\"type\": \"command\", \"command\": \"mine\" }, { \"type\": \"command\"",
        1,
    );
    let Ok(Removed::Text(left)) = remove(claude_code::CLIENT, &theirs) else {
        panic!("{theirs}");
    };
    assert_eq!(
        fields(&left),
        json!({"hooks": {"PreToolUse": [
            {"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}
        ]}})
    );
}

#[test]
fn disarmed_entries_are_found() {
    let text = plan(claude_code::CLIENT, Some("{}"), TIMES).unwrap();
    let missing = |event: &str| Finding::Missing(event.into());
    let edited = |event: &str| Finding::Edited(event.into());
    let cases = [
        (
            text.replace("gate --client", "gate --klient"),
            vec![edited("PreToolUse")],
        ),
        (
            text.replace("\"timeout\": 10", "\"timeout\": 1"),
            vec![edited("PreToolUse")],
        ),
        (
            text.replace("\"SubagentStop\"", "\"Subagent\""),
            vec![missing("SubagentStop")],
        ),
        (
            text.replacen('{', "{\"disableAllHooks\": true,", 1),
            vec![Finding::SwitchedOff("disableAllHooks")],
        ),
        (
            text.replacen('{', "{\"disableAllHooks\": false,", 1),
            vec![],
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(findings(claude_code::CLIENT, &text, TIMES), wanted);
    }
    let all = findings(claude_code::CLIENT, "{}", TIMES);
    assert_eq!(all.len(), 8, "{all:?}");
    assert!(matches!(
        findings(claude_code::CLIENT, "{", TIMES).as_slice(),
        [Finding::Unreadable(_)]
    ));
}

#[test]
fn how_it_looks() {
    let text = "{\n    // mine\n    \"model\": \"opus\" // the best\n}\n";
    let merged = plan(cursor::CLIENT, Some(text), TIMES).unwrap();
    let start: Vec<&str> = merged.lines().take(8).collect();
    assert_eq!(
        start,
        [
            "{",
            "    // mine",
            "    \"model\": \"opus\", // the best",
            "    \"version\": 1,",
            "    \"hooks\": {",
            "        \"preToolUse\": [",
            "            {",
            start[7],
        ]
    );
    assert!(start[7].starts_with("                \"command\": \"sh -c 'test "));
    assert!(merged.ends_with("        ]\n    }\n}\n"));
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(" ".to_string()),
        4 => Just("\n  ".to_string()),
        1 => Just("\r\n\t".to_string()),
        1 => Just(" // note, }]\n".to_string()),
        1 => Just("\n// note\n    ".to_string()),
        1 => Just(" /* a,\n b */ ".to_string()),
        1 => Just(" /* a, */\n".to_string()),
    ]
}

/// A container with blanks and comments wherever they may be, and at times a last comma.
fn printed(
    open: char,
    close: char,
    children: impl Strategy<Value = Vec<String>>,
) -> impl Strategy<Value = String> {
    (children, prop::collection::vec(blank(), 32), any::<bool>()).prop_map(
        move |(children, blanks, comma)| {
            let mut blanks = blanks.into_iter().cycle();
            let mut blank = move || blanks.next().unwrap_or_default();
            let mut text = format!("{open}{}", blank());
            let count = children.len();
            for (at, child) in children.into_iter().enumerate() {
                text += &child;
                text += &blank();
                if at + 1 < count || comma {
                    text.push(',');
                    text += &blank();
                }
            }
            text.push(close);
            text
        },
    )
}

fn any_list() -> impl Strategy<Value = String> {
    let entry = prop::sample::select(vec![
        r#"{"command": "./a.sh, }"}"#,
        r#"{ "matcher": "Bash", "hooks": [ { "type": "command", "command": "x" } ] }"#,
        r#"{"bash":"y","timeoutSec":3}"#,
    ]);
    printed(
        '[',
        ']',
        prop::collection::vec(entry.prop_map(String::from), 0..3),
    )
}

fn any_object(
    names: &'static [&'static str],
    value: BoxedStrategy<String>,
) -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(names, 0..=names.len()).prop_shuffle();
    let children =
        (names, prop::collection::vec((blank(), blank(), value), 8)).prop_map(|(names, values)| {
            names
                .into_iter()
                .zip(values)
                .map(|(name, (before, after, value))| format!("\"{name}\"{before}:{after}{value}"))
                .collect::<Vec<_>>()
        });
    printed('{', '}', children)
}

fn any_settings() -> impl Strategy<Value = String> {
    let events = &[
        "PreToolUse",
        "preToolUse",
        "BeforeTool",
        "Stop",
        "stop",
        "sessionStart",
        "Other",
    ];
    let hooks = any_object(events, any_list().boxed()).boxed();
    let others = any_object(
        &["$schema", "version", "a\\\"b", "env", "model"],
        prop::sample::select(vec![
            "1",
            "true",
            "[ ]",
            "{}",
            "\"x // y\"",
            "{ \"z\": [1, 2] }",
        ])
        .prop_map(String::from)
        .boxed(),
    );
    (blank(), others, hooks, blank(), 0..3u8, blank()).prop_map(
        |(head, others, hooks, tail, with_hooks, gap)| {
            let inner = match with_hooks {
                0 => others,
                1 => format!("{{{gap}\"hooks\": {hooks}{gap}}}"),
                _ => {
                    let body = &others[1..];
                    let empty = to_value(&others).unwrap().as_object().unwrap().is_empty();
                    let comma = if empty { "" } else { "," };
                    format!("{{{gap}\"hooks\": {hooks}{comma}{body}")
                }
            };
            format!("{head}{inner}{tail}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_settings_survive(before in any_settings(), client in prop::sample::select(merged_clients().collect::<Vec<_>>())) {
        prop_assert!(plan(client, Some(&before), TIMES).is_ok(), "{}", before);
        check(client, &before)?;
    }

    #[test]
    fn any_text_is_read_without_panic(text in ".*", client in prop::sample::select(Client::ALL)) {
        let _ = plan(client, Some(&text), TIMES);
        let _ = remove(client, &text);
        let _ = findings(client, &text, TIMES);
    }
}
