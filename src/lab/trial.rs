//! The trial of a lab: which tests can be believed there, judged from three runs that the caller makes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::no_lab::{Doing, NoLab, Why};
use super::wanted::{Kind, Wanted, WantedFile};

/// What a test said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was left out by itself.
    Skipped,
}

/// What the tests of a run said, by name; a test that was not run is not in it.
pub type Results = BTreeMap<String, Said>;

/// Three runs of the whole suite.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// In the worktree.
    pub worktree: &'a Results,
    /// The same tree in the lab.
    pub lab: &'a Results,
    /// In the lab, with every source file broken.
    pub broken: &'a Results,
}

/// Why a test is not believed in a lab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// It says something else there than in the worktree.
    Differs,
    /// It passes although every source file is broken: something else decides it.
    PassesBroken,
}

/// What a trial has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trusted {
    /// Tests that are never believed in an experiment.
    pub doubted: BTreeMap<String, Doubt>,
    /// How many tests showed that the lab's own sources decide.
    pub shown: usize,
}

impl Trusted {
    /// Whether what a test says in the lab is believed. A test that came after the trial is.
    pub fn believes(&self, test: &str) -> bool {
        !self.doubted.contains_key(test)
    }
}

impl Trial<'_> {
    /// Which tests are believed; no lab if there is none although some could have shown it.
    pub fn judge(&self) -> Result<Trusted, NoLab> {
        let mut trusted = Trusted {
            doubted: BTreeMap::new(),
            shown: 0,
        };
        for (test, said) in self.worktree {
            if self.lab.get(test) != Some(said) {
                trusted.doubted.insert(test.clone(), Doubt::Differs);
            }
        }
        // Judged by names: the status of a run may tell of something else.
        for (test, said) in self.broken {
            if *said == Said::Passed && trusted.believes(test) {
                trusted.doubted.insert(test.clone(), Doubt::PassesBroken);
            }
        }
        let passed = |results: &Results, test: &String| results.get(test) == Some(&Said::Passed);
        let could: Vec<&String> = self
            .worktree
            .keys()
            .filter(|test| passed(self.worktree, test))
            .collect();
        trusted.shown = could.iter().filter(|test| trusted.believes(test)).count();
        if could.is_empty() || trusted.shown > 0 {
            return Ok(trusted);
        }
        let differing: Vec<String> = could
            .into_iter()
            .filter(|test| !passed(self.lab, test))
            .cloned()
            .collect();
        Err(match differing.is_empty() {
            true => Why::Fooled.into(),
            false => Why::Differs(differing).into(),
        })
    }
}

/// What no language takes for code.
const NONSENSE: &[u8] = b"(((\n";

/// The tree in which each of these source files is broken.
pub fn all_broken(worktree: &Path, sources: &[PathBuf]) -> Result<Wanted, NoLab> {
    let mut wanted = Wanted::default();
    for path in sources {
        let full = worktree.join(path);
        let unreadable = |error| NoLab::io(Doing::Read, &full, &error);
        let found = match fs::symlink_metadata(&full) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable(error)),
        };
        // What a link leads to is broken by its own name.
        if !found.is_file() {
            continue;
        }
        let executable = found.permissions().mode() & 0o111 != 0;
        wanted.write.push(WantedFile {
            path: path.clone(),
            content: broken(path, &fs::read(&full).map_err(unreadable)?),
            kind: if executable {
                Kind::Executable
            } else {
                Kind::File
            },
        });
    }
    Ok(wanted)
}

/// A source file with nonsense where its code begins: in front of it, text is only printed in PHP, and
/// ignored in components.
fn broken(path: &Path, content: &[u8]) -> Vec<u8> {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    let at = match ending {
        "php" | "phtml" => after(content, b"<?php", b""),
        "vue" | "svelte" | "astro" => after(content, b"<script", b">"),
        _ => Some(0),
    };
    let (before, code) = content.split_at(at.unwrap_or(0));
    let opening: &[u8] = match (ending, at) {
        ("php" | "phtml", None) => b"<?php ",
        (_, Some(0) | None) => b"",
        (_, Some(_)) => b"\n",
    };
    [before, opening, NONSENSE, code].concat()
}

