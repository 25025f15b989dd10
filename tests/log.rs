//! `git tcr log`: the timeline of a branch.

use regex::Regex;

use crate::support::{PROGRAM, Ran, Repo};

/// Times, ids and durations differ from run to run.
fn masked(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, mask) in [
        (r"(?m)^\w{3} \d+ \w{3} \d{4}$", "DAY"),
        (r"\d\d:\d\d:\d\d", "HH:MM:SS"),
        (r" +\d+(\.\d)? m?s\b", "  TIME"),
        (r"\b[0-9a-f]{8}\b", "IDENTITY"),
    ] {
        let pattern = Regex::new(pattern).expect("a pattern");
        text = pattern.replace_all(&text, mask).into_owned();
    }
    text
}

#[test]
fn shows_what_happened_newest_first_in_columns() {
    let repo = Repo::in_green();
    repo.write("src/add.sh", "add() {\n  echo 4\n}\n");
    repo.run_json();
    repo.write("src/add.sh", "add() { echo $(($1 + $2)); }\n");
    repo.run_json();
    repo.write("src/early.py", "def early():\n    return 1\n");
    repo.run_json();
    let log = masked(&repo.tcr(&["log"]).success().stdout);
    insta::assert_snapshot!(log, @r"
    DAY
    HH:MM:SS  2  red       ↩ taken back                       1 file +2 −0                 recover 2
                             no failing test asks for this source
    HH:MM:SS  1  green     ● green       2 passed             1 file +1 −0  TIME  IDENTITY  → red
    HH:MM:SS  1  green     ↩ taken back  1 passed, 1 failed   1 file +3 −0  TIME  recover 1
                             the tests still fail after as many tries as `patience` allows
    HH:MM:SS  1  red       ● red         1 passed, 1 failed   1 file +1 −0  TIME  IDENTITY  → green
    HH:MM:SS  1  red       ● active      1 passed  TIME
    ");
}

#[test]
fn no_events_are_an_empty_list() {
    let repo = Repo::new().installed();
    assert_eq!(
        repo.tcr(&["log", "-n", "0", "--json"]).success().stdout,
        "[]\n"
    );
}

#[test]
fn json_holds_what_was_recorded_even_by_a_later_version() {
    let repo = Repo::new().installed();
    let tree = repo.git(&["rev-parse", "refs/tcr/state/main^{tree}"]);
    let event = r#"{"at":"2026-11-16T03:21:35Z","event":"teleport","phase":"red","next_phase":"red","cycle":1,"where":"the moon"}"#;
    let message = format!("teleport\n\n{event}\nthis is no event\n{{nor this\n");
    let link = repo.git(&[
        "commit-tree",
        &tree,
        "-p",
        "refs/tcr/state/main",
        "-m",
        &message,
    ]);
    repo.put_ref("refs/tcr/state/main", &link);
    let log = repo.tcr(&["log", "--json"]).success().json();
    assert_eq!(log[0]["event"], "teleport");
    assert_eq!(log[0]["where"], "the moon");
    assert_eq!(log[1]["event"], "activate");
    assert_eq!(log.as_array().map(Vec::len), Some(2));
    let text = repo.tcr(&["log"]).success().stdout;
    assert!(text.contains("03:21:35  1  red       · other"), "{text}");
}

#[test]
fn a_renamed_branch_keeps_its_log() {
    let repo = Repo::new().installed();
    let before = repo.tcr(&["log", "--json"]).success().stdout;
    repo.git(&["branch", "-m", "main", "other"]);
    assert_eq!(repo.tcr(&["log", "--json"]).success().stdout, before);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let repo = Repo::new().installed().with_long_history(200);
    let line =
        format!("'{PROGRAM}' log -n 1000 | head -1; '{PROGRAM}' log --json -n 1000 | head -c 10");
    let mut command = repo.command("sh");
    let ran = Ran::from(command.args(["-c", &line]).output().expect("sh runs"));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("2026\n[{"), "{}", ran.stdout);
}

#[test]
fn two_thousand_cycles_stay_within_bounded_memory() {
    const KILOBYTES: u64 = 200_000;
    let repo = Repo::new().installed().with_long_history(2_000);
    let line = format!("ulimit -v {KILOBYTES}; exec '{PROGRAM}' log -n 1000000");
    let mut command = repo.command("sh");
    let ran = Ran::from(command.args(["-c", &line]).output().expect("sh runs")).success();
    let reds = ran.stdout.lines().filter(|line| line.contains("● red"));
    assert_eq!(reds.count(), 2_000);
}
