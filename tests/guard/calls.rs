//! What an agent's call leaves in the worktree is the agent's, also if the call was interrupted or a
//! process of it lives on; what a person writes in between is theirs.

use serde_json::json;

use super::{Client, eventually};
use crate::support::Repo;

const CODE: &str = "sub() { echo $(($1 - $2)); }\n";

fn committed(repo: &Repo, path: &str) -> bool {
    let shown =
        ["HEAD", "main", "tcr/main"].map(|at| repo.try_git(&["show", &format!("{at}:{path}")]));
    shown.iter().any(|ran| ran.status == 0)
}

#[test]
fn work_of_an_interrupted_call_is_kept_and_named_until_a_person_has_it_judged() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    assert_eq!(client.asks("Bash", &json!({"command": "make all"})), None);
    repo.write("src/sub.sh", CODE);
    let told = client.is_prompted();
    assert!(told.stdout.contains("src/sub.sh"), "{}", told.stdout);
    assert!(!committed(&repo, "src/sub.sh"), "it is no baseline");
    client.is_prompted();
    assert!(!committed(&repo, "src/sub.sh"), "nor at the next prompt");
    assert!(client.shell("ls").is_ok());
    client.stops();
    assert!(repo.exists("src/sub.sh"), "nobody takes it away");
    assert!(!committed(&repo, "src/sub.sh"));
}

#[test]
fn an_interrupted_write_is_about_its_own_file() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    let input = json!({"file_path": repo.path("tests/sub.t"), "content": "false\n"});
    assert_eq!(client.asks("Write", &input), None);
    repo.write("tests/sub.t", "false\n");
    repo.write("src/own.sh", CODE);
    client.is_prompted();
    assert!(committed(&repo, "src/own.sh"), "a person wrote that");
    assert!(!committed(&repo, "tests/sub.t"));
}

#[test]
fn what_a_person_writes_between_calls_is_a_baseline() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    assert!(client.shell("ls").is_ok());
    client.stops();
    repo.write("src/sub.sh", CODE);
    client.is_prompted();
    assert!(committed(&repo, "src/sub.sh"));
}

#[test]
fn while_a_process_of_a_call_lives_on_nothing_becomes_a_baseline() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    let (go, end) = (repo.around().join("go"), repo.around().join("end"));
    let script = repo.around().join("later.sh");
    let text = format!(
        "until [ -e {go} ]; do sleep 0.01; done\ncp ../code src/sub.sh\ntouch {go}.done\nuntil [ -e {end} ]; do sleep 0.01; done\n",
        go = go.display(),
        end = end.display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::write(repo.around().join("code"), CODE).expect("code");
    let input = json!({"command": "make all"});
    assert_eq!(client.asks("Bash", &input), None);
    client.runs(&format!(
        "setsid -f sh {} >/dev/null 2>&1 </dev/null",
        script.display()
    ));
    client.has_called("Bash", &input);
    client.stops();
    std::fs::create_dir_all(repo.path("src")).expect("a folder");
    std::fs::write(&go, "").expect("a file");
    eventually("it has written", || go.with_extension("done").exists());
    let told = client.is_prompted();
    std::fs::write(&end, "").expect("a file");
    assert!(told.stdout.contains("later.sh"), "{}", told.stdout);
    assert!(!committed(&repo, "src/sub.sh"));
    assert!(client.shell("ls").is_ok());
    client.stops();
    client.is_prompted();
    assert!(!committed(&repo, "src/sub.sh"));
    assert!(repo.exists("src/sub.sh"));
}
