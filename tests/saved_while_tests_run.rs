//! Somebody saves while the tests run: what is committed was tested, and nothing that was saved is
//! taken for something that the tests left behind.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT, WRONG};

/// A person beside the tests: saves when a run begins, and when it ends.
struct Saver<'a> {
    repo: &'a Repo,
    runs: usize,
    began: &'a (dyn Fn(usize) + Sync),
    ended: &'a (dyn Fn(usize) + Sync),
}

fn nothing(_: usize) {}

impl Saver<'_> {
    /// `git tcr run --json`, with the saves in its first runs of the tests.
    fn run(&self) -> serde_json::Value {
        let home = self.repo.around().join("home");
        let say = |what: &str| {
            format!(
                "n=$(ls \"$HOME\" | grep -c '^{what}-'); if [ \"$n\" -lt {} ]; then \
                 : > \"$HOME/{what}-$n\"; until [ -e \"$HOME/went-on-{what}-$n\" ]; do sleep 0.01; done; fi",
                self.runs
            )
        };
        std::fs::write(home.join("at-end"), say("ended")).expect("a file");
        let at_end = "trap '. \"$HOME/at-end\"' EXIT";
        self.repo
            .during_tests(&format!("{at_end}\n{}\n", say("began")));
        let over = std::sync::atomic::AtomicBool::new(false);
        let is_over = || over.load(std::sync::atomic::Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..self.runs {
                    for (what, save) in [("began", self.began), ("ended", self.ended)] {
                        if !wait_for(&home.join(format!("{what}-{number}")), &is_over) {
                            return;
                        }
                        save(number);
                        std::fs::write(home.join(format!("went-on-{what}-{number}")), "")
                            .expect("a file");
                    }
                }
            });
            let ran = self.repo.tcr(&["run", "--json"]);
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            ran.json()
        })
    }
}

