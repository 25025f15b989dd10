//! `git tcr smells`, and what the loop does with findings.

use crate::support::Repo;

const TAUTOLOGY: &str = "def test_add():\n    assert True\n";
const NOTHING: &str = "def test_add():\n    add(1, 2)\n";
const FINE: &str = "def test_add():\n    assert add(1, 2) == 3\n";

fn rules(found: &serde_json::Value) -> Vec<String> {
    let findings = found["findings"].as_array().expect("findings").iter();
    findings
        .map(|finding| {
            format!(
                "{}:{} {} {}",
                finding["file"].as_str().expect("a file"),
                finding["line"],
                finding["rule"].as_str().expect("a rule"),
                finding["severity"].as_str().expect("a severity"),
            )
        })
        .collect()
}

fn smells(repo: &Repo, args: &[&str]) -> serde_json::Value {
    let args: Vec<&str> = ["smells", "--json"].iter().chain(args).copied().collect();
    repo.tcr(&args).json()
}

#[test]
fn each_finding_says_where_what_why_and_what_to_do() {
    let repo = Repo::new().with("tests/test_add.py", TAUTOLOGY).committed();
    repo.write("tests/test_sub.py", NOTHING);
    let ran = repo.changes_nothing(&["smells"]).exits(1);
    insta::assert_snapshot!(ran.stdout, @r"
    tcr: 2 findings, 1 blocks a commit; looked at 2 tests in 2 files
      tests/test_add.py:2: block tautology: `assert True` can't fail
        compare what the code gave with what it should give
      tests/test_sub.py:1: warn no_assertion: test `test_add` looks at nothing that comes of it
        assert what the call is to bring about, or say in its name what it is for
    hint: mend them; or say why not, in a comment: `tcr:allow RULE: REASON`; or `[smells]` in `.tcr.toml`
    ");
    let found = smells(&repo, &[]);
    assert_eq!(found["blocking"], 1, "{found}");
    assert_eq!(found["tests"], 2);
    let first = &found["findings"][0];
    assert_eq!(first["test"], "test_add");
    assert!(first["why"].is_string() && first["fix"].is_string());
}

#[test]
fn files_and_folders_can_be_named() {
    let repo = Repo::new()
        .with("tests/test_add.py", TAUTOLOGY)
        .with("tests/deep/test_sub.py", NOTHING)
        .with("helpers/checks.py", TAUTOLOGY)
        .committed();
    assert_eq!(
        rules(&smells(&repo, &["tests/deep"])),
        ["tests/deep/test_sub.py:1 no_assertion warn"]
    );
    assert_eq!(
        rules(&smells(&repo, &["helpers/checks.py"])),
        ["helpers/checks.py:2 tautology block"],
        "a named file is looked at wherever it lies"
    );
    repo.tcr(&["smells", "tests/deep"]).success();
    assert_eq!(
        rules(&smells(&repo, &["."])).len(),
        2,
        "the root is a folder too"
    );
    let missing = repo.tcr(&["smells", "tests/none.py"]).exits(2);
    assert!(
        missing.stderr.contains("tests/none.py"),
        "{}",
        missing.stderr
    );
    let outside = repo.tcr(&["smells", "../none.py"]).exits(2);
    assert!(outside.stderr.contains("hint:"), "{}", outside.stderr);
}

#[test]
fn what_can_not_be_read_is_said_in_one_line_each() {
    let repo = Repo::new()
        .with("tests/test_bad.py", "def test_a(:\n")
        .with("tests/test_other.py", "<?php\nfinal class A { }\n")
        .with("tests/notes.kt", "fun main() {}\n");
    repo.write_raw(b"tests/test_bytes.py", b"\xff\xfe\x00");
    repo.write_raw(b"tests/test_huge.py", &vec![b'#'; 2 * 1024 * 1024]);
    let repo = repo.committed();
    let found = smells(&repo, &[]);
    assert_eq!(rules(&found), [] as [&str; 0]);
    let notes: Vec<&str> = found["notes"]
        .as_array()
        .expect("notes")
        .iter()
        .filter_map(|note| note.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "`tests/test_bad.py` does not parse at line 1; it was looked at as far as it could be read",
            "`tests/test_bytes.py` is not UTF-8, and was not looked at",
            "`tests/test_huge.py` is too large to be looked at",
            "`tests/test_other.py` does not parse at line 1; it was looked at as far as it could be read",
        ]
    );
    let named = smells(&repo, &["tests/notes.kt"]);
    assert_eq!(
        named["notes"][0],
        "`tests/notes.kt` is in no language that can be looked at"
    );
}

