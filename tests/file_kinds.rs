//! Every kind of file goes through commit, revert and recover unharmed.

use std::os::unix::fs::PermissionsExt;

use crate::support::Repo;
use crate::support::world::MODE_TCR;

/// Commits the worktree by a green run and compares the tree with git's own.
fn green(repo: &Repo) {
    repo.write("tests/last.t", "true\n");
    let expected = repo.tree_by_git();
    let files = repo.files();
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "commit", "{outcome}");
    assert_eq!(repo.tree("HEAD"), expected, "{outcome}");
    assert_eq!(repo.files(), files, "a green touches no file");
    assert_eq!(repo.porcelain(), "");
}

/// Reverts the worktree by a red run, and brings everything back again.
fn red_and_back(repo: &Repo, committed: &crate::support::world::World) {
    repo.write("tests/last.t", "false\n");
    let expected = repo.tree_by_git();
    let files = repo.files();
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "take_back", "{outcome}");
    assert_eq!(outcome["edited_meanwhile"], serde_json::json!([]));
    assert_eq!(repo.files(), committed.worktree, "as committed");
    assert_eq!(repo.porcelain(), "");
    let number = outcome["recover"].to_string();
    repo.tcr(&["recover", "restore", &number]).success();
    assert_eq!(repo.tree_by_git(), expected);
    assert_eq!(repo.files(), files, "as it was before the revert");
}

fn both_ways(repo: &Repo, edit: impl Fn(&Repo)) {
    let committed = repo.world();
    edit(repo);
    red_and_back(repo, &committed);
    green(repo);
}

/// The next run takes the change to this path back, and no other.
fn assert_taken_back(repo: &Repo, path: &str, why: &str) {
    let ran = repo.run_json();
    let rounds = ran["rounds"].as_array().cloned().unwrap_or_default();
    let round = rounds.first().unwrap_or(&ran);
    let taken = serde_json::json!([{"path": path, "why": why}]);
    assert_eq!(round["taken_back"], taken, "{ran}");
}

#[test]
fn untracked_deleted_renamed_and_mode() {
    let repo = Repo::new()
        .with("old.txt", "old\n")
        .with("gone.txt", "gone\n")
        .with("a/b/c.txt", "c\n")
        .committed();
    let repo = repo.configured(MODE_TCR).installed();
    both_ways(&repo, |repo| {
        repo.write("new/deep/er/file.txt", "new\n");
        repo.remove("gone.txt");
        std::fs::rename(repo.path("old.txt"), repo.path("a/renamed.txt")).expect("a rename");
        repo.make_executable("a/b/c.txt");
    });
}

#[test]
fn links_files_and_folders_take_each_others_place() {
    let kinds: [(&str, fn(&Repo, &str)); 3] = [
        ("file", |repo, path| repo.write(path, "file\n")),
        ("link", |repo, path| repo.link("tests/first.t", path)),
        ("folder", |repo, path| {
            repo.write(&format!("{path}/inside.txt"), "inside\n")
        }),
    ];
    for (from, make) in &kinds {
        for (to, make_other) in &kinds {
            if from == to {
                continue;
            }
            let repo = Repo::new();
            make(&repo, "thing");
            let repo = repo.committed().configured(MODE_TCR).installed();
            both_ways(&repo, |repo| {
                let path = repo.path("thing");
                match path.symlink_metadata().expect("it exists").is_dir() {
                    true => std::fs::remove_dir_all(path).expect("a folder"),
                    false => std::fs::remove_file(path).expect("a file"),
                }
                make_other(repo, "thing");
            });
        }
    }
}

