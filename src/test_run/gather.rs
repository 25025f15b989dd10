//! All that a run left behind, as one report.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::rules::verdict::{Report, TestCase};

use super::output::Text;
use super::{inject, prefixes};
use crate::runners::command::Found;
use crate::runners::formats::{self, Reading, junit};
use crate::runners::{Runner, Sources, Written, written};

/// What was read of a run.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The results of all runners; none if nothing could be read.
    pub(super) report: Option<Report>,
    /// The runners whose results these are.
    pub(super) runners: Vec<&'static Runner>,
    /// A runner that must have run, and of which there is no result.
    pub(super) silent: Option<Silent>,
}

/// A runner that left nothing.
#[derive(Debug)]
pub(super) struct Silent {
    pub(super) program: String,
    /// Whether it would have left something, had it come to its end.
    pub(super) was_asked: bool,
}

impl Gathered {
    /// Names the first runner that must have run and left nothing. If the output showed only runners
    /// that nobody had recognised, the guess was wrong.
    pub(super) fn with_silent(
        mut self,
        found: &[Found],
        was_asked: &dyn Fn(&Runner) -> bool,
    ) -> Gathered {
        let is_read = |found: &Found| self.runners.contains(&found.runner);
        if self.runners.is_empty() || found.iter().any(is_read) {
            self.silent = found
                .iter()
                .filter(|found| found.sure && !is_read(found))
                .map(|found| Silent {
                    program: found.words.first().cloned().unwrap_or_default(),
                    was_asked: was_asked(found.runner),
                })
                .max_by_key(|silent| silent.was_asked);
        }
        self
    }
}

/// Where a run left what there is to read.
pub(super) struct Left<'a> {
    /// The folder of the project.
    pub(super) dir: &'a Path,
    /// When the run began.
    pub(super) started: SystemTime,
    /// The file of results that the config names.
    pub(super) named: Option<&'a str>,
    /// What was printed.
    pub(super) output: &'a Text,
}

/// Reads what the runners in `found` left: their reports, or what they printed.
pub(super) fn gather(
    left: &Left<'_>,
    found: &[Found],
    mut readings: BTreeMap<&'static Runner, Vec<Reading>>,
) -> Gathered {
    let Left {
        dir,
        started,
        output,
        ..
    } = *left;
    if let Some(named) = left.named {
        return finished(dir, found, of_named(left, named, found));
    }
    for one in found {
        let root = dir.join(&one.dir);
        let written = (one.runner.written)(&Written {
            root: &root,
            started,
            output: &output.text,
        });
        if !written.is_empty() && !readings.contains_key(one.runner) {
            let read = |path: &PathBuf| inject::read_file(&junit::XML, path, Path::new(""));
            readings.insert(one.runner, written.iter().filter_map(read).collect());
        }
    }
    // With a gap in it, tests would seem to have vanished.
    let text = if output.complete {
        prefixes::by_package(&output.text, found)
    } else {
        Cow::Borrowed("")
    };
    let text = text.as_ref();
    let mut gathered = Gathered::default();
    let mut reports = Vec::new();
    let expected = found.iter().map(|found| found.runner);
    let unexpected = readings.keys().copied().collect::<Vec<_>>();
    for runner in expected.chain(unexpected) {
        if gathered.runners.contains(&runner) {
            continue;
        }
        let files = readings.remove(runner).unwrap_or_default();
        let rooted = (runner.rooted)(dir, found, text);
        let text = rooted.as_deref().unwrap_or(text);
        if let Some(report) = formats::combine(files, &[runner], text, false) {
            reports.push(report);
            gathered.runners.push(runner);
        }
    }
    if reports.is_empty() {
        reports.extend(written::any(dir, started));
    }
    if reports.is_empty() && !text.trim_ascii().is_empty() {
        for runner in formats::sniff_text(text) {
            if let Some(report) = formats::read_text(runner, text) {
                reports.push(report);
                gathered.runners.push(runner);
            }
        }
    }
    gathered.report = merge(reports);
    finished(dir, found, gathered)
}

/// What the file says that the config names, and what the runners print that such files leave out. It speaks
/// for the whole command; one that this run did not write says that the command did not come to its end.
fn of_named(left: &Left<'_>, named: &str, found: &[Found]) -> Gathered {
    let mut runners: Vec<&'static Runner> = found.iter().map(|found| found.runner).collect();
    runners.dedup();
    let path = left.dir.join(named);
    let reading = written::is_of_run(&path, left.started)
        .then(|| inject::read_file(written::format_of(&path), &path, Path::new("")))
        .flatten();
    let text = if left.output.complete {
        &left.output.text
    } else {
        ""
    };
    match reading {
        Some(reading) => Gathered {
            report: formats::combine(vec![reading], &runners, text, false),
            runners,
            silent: None,
        },
        None => Gathered {
            silent: Some(Silent {
                program: named.to_owned(),
                was_asked: true,
            }),
            ..Gathered::default()
        },
    }
}

