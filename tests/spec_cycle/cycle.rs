//! The whole cycle, by hand and by agents.

use serde_json::json;

use super::*;

#[test]
fn by_hand_from_the_spec_to_the_evidence() {
    let repo = with_spec();
    let begun = start(&repo);
    assert_eq!(begun["phase"], "plan");
    assert_eq!(begun["spec"]["id"], "sums");
    assert_eq!(begun["scenarios"][0]["steps"][0]["kind"], "given");
    assert!(begun["next_step"].as_str().unwrap().starts_with("planner:"));

    let status = repo.status();
    assert_eq!(status["spec_cycle"]["next_gate"], "plan");
    let ran = repo.tcr(&["plan", "docs/plan.md"]).success();
    assert!(ran.stdout.contains("test author:"), "{}", ran.stdout);
    assert_eq!(repo.status()["phase"], "red");
    assert!(
        repo.show("tcr/main:docs/sums.md")
            .contains("Adds two numbers")
    );
    assert_eq!(repo.porcelain(), "");

    write_tests(&repo);
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "red", "{outcome}");
    assert!(
        outcome["hints"][0]
            .as_str()
            .unwrap()
            .starts_with("validator"),
        "{outcome}"
    );
    let status = repo.status();
    let needs = status["spec_cycle"]["needs"].as_array().unwrap().clone();
    let met: Vec<bool> = needs.iter().map(|need| need["met"] == true).collect();
    assert_eq!(met, [true, true, true, false], "{needs:?}");
    assert_eq!(status["authors"]["tests"], json!(["Ada <ada@example.com>"]));

    let ran = freeze(&repo).success();
    assert!(ran.stdout.contains("Adds nothing"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("tests/adds-nothing.t"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("hint: coder:"), "{}", ran.stdout);
    let state = repo.status();
    assert_eq!(state["phase"], "green");
    assert_eq!(state["authors"]["validator"], GRACE);
    let files = repo.git(&["ls-tree", "-r", "--name-only", "refs/tcr/oracle/main"]);
    assert_eq!(
        files.lines().collect::<Vec<_>>(),
        [
            "docs/sums.md",
            "run-tests",
            "tests/adds-nothing.t",
            "tests/adds_two_numbers.t",
            "tests/first.t"
        ]
    );
    let message = repo.git(&["log", "-1", "--format=%B", "refs/tcr/oracle/main"]);
    let hash = state["spec"]["hash"].as_str().unwrap();
    assert!(
        message.contains(&format!("Spec-SHA256: {hash}")),
        "{message}"
    );
    assert!(message.contains("Validator: Grace"), "{message}");

    repo.write("src/add.sh", RIGHT);
    let outcome = repo.run_json();
    assert_eq!(outcome["why"], "green", "{outcome}");
    assert_eq!(
        outcome["next_phase"], "green",
        "the loop never moves a spec cycle"
    );
    let done = repo.tcr(&["phase", "done"]).success();
    for part in [
        "plan ",
        "red ",
        "validator ",
        "freeze ",
        "green ",
        "evidence ",
        "next ",
    ] {
        assert!(
            done.stdout.contains(&format!("  {part}")),
            "{part}: {}",
            done.stdout
        );
    }
    assert!(done.stdout.contains("it is fast"), "{}", done.stdout);
    assert_eq!(repo.status()["phase"], "done");
    let markdown = repo.tcr(&["evidence"]).success().stdout;
    assert!(
        markdown.contains("| Adds nothing | `tests/adds-nothing.t` |"),
        "{markdown}"
    );
    repo.assert_tidy("after the cycle");
}

#[test]
fn by_agents_with_four_identities() {
    let repo = with_spec();
    repo.remove("docs/plan.md");
    let agent = |id| Agent { repo: &repo, id };
    let (planner, author) = (agent(Some("planner")), agent(Some("author")));
    let (validator, coder) = (agent(Some("validator")), agent(Some("coder")));

    planner
        .shell("git tcr start --spec docs/sums.md")
        .expect("allowed")
        .success();
    planner.write("docs/plan.md", PLAN).expect("allowed");
    assert!(
        planner.write("tests/adds_two_numbers.t", "x\n").is_err(),
        "the plan comes first"
    );
    planner
        .shell("git tcr plan docs/plan.md")
        .expect("allowed")
        .success();

    author
        .write("tests/adds_two_numbers.t", "[ \"$(add 1 2)\" = 3 ]\n")
        .expect("allowed");
    author
        .write("tests/adds_nothing.t", "[ \"$(add 4 0)\" = 4 ]\n")
        .expect("allowed");
    assert!(
        author.write("docs/sums.md", "# nothing\n").is_err(),
        "the spec is settled"
    );
    assert!(
        author
            .write("src/add.py", "def add(a, b):\n    return a + b\n")
            .is_err()
    );

    let own = format!("git tcr freeze --verdict pass --by {}", author.identity());
    let ran = author.shell(&own).expect("it is who it says").exits(1);
    assert!(ran.stdout.contains("can't certify"), "{}", ran.stdout);
    let claimed = format!(
        "git tcr freeze --verdict pass --by {}",
        validator.identity()
    );
    let reason = author.shell(&claimed).expect_err("it is somebody else");
    assert!(
        reason.contains(&author.identity()),
        "the gate names the identity: {reason}"
    );
    let reason = validator
        .shell("git tcr freeze --verdict pass --by Grace")
        .expect_err("nobody is Grace");
    assert!(reason.contains(&validator.identity()), "{reason}");
    validator.shell(&claimed).expect("allowed").success();

    coder.write("src/add.sh", RIGHT).expect("allowed");
    let ran = coder
        .shell("git tcr phase done")
        .expect("allowed")
        .success();
    assert!(
        ran.stdout.contains("the spec cycle is done"),
        "{}",
        ran.stdout
    );
    let evidence = repo.tcr(&["evidence", "--json"]).success().json();
    let authors = &evidence["predicate"]["tcr"]["authors"];
    assert_eq!(authors["plan"], json!([planner.identity()]));
    assert_eq!(authors["tests"], json!([author.identity()]));
    assert_eq!(authors["validator"], validator.identity());
    assert_eq!(authors["source"], json!([coder.identity()]));
    assert!(
        logged(&repo, "denied", "freeze refused"),
        "{:?}",
        log(&repo)
    );
}

#[test]
fn refactor_may_be_declared_and_the_oracle_stays() {
    let repo = frozen();
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "refactor"]).success();
    repo.write("tests/adds-nothing.t", "true\n");
    let outcome = repo.run_json();
    assert_eq!(
        outcome["taken_back"][0]["path"], "tests/adds-nothing.t",
        "{outcome}"
    );
    repo.tcr(&["phase", "red"]).exits(1);
    repo.tcr(&["phase", "done"]).success();
}

#[test]
fn after_done_another_cycle_begins() {
    let repo = frozen();
    repo.write("src/add.sh", RIGHT);
    repo.tcr(&["run"]).success();
    repo.tcr(&["phase", "done"]).success();
    let oracle = repo.git(&["rev-parse", "refs/tcr/oracle/main"]);
    repo.tcr(&["phase", "red"]).success();
    let state = repo.status();
    assert_eq!((&state["spec"], &state["cycle"]), (&json!(null), &json!(2)));
    assert_eq!(
        repo.git(&["rev-parse", "refs/tcr/archive/main/oracle-1"]),
        oracle
    );
    assert_ne!(
        repo.try_git(&["rev-parse", "-q", "--verify", "refs/tcr/oracle/main"])
            .status,
        0
    );
    repo.tcr(&["evidence"]).success();
}
