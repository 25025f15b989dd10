//! Reports that build tools and projects write by themselves, as far as this run wrote them.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Written;
use super::formats::{self, Format, junit};
use crate::rules::verdict::Report;

/// How far the clock of a file system may be behind ours.
const TICK: Duration = Duration::from_millis(20);

/// How far below a project its modules are looked for.
const DEPTH: usize = 8;

/// Folders that hold no module of a project.
const SKIPPED: [&str; 6] = [".git", "node_modules", ".gradle", ".idea", "src", ".venv"];

/// The files below the root that `is_wanted`, by their path and whether they are not older than the run:
/// those of an earlier run survive a build that fails, and must not be believed.
pub(super) fn find(of: &Written<'_>, is_wanted: &dyn Fn(&Path, bool) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let is_wanted = |path: &Path, time: SystemTime| is_wanted(path, is_since(time, of.started));
    collect(of.root, &is_wanted, DEPTH, &mut found);
    found.sort();
    found
}

/// All JUnit XML that a run wrote somewhere in a project, where nothing else is known of it.
pub(crate) fn any(root: &Path, started: SystemTime) -> Option<Report> {
    let of = Written {
        root,
        started,
        output: "",
    };
    let read = |path: PathBuf| {
        let file = File::open(path).ok()?;
        let report = junit::read(&mut BufReader::new(file)).ok()?;
        Some((&junit::XML, Ok(report)))
    };
    let found = find(&of, &|_, is_new| is_new).into_iter();
    formats::combine(found.filter_map(read).collect(), &[], "", false)
}

/// Whether a run that began then wrote a file.
pub(crate) fn is_of_run(path: &Path, started: SystemTime) -> bool {
    let written = fs::metadata(path).and_then(|metadata| metadata.modified());
    written.is_ok_and(|written| is_since(written, started))
}

/// The format of a report, by what it begins with.
pub(crate) fn format_of(path: &Path) -> &'static Format {
    const BEGINNING: u64 = 64 * 1024;
    let mut beginning = Vec::new();
    // What can't be read is found out where all of it is read.
    drop(File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning)));
    formats::format_of_file(&beginning)
}

/// Whether a file of this time is not older than what began then; some file systems know only seconds.
fn is_since(time: SystemTime, began: SystemTime) -> bool {
    let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (time, began) = (since(time), since(began));
    time + TICK >= began || (time.subsec_nanos() == 0 && time.as_secs() == began.as_secs())
}

fn collect(
    folder: &Path,
    is_wanted: &dyn Fn(&Path, SystemTime) -> bool,
    depth: usize,
    found: &mut Vec<PathBuf>,
) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder {
            let is_xml = path.extension().is_some_and(|extension| extension == "xml");
            let written = || entry.metadata().and_then(|metadata| metadata.modified());
            if is_xml && written().is_ok_and(|written| is_wanted(&path, written)) {
                found.push(path);
            }
        } else if depth > 0 && !SKIPPED.iter().any(|name| entry.file_name() == *name) {
            collect(&path, is_wanted, depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::named;
    use super::*;

    #[test]
    fn only_reports_of_this_run_are_found() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let now = SystemTime::now();
        let old = now - Duration::from_secs(60);
        for (path, time) in [
            ("target/surefire-reports/TEST-a.xml", now),
            ("target/surefire-reports/TEST-old.xml", old),
            ("target/surefire-reports/a.txt", now),
            ("module/target/failsafe-reports/TEST-b.xml", now),
            ("src/surefire-reports/TEST-c.xml", now),
            ("build/test-results/test/TEST-d.xml", now),
            ("build/test-results/test/binary/x.bin", now),
            ("other/TEST-e.xml", now),
        ] {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a new folder");
            let file = fs::File::create(&path).expect("a new file");
            file.set_modified(time).expect("our own file");
        }
        let started = now - Duration::from_secs(1);
        let names = |runner| -> Vec<String> {
            let of = Written {
                root: dir.path(),
                started,
                output: "",
            };
            let runner = named(runner).expect("it is on the shelf");
            (runner.written)(&of)
                .iter()
                .map(|path| {
                    path.file_name()
                        .expect("a name")
                        .to_string_lossy()
                        .into_owned()
                })
                .collect()
        };
        assert_eq!(names("Surefire"), ["TEST-b.xml", "TEST-a.xml"]);
        assert_eq!(names("Gradle"), ["TEST-d.xml"]);
        assert_eq!(names("pytest"), Vec::<String>::new());
    }
}
