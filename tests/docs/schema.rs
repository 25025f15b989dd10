//! The JSON schema of `.tcr.toml`, made by asking the config's own reader what it takes.

use git_tcr::config::{Config, KEYS, KeyDoc, Layer, Scope};
use serde_json::{Map, Value, json};

/// A table of the config file: its scope, its name, whether there may be several.
const TABLES: [(Scope, &str, bool); 3] = [
    (Scope::Validator, "validator", false),
    (Scope::Smells, "smells", false),
    (Scope::Project, "project", true),
];

/// `docs/tcr.schema.json`
pub(super) fn schema() -> String {
    let mut top = object(Scope::Top);
    for (scope, name, is_list) in TABLES {
        let table = object(scope);
        let about = top["properties"][name]["description"].clone();
        let mut value = match is_list {
            true => json!({"type": "array", "items": table}),
            false => table,
        };
        value["description"] = about;
        top["properties"][name] = value;
    }
    top["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    top["title"] = ".tcr.toml".into();
    top["description"] = "the config of git tcr".into();
    let text = serde_json::to_string_pretty(&top).expect("JSON");
    format!("{text}\n")
}

fn object(scope: Scope) -> Value {
    let mut properties = Map::new();
    for key in KEYS.iter().filter(|key| key.scope == scope) {
        let mut property = kind(key);
        property["description"] = key.about.into();
        if let Some(default) = toml_value(key.default) {
            property["default"] = default;
        }
        properties.insert(key.name.into(), property);
    }
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

fn kind(key: &KeyDoc) -> Value {
    match toml_value(key.example).expect("an example") {
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(_) => whole_number(key),
        Value::Array(_) => match choices(&complaint(key, "[\"no such value\"]")) {
            Some(names) => json!({"type": "array", "items": {"type": "string", "enum": names}}),
            None => json!({"type": "array", "items": {"type": "string"}}),
        },
        Value::Object(_) => json!({"type": "object"}),
        Value::String(_) | Value::Null => match choices(&complaint(key, "\"no such value\"")) {
            Some(names) => json!({"type": "string", "enum": names}),
            None if complaint(key, "[\"a\", \"b\"]").is_empty() => {
                json!({"type": ["string", "array"], "items": {"type": "string"}})
            }
            None => json!({"type": "string"}),
        },
    }
}

/// `… must be a whole number from 1 to 86400, …`
fn whole_number(key: &KeyDoc) -> Value {
    let complaint = complaint(key, "-1");
    let bounds = complaint
        .split_once("a whole number from ")
        .and_then(|(_, rest)| rest.split_once(" to "))
        .unwrap_or_else(|| panic!("`{}` takes any number: {complaint}", key.name));
    let number = |text: &str| -> u64 {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("a number")
    };
    json!({"type": "integer", "minimum": number(bounds.0), "maximum": number(bounds.1)})
}

/// `… allowed: `edit`, `turn``
fn choices(complaint: &str) -> Option<Vec<&str>> {
    let (_, allowed) = complaint.split_once("allowed: ")?;
    let line = allowed.lines().next()?;
    Some(line.split('`').skip(1).step_by(2).collect())
}

/// What the reader has against a value; empty if it takes it.
fn complaint(key: &KeyDoc, value: &str) -> String {
    let table = match TABLES.iter().find(|(scope, ..)| *scope == key.scope) {
        None => String::new(),
        Some((_, name, false)) => format!("[{name}]\n"),
        Some((_, name, true)) if key.name == "path" => format!("[[{name}]]\n"),
        Some((_, name, true)) => format!("[[{name}]]\npath = \"a\"\n"),
    };
    let text = format!("{table}{} = {value}\n", key.name);
    let layer = Layer {
        path: ".tcr.toml".into(),
        bytes: text.into_bytes(),
    };
    Config::from_layers(None, Some(layer)).map_or_else(|error| error.to_string(), |_| String::new())
}

fn toml_value(toml: &str) -> Option<Value> {
    if toml.is_empty() {
        return None;
    }
    let table: toml::Table = toml::from_str(&format!("x = {toml}")).expect("TOML");
    serde_json::to_value(table.get("x")?).ok()
}

#[test]
fn every_key_is_in_it_with_what_the_reader_takes() {
    let schema: Value = serde_json::from_str(&schema()).expect("JSON");
    for key in KEYS {
        let is_known =
            key.scope == Scope::Top || TABLES.iter().any(|(scope, ..)| *scope == key.scope);
        assert!(
            is_known,
            "{key:?} is in a table that the schema does not know"
        );
    }
    let of = |pointer: &str| schema.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(
        of("/properties/trigger/enum"),
        json!(["edit", "turn", "manual"])
    );
    assert_eq!(of("/properties/timeout_s/maximum"), 86_400);
    assert_eq!(of("/properties/test/type"), json!(["string", "array"]));
    assert_eq!(of("/properties/needed/enum"), json!(["warn", "block"]));
    assert_eq!(of("/properties/patience/default"), 5);
    assert_eq!(of("/properties/report/type"), "string");
    assert_eq!(of("/properties/retry"), Value::Null);
    assert_eq!(of("/properties/enabled/default"), true);
    assert_eq!(
        of("/properties/validator/properties/on/items/enum"),
        json!(["freeze", "green"])
    );
    assert_eq!(
        of("/properties/project/items/properties/needs/type"),
        "array"
    );
}
