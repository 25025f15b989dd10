//! Keys of earlier versions, and what took their place.
//!
//! Only files that people write are told: a sealed copy that still holds such a key is read without
//! it, so that a repository keeps working until its person looks at the config again.

/// Each key that is gone, with what to do instead.
#[rustfmt::skip]
const REMOVED: [(&str, &str); 7] = [
    ("revert_at", "`patience` says how many tries failing work has, `trigger` when the tests run"),
    ("quick_test", "remove it: the awaited tests run first, alone"),
    ("language", "remove it: files are told by their name and content"),
    ("freeze_tests", "remove it: tests are always frozen in green; `git tcr phase red --why TEXT` goes back to change one"),
    ("on_broken", "remove it: work with which the tests can't run is always kept"),
    ("retry", "remove it: failing tests that passed before are always run once more"),
    ("cache", "remove it: `git tcr run --force` runs the tests of a tree that was tested before"),
];

/// What took the place of a key that is gone.
pub(super) fn instead_of(key: &str) -> Option<&'static str> {
    let (_, instead) = REMOVED.iter().find(|(name, _)| *name == key)?;
    Some(instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, KEYS, Layer, Project};

    fn complaint(user: &str, project: &str) -> String {
        let layer = |path: &str, text: &str| Layer {
            path: path.into(),
            bytes: text.into(),
        };
        let read = Config::from_layers(
            Some(layer("config.toml", user)),
            Some(layer(".tcr.toml", project)),
        );
        read.map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn a_key_that_is_gone_names_what_took_its_place() {
        for (key, instead) in REMOVED {
            assert!(KEYS.iter().all(|known| known.name != key), "{key}");
            let line = format!("mode = \"both\"\n{key} = 1\n");
            let said = format!(":2:1: `{key}` is no longer a key\nhint: {instead}");
            assert_eq!(complaint("", &line), format!(".tcr.toml{said}"));
            assert_eq!(complaint(&line, ""), format!("config.toml{said}"));
        }
    }

    #[test]
    fn so_does_a_key_of_a_project() {
        for key in ["language", "quick_test"] {
            let text = format!("[[project]]\npath = \"a\"\n{key} = \"x\"\n");
            let said = complaint("", &text);
            let place = format!(".tcr.toml:3:1: `{key}` is no longer a key\nhint: ");
            assert!(said.starts_with(&place), "{said}");
        }
    }

    /// Sealed by the first version, with each key that is gone at another value than its default.
    const SEALED: &str = include_str!("../../fixtures/config/sealed-with-removed-keys.json");

    #[test]
    fn a_sealed_copy_that_has_them_is_read_without() {
        let sealed: Config = serde_json::from_str(SEALED).expect("a config");
        let expected = Config {
            test: Some(crate::config::CommandLine::Shell("./run-tests".into())),
            projects: vec![Project {
                path: "packages/a".into(),
                ..Project::default()
            }],
            ..Config::default()
        };
        assert_eq!(sealed, expected);
        for (key, _) in REMOVED {
            assert!(SEALED.contains(&format!("\"{key}\": ")), "{key}");
            let now = serde_json::to_string(&sealed).expect("JSON");
            assert!(!now.contains(&format!("\"{key}\":")), "{key}");
        }
    }
}
