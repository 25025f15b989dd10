//! A clone that fetches content only when it is needed: what git does not have yet it fetches for us
//! too.

use std::path::Path;

use crate::support::{Ran, Repo};

fn git_in(repo: &Repo, dir: &Path, args: &[&str]) {
    let mut command = repo.command("git");
    let ran = command.current_dir(dir).args(args).output();
    Ran::from(ran.expect("git runs")).success();
}

#[test]
fn content_outside_of_a_sparse_checkout_is_fetched_for_a_revert() {
    let repo = Repo::new()
        .with("out/code.sh", "code() { :; }\n")
        .with("out/data.json", "{}\n")
        .committed();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let clone = repo.around().join("clone");
    let (from, to) = (
        format!("file://{}", repo.root().display()),
        clone.display().to_string(),
    );
    let options = ["clone", "-q", "--filter=blob:none", "--sparse"];
    git_in(
        &repo,
        &repo.around(),
        &[&options[..], &[&from, &to]].concat(),
    );
    git_in(&repo, &clone, &["sparse-checkout", "set", "tests", "src"]);
    repo.tcr_in(&clone, &["install", "--yes"], &[]).success();
    std::fs::write(clone.join("tests/add.t"), "[ \"$(add 1 2)\" = 3 ]\n").expect("a file");
    repo.tcr_in(&clone, &["run"], &[]).success();

    std::fs::create_dir(clone.join("out")).expect("a folder");
    for (name, content) in [("code.sh", "code() { echo; }\n"), ("data.json", "[]\n")] {
        std::fs::write(clone.join("out").join(name), content).expect("a file");
    }
    let outcome = repo.tcr_in(&clone, &["run", "--json"], &[]).json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    let read = |name: &str| std::fs::read_to_string(clone.join("out").join(name));
    assert_eq!(read("code.sh").expect("a file"), "code() { :; }\n");
    assert_eq!(read("data.json").expect("a file"), "{}\n");
}
