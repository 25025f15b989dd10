//! What one config says and another does not.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Config;

/// A key with another value than before; `null` where it was or is not set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyChange {
    /// The key, with its table: `validator.command`.
    pub key: String,
    /// What it was.
    pub before: Value,
    /// What it is.
    pub after: Value,
}

/// The keys that differ between two configs, sorted.
pub fn changes(before: &Config, after: &Config) -> Vec<KeyChange> {
    let mut found = Vec::new();
    compare("", table(before), table(after), &mut found);
    found
}

fn table(config: &Config) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(table)) => table,
        // A config is a table.
        Ok(_) | Err(_) => Map::new(),
    }
}

fn compare(
    prefix: &str,
    mut before: Map<String, Value>,
    mut after: Map<String, Value>,
    found: &mut Vec<KeyChange>,
) {
    let mut keys: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
    keys.sort_unstable();
    keys.dedup();
    for name in keys {
        let was = before.remove(&name).unwrap_or_default();
        let is = after.remove(&name).unwrap_or_default();
        let key = format!("{prefix}{name}");
        match (was, is) {
            (was, is) if was == is => {}
            (Value::Object(was), Value::Object(is)) => {
                compare(&format!("{key}."), was, is, found);
            }
            (Value::Object(was), Value::Null) => {
                compare(&format!("{key}."), was, Map::new(), found);
            }
            (Value::Null, Value::Object(is)) => {
                compare(&format!("{key}."), Map::new(), is, found);
            }
            (before, after) => found.push(KeyChange { key, before, after }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layer, Project};

    fn read(text: &str) -> Config {
        let layer = Layer {
            path: ".tcr.toml".into(),
            bytes: text.as_bytes().to_vec(),
        };
        Config::from_layers(None, Some(layer)).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn only_what_differs_is_named() {
        let before = read("mode = \"tcr\"\npatience = 0\ntest = \"a\"");
        let after = read(
            "mode = \"tcr\"\ntest = [\"a\", \"b\"]\n[validator]\ncommand = \"c\"\n\
             [smells]\nno_assertion = \"block\"\n",
        );
        let said: Vec<String> = changes(&before, &after)
            .into_iter()
            .map(|change| format!("{}: {} → {}", change.key, change.before, change.after))
            .collect();
        let expected = [
            "patience: 0 → 5",
            "smells.no_assertion: null → \"block\"",
            "test: \"a\" → [\"a\",\"b\"]",
            "validator.command: null → \"c\"",
        ];
        assert_eq!(said, expected);
        assert_eq!(changes(&after, &after), []);
        let mut split = after.clone();
        split.projects.push(Project::default());
        assert_eq!(changes(&after, &split)[0].key, "project");
    }
}
