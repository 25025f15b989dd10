//! Where it works: detached, shallow, in a fresh clone, with a dirty worktree; and nothing changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{CALC, audit, calc, commit, honest};
use crate::support::Repo;

/// Every file with its content, but for objects, which only come.
fn everything(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = item.path();
            if path.ends_with(".git/objects") {
                continue;
            }
            let kind = item.file_type().expect("its kind");
            let inside = path.strip_prefix(root).expect("inside").to_owned();
            if kind.is_dir() {
                found.insert(inside, Vec::new());
                folders.push(path);
            } else if kind.is_file() {
                found.insert(inside, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

#[track_caller]
fn changes_nothing(repo: &Repo, root: &Path, args: &[&str], status: i32) {
    let before = everything(root);
    let ran = repo.tcr_in(root, &[&["audit"], args].concat(), &[]);
    assert_eq!(ran.status, status, "{}{}", ran.stdout, ran.stderr);
    let after = everything(root);
    let differs: Vec<&PathBuf> = (before.keys().chain(after.keys()))
        .filter(|path| before.get(*path) != after.get(*path))
        .collect();
    assert!(differs.is_empty(), "{differs:?}");
}

#[test]
fn the_repository_is_left_as_it_was() {
    let repo = honest();
    repo.write("calc.py", "not even Python (((\n");
    repo.write("notes.txt", "mine\n");
    repo.git(&["add", "notes.txt"]);
    changes_nothing(&repo, repo.root(), &["HEAD^!"], 0);
    changes_nothing(&repo, repo.root(), &["HEAD^!", "--setup", "touch made"], 0);
    changes_nothing(&repo, repo.root(), &["HEAD^!", "--plan"], 0);
}

#[test]
fn a_detached_head_and_a_shallow_clone_will_do() {
    let repo = honest();
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(audit(&repo, &["HEAD^!"]).0, 0);
    let url = format!("file://{}", repo.root().display());
    let clone = repo.around().join("shallow");
    let clone_text = clone.to_str().expect("text");
    repo.git(&["branch", "-f", "main", "HEAD"]);
    repo.git(&[
        "clone", "-q", "--depth", "2", "-b", "main", &url, clone_text,
    ]);
    changes_nothing(&repo, &clone, &["HEAD~1..HEAD"], 0);
    let ran = repo.tcr_in(&clone, &["audit", "HEAD~2..HEAD"], &[]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("there is no commit `HEAD~2` here"),
        "{}",
        ran.stderr
    );
}

#[test]
fn without_a_range_it_is_what_the_branch_brings() {
    let repo = calc();
    repo.git(&["switch", "-q", "-c", "feat"]);
    repo.write("calc.py", &format!("{CALC}{}", super::SUB));
    commit(&repo, "untested");
    let (exit, found) = audit(&repo, &[]);
    assert_eq!(exit, 1, "{found:#}");
    assert_eq!(found["range"]["given"], "main..HEAD");
    repo.git(&["switch", "-q", "main"]);
    let ran = repo.tcr(&["audit"]).exits(2);
    assert!(
        ran.stderr.contains("git tcr audit BASE..HEAD"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_first_commit_can_be_asked() {
    let repo = calc();
    let (exit, found) = audit(&repo, &["HEAD^!"]);
    assert_eq!(exit, 0, "{found:#}");
    assert_eq!(found["changes"][0]["functions"][0]["word"], "proven");
}

#[test]
fn what_makes_a_checkout_ready_runs_there() {
    let repo = calc();
    let test = "import made\n".to_owned() + super::TEST_CALC;
    repo.write("test_calc.py", &test);
    repo.write(".gitignore", "__pycache__/\nmade.py\n");
    commit(&repo, "needs what is made");
    repo.write("calc.py", &format!("{CALC}{}", super::SUB));
    repo.write("test_calc.py", &format!("{test}\n{}", super::TEST_SUB));
    commit(&repo, "subtract");
    let (exit, found) = audit(&repo, &["HEAD^!"]);
    assert_eq!(exit, 2, "{found:#}");
    let (exit, found) = audit(&repo, &["HEAD^!", "--setup", "echo > made.py"]);
    assert_eq!(exit, 0, "{found:#}");
    let ran = repo.tcr(&["audit", "HEAD^!", "--setup", "false"]).exits(2);
    assert!(ran.stderr.contains("false"), "{}", ran.stderr);
}

#[test]
fn time_that_is_up_is_unknown_and_accuses_nobody() {
    let repo = honest();
    let (exit, found) = audit(&repo, &["HEAD^!", "--budget", "0s"]);
    assert_eq!(exit, 2, "{found:#}");
    assert_eq!(
        found["changes"][0]["why_unknown"],
        serde_json::json!(["no_time"])
    );
}

#[test]
fn without_a_test_command_it_says_what_to_type() {
    let repo = Repo::bare_start().with("a.txt", "a\n");
    commit(&repo, "start");
    let ran = repo.tcr(&["audit", "HEAD^!"]).exits(2);
    assert!(
        ran.stderr.contains("git tcr audit --test CMD"),
        "{}",
        ran.stderr
    );
}

#[test]
fn submodules_are_there_for_the_tests() {
    let library = Repo::bare_start().with("plus.py", "def plus(a, b):\n    return a + b\n");
    commit(&library, "library");
    let repo = calc();
    repo.add_submodule(&library, "lib");
    repo.write("lib_path.py", "import sys\nsys.path.insert(0, 'lib')\n");
    commit(&repo, "library");
    repo.write(
        "calc.py",
        "import lib_path\nfrom plus import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n",
    );
    commit(&repo, "use it");
    for args in [&["HEAD^!"][..], &["HEAD^!", "--setup", "true"]] {
        let (exit, found) = audit(&repo, args);
        assert_eq!(exit, 0, "{found:#}");
    }
}