fn wait_for(file: &Path, is_over: &dyn Fn() -> bool) -> bool {
    let start = Instant::now();
    while !file.exists() {
        if is_over() {
            return false;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{file:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// As editors save: into the file, or a new one in its place.
fn save(repo: &Repo, renames: bool, path: &str, content: &str) {
    match renames {
        false => repo.write(path, content),
        true => {
            let beside = format!("../save-{}", path.replace('/', "-"));
            repo.write(
                path,
                &std::fs::read_to_string(repo.path(path)).unwrap_or_default(),
            );
            repo.write(&beside, content);
            std::fs::rename(repo.path(&beside), repo.path(path)).expect("it moves");
        }
    }
}

const NEW: [&str; 4] = ["src/sub.sh", "tests/more.t", "data.txt", "NOTES.md"];

#[test]
fn a_new_file_saved_once_is_work() {
    for path in NEW {
        let repo = Repo::in_green();
        repo.write("src/add.sh", RIGHT);
        let saver = Saver {
            repo: &repo,
            runs: 1,
            began: &|_| repo.write(path, "true\n"),
            ended: &nothing,
        };
        let ran = saver.run();
        assert_eq!(ran["why"], "green", "{path}: {ran}");
        assert_eq!(ran["left_out"], json!([]), "{path}: {ran}");
        assert_eq!(repo.show(&format!("HEAD:{path}")), "true", "{path}");
    }
}

#[test]
fn a_new_file_saved_in_every_try_is_work() {
    for path in NEW {
        for renames in [false, true] {
            let what = format!("{path} {renames}");
            let repo = Repo::in_green();
            repo.write("src/add.sh", RIGHT);
            let head = repo.commit("HEAD");
            let saver = Saver {
                repo: &repo,
                runs: 6,
                began: &|number| save(&repo, renames, path, &format!("true # {number}\n")),
                ended: &nothing,
            };
            let ran = saver.run();
            assert_eq!(ran["left_out"], json!([]), "{what}: {ran}");
            assert_eq!(repo.commit("HEAD"), head, "{what}: {ran}");
            repo.during_tests("");
            let ran = repo.run_json();
            assert_eq!(ran["why"], "green", "{what}: {ran}");
            assert!(
                repo.show(&format!("HEAD:{path}")).starts_with("true #"),
                "{what}"
            );
            assert_eq!(repo.porcelain(), "", "{what}");
        }
    }
}

/// One new file in each try, each of another name.
#[test]
fn another_new_file_in_every_try_is_never_part_of_what_passes() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", WRONG);
    let saver = Saver {
        repo: &repo,
        runs: 6,
        began: &|number| {
            repo.write(&format!("src/z{number}.sh"), RIGHT);
        },
        ended: &|number| {
            repo.write(&format!("src/z{number}.sh"), WRONG);
        },
    };
    let head = repo.commit("HEAD");
    let ran = saver.run();
    assert_eq!(repo.commit("HEAD"), head, "{ran}");
}

#[test]
fn what_is_saved_and_saved_back_is_seen() {
    for renames in [false, true] {
        let repo = Repo::in_green();
        repo.write("src/add.sh", WRONG);
        let head = repo.commit("HEAD");
        let saver = Saver {
            repo: &repo,
            runs: 9,
            began: &|_| save(&repo, renames, "src/add.sh", RIGHT),
            ended: &|_| save(&repo, renames, "src/add.sh", WRONG),
        };
        let ran = saver.run();
        assert_eq!(repo.commit("HEAD"), head, "{renames}: {ran}");
        assert_eq!(repo.read("src/add.sh"), WRONG, "{renames}: {ran}");
    }
}

/// The index knows the new time of a file by the end: `git status` was run beside.
#[test]
fn what_is_saved_back_to_what_is_committed_is_seen() {
    for status in [false, true] {
        let repo = Repo::new()
            .with("src/add.sh", WRONG)
            .committed()
            .installed();
        repo.write("tests/add.t", ASKS);
        assert_eq!(repo.run_json()["why"], "red");
        let old = std::time::SystemTime::now() - Duration::from_secs(100);
        let file = std::fs::File::options()
            .write(true)
            .open(repo.path("src/add.sh"));
        file.expect("a file").set_modified(old).expect("its time");
        repo.git(&["status"]);
        repo.write("README.md", "more\n");
        repo.write("data.txt", "more\n");
        let head = repo.commit("HEAD");
        let saver = Saver {
            repo: &repo,
            runs: 9,
            began: &|_| repo.write("src/add.sh", RIGHT),
            ended: &|_| {
                repo.write("src/add.sh", WRONG);
                let file = std::fs::File::options()
                    .write(true)
                    .open(repo.path("src/add.sh"));
                file.expect("a file").set_modified(old).expect("its time");
                if status {
                    repo.git(&["status"]);
                }
            },
        };
        let ran = saver.run();
        assert_eq!(repo.commit("HEAD"), head, "{status}: {ran}");
    }
}

#[test]
fn a_test_that_failed_only_meanwhile_asks_for_nothing() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", RIGHT);
    let saver = Saver {
        repo: &repo,
        runs: 1,
        began: &|_| repo.write("src/add.sh", WRONG),
        ended: &|_| repo.write("src/add.sh", RIGHT),
    };
    let ran = saver.run();
    assert_eq!(ran["why"], "green", "{ran}");
    assert_eq!(repo.show("HEAD:src/add.sh"), RIGHT.trim_end());
}

/// A file that lay there before is a person's: edited while the tests run it is work.
#[test]
fn a_file_from_before_that_is_edited_meanwhile_is_work() {
    let repo = Repo::new();
    repo.write("mine.txt", "1\n");
    let repo = repo.installed();
    repo.write("tests/add.t", ASKS);
    repo.run_json();
    repo.write("src/add.sh", RIGHT);
    let saver = Saver {
        repo: &repo,
        runs: 1,
        began: &|_| repo.write("mine.txt", "2\n"),
        ended: &nothing,
    };
    let ran = saver.run();
    assert_eq!(ran["why"], "green", "{ran}");
    assert_eq!(repo.show("HEAD:mine.txt"), "2");
}

/// Files that the tests write anew each time, tracked ones too, are found out once.
#[test]
fn what_the_tests_write_is_learnt() {
    let repo = Repo::new()
        .with("lock.json", "same\n")
        .committed()
        .installed();
    let runs = repo.around().join("home/runs");
    repo.during_tests("echo x >> \"$HOME/runs\"; echo same > lock.json; date +%N > stamp.txt");
    let count = || std::fs::read_to_string(&runs).unwrap_or_default().len() / 2;
    repo.write("tests/add.t", ASKS);
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(red["left_out"], json!(["stamp.txt"]), "{red}");
    let before = count();
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert!(count() - before <= 2, "{} runs", count() - before);
}

#[test]
fn squash_refuses_what_the_tests_leave_behind() {
    let repo = Repo::in_green();
    repo.during_tests("date +%N > stamp.txt");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["left_out"], json!(["stamp.txt"]));
    let ran = repo.tcr(&["squash", "-m", "add"]).exits(1);
    assert!(ran.stderr.contains("`stamp.txt`"), "{}", ran.stderr);
    assert!(ran.stderr.contains(".gitignore"), "{}", ran.stderr);
    repo.write(".git/info/exclude", "stamp.txt\n");
    repo.tcr(&["squash", "-m", "add"]).success();
    assert!(repo.exists("stamp.txt"));
}
