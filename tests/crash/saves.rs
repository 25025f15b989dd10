//! An editor saves at each moment of each kind of step: what it saved is not lost, and nothing is
//! committed that was not tested.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Stage;
use super::picture::{Contents, blob_of};
use super::scenarios::SCENARIOS;
use crate::support::programs::are_thorough;
use crate::support::{Ran, Repo};

/// How editors save.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// A new file takes the place of the old one.
    Replace,
    /// The old file is emptied and written again.
    Rewrite,
}

/// A file that was not there before.
const NEW: &str = "src/of an editor.sh";

/// Writes what identifies the files of the present folder, without one, to a file. The config is
/// the business of people, and in no commit.
fn fingerprint_without(name: &str, file: &Path) -> String {
    format!(
        "find . -path ./.git -prune -o -path ./.tcr.toml -prune -o -path './{name}' -prune -o -type f -print0 | sort -z \
         | xargs -0 sha1sum | sha1sum >> '{}'\n",
        file.display()
    )
}

/// What an editor has open: every file there was before the step, with one more line, and a new one.
struct Editor {
    folder: PathBuf,
    paths: Vec<String>,
}

impl Editor {
    fn open(repo: &Repo) -> Editor {
        let folder = repo.around().join("editor");
        let listed = repo.git(&["ls-files", "-z", "--cached", "--others"]);
        let mut paths: BTreeSet<&str> = listed.split_terminator('\0').collect();
        // Another config is another matter.
        paths.remove(".tcr.toml");
        paths.retain(|path| repo.path(path).is_file() && !repo.path(path).is_symlink());
        let mut paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
        paths.push(NEW.to_owned());
        let editor = Editor { folder, paths };
        for path in &editor.paths {
            let before = std::fs::read_to_string(repo.path(path)).unwrap_or_default();
            let buffer = editor.folder.join(path);
            std::fs::create_dir_all(buffer.parent().expect("a folder")).expect("folders");
            std::fs::write(&buffer, format!("{before}# saved {path}\n")).expect("a file");
            if let Ok(metadata) = repo.path(path).metadata() {
                std::fs::set_permissions(&buffer, metadata.permissions()).expect("its mode");
            }
        }
        editor
    }

    /// A program that saves all files.
    fn program(&self, repo: &Repo, way: Way) -> PathBuf {
        let save = |path: &String| {
            let (from, to) = (self.folder.join(path), repo.path(path));
            let folder = to.parent().expect("a folder").display().to_string();
            let (from, to) = (from.display(), to.display());
            let save = match way {
                Way::Replace => format!("cp -p '{from}' '{to}~' && mv '{to}~' '{to}'"),
                Way::Rewrite => format!("cat '{from}' > '{to}'"),
            };
            format!("mkdir -p '{folder}'\n{save}\n")
        };
        program(repo, &self.paths.iter().map(save).collect::<String>())
    }

    fn saved(&self) -> Contents {
        let buffers = self.paths.iter().map(|path| self.folder.join(path));
        Contents::new(buffers.map(|buffer| blob_of(&buffer)).collect())
    }
}

pub(super) fn program(repo: &Repo, script: &str) -> PathBuf {
    let file = repo.around().join("save");
    let mark = format!(": > '{}.called'", file.display());
    std::fs::write(&file, format!("#!/bin/sh\n{mark}\n{script}")).expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    file
}

/// Whether the program was called. Young files are looked at again, older ones are not: a moment
/// that comes by many times may come by less often than before.
pub(super) fn was_called(program: &Path, number: usize) -> bool {
    let called = program.with_extension("called").exists();
    assert!(called || number > 1, "{} never ran", program.display());
    called
}

impl Stage {
    /// Saves at one moment and checks everything.
    fn save_at(&self, moment: &str, number: usize, way: Way) {
        let what = format!("{}, {moment}#{number}, {way:?}", self.scenario.name);
        let repo = self.repo.copy();
        let editor = Editor::open(&repo);
        let tested = repo.around().join("tested");
        // A file that came while the tests ran counts as left behind by them, and stays out.
        let with_and_without = [".git", NEW].map(|name| fingerprint_without(name, &tested));
        repo.during_tests(&with_and_without.concat());
        let program = editor.program(&repo, way);
        let call = format!("call:{moment}#{number}={}", program.display());
        let steps: [&dyn Fn() -> Ran; 2] = [&|| self.act(&repo, &call), &|| repo.tcr(&["run"])];
        for step in steps {
            let ran = step();
            if !was_called(&program, number) {
                return;
            }
            let said = format!("{what}: {}{}", ran.stdout, ran.stderr);
            assert!(matches!(ran.status, 0..=2), "{said}");
            editor.saved().assert_there(&repo, &said);
            self.assert_tested(&repo, &tested, &said);
        }
        repo.assert_tidy(&what);
    }

