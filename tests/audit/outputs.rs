//! What it prints: for a terminal, as Markdown, as SARIF.

use super::{CALC, SUB, commit, honest, with_test};

#[test]
fn the_table_names_functions_and_their_tests() {
    let repo = honest();
    let ran = repo.tcr(&["audit", "HEAD^!"]).success();
    insta::assert_snapshot!(ran.stdout, @r"
    tcr: HEAD^! (1 commit): all proven
      does it work?             yes, 2 tests pass
      did a test ask for it?    yes: `test_calc.CalcTest.test_sub`
      do old tests still hold?  yes
      is all of it tested?      yes, 1 function
      calc.py:5 sub: proven by `test_calc.CalcTest.test_sub`
    ");
    let said = ran.stderr;
    assert!(said.contains("at most four runs of the suite"), "{said}");
    assert!(said.contains("1. does it work: python"), "{said}");
}

#[test]
fn markdown_is_safe_and_short() {
    let repo = honest();
    repo.write(
        "calc.py",
        &format!("{CALC}{SUB}\n\ndef __mul__(a, b):\n    return a * b\n"),
    );
    commit(&repo, "multiply");
    let ran = repo.tcr(&["audit", "HEAD^!", "--markdown"]).exits(1);
    insta::assert_snapshot!(ran.stdout, @r"
    ### `git tcr audit HEAD^!`: not all is proven

    | question | answer |
    | --- | --- |
    | does it work? | yes, 2 tests pass |
    | did a test ask for it? | no: every test passes without it |
    | do old tests still hold? | yes |
    | is all of it tested? | 0 of 1 function |

    - calc.py:9 \_\_mul\_\_: untested: every test passes without it
    ");
}

#[test]
fn sarif_names_file_and_line() {
    let repo = honest();
    repo.write(
        "calc.py",
        &format!("{CALC}{SUB}\n\ndef mul(a, b):\n    return a * b\n"),
    );
    repo.write(
        "test_calc.py",
        &with_test("    def test_sub(self):\n        sub(3, 1)\n"),
    );
    commit(&repo, "multiply");
    let sarif = repo.tcr(&["audit", "HEAD^!", "--sarif"]).exits(1).json();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let shown: Vec<String> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            format!(
                "{} {}:{}",
                result["ruleId"].as_str().expect("a rule"),
                place["artifactLocation"]["uri"].as_str().expect("a path"),
                place["region"]["startLine"]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "unproven calc.py:1",
            "weakened test_calc.py:1",
            "untested calc.py:9"
        ]
    );
}
