//! The validator command.

use super::*;

/// A repository whose validator is this script; it reads the question from standard input.
fn with_validator(script: &str, more: &str) -> Repo {
    let config = format!(
        "test = \"./run-tests\"\nred_needs = \"error\"\n[validator]\ncommand = \"sh $HOME/validator\"\n{more}"
    );
    let repo = with_config(&config);
    std::fs::write(repo.around().join("home/validator"), script).expect("a file");
    plan(&repo);
    red(&repo);
    repo
}

fn auto(repo: &Repo) -> Ran {
    repo.tcr(&["freeze", "--auto", "--json"])
}

#[test]
fn it_is_told_all_and_its_pass_freezes() {
    let repo = with_validator(
        "cat > $HOME/question; echo thinking >&2\n\
         echo '{\"verdict\": \"pass\", \"notes\": \"fine\", \"identity\": \"review-bot\"}'\n",
        "",
    );
    let outcome = auto(&repo).success().json();
    assert_eq!(outcome["frozen"], true, "{outcome}");
    assert_eq!(outcome["certificate"]["by"], "review-bot");
    let question = std::fs::read_to_string(repo.around().join("home/question")).unwrap();
    let question: Value = serde_json::from_str(&question).expect("JSON");
    assert_eq!(question["on"], "freeze");
    assert_eq!(question["spec"]["text"], SPEC);
    assert_eq!(question["spec"]["scenarios"][1]["title"], "Adds nothing");
    assert_eq!(
        question["plan"]["must_haves"]["artifacts"],
        json!(["src/add.sh"])
    );
    assert_eq!(question["tests"][0]["path"], "tests/adds-nothing.t");
    assert_eq!(question["red"]["verdict"], "red");
    assert_eq!(
        question["coverage"][0]["tests"],
        json!(["tests/adds_two_numbers.t"])
    );
}

#[test]
fn an_author_is_no_validator_either() {
    let repo = with_validator(
        "echo '{\"verdict\": \"pass\", \"identity\": \"ada@example.com\"}'\n",
        "",
    );
    let outcome = auto(&repo).exits(1).json();
    assert!(
        outcome["refusal"]
            .as_str()
            .unwrap()
            .contains("can't certify"),
        "{outcome}"
    );
}

#[test]
fn nonsense_is_a_blocker() {
    for (script, words) in [
        ("echo yes\n", "not the JSON"),
        ("true\n", "not the JSON"),
        ("echo '{\"verdict\": \"fine\"}'\n", "not the JSON"),
        (
            "echo '{\"verdict\": \"pass\"}'; echo broken >&2; exit 3\n",
            "broken",
        ),
        ("kill -9 $$\n", "failure"),
    ] {
        let repo = with_validator(script, "");
        let outcome = auto(&repo).exits(1).json();
        assert_eq!(
            outcome["certificate"]["verdict"], "blocker",
            "{script}: {outcome}"
        );
        let notes = outcome["certificate"]["notes"].as_str().unwrap();
        assert!(notes.contains(words), "{script}: {notes}");
        assert_eq!(repo.status()["phase"], "red");
        assert!(logged(&repo, "concerns", "blocker"), "{:?}", log(&repo));
    }
}

#[test]
fn one_that_hangs_is_a_blocker() {
    let repo = with_validator("sleep 600\n", "timeout_s = 1\n");
    let outcome = auto(&repo).exits(1).json();
    assert_eq!(outcome["certificate"]["verdict"], "blocker", "{outcome}");
}

#[test]
fn without_a_command_there_is_nobody_to_ask() {
    let repo = tested();
    let ran = repo.tcr(&["freeze", "--auto"]).exits(2);
    assert!(ran.stderr.contains("[validator] command"), "{}", ran.stderr);
    repo.assert_tidy("nobody to ask");
}

#[test]
fn before_a_green_it_looks_for_more_than_was_asked() {
    let script = "if grep -q extra; then echo '{\"verdict\": \"concerns\", \"notes\": \"extra is asked for by no test\"}'\n\
                  else echo '{\"verdict\": \"pass\", \"identity\": \"review-bot\"}'; fi\n";
    let repo = with_validator(script, "on = [\"freeze\", \"green\"]\n");
    auto(&repo).success();
    repo.write("src/add.sh", &format!("{RIGHT}extra() {{ :; }}\n"));
    let outcome = repo.run_json();
    assert_eq!(outcome["action"], "keep", "{outcome}");
    assert!(
        outcome
            .to_string()
            .contains("extra is asked for by no test"),
        "{outcome}"
    );
    assert!(repo.exists("src/add.sh"), "nothing is taken away");
    repo.write("src/add.sh", RIGHT);
    assert_eq!(repo.run_json()["why"], "green");
    repo.tcr(&["phase", "done"]).success();
}
