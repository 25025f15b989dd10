//! Branches that an agent's call moves go back, wherever HEAD is then; what a call brings is judged
//! like any edit.

use super::Client;
use crate::support::Repo;

const NOHOOK: &str = "git -c core.hooksPath=/dev/null";
const CODE: &str = "mkdir -p src; echo 'sub() { echo 1; } # unasked' > src/sub.sh; git add -A; ";

fn has_unasked(repo: &Repo, at: &str) -> bool {
    let file = format!("{at}:src/sub.sh");
    repo.try_git(&["show", &file]).stdout.contains("unasked")
}

fn plays(client: &Client<'_>, commands: &str) {
    let input = serde_json::json!({"command": "make all"});
    assert_eq!(client.asks("Bash", &input), None);
    client.runs(commands);
    client.has_called("Bash", &input);
    client.stops();
    client.is_prompted();
    client.stops();
}

#[test]
fn a_base_that_a_call_moves_goes_back_wherever_head_is() {
    let story = |more: &str| format!("{CODE}{more}");
    for commands in [
        story(&format!(
            "git symbolic-ref HEAD refs/heads/fresh; {NOHOOK} commit -qm w; {NOHOOK} branch -f main HEAD"
        )),
        story(&format!(
            "{NOHOOK} checkout -qb fresh; {NOHOOK} commit -qm w; {NOHOOK} branch -f main HEAD"
        )),
        story(&format!("{NOHOOK} commit -qm w")),
    ] {
        let repo = Repo::new().installed();
        let was = repo.git(&["rev-parse", "main"]);
        let client = Client::new(&repo);
        client.starts();
        plays(&client, &commands);
        assert_eq!(repo.git(&["rev-parse", "main"]), was, "{commands}");
        for at in ["HEAD", "main", "refs/heads/tcr/main"] {
            assert!(!has_unasked(&repo, at), "{commands}: {at}");
        }
    }
}

#[test]
fn a_base_that_a_call_moves_beside_the_wip_branch_goes_back() {
    let repo = Repo::in_green();
    let was = repo.git(&["rev-parse", "main"]);
    let client = Client::new(&repo);
    client.starts();
    let commands = format!(
        "{CODE}c=$(git commit-tree -p main -m w $(git write-tree)); echo $c > .git/refs/heads/main"
    );
    plays(&client, &commands);
    assert_eq!(repo.git(&["rev-parse", "main"]), was);
    assert!(!has_unasked(&repo, "HEAD"));
}

#[test]
fn a_branch_that_an_agent_begins_or_switches_to_stays() {
    let repo = Repo::new().installed();
    repo.git(&["branch", "other"]);
    let client = Client::new(&repo);
    client.starts();
    for (branch, commands) in [
        ("fresh", "git checkout -qb fresh"),
        ("other", "git checkout -q other"),
    ] {
        plays(&client, commands);
        let head = repo.git(&["rev-parse", "--abbrev-ref", "HEAD"]);
        assert!(head.ends_with(branch), "{head}");
    }
}

#[test]
fn another_content_shown_for_an_object_is_not_believed() {
    let repo = Repo::new().installed();
    let client = Client::new(&repo);
    client.starts();
    let lax = "git cat-file blob refs/tcr/config:config.json | sed 's/\"both\"/\"off\"/' > ../lax; \
        git replace $(git rev-parse refs/tcr/config:config.json) $(git hash-object -w ../lax)";
    plays(&client, lax);
    let shown = repo.git(&["show", "refs/tcr/config:config.json"]);
    assert!(shown.contains("\"off\""), "git shows it: {shown}");
    assert!(super::is_armed(&repo));
    let said = client.writes("src/sub.sh", "sub() { echo 1; }\n");
    assert!(said.is_err(), "no test asks for it");
}
