//! `verify`: an honest history holds, here and in another clone; a forged one does not, and the
//! commit is named.

use serde_json::Value;

use crate::support::example::{ASKS, RIGHT};
use crate::support::{Ran, Repo};

fn cycle(repo: &Repo, name: &str, test: &str, source: &str) {
    repo.write(&format!("tests/{name}.t"), test);
    assert_eq!(repo.run_json()["why"], "red");
    repo.write(&format!("src/{name}.sh"), source);
    assert_eq!(repo.run_json()["why"], "green");
}

/// Two cycles and a refactoring, not squashed yet.
fn worked() -> Repo {
    let repo = Repo::new().installed();
    cycle(&repo, "add", ASKS, RIGHT);
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("src/add.sh", "# Sums.\nadd() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "refactor");
    cycle(
        &repo,
        "sub",
        "[ \"$(sub 3 1)\" = 2 ]\n",
        "sub() { echo $(($1 - $2)); }\n",
    );
    repo
}

#[test]
fn tests_that_came_failing_with_a_commit_by_hand_ask_for_code_too() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", ASKS);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "what is wanted"]);
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["squash"]).success();
    verify(&repo, &[]).success();
    verify(&repo, &["--replay"]).success();
}

fn squashed() -> Repo {
    let repo = worked();
    repo.tcr(&["squash"]).success();
    repo
}

fn verify(repo: &Repo, args: &[&str]) -> Ran {
    let mut all = vec!["verify"];
    all.extend(args);
    repo.tcr(&all)
}

/// What is wrong, remarks aside: commit and words.
fn wrong(repo: &Repo, args: &[&str]) -> Vec<(String, String)> {
    let mut all = vec!["verify", "--json"];
    all.extend(args);
    let found = repo.tcr(&all).exits(1).json();
    let of_histories = found["histories"].as_array().expect("a list").iter();
    of_histories
        .flat_map(|one| one["findings"].as_array().expect("a list").clone())
        .chain(found["findings"].as_array().expect("a list").clone())
        .filter(|one| one["remark"] == false)
        .map(|one| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&one["commit"]), text(&one["what"]))
        })
        .collect()
}

/// The commit of the archive whose trailers have this phase and whose tree has this path.
fn archived(repo: &Repo, phase: &str, path: &str) -> String {
    let grep = format!("--grep=TCR-Phase: {phase}");
    repo.git(&[
        "log",
        "-1",
        "--format=%H",
        &grep,
        "refs/tcr/archive/main/1",
        "--",
        path,
    ])
}

/// Rewrites the archive: one of its commits gets another tree or message, those after it follow.
fn forge(repo: &Repo, victim: &str, tree: Option<&str>, message: Option<&str>) -> String {
    let listed = repo.git(&["rev-list", "--reverse", "main~1..refs/tcr/archive/main/1"]);
    let mut parent = repo.commit("main~1");
    let mut forged = String::new();
    for id in listed.lines() {
        let own = repo.git(&["log", "-1", "--format=%B", id]);
        let own_tree = repo.tree(id);
        let is_victim = id == victim;
        let text = message.filter(|_| is_victim).unwrap_or(&own);
        let tree = tree.filter(|_| is_victim).unwrap_or(&own_tree);
        parent = repo.git(&["commit-tree", "-p", &parent, "-m", text, tree]);
        if is_victim {
            forged.clone_from(&parent);
        }
    }
    repo.git_past_hooks(&["update-ref", "refs/tcr/archive/main/1", &parent]);
    forged
}

/// A tree with one file replaced.
fn with_file(repo: &Repo, commit: &str, path: &str, content: &str) -> String {
    let index = repo.around().join("forged-index");
    drop(std::fs::remove_file(&index));
    repo.write("../forged", content);
    let blob = repo.git(&["hash-object", "-w", "../forged"]);
    let git = |args: &[&str]| {
        let mut command = repo.command("git");
        command.env("GIT_INDEX_FILE", &index).args(args);
        Ran::from(command.output().expect("git runs"))
            .success()
            .stdout
    };
    git(&["read-tree", commit]);
    git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{blob},{path}"),
    ]);
    git(&["write-tree"]).trim().to_owned()
}

