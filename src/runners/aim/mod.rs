//! Runs of some tests only: which tests are wanted, and what a runner behind a command needs to know to
//! leave out the others.
//!
//! Nothing is added to the command, which may be a script that takes no arguments: what we put into the
//! runners to get a report also tells them which tests to run.

pub(crate) mod names;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::command::Found;
use crate::rules::verdict::{Report, TestCase};

/// The tests that a run is to be limited to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Each of them.
    pub tests: Vec<Wanted>,
}

/// A test to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Its id as a report gave it, or as it is guessed for a test that never ran; may be empty.
    pub id: String,
    /// Its file, from the folder of the project.
    pub file: Option<String>,
    /// Its function or title; all tests of the file if it is empty.
    pub name: String,
    /// The classes, suites or modules that it is in, the outermost first.
    pub path: Vec<String>,
}

/// Whether an id has a name, in these suites.
type HasName = fn(&str, &[String], &str) -> bool;

impl Wanted {
    /// Whether a test of a report is this one or one of its variants, by the id.
    fn is_by_id(&self, test: &TestCase<'_>) -> bool {
        !self.id.is_empty() && names::is_same_or_variant(&self.id, test.id)
    }

    /// The same by file and name, for a test whose id is not known or was guessed wrongly.
    fn is_by_name(&self, test: &TestCase<'_>, has_name: HasName) -> bool {
        if self.name.is_empty() && self.file.is_none() {
            return false;
        }
        let in_file = match (self.file.as_deref(), test.file) {
            (Some(wanted), Some(file)) => wanted == file,
            (Some(wanted), None) => names::may_be_in(test.id, wanted),
            (None, _) => true,
        };
        in_file && (self.name.is_empty() || has_name(test.id, &self.path, &self.name))
    }

    /// The ids of the tests in a report that are this one or its variants: by the surest sign that there is.
    pub fn found_in<'r>(&self, report: &'r Report) -> Vec<&'r str> {
        let ids = |is_it: &dyn Fn(&TestCase<'_>) -> bool| -> Option<Vec<&'r str>> {
            let tests = report.tests.iter().filter(|test| is_it(test));
            let ids: Vec<&'r str> = tests.map(|test| test.id).collect();
            (!ids.is_empty()).then_some(ids)
        };
        ids(&|test| self.is_by_id(test))
            .or_else(|| ids(&|test| self.is_by_name(test, names::has_name)))
            .or_else(|| ids(&|test| self.is_by_name(test, names::has_name_within)))
            .unwrap_or_default()
    }

    /// Its file, also where only the id tells.
    fn file_below(&self, dir: &Path) -> Option<String> {
        if self.file.is_some() {
            return self.file.clone();
        }
        let heads = [" > ", "::"].map(|between| self.id.split_once(between));
        let mut heads = heads.into_iter().flatten().map(|(head, _)| head);
        heads
            .find(|head| !head.is_empty() && dir.join(head).is_file())
            .map(str::to_owned)
    }
}

impl Selection {
    /// The ids of the wanted tests that are in a report.
    pub fn found_in<'r>(&self, report: &'r Report) -> BTreeSet<&'r str> {
        let found = self.tests.iter().flat_map(|one| one.found_in(report));
        found.collect()
    }

    /// Whether what could not be loaded concerns a wanted test.
    fn concerns(&self, dir: &Path, what: &str) -> bool {
        let file = what.split(" > ").next().unwrap_or(what);
        let is_file = file.contains('.') && dir.join(file).is_file();
        !is_file
            || self.tests.iter().any(|one| {
                let own = one.file_below(dir);
                own.is_none_or(|own| own == file) || one.id.starts_with(file)
            })
    }
}

/// Whether runs of all these can be limited to some tests.
pub(crate) fn can_aim_at(found: &[Found]) -> bool {
    !found.is_empty()
        && found.iter().all(|one| {
            let runner = one.runner;
            one.reachable
                && (runner.takes_aim)(one)
                && one.option_among(runner.filters).is_none()
                // What only builds or names tests is no run of them.
                && one.option_among(runner.lists_only).is_none()
        })
}

/// A selection as the runners of one run are told of it.
#[derive(Debug)]
pub(crate) struct Aim<'a> {
    pub(crate) selection: &'a Selection,
    /// The folder of the project, without links.
    pub(crate) dir: PathBuf,
}