#[test]
fn a_link_is_never_followed_out_of_the_worktree() {
    let repo = Repo::new()
        .with("d/x.txt", "x\n")
        .committed()
        .configured(MODE_TCR)
        .installed();
    let outside = repo.around().join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    std::fs::write(outside.join("x.txt"), "outside\n").expect("a file");
    std::fs::remove_dir_all(repo.path("d")).expect("a folder");
    repo.link("../outside", "d");
    repo.write("tests/last.t", "false\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    assert_eq!(repo.read("d/x.txt"), "x\n");
    assert!(!repo.path("d").is_symlink());
    let left = std::fs::read_to_string(outside.join("x.txt")).expect("a file");
    assert_eq!(left, "outside\n");
}

#[test]
fn odd_names() {
    let names: [&[u8]; 9] = [
        b"with space",
        b"quo\"te",
        b"apo'strophe",
        b"new\nline",
        b"tab\t",
        b"\xff\xfe not text",
        b"-n",
        b":(top)x",
        b"back\\slash",
    ];
    let repo = Repo::new();
    for name in names {
        repo.write_raw(name, b"before\n");
    }
    let repo = repo.committed().configured(MODE_TCR).installed();
    both_ways(&repo, |repo| {
        for name in names {
            repo.write_raw(name, b"after\n");
            repo.write_raw(&[b"new ", name].concat(), b"new\n");
            repo.write_raw(&[name, b".d/", name].concat(), b"deep\n");
        }
    });
}

#[test]
fn crlf_by_config_and_by_attributes() {
    let repo = Repo::new();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write(
        ".gitattributes",
        "*.lf text eol=lf\n*.crlf text eol=crlf\n*.bin -text\n",
    );
    for name in ["a.txt", "a.crlf", "a.bin"] {
        repo.write(name, "one\r\ntwo\r\n");
    }
    repo.write("a.lf", "one\ntwo\n");
    let repo = repo.committed();
    // As a checkout would have it.
    let repo = repo.configured(&MODE_TCR.replace('\n', "\r\n"));
    let repo = repo.installed();
    assert_eq!(repo.show("HEAD:a.txt"), "one\ntwo");
    let files = repo.files();
    for name in ["a.txt", "a.crlf", "a.bin", "b.txt"] {
        repo.write(name, "three\r\nfour\r\n");
    }
    repo.write("a.lf", "three\nfour\n");
    repo.write("tests/last.t", "false\r\n");
    let expected = repo.tree_by_git();
    let red = repo.run_json();
    assert_eq!(red["action"], "take_back", "{red}");
    assert_eq!(repo.files(), files, "line ends as they were");
    assert_eq!(repo.tree("refs/tcr/reverts/main/1"), expected);
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("a.txt"), "three\r\nfour\r\n");
    assert_eq!(repo.read("a.lf"), "three\nfour\n");
    assert_eq!(repo.read("a.bin"), "three\r\nfour\r\n");
}

