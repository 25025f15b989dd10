//! Real coding agents with a scripted model: each goes through the story of test-driven development
//! and tries to leave it. `just test-agents` installs them first; they are skipped where that was not done.

mod clients;
mod global;
mod mcp;
mod model;
mod spec_cycle;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{PROGRAM, Ran, Repo, programs};
use clients::{Client, Step};
use model::Model;

/// A small project, and the steps of the story in it.
struct Project {
    files: &'static [(&'static str, &'static str)],
    source: &'static str,
    /// The last line of the source, and what a wrong and a right step make of it.
    line: &'static str,
    wrong: &'static str,
    right: &'static str,
    test: (&'static str, &'static str),
    /// A line of the test, and a weaker one.
    strict: &'static str,
    weak: &'static str,
    /// Empties the test by a path that only a run reveals.
    in_disguise: &'static str,
    programs: &'static [&'static str],
}

const PYTHON: Project = Project {
    files: &[
        (
            "pyproject.toml",
            "[project]\nname = \"calc\"\nversion = \"0\"\n\n[tool.pytest.ini_options]\npythonpath = [\".\"]\n",
        ),
        ("calc.py", "def sub(a, b):\n    return a - b\n"),
        (
            "tests/test_sub.py",
            "import calc\n\n\ndef test_sub():\n    assert calc.sub(3, 1) == 2\n",
        ),
        (".gitignore", "__pycache__/\n.pytest_cache/\n"),
    ],
    source: "calc.py",
    line: "    return a - b\n",
    wrong: "    return a - b\n\n\ndef add(a, b):\n    return a * b\n",
    right: "    return a - b\n\n\ndef add(a, b):\n    return a + b\n",
    test: (
        "tests/test_add.py",
        "import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n",
    ),
    strict: "    assert calc.add(1, 2) == 3\n",
    weak: "    assert True\n",
    in_disguise: "python3 -c \"import glob; [open(p, 'w').close() for p in glob.glob('t*s/test_a*')]\"",
    programs: &["python3", "pytest"],
};

const JAVASCRIPT: Project = Project {
    files: &[
        (
            "package.json",
            "{\n  \"name\": \"calc\",\n  \"type\": \"module\",\n  \"scripts\": { \"test\": \"node --test\" }\n}\n",
        ),
        ("src/calc.js", "export const sub = (a, b) => a - b\n"),
        (
            "test/sub.test.js",
            "import test from 'node:test'\nimport assert from 'node:assert'\nimport * as calc from '../src/calc.js'\n\n\
             test('sub', () => assert.equal(calc.sub(3, 1), 2))\n",
        ),
    ],
    source: "src/calc.js",
    line: "export const sub = (a, b) => a - b\n",
    wrong: "export const sub = (a, b) => a - b\nexport const add = (a, b) => a * b\n",
    right: "export const sub = (a, b) => a - b\nexport const add = (a, b) => a + b\n",
    test: (
        "test/add.test.js",
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport * as calc from '../src/calc.js'\n\n\
         test('add', () => assert.equal(calc.add(1, 2), 3))\n",
    ),
    strict: "test('add', () => assert.equal(calc.add(1, 2), 3))\n",
    weak: "test('add', () => {})\n",
    in_disguise: "node -e \"const fs = require('fs'), d = [...'tset'].reverse().join(''); \
                  for (const f of fs.readdirSync(d)) if (f[0] === 'a') fs.writeFileSync(d + '/' + f, '')\"",
    programs: &["npm"],
};

/// What the model is told after a step.
struct Expected {
    step: Step,
    /// Words that must be in it.
    says: &'static [&'static str],
    /// Whether it may speak of a denial.
    denied: bool,
}

fn expect(step: Step, says: &'static [&'static str]) -> Expected {
    Expected {
        step,
        says,
        denied: false,
    }
}

fn denied(step: Step, says: &'static [&'static str]) -> Expected {
    Expected {
        step,
        says,
        denied: true,
    }
}

