//! `build.gradle`, `settings.gradle` and their Kotlin forms. A build script is a program: what is
//! not known to name dependencies or to describe the project steers.

use super::Unreadable;
use super::entry::{Change, Format, Key, Part};
use super::pieces::{self, Piece};
use super::statements::statements;

use Part::{About, Dependencies, Steering};

pub(super) const GRADLE: Format = Format {
    read: |text| Ok(pieces::entries(&read(text)?)),
    take,
    effect,
};

const DEPENDENCY_BLOCKS: &[&str] = &["dependencies", "repositories", "dependencyManagement"];
const ABOUT_HEADS: &[&str] = &[
    "version",
    "group",
    "description",
    "publishing",
    "signing",
    "rootProject.name",
    "import",
];

fn part_of(head: &str, text: &str) -> Part {
    if DEPENDENCY_BLOCKS.contains(&head) {
        // `files("libs/x.jar")` takes a dependency from the project's own files.
        match text.contains("files(") || text.contains("fileTree(") {
            true => Steering,
            false => Dependencies,
        }
    } else if ABOUT_HEADS.contains(&head) {
        About
    } else {
        Steering
    }
}

fn effect(change: &Change<'_>) -> Part {
    // One more project, next to those that are there.
    if change.is_added() && change.key.first().is_some_and(|head| head == "include") {
        return About;
    }
    change.part
}

fn read(text: &str) -> Result<Vec<Piece>, Unreadable> {
    let mut found: Vec<Piece> = statements(text)?
        .into_iter()
        .map(|statement| {
            let head = head_of(&statement.text);
            let key: Key = match head == "include" {
                true => vec![head.to_owned(), statement.text.clone()],
                false => vec![head.to_owned()],
            };
            Piece {
                part: part_of(head, &statement.text),
                key,
                value: statement.text.clone(),
                span: statement.span,
                alone: None,
                is_bound: false,
            }
        })
        .collect();
    pieces::number(&mut found);
    Ok(found)
}

/// What a statement begins with: the name of its block, or what it assigns.
fn head_of(text: &str) -> &str {
    let end = match text.starts_with(['@', '"', '\'']) {
        true => None,
        false => text.find([' ', '=', '{']),
    };
    let head = end.map_or(text, |end| text.get(..end).unwrap_or_default());
    match head.split_once('(') {
        // `include("core")`, but `tasks.named("test")`.
        Some((name, _)) if name == "include" => name,
        Some(_) | None => head,
    }
}

fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let (ours, theirs) = (read(base).ok()?, read(from).ok()?);
    pieces::take((base, &ours), (from, &theirs), keys)
}
