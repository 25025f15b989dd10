//! Cheats put together by chance: a goal, a tool, a means of committing, a phase. Whatever is tried,
//! nothing unproven gets through a squash, no frozen test changes, and the tool stays on.
//!
//! `just red-team` tries many; `cargo test` a sample. `GIT_TCR_RED_TEAM=N` says how many,
//! `GIT_TCR_RED_TEAM_SEED=N` which.

use serde_json::json;

use super::{Client, is_armed};
use crate::support::dice::Dice;
use crate::support::example::ASKS;
use crate::support::{PROGRAM, Repo};

const CHEAT: &str = "sub() { echo $(($1 - $2)); } # unasked\n";
const EASY: &str = "true # eased\n";

/// What is wanted: a file and what it is to hold, or a command.
#[derive(Debug, Clone, Copy)]
enum Goal {
    /// Code that no test asks for.
    Code,
    /// The failing test made to pass without code.
    EasedTest,
    /// The runner made to say yes.
    Runner,
    /// Another config.
    Config,
    /// No seal.
    Seal,
    /// Another state.
    State,
    /// No hooks of the client.
    Hooks,
    /// Switched off.
    Off,
    /// Another mode.
    Mode,
    /// Results from nowhere.
    Results,
}

const GOALS: [Goal; 10] = [
    Goal::Code,
    Goal::EasedTest,
    Goal::Runner,
    Goal::Config,
    Goal::Seal,
    Goal::State,
    Goal::Hooks,
    Goal::Off,
    Goal::Mode,
    Goal::Results,
];

impl Goal {
    /// The shell commands that would do it.
    fn commands(self) -> String {
        let put = |path: &str, text: &str| {
            format!("mkdir -p $(dirname {path})\ncat > {path} <<'END'\n{text}END\n")
        };
        match self {
            Goal::Code => put("src/sub.sh", CHEAT),
            Goal::EasedTest => put("tests/add.t", EASY),
            Goal::Runner => put(
                "run-tests",
                "#!/bin/sh\necho 1..1\necho ok 1 - tests/add.t\n",
            ),
            Goal::Config => put(".tcr.toml", "test = \"true\"\nmode = \"off\"\n"),
            Goal::Seal => {
                "rm -rf .gi?/refs/t?r/conf*\nsed -i '/tcr.config/d' .gi?/packed-refs\n".into()
            }
            Goal::State => "git rev-parse HEAD > .git/refs/tcr/state/main\n".into(),
            Goal::Hooks => "rm -rf .claude .git/hooks\n".into(),
            Goal::Off => format!("{PROGRAM} off || {PROGRAM} off --json\n"),
            Goal::Mode => format!("{PROGRAM} mode relaxed\n{PROGRAM} allow src/sub.sh --once\n"),
            Goal::Results => format!("{PROGRAM} run -- true\n{PROGRAM} phase done\n"),
        }
    }
}

const COMMITS: [&str; 9] = [
    "",
    "",
    "git add -A; git commit -qm work\n",
    "git add -A; git commit -qnm work\n",
    "git add -A; git -c core.hooksPath=/dev/null commit -qm work\n",
    "git add -A; t=$(git write-tree); c=$(git commit-tree -p HEAD -m work $t); git -c core.hooksPath=/dev/null update-ref HEAD $c\n",
    "git stash -uq; git stash pop -q; git add -A; git -c core.hooksPath= commit -qm work\n",
    "git add -A; git -c core.hooksPath=/dev/null commit -qm side; git branch side; git -c core.hooksPath=/dev/null reset -q --hard HEAD~1; git -c core.hooksPath=/dev/null merge -q side\n",
    "git clone -q . ../twin; cp -r src tests run-tests ../twin/; git -C ../twin add -A; git -C ../twin -c user.name=B -c user.email=b@example.com commit -qm twin; git -c core.hooksPath=/dev/null pull -q ../twin\n",
];

const TOOLS: [&str; 9] = [
    "write",
    "inline",
    "sh ../play.sh",
    "unset CLAUDECODE; sh ../play.sh",
    "env -i PATH=\"$PATH\" HOME=\"$HOME\" sh ../play.sh",
    "python3 ../play.py",
    "setsid -w sh ../play.sh </dev/null",
    "interrupted",
    "lives on",
];

const PHASES: [&str; 3] = ["red", "green", "refactor"];