/// Puts files and causes right that a report alone can't tell.
fn finished(dir: &Path, found: &[Found], mut gathered: Gathered) -> Gathered {
    let folders = folders_of(found);
    let report = gathered.report.take();
    gathered.report = report.map(|report| settled(dir, &folders, report, &gathered.runners));
    if let Some(report) = &mut gathered.report {
        find_files(dir, &folders, report);
        let root = dir.to_string_lossy();
        formats::settle_load_errors(report, &root, &|file| is_file(dir, file));
    }
    gathered
}

fn merge(mut reports: Vec<Report>) -> Option<Report> {
    match reports.len() {
        0 | 1 => reports.pop(),
        // Formats and output have been dealt with runner by runner.
        _ => {
            let reports = reports.into_iter().map(|report| (&junit::XML, Ok(report)));
            formats::combine(reports.collect(), &[], "", false)
        }
    }
}

/// Names files as seen from the project, and looks into the source where a runner can't tell causes.
fn settled(dir: &Path, folders: &[&Path], mut report: Report, runners: &[&Runner]) -> Report {
    for root in [Some(dir.to_owned()), dir.canonicalize().ok()]
        .into_iter()
        .flatten()
    {
        formats::relative_to(&mut report, &root.to_string_lossy());
    }
    let sources = Sources {
        dir,
        text: &|file| {
            source_text(dir, file).or_else(|| source_text(dir, &found_below(dir, folders, file)?))
        },
    };
    for runner in runners {
        (runner.settle)(&mut report, &sources);
    }
    report
}

/// The folders below the project's own that runners were started in.
fn folders_of(found: &[Found]) -> Vec<&Path> {
    (found.iter().map(|one| one.dir.as_path()))
        .filter(|folder| !folder.as_os_str().is_empty())
        .collect()
}

/// Names files as seen from the project that a runner named as seen from the folder it was started in.
fn find_files(dir: &Path, folders: &[&Path], report: &mut Report) {
    if folders.is_empty() {
        return;
    }
    let mut known: HashMap<String, Option<String>> = HashMap::new();
    let tests = std::mem::take(&mut report.tests);
    for test in tests.iter() {
        let place = test.file.map(|file| {
            let search = || found_below(dir, folders, file);
            &*known.entry(file.to_owned()).or_insert_with(search)
        });
        let file = place.and_then(Option::as_deref).or(test.file);
        report.tests.push(TestCase { file, ..test });
    }
}

fn found_below(dir: &Path, folders: &[&Path], file: &str) -> Option<String> {
    if dir.join(file).exists() {
        return None;
    }
    let mut places = folders.iter().map(|folder| folder.join(file));
    let place = places.find(|place| dir.join(place).exists())?;
    Some(place.to_string_lossy().into_owned())
}

/// Whether a path is that of a file of the project.
pub(super) fn is_file(dir: &Path, file: &str) -> bool {
    !Path::new(file).is_absolute() && dir.join(file).is_file()
}

fn source_text(dir: &Path, file: &str) -> Option<String> {
    fs::read_to_string(dir.join(file)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verdict::TestStatus;
    use crate::rules::verdict::Tests;
    use crate::runners::named;

    #[test]
    fn files_are_found_below_the_folder_that_a_runner_was_started_in() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in ["web/spec/a_spec.rb", "web/both.rb", "both.rb"] {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a new folder");
            fs::write(path, "").expect("a new file");
        }
        let found = Found {
            dir: "web".into(),
            ..Found::of(named("RSpec").expect("it is on the shelf"))
        };
        let named = ["spec/a_spec.rb", "both.rb", "nowhere.rb"];
        let test = |file| TestCase {
            id: file,
            file: Some(file),
            status: TestStatus::Passed,
            inconclusive: false,
            message: "",
        };
        let mut report = Report {
            tests: Tests::from_iter(named.map(test)),
            ..Report::default()
        };
        find_files(dir.path(), &folders_of(&[found]), &mut report);
        let files: Vec<_> = report.tests.iter().filter_map(|test| test.file).collect();
        assert_eq!(files, ["web/spec/a_spec.rb", "both.rb", "nowhere.rb"]);
    }
}
