//! Hooks that were there keep running beside ours, whoever put them there and wherever they are;
//! uninstalling leaves everything as it was, byte for byte.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use crate::support::Repo;

/// A hook that says its name and what it was given, arguments and input.
const LOUD: &str =
    "#!/bin/sh\necho \"$(basename \"$0\") $*\" >>\"$HOME/ran\"\ncat >>\"$HOME/ran\"\n";
const FAILING: &str = "#!/bin/sh\nexit 7\n";

type Files = BTreeMap<String, (u32, Vec<u8>)>;

impl Repo {
    fn hook(&self, path: &str, text: &str) {
        self.write(path, text);
        self.make_executable(path);
    }

    /// What the loud hooks said since the last time.
    fn ran(&self) -> String {
        let file = self.around().join("home/ran");
        let said = std::fs::read_to_string(&file).unwrap_or_default();
        drop(std::fs::remove_file(file));
        said
    }

    /// Everything that has to do with hooks: the folders, and git's config.
    fn hooks_and_config(&self, folders: &[&str]) -> Files {
        let mut found = Files::new();
        for folder in folders {
            for entry in std::fs::read_dir(self.path(folder))
                .into_iter()
                .flatten()
                .flatten()
            {
                if let Ok(bytes) = std::fs::read(entry.path()) {
                    let mode = entry.metadata().expect("a file").permissions().mode();
                    found.insert(entry.path().display().to_string(), (mode, bytes));
                }
            }
        }
        let config = std::fs::read(self.path(".git/config")).expect("git's config");
        found.insert("config".into(), (0, config));
        found
    }

    fn config(&self, key: &str) -> String {
        self.try_git(&["config", key]).stdout.trim_end().to_owned()
    }

    fn commit_all(&self) {
        self.write("docs.md", &format!("{}\n", self.commit("HEAD")));
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "mine"]);
    }
}

/// Our refs are guarded, and a commit on the base branch runs the hooks of others.
fn both_run(repo: &Repo) {
    let ran = repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]);
    assert!(ran.stderr.contains("belongs to git tcr"), "{}", ran.stderr);
    repo.ran();
    repo.commit_all();
    let said = repo.ran();
    assert!(said.contains("pre-commit"), "{said}");
}

#[test]
fn plain_hooks_keep_running_with_their_input_and_their_say() {
    let repo = Repo::new();
    let names = [
        "commit-msg",
        "pre-push",
        "post-checkout",
        "reference-transaction",
    ];
    for name in names {
        repo.hook(
            &format!(".git/hooks/{name}"),
            &LOUD.replace("$(basename \"$0\")", name),
        );
    }
    repo.hook(
        ".git/hooks/pre-commit",
        &LOUD.replace("$(basename \"$0\")", "pre-commit"),
    );
    repo.hook(".git/hooks/post-commit", LOUD);
    let before = repo.hooks_and_config(&[".git/hooks"]);
    repo.tcr(&["install", "--yes"]).success();
    both_run(&repo);
    repo.commit_all();
    let said = repo.ran();
    for wanted in [
        "pre-commit \n",
        "commit-msg .git/COMMIT_EDITMSG",
        "post-commit",
        "reference-transaction prepared",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let id = repo.commit("HEAD");
    assert!(
        said.contains(&format!("{id} refs/heads/main")),
        "its input: {said}"
    );
    let remote = repo.around().join("remote.git");
    repo.git(&["init", "-q", "--bare", remote.to_str().expect("text")]);
    repo.git(&["push", "-q", remote.to_str().expect("text"), "main"]);
    let said = repo.ran();
    assert!(
        said.contains(&format!("refs/heads/main {id} refs/heads/main")),
        "{said}"
    );

    for (name, command) in [
        ("pre-commit", "commit"),
        ("commit-msg", "commit"),
        ("reference-transaction", "tag"),
    ] {
        let kept = format!(".git/hooks/{name}.before-tcr");
        let text = repo.read(&kept);
        repo.write(&kept, FAILING);
        let args: &[&str] = match command {
            "commit" => &["commit", "-q", "--allow-empty", "-m", "x"],
            _ => &["tag", "x"],
        };
        assert_ne!(repo.try_git(args).status, 0, "{name} has its say");
        repo.write(&kept, &text);
    }
    repo.tcr(&["install", "--yes"]).success();
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
}

#[test]
fn a_hook_that_changes_what_is_committed_is_judged_by_the_outcome() {
    let repo = Repo::in_green();
    repo.hook(
        ".git/hooks/pre-commit.before-tcr",
        "#!/bin/sh\necho true >tests/add.t\ngit add tests\n",
    );
    repo.write("src/add.sh", "add() { :; }\n");
    repo.git(&["add", "src"]);
    let ran = repo.try_git(&["commit", "-q", "-m", "formatted"]);
    assert_ne!(ran.status, 0);
    assert!(ran.stderr.contains("`tests/add.t`"), "{}", ran.stderr);
}

#[test]
fn without_any_hooks_nothing_is_left() {
    let repo = Repo::new();
    std::fs::remove_dir_all(repo.path(".git/hooks")).expect("samples");
    let before = repo.hooks_and_config(&[".git/hooks"]);
    repo.tcr(&["install", "--yes"]).success();
    assert_ne!(
        repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]).status,
        0
    );
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
    repo.git(&["update-ref", "refs/tcr/new", "HEAD"]);
}

