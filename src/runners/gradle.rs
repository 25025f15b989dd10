//! Gradle: its text, and the JUnit XML that it writes unasked.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::command::Sign;
use super::formats::collect::{Collector, Told};
use super::formats::{cause, text};
use super::project::Offer;
use super::surefire::{language, wrapped};
use super::{Runner, Written, written};
use crate::rules::verdict::Cause;

pub(super) static RUNNER: Runner = Runner {
    sign: |look| {
        let mut tasks = (look.call.arguments.iter())
            .filter(|word| !word.starts_with('-'))
            .filter_map(|word| word.rsplit(':').next());
        let runs_tests = tasks
            .any(|task| ["check", "build"].contains(&task) || task.to_lowercase().contains("test"));
        Sign::sure_if(look.is(&["gradle", "gradlew"]) && runs_tests)
    },
    lists_only: &["-m", "--dry-run"],
    tells_unasked: true,
    written: reports,
    read_text,
    telling: &[r"^BUILD (?:SUCCESSFUL|FAILED) in "],
    detect: |place, out| {
        const FILES: [&str; 4] = [
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
        ];
        if let Some(file) = place.first(&FILES) {
            let command = wrapped(place, "gradlew", "gradle");
            out.push(Offer::by_default(language(place), command, file));
        }
    },
    caches: &[".gradle"],
    no_daemon: Some((
        "GRADLE_OPTS",
        "-Dorg.gradle.daemon=false -Dkotlin.compiler.execution.strategy=in-process",
    )),
    known_by: "`gradle test`, `./gradlew check` and other tasks with `test` in their name",
    asked: "not asked: it writes JUnit XML",
    tried: Some("4.4"),
    ..Runner::named("Gradle")
};

/// Those of this run. Only where Gradle says in its output that a task which passed before would say the
/// same again, what it wrote then still holds.
fn reports(of: &Written<'_>) -> Vec<PathBuf> {
    let kept = up_to_date(of.output);
    written::find(of, &|path, is_new| {
        let is_report = path.iter().any(|name| name == "test-results");
        is_report && (is_new || kept.iter().any(|task| task.wrote(of.root, path)))
    })
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

/// Reads Gradle's text, which names failed tests only.
fn read_text(output: &str) -> Option<Told> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| text::regex(r"^(\S+) > (.+) FAILED$"));
    static JAVAC: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"^(?::\w+)*(/.+?\.\w+):(\d+: error: .+)$"));
    static COUNTS: LazyLock<Regex> =
        LazyLock::new(|| text::regex(r"(?m)^(\d+) tests? completed, (\d+) failed"));
    let ended = output.contains("\nBUILD SUCCESSFUL in ") || output.contains("\nBUILD FAILED in ");
    if !ended {
        return None;
    }
    let mut collector = Collector::default();
    if output.contains("Compilation failed; see the compiler ")
        || output.contains("Compilation error. See log")
    {
        let mut lines = output.lines();
        let line = lines.find(|line| line.contains(": error: ") || line.starts_with("e: "));
        let line = line.unwrap_or_default();
        // Old versions of Gradle leave the name of the task in front of it.
        match JAVAC.captures(line) {
            Some(found) => collector.load_error(found[1].to_owned(), &found[2]),
            None => collector.load_error("", line),
        }
    }
    let mut failed = 0;
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(found) = FAILED.captures(line) else {
            continue;
        };
        let mut message = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
            message.push_str(line.trim());
            message.push('\n');
        }
        failed += 1;
        let id = format!("{} > {}", &found[1], &found[2]);
        let message = message
            .split_once(" at ")
            .map_or(message.clone(), |(raised, _)| raised.to_owned());
        collector.test(&id, None, cause::of_text(&message, Cause::Error), &message);
    }
    // Gradle counts tests only when one failed.
    if let Some(counts) = COUNTS.captures(output) {
        let count = |at: usize| counts[at].parse::<usize>().unwrap_or(0);
        if count(2) > failed {
            collector.miscounts("Gradle");
        }
        collector.unnamed_passed(count(1).saturating_sub(count(2)));
    } else if !collector.has_load_errors() {
        return None;
    }
    collector.ended(ended);
    Some(collector.finish_text())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn code_that_does_not_compile_is_named_whatever_gradle_prints_before_it() {
        for task in ["", ":compileTestJava", ":lib:compileJava"] {
            let text = format!(
                "{task}/p/src/A.java:5: error: cannot find symbol\n  symbol: x\n\n\
                 > Compilation failed; see the compiler error output for details.\n\nBUILD FAILED in 1s\n"
            );
            let report = read_text(&text).and_then(Told::alone).expect("its output");
            let error = &report.load_errors[0];
            assert_eq!(error.what, "/p/src/A.java");
            assert_eq!(error.message, "5: error: cannot find symbol");
        }
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
            let of = Written {
                root: dir.path(),
                started: later,
                output,
            };
            reports(&of)
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
