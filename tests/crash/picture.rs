//! What a repository looks like, without the times and ids that differ from run to run.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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
        let head = std::fs::read_to_string(repo.path(".git/HEAD")).expect("HEAD");
        facts.insert("HEAD".into(), head);
        facts.insert("git status".into(), status(repo));
        for line in repo
            .git(&["for-each-ref", "--format=%(refname) %(tree)"])
            .lines()
        {
            let (name, tree) = line.split_once(' ').expect("a name and a tree");
            // The trees of states and notes hold times.
            let has_times = ["refs/tcr/state", "refs/tcr/evidence", "refs/notes"]
                .iter()
                .any(|timed| name.starts_with(timed));
            facts.insert(
                name.to_owned(),
                if has_times {
                    String::new()
                } else {
                    tree.to_owned()
                },
            );
            if name.starts_with("refs/heads/tcr/") {
                let log = repo.git(&["log", "--notes=tcr", "--format=%T %B %N", name]);
                let log = log.lines().filter(|line| !line.starts_with("duration"));
                facts.insert(format!("log {name}"), log.collect::<Vec<_>>().join("\n"));
            }
            if name.starts_with("refs/tcr/state/") {
                facts.insert(
                    format!("log {name}"),
                    repo.git(&["log", "--format=%s", name]),
                );
                let json = repo.show(&format!("{name}:state.json"));
                facts.insert(format!("state {name}"), timeless(&json));
            }
        }
        facts.insert("results".into(), results(repo));
        Picture(facts)
    }

    /// Whether nothing was done; what was found out on the way may be known by now.
    pub(super) fn is_still(&self, before: &Picture) -> bool {
        let facts = |picture: &Picture| {
            let all = picture.0.clone().into_iter();
            all.filter(|(name, _)| name != "results")
                .collect::<Vec<_>>()
        };
        facts(self) == facts(before)
    }

    pub(super) fn assert_is(&self, expected: &Picture, what: &str) {
        let names: BTreeSet<&String> = self.0.keys().chain(expected.0.keys()).collect();
        for name in names {
            assert_eq!(self.0.get(name), expected.0.get(name), "{what}: {name}");
        }
    }
}

/// The index and the worktree against HEAD, without HEAD's own id.
fn status(repo: &Repo) -> String {
    repo.git(&["status", "--porcelain=v2", "--untracked-files=all"])
}

/// The trees with a noted result.
fn results(repo: &Repo) -> String {
    let list = repo.try_git(&["notes", "--ref=tcr-results", "list"]).stdout;
    let mut trees: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    trees.sort_unstable();
    trees.join("\n")
}

/// A state without times and commit ids.
fn timeless(json: &str) -> String {
    let mut state: Value = serde_json::from_str(json).expect("JSON");
    fn strip(value: &mut Value) {
        const TIMES: &[&str] = &[
            "at",
            "since",
            "timestamp",
            "duration_ms",
            "last_activity",
            "session_start",
            "started_at",
            "phase_entered_at",
            "cached",
            "wip_tip",
            "last_green",
            "fork",
            "squashed",
            "fingerprint",
            "decided_at",
            "commit",
            "red_commit",
            "watched",
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
            let name = path
                .strip_prefix(root)
                .expect("it is inside")
                .display()
                .to_string();
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
                let content =
                    String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
                found.insert(name, format!("{mode:o} {content}"));
            }
        }
    }
    found
}

/// All content there is: in the worktree, in the index, and in commits.
pub(crate) struct Contents(BTreeSet<String>);

impl Contents {
    /// What has to stay. The work in flight is no such thing: what it holds is elsewhere, or was
    /// given up by a person.
    pub(crate) fn of(repo: &Repo) -> Contents {
        Contents::listed(repo, "--exclude=refs/tcr/pending/*")
    }

    /// These blobs.
    pub(super) fn new(ids: BTreeSet<String>) -> Contents {
        Contents(ids)
    }

    /// What both hold.
    pub(super) fn and(&self, other: &Contents) -> Contents {
        Contents(self.0.intersection(&other.0).cloned().collect())
    }

    fn listed(repo: &Repo, but: &str) -> Contents {
        let mut ids = in_worktree(repo);
        let mut args = vec![
            "rev-list",
            "--objects",
            "--no-object-names",
            "--indexed-objects",
        ];
        // Of kept work the last snapshot stays, until the next one.
        args.extend([but, "--exclude=refs/tcr/work/*", "--all"]);
        ids.extend(repo.git(&args).lines().map(str::to_owned));
        Contents(ids)
    }

    pub(crate) fn assert_there(&self, repo: &Repo, what: &str) {
        let now = Contents::listed(repo, "--exclude=none");
        for id in self.0.difference(&now.0) {
            // A tree is no content of its own.
            let kind = repo.try_git(&["cat-file", "-t", id]).stdout;
            assert_eq!(kind.trim(), "tree", "{what}: {id} is lost");
        }
    }
}

fn in_worktree(repo: &Repo) -> BTreeSet<String> {
    let files = files(repo.root()).into_iter();
    let files = files.filter(|(path, content)| !path.ends_with('/') && !content.starts_with("-> "));
    files.map(|(path, _)| blob_of(&repo.path(&path))).collect()
}

/// The id of the blob a file would be.
pub(super) fn blob_of(file: &Path) -> String {
    let bytes = std::fs::read(file).expect("a file");
    let kind = gix::objs::Kind::Blob;
    let hash = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, &bytes);
    hash.expect("a hash").to_string()
}
