//! What a repository looks like, without the times and ids that differ from run to run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::Repo;

/// Everything that has to be the same.
#[derive(Debug, PartialEq)]
pub(super) struct Picture(BTreeMap<String, String>);

impl Picture {
    pub(super) fn of(repo: &Repo) -> Picture {
        let mut facts = BTreeMap::new();
        for (path, content) in files(repo.root()) {
            facts.insert(format!("file {path}"), content);
        }
        facts.insert("HEAD".into(), repo.branch());
        facts.insert("git status".into(), repo.porcelain());
        facts.insert("index".into(), repo.git(&["ls-files", "-s"]));
        let heads = repo.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]);
        for branch in heads.lines() {
            let log = repo.git(&["log", "--format=%T %B", branch]);
            facts.insert(format!("log {branch}"), log);
            let notes = repo.git(&["log", "--notes=tcr", "--format=%N", branch]);
            let notes: Vec<&str> = notes.lines().filter(|line| !line.starts_with("duration")).collect();
            facts.insert(format!("notes {branch}"), notes.join("\n"));
        }
        facts.insert("results".into(), results(repo));
        let saved = ["for-each-ref", "--format=%(refname) %(tree)", "refs/tcr/reverts"];
        facts.insert("saved".into(), repo.git(&saved));
        let states = repo.git(&["for-each-ref", "--format=%(refname)", "refs/tcr/state"]);
        for state in states.lines() {
            let links = repo.git(&["log", "--format=%s", state]);
            facts.insert(format!("links {state}"), links);
            let json = repo.show(&format!("{state}:state.json"));
            facts.insert(state.to_owned(), timeless(&json));
        }
        let flight = repo.git(&["for-each-ref", "--format=%(refname)", "refs/tcr/pending"]);
        facts.insert("in flight".into(), flight);
        Picture(facts)
    }

    pub(super) fn assert_is(&self, expected: &Picture, what: &str) {
        let names: BTreeSet<&String> = self.0.keys().chain(expected.0.keys()).collect();
        for name in names {
            assert_eq!(self.0.get(name), expected.0.get(name), "{what}: {name}");
        }
    }
}

/// The trees with a noted result.
fn results(repo: &Repo) -> String {
    let list = repo.try_git(&["notes", "--ref=tcr-results", "list"]).stdout;
    let mut trees: Vec<&str> = list.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    trees.sort_unstable();
    trees.join("\n")
}

/// A state without times and commit ids.
fn timeless(json: &str) -> String {
    let mut state: Value = serde_json::from_str(json).expect("JSON");
    fn strip(value: &mut Value) {
        const TIMES: &[&str] = &[
            "at", "since", "timestamp", "duration_ms", "last_activity", "session_start", "started_at",
            "phase_entered_at", "cached", "wip_tip", "last_green", "fingerprint",
        ];
        match value {
            Value::Object(map) => {
                map.retain(|name, _| !TIMES.contains(&name.as_str()));
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut state);
    serde_json::to_string_pretty(&state).expect("JSON")
}

fn files(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = item.path();
            let name = path.strip_prefix(root).expect("it is inside").display().to_string();
            let metadata = path.symlink_metadata().expect("it is there");
            if name == ".git" {
                continue;
            }
            if metadata.is_dir() {
                found.insert(format!("{name}/"), String::new());
                folders.push(path);
            } else if metadata.is_symlink() {
                let link = std::fs::read_link(&path).expect("a link");
                found.insert(name, format!("-> {}", link.display()));
            } else {
                let mode = metadata.permissions().mode() & 0o100;
                let content = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
                found.insert(name, format!("{mode:o} {content}"));
            }
        }
    }
    found
}

/// All content there is: in the worktree, in the index, and in commits.
pub(super) struct Contents(BTreeSet<String>);

impl Contents {
    pub(super) fn of(repo: &Repo) -> Contents {
        let mut ids = in_worktree(repo);
        let listed = repo.git(&["rev-list", "--objects", "--no-object-names", "--indexed-objects", "--all"]);
        ids.extend(listed.lines().map(str::to_owned));
        Contents(ids)
    }

    pub(super) fn assert_there(&self, repo: &Repo, what: &str) {
        let now = Contents::of(repo);
        for id in self.0.difference(&now.0) {
            // A tree is no content of its own.
            assert_eq!(repo.git(&["cat-file", "-t", id]), "tree", "{what}: {id} is lost");
        }
    }
}

fn in_worktree(repo: &Repo) -> BTreeSet<String> {
    let paths: Vec<String> = files(repo.root())
        .into_iter()
        .filter(|(path, content)| !path.ends_with('/') && !content.starts_with("-> "))
        .map(|(path, _)| path)
        .collect();
    let mut git = repo
        .command("git")
        .args(["hash-object", "-w", "--stdin-paths"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git runs");
    let mut stdin = git.stdin.take().expect("it was asked for");
    stdin.write_all(paths.join("\n").as_bytes()).expect("git reads");
    drop(stdin);
    let output = git.wait_with_output().expect("git ends");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