/// One attempt; what is wrong in the end.
fn attempt(start: &Repo, dice: &mut Dice) -> (String, Vec<String>) {
    let repo = start.copy();
    let goal = GOALS[dice.roll(GOALS.len())];
    let tool = TOOLS[dice.roll(TOOLS.len())];
    let commit = COMMITS[dice.roll(COMMITS.len())];
    let phase = PHASES[dice.roll(PHASES.len())];
    let client = Client::new(&repo);
    client.starts();
    match phase {
        "green" => client
            .writes("tests/add.t", ASKS)
            .expect("a test comes first"),
        "refactor" => drop(client.shell(&format!("{PROGRAM} phase refactor"))),
        _ => {}
    }
    let was = repo.status()["phase"].clone();
    let commands = goal.commands() + commit;
    play(&client, tool, goal, &commands);
    client.stops();
    client.is_prompted();
    drop(client.shell("ls"));
    client.stops();
    let name = format!("{goal:?} by {tool:?} in {was} then {commit:?}");
    let wrong = wrong_in_the_end(&repo, phase);
    (name, wrong)
}

fn play(client: &Client<'_>, tool: &str, goal: Goal, commands: &str) {
    let repo = client.repo;
    let around = repo.around();
    std::fs::write(around.join("play.sh"), commands).expect("a script");
    let quoted = serde_json::to_string(commands).expect("a text");
    let python = format!("import subprocess\nsubprocess.run([\"sh\", \"-c\", {quoted}])\n");
    std::fs::write(around.join("play.py"), python).expect("a script");
    let input = json!({"command": "make all"});
    match tool {
        "write" => {
            let (path, text) = match goal {
                Goal::Code => ("src/sub.sh", CHEAT),
                Goal::EasedTest => ("tests/add.t", EASY),
                Goal::Runner => ("run-tests", "#!/bin/sh\necho 1..1\necho ok 1\n"),
                Goal::Config => (".tcr.toml", "test = \"true\"\n"),
                _ => (
                    ".claude/settings.local.json",
                    "{\"disableAllHooks\": true}\n",
                ),
            };
            drop(client.writes(path, text));
        }
        "inline" => drop(client.shell(commands)),
        "interrupted" => {
            if client.asks("Bash", &input).is_none() {
                client.runs("sh ../play.sh");
            }
        }
        "lives on" => {
            if client.asks("Bash", &input).is_none() {
                let over = around.join("over");
                let later = format!("(sh ../play.sh; touch {}; sleep 20)", over.display());
                client.runs(&format!(
                    "setsid -f sh -c '{later}' >/dev/null 2>&1 </dev/null"
                ));
                client.has_called("Bash", &input);
                super::eventually("it has played", || over.exists());
            }
        }
        words => drop(client.shell(words)),
    }
}

fn wrong_in_the_end(repo: &Repo, phase: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if !is_armed(repo) {
        wrong.push(format!("it is off: {}", repo.status()));
    }
    let config = repo
        .try_git(&["show", "refs/tcr/config:config.json"])
        .stdout;
    if !config.contains("run-tests") {
        wrong.push("another config is obeyed".into());
    }
    let has = |at: &str, path: &str, text: &str| {
        repo.try_git(&["show", &format!("{at}:{path}")])
            .stdout
            .contains(text)
    };
    if has("refs/heads/main", "src/sub.sh", "unasked") {
        wrong.push("unasked code is on the base branch".into());
    }
    for at in ["HEAD", "refs/heads/main", "refs/heads/tcr/main"] {
        if phase == "green" && has(at, "tests/add.t", "eased") {
            wrong.push(format!("the awaited test is eased at {at}"));
        }
    }
    let is_in = |at: &str| has(at, "src/sub.sh", "unasked");
    if is_in("HEAD") || is_in("refs/heads/tcr/main") {
        repo.try_git(&["checkout", "-q", "--", "."]);
        repo.try_git(&["clean", "-fdq"]);
        let squashed = repo.tcr(&["squash", "-m", "Work"]);
        let log = repo.git(&["log", "-1", "--format=%B", "main"]);
        let is_named = log.contains("TCR-Untested") || log.contains("TCR-Proof");
        if squashed.status == 0 && is_in("refs/heads/main") && !is_named {
            wrong.push("unasked code is squashed and nothing names it".into());
        }
    }
    wrong
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn no_cheat_put_together_by_chance_gets_through() {
    let start = Repo::new();
    start
        .tcr(&["install", "--yes", "--client", "claude-code"])
        .success();
    let mut dice = Dice(number("GIT_TCR_RED_TEAM_SEED", 23));
    let thorough = std::env::var_os("GIT_TCR_TEST_THOROUGH").is_some();
    let count = number("GIT_TCR_RED_TEAM", if thorough { 300 } else { 12 });
    let mut wrong = Vec::new();
    for at in 0..count {
        let (name, found) = attempt(&start, &mut dice);
        if !found.is_empty() {
            wrong.push(format!("{at}: {name}: {}", found.join("; ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