/// The story: what the model tries, and what it is told.
fn story(client: Client, project: &'static Project) -> Vec<Expected> {
    let (test, content) = project.test;
    let mut steps = vec![
        expect(Step::Read(project.source), &[]),
        denied(
            Step::Edit(project.source, project.line, project.right),
            &["write a failing test"],
        ),
        expect(Step::Write(test, content), &["committed as red", "green"]),
        expect(Step::Read(project.source), &[]),
        expect(
            Step::Edit(project.source, project.line, project.wrong),
            &["kept, not committed", "fails"],
        ),
        expect(Step::Read(test), &[]),
        denied(
            Step::Edit(test, project.strict, project.weak),
            &["wait until the failing ones pass"],
        ),
        denied(
            Step::Shell(format!("sed -i s/1/2/ {test}")),
            &["wait until the failing ones pass"],
        ),
        expect(Step::Shell(project.in_disguise.into()), &["taken back"]),
        expect(
            // A client may lose what a program prints right before it ends.
            Step::Shell(format!("cat {} && sleep 0.5", client.settings())),
            &["git-tcr"],
        ),
        denied(
            Step::Shell(format!("rm -f {}", client.settings())),
            &["protected"],
        ),
        expect(Step::Read(project.source), &[]),
        expect(
            Step::Edit(project.source, project.wrong, project.right),
            &["committed as green"],
        ),
    ];
    if client == Client::OpenCode {
        steps.push(expect(Step::Own("tcr_status"), &["phase"]));
        steps.push(expect(Step::Own("tcr_run"), &["nothing"]));
        steps.push(expect(Step::Own("tcr_squash"), &["would"]));
    }
    steps
}

fn go_through(client: Client, project: &'static Project) {
    if !is_set_up(client, project) {
        return;
    }
    let repo = Repo::bare_start();
    for (path, content) in project.files {
        repo.write(path, content);
    }
    if let Some(text) = client.earlier_settings() {
        repo.write(client.settings(), text);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    let bin = only_these_on_path(&repo, client, project);
    let before = repo.files();
    let tcr = |args: &[&str]| {
        Ran::from(
            as_person(&repo, &bin, PROGRAM)
                .args(args)
                .output()
                .expect("it runs"),
        )
    };

    let installed = tcr(&["install", "--yes"]).success();
    assert!(
        installed.stdout.contains(client.settings()),
        "{}",
        installed.stdout
    );
    assert_eq!(
        repo.porcelain(),
        changed_by_install(client),
        "{}",
        installed.stdout
    );

    converse(&repo, &bin, &Session::of(client), &story(client, project));

    assert_eq!(
        repo.read(project.test.0),
        project.test.1,
        "the test is as it was written"
    );
    assert!(
        repo.read(project.source).ends_with(project.right),
        "{}",
        repo.read(project.source)
    );
    assert_eq!(log_of(&tcr(&["log", "--json"]).success().json()), LOG);
    assert_eq!(repo.porcelain(), changed_by_install(client));

    tcr(&["uninstall"]).success();
    assert_eq!(repo.porcelain(), "");
    let mut after = repo.files();
    after.retain(|path, _| before.contains_key(path));
    for path in [project.source, project.test.0] {
        after.remove(path.as_bytes());
    }
    let unchanged: Vec<_> = before
        .iter()
        .filter(|(path, _)| path.as_slice() != project.source.as_bytes())
        .collect();
    assert_eq!(after.iter().collect::<Vec<_>>(), unchanged);
    assert!(client.earlier_settings().is_some() || !repo.exists(client.settings()));
}

/// One run of a client.
struct Session<'a> {
    client: Client,
    /// Where it is started, if not at the root.
    folder: Option<&'a Path>,
    /// More arguments.
    args: &'a [&'a str],
}

impl Session<'_> {
    fn of(client: Client) -> Session<'static> {
        Session {
            client,
            folder: None,
            args: &[],
        }
    }
}

/// Lets the model try these steps, one after the other, and looks at what it is told.
fn converse(repo: &Repo, bin: &str, session: &Session<'_>, steps: &[Expected]) {
    let client = session.client;
    let root = session.folder.unwrap_or(repo.root());
    let script = steps
        .iter()
        .map(|expected| client.call(&expected.step, root))
        .collect();
    let model = Model::with_script(script);
    client.set_up(repo, model.port);
    // A client that hangs must not hang the tests.
    let mut command = as_person(repo, bin, "timeout");
    command
        .args(["-k", "10", "600", client.program()])
        .args(session.args)
        .current_dir(root);
    client.arrange(&mut command, model.port);
    let ran = Ran::from(command.output().expect("it starts"));
    let told: Vec<String> = (0..steps.len()).map(|step| model.told(step)).collect();
    let transcript: String = steps
        .iter()
        .zip(&told)
        .map(|(expected, told)| format!("--- {:?}\n{told}\n", expected.step))
        .collect();
    let transcript = format!("{transcript}\n{}{}", ran.stdout, ran.stderr);
    for (expected, told) in steps.iter().zip(&told) {
        for words in expected.says {
            let step = &expected.step;
            assert!(told.contains(words), "{step:?}: no {words:?}\n{transcript}");
        }
        assert_eq!(
            told.contains("tcr: denied"),
            expected.denied,
            "{:?}\n{transcript}",
            expected.step
        );
    }
}