/// The place after a mark, and after what closes it.
fn after(content: &[u8], mark: &[u8], close: &[u8]) -> Option<usize> {
    let find =
        |text: &[u8], what: &[u8]| text.windows(what.len()).position(|window| window == what);
    let opened = find(content, mark)? + mark.len();
    match close {
        [] => Some(opened),
        _ => Some(opened + find(&content[opened..], close)? + close.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Said::{Failed, Passed, Skipped};

    fn results(list: &[(&str, Said)]) -> Results {
        list.iter()
            .map(|(name, said)| ((*name).to_owned(), *said))
            .collect()
    }

    fn judge(
        worktree: &[(&str, Said)],
        lab: &[(&str, Said)],
        broken: &[(&str, Said)],
    ) -> Result<Trusted, NoLab> {
        Trial {
            worktree: &results(worktree),
            lab: &results(lab),
            broken: &results(broken),
        }
        .judge()
    }

    #[test]
    fn a_test_that_passes_with_broken_sources_is_never_believed_the_others_are() {
        let both = [
            ("a", Passed),
            ("b", Passed),
            ("known", Failed),
            ("s", Skipped),
        ];
        let trusted = judge(&both, &both, &[("b", Passed), ("a", Failed)]).unwrap();
        assert_eq!(
            trusted.doubted,
            [("b".to_owned(), Doubt::PassesBroken)].into()
        );
        assert_eq!(trusted.shown, 1);
        assert!(trusted.believes("a") && trusted.believes("new") && !trusted.believes("b"));
    }

    #[test]
    fn a_test_that_says_something_else_is_not_believed() {
        let there = [("a", Passed), ("b", Passed), ("c", Failed)];
        let trusted = judge(&there, &[("a", Passed), ("c", Passed)], &[]).unwrap();
        let doubted = ["b", "c"].map(|name| (name.to_owned(), Doubt::Differs));
        assert_eq!(trusted.doubted, doubted.into());
    }

    #[test]
    fn there_is_no_lab_if_nothing_can_be_believed() {
        let there = [("a", Passed), ("b", Passed)];
        let why = |lab: &[(&str, Said)], broken: &[(&str, Said)]| {
            judge(&there, lab, broken).unwrap_err().why
        };
        assert_eq!(why(&there, &there), Why::Fooled);
        assert_eq!(why(&[], &[]), Why::Differs(vec!["a".into(), "b".into()]));
        assert_eq!(
            why(&[("a", Passed)], &[("a", Passed)]),
            Why::Differs(vec!["b".into()])
        );
    }

    #[test]
    fn without_a_passing_test_nothing_is_shown_and_nothing_refused() {
        let trusted = judge(&[("a", Failed)], &[("a", Failed)], &[]).unwrap();
        assert_eq!((trusted.shown, trusted.doubted.len()), (0, 0));
    }

    #[test]
    fn nonsense_stands_where_code_begins() {
        for (path, content, made) in [
            (
                "a.py",
                "#!/usr/bin/python\nx\n",
                "(((\n#!/usr/bin/python\nx\n",
            ),
            ("a.php", "<?php\nf();", "<?php\n(((\n\nf();"),
            ("a.php", "<p><?php f();", "<p><?php\n(((\n f();"),
            ("a.php", "text", "<?php (((\ntext"),
            (
                "a.vue",
                "<script setup lang=\"ts\">\nx",
                "<script setup lang=\"ts\">\n(((\n\nx",
            ),
            ("a.svelte", "<p>", "(((\n<p>"),
            ("Makefile", "", "(((\n"),
        ] {
            let got = broken(Path::new(path), content.as_bytes());
            assert_eq!(String::from_utf8_lossy(&got), made, "{path}");
        }
    }

    #[test]
    fn links_and_missing_files_are_passed_over_and_kinds_stay() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.sh"), "x").unwrap();
        fs::set_permissions(dir.path().join("a.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("a.sh", dir.path().join("l.sh")).unwrap();
        let sources = ["a.sh", "l.sh", "none.sh"].map(PathBuf::from);
        let wanted = all_broken(dir.path(), &sources).unwrap();
        assert_eq!(wanted.write.len(), 1);
        assert_eq!(wanted.write[0].kind, Kind::Executable);
    }
}