#[test]
fn the_config_weighs_and_silences() {
    let repo = Repo::new()
        .with("tests/test_add.py", TAUTOLOGY)
        .with("tests/test_sub.py", NOTHING)
        .configured(
            "test = \"./run-tests\"\n[smells]\ntautology = \"off\"\nno_assertion = \"block\"\n",
        );
    assert_eq!(
        rules(&smells(&repo, &[])),
        ["tests/test_sub.py:1 no_assertion block"]
    );
    repo.tcr(&["smells"]).exits(1);
}

#[test]
fn a_comment_needs_a_reason() {
    let repo = Repo::new()
        .with(
            "tests/test_add.py",
            "def test_add():  # tcr:allow no_assertion: it must not hang\n    add(1, 2)\n",
        )
        .with(
            "tests/test_sub.py",
            "def test_sub():  # tcr:allow no_assertion\n    sub(1, 2)\n",
        )
        .committed();
    let found = smells(&repo, &[]);
    assert_eq!(rules(&found), ["tests/test_sub.py:1 no_assertion warn"]);
    assert_eq!(found["allowed"], 1);
    let note = found["notes"][0].as_str().expect("a note");
    assert!(
        note.contains("`tests/test_sub.py:1` gives no reason"),
        "{note}"
    );
}

#[test]
fn staged_changes_are_looked_at_for_what_they_bring() {
    let repo = Repo::new().with("tests/test_add.py", TAUTOLOGY).committed();
    repo.write("tests/test_add.py", &format!("{TAUTOLOGY}\n{NOTHING}"));
    assert_eq!(rules(&smells(&repo, &["--staged"])), [] as [&str; 0]);
    repo.git(&["add", "-A"]);
    repo.write("tests/test_add.py", FINE);
    assert_eq!(
        rules(&smells(&repo, &["--staged"])),
        ["tests/test_add.py:4 no_assertion warn"],
        "what is in the index counts, and what was there before does not"
    );
}

#[test]
fn a_range_is_looked_at_for_what_it_brings_and_for_its_order() {
    let repo = Repo::new().with("tests/test_old.py", TAUTOLOGY).committed();
    let start = repo.commit("HEAD");
    let repo = repo
        .with("src/add.py", "def add(a, b):\n    return a + b\n")
        .committed();
    let repo = repo.with("tests/test_add.py", NOTHING).committed();
    let range = format!("{start}..HEAD");
    assert_eq!(
        rules(&smells(&repo, &["--range", &range])),
        [
            "tests/test_add.py:1 no_assertion warn",
            "src/add.py:0 implementation_first warn",
            "tests/test_add.py:0 test_after warn",
        ]
    );
    let found = smells(&repo, &["--range", &range]);
    assert_eq!(found["findings"][1]["commit"], repo.commit("HEAD~1"));
    assert_eq!(found["findings"][2]["commit"], repo.commit("HEAD"));
    for bad in ["nothing..HEAD", "--all", ""] {
        let range = format!("--range={bad}");
        repo.tcr(&["smells", &range]).exits(2);
    }
}

#[test]
fn the_loops_own_order_is_fine_and_its_journal_is_believed() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo.run_json();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    assert_eq!(rules(&smells(&repo, &[])), [] as [&str; 0]);
    repo.write("tests/add_more.t", "[ \"$(add 2 2)\" = 4 ]\n");
    assert_eq!(repo.run_json()["why"], "test");
    assert_eq!(
        rules(&smells(&repo, &[])),
        ["tests/add_more.t:0 test_after warn"]
    );
}

