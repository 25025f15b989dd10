//! Tests that stand elsewhere or under another name after a step, and are the same tests.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::BStr;

use super::parts::{Part, PartKind, Parts, renamed_names, text_of};
use crate::branch::state::TestResults;
use crate::languages::{Test, Unreadable};

/// A test by its place: file, path of what it is in, name.
type Place = (String, Vec<String>, String);

/// The tests that a step moved or renamed.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// Where each of them is now.
    to: BTreeMap<Place, Place>,
    came: BTreeSet<Place>,
    /// Where most of the text of a test is that was taken out, in the same file.
    rewritten: BTreeMap<Place, Place>,
    /// Tests that were taken out, and stand nowhere else.
    removed: BTreeSet<Place>,
    /// Tests that are there still, and other ones.
    changed: BTreeSet<Place>,
    /// Files of tests that can't be read, and are gone with whatever was in them.
    gone: BTreeSet<String>,
}

impl Moves {
    /// Pairs the tests that went with those that came: the same body apart from names that the
    /// step itself renames.
    pub(crate) fn of(parts: &Parts) -> Moves {
        let mut went = Vec::new();
        let mut came = Vec::new();
        let mut changed = BTreeSet::new();
        for part in &parts.parts {
            let Some(tests) = part.tests() else { continue };
            let file = part.change.path.to_string();
            changed.extend(tests.changed.iter().map(|test| place(&file, test)));
            if let Some(code) = &part.old {
                let all = tests.removed.iter();
                went.extend(all.map(|test| (place(&file, test), text_of(code, test))));
            }
            if let Some(code) = &part.new {
                let all = tests.added.iter();
                came.extend(all.map(|test| (place(&file, test), text_of(code, test))));
            }
        }
        let names = renamed_names(parts);
        let mut moves = Moves {
            changed,
            gone: parts.parts.iter().filter_map(unread_and_gone).collect(),
            ..Moves::default()
        };
        let mut left = Vec::new();
        for (old, text) in went {
            let same = came.iter().position(|(new, other)| {
                !moves.came.contains(new) && is_same(&text, other, &old.2, &new.2, &names)
            });
            match same.and_then(|at| came.get(at)) {
                Some((new, _)) => {
                    moves.came.insert(new.clone());
                    moves.to.insert(old, new.clone());
                }
                None => left.push((old, text)),
            }
        }
        for (old, text) in left {
            let mut free = came.iter().filter(|(new, other)| {
                let is_taken =
                    moves.came.contains(new) || moves.rewritten.values().any(|to| to == new);
                !is_taken
                    && (&new.0, &new.1) == (&old.0, &old.1)
                    && holds_most(other, &text, &old.2)
            });
            if let Some((new, _)) = free.next() {
                moves.rewritten.insert(old.clone(), new.clone());
            }
            moves.removed.insert(old);
        }
        moves
    }

    /// Whether an added test is one that stood elsewhere before.
    pub(crate) fn came(&self, path: &BStr, test: &Test) -> bool {
        self.came.contains(&place(&path.to_string(), test))
    }

    /// Where a test is now, by its file and name before; its name there.
    pub(crate) fn target(&self, file: Option<&str>, id: &str) -> Option<(&str, &str)> {
        target_in(&self.to, file, id)
    }

    /// Which test has most of the text of one that was taken out: its file and its name.
    pub(crate) fn rewritten(&self, file: Option<&str>, id: &str) -> Option<(&str, &str)> {
        target_in(&self.rewritten, file, id)
    }

    /// The id of a moved test, where ids are made of file, containers and name.
    pub(crate) fn renamed(&self, id: &str) -> Option<String> {
        let mut found = self.to.iter().filter(|((_, _, name), _)| names(id, name));
        let ((old_file, _, old), (new_file, _, new)) = found
            .find(|((file, _, _), _)| id.contains(file.as_str()))
            .or_else(|| {
                let mut all = self.to.iter().filter(|((_, _, name), _)| names(id, name));
                all.next()
            })?;
        let at = id.rfind(old.as_str())?;
        let (head, tail) = (id.get(..at)?, id.get(at + old.len()..)?);
        Some(format!(
            "{}{new}{tail}",
            head.replacen(old_file, new_file, 1)
        ))
    }

    /// Whether the step took a test out, or a case of a test whose others are in the run.
    pub(crate) fn is_removed(&self, file: Option<&str>, id: &str, run: &TestResults) -> bool {
        let mut removed = self.removed.iter();
        removed.any(|(old, _, name)| is_named(file, id, old, name))
            || self.lost_a_case(file, id, run)
            || file.is_some_and(|file| self.gone.contains(file))
            || self.gone.iter().any(|gone| begins_with_file(id, gone))
    }
}

impl Moves {
    fn lost_a_case(&self, file: Option<&str>, id: &str, run: &TestResults) -> bool {
        let ran = |in_file: &str, name: &str| {
            let mut ids = run.passed.iter().chain(&run.failed);
            ids.any(|other| {
                is_named(
                    run.files.get(other).map(String::as_str),
                    other,
                    in_file,
                    name,
                )
            })
        };
        let mut changed = self.changed.iter();
        changed.any(|(in_file, _, name)| is_named(file, id, in_file, name) && ran(in_file, name))
    }
}

fn target_in<'m>(
    pairs: &'m BTreeMap<Place, Place>,
    file: Option<&str>,
    id: &str,
) -> Option<(&'m str, &'m str)> {
    let mut found = pairs
        .iter()
        .filter(|((old, _, name), _)| is_named(file, id, old, name));
    let (_, (new, _, name)) = found.next()?;
    Some((new, name))
}