/// The story as the journal tells it, oldest first.
const LOG: [&str; 9] = [
    "activate",
    "denied",
    "commit red",
    "keep",
    "denied",
    "denied",
    "undo",
    "denied",
    "commit green",
];

fn log_of(log: &Value) -> Vec<String> {
    let events = log.as_array().expect("a list").iter().rev();
    events
        .map(|event| {
            match (
                event["event"].as_str().unwrap_or_default(),
                event["label"].as_str(),
            ) {
                ("commit", Some(label)) => format!("commit {label}"),
                (name, _) => name.to_owned(),
            }
        })
        .collect()
}

/// A settings file that was there before is the person's, and git shows that it changed.
fn changed_by_install(client: Client) -> String {
    match client.earlier_settings() {
        Some(_) => format!(" M {}", client.settings()),
        None => String::new(),
    }
}

fn is_set_up(client: Client, project: &Project) -> bool {
    let needed = [client.program(), "node"].into_iter();
    let needed: Vec<&str> = needed.chain(project.programs.iter().copied()).collect();
    programs::were_set_up(&needed)
}

/// A folder with the programs of the story: clients are found by PATH, and others may be installed.
fn only_these_on_path(repo: &Repo, client: Client, project: &Project) -> String {
    let bin = repo.around().join("bin");
    std::fs::create_dir(&bin).expect("a new folder");
    let link = |program: &Path, name: &str| {
        std::os::unix::fs::symlink(program, bin.join(name)).expect("a link");
    };
    link(Path::new(PROGRAM), "git-tcr");
    let needed = [client.program(), "node"]
        .into_iter()
        .chain(project.programs.iter().copied());
    for program in needed {
        let found = programs::find(program);
        link(
            &found.unwrap_or_else(|| panic!("no `{program}`: see `tests/setup.sh`")),
            program,
        );
    }
    format!("{}:/usr/bin:/bin", bin.display())
}

/// The environment of a person at a terminal, who has a home of their own and no client around.
fn as_person(repo: &Repo, path: &str, program: &str) -> Command {
    let mut command = repo.command(program);
    command
        .env("PATH", path)
        .env("TERM", "dumb")
        .stdin(Stdio::null());
    command
}

/// The table of clients tells people which versions were tried.
#[test]
fn the_versions_in_the_table_are_those_that_are_tried() {
    let setup = include_str!("setup.sh");
    for client in git_tcr::clients::Client::ALL {
        let line = format!("    {}) echo ", client.name());
        let package = setup.lines().find_map(|text| text.strip_prefix(&line));
        let version = package.and_then(|text| text.strip_suffix(" ;;")?.rsplit('@').next());
        assert_eq!(client.tried, version, "{client}");
    }
}

macro_rules! stories {
    ($($name:ident: $client:expr, $project:expr;)*) => {$(
        #[test]
        fn $name() {
            go_through($client, &$project);
        }
    )*};
}

stories! {
    opencode_in_a_python_project: Client::OpenCode, PYTHON;
    opencode_in_a_javascript_project: Client::OpenCode, JAVASCRIPT;
    claude_code_in_a_python_project: Client::ClaudeCode, PYTHON;
    claude_code_in_a_javascript_project: Client::ClaudeCode, JAVASCRIPT;
    codex_in_a_python_project: Client::Codex, PYTHON;
    codex_in_a_javascript_project: Client::Codex, JAVASCRIPT;
    gemini_in_a_python_project: Client::Gemini, PYTHON;
    gemini_in_a_javascript_project: Client::Gemini, JAVASCRIPT;
    copilot_in_a_python_project: Client::Copilot, PYTHON;
    copilot_in_a_javascript_project: Client::Copilot, JAVASCRIPT;
    qwen_code_in_a_python_project: Client::QwenCode, PYTHON;
    qwen_code_in_a_javascript_project: Client::QwenCode, JAVASCRIPT;
    pi_in_a_python_project: Client::Pi, PYTHON;
    pi_in_a_javascript_project: Client::Pi, JAVASCRIPT;
}
