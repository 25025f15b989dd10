//! JUnit XML that build tools write by themselves, as far as this run wrote it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::report::Runner;

/// How far below a project its modules are looked for.
const DEPTH: usize = 8;

/// Folders that hold no module of a project.
const SKIPPED: [&str; 6] = [".git", "node_modules", ".gradle", ".idea", "src", ".venv"];

/// The reports below `root` that are not older than `started`: those of an earlier run survive a
/// build that fails, and must not be believed.
pub(super) fn reports(runner: Runner, root: &Path, started: SystemTime) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if matches!(runner, Runner::Surefire | Runner::Gradle) {
        collect(runner, root, started, DEPTH, &mut found);
        found.sort();
    }
    found
}

fn collect(
    runner: Runner,
    folder: &Path,
    started: SystemTime,
    depth: usize,
    found: &mut Vec<PathBuf>,
) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder {
            let is_fresh = || {
                let written = entry.metadata().and_then(|metadata| metadata.modified());
                written.is_ok_and(|written| written >= started)
            };
            if is_report(runner, &path) && is_fresh() {
                found.push(path);
            }
        } else if depth > 0 && !SKIPPED.iter().any(|name| entry.file_name() == *name) {
            collect(runner, &path, started, depth - 1, found);
        }
    }
}

fn is_report(runner: Runner, path: &Path) -> bool {
    let is_xml = path.extension().is_some_and(|extension| extension == "xml");
    let mut folders = path
        .parent()
        .into_iter()
        .flat_map(Path::iter)
        .filter_map(|name| name.to_str());
    is_xml
        && match runner {
            Runner::Surefire => path.parent().is_some_and(|folder| {
                folder.ends_with("surefire-reports") || folder.ends_with("failsafe-reports")
            }),
            Runner::Gradle => folders.any(|name| name == "test-results"),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
            reports(runner, dir.path(), started)
                .iter()
                .map(|path| {
                    path.file_name()
                        .expect("a name")
                        .to_string_lossy()
                        .into_owned()
                })
                .collect()
        };
        assert_eq!(names(Runner::Surefire), ["TEST-b.xml", "TEST-a.xml"]);
        assert_eq!(names(Runner::Gradle), ["TEST-d.xml"]);
        assert_eq!(names(Runner::Pytest), Vec::<String>::new());
    }
}