/// Lets the journal and the notes agree with a forged history: whatever is written can be forged.
fn forge_records(repo: &Repo, old_tip: &str) {
    let new_tip = repo.commit("refs/tcr/archive/main/1");
    let range = |tip: &str| repo.git(&["rev-list", &format!("main~1..{tip}")]);
    let (old, new) = (range(old_tip), range(&new_tip));
    let pairs: Vec<(&str, &str)> = old.lines().zip(new.lines()).collect();
    let replaced = |text: &str| {
        pairs
            .iter()
            .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
    };
    let mut parent: Option<String> = None;
    for link in repo
        .git(&["rev-list", "--reverse", "refs/tcr/state/main"])
        .lines()
    {
        let state = replaced(&repo.show(&format!("{link}:state.json")));
        let tree = repo.tree_with("state.json", &state);
        let text = replaced(&repo.git(&["log", "-1", "--format=%B", link]));
        let mut args = vec!["commit-tree", "-m", &text];
        if let Some(parent) = &parent {
            args.extend(["-p", parent]);
        }
        args.push(&tree);
        parent = Some(repo.git(&args));
    }
    repo.git_past_hooks(&["update-ref", "refs/tcr/state/main", &parent.expect("links")]);
    for (old, new) in pairs {
        repo.git_past_hooks(&["notes", "--ref=tcr", "copy", "-f", old, new]);
    }
}

#[test]
fn an_honest_history_holds() {
    let repo = squashed();
    for args in [
        &[][..],
        &["--replay"],
        &["--replay", "--jobs", "1"],
        &["main~1..main"],
        &["main~1..main", "--replay"],
    ] {
        let ran = repo
            .changes_nothing(&[&["verify"], args].concat())
            .success();
        assert!(
            ran.stdout
                .contains("ok `refs/tcr/archive/main/1` of this clone: 2 cycles, 5 commits"),
            "{args:?}: {}",
            ran.stdout
        );
    }
    assert_eq!(
        repo.git(&["worktree", "list"]).lines().count(),
        1,
        "checkouts are taken away"
    );
}

