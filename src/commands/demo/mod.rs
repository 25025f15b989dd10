//! `git tcr demo`: the whole story in a throw-away repository, with real commands.

use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::print;
use crate::error::{Error, ExitStatus, Result};
use crate::git::command::git;
use crate::message::refusals;
use crate::this_process;

const RUNNER: &str = include_str!("run-tests");

/// One scene of the story.
enum Scene {
    /// What the reader is told.
    Say(&'static str),
    /// A file is written.
    Write {
        path: &'static str,
        content: &'static str,
    },
    /// A `git tcr` command, and the exit status it ends with.
    Tcr {
        args: &'static [&'static str],
        exits: i32,
    },
    /// A plain git command.
    Git(&'static [&'static str]),
}

use Scene::{Git, Say, Tcr, Write};

/// `demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where to make the repository; by default a new temporary folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

const STORY: &[Scene] = &[
    Say("A project whose tests need nothing but sh. One command sets git tcr up:"),
    Tcr {
        args: &["install", "--yes"],
        exits: 0,
    },
    Say("The test comes first. It fails, as it should: committed as red, and source is unlocked:"),
    Write {
        path: "tests/add.sh",
        content: "[ \"$(add 2 3)\" = 5 ]\n",
    },
    Tcr {
        args: &["run"],
        exits: 0,
    },
    Say("An implementation that does not pass yet is kept, to be finished:"),
    Write {
        path: "src/add.sh",
        content: "add() { echo $(($1 * $2)); }\n",
    },
    Tcr {
        args: &["run"],
        exits: 1,
    },
    Say("The right one makes the test pass: committed as green, the cycle is over:"),
    Write {
        path: "src/add.sh",
        content: "add() { echo $(($1 + $2)); }\n",
    },
    Tcr {
        args: &["run"],
        exits: 0,
    },
    Say("With green tests the code may be reshaped:"),
    Tcr {
        args: &["phase", "refactor"],
        exits: 0,
    },
    Write {
        path: "src/add.sh",
        content: "# The sum of two numbers.\nadd() { expr \"$1\" + \"$2\"; }\n",
    },
    Tcr {
        args: &["run"],
        exits: 0,
    },
    Say(
        "If you want it strict, red is gone at once (`patience = 0`, or the plain game, mode `tcr`):",
    ),
    Tcr {
        args: &["mode", "tcr"],
        exits: 0,
    },
    Write {
        path: "src/add.sh",
        content: "add() { echo \"$1 + $2\"; }\n",
    },
    Tcr {
        args: &["run"],
        exits: 1,
    },
    Say("Nothing is lost. What was taken back can be looked at and brought back:"),
    Tcr {
        args: &["recover", "list"],
        exits: 0,
    },
    Tcr {
        args: &["recover", "show", "1"],
        exits: 0,
    },
    Tcr {
        args: &["recover", "restore", "1"],
        exits: 0,
    },
    Say("On second thoughts: back to the last green, in one command:"),
    Tcr {
        args: &["recover", "green"],
        exits: 0,
    },
    Tcr {
        args: &["mode", "both"],
        exits: 0,
    },
    Say("Where the work stands, and what happened:"),
    Tcr {
        args: &["status"],
        exits: 0,
    },
    Tcr {
        args: &["log"],
        exits: 0,
    },
    Say("All of it is in git: commits on a branch of their own, results as notes:"),
    Git(&[
        "log",
        "--notes=tcr",
        "--format=%C(yellow)%h%C(reset) %s%n%N",
        "tcr/main",
    ]),
    Say("For the pull request it becomes one clean commit; the history is kept as evidence:"),
    Tcr {
        args: &["squash", "--type", "feat"],
        exits: 0,
    },
    Git(&["log", "-1", "--stat", "main"]),
    Say("Anybody can check that story, by running every red and every green again:"),
    Tcr {
        args: &["verify", "--replay"],
        exits: 0,
    },
    Say("And the whole of it as a page with pictures, for a browser:"),
    Tcr {
        args: &["report"],
        exits: 0,
    },
];