#[test]
fn clean_and_smudge_filters_also_from_a_subfolder() {
    let repo = Repo::new();
    repo.write("tools/filter", "#!/bin/sh\ntr \"$1\" \"$2\"\n");
    repo.make_executable("tools/filter");
    repo.git(&["config", "filter.shout.clean", "./tools/filter a-z A-Z"]);
    repo.git(&["config", "filter.shout.smudge", "./tools/filter A-Z a-z"]);
    repo.git(&["config", "filter.shout.required", "true"]);
    repo.write(".gitattributes", "*.up filter=shout\n");
    repo.write("a.up", "quiet\n");
    let repo = repo.committed().configured(MODE_TCR).installed();
    assert_eq!(repo.show("HEAD:a.up"), "QUIET");
    both_ways(&repo, |repo| {
        repo.write("a.up", "still\n");
        repo.write("b.up", "new\n");
    });
    assert_eq!(repo.show("HEAD:b.up"), "NEW");

    repo.write("a.up", "from below\n");
    repo.write("tests/last.t", "false\n");
    let ran = repo.tcr_in(&repo.path("tests"), &["run", "--json"], &[]);
    assert_eq!(
        ran.json()["action"],
        "take_back",
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(repo.read("a.up"), "still\n");
    assert!(repo.reaches("FROM BELOW\n"));
}

#[test]
fn attributes_that_change_together_with_the_files_they_are_for() {
    let repo = Repo::new();
    repo.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.shout.smudge", "tr A-Z a-z"]);
    repo.write(".gitattributes", "*.up filter=shout\n");
    repo.write("a.up", "quiet\n");
    repo.write("b.txt", "plain\n");
    repo.write("d/.gitattributes", "*.txt eol=crlf\n");
    repo.write("d/c.txt", "c\r\n");
    let repo = repo.committed().configured(MODE_TCR).installed();
    let committed = repo.world();
    repo.write(".gitattributes", "*.txt filter=shout\n");
    repo.write("a.up", "Mixed\n");
    repo.write("b.txt", "other\n");
    repo.write("d/.gitattributes", "*.txt eol=lf\n");
    repo.write("d/c.txt", "changed\n");
    red_and_back(&repo, &committed);
}

#[test]
fn attributes_that_are_gone_govern_nothing() {
    let repo = Repo::new();
    repo.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.shout.smudge", "tr A-Z a-z"]);
    repo.write(".gitattributes", "*.up filter=shout\n");
    repo.write("a.up", "quiet\n");
    let repo = repo.committed().configured(MODE_TCR).installed();
    both_ways(&repo, |repo| {
        repo.remove(".gitattributes");
        repo.write("a.up", "Mixed\n");
        repo.write("new.up", "New\n");
    });
    assert_eq!(repo.show("HEAD:a.up"), "Mixed", "as it was tested");
}

#[test]
fn attributes_outside_of_a_sparse_checkout_govern_all_the_same() {
    let repo = Repo::new();
    repo.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.shout.smudge", "tr A-Z a-z"]);
    repo.write("in/.gitattributes", "*.up filter=shout\n");
    repo.write("in/a.up", "quiet\n");
    let repo = repo.committed().configured(MODE_TCR);
    let patterns = ["/*", "!/in/.gitattributes"];
    repo.git(&[&["sparse-checkout", "set", "--no-cone"][..], &patterns].concat());
    assert!(!repo.exists("in/.gitattributes"));
    let repo = repo.installed();
    both_ways(&repo, |repo| repo.write("in/a.up", "loud\n"));
    assert_eq!(repo.show("HEAD:in/a.up"), "LOUD");
}

#[test]
fn a_filter_that_is_needed_and_fails_stops_everything() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.up filter=gone\n");
    let repo = repo.committed().configured(MODE_TCR).installed();
    repo.git(&["config", "filter.gone.clean", "no-such-filter-program"]);
    repo.git(&["config", "filter.gone.required", "true"]);
    repo.write("a.up", "content\n");
    repo.write("tests/last.t", "false\n");
    let ran = repo.changes_nothing(&["run"]).exits(2);
    assert!(ran.stderr.contains("a.up"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: "), "{}", ran.stderr);
}

#[test]
fn a_long_running_filter_process() {
    let Ok(python) = which::which("python3") else {
        println!("skipped: no python3 for a filter process");
        return;
    };
    let repo = Repo::new();
    let script = repo.around().join("filter.py");
    std::fs::write(&script, FILTER_PROCESS).expect("a file");
    let command = format!("{} {}", python.display(), script.display());
    repo.git(&["config", "filter.shout.process", &command]);
    repo.git(&["config", "filter.shout.required", "true"]);
    repo.write(".gitattributes", "*.up filter=shout\n");
    repo.write("a.up", "quiet\n");
    let repo = repo.committed().configured(MODE_TCR).installed();
    assert_eq!(repo.show("HEAD:a.up"), "QUIET");
    both_ways(&repo, |repo| {
        repo.write("a.up", "still\n");
        repo.write("b.up", "new\n");
    });
}

const FILTER_PROCESS: &str = r#"
import sys
inp, out = sys.stdin.buffer, sys.stdout.buffer
def read():
    size = inp.read(4)
    if not size: sys.exit(0)
    size = int(size, 16)
    return None if size == 0 else inp.read(size - 4)
def read_all():
    items = []
    while (item := read()) is not None: items.append(item)
    return items
def write(data): out.write(b"%04x" % (len(data) + 4) + data)
def flush(): out.write(b"0000"); out.flush()
read_all(); write(b"git-filter-server\n"); write(b"version=2\n"); flush()
read_all(); write(b"capability=clean\n"); write(b"capability=smudge\n"); flush()
while True:
    command = read_all()[0]
    data = b"".join(read_all())
    write(b"status=success\n"); flush()
    data = data.upper() if b"clean" in command else data.lower()
    if data: write(data)
    flush(); flush()
"#;

#[test]
fn a_sparse_checkout_stays_sparse() {
    for sparse_index in ["--no-sparse-index", "--sparse-index"] {
        let repo = Repo::new()
            .with("in/a.txt", "a\n")
            .with("out/b.txt", "b\n")
            .with("out/deep/c.txt", "c\n");
        let repo = repo.committed().configured(MODE_TCR);
        repo.git(&[
            "sparse-checkout",
            "set",
            "--cone",
            sparse_index,
            "in",
            "tests",
            "src",
        ]);
        assert!(!repo.exists("out"));
        let repo = repo.installed();
        let committed = repo.world();
        repo.write("in/a.txt", "changed\n");
        repo.write("in/new.txt", "new\n");
        red_and_back(&repo, &committed);
        green(&repo);
        assert!(!repo.exists("out"), "what is outside stays outside");
        assert_eq!(repo.show("HEAD:out/deep/c.txt"), "c");
        // A file that appears outside is work like any other.
        repo.write("out/deep/new.txt", "outside\n");
        repo.write("tests/more.t", "true\n");
        let outcome = repo.run_json();
        assert_eq!(outcome["action"], "commit", "{outcome}");
        assert_eq!(repo.show("HEAD:out/deep/new.txt"), "outside");
        assert_eq!(repo.show("HEAD:out/deep/c.txt"), "c");
        assert_eq!(repo.porcelain(), "");
    }
}

#[test]
fn flags_that_hide_changes_are_not_believed() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repo = Repo::in_mode_tcr();
        repo.git(&["update-index", flag, "tests/first.t"]);
        repo.write("tests/first.t", "false\n");
        let red = repo.run_json();
        assert_eq!(red["action"], "take_back", "{flag}: {red}");
        assert_eq!(repo.read("tests/first.t"), "true\n", "{flag}");
        repo.write("tests/first.t", "true # changed\n");
        let green = repo.run_json();
        assert_eq!(green["action"], "commit", "{flag}: {green}");
        assert_eq!(repo.show("HEAD:tests/first.t"), "true # changed", "{flag}");

        let repo = Repo::in_green();
        repo.git(&["update-index", flag, "tests/add.t"]);
        repo.write("tests/add.t", "true\n");
        assert_taken_back(&repo, "tests/add.t", "frozen");
        assert!(repo.read("tests/add.t").contains("add 1 2"), "{flag}");
    }
}