/// Whether a text has nearly all words of another one but its name, in any order. Signs say little:
/// most tests share them.
fn holds_most(text: &str, old: &str, old_name: &str) -> bool {
    let is_word =
        |word: &&str| word.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
    let mut there: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words(text).into_iter().filter(is_word) {
        *there.entry(word).or_default() += 1;
    }
    let mut old: Vec<&str> = words(old).into_iter().filter(is_word).collect();
    old.retain(|word| *word != old_name);
    let mut held = 0;
    for word in &old {
        if let Some(left) = there.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            held += 1;
        }
    }
    held * 5 >= old.len() * 4
}

/// A file of tests without grammar that the step deletes.
fn unread_and_gone(part: &Part) -> Option<String> {
    let is_gone = part.change.after.is_none() && part.unreadable == Some(Unreadable::NoGrammar);
    match part.kind {
        PartKind::AroundTests { harness: false } if is_gone => Some(part.change.path.to_string()),
        PartKind::AroundTests { .. }
        | PartKind::Tests(_)
        | PartKind::Source { .. }
        | PartKind::Dependencies
        | PartKind::Other
        | PartKind::Docs => None,
    }
}

/// Whether a test's id is a file, or begins with it.
fn begins_with_file(id: &str, file: &str) -> bool {
    id.strip_prefix(file)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ', '#']))
}

fn place(file: &str, test: &Test) -> Place {
    (file.to_owned(), test.path.clone(), test.name.clone())
}

fn is_named(file: Option<&str>, id: &str, in_file: &str, name: &str) -> bool {
    file.is_none_or(|file| file == in_file) && names(id, name)
}

/// Whether a test's id is that of a test of this name: it ends with the name, parameters aside.
pub(crate) fn names(id: &str, name: &str) -> bool {
    let plain = match (id.ends_with(']'), id.find('[')) {
        (true, Some(at)) if !name.contains('[') => &id[..at],
        _ => id,
    };
    let ends = |id: &str| {
        id.strip_suffix(name).is_some_and(|before| {
            before
                .chars()
                .next_back()
                .is_none_or(|last| !last.is_alphanumeric() && last != '_')
        })
    };
    ends(plain) || ends(id) || is_subtest(id, name)
}

/// Go's subtests, and their like: `TestTitle/empty`.
fn is_subtest(id: &str, name: &str) -> bool {
    id.match_indices(name).any(|(at, _)| {
        let (before, after) = (&id[..at], &id[at + name.len()..]);
        let begins = before
            .chars()
            .next_back()
            .is_none_or(|last| !last.is_alphanumeric() && last != '_');
        begins && (after.starts_with('/') || after.starts_with(" > ") || after.starts_with(" ("))
    })
}

/// Names that went and names that came.
pub(crate) type Names = (BTreeSet<String>, BTreeSet<String>);

/// Whether two texts are the same but for names that went and names that came, one to one. The
/// name of the test itself may be another one.
pub(crate) fn is_same(
    old: &str,
    new: &str,
    old_name: &str,
    new_name: &str,
    (gone, came): &Names,
) -> bool {
    let (old, new) = (words(old), words(new));
    if old.len() != new.len() || old.is_empty() {
        return false;
    }
    let mut forth: BTreeMap<&str, &str> = BTreeMap::new();
    let mut back: BTreeMap<&str, &str> = BTreeMap::new();
    old.iter().zip(&new).all(|(old, new)| {
        if *old == old_name && *new == new_name {
            return true;
        }
        let is_renamed = gone.contains(*old) && came.contains(*new);
        (old == new || is_renamed)
            && *forth.entry(old).or_insert(new) == *new
            && *back.entry(new).or_insert(old) == *old
    })
}

/// The words and signs of a text, without its layout.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
        let end = match is_word(first) {
            true => rest.find(|sign| !is_word(sign)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        if !word.trim().is_empty() {
            words.push(word);
        }
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_test_is_the_same_but_for_names_that_the_step_renames() {
        let names = (
            set(&["show", "test_show"]),
            set(&["as_text", "test_as_text"]),
        );
        let old = "def test_show():\n    assert show(1205) == \"12.05\"";
        for (new, same) in [
            (
                "def test_as_text():\n    assert as_text(1205) == \"12.05\"",
                true,
            ),
            (
                "def test_as_text():\n        assert as_text( 1205 ) == \"12.05\"",
                true,
            ),
            ("def test_as_text():\n    as_text(1205)", false),
            (
                "def test_as_text():\n    assert as_text(1205) == \"12.5\"",
                false,
            ),
            (
                "def test_as_text():\n    assert other(1205) == \"12.05\"",
                false,
            ),
        ] {
            assert_eq!(
                is_same(old, new, "test_show", "test_as_text", &names),
                same,
                "{new}"
            );
        }
    }

    #[test]
    fn ids_end_with_the_name_of_their_test() {
        for (id, name, is) in [
            ("tests/test_a.py::test_a", "test_a", true),
            ("tests/test_a.py::test_a[1-2]", "test_a", true),
            ("tests/test_a.py::test_aa", "test_a", false),
            ("tests/test_a.py::a_test_a", "test_a", false),
            ("pkg > TestTitle/empty", "TestTitle", true),
            ("price > adds up", "adds up", true),
        ] {
            assert_eq!(names(id, name), is, "{id}");
        }
    }
}
