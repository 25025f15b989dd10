//! Tools that look at size and second of a file see every change that a run is about.

use std::os::unix::fs::MetadataExt;
use std::time::{Duration, UNIX_EPOCH};

use crate::support::Repo;

/// A test that keeps what it has loaded by size and second, as Python does.
const CACHED: &str = r#"k=$(stat -c %s-%Y src/add.sh); [ "$k" = "$(cat "$HOME/key")" ] || { cp src/add.sh "$HOME/loaded"; echo "$k" > "$HOME/key"; }; . "$HOME/loaded"; [ "$(add 1 2)" = 3 ]
"#;

fn at(repo: &Repo, content: &str, second: u64) {
    repo.write("src/add.sh", content);
    let file = std::fs::File::options()
        .write(true)
        .open(repo.path("src/add.sh"));
    let time = UNIX_EPOCH + Duration::from_secs(second);
    file.and_then(|file| file.set_modified(time))
        .expect("a time");
}

#[test]
fn edits_of_the_same_length_within_a_second_are_seen() {
    let repo = Repo::new()
        .configured("test = \"./run-tests\"\npatience = 9\n")
        .installed();
    repo.write("tests/add.t", CACHED);
    assert_eq!(repo.run_json()["why"], "red");
    for wrong in 4..10 {
        at(
            &repo,
            &format!("add() {{ echo {wrong}; }}\n"),
            1_700_000_000,
        );
        assert_eq!(repo.run_json()["action"], "keep");
    }
    at(&repo, "add() { echo 3; }\n", 1_700_000_000);
    let green = repo.run_json();
    assert_eq!(green["why"], "green", "{green}");
}

#[test]
fn what_is_taken_back_looks_new() {
    let repo = Repo::new()
        .with("src/add.sh", "add() { echo 3; }\n")
        .with("tests/add.t", CACHED)
        .committed()
        .installed();
    repo.tcr(&["phase", "refactor"]).success();
    for _ in 0..10 {
        repo.write("src/add.sh", "add() { echo 4; }\n");
        let looks = |repo: &Repo| {
            let metadata = std::fs::metadata(repo.path("src/add.sh")).expect("a file");
            (metadata.size(), metadata.mtime())
        };
        let outcome = repo.run_json();
        assert_eq!(outcome["action"], "take_back", "{outcome}");
        assert_eq!(repo.read("src/add.sh"), "add() { echo 3; }\n");
        let forced = repo.tcr(&["run", "--force", "--json"]).json();
        assert_eq!(forced["verdict"], "green", "{:?} {forced}", looks(&repo));
    }
}

/// A build that compares seconds, as rebar3 and make on some file systems do: what is as old as its output is
/// up to date.
const BUILT: &str = r#"s=$(stat -c %Y src/add.sh); b=$(stat -c %Y build/out 2>/dev/null || echo 0); [ "$s" -gt "$b" ] && { mkdir -p build; cp src/add.sh build/out; }; . build/out; [ "$(add 1 2)" = 3 ]
"#;

#[test]
fn an_edit_in_the_second_of_the_last_build_is_seen() {
    let repo = Repo::new()
        .with("src/add.sh", "add() { echo 3; }\n")
        .with("tests/add.t", BUILT)
        .with(".gitignore", "build\n")
        .committed()
        .installed();
    for wrong in [40, 5, 600, 7000] {
        for (content, verdict) in [
            ("add() { echo 3; }\n".to_owned(), "green"),
            (format!("add() {{ echo {wrong}; }}\n"), "red"),
        ] {
            repo.write("src/add.sh", &content);
            let outcome = repo.tcr(&["run", "--force", "--report", "--json"]).json();
            assert_eq!(outcome["verdict"], verdict, "{content} {outcome}");
        }
    }
}