#[test]
fn intent_to_add() {
    let repo = Repo::in_mode_tcr();
    let committed = repo.world();
    repo.write("new.txt", "new\n");
    repo.write("empty.txt", "");
    repo.git(&["add", "-N", "new.txt", "empty.txt"]);
    red_and_back(&repo, &committed);
    repo.git(&["add", "-N", "new.txt", "empty.txt"]);
    green(&repo);
    assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "");
    // Without content the intent alone is nothing to commit.
    repo.write("never.txt", "never\n");
    repo.git(&["add", "-N", "never.txt"]);
    repo.remove("never.txt");
    repo.write("tests/more.t", "true\n");
    let outcome = repo.run_json();
    assert_eq!(
        outcome["files"],
        serde_json::json!(["tests/more.t"]),
        "{outcome}"
    );
}

#[test]
fn ignored_files_are_never_touched() {
    let repo = Repo::new()
        .with(".gitignore", "*.log\n/build/\n")
        .committed()
        .configured(MODE_TCR)
        .installed();
    repo.write("a.log", "mine\n");
    repo.write("build/out.o", "mine\n");
    repo.write("src/new.sh", "true\n");
    repo.write("src/deep/debug.log", "mine\n");
    repo.write("tests/last.t", "false\n");
    let red = repo.run_json();
    assert_eq!(red["action"], "take_back", "{red}");
    assert!(!repo.exists("src/new.sh"));
    for path in ["a.log", "build/out.o", "src/deep/debug.log"] {
        assert_eq!(repo.read(path), "mine\n", "{path}");
    }
    assert_eq!(
        repo.git(&["log", "--all", "--name-only", "--format="])
            .matches(".log")
            .count(),
        0
    );
}

#[test]
fn force_added_ignored_files_are_work() {
    let repo = Repo::new().with(".gitignore", "*.log\n").committed();
    repo.write("kept.log", "kept\n");
    repo.git(&["add", "-f", "kept.log"]);
    repo.git(&["commit", "-q", "-m", "forced"]);
    let repo = repo.configured(MODE_TCR).installed();
    both_ways(&repo, |repo| repo.write("kept.log", "changed\n"));
    repo.write("second.log", "second\n");
    repo.git(&["add", "-f", "second.log"]);
    repo.write("tests/more.t", "true\n");
    assert_eq!(repo.run_json()["action"], "commit");
    assert_eq!(repo.show("HEAD:second.log"), "second");
}

