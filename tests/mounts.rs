//! A worktree that is not all on one mount: a volume of a container, a git directory elsewhere. Files
//! go back there as everywhere, and whatever ends the process, no helper file stays or is committed.

use std::path::PathBuf;

use crate::crash::picture::Contents;
use crate::support::Repo;
use crate::support::mounted::Mounted;

/// In phase `green`, with new, modified and deleted files in one folder.
fn with_changes() -> Repo {
    let repo = Repo::new()
        .with("src/volume/a.sh", "a() { echo a; }\n")
        .with("src/volume/deep/b.sh", "b() { echo b; }\n")
        .with("src/volume/deep/c.sh", "c() { echo c; }\n")
        .committed()
        .installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/volume/a.sh", "a() { echo A; }\n");
    repo.write("src/volume/new.sh", "new() { echo new; }\n");
    std::fs::remove_dir_all(repo.path("src/volume/deep")).expect("a folder");
    repo
}

/// Makes that folder a mount of its own, of the same file system.
fn mount(repo: &Repo) -> Option<Mounted> {
    let (folder, elsewhere) = (repo.path("src/volume"), repo.around().join("volume"));
    std::fs::rename(&folder, &elsewhere).expect("it is moved");
    std::fs::create_dir(&folder).expect("a folder");
    Mounted::view(&elsewhere, &folder)
}

/// Fails the test if a file of ours is in the worktree, or was taken for the user's work.
fn assert_nothing_of_ours(repo: &Repo, what: &str) {
    let found: Vec<PathBuf> = [repo.path(""), repo.path("src"), repo.path("src/volume")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder").flatten())
        .map(|item| item.path())
        .filter(|path| path.to_string_lossy().contains(".git-tcr-"))
        .collect();
    assert_eq!(found, Vec::<PathBuf>::new(), "{what}");
    let known = repo.git(&["log", "--all", "--format=", "--name-only"]);
    assert!(!known.contains(".git-tcr-"), "{what}: {known}");
}

#[test]
fn a_folder_that_is_mounted() {
    let repo = with_changes();
    let Some(_mounted) = mount(&repo) else {
        return;
    };
    let contents = Contents::of(&repo);
    assert_eq!(repo.run_json()["recover"], 1);
    assert_eq!(repo.porcelain(), "");
    contents.assert_there(&repo, "reverted");
    repo.tcr(&["recover", "restore", "1"]).success();
    assert_eq!(repo.read("src/volume/a.sh"), "a() { echo A; }\n");
    assert!(!repo.exists("src/volume/deep"));
    assert_nothing_of_ours(&repo, "restored");
    repo.assert_tidy("restored");
}

#[test]
fn killed_while_a_file_of_a_mounted_folder_is_replaced() {
    let prepared = with_changes();
    for moment in [
        "path-prepared#1",
        "path-prepared#2",
        "path-prepared#3",
        "path-set-aside#1",
        "path-swapped#1",
    ] {
        for overtaken in [false, true] {
            let what = format!("{moment}, overtaken: {overtaken}");
            let repo = prepared.copy();
            let Some(_mounted) = mount(&repo) else {
                return;
            };
            let contents = Contents::of(&repo);
            let fault = format!("kill:{moment}");
            let ran = repo.tcr_in(repo.root(), &["run"], &[("GIT_TCR_FAULT", &fault)]);
            assert_eq!(ran.status, -1, "{what}: {}", ran.stderr);
            if overtaken {
                repo.git(&["commit", "-q", "--allow-empty", "-m", "by hand"]);
            }
            let ran = repo.tcr(&["run"]);
            assert!(matches!(ran.status, 0 | 1), "{what}: {}", ran.stderr);
            assert_eq!(repo.porcelain(), "", "{what}");
            contents.assert_there(&repo, &what);
            assert_nothing_of_ours(&repo, &what);
            repo.assert_tidy(&what);
        }
    }
}

/// Nothing begins that could not be finished, and a person gets out all the same.
#[test]
fn a_file_that_cannot_be_replaced() {
    let repo = with_changes();
    let (file, elsewhere) = (repo.path("src/volume/a.sh"), repo.around().join("a.sh"));
    let folder = repo.path("src/volume");
    std::fs::copy(&file, &elsewhere).expect("a copy");
    let refuses = |why: &str| {
        let before = (repo.porcelain(), repo.git(&["for-each-ref"]));
        let ran = repo.tcr(&["run"]).exits(2);
        assert!(ran.stderr.contains("could not replace `"), "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!((repo.porcelain(), repo.git(&["for-each-ref"])), before);
    };
    {
        let Some(_mounted) = Mounted::view(&elsewhere, &file) else {
            return;
        };
        refuses("resource busy");
    }
    {
        let Some(mounted) = Mounted::view(&folder, &folder) else {
            return;
        };
        mounted.make_read_only();
        refuses("Read-only file system");
    }
    assert_eq!(repo.run_json()["recover"], 1);
    assert_eq!(repo.porcelain(), "");
}

/// It became so after the process had begun, and died.
#[test]
fn a_plan_that_cannot_be_finished_keeps_nobody_from_switching_off() {
    let repo = with_changes();
    let folder = repo.path("src/volume");
    let fault = [("GIT_TCR_FAULT", "kill:refs-moved#1")];
    assert_eq!(repo.tcr_in(repo.root(), &["run"], &fault).status, -1);
    {
        let Some(mounted) = Mounted::view(&folder, &folder) else {
            return;
        };
        mounted.make_read_only();
        repo.tcr(&["run"]).exits(2);
        let off = repo.tcr(&["off"]).success();
        assert!(off.stdout.contains("could not be finished: "), "{off:?}");
        assert_eq!(repo.status()["enabled"], false);
    }
    repo.tcr(&["on"]).success();
    assert_eq!(repo.porcelain(), "");
    repo.assert_tidy("switched on");
}
