//! The rooms form a graph without cycles: this reads who names whom.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The room that a file belongs to.
fn room_of(file: &Path) -> String {
    let first = file.iter().next().unwrap_or_default().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for item in std::fs::read_dir(folder).expect("the folder is there") {
        let path = item.expect("it can be listed").path();
        match path.is_dir() {
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

/// Tests may look wherever they like.
fn is_test(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests" || name.ends_with("_tests") || file.iter().any(|part| part == "tests")
}

/// The rooms that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let after = text.split("crate::").skip(1);
    let mut rooms = BTreeSet::new();
    for path in after {
        let inside = match path.strip_prefix('{') {
            Some(group) => group.split("};").next().unwrap_or_default(),
            None => path
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or_default(),
        };
        let first = |part: &str| {
            part.split("::")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        rooms.extend(inside.split(',').map(first));
    }
    rooms
}

fn graph() -> Graph {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&src, &mut files);
    let mut graph = Graph::new();
    for file in &files {
        let inside = file.strip_prefix(&src).expect("it is below");
        let room = room_of(inside);
        if is_test(inside) || room == "lib" || room == "main" {
            continue;
        }
        let text = std::fs::read_to_string(file).expect("it is text");
        graph.entry(room).or_default().extend(named(&text));
    }
    let rooms: BTreeSet<String> = graph.keys().cloned().collect();
    for (room, uses) in &mut graph {
        uses.retain(|used| used != room && rooms.contains(used));
    }
    graph
}

/// The rooms that can't be put below others: each uses one that uses it.
fn in_cycles(mut graph: Graph) -> BTreeSet<String> {
    loop {
        let free: Vec<String> = graph
            .iter()
            .filter(|(_, uses)| uses.iter().all(|used| !graph.contains_key(used)))
            .map(|(room, _)| room.clone())
            .collect();
        if free.is_empty() {
            return graph.into_keys().collect();
        }
        graph.retain(|room, _| !free.contains(room));
    }
}

#[test]
fn rooms_form_no_cycle() {
    let graph = graph();
    assert!(graph.len() > 20, "{graph:?}");
    assert_eq!(in_cycles(graph), BTreeSet::new());
}

#[test]
fn a_cycle_would_be_seen() {
    let text = "use crate::git::{refs, repo};\nfn f() { crate::fault::point(\"x\") }\nuse crate::{clock, error::Result};";
    let found: Vec<String> = named(text).into_iter().collect();
    assert_eq!(found, ["clock", "error", "fault", "git"]);
    let uses = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut graph = Graph::from([
        ("top".to_owned(), uses(&["one"])),
        ("one".to_owned(), uses(&["other"])),
        ("other".to_owned(), uses(&["low"])),
        ("low".to_owned(), uses(&[])),
    ]);
    assert_eq!(in_cycles(graph.clone()), BTreeSet::new());
    graph.insert("other".to_owned(), uses(&["low", "one"]));
    assert!(in_cycles(graph).contains("one"));
}