/// The folder as husky 9 makes it.
fn husky(repo: &Repo) {
    repo.write(
        ".husky/_/h",
        "#!/usr/bin/env sh\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n\
         [ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\nc=$?\n\
         [ $c != 0 ] && echo \"husky - $n script failed (code $c)\"\nexit $c\n",
    );
    for name in [
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-merge",
        "pre-push",
        "prepare-commit-msg",
    ] {
        repo.hook(
            &format!(".husky/_/{name}"),
            "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"",
        );
    }
    repo.write(".husky/_/.gitignore", "*");
    repo.write(
        ".husky/pre-commit",
        "echo husky pre-commit >>\"$HOME/ran\"\n",
    );
    repo.write(
        ".husky/post-commit",
        "echo husky post-commit >>\"$HOME/ran\"\n",
    );
    repo.git(&["config", "core.hooksPath", ".husky/_"]);
}

#[test]
fn husky_keeps_running_and_its_folder_is_not_touched() {
    let repo = Repo::new();
    husky(&repo);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "husky"]);
    repo.ran();
    let before = repo.hooks_and_config(&[".git/hooks", ".husky", ".husky/_"]);
    repo.tcr(&["install", "--yes"]).success();
    assert_eq!(repo.porcelain(), "");
    both_run(&repo);
    repo.commit_all();
    assert_eq!(repo.ran(), "husky pre-commit\nhusky post-commit\n");
    repo.tcr(&["install", "--yes"]).success();
    repo.tcr(&["uninstall"]).success();
    assert_eq!(
        repo.hooks_and_config(&[".git/hooks", ".husky", ".husky/_"]),
        before
    );
    assert!(!repo.exists(".git/tcr/hooks"));
}

#[test]
fn husky_that_sets_itself_up_again_is_passed_on_to_by_the_next_loop() {
    let repo = Repo::new();
    husky(&repo);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "husky"]);
    let repo = repo.installed();
    repo.git(&["config", "core.hooksPath", ".husky/_"]);
    let ran = repo.tcr(&["run"]);
    assert!(ran.stdout.contains("core.hooksPath"), "{}", ran.stdout);
    both_run(&repo);
    let ran = repo.tcr(&["run"]);
    assert!(
        !ran.stdout.contains("core.hooksPath"),
        "told once: {}",
        ran.stdout
    );
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.config("core.hooksPath"), ".husky/_");
}

#[test]
fn husky_that_comes_after_us_is_passed_on_to() {
    let repo = Repo::new();
    repo.hook(".git/hooks/post-merge", LOUD);
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let repo = repo.installed();
    husky(&repo);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "husky"]);
    let ran = repo.tcr(&["run"]);
    assert!(ran.stdout.contains(".husky/_"), "{}", ran.stdout);
    assert_ne!(
        repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]).status,
        0
    );
    repo.ran();
    repo.git(&["commit", "-q", "--allow-empty", "-m", "mine"]);
    assert_eq!(repo.ran(), "husky pre-commit\nhusky post-commit\n");
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.config("core.hooksPath"), ".husky/_");
    let mut after = repo.hooks_and_config(&[".git/hooks"]);
    after.insert("config".into(), before["config"].clone());
    assert_eq!(after, before);
}

