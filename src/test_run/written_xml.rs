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
/// build that fails, and must not be believed. Only where Gradle says in its output that a task which
/// passed before would say the same again, what it wrote then still holds.
pub(super) fn reports(
    runner: Runner,
    root: &Path,
    started: SystemTime,
    output: &str,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if matches!(runner, Runner::Surefire | Runner::Gradle) {
        let kept = match runner {
            Runner::Gradle => up_to_date(output),
            _ => Vec::new(),
        };
        let is_wanted = |path: &Path, written: SystemTime| {
            is_report(runner, path)
                && (written >= started || kept.iter().any(|task| task.wrote(root, path)))
        };
        collect(root, &is_wanted, DEPTH, &mut found);
        found.sort();
    }
    found
}

/// A task of Gradle that had nothing to do.
struct Task<'a> {
    /// The names of the project and those it is in.
    projects: Vec<&'a str>,
    name: &'a str,
}

impl Task<'_> {
    fn wrote(&self, root: &Path, path: &Path) -> bool {
        let inside = path.strip_prefix(root).unwrap_or(path);
        let mut names = inside.iter().filter_map(|name| name.to_str());
        self.projects
            .iter()
            .all(|project| names.any(|name| name == *project))
            // In the project's folder for what is built.
            && names.nth(1) == Some("test-results")
            && names.next() == Some(self.name)
    }
}

/// `> Task :lib:test UP-TO-DATE`, before Gradle 4.7 without the first words.
fn up_to_date(output: &str) -> Vec<Task<'_>> {
    if !output.contains("\nBUILD SUCCESSFUL") {
        return Vec::new();
    }
    let task = |line| {
        let line: &str = str::strip_prefix(line, "> Task ").unwrap_or(line);
        let path = ["UP-TO-DATE", "FROM-CACHE"]
            .iter()
            .find_map(|word| line.trim_end().strip_suffix(word))?;
        let mut projects: Vec<&str> = path.trim_end().strip_prefix(':')?.split(':').collect();
        let name = projects.pop()?;
        Some(Task { projects, name })
    };
    output.lines().filter_map(task).collect()
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

fn is_report(runner: Runner, path: &Path) -> bool {
    let mut folders = path
        .parent()
        .into_iter()
        .flat_map(Path::iter)
        .filter_map(|name| name.to_str());
    match runner {
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
            reports(runner, dir.path(), started, "")
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

    #[test]
    fn what_gradle_need_not_run_again_still_holds() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for path in [
            "build/test-results/test/TEST-a.xml",
            "build/test-results/other/TEST-b.xml",
            "lib/build/test-results/test/TEST-c.xml",
            "app/build/test-results/test/TEST-d.xml",
        ] {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a new folder");
            fs::write(path, "").expect("a new file");
        }
        let later = SystemTime::now() + Duration::from_secs(60);
        let names = |output: &str| -> Vec<String> {
            reports(Runner::Gradle, dir.path(), later, output)
                .iter()
                .map(|path| path.to_string_lossy().into_owned())
                .map(|path| path[path.len() - 5..path.len() - 4].to_owned())
                .collect()
        };
        let ended = "\nBUILD SUCCESSFUL in 1s\n";
        assert_eq!(
            names(&format!("> Task :lib:test UP-TO-DATE\n{ended}")),
            ["c"]
        );
        assert_eq!(names(&format!(":lib:test FROM-CACHE\n{ended}")), ["c"]);
        assert_eq!(names(&format!(":lib:test\n{ended}")), Vec::<String>::new());
        assert_eq!(
            names("> Task :lib:test UP-TO-DATE\n\nBUILD FAILED in 1s\n"),
            Vec::<String>::new()
        );
        let root = names(&format!("> Task :test UP-TO-DATE\n{ended}"));
        assert_eq!(root, ["a"]);
    }
}
