//! Spread over several machines: a plan, an experiment each, and the same verdict as in one go.

use serde_json::Value;

use super::{CALC, SUB, commit, honest, with_test};
use crate::support::Repo;

/// The verdict of experiments that were done one by one, each in a clone of its own.
fn merged(repo: &Repo, args: &[&str]) -> Value {
    let plan = repo
        .tcr(&[&["audit", "--plan", "--json"], args].concat())
        .success()
        .json();
    let mut files = Vec::new();
    for one in plan["experiments"].as_array().expect("a list") {
        let id = one["id"].as_str().expect("an id");
        let clone = repo.around().join(format!("clone-{id}"));
        let file = repo.around().join(format!("{id}.json"));
        let (clone, file) = (clone.to_str().expect("text"), file.to_str().expect("text"));
        repo.git(&["clone", "-q", repo.root().to_str().expect("text"), clone]);
        let run = [&["audit", "--run", id, "--out", file], args].concat();
        repo.tcr_in(clone.as_ref(), &run, &[]).success();
        files.push(file.to_owned());
    }
    assert!(files.len() >= 3, "{plan:#}");
    let mut merge = [&["audit", "--json"], args, &["--merge"]].concat();
    merge.extend(files.iter().map(String::as_str));
    repo.tcr(&merge).json()
}

#[test]
fn experiments_elsewhere_give_the_same_verdict() {
    let repo = honest();
    let once = repo.tcr(&["audit", "--json", "HEAD^!"]).success();
    assert_eq!(merged(&repo, &["HEAD^!"]), once.json());

    repo.write(
        "calc.py",
        &format!("{CALC}{SUB}\n\ndef mul(a, b):\n    return a * b\n"),
    );
    repo.write(
        "test_calc.py",
        &with_test("    def test_sub(self):\n        sub(3, 1)\n"),
    );
    commit(&repo, "multiply");
    let once = repo.tcr(&["audit", "--json", "HEAD^!"]).exits(1).json();
    for clone in std::fs::read_dir(repo.around())
        .expect("a folder")
        .flatten()
    {
        if clone.file_name().to_string_lossy().starts_with("clone-") {
            std::fs::remove_dir_all(clone.path()).expect("a clone");
        }
    }
    assert_eq!(merged(&repo, &["HEAD^!"]), once);
}

#[test]
fn a_result_of_something_else_is_refused() {
    let repo = honest();
    let file = repo.around().join("whole.json");
    let file = file.to_str().expect("text");
    repo.tcr(&["audit", "HEAD^!", "--run", "whole", "--out", file])
        .success();
    repo.write("README.md", "more\n");
    commit(&repo, "more");
    let ran = repo
        .tcr(&["audit", "HEAD~2..HEAD", "--merge", file])
        .exits(2);
    assert!(
        ran.stderr.contains("is no result of this audit"),
        "{}",
        ran.stderr
    );
    let ran = repo
        .tcr(&["audit", "HEAD~2..HEAD", "--run", "none"])
        .exits(2);
    assert!(ran.stderr.contains("one of: whole"), "{}", ran.stderr);
}