#[test]
fn husky_that_was_taken_away_leaves_the_hooks_it_had_hidden() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", LOUD);
    husky(&repo);
    let repo = repo.installed();
    repo.git(&["config", "--unset", "core.hooksPath"]);
    std::fs::remove_dir_all(repo.path(".husky")).expect("its folder");
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let ran = repo.tcr(&["run"]);
    assert!(ran.stdout.contains("core.hooksPath"), "{}", ran.stdout);
    both_run(&repo);
    let ran = repo.tcr(&["run"]);
    assert!(!ran.stdout.contains("hooks"), "told once: {}", ran.stdout);
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
    assert!(!repo.exists(".git/tcr/hooks"));
}

#[test]
fn a_shared_folder_keeps_all_its_hooks_also_ones_we_have_no_say_in() {
    let repo = Repo::new();
    for name in ["pre-commit", "post-merge", "sendemail-validate", "update"] {
        repo.hook(&format!("githooks/{name}"), LOUD);
    }
    repo.write("githooks/common.sh", "# no hook\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "hooks"]);
    repo.git(&["config", "core.hooksPath", "githooks"]);
    let before = repo.hooks_and_config(&[".git/hooks", "githooks"]);
    let repo = repo.installed();
    both_run(&repo);
    for name in ["post-merge", "sendemail-validate", "update"] {
        repo.git(&["hook", "run", name, "--", "word"]);
        assert_eq!(repo.ran(), format!("{name} word\n"));
    }
    assert!(!repo.exists(".git/tcr/hooks/common.sh"));
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks", "githooks"]), before);
}

#[test]
fn a_folder_for_all_repositories_keeps_running_and_stays_as_it_is() {
    let repo = Repo::new();
    let home = repo.around().join("home");
    let folder = home.join("my hooks");
    std::fs::create_dir(&folder).expect("a folder");
    repo.hook(folder.join("pre-commit").to_str().expect("text"), LOUD);
    let config = home.join("gitconfig");
    std::fs::write(&config, "[core]\n\thooksPath = ~/my hooks\n").expect("a file");
    let config = config.to_str().expect("text").to_owned();
    let variables = [("GIT_CONFIG_GLOBAL", config.as_str())];
    let before = repo.hooks_and_config(&[".git/hooks"]);
    repo.tcr_in(repo.root(), &["install", "--yes"], &variables)
        .success();
    let commit = format!("GIT_CONFIG_GLOBAL='{config}' git commit -q --allow-empty -m mine");
    repo.shell(&commit).success();
    assert!(repo.ran().contains("pre-commit"));
    let moved = repo.shell(&format!(
        "GIT_CONFIG_GLOBAL='{config}' git update-ref refs/tcr/new HEAD"
    ));
    assert!(
        moved.stderr.contains("belongs to git tcr"),
        "{}",
        moved.stderr
    );
    let ran = repo.tcr_in(repo.root(), &["run"], &variables);
    assert!(!ran.stdout.contains("core.hooksPath"), "{}", ran.stdout);
    repo.tcr_in(repo.root(), &["uninstall"], &variables)
        .success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
}

#[test]
fn a_hooks_folder_that_is_a_link_is_not_written_into() {
    let repo = Repo::new();
    repo.hook("githooks/pre-commit", LOUD);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "hooks"]);
    std::fs::remove_dir_all(repo.path(".git/hooks")).expect("samples");
    repo.link("../githooks", ".git/hooks");
    let before = repo.hooks_and_config(&["githooks"]);
    let repo = repo.installed();
    assert_eq!(repo.porcelain(), "");
    both_run(&repo);
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&["githooks"]), before);
}

/// What `pre-commit install` and `prek install` do where a hook is: it moves aside as `.legacy`, and
/// theirs runs it.
const PRE_COMMIT: &str = "#!/usr/bin/env bash\n# File generated by pre-commit\n\
    HERE=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\necho framework >>\"$HOME/ran\"\n\
    if [ -x \"$HERE/pre-commit.legacy\" ]; then \"$HERE/pre-commit.legacy\" \"$@\" || exit; fi\n";