impl<'a> Aim<'a> {
    pub(crate) fn new(selection: &'a Selection, dir: &Path) -> Aim<'a> {
        Aim {
            selection,
            dir: dir.canonicalize().unwrap_or_else(|_| dir.to_owned()),
        }
    }

    /// What the reporters read: the wanted tests, their files, and a pattern of their full titles.
    pub(crate) fn document(&self) -> String {
        let tests: Vec<_> = (self.selection.tests.iter())
            .map(|one| {
                json!({
                    "id": names::without_number(&one.id),
                    "file": one.file_below(&self.dir).map(|file| self.absolute(&file)),
                    "name": one.name,
                    "path": one.path,
                })
            })
            .collect();
        let files = self.files();
        let document = json!({
            "root": self.dir.to_string_lossy(),
            "files": files,
            "pattern": self.title_pattern(),
            "tests": tests,
        });
        document.to_string()
    }

    fn absolute(&self, file: &str) -> String {
        let path = self.dir.join(file);
        let path = path.canonicalize().unwrap_or(path);
        path.to_string_lossy().into_owned()
    }

    /// The files of the wanted tests; none if one of them is not known.
    pub(crate) fn files(&self) -> Option<Vec<String>> {
        let mut files = Vec::new();
        for one in &self.selection.tests {
            let file = self.absolute(&one.file_below(&self.dir)?);
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Some(files)
    }

    /// A pattern for the titles of the wanted tests, each joined with those of its suites by blanks; none if
    /// all tests of some file are wanted.
    pub(crate) fn title_pattern(&self) -> Option<String> {
        let one = |wanted: &Wanted| names::title_pattern(&wanted.id, &wanted.path, &wanted.name);
        let patterns: Option<Vec<String>> = self.selection.tests.iter().map(one).collect();
        Some(format!("^(?:{})$", patterns?.join("|")))
    }

    /// The same for a runner that knows of outermost tests only.
    pub(crate) fn outer_title_pattern(&self) -> Option<String> {
        let outer = |one: &Wanted| {
            let title = one.id.split(" > ").nth(1).map(names::without_number);
            let title = title
                .or(one.path.first().map(String::as_str))
                .unwrap_or(&one.name);
            let pattern = names::template(title).unwrap_or_else(|| names::escaped(title));
            (!title.is_empty()).then_some(pattern)
        };
        let patterns: Option<Vec<String>> = self.selection.tests.iter().map(outer).collect();
        Some(format!("^(?:{})$", patterns?.join("|")))
    }

    /// The same as an extended regular expression of POSIX.
    pub(crate) fn posix_title_pattern(&self) -> Option<String> {
        let pattern = self.outer_title_pattern()?;
        Some(pattern.replace("(?:", "(").replace(r"\/", "/"))
    }

    /// The same for a runner whose ids are names; CMake knows only plain groups.
    pub(crate) fn name_pattern(&self) -> Option<String> {
        let name = |one: &Wanted| {
            if !one.id.is_empty() {
                return Some(names::escaped(names::without_number(&one.id)));
            }
            let mut words: Vec<&str> = one.path.iter().map(String::as_str).collect();
            words.push(&one.name);
            let words = names::escaped(&words.join("."));
            (!one.name.is_empty()).then(|| format!("(.*[./])?{words}(/.*)?"))
        };
        let patterns: Option<Vec<String>> = self.selection.tests.iter().map(name).collect();
        Some(format!("^({})$", patterns?.join("|")))
    }
}

/// Leaves what the selection wants of a report; `false`, and nothing is changed, if the run was not limited
/// to it after all. Tests in the same files that a filter by name let through are dropped.
pub(crate) fn limit(selection: &Selection, dir: &Path, report: &mut Report) -> bool {
    use crate::rules::verdict::TestStatus;
    let files: Vec<Option<String>> = (selection.tests.iter())
        .map(|one| one.file_below(dir))
        .collect();
    let in_wanted_file = |test: &TestCase<'_>| {
        files.iter().any(|file| match (file.as_deref(), test.file) {
            (Some(file), Some(own)) => file == own,
            (Some(file), None) => names::may_be_in(test.id, file),
            (None, _) => true,
        })
    };
    let wanted = selection.found_in(report);
    let unit = |id: &str| id.split(" > ").next().unwrap_or_default().to_owned();
    let units: BTreeSet<String> = wanted.iter().map(|id| unit(id)).collect();
    let is_astray = |test: &TestCase<'_>| {
        test.status != TestStatus::Skipped
            && !wanted.contains(test.id)
            && !in_wanted_file(test)
            && !units.contains(&unit(test.id))
    };
    if report.tests.iter().any(|test| is_astray(&test)) {
        return false;
    }
    let tests = report.tests.iter().filter(|test| wanted.contains(test.id));
    let tests = tests.collect();
    report.tests = tests;
    let load_errors = std::mem::take(&mut report.load_errors);
    report.load_errors = (load_errors.into_iter())
        .filter(|error| selection.concerns(dir, &error.what))
        .collect();
    report.unnamed_passed = 0;
    true
}

#[cfg(test)]
mod tests;