#[test]
fn an_edited_gitignore_hides_no_test_and_no_source() {
    let repo = Repo::new()
        .with(".gitignore", "*.log\n")
        .committed()
        .installed();
    repo.write(".gitignore", "*.log\n*.t\nsrc/\n");
    repo.write("src/hidden.py", "def hidden():\n    return 1\n");
    assert_taken_back(&repo, "src/hidden.py", "unasked");
    assert!(!repo.exists("src/hidden.py"));

    let repo = Repo::new().installed();
    repo.write(".gitignore", "tests/\n");
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    let red = repo.run_json();
    assert_eq!(red["why"], "red", "{red}");
    assert_eq!(repo.show("HEAD:tests/add.t"), "[ \"$(add 1 2)\" = 3 ]");

    let repo = Repo::new()
        .with("src/lib.sh", "lib() { :; }\n")
        .committed()
        .installed();
    repo.write("src/.gitignore", "*\n");
    repo.write("src/hidden.py", "def hidden():\n    return 1\n");
    assert_taken_back(&repo, "src/hidden.py", "unasked");
}

#[test]
fn a_new_folder_that_ignores_itself_hides_no_source() {
    let repo = Repo::new().installed();
    repo.write("src/inner/.gitignore", "*\n");
    repo.write("src/inner/hidden.py", "def hidden():\n    return 1\n");
    assert_taken_back(&repo, "src/inner/hidden.py", "unasked");
    assert!(!repo.exists("src/inner/hidden.py"));
}

#[test]
fn a_tools_folder_that_ignores_itself_is_left_alone() {
    let repo = Repo::new().installed();
    // The rules at the top changed too, so that HEAD's are looked at.
    repo.write(".gitignore", "*.log\n");
    for (folder, mark) in [("venv", "pyvenv.cfg"), (".cache", "CACHEDIR.TAG")] {
        repo.write(&format!("{folder}/.gitignore"), "*\n");
        repo.write(&format!("{folder}/{mark}"), "made by a tool\n");
        repo.write(&format!("{folder}/lib/module.py"), "pass\n");
    }
    let outcome = repo.run_json();
    assert_eq!(outcome["taken_back"], serde_json::json!([]), "{outcome}");
    assert_eq!(
        outcome["files"],
        serde_json::json!([".gitignore"]),
        "{outcome}"
    );
    assert_eq!(repo.git(&["ls-files", "venv", ".cache"]), "");
    assert!(repo.exists("venv/lib/module.py"));
}

