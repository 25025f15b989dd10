//! Every command that a message names is a command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::Repo;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for item in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = item.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The words after `git tcr` in a text.
fn named(text: &str) -> BTreeSet<String> {
    let after = text.split("git tcr ").skip(1);
    let words = after.map(|rest| {
        let is_word = |sign: char| sign.is_ascii_lowercase() || sign == '-';
        rest.split(|sign: char| !is_word(sign))
            .next()
            .unwrap_or_default()
    });
    let words = words.filter(|word| !word.is_empty() && !word.starts_with('-'));
    words.map(str::to_owned).collect()
}

#[test]
fn every_command_that_is_named_in_quotes_exists() {
    let repo = Repo::new();
    let mut files = Vec::new();
    for room in ["message", "rules", "step", "commands"] {
        let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room);
        sources(&room, &mut files);
    }
    let mut commands = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for line in text.lines() {
            // In backquotes, or a hint of its own; "git tcr is off" is a sentence.
            let quoted = line.split('`').skip(1).step_by(2);
            let hints = line.split('"').skip(1).step_by(2);
            let is_command =
                |piece: &&str| piece.starts_with("git tcr ") && !piece.starts_with("git tcr is ");
            for piece in quoted.chain(hints).filter(is_command) {
                commands.extend(named(piece));
            }
        }
    }
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let ran = repo.tcr(&[&command, "--help"]);
        assert_eq!(ran.status, 0, "`git tcr {command}`: {}", ran.stderr);
    }
}
