//! The evidence document, and what checks it.

use super::*;

fn done() -> Repo {
    let repo = frozen();
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
    repo
}

fn statement(repo: &Repo) -> Value {
    repo.tcr(&["evidence", "--json"]).success().json()
}

fn check(repo: &Repo, statement: &Value, status: i32) -> Value {
    let file = repo.around().join("evidence.json");
    std::fs::write(&file, statement.to_string()).expect("a file");
    let args = [
        "evidence",
        "--check",
        file.to_str().expect("UTF-8"),
        "--json",
    ];
    repo.tcr(&args).exits(status).json()
}

#[test]
fn it_is_an_in_toto_statement_with_all_that_proves_it() {
    let repo = done();
    let evidence = statement(&repo);
    assert_eq!(evidence["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(
        evidence["predicateType"],
        "https://in-toto.io/attestation/test-result/v0.1"
    );
    assert_eq!(evidence["predicate"]["result"], "PASSED");
    assert_eq!(
        evidence["predicate"]["passedTests"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let head = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(evidence["subject"][0]["digest"]["gitCommit"], head);
    let tcr = &evidence["predicate"]["tcr"];
    assert_eq!(tcr["green"]["commit"], head);
    assert_eq!(tcr["red"]["failed"].as_array().unwrap().len(), 2);
    assert_eq!(tcr["validator"]["by"], GRACE);
    assert_eq!(tcr["lint"], json!(null));
    assert_eq!(
        tcr["oracle"]["commit"],
        repo.git(&["rev-parse", "refs/tcr/oracle/main"])
    );
    let files = repo.git(&["ls-tree", "--name-only", "refs/tcr/evidence/main/1"]);
    assert_eq!(files, "evidence.json\nevidence.md");
}

#[test]
fn a_document_is_held_against_the_repository() {
    let repo = done();
    let good = statement(&repo);
    let checked = check(&repo, &good, 0);
    assert_eq!(checked["holds"], true, "{checked}");
    let with = |pointer: &str, value: Value| {
        let mut changed = good.clone();
        *changed.pointer_mut(pointer).expect("it is there") = value;
        changed
    };
    for (pointer, value, finding) in [
        (
            "/predicate/tcr/spec/hash",
            json!("00"),
            "the spec in the oracle has the hash",
        ),
        (
            "/predicate/tcr/validator/by",
            json!("Ada <ada@example.com>"),
            "the certifier wrote neither plan nor tests",
        ),
        (
            "/predicate/tcr/green/commit",
            good["predicate"]["tcr"]["red"]["commit"].clone(),
            "the green commit has the tree that was tested",
        ),
        (
            "/predicate/passedTests",
            json!([]),
            "every scenario has a test that passes now",
        ),
        ("/predicate/result", json!("FAILED"), "the result is a pass"),
        (
            "/predicate/tcr/red/commit",
            json!("0123456789012345678901234567890123456789"),
            "the red commit has the tree that was tested",
        ),
    ] {
        let checked = check(&repo, &with(pointer, value), 1);
        let wrong: Vec<&str> = checked["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|found| found["holds"] == false)
            .filter_map(|found| found["what"].as_str())
            .collect();
        assert!(wrong.contains(&finding), "{pointer}: {wrong:?}");
        assert!(
            wrong.contains(&"it is the evidence that was stored"),
            "{pointer}"
        );
    }
}

#[test]
fn another_branchs_evidence_is_refused() {
    let repo = done();
    let good = statement(&repo);
    repo.git(&["switch", "-q", "-c", "other", "main"]);
    repo.tcr(&["on"]).success();
    let ran = repo.tcr(&["evidence"]).exits(1);
    assert!(
        ran.stderr.contains("`other` has no evidence"),
        "{}",
        ran.stderr
    );
    let file = repo.around().join("evidence.json");
    std::fs::write(&file, good.to_string()).unwrap();
    let args = ["evidence", "--check", file.to_str().unwrap()];
    let ran = repo.tcr(&args).exits(1);
    assert!(
        ran.stderr.contains("evidence of branch `main`"),
        "{}",
        ran.stderr
    );
    for nonsense in ["", "{}", "[]", "{\"_type\": 1}"] {
        std::fs::write(&file, nonsense).unwrap();
        repo.tcr(&args).exits(1);
    }
}

#[test]
fn a_squash_names_the_evidence_and_verify_holds_it_against_the_commits() {
    let repo = done();
    repo.tcr(&["squash"]).success();
    let message = repo.git(&["log", "-1", "--format=%B", "main"]);
    let stored = repo.commit("refs/tcr/evidence/main/1");
    let trailer = format!("TCR-Evidence: refs/tcr/evidence/main/1 {stored}");
    assert!(message.contains(&trailer), "{message}");
    for args in [
        &["verify"][..],
        &["verify", "main~1..main"],
        &["verify", "--replay"],
    ] {
        let ran = repo.tcr(args).success();
        assert!(ran.stdout.contains("evidence/main/1"), "{}", ran.stdout);
    }
    // A document that speaks of another tree than its green has.
    let text = repo.show(&format!("{stored}:evidence.json"));
    let green = repo.tree("refs/tcr/archive/main/1");
    let text = text.replace(&green, &repo.tree("main~1"));
    let tree = repo.tree_with("evidence.json", &text);
    let forged = repo.git(&["commit-tree", "-m", "evidence for sums", &tree]);
    repo.git_past_hooks(&["update-ref", "refs/tcr/evidence/main/1", &forged]);
    let ran = repo.tcr(&["verify"]).exits(1);
    assert!(
        ran.stdout
            .contains("the green that the evidence speaks of is not as it says"),
        "{}",
        ran.stdout
    );
}

const TAX: &str = "---\nid: tax\nstatus: active\n---\n# Tax\n\n#### Scenario: Adds nineteen percent\n- **WHEN** the net price is 1000\n- **THEN** the gross price is 1190\n";
const TAX_TEST: &str = "import unittest\n\nfrom shop.tax import gross\n\n\nclass TaxTest(unittest.TestCase):\n    def test_adds_nineteen_percent(self):\n        self.assertEqual(gross(1000), 1190)\n";
const TAX_CODE: &str =
    "def gross(net):\n    return net * 119 // 100\n\n\ndef spare(net):\n    return net * 2\n";

/// In `green` under a frozen oracle, all tests passing, with a function that no test needs.
fn with_spare_function(needed: &str) -> Repo {
    let config = format!("test = \"python3 -m unittest\"\nneeded = \"{needed}\"\n");
    let repo = Repo::new()
        .with(".tcr.toml", &config)
        .with(".gitignore", "__pycache__/\n")
        .with("shop/__init__.py", "")
        .with("tests/__init__.py", "")
        .with("tests/test_first.py", "import unittest\n\n\nclass FirstTest(unittest.TestCase):\n    def test_first(self):\n        self.assertTrue(True)\n")
        .committed()
        .installed();
    repo.write("docs/tax.md", TAX);
    repo.write("docs/plan.md", "# Plan\n");
    repo.tcr(&["start", "--spec", "docs/tax.md"]).success();
    repo.tcr(&["plan", "docs/plan.md"]).success();
    repo.write("shop/tax.py", "def gross(net):\n    return 0  # STUB:TDD\n");
    repo.write("tests/test_tax.py", TAX_TEST);
    repo.tcr(&["run"]).success();
    freeze(&repo).success();
    repo.write("shop/tax.py", TAX_CODE);
    repo.tcr(&["run"]).success();
    repo
}

#[test]
fn each_function_stands_with_the_frozen_test_that_needs_it() {
    let repo = with_spare_function("warn");
    repo.tcr(&["phase", "done"]).success();
    let proof = statement(&repo)["predicate"]["tcr"]["proof"].clone();
    let names = |kind: &str| -> Vec<&str> {
        let places = proof[kind].as_array().expect("a list").iter();
        places.filter_map(|place| place["name"].as_str()).collect()
    };
    assert_eq!(names("needed"), ["gross"], "{proof}");
    assert_eq!(names("untested"), ["spare"], "{proof}");
    let test = proof["needed"][0]["tests"][0].as_str().expect("a test");
    assert!(test.contains("test_adds_nineteen_percent"), "{proof}");
    let page = repo.git(&["show", "refs/tcr/evidence/main/1:evidence.md"]);
    for line in ["**Needed**", "**Needed by no test**"] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn where_that_blocks_a_function_that_nobody_needs_holds_the_end() {
    let repo = with_spare_function("block");
    let refused = repo.tcr(&["phase", "done"]).exits(1);
    assert!(format!("{refused:?}").contains("spare"), "{refused:?}");
    assert_eq!(repo.status()["phase"], "green");
    repo.write(
        "shop/tax.py",
        TAX_CODE.split("\n\n\ndef spare").next().expect("text"),
    );
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
    assert_eq!(repo.status()["phase"], "done");
}
