//! The plugin of OpenCode for all of a person's repositories: it acts where git tcr is installed, from
//! whichever folder the client is started, and nowhere else.

use super::*;

const PLUGIN: &str = "home/.config/opencode/plugins/git-tcr.ts";

/// A repository with the Python project.
fn python() -> Repo {
    let repo = Repo::bare_start();
    for (path, content) in PYTHON.files {
        repo.write(path, content);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    repo
}

fn source_first(path: &'static str) -> Expected {
    denied(
        Step::Edit(path, PYTHON.line, PYTHON.right),
        &["write a failing test"],
    )
}

#[test]
fn opencode_for_all_repositories() {
    if !is_set_up(Client::OpenCode, &PYTHON) {
        return;
    }
    let repo = python();
    let client = Client::OpenCode;
    let bin = only_these_on_path(&repo, client, &PYTHON);
    let tcr = |args: &[&str]| {
        let ran = as_person(&repo, &bin, PROGRAM).args(args).output();
        Ran::from(ran.expect("it runs"))
    };
    let ran = tcr(&["install", "--yes", "--global"]).success();
    assert!(ran.stdout.contains("plugins/git-tcr.ts"), "{}", ran.stdout);
    assert!(repo.around().join(PLUGIN).exists());
    assert!(!repo.exists(".opencode"));
    assert_eq!(repo.porcelain(), "");

    let read = |path| expect(Step::Read(path), &[]);
    converse(
        &repo,
        &bin,
        &Session::of(client),
        &[
            read(PYTHON.source),
            source_first(PYTHON.source),
            expect(
                Step::Write(PYTHON.test.0, PYTHON.test.1),
                &["committed as red"],
            ),
            expect(Step::Own("tcr_status"), &["phase `green`"]),
            expect(Step::Own("tcr_run"), &["tests"]),
            expect(Step::Own("tcr_squash"), &["green"]),
        ],
    );

    // From a folder inside, and in another worktree.
    let inside = repo.path("tests");
    converse(
        &repo,
        &bin,
        &Session {
            folder: Some(&inside),
            ..Session::of(client)
        },
        &[
            read("test_add.py"),
            denied(
                Step::Edit("test_add.py", PYTHON.strict, PYTHON.weak),
                &["wait until the failing ones pass"],
            ),
            expect(Step::Own("tcr_status"), &["phase `green`"]),
        ],
    );
    let linked = repo.around().join("linked");
    repo.git(&["worktree", "add", "-q", "-b", "feat", "../linked", "main"]);
    converse(
        &repo,
        &bin,
        &Session {
            folder: Some(&linked),
            ..Session::of(client)
        },
        &[read(PYTHON.source), source_first(PYTHON.source)],
    );

    // Where it is not installed, and where there is no repository at all.
    let elsewhere = repo.around().join("elsewhere");
    let no_repository = repo.around().join("none");
    for folder in [&elsewhere, &no_repository] {
        std::fs::create_dir(folder).expect("a new folder");
        std::fs::write(folder.join("calc.py"), "def sub(a, b):\n    return a - b\n")
            .expect("a file");
    }
    repo.git(&["init", "-q", "../elsewhere"]);
    for folder in [&elsewhere, &no_repository] {
        converse(
            &repo,
            &bin,
            &Session {
                folder: Some(folder),
                ..Session::of(client)
            },
            &[
                read("calc.py"),
                expect(Step::Edit("calc.py", PYTHON.line, PYTHON.right), &[]),
                expect(Step::Own("tcr_status"), &["tcr:", "hint"]),
            ],
        );
        let text = std::fs::read_to_string(folder.join("calc.py")).expect("a file");
        assert!(text.ends_with(PYTHON.right), "{text}");
    }

    let ran = tcr(&["uninstall"]).success();
    assert!(ran.stdout.contains("--global"), "{}", ran.stdout);
    assert!(repo.around().join(PLUGIN).exists(), "it may serve others");
    tcr(&["install", "--yes", "--global"]).success();
    tcr(&["uninstall", "--global"]).success();
    assert!(!repo.around().join(PLUGIN).exists());
}
