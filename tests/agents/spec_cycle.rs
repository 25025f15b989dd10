//! A spec cycle in a real client: four sessions with an identity each, from the spec to the
//! evidence, with the cheats that come to mind.

use super::*;

const SPEC: &str = "\
---
id: add
status: active
---
### Requirement: Addition

#### Scenario: Adds two numbers
- **WHEN** 1 and 2 are added
- **THEN** the sum is 3
";

const TEST: (&str, &str) = (
    "tests/test_add.py",
    "import calc\n\n\ndef test_adds_two_numbers():\n    assert calc.add(1, 2) == 3\n",
);
const LINE: &str = "    return a - b\n";
const STUB: &str = "    return a - b\n\n\ndef add(a, b):\n    return None  # STUB:TDD\n";

const PLANNER: &str = "11111111-1111-4111-8111-111111111111";
const AUTHOR: &str = "22222222-2222-4222-8222-222222222222";
const VALIDATOR: &str = "33333333-3333-4333-8333-333333333333";
const CODER: &str = "44444444-4444-4444-8444-444444444444";

fn freeze(session: &str) -> Step {
    Step::Shell(format!(
        "git tcr freeze --verdict pass --by claude-code:{session}"
    ))
}

/// One session of the client: what the model tries, and what it is told.
fn session(repo: &Repo, bin: &str, id: &str, steps: &[Expected]) {
    let session = Session {
        args: &["--session-id", id],
        ..Session::of(Client::ClaudeCode)
    };
    converse(repo, bin, &session, steps);
}

#[test]
fn claude_code_with_four_identities() {
    if !is_set_up(Client::ClaudeCode, &PYTHON) {
        return;
    }
    let repo = Repo::bare_start();
    for (path, content) in PYTHON.files {
        repo.write(path, content);
    }
    repo.write("docs/add.md", SPEC);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    let bin = only_these_on_path(&repo, Client::ClaudeCode, &PYTHON);
    let tcr = |args: &[&str]| {
        let ran = as_person(&repo, &bin, PROGRAM).args(args).output();
        Ran::from(ran.expect("it runs"))
    };
    tcr(&["install", "--yes", "--roles"]).success();

    session(
        &repo,
        &bin,
        PLANNER,
        &[
            expect(
                Step::Shell("git tcr start --spec docs/add.md".into()),
                &["spec cycle `add` has begun"],
            ),
            denied(Step::Write(TEST.0, TEST.1), &["wait for the plan"]),
            expect(Step::Write("docs/plan.md", "# Plan\n"), &[]),
            expect(
                Step::Shell("git tcr plan docs/plan.md".into()),
                &["accepted, phase `red`"],
            ),
        ],
    );
    session(
        &repo,
        &bin,
        AUTHOR,
        &[
            expect(Step::Read("calc.py"), &[]),
            expect(Step::Edit("calc.py", LINE, STUB), &[]),
            expect(Step::Write(TEST.0, TEST.1), &["committed as red"]),
            expect(freeze(AUTHOR), &["can't certify"]),
            denied(freeze(VALIDATOR), &[AUTHOR]),
            denied(Step::Write("docs/add.md", "# else\n"), &["settled"]),
        ],
    );
    session(
        &repo,
        &bin,
        VALIDATOR,
        &[
            denied(
                Step::Shell("git tcr freeze --verdict pass --by Grace".into()),
                &[VALIDATOR],
            ),
            expect(freeze(VALIDATOR), &["frozen as", "coder"]),
        ],
    );
    session(
        &repo,
        &bin,
        CODER,
        &[
            expect(Step::Read(TEST.0), &[]),
            denied(
                Step::Edit(
                    TEST.0,
                    "    assert calc.add(1, 2) == 3\n",
                    "    assert True\n",
                ),
                &["certified tests are frozen"],
            ),
            denied(
                Step::Shell(format!("sed -i s/3/4/ {}", TEST.0)),
                &["certified tests are frozen"],
            ),
            expect(
                Step::Shell(PYTHON.in_disguise.into()),
                &["taken back", "frozen/tests/test_add.py"],
            ),
            denied(
                Step::Shell("git tcr phase done --abandon".into()),
                &["for people"],
            ),
            expect(Step::Read("calc.py"), &[]),
            expect(
                Step::Edit(
                    "calc.py",
                    "    return None  # STUB:TDD\n",
                    "    return a + b\n",
                ),
                &["committed as green"],
            ),
            expect(
                Step::Shell("git tcr phase done".into()),
                &["the spec cycle is done"],
            ),
        ],
    );

    let evidence = tcr(&["evidence", "--json"]).success().json();
    let authors = &evidence["predicate"]["tcr"]["authors"];
    let who = |session: &str| format!("claude-code:{session}");
    assert_eq!(authors["plan"], serde_json::json!([who(PLANNER)]));
    assert_eq!(authors["tests"], serde_json::json!([who(AUTHOR)]));
    assert_eq!(authors["validator"], who(VALIDATOR));
    let log = tcr(&["log"]).success().stdout;
    for words in [
        "freeze refused",
        "tests/test_add.py",
        "taken back",
        "denied",
    ] {
        assert!(log.contains(words), "no {words:?} in {log}");
    }
}