#[test]
fn pre_commit_before_us_keeps_running_with_what_it_kept() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", PRE_COMMIT);
    repo.hook(
        ".git/hooks/pre-commit.legacy",
        &LOUD.replace("$(basename \"$0\")", "pre-commit"),
    );
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let repo = repo.installed();
    both_run(&repo);
    repo.commit_all();
    assert_eq!(repo.ran(), "framework\npre-commit \n");
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
}

#[test]
fn pre_commit_after_us_ends_in_a_chain_of_all() {
    let repo = Repo::new();
    repo.hook(
        ".git/hooks/pre-commit",
        &LOUD.replace("$(basename \"$0\")", "pre-commit"),
    );
    let mine = repo.read(".git/hooks/pre-commit");
    let repo = repo.installed();
    std::fs::rename(
        repo.path(".git/hooks/pre-commit"),
        repo.path(".git/hooks/pre-commit.legacy"),
    )
    .expect("our hook");
    repo.hook(".git/hooks/pre-commit", PRE_COMMIT);
    both_run(&repo);
    for _ in 0..2 {
        repo.tcr(&["run"]);
        both_run(&repo);
        repo.commit_all();
        assert_eq!(repo.ran(), "framework\npre-commit \n", "each once");
    }
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.read(".git/hooks/pre-commit"), PRE_COMMIT);
    assert_eq!(repo.read(".git/hooks/pre-commit.legacy"), mine);
    assert!(!repo.exists(".git/hooks/pre-commit.before-tcr"));
}

/// The framework's hook moves to our place, and what stands there to where it keeps things.
fn pre_commit_install(repo: &Repo) {
    let (hook, kept) = (".git/hooks/pre-commit", ".git/hooks/pre-commit.legacy");
    if repo.exists(hook) && repo.read(hook) != PRE_COMMIT {
        std::fs::rename(repo.path(hook), repo.path(kept)).expect("a hook");
    }
    repo.hook(hook, PRE_COMMIT);
}

#[test]
fn what_pre_commit_keeps_outlives_that_it_is_installed_again() {
    let repo = Repo::new();
    let mine = LOUD.replace("$(basename \"$0\")", "pre-commit");
    repo.hook(".git/hooks/pre-commit", &mine);
    pre_commit_install(&repo);
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let repo = repo.installed();
    for _ in 0..2 {
        pre_commit_install(&repo);
        repo.commit_all();
        let said = repo.ran();
        assert!(
            said.contains("framework\n") && said.contains("pre-commit \n"),
            "at once: {said}"
        );
        repo.tcr(&["run"]);
        both_run(&repo);
        repo.commit_all();
        assert_eq!(repo.ran(), "framework\npre-commit \n", "each once");
    }
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
    // The same when nobody looked in between.
    repo.tcr(&["install", "--yes"]).success();
    pre_commit_install(&repo);
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
}

#[test]
fn what_pre_commit_was_told_to_forget_stays_forgotten() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", LOUD);
    pre_commit_install(&repo);
    let repo = repo.installed();
    // `pre-commit install --overwrite`
    repo.remove(".git/hooks/pre-commit.legacy");
    repo.hook(".git/hooks/pre-commit", PRE_COMMIT);
    repo.tcr(&["run"]);
    repo.commit_all();
    assert_eq!(repo.ran(), "framework\n");
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.read(".git/hooks/pre-commit"), PRE_COMMIT);
    assert!(!repo.exists(".git/hooks/pre-commit.legacy"));
    assert!(!repo.exists(".git/hooks/pre-commit.legacy.before-tcr"));
}

/// What `lefthook install` writes; a hook that is there moves aside as `.old` and is not run.
const LEFTHOOK: &str = "#!/bin/sh\ncall_lefthook() { echo \"lefthook $*\" >>\"$HOME/ran\"; }\n\
    call_lefthook run \"pre-commit\" \"$@\"\n";

