//! The plan of a spec cycle: what has to be there at its end.

use serde::{Deserialize, Serialize};

use super::front_matter::{BadFrontMatter, Yaml, front_matter};

/// `must_haves` of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MustHaves {
    /// Files that have to exist, from the root.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// What has to be true, for whoever reviews it.
    #[serde(default)]
    pub truths: Vec<String>,
}

/// Reads what a plan promises.
pub fn must_haves(text: &str) -> Result<MustHaves, BadFrontMatter> {
    let text = super::lines_ended_by_newline(text);
    let (front, _) = front_matter(&text)?;
    let mut found = MustHaves::default();
    let Some(must_haves) = front.as_ref().and_then(|front| front.get("must_haves")) else {
        return Ok(found);
    };
    match must_haves {
        Yaml::Map(fields) => {
            for (name, value) in fields {
                for item in value.items() {
                    let Some(text) = named(item) else { continue };
                    match name.as_str() {
                        "artifacts" => found.artifacts.push(text),
                        _ => found.truths.push(text),
                    }
                }
            }
        }
        Yaml::List(_) | Yaml::Text(_) => {
            for text in must_haves.items().iter().filter_map(named) {
                match looks_like_a_path(&text) {
                    true => found.artifacts.push(text),
                    false => found.truths.push(text),
                }
            }
        }
    }
    Ok(found)
}

/// The path of an artifact, or its words.
fn named(item: &Yaml) -> Option<String> {
    let named = item.get("path").unwrap_or(item);
    named
        .text()
        .map(|text| text.trim_start_matches("./").to_owned())
}

fn looks_like_a_path(text: &str) -> bool {
    !text.contains(char::is_whitespace) && text.contains(['/', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let found = must_haves(text).expect("it can be read");
        (found.artifacts, found.truths)
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_forms_of_must_haves() {
        assert_eq!(read("# plan\n"), (vec![], vec![]));
        assert_eq!(
            read("---\nmust_haves:\r\n  - ./src/a.py\n  - it is fast\n---\n"),
            (owned(&["src/a.py"]), owned(&["it is fast"]))
        );
        assert_eq!(
            read(
                "---\nmust_haves:\n  artifacts:\n    - path: src/a.py\n      provides: add\n  truths: [yes]\n---\n"
            ),
            (owned(&["src/a.py"]), owned(&["yes"]))
        );
    }
}
