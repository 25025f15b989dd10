//! The lint stage: what passes its tests has to be clean before it is committed.

use crate::support::Repo;
use crate::support::example::{ASKS, RIGHT};

/// A repository in phase `green` whose lint command wants no `FIXME` in the source, and counts how
/// often it ran.
fn in_green(more: &str) -> Repo {
    let lint = "echo . >> \"$HOME/lints\"; ! grep -n FIXME src/*.sh";
    let repo = Repo::new()
        .configured(&format!("test = \"./run-tests\"\nlint = '{lint}'\n{more}"))
        .installed();
    repo.write("tests/add.t", ASKS);
    assert_eq!(repo.run_json()["verdict"], "red");
    assert_eq!(lints(&repo), 0, "a red is not linted");
    repo
}

fn lints(repo: &Repo) -> usize {
    let counted = repo.around().join("home/lints");
    std::fs::read_to_string(counted).map_or(0, |text| text.lines().count())
}

#[test]
fn findings_hold_a_green_back_and_the_work_is_kept() {
    let repo = in_green("");
    let dirty = format!("{RIGHT}# FIXME\n");
    repo.write("src/add.sh", &dirty);
    let ran = repo.tcr(&["run"]).exits(1);
    for said in [
        "kept, not committed",
        "the lint command has findings",
        "2:# FIXME",
        "fix what it names, then `git tcr run`",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    assert_eq!(repo.read("src/add.sh"), dirty);
    assert_eq!(repo.status()["phase"], "green");

    repo.write("src/add.sh", RIGHT);
    let clean = repo.run_json();
    assert_eq!(clean["why"], "green", "{clean}");
    assert_eq!(clean["lint"]["clean"], true);
}

#[test]
fn a_tree_is_linted_once_unless_forced() {
    let repo = in_green("");
    repo.write("src/add.sh", &format!("{RIGHT}# FIXME\n"));
    assert_eq!(repo.run_json()["lint"]["clean"], false);
    let again = repo.run_json();
    assert_eq!(again["action"], "keep", "{again}");
    assert!(
        again["lint"]["output"]
            .as_str()
            .is_some_and(|text| text.contains("FIXME")),
        "{again}"
    );
    assert_eq!(lints(&repo), 1);
    repo.tcr(&["run", "--force"]).exits(1);
    assert_eq!(lints(&repo), 2);
}

#[test]
fn a_refactor_is_linted_too() {
    let repo = in_green("");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("src/add.sh", &format!("# FIXME\n{RIGHT}"));
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    repo.write("src/add.sh", &format!("# adds\n{RIGHT}"));
    assert_eq!(repo.run_json()["why"], "refactor");
}

#[test]
fn a_linter_that_does_not_run_finds_nothing_out() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\nlint = \"no-such-linter\"\n")
        .installed();
    repo.write("tests/add.t", ASKS);
    repo.run_json();
    repo.write("src/add.sh", RIGHT);
    let ran = repo.tcr(&["run"]).exits(1);
    assert!(
        ran.stdout.contains("the lint command could not run"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("it was not found"), "{}", ran.stdout);
    assert_eq!(repo.read("src/add.sh"), RIGHT);
}

#[test]
fn what_the_linter_wrote_is_tested_before_it_is_committed() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\nlint = \"sed -i 's/  */ /g' src/*.sh\"\n")
        .installed();
    repo.write("tests/add.t", ASKS);
    repo.run_json();
    repo.write("src/add.sh", "add()  { echo $(($1 + $2)); }\n");
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(kept["lint"]["wrote"][0], "src/add.sh");
    assert_eq!(repo.read("src/add.sh"), RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(repo.show("HEAD:src/add.sh"), RIGHT.trim_end());
}

#[test]
fn where_nothing_is_committed_the_phase_waits_for_the_linter() {
    for mode in ["tdd", "observe"] {
        let repo = in_green(&format!("mode = \"{mode}\"\n"));
        repo.write("src/add.sh", &format!("{RIGHT}# FIXME\n"));
        let recorded = repo.run_json();
        assert_eq!(recorded["action"], "none", "{mode}: {recorded}");
        assert_eq!(recorded["next_phase"], "green", "{mode}: {recorded}");
        assert!(
            recorded["would"]
                .as_str()
                .is_some_and(|would| would.contains("lint")),
            "{mode}: {recorded}"
        );
        repo.write("src/add.sh", RIGHT);
        assert_eq!(repo.run_json()["next_phase"], "red", "{mode}");
    }
}

#[test]
fn relaxed_holds_back_without_reverting() {
    let repo = in_green("mode = \"relaxed\"\n");
    repo.write("src/add.sh", &format!("{RIGHT}# FIXME\n"));
    assert_eq!(repo.run_json()["action"], "keep");
    assert!(repo.exists("src/add.sh"));
}

#[test]
fn install_shows_the_linter_that_a_project_is_set_up_for() {
    let repo = Repo::new()
        .with("pyproject.toml", "[tool.ruff]\nline-length = 100\n")
        .with("Makefile", "test:\n\t./run-tests\n");
    repo.remove(".tcr.toml");
    let ran = repo.tcr(&["install", "--yes"]).success();
    assert!(
        ran.stdout
            .contains("found a linter: `ruff check` (`pyproject.toml`)"),
        "{}",
        ran.stdout
    );
    let config = repo.read(".tcr.toml");
    assert!(config.contains("# lint = \"ruff check\""), "{config}");
}

#[test]
fn a_project_is_linted_by_its_own_command() {
    let repo = Repo::new()
        .configured(
            "test = \"./run-tests\"\nlint = \"false\"\n\
             [[project]]\npath = \"src\"\nlint = \"! grep -n FIXME add.sh\"\n",
        )
        .installed();
    repo.write("tests/add.t", ASKS);
    repo.run_json();
    repo.write("src/add.sh", RIGHT);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
}