#[test]
fn empty_folders_of_the_user_stay() {
    let repo = Repo::in_mode_tcr();
    std::fs::create_dir_all(repo.path("empty/inside")).expect("folders");
    repo.write("tests/last.t", "false\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    assert!(repo.path("empty/inside").is_dir());
}

#[test]
fn what_is_neither_file_nor_link_is_left_alone() {
    let repo = Repo::in_mode_tcr();
    let fifo = |path: &str| {
        let made = repo
            .command("mkfifo")
            .arg(repo.path(path))
            .status()
            .expect("mkfifo runs");
        assert!(made.success());
    };
    fifo("pipe");
    repo.write("tests/last.t", "false\n");
    assert_eq!(repo.run_json()["action"], "take_back");
    assert!(repo.exists("pipe"));
    // In place of a tracked file it must not be waited for.
    repo.write("data.txt", "data\n");
    repo.write("tests/last.t", "true\n");
    assert_eq!(repo.run_json()["action"], "commit");
    repo.remove("data.txt");
    fifo("data.txt");
    repo.write("tests/last.t", "true # 2\n");
    let ran = repo.tcr(&["run", "--json"]);
    assert!(repo.exists("data.txt"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_unreadable_file_is_named_and_nothing_is_touched() {
    let repo = Repo::in_mode_tcr();
    repo.write("secret.txt", "secret\n");
    repo.write("tests/last.t", "false\n");
    let none = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(repo.path("secret.txt"), none).expect("a mode");
    let before = repo.files();
    let Some(ran) = repo.tcr_unprivileged(&["run"]) else {
        println!("skipped: permissions don't count here");
        return;
    };
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("secret.txt"), "{}", ran.stderr);
    assert_eq!(repo.files(), before);
}

#[test]
fn an_executable_bit_that_the_file_system_does_not_keep() {
    let repo = Repo::new().with("tool", "#!/bin/sh\n").committed();
    repo.git(&["update-index", "--chmod=+x", "tool"]);
    repo.git(&["commit", "-q", "-m", "executable"]);
    repo.git(&["config", "core.fileMode", "false"]);
    let repo = repo.configured(MODE_TCR).installed();
    repo.write("tool", "#!/bin/sh\nchanged\n");
    repo.write("tests/last.t", "false\n");
    let red = repo.run_json();
    assert_eq!(red["edited_meanwhile"], serde_json::json!([]), "{red}");
    assert_eq!(repo.read("tool"), "#!/bin/sh\n");
    repo.write("tool", "#!/bin/sh\nchanged\n");
    repo.write("tests/last.t", "true\n");
    assert_eq!(repo.run_json()["action"], "commit");
    assert!(repo.git(&["ls-tree", "HEAD", "tool"]).starts_with("100755"));
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_thousand_files() {
    let repo = Repo::new();
    for number in 0..500 {
        repo.write(&format!("data/{}/{number}.txt", number % 20), "before\n");
    }
    let repo = repo.committed().configured(MODE_TCR).installed();
    both_ways(&repo, |repo| {
        for number in 0..500 {
            repo.write(&format!("data/{}/{number}.txt", number % 20), "after\n");
            repo.write(
                &format!("more/{}/{number}.txt", number % 20),
                &format!("{number}\n"),
            );
        }
    });
}

#[test]
fn a_split_index() {
    let repo = Repo::new()
        .with("a.txt", "a\n")
        .with("b.txt", "b\n")
        .committed()
        .configured(MODE_TCR);
    repo.git(&["config", "core.splitIndex", "true"]);
    repo.git(&["update-index", "--split-index"]);
    let repo = repo.installed();
    both_ways(&repo, |repo| {
        repo.write("a.txt", "changed\n");
        repo.remove("b.txt");
        repo.write("c.txt", "new\n");
    });
}

#[test]
fn a_sha256_repository() {
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.write("run-tests", crate::support::RUNNER);
    repo.make_executable("run-tests");
    repo.write(".tcr.toml", MODE_TCR);
    repo.write("tests/first.t", "true\n");
    let repo = repo.committed().installed();
    assert_eq!(repo.commit("HEAD").len(), 64);
    both_ways(&repo, |repo| repo.write("a.txt", "a\n"));
    let notes = repo.git(&["log", "--notes=tcr", "--format=%N", "-1"]);
    assert!(notes.contains("verdict: green"), "{notes}");
}

/// Source with its tests in the same file.
const WITH_TESTS: &str = "pub fn one() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n";

#[test]
fn a_link_in_the_place_of_source_with_tests_is_put_back_as_a_whole() {
    for target in ["nowhere", "../README.md", "todo!()"] {
        let repo = Repo::new()
            .with("src/lib.rs", WITH_TESTS)
            .committed()
            .installed();
        repo.remove("src/lib.rs");
        repo.link(target, "src/lib.rs");
        assert_taken_back(&repo, "src/lib.rs", "unasked");
        assert_eq!(repo.read("src/lib.rs"), WITH_TESTS, "{target}");
        assert!(repo.reaches(target));
        assert_eq!(repo.porcelain(), "");
    }
}

#[test]
fn a_link_is_no_stub_whatever_its_target_is_called() {
    for (path, target) in [("src/new.py", "import os"), ("src/new.rs", "use a::b;")] {
        let repo = Repo::new().installed();
        repo.write("tests/new.t", "false\n");
        std::fs::create_dir_all(repo.path("src")).expect("a folder");
        repo.link(target, path);
        let ran = repo.run_json();
        assert_eq!(ran["rounds"][0]["taken_back"][0]["path"], path, "{ran}");
        assert_eq!(ran["rounds"][1]["why"], "red", "{target}: {ran}");
        assert!(!repo.exists(path), "{target}");
        assert!(repo.reaches(target));
    }
}
