//! The entries of snapshot files. One that is added is an added test; those that are there are
//! frozen like tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::path_class::is_snapshot;

/// Recorded results by the name of their test.
pub type Recorded = BTreeMap<String, String>;

/// What differs between two versions of a snapshot file, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnapshotChange {
    /// Only in the new version.
    pub added: BTreeSet<String>,
    /// In both, with different content.
    pub changed: BTreeSet<String>,
    /// Only in the old version.
    pub removed: BTreeSet<String>,
}

impl SnapshotChange {
    /// Whether everything that was recorded is as it was.
    pub fn only_adds(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The entries of a snapshot file; `None` if it is none or can't be read.
///
/// Files of one entry (insta's, approved texts, pictures) have it under the name of the file.
pub fn entries(path: &[u8], content: &[u8]) -> Option<Recorded> {
    if !is_snapshot(path) {
        return None;
    }
    let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = String::from_utf8_lossy(base).into_owned();
    let one = |body: &str| Recorded::from([(name.clone(), body.to_owned())]);
    let Ok(text) = std::str::from_utf8(content) else {
        return Some(one(&format!("{content:?}")));
    };
    let text = text.replace("\r\n", "\n");
    if name.ends_with(".ambr") {
        syrupy(&text)
    } else if !name.ends_with(".snap") {
        Some(one(&text))
    } else if text.starts_with("// ") || text.starts_with("exports[") {
        script(&text)
    } else {
        Some(one(insta(&text).unwrap_or(&text)))
    }
}

/// What differs; `None` stands for a file that is not there, and for the answer if one of the two
/// can't be read.
pub fn compare(path: &[u8], old: Option<&[u8]>, new: Option<&[u8]>) -> Option<SnapshotChange> {
    let read = |content: Option<&[u8]>| match content {
        Some(content) => entries(path, content),
        None => Some(Recorded::new()),
    };
    let (old, new) = (read(old)?, read(new)?);
    let only_in = |some: &Recorded, other: &Recorded| -> BTreeSet<String> {
        let names = some.keys().filter(|name| !other.contains_key(*name));
        names.cloned().collect()
    };
    Some(SnapshotChange {
        added: only_in(&new, &old),
        removed: only_in(&old, &new),
        changed: old
            .iter()
            .filter(|(name, body)| new.get(*name).is_some_and(|other| other != *body))
            .map(|(name, _)| name.clone())
            .collect(),
    })
}

/// The old version with what the new one adds: what a step may do to a snapshot file whose entries
/// are frozen. `None` if one of the two can't be read.
pub fn with_additions(path: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let added = compare(path, Some(old), Some(new))?.added;
    let recorded = entries(path, new)?;
    let mut made = old.to_vec();
    for name in added {
        let body = recorded.get(&name)?;
        let entry = match path.ends_with(b".ambr") {
            true => format!("# name: {name}\n{body}# ---\n"),
            false => format!("\nexports[`{name}`] = `{body}`;\n"),
        };
        made.extend_from_slice(entry.as_bytes());
    }
    // A file of one entry has no place for a second one.
    (entries(path, &made)?.len() >= recorded.len()).then_some(made)
}

/// Jest and Vitest: ``exports[`name 1`] = `body`;`` one after the other.
fn script(text: &str) -> Option<Recorded> {
    let mut found = Recorded::new();
    let mut rest = text;
    loop {
        rest = after_comments(rest);
        if rest.is_empty() {
            return Some(found);
        }
        let (name, after) = template(rest.strip_prefix("exports[")?)?;
        let (body, after) = template(after.strip_prefix("] = ")?)?;
        rest = after.strip_prefix(';')?;
        found.insert(name.to_owned(), body.to_owned());
    }
}

fn after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("//") {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    rest
}

/// A template literal, and what follows it.
fn template(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('`')?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        if c == '`' && !escaped {
            return Some((inner.get(..at)?, inner.get(at + 1..)?));
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// insta: a header between lines of dashes, which names the place of the test, then the body.
fn insta(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---\n")?;
    let end = rest.find("\n---\n")?;
    rest.get(end + "\n---\n".len()..)
}

/// syrupy: `# name: …`, the body, `# ---`.
fn syrupy(text: &str) -> Option<Recorded> {
    let mut found = Recorded::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let name = line.strip_prefix("# name: ");
        match (&mut open, name) {
            (Some(_), Some(_)) => return None,
            (None, Some(name)) => open = Some((name.to_owned(), String::new())),
            (Some(_), None) if line == "# ---" => {
                let (name, body) = open.take()?;
                found.insert(name, body);
            }
            (Some((_, body)), None) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) if line.is_empty() || line.starts_with('#') => {}
            (None, None) => return None,
        }
    }
    open.is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JEST: &str = "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`card renders 1`] = `\n<div>\n  \\`x\\` Ada\n</div>\n`;\n\nexports[`card is wide 1`] = `\"wide\"`;\n";
    const AMBR: &str = "# serializer version: 1\n# name: test_a\n  'x'\n# ---\n# name: test_b.1\n  dict({\n    'k': '# --- not',\n  })\n# ---\n";
    const INSTA: &str =
        "---\nsource: src/lib.rs\nassertion_line: 12\nexpression: value\n---\n[1, 2]\n";

    fn names(path: &str, text: &str) -> Option<Vec<String>> {
        let found = entries(path.as_bytes(), text.as_bytes())?;
        Some(found.into_keys().collect())
    }

    #[test]
    fn entries_have_the_names_of_their_tests() {
        let table: &[(&str, &str, Option<&[&str]>)] = &[
            (
                "a/__snapshots__/c.test.js.snap",
                JEST,
                Some(&["card is wide 1", "card renders 1"]),
            ),
            (
                "tests/__snapshots__/test_a.ambr",
                AMBR,
                Some(&["test_a", "test_b.1"]),
            ),
            ("src/snapshots/lib__a.snap", INSTA, Some(&["lib__a.snap"])),
            (
                "out.approved.txt",
                "// hello\n",
                Some(&["out.approved.txt"]),
            ),
            ("tests/__snapshots__/t/a.raw", "hello\n", Some(&["a.raw"])),
            (
                "a.snap",
                "// Vitest Snapshot v1, https://vitest.dev\n",
                Some(&[]),
            ),
            (
                "a.snap",
                "// Jest Snapshot v1\n\nexports[`a 1`] = `open",
                None,
            ),
            ("a.snap", "// Jest\nrequire('fs')\n", None),
            ("a.ambr", "# name: a\n  x\n", None),
            ("a.json", "{}", None),
        ];
        for (path, text, expected) in table {
            let expected = expected.map(|names| names.iter().map(|n| (*n).to_owned()).collect());
            assert_eq!(names(path, text), expected, "{path}: {text}");
        }
        assert_eq!(
            entries(b"a.snap", JEST.as_bytes())
                .expect("entries")
                .get("card renders 1")
                .map(String::as_str),
            Some("\n<div>\n  \\`x\\` Ada\n</div>\n")
        );
    }

    #[test]
    fn what_was_added_changed_and_removed() {
        let changed = JEST.replace("wide\"", "narrow\"");
        let longer = format!("{JEST}\nexports[`new 1`] = `1`;\n");
        let moved = INSTA.replace("assertion_line: 12", "assertion_line: 40");
        let other = INSTA.replace("[1, 2]", "[1, 3]");
        type Row<'a> = (
            &'a str,
            Option<&'a str>,
            Option<&'a str>,
            [&'a [&'a str]; 3],
        );
        let table: &[Row<'_>] = &[
            ("a.snap", Some(JEST), Some(&longer), [&["new 1"], &[], &[]]),
            (
                "a.snap",
                Some(JEST),
                Some(&changed),
                [&[], &["card is wide 1"], &[]],
            ),
            ("a.snap", Some(&longer), Some(JEST), [&[], &[], &["new 1"]]),
            (
                "a.snap",
                None,
                Some("exports[`x 1`] = `1`;\n"),
                [&["x 1"], &[], &[]],
            ),
            ("a.snap", Some(INSTA), Some(&moved), [&[], &[], &[]]),
            ("a.snap", Some(INSTA), Some(&other), [&[], &["a.snap"], &[]]),
            ("a.snap", Some(INSTA), None, [&[], &[], &["a.snap"]]),
        ];
        for (path, old, new, [added, changed, removed]) in table {
            let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
            let bytes = |text: &Option<&str>| text.map(|text| text.as_bytes().to_vec());
            let (old, new) = (bytes(old), bytes(new));
            let found = compare(path.as_bytes(), old.as_deref(), new.as_deref());
            let expected = SnapshotChange {
                added: set(added),
                changed: set(changed),
                removed: set(removed),
            };
            assert_eq!(found.as_ref(), Some(&expected));
            assert_eq!(
                expected.only_adds(),
                changed.is_empty() && removed.is_empty()
            );
        }
    }