    /// What is new on the WIP branch with a verdict has the very content that was tested, now or before.
    fn assert_tested(&self, repo: &Repo, tested: &Path, what: &str) {
        let tested = std::fs::read_to_string(tested).unwrap_or_default();
        let before = self.repo.git(&["log", "--format=%T", "--all"]);
        let made = repo.git(&["log", "--format=%H %T", "--branches=tcr/*"]);
        let made = made.lines().filter_map(|line| line.split_once(' '));
        for (commit, _) in made.filter(|(_, tree)| !before.contains(tree)) {
            let note = repo.try_git(&["notes", "--ref=tcr", "show", commit]).stdout;
            if note.contains("verdict: ") {
                let print = fingerprint(repo, commit);
                assert!(tested.contains(&print), "{what}: was not tested:\n{note}");
            }
        }
    }
}

/// What identifies the files of a commit.
fn fingerprint(repo: &Repo, commit: &str) -> String {
    let folder = repo.around().join(commit);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = repo.around().join(format!("print-{commit}"));
    let script = format!(
        "git archive {commit} | tar -x -C '{0}' --exclude=.tcr.toml && cd '{0}' && {1}",
        folder.display(),
        fingerprint_without(".git", &file)
    );
    let status = repo.command("sh").args(["-c", &script]).status();
    assert!(status.expect("sh runs").success());
    let print = std::fs::read_to_string(file).expect("a fingerprint");
    print.lines().next().expect("a line").to_owned()
}

/// Of moments that come by many times the first has to do, unless all are asked for.
fn save_at_all(name: &str, ways: &[Way], each_time: bool) {
    let stage = Stage::new(name);
    for way in ways {
        for (moment, number) in stage.moments() {
            if each_time || number == 1 {
                stage.save_at(&moment, number, *way);
            }
        }
    }
}

#[test]
fn at_every_single_moment() {
    if !are_thorough() {
        return;
    }
    for scenario in SCENARIOS {
        save_at_all(scenario.name, &[Way::Replace, Way::Rewrite], true);
    }
}

#[test]
fn during_a_commit() {
    save_at_all("a green commit", &[Way::Replace], false);
}

#[test]
fn during_a_revert() {
    save_at_all("a revert", &[Way::Replace], false);
}

#[test]
fn during_an_undo() {
    save_at_all("an undo", &[Way::Rewrite], false);
}

#[test]
fn during_the_decision_on_a_test() {
    save_at_all("an accepted test bug", &[Way::Rewrite], false);
}

/// It saves before the put-back takes its file away, and again before it gets it back.
#[test]
fn twice_around_one_step() {
    let stage = Stage::new("a revert");
    let files = ["src/a.sh", "src/add.sh"];
    for way in [Way::Replace, Way::Rewrite] {
        let repo = stage.repo.copy();
        let count = repo.around().join("count");
        let save = |path: &str| {
            let to = repo.path(path).display().to_string();
            match way {
                Way::Replace => format!("echo \"# $n\" > '{to}~'; mv '{to}~' '{to}'\n"),
                Way::Rewrite => format!("echo \"# $n\" > '{to}'\n"),
            }
        };
        let count_on = format!("echo >> '{0}'\nn=$(wc -l < '{0}')\n", count.display());
        let saves: String = files.iter().map(|path| save(path)).collect();
        let program = program(&repo, &(count_on + &saves));
        let moments = "path-prepared|path-set-aside|path-swapped";
        stage.act(&repo, &format!("call:{moments}#*={}", program.display()));
        let count = std::fs::read_to_string(count).expect("it was called");
        let last = format!("# {}\n", count.lines().count());
        for path in files {
            assert_eq!(repo.read(path), last, "{way:?}: {path}");
        }
        // What it saved first is not lost for those who look for it.
        let checks = repo.tcr(&["doctor", "--json"]).json()["checks"].clone();
        let checks = checks.as_array().expect("a list").iter();
        let named: Vec<String> = checks
            .filter_map(|check| check["mend"].as_str()?.split_once("`rm "))
            .map(|(_, file)| file.trim_end_matches('`').to_owned())
            .collect();
        assert!(!named.is_empty(), "{way:?}");
        for file in named {
            let first = std::fs::read_to_string(&file).expect("it is there");
            assert!(first.starts_with("# ") && first != last, "{file}: {first}");
            assert!(file.ends_with(".sh.1"), "{file}");
        }
    }
}