#[test]
fn new_findings_of_a_step_are_shown_in_one_line() {
    let repo = Repo::new().installed();
    repo.write("tests/test_add.py", NOTHING);
    let ran = repo.tcr(&["run"]).success();
    assert!(
        ran.stdout
            .contains("  smells: `tests/test_add.py:1` no_assertion (warn)\n"),
        "{}",
        ran.stdout
    );
    repo.write("tests/test_add.py", &format!("# a comment\n{NOTHING}"));
    let again = repo.tcr(&["run"]).success();
    assert!(!again.stdout.contains("smells:"), "{}", again.stdout);
}

#[test]
fn a_finding_that_blocks_holds_the_step_back() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    assert_eq!(repo.run_json()["why"], "green");
    repo.write("tests/test_add.py", TAUTOLOGY);
    let head = repo.commit("HEAD");
    let ran = repo.tcr(&["run"]).exits(1);
    for said in [
        "kept, not committed",
        "the step brings findings that block a commit",
        "smells: `tests/test_add.py:2` tautology (block)",
        "tests/test_add.py:2: `assert True` can't fail; compare what the code gave",
        "hint: fix what is named",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    assert_eq!(repo.commit("HEAD"), head);
    assert_eq!(repo.read("tests/test_add.py"), TAUTOLOGY);
    repo.write("tests/test_add.py", FINE);
    assert_eq!(repo.run_json()["action"], "commit");
}

#[test]
fn a_green_that_blocks_stays_in_green() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\n[smells]\ntest_aware_source = \"block\"\n")
        .installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    repo.write(
        "src/add.rs",
        "fn a() -> u8 { if cfg!(test) { 1 } else { 2 } }\n",
    );
    let kept = repo.run_json();
    assert_eq!(kept["action"], "keep", "{kept}");
    assert_eq!(kept["next_phase"], "green");
    assert_eq!(kept["smells"][0]["rule"], "test_aware_source");
    assert!(repo.exists("src/add.sh"));
    repo.write("src/add.rs", "fn a() -> u8 { 2 }\n");
    assert_eq!(repo.run_json()["why"], "green");
}

#[test]
fn more_source_than_the_tests_ask_for_is_named() {
    let repo = Repo::in_green();
    let more: String = (0..30).map(|n| format!("more_{n}() {{ :; }}\n")).collect();
    repo.write(
        "src/add.sh",
        &format!("add() {{ echo $(($1 + $2)); }}\n{more}"),
    );
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["smells"][0]["rule"], "unasked_source", "{green}");
    assert_eq!(
        green["smells"][0]["why"],
        "31 lines of source for 1 line of tests"
    );
}

#[test]
fn where_nothing_is_committed_a_finding_that_blocks_is_recorded() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\nmode = \"observe\"\n")
        .installed();
    repo.write("tests/test_add.py", TAUTOLOGY);
    let recorded = repo.run_json();
    assert_eq!(recorded["action"], "none", "{recorded}");
    assert!(
        recorded["would"]
            .as_str()
            .is_some_and(|would| would.contains("findings")),
        "{recorded}"
    );
}

#[test]
fn a_value_copied_from_the_test_is_named() {
    let repo = Repo::new().installed();
    repo.write("tests/add.t", "[ \"$(add 1 2)\" = 3 ]\n");
    repo.write(
        "tests/test_roman.py",
        "def test_roman():\n    assert roman(4) == 'IV'\n",
    );
    assert_eq!(repo.run_json()["next_phase"], "green");
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    repo.write("src/roman.py", "def roman(n):\n    return 'IV'\n");
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
    assert_eq!(green["smells"][0]["rule"], "copied_value", "{green}");
    let found = smells(&repo, &["--range", "main..HEAD"]);
    assert_eq!(rules(&found), ["src/roman.py:2 copied_value warn"]);
}
