//! The parts of a monorepo.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use super::keys::{Scope, listed, nearest};
use super::layer::{TIMEOUT_S, put};
use super::reader::{Key, Reader, Value};
use super::value::CommandLine;

/// A part of a monorepo with tests of its own. Its patterns start at its folder, its commands
/// run there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its folder from the root, with `/` between and none at the ends; `.` is the root.
    pub path: String,
    /// How its tests are run; as at the top if not given.
    pub test: Option<CommandLine>,
    /// A command that must be clean before a commit.
    pub lint: Option<CommandLine>,
    /// Which of its files are tests; as at the top if not given.
    pub tests: Option<Vec<String>>,
    /// Which of its files are source; as at the top if not given.
    pub source: Option<Vec<String>>,
    /// More files that steer how its tests run.
    pub harness: Vec<String>,
    /// Files that are always writable and never judged.
    pub exempt: Vec<String>,
    /// Paths of the projects it builds on.
    pub needs: Vec<String>,
    /// How long its tests may take; as at the top if not given.
    pub timeout_s: Option<u32>,
    /// Output that confirms a red; as at the top if not given.
    pub red_confirm: Option<String>,
    /// A JUnit XML file that its test command writes, from its folder.
    #[serde(default)]
    pub report: Option<String>,
}

impl Project {
    /// How far `path`, from the root of the repository, is inside this project: the length of
    /// the project's own path, nothing if it is outside.
    pub(super) fn match_len(&self, path: &[u8]) -> Option<usize> {
        if self.path == "." {
            return Some(0);
        }
        let rest = path.strip_prefix(self.path.as_bytes())?;
        let inside = rest.is_empty() || rest.starts_with(b"/");
        inside.then_some(self.path.len())
    }
}

/// A project and where in the file its parts are, for problems between projects.
struct Placed {
    project: Project,
    path_at: Range<usize>,
    needs_at: Vec<Range<usize>>,
}

pub(super) fn read_projects(
    reader: &mut Reader,
    key: &Key<'_>,
    value: &Value<'_>,
) -> Option<Vec<Project>> {
    let tables = value
        .get_ref()
        .as_array()
        .filter(|array| array.iter().all(|item| item.get_ref().is_table()));
    let Some(tables) = tables else {
        reader.wrong_type(key, value, "an array of tables (`[[project]]`)");
        return None;
    };
    let all: Vec<Option<Placed>> = tables
        .iter()
        .map(|item| match item.get_ref() {
            DeValue::Table(table) => read_project(reader, table, item.span()),
            _ => None,
        })
        .collect();
    let all: Vec<Placed> = all.into_iter().collect::<Option<_>>()?;
    check_together(reader, &all);
    Some(all.into_iter().map(|placed| placed.project).collect())
}

fn read_project(reader: &mut Reader, table: &DeTable<'_>, at: Range<usize>) -> Option<Placed> {
    let mut project = Project::default();
    let mut path_at = None;
    let mut needs_at = Vec::new();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "path" => {
                path_at = Some(value.span());
                put(&mut project.path, folder(reader, key, value));
            }
            "test" => put(&mut project.test, reader.command(key, value)),
            "lint" => put(&mut project.lint, reader.command(key, value)),
            "tests" => put(&mut project.tests, reader.patterns(key, value).map(Some)),
            "source" => put(&mut project.source, reader.patterns(key, value).map(Some)),
            "harness" => put(&mut project.harness, reader.patterns(key, value)),
            "exempt" => put(&mut project.exempt, reader.patterns(key, value)),
            "needs" => {
                let needs = reader.list(key, value, |reader, key, item| {
                    needs_at.push(item.span());
                    folder(reader, key, item)
                });
                put(&mut project.needs, needs);
            }
            "timeout_s" => {
                let timeout = reader.number(key, value, TIMEOUT_S);
                put(&mut project.timeout_s, timeout.map(Some));
            }
            "red_confirm" => put(&mut project.red_confirm, reader.regex(key, value)),
            "report" => put(&mut project.report, reader.file(key, value)),
            _ => reader.unknown_key(Scope::Project, key),
        }
    }
    if path_at.is_none() {
        reader.problem_with_hint(
            at,
            "`[[project]]` has no `path`".to_owned(),
            "`path = \"packages/a\"`".to_owned(),
        );
    }
    // An unreadable path was noted; without one nothing can be said about the rest.
    let known = !project.path.is_empty();
    known.then_some(Placed {
        project,
        path_at: path_at?,
        needs_at,
    })
}

fn folder(reader: &mut Reader, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
    let hint = "give a folder inside the repository, from its root: `packages/a`";
    reader.inside_path(key, value, hint)
}

fn check_together(reader: &mut Reader, all: &[Placed]) {
    for (i, placed) in all.iter().enumerate() {
        let path = &placed.project.path;
        if all.iter().take(i).any(|other| other.project.path == *path) {
            let what = format!("a second project has the path `{path}`");
            reader.problem(placed.path_at.clone(), what);
        }
    }
    let paths = || all.iter().map(|placed| placed.project.path.as_str());
    for placed in all {
        for (need, at) in placed.project.needs.iter().zip(&placed.needs_at) {
            if !paths().any(|path| path == need) {
                let hint = match nearest(need, paths()) {
                    Some(right) => format!("did you mean `{right}`?"),
                    None => format!("known projects: {}", listed(paths())),
                };
                let what = format!("`needs` names `{need}`, which is no project's `path`");
                reader.problem_with_hint(at.clone(), what, hint);
            }
        }
    }
    if let Some((circle, at)) = circle(all) {
        let what = format!("`needs` goes round in a circle: {}", circle.join(" → "));
        reader.problem(at, what);
    }
}

/// The first circle of needs, as the paths along it, and the place of the project it starts at.
fn circle(all: &[Placed]) -> Option<(Vec<String>, Range<usize>)> {
    all.iter().find_map(|start| {
        let mut trail = vec![start.project.path.as_str()];
        let mut seen = Vec::new();
        leads_back(all, &start.project, &mut trail, &mut seen).then(|| {
            let quoted = trail.iter().map(|path| format!("`{path}`")).collect();
            (quoted, start.path_at.clone())
        })
    })
}

/// Follows the needs of `from` until they come back to the start of the trail.
fn leads_back<'a>(
    all: &'a [Placed],
    from: &'a Project,
    trail: &mut Vec<&'a str>,
    seen: &mut Vec<&'a str>,
) -> bool {
    for need in &from.needs {
        let Some(next) = all.iter().find(|placed| placed.project.path == *need) else {
            continue;
        };
        trail.push(need);
        if trail.first() == Some(&need.as_str()) {
            return true;
        }
        if !seen.contains(&need.as_str()) {
            seen.push(need);
            if leads_back(all, &next.project, trail, seen) {
                return true;
            }
        }
        trail.pop();
    }
    false
}