#[test]
fn all_kinds_of_commits_hold() {
    let repo = Repo::new()
        .with("src/old.sh", "")
        .committed()
        .with("src/old.sh", "old() { echo old; }\n")
        .installed();
    cycle(&repo, "add", ASKS, RIGHT);
    repo.write("notes.txt", "mine\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Notes"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "More notes"]);
    cycle(
        &repo,
        "sub",
        "[ \"$(sub 3 1)\" = 2 ]\n",
        "sub() { echo $(($1 - $2)); }\n",
    );
    repo.write("tests/late.t", "[ \"$(late)\" = late ]\n");
    assert_eq!(repo.run_json()["why"], "red");
    repo.tcr(&["recover", "green"]).success();
    repo.git(&["switch", "-q", "main"]);
    repo.write("theirs.txt", "theirs\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "theirs"]);
    repo.git(&["switch", "-q", "tcr/main"]);
    repo.write("README.md", "# Sums\n");
    repo.tcr(&["squash", "--by-cycle"]).success();
    for args in [&[][..], &["--replay"], &["main~4..main"]] {
        let ran = verify(&repo, args);
        assert_eq!(ran.status, 0, "{args:?}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_commit_by_hand_at_the_end_hides_nothing() {
    let repo = worked();
    repo.write("notes.txt", "mine\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Notes"]);
    repo.tcr(&["squash"]).success();
    for range in ["main~2..main", "main~2..main~1"] {
        let found = verify(&repo, &[range, "--json"]).success().json();
        assert_eq!(found["squashed"], 1, "{range}: {found}");
        assert_eq!(found["histories"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn an_undone_squash_takes_nothing_from_its_history() {
    let repo = squashed();
    repo.tcr(&["squash", "--undo"]).success();
    cycle(
        &repo,
        "mul",
        "[ \"$(mul 3 2)\" = 6 ]\n",
        "mul() { echo $(($1 * $2)); }\n",
    );
    repo.tcr(&["squash"]).success();
    let ran = verify(&repo, &[]).success();
    assert!(ran.stdout.contains("3 cycles, 7 commits"), "{}", ran.stdout);
}

/// A history whose tests need a submodule, and the submodule's own repository.
fn with_submodule() -> (Repo, Repo) {
    let library = Repo::new()
        .with("lib.sh", "twice() { echo $(($1 * 2)); }\n")
        .committed();
    let repo = Repo::new();
    let from = library.root().to_str().expect("text").to_owned();
    let file = "protocol.file.allow=always";
    repo.git(&[
        "-c",
        file,
        "submodule",
        "add",
        "-q",
        "--name",
        "the lib",
        &from,
        "deps/lib",
    ]);
    let repo = repo.committed().installed();
    let test = ". ./deps/lib/lib.sh\n[ \"$(twice \"$(add 1 2)\")\" = 6 ]\n";
    cycle(&repo, "add", test, RIGHT);
    repo.tcr(&["squash"]).success();
    (repo, library)
}

#[test]
fn submodules_are_there_when_it_is_run_again() {
    let (repo, library) = with_submodule();
    // Nobody is asked for it: this clone has it.
    drop(library);
    verify(&repo, &["--replay"]).success();
    verify(&repo, &["--replay", "--setup", "test -e deps/lib/lib.sh"]).success();
    assert_eq!(repo.porcelain(), "");
}

#[test]
fn a_missing_submodule_is_no_forgery() {
    let (repo, library) = with_submodule();
    repo.git(&["submodule", "deinit", "-q", "-f", "--all"]);
    verify(&repo, &["--replay"]).success();
    std::fs::remove_dir_all(repo.path(".git/modules")).expect("the modules");
    verify(&repo, &[]).success();
    let ran = verify(&repo, &["--replay"]).exits(2);
    assert!(
        ran.stderr.contains("submodules are not here: `deps/lib "),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("git submodule update --init"),
        "{}",
        ran.stderr
    );
    let get = format!(
        "git clone -q {} deps/lib",
        library.root().to_str().expect("text")
    );
    verify(&repo, &["--replay", "--setup", &get]).success();
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn known_failures_are_found_by_running() {
    let repo = Repo::new()
        .with("tests/old.t", "false\n")
        .committed()
        .installed();
    cycle(&repo, "add", ASKS, RIGHT);
    repo.tcr(&["squash"]).success();
    verify(&repo, &["--replay"]).success();
}

#[test]
fn a_test_command_that_is_not_given_is_detected_where_nobody_installed() {
    let make = ".PHONY: test\ntest:\n\t@sh ./run-tests\n";
    let repo = Repo::new()
        .with("Makefile", make)
        .configured("debounce_ms = 0\n")
        .installed();
    cycle(&repo, "add", "[ \"$(add 1 2)\" = 3 ]\n", RIGHT);
    repo.tcr(&["squash"]).success();
    repo.tcr(&["uninstall"]).success();
    verify(&repo, &["--replay"]).success();
}

#[test]
fn nothing_to_verify_is_no_success() {
    let repo = Repo::new();
    let ran = verify(&repo, &[]).exits(2);
    assert!(ran.stderr.contains("no squashed history"), "{}", ran.stderr);
    let ran = verify(&repo, &["HEAD"]).exits(2);
    assert!(
        ran.stderr
            .contains("no commit of `HEAD` comes with evidence"),
        "{}",
        ran.stderr
    );
    verify(&repo, &["nowhere..HEAD"]).exits(2);
    let repo = squashed();
    repo.git_past_hooks(&["update-ref", "-d", "refs/tcr/archive/main/1"]);
    let found = wrong(&repo, &["main~1..main"]);
    assert!(found[0].1.contains("is not here"), "{found:?}");
}

#[test]
fn a_swapped_commit_is_caught() {
    let repo = squashed();
    let green = archived(&repo, "green", "src/sub.sh");
    let tree = with_file(&repo, &green, "src/sub.sh", "sub() { echo 2; }\n");
    let forged = forge(&repo, &green, Some(&tree), None);
    let found = wrong(&repo, &[]);
    assert!(
        found
            .iter()
            .any(|(id, what)| *id == forged && what.contains("journal does not know")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|(_, what)| what.contains("no squash of this commit")),
        "{found:?}"
    );
    let found = wrong(&repo, &["main~1..main"]);
    assert!(
        found
            .iter()
            .any(|(id, what)| *id == repo.commit("main") && what.contains("is not here")),
        "{found:?}"
    );
}

#[test]
fn an_edited_note_is_caught() {
    let repo = squashed();
    let red = archived(&repo, "red", "tests/sub.t");
    let note = repo.git(&["notes", "--ref=tcr", "show", &red]);
    repo.git_past_hooks(&[
        "notes",
        "--ref=tcr",
        "add",
        "-f",
        "-m",
        &note.replace("1 failed", "2 failed"),
        &red,
    ]);
    let found = wrong(&repo, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].0 == red && found[0].1.contains("note does not say"),
        "{found:?}"
    );
    repo.git_past_hooks(&["notes", "--ref=tcr", "remove", &red]);
    let found = wrong(&repo, &[]);
    assert!(
        found[0].0 == red && found[0].1.contains("note is missing"),
        "{found:?}"
    );
}

#[test]
fn a_test_changed_between_red_and_green_is_caught() {
    let repo = squashed();
    let tip = repo.commit("refs/tcr/archive/main/1");
    let green = archived(&repo, "green", "src/sub.sh");
    let tree = with_file(&repo, &green, "tests/sub.t", "true\n");
    let forged = forge(&repo, &green, Some(&tree), None);
    forge_records(&repo, &tip);
    for args in [&[][..], &["--replay"]] {
        let found = wrong(&repo, args);
        let named = |(id, what): &(String, String)| {
            *id == forged && what.contains("tests changed between red and green: `tests/sub.t`")
        };
        assert!(found.iter().any(named), "{args:?}: {found:?}");
    }
}

#[test]
fn a_red_that_never_failed_is_caught_by_running_it() {
    let repo = squashed();
    let tip = repo.commit("refs/tcr/archive/main/1");
    let red = archived(&repo, "red", "tests/sub.t");
    let tree = with_file(&repo, &red, "tests/sub.t", "true\n");
    let forged = forge(&repo, &red, Some(&tree), None);
    forge_records(&repo, &tip);
    let found = wrong(&repo, &["--replay"]);
    let named =
        |(id, what): &(String, String)| *id == forged && what.contains("does not fail validly");
    assert!(found.iter().any(named), "{found:?}");
}

#[test]
fn a_red_recorded_as_passing_is_caught() {
    let repo = worked();
    // A label is easily claimed: this one bears the name of a red, and its tests passed.
    let message = "WIP\n\nTCR-Phase: red\nTCR-Cycle: 9";
    repo.git(&["commit", "-q", "--allow-empty", "-m", message]);
    let claimed = repo.commit("HEAD");
    repo.tcr(&["squash"]).success();
    let found = wrong(&repo, &[]);
    assert!(
        found
            .iter()
            .any(|(id, what)| *id == claimed && what.contains("did not fail")),
        "{found:?}"
    );
}

#[test]
fn a_green_without_a_red_is_caught() {
    let repo = squashed();
    let tip = repo.commit("refs/tcr/archive/main/1");
    let red = archived(&repo, "red", "tests/add.t");
    let text = repo.git(&["log", "-1", "--format=%B", &red]);
    forge(
        &repo,
        &red,
        None,
        Some(&text.replace("TCR-Phase: red", "TCR-Phase: chore")),
    );
    forge_records(&repo, &tip);
    let found = wrong(&repo, &[]);
    assert!(
        found
            .iter()
            .any(|(_, what)| what.contains("no red asked for")),
        "{found:?}"
    );
}

#[test]
fn a_squash_with_another_content_is_caught() {
    let repo = squashed();
    let tree = with_file(&repo, "main", "src/sub.sh", "sub() { echo evil; }\n");
    let text = repo.git(&["log", "-1", "--format=%B", "main"]);
    let forged = repo.git(&["commit-tree", "-p", "main~1", "-m", &text, &tree]);
    repo.git(&["update-ref", "refs/heads/main", &forged]);
    let found = wrong(&repo, &["main~1..main"]);
    assert!(
        found
            .iter()
            .any(|(id, what)| *id == forged && what.contains("content is not that of its history")),
        "{found:?}"
    );
}

#[test]
fn a_broken_chain_is_caught() {
    let repo = squashed();
    let link = repo.commit("refs/tcr/state/main~3");
    let path = repo.path(&format!(".git/objects/{}/{}", &link[..2], &link[2..]));
    std::fs::remove_file(path).expect("a loose object");
    let found = wrong(&repo, &[]);
    assert!(
        found
            .iter()
            .any(|(_, what)| what.contains("read the journal")),
        "{found:?}"
    );
    let repo = squashed();
    repo.git_past_hooks(&["update-ref", "-d", "refs/tcr/state/main"]);
    let found = wrong(&repo, &[]);
    assert!(
        found.iter().any(|(_, what)| what.contains("is missing")),
        "{found:?}"
    );
}

#[test]
fn tests_changed_by_hand_are_worth_a_look() {
    let repo = Repo::in_green();
    repo.write("tests/add.t", "[ \"$(add 2 2)\" = 4 ]\n");
    repo.git(&["commit", "-q", "-n", "-am", "Better numbers"]);
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["squash"]).success();
    let ran = verify(&repo, &[]).success();
    assert!(
        ran.stdout.contains("worth a look:") && ran.stdout.contains("`tests/add.t`"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_fresh_checkout_can_be_set_up() {
    let repo = Repo::new().with(".gitignore", "/built\n").committed();
    repo.write(
        "run-tests",
        &crate::support::RUNNER.replacen("n=0;", "[ -e built ] || exit 2\nn=0;", 1),
    );
    repo.write("built", "");
    let repo = repo.committed().installed();
    cycle(&repo, "add", ASKS, RIGHT);
    repo.tcr(&["squash"]).success();
    assert!(
        !wrong(&repo, &["--replay"]).is_empty(),
        "nothing is built there"
    );
    verify(&repo, &["--replay", "--setup", "touch built"]).success();
    verify(&repo, &["--replay", "--setup", "false"]).exits(2);
}

/// Another git that adds or removes a worktree shows it half made for a moment, and git gives up.
#[test]
fn a_worktree_that_others_add_or_remove_is_waited_for() {
    let repo = squashed();
    let half_made = "half=.git/worktrees/half; mkdir -p $half; echo /gone/.git >$half/gitdir
    REAL rev-parse HEAD >$half/HEAD; : >$half/commondir
    REAL \"$@\"; status=$?; rm -r $half";
    let just_gone = "echo \"fatal: Invalid path '$PWD/.git/worktrees/gone': No such file\" >&2
    status=128";
    let git = which::which("git").expect("git");
    for (name, meanwhile) in [("half-made", half_made), ("just-gone", just_gone)] {
        let script = "#!/bin/sh
case \"$*\" in *'worktree add'*)
  if mkdir ../met 2>/dev/null; then
    MEANWHILE
    exit $status
  fi;;
esac
exec REAL \"$@\"\n";
        let script = script.replace("MEANWHILE", meanwhile);
        let file = format!("../{name}/git");
        repo.write(&file, &script.replace("REAL", &git.to_string_lossy()));
        repo.make_executable(&file);
        let before = std::env::var("PATH").expect("a PATH");
        let path = format!("{}:{before}", repo.around().join(name).display());
        repo.tcr_in(repo.root(), &["verify", "--replay"], &[("PATH", &path)])
            .success();
        std::fs::remove_dir(repo.path("../met")).expect("git met the other one");
    }
}

#[test]
fn a_replay_leaves_no_worktree_behind() {
    let repo = squashed();
    // The folder of git's own that a checkout of this commit would have by its name.
    let tip = repo.commit("refs/tcr/archive/main/1");
    let theirs = repo.around().join(&tip).display().to_string();
    repo.git(&["worktree", "add", "-q", "--detach", &theirs, "main"]);
    let before = repo.git(&["worktree", "list", "--porcelain"]);
    for relative in ["false", "true"] {
        repo.git(&["config", "worktree.useRelativePaths", relative]);
        verify(&repo, &["--replay"]).success();
        assert_eq!(repo.git(&["worktree", "list", "--porcelain"]), before);
    }
}