#[test]
fn lefthook_before_and_after_us() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", LEFTHOOK);
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let repo = repo.installed();
    both_run(&repo);
    // It writes its hooks anew whenever its config changes.
    std::fs::rename(
        repo.path(".git/hooks/pre-commit"),
        repo.path(".git/hooks/pre-commit.old"),
    )
    .expect("our hook");
    repo.hook(".git/hooks/pre-commit", LEFTHOOK);
    repo.tcr(&["run"]);
    both_run(&repo);
    repo.commit_all();
    assert_eq!(repo.ran(), "lefthook run pre-commit\n");
    repo.tcr(&["uninstall"]).success();
    let mut after = repo.hooks_and_config(&[".git/hooks"]);
    // What it moved aside was its own.
    after.retain(|name, _| !name.ends_with(".old"));
    assert_eq!(after, before);
}

/// It refuses if something is kept already.
fn lefthook_install(repo: &Repo) {
    let (hook, kept) = (".git/hooks/pre-commit", ".git/hooks/pre-commit.old");
    if repo.exists(hook) && repo.read(hook) != LEFTHOOK {
        assert!(!repo.exists(kept), "can't rename: file already exists");
        std::fs::rename(repo.path(hook), repo.path(kept)).expect("a hook");
    }
    repo.hook(hook, LEFTHOOK);
}

#[test]
fn what_lefthook_keeps_is_not_in_its_way_and_comes_back() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", LOUD);
    lefthook_install(&repo);
    let before = repo.hooks_and_config(&[".git/hooks"]);
    let repo = repo.installed();
    for _ in 0..2 {
        lefthook_install(&repo);
        repo.tcr(&["run"]);
        both_run_lefthook(&repo);
    }
    let with_both = repo.copy();
    repo.tcr(&["uninstall"]).success();
    assert_eq!(repo.hooks_and_config(&[".git/hooks"]), before);
    // `lefthook uninstall` takes away every hook of its own and gives back what it had kept.
    with_both.remove(".git/hooks/pre-commit.before-tcr");
    both_run(&with_both);
    with_both.tcr(&["uninstall"]).success();
    assert_eq!(with_both.read(".git/hooks/pre-commit"), LOUD);
    assert!(!with_both.exists(".git/hooks/pre-commit.old"));
}

fn both_run_lefthook(repo: &Repo) {
    let ran = repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]);
    assert!(ran.stderr.contains("belongs to git tcr"), "{}", ran.stderr);
    repo.ran();
    repo.commit_all();
    assert_eq!(repo.ran(), "lefthook run pre-commit\n");
}

#[test]
fn a_tool_that_overwrites_our_hook_takes_nothing_that_we_keep() {
    let repo = Repo::new();
    repo.hook(".git/hooks/pre-commit", "#!/bin/sh\n# mine\n");
    let repo = repo.installed();
    repo.hook(".git/hooks/pre-commit", LEFTHOOK);
    repo.tcr(&["run"]);
    both_run(&repo);
    assert_eq!(
        repo.read(".git/hooks/pre-commit.before-tcr.1"),
        "#!/bin/sh\n# mine\n"
    );
}

#[test]
fn installing_from_a_linked_worktree_guards_all_of_them() {
    let repo = Repo::new();
    repo.hook(
        ".git/hooks/pre-commit",
        &LOUD.replace("$(basename \"$0\")", "pre-commit"),
    );
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked"]);
    let linked = repo.around().join("linked");
    repo.tcr_in(&linked, &["install", "--yes"], &[]).success();
    both_run(&repo);
    let ran = repo.shell(
        "cd ../linked && git commit -q --allow-empty -m mine && git update-ref refs/tcr/new HEAD",
    );
    assert!(ran.stderr.contains("belongs to git tcr"), "{}", ran.stderr);
    assert_eq!(repo.ran(), "pre-commit \n");
    repo.tcr_in(&linked, &["uninstall"], &[]).success();
    assert!(!repo.exists(".git/hooks/reference-transaction"));
}

#[test]
fn the_hooks_of_one_worktree_stay_its_own() {
    let repo = Repo::new();
    repo.hook("githooks/pre-commit", LOUD);
    repo.git(&["config", "extensions.worktreeConfig", "true"]);
    repo.git(&["config", "--worktree", "core.hooksPath", "githooks"]);
    let repo = repo.installed();
    both_run(&repo);
    repo.tcr(&["uninstall"]).success();
    assert_eq!(
        repo.git(&["config", "--worktree", "core.hooksPath"]),
        "githooks"
    );
}