pub(crate) fn demo(args: &DemoArgs) -> Result<ExitStatus> {
    let root = folder(args.dir.as_deref())?;
    prepare(&root)?;
    print::text(&format!("The repository is in {}\n", root.display()))?;
    let stage = Stage { root };
    for scene in STORY {
        stage.play(scene)?;
    }
    print::text(&format!(
        "\nLook around yourself: cd {}\n",
        stage.root.display()
    ))?;
    Ok(ExitStatus::Done)
}

fn folder(wanted: Option<&Path>) -> Result<PathBuf> {
    let Some(wanted) = wanted else {
        let made = tempfile::Builder::new().prefix("git-tcr-demo-").tempdir();
        let made = made.map_err(|error| Error::io("create", &std::env::temp_dir(), error))?;
        return Ok(made.keep());
    };
    std::fs::create_dir_all(wanted).map_err(|error| Error::io("create", wanted, error))?;
    let mut items = std::fs::read_dir(wanted).map_err(|error| Error::io("list", wanted, error))?;
    if items.next().is_some() {
        return Err(refusals::not_empty(wanted));
    }
    wanted
        .canonicalize()
        .map_err(|error| Error::io("enter", wanted, error))
}

fn prepare(root: &Path) -> Result<()> {
    git(root, &["init", "-q", "-b", "main"], b"")?;
    // The story must run on a machine where git knows nobody yet, and on one where it changes what
    // it checks out.
    git(root, &["config", "core.autocrlf", "false"], b"")?;
    git(root, &["config", "user.name", "Demo"], b"")?;
    git(root, &["config", "user.email", "demo@example.com"], b"")?;
    git(root, &["config", "commit.gpgSign", "false"], b"")?;
    write(root, "run-tests", RUNNER)?;
    write(
        root,
        ".tcr.toml",
        "test = \"sh run-tests\"\ncommit_message = \"{phase}: {files}\"\n",
    )?;
    write(root, "tests/runs.sh", "true\n")?;
    git(root, &["add", "-A"], b"")?;
    git(
        root,
        &["commit", "-q", "-m", "A project with one test"],
        b"",
    )?;
    Ok(())
}

fn write(root: &Path, path: &str, content: &str) -> Result<()> {
    let path = root.join(path);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, error))?;
    }
    std::fs::write(&path, content).map_err(|error| Error::io("write", &path, error))
}

struct Stage {
    root: PathBuf,
}

impl Stage {
    fn play(&self, scene: &Scene) -> Result<()> {
        match scene {
            Say(text) => print::text(&format!("\n\x1b[1m{text}\x1b[0m\n")),
            Write { path, content } => {
                write(&self.root, path, content)?;
                let quoted: String = content.lines().map(|line| format!("> {line}\n")).collect();
                print::text(&format!("\x1b[36m$ cat > {path}\x1b[0m\n{quoted}"))
            }
            Tcr { args, exits } => self.tcr(args, *exits),
            Git(args) => {
                print::text(&format!("\x1b[36m$ git {}\x1b[0m\n", shown(args)))?;
                let mut with_colour = vec!["-c", "color.ui=always"];
                with_colour.extend(*args);
                let printed = git(&self.root, &with_colour, b"")?;
                print::text(&String::from_utf8_lossy(&printed))
            }
        }
    }

    fn tcr(&self, args: &[&str], exits: i32) -> Result<()> {
        print::text(&format!("\x1b[36m$ git tcr {}\x1b[0m\n", shown(args)))?;
        let program = this_process::program()?;
        let ended = Command::new(&program)
            .args(args)
            .current_dir(&self.root)
            .env(crate::env_vars::DEMO_MARK, "1")
            .status()
            .map_err(|error| Error::io("run", &program, error))?;
        if ended.code() == Some(exits) {
            return Ok(());
        }
        Err(Error::Story {
            command: shown(args),
            expected: exits,
            ended: ended.to_string(),
        })
    }
}

fn shown(args: &[&str]) -> String {
    let quoted = |arg: &&str| {
        if arg.contains([' ', '%']) {
            format!("'{arg}'")
        } else {
            (*arg).to_owned()
        }
    };
    args.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