    #[test]
    fn additions_are_kept_where_entries_are_frozen() {
        let longer = format!("{JEST}\nexports[`new 1`] = `\\`1\\``;\n").replace("Ada", "Bob");
        let made = with_additions(b"a.snap", JEST.as_bytes(), longer.as_bytes()).expect("made");
        let text = String::from_utf8(made).expect("text");
        assert_eq!(text, format!("{JEST}\nexports[`new 1`] = `\\`1\\``;\n"));

        let longer = format!("{AMBR}# name: test_c\n  'z'\n# ---\n").replace("'x'", "'y'");
        let made = with_additions(b"a.ambr", AMBR.as_bytes(), longer.as_bytes()).expect("made");
        let text = String::from_utf8(made).expect("text");
        assert_eq!(text, format!("{AMBR}# name: test_c\n  'z'\n# ---\n"));

        let other = INSTA.replace("[1, 2]", "[1, 3]");
        let made = with_additions(b"a.snap", INSTA.as_bytes(), other.as_bytes());
        assert_eq!(made.as_deref(), Some(INSTA.as_bytes()));
        assert_eq!(with_additions(b"a.snap", b"// x\n", b"// x\nbad"), None);
    }

    #[test]
    fn cut_off_anywhere_it_is_read_or_refused() {
        for (path, text) in [("a.snap", JEST), ("a.ambr", AMBR), ("a.snap", INSTA)] {
            for end in 0..text.len() {
                let _ = entries(path.as_bytes(), &text.as_bytes()[..end]);
            }
        }
        assert!(entries(b"a.snap", b"\xff\x00").is_some());
    }
}
