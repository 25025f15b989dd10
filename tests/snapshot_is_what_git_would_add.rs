//! The snapshot of a worktree is the tree that `git add -A` would make, whatever was done to the
//! files; and a revert brings back exactly what was committed.

use std::fmt::Write as _;

use crate::support::Repo;
use crate::support::dice::Dice;

const NAMES: &[&str] = &[
    "a.txt",
    "b/c.txt",
    "b/d/e.txt",
    "b",
    "b/d",
    "with space.txt",
    "qu\"o'te.txt",
    "new\nline.txt",
    "tab\there.txt",
    "ünïcode.txt",
    "crlf.txt",
    "filtered.up",
    "forced.log",
    "ignored.log",
    "b/ignored.log",
    "-dash",
    "c/.gitkeep",
    "x.utf16",
    "id.ident",
    "(b).txt",
    "star*.txt",
    "back\\slash.txt",
    "eol.crlf",
];

const CONTENTS: &[&str] = &[
    "",
    "one\n",
    "two\r\nlines\r\n",
    "upper\n",
    "$Id$\n",
    "mixed\r\nends\n",
    "no end",
];

fn prepared() -> Repo {
    let repo = Repo::bare_start();
    repo.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.shout.smudge", "tr A-Z a-z"]);
    repo.write(
        ".gitattributes",
        "*.up filter=shout\n*.ident ident\ncrlf.txt text\n*.crlf text eol=crlf\n*.utf16 text working-tree-encoding=UTF-16LE\n",
    );
    repo.write(".gitignore", "*.log\n");
    repo.write(
        ".tcr.toml",
        "test = \"sh \\\"$HOME/verdict\\\"\"\nmode = \"tcr\"\n",
    );
    for (number, name) in [
        "a.txt",
        "b/c.txt",
        "b/d/e.txt",
        "crlf.txt",
        "filtered.up",
        "id.ident",
        "eol.crlf",
    ]
    .iter()
    .enumerate()
    {
        repo.write(name, CONTENTS[number % CONTENTS.len()]);
    }
    repo.write("forced.log", "forced\n");
    repo.git(&["add", "-A"]);
    repo.git(&["add", "-f", "forced.log"]);
    repo.git(&["commit", "-q", "-m", "start"]);
    verdict(&repo, true);
    repo.installed()
}

fn verdict(repo: &Repo, green: bool) {
    let script = if green {
        "echo 'ok 1 - t'; echo 1..1\n"
    } else {
        "echo 'not ok 1 - t'; echo 1..1; exit 1\n"
    };
    std::fs::write(repo.around().join("home/verdict"), script).expect("a file");
}

fn clear(repo: &Repo, name: &str) {
    let path = repo.path(name);
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(path).expect("a folder"),
        Ok(_) => std::fs::remove_file(path).expect("a file"),
        Err(_) => {}
    }
    // A file may stand where a folder has to be.
    for (at, _) in name.match_indices('/') {
        let parent = repo.path(&name[..at]);
        if parent
            .symlink_metadata()
            .is_ok_and(|metadata| !metadata.is_dir())
        {
            std::fs::remove_file(parent).expect("a file");
        }
    }
}

fn edit(repo: &Repo, dice: &mut Dice, story: &mut String) {
    let name = dice.pick(NAMES);
    let what = dice.roll(9);
    let _ = writeln!(story, "{what} {name:?}");
    match what {
        0..=2 => {
            clear(repo, name);
            repo.write(name, dice.pick(CONTENTS));
        }
        3 => clear(repo, name),
        4 => {
            clear(repo, name);
            repo.write(name, "");
            repo.remove(name);
            repo.link(dice.pick(&["a.txt", "nowhere", "../out", "b"]), name);
        }
        5 => {
            if repo.path(name).is_file() {
                repo.make_executable(name);
            }
        }
        6 => {
            let to = dice.pick(NAMES);
            let inside = to.starts_with(name) || name.starts_with(to);
            if !inside && repo.exists(name) {
                clear(repo, to);
                repo.write(to, "");
                repo.remove(to);
                // The folder that was cleared may have held it.
                if repo.exists(name) {
                    std::fs::rename(repo.path(name), repo.path(to)).expect("a rename");
                }
            }
        }
        7 => {
            repo.try_git(&["--literal-pathspecs", "add", "-f", "--", name]);
        }
        _ => {
            repo.try_git(&["--literal-pathspecs", "add", "-N", "--", name]);
        }
    }
}

/// Files that the snapshot leaves out, as they are now.
fn ignored(repo: &Repo) -> Vec<(String, Option<String>)> {
    let names = repo.git(&[
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
    ]);
    let names = names.split('\0').filter(|name| !name.is_empty());
    names
        .map(|name| {
            (
                name.to_owned(),
                std::fs::read_to_string(repo.path(name)).ok(),
            )
        })
        .collect()
}

#[test]
fn random_edits_are_committed_as_git_would_and_reverted_to_the_byte() {
    for seed in 1..=12_u64 {
        let repo = prepared();
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for round in 0..4 {
            let mut story = format!("seed {seed}, round {round}\n");
            for _ in 0..=dice.roll(6) {
                edit(&repo, &mut dice, &mut story);
            }
            let expected = repo.tree_by_git();
            let dirty = expected != repo.tree("HEAD");
            let untouched = ignored(&repo);
            let green = dice.roll(2) == 0;
            verdict(&repo, green);
            let before = repo.files();
            let ran = repo.tcr(&["run", "--json"]);
            assert_ne!(ran.status, 2, "{story}{}", ran.stderr);
            let outcome = ran.json();
            assert_eq!(ignored(&repo), untouched, "{story}{outcome}");
            if green {
                assert_eq!(repo.tree("HEAD"), expected, "{story}{outcome}");
                assert_eq!(repo.files(), before, "{story}");
            } else if dirty {
                assert_eq!(outcome["action"], "take_back", "{story}{outcome}");
                let number = outcome["recover"].to_string();
                let saved = repo.tree(&format!("refs/tcr/reverts/main/{number}"));
                assert_eq!(saved, expected, "{story}");
            }
            assert_eq!(repo.porcelain(), "", "{story}{outcome}");
        }
    }
}
