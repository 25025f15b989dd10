//! What files are after a patch in the envelope of coding agents, as far as that can be told.

use std::collections::BTreeMap;

use super::apply_patch::{BEGIN, END, header};

/// The files that a patch writes and what they are afterwards. A file is left out where the patch
/// does not fit what is there, or touches it more than once.
pub(crate) fn texts(
    patch: &str,
    read: &dyn Fn(&str) -> Option<String>,
) -> BTreeMap<String, String> {
    let mut seen: BTreeMap<String, Option<String>> = BTreeMap::new();
    for section in sections(patch) {
        let text = section.text(read);
        let is_known = seen.contains_key(&section.target);
        seen.insert(section.target, text.filter(|_| !is_known));
    }
    let known = seen.into_iter();
    known
        .filter_map(|(path, text)| Some((path, text?)))
        .collect()
}

/// One file of the patch.
struct Section<'p> {
    /// The file it starts from; none for a new one.
    from: Option<String>,
    target: String,
    lines: Vec<&'p str>,
}

fn sections(patch: &str) -> Vec<Section<'_>> {
    let mut found: Vec<Section<'_>> = Vec::new();
    let body = patch
        .lines()
        .skip_while(|line| line.trim() != BEGIN)
        .skip(1);
    for line in body.take_while(|line| line.trim() != END) {
        if let Some(path) = header(line, "*** Add File:") {
            found.push(Section {
                from: None,
                target: path,
                lines: Vec::new(),
            });
        } else if let Some(path) = header(line, "*** Update File:") {
            found.push(Section {
                from: Some(path.clone()),
                target: path,
                lines: Vec::new(),
            });
        } else if let Some(path) = header(line, "*** Move to:") {
            if let Some(section) = found.last_mut() {
                section.target = path;
            }
        } else if let Some(path) = header(line, "*** Delete File:") {
            // It is gone afterwards, which is no text.
            found.push(Section {
                from: Some(path.clone()),
                target: path,
                lines: vec!["?"],
            });
        } else if let Some(section) = found.last_mut() {
            section.lines.push(line);
        }
    }
    found
}

impl Section<'_> {
    fn text(&self, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        match &self.from {
            None => {
                let added: Option<Vec<&str>> = self
                    .lines
                    .iter()
                    .map(|line| line.strip_prefix('+'))
                    .collect();
                Some(joined(&added?))
            }
            Some(path) => {
                let before = read(path)?;
                let mut lines: Vec<&str> = before.lines().collect();
                let mut from = 0;
                for hunk in self.hunks()? {
                    from = hunk.apply(&mut lines, from)?;
                }
                Some(joined(&lines))
            }
        }
    }

    fn hunks(&self) -> Option<Vec<Hunk<'_>>> {
        let mut hunks: Vec<Hunk<'_>> = Vec::new();
        for line in &self.lines {
            if let Some(context) = line.strip_prefix("@@") {
                hunks.push(Hunk {
                    context: context.trim(),
                    old: Vec::new(),
                    new: Vec::new(),
                });
                continue;
            }
            if line.trim() == "*** End of File" {
                continue;
            }
            if hunks.is_empty() {
                hunks.push(Hunk {
                    context: "",
                    old: Vec::new(),
                    new: Vec::new(),
                });
            }
            let hunk = hunks.last_mut()?;
            let (mark, text) = line.split_at_checked(1).unwrap_or((" ", ""));
            match mark {
                "+" => hunk.new.push(text),
                "-" => hunk.old.push(text),
                " " => {
                    hunk.old.push(text);
                    hunk.new.push(text);
                }
                _ => return None,
            }
        }
        Some(hunks)
    }
}

/// Lines that take the place of others.
struct Hunk<'p> {
    /// A line somewhere before them.
    context: &'p str,
    old: Vec<&'p str>,
    new: Vec<&'p str>,
}

impl<'p> Hunk<'p> {
    /// Puts the new lines in, and says where they end.
    fn apply<'t>(&self, lines: &mut Vec<&'t str>, from: usize) -> Option<usize>
    where
        'p: 't,
    {
        let mut from = from;
        if !self.context.is_empty() {
            let rest = lines.get(from..)?;
            from += rest.iter().position(|line| line.trim() == self.context)? + 1;
        }
        let at = if self.old.is_empty() {
            lines.len()
        } else {
            let rest = lines.get(from..)?;
            let is_here = |window: &[&str]| {
                let pairs = window.iter().zip(&self.old);
                pairs
                    .into_iter()
                    .all(|(one, other)| one.trim_end() == other.trim_end())
            };
            from + rest.windows(self.old.len()).position(is_here)?
        };
        drop(lines.splice(at..at + self.old.len(), self.new.iter().copied()));
        Some(at + self.new.len())
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(patch: &str) -> Vec<(String, String)> {
        let read = |path: &str| {
            (path == "a.py").then(|| {
                "import x\n\ndef f():\n    return 1\n\ndef g():\n    return 1\n".to_owned()
            })
        };
        let patch = format!("*** Begin Patch\n{patch}\n*** End Patch\n");
        texts(&patch, &read).into_iter().collect()
    }

    fn pair(path: &str, text: &str) -> Vec<(String, String)> {
        vec![(path.into(), text.into())]
    }

    #[test]
    fn new_files_are_what_is_added() {
        assert_eq!(
            after("*** Add File: b.py\n+x\n+\n+y"),
            pair("b.py", "x\n\ny\n")
        );
    }

    #[test]
    fn hunks_are_put_where_they_fit() {
        let whole = "import x\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n";
        assert_eq!(
            after("*** Update File: a.py\n@@ def g():\n-    return 1\n+    return 2"),
            pair("a.py", whole)
        );
        let first = "import x\n\ndef f():\n    return 2\n\ndef g():\n    return 1\n";
        assert_eq!(
            after("*** Update File: a.py\n@@\n def f():\n-    return 1\n+    return 2"),
            pair("a.py", first)
        );
        assert_eq!(
            after(
                "*** Update File: a.py\n*** Move to: b.py\n@@\n def f():\n-    return 1\n+    return 2"
            ),
            pair("b.py", first)
        );
        let longer =
            "import x\n\ndef f():\n    return 1\n\ndef g():\n    return 1\ndef h(): pass\n";
        assert_eq!(
            after("*** Update File: a.py\n@@\n+def h(): pass"),
            pair("a.py", longer)
        );
    }

    #[test]
    fn what_does_not_fit_is_not_known() {
        for patch in [
            "*** Update File: a.py\n@@\n-nowhere\n+x",
            "*** Update File: a.py\n@@ nowhere\n-import x\n+x",
            "*** Update File: other.py\n@@\n-a\n+b",
            "*** Add File: b.py\nno plus",
            "*** Add File: b.py\n+x\n*** Add File: b.py\n+y",
            "*** Delete File: a.py",
            "*** Update File: a.py\n?",
        ] {
            assert_eq!(after(patch), vec![], "{patch}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_patch_is_answered(
            body in "(\\*\\*\\* (Add File: b|Update File: a.py|Move to: c|Delete File: a.py)\n|@@ ?x?\n|[-+ ].{0,5}\n|.{0,5}\n){0,20}"
        ) {
            after(&body);
        }
    }
}
