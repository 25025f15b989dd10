//! What lies beside the work when it is squashed, ignored files and submodules, is neither
//! overwritten nor taken for a part of it.

use crate::support::Repo;

/// One cycle, with `*.log` ignored.
fn worked() -> Repo {
    let repo = Repo::new().with(".gitignore", "*.log\nbuild\n").committed();
    let repo = repo.installed();
    cycle(&repo, "add");
    repo
}

fn cycle(repo: &Repo, name: &str) {
    repo.write(
        &format!("tests/{name}.t"),
        &format!("[ \"$({name})\" = {name} ]\n"),
    );
    assert_eq!(repo.run_json()["why"], "red");
    repo.write(
        &format!("src/{name}.sh"),
        &format!("{name}() {{ echo {name}; }}\n"),
    );
    assert_eq!(repo.run_json()["why"], "green");
}

/// The base gets a commit with one more entry, while the worktree stays as it is.
fn base_gets(repo: &Repo, entry: &str, path: &str) {
    let index = repo.around().join("base-index");
    let git = |args: &[&str]| {
        let mut command = repo.command("git");
        command.env("GIT_INDEX_FILE", &index).args(args);
        let ran = crate::support::Ran::from(command.output().expect("git runs")).success();
        ran.stdout.trim().to_owned()
    };
    git(&["read-tree", "main"]);
    let info = format!("{entry},{path}");
    git(&["update-index", "--add", "--cacheinfo", &info]);
    let tree = git(&["write-tree"]);
    let commit = git(&["commit-tree", "-p", "main", "-m", "by somebody else", &tree]);
    repo.git(&["update-ref", "refs/heads/main", &commit]);
}

fn blob(repo: &Repo, content: &str) -> String {
    repo.write("../blob", content);
    let id = repo.git(&["hash-object", "-w", "../blob"]);
    format!("100644,{id}")
}

/// Refuses, says why, and leaves everything as it is.
fn refuses(repo: &Repo, why: &str) -> String {
    let mut said = String::new();
    for args in [&["squash"][..], &["squash", "--dry-run"]] {
        said = repo.changes_nothing(args).exits(1).stderr;
        assert!(said.contains(why), "{said}");
    }
    said
}

#[test]
fn ignored_files_are_there_afterwards() {
    let repo = worked();
    repo.write("own.log", "mine\n");
    repo.write("build/out", "built\n");
    repo.tcr(&["squash"]).success();
    repo.tcr(&["squash", "--undo"]).success();
    repo.tcr(&["squash"]).success();
    assert_eq!(
        (repo.read("own.log"), repo.read("build/out")),
        ("mine\n".into(), "built\n".into())
    );
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn an_ignored_file_where_the_base_has_one_is_in_the_way() {
    let repo = worked();
    base_gets(&repo, &blob(&repo, "theirs\n"), "own.log");
    repo.write("own.log", "secret\n");
    refuses(
        &repo,
        "ignored files are where files of the work have to go: `own.log`",
    );
    // The way out that the hint names.
    repo.remove("own.log");
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.read("own.log"), "theirs\n");
    assert_eq!(repo.show("main:own.log"), "theirs");
}

#[test]
fn an_ignored_file_where_a_folder_has_to_go_is_in_the_way() {
    let repo = worked();
    base_gets(&repo, &blob(&repo, "theirs\n"), "build/tool");
    repo.write("build", "mine\n");
    refuses(&repo, "`build`");
    repo.remove("build");
    repo.write("build/own", "mine\n");
    repo.tcr(&["squash"]).success();
    assert_eq!(
        (repo.read("build/own"), repo.read("build/tool")),
        ("mine\n".into(), "theirs\n".into())
    );
}

#[test]
fn an_ignored_folder_where_a_file_has_to_go_is_in_the_way() {
    let repo = worked();
    base_gets(&repo, &blob(&repo, "theirs\n"), "build");
    repo.write("build/deep/own", "mine\n");
    refuses(&repo, "`build/deep/own`");
    assert_eq!(repo.read("build/deep/own"), "mine\n");
}

#[test]
fn an_ignored_file_where_the_work_has_one_is_in_the_way() {
    let repo = worked();
    repo.write("data.csv", "of the work\n");
    assert_eq!(repo.run_json()["action"], "commit");
    repo.git(&["switch", "-q", "main"]);
    repo.write(".git/info/exclude", "data.csv\n");
    repo.write("data.csv", "mine\n");
    refuses(&repo, "`data.csv`");
    repo.remove("data.csv");
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.show("main:data.csv"), "of the work");
}

#[test]
fn a_newer_submodule_of_the_base_stays_newer() {
    let library = Repo::new();
    let repo = Repo::new();
    let file = "protocol.file.allow=always";
    repo.add_submodule(&library, "lib");
    let repo = repo.committed().installed();
    cycle(&repo, "add");
    library.git(&["commit", "-q", "--allow-empty", "-m", "more"]);
    let newer = library.commit("HEAD");
    base_gets(&repo, &format!("160000,{newer}"), "lib");
    let said = refuses(
        &repo,
        "`main` moved on and has another version of submodule `lib`",
    );
    assert!(said.contains("git submodule update"), "{said}");
    // The way out that the hint names.
    repo.git(&["merge", "-q", "main"]);
    repo.git(&["-c", file, "submodule", "update", "-q", "--init"]);
    repo.tcr(&["squash"]).success();
    assert_eq!(repo.commit("main:lib"), newer);
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_submodule_that_is_new_in_the_base_stays() {
    let library = Repo::new();
    let repo = worked();
    let commit = library.commit("HEAD");
    base_gets(&repo, &format!("160000,{commit}"), "lib");
    refuses(&repo, "submodule `lib`");
}

#[test]
fn an_undo_says_who_has_the_commits_already() {
    let repo = worked().with_remote();
    repo.tcr(&["squash"]).success();
    repo.git(&["push", "-q", "origin", "main"]);
    let ran = repo.tcr(&["squash", "--undo"]).success();
    assert!(
        ran.stdout
            .contains("they were pushed already: `origin/main` still has them"),
        "{}",
        ran.stdout
    );
    repo.tcr(&["squash"]).success();
    let again = repo.tcr(&["squash", "--undo", "--json"]).success().json();
    assert_eq!(again["squash"]["pushed"], serde_json::json!([]));
}

#[test]
fn source_that_changes_beside_docs_meanwhile_is_not_taken_for_docs() {
    let repo = Repo::in_green();
    repo.write(".gitattributes", "*.md filter=late\n");
    let clean =
        "cat; if [ -e \"$HOME/armed\" ]; then rm \"$HOME/armed\"; echo '# late' >> src/add.sh; fi";
    repo.git(&["config", "filter.late.clean", clean]);
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo.write("guide.md", "docs\n");
    std::fs::write(repo.around().join("home/armed"), "").expect("a file");
    let ran = repo.tcr(&["squash", "-m", "x"]);
    assert!(
        repo.read("src/add.sh").contains("late"),
        "it is still there"
    );
    assert!(
        !repo.git(&["show", "main"]).contains("late"),
        "nobody tested it: {}",
        ran.stdout
    );
    ran.exits(1);
}
