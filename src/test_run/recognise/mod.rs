//! Which test runners are behind a command, also behind task runners, wrappers and scripts.
//!
//! A guess by names and by what the project's manifests say. Where it is wrong, a report is asked for
//! that never comes, and the output is read instead.

mod monorepos;
mod programs;
mod task_runners;
mod tasks;
mod words;
mod workspaces;
mod wrappers;

use std::path::{Component, Path, PathBuf};

use super::TestCommand;
use super::report::Runner;
use words::Part;

/// How many scripts may call each other.
const DEPTH: usize = 8;
/// How many commands are looked at in all.
const COMMANDS: usize = 400;

/// A runner that a command seems to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The runner.
    pub(super) runner: Runner,
    /// Where it starts, from the root of the project.
    pub(super) dir: PathBuf,
    /// Whether our environment and our files reach it; not in a container.
    pub(super) reachable: bool,
    /// Whether it must have run if all is well: it is named, and not in one of several branches.
    pub(super) sure: bool,
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// What runs it in one package of many.
    pub(super) package: Option<Package>,
}

/// A package whose task is run by a program that does so in many, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    /// The program.
    pub(super) by: PackageRunner,
    /// What it puts in front of each line that the task prints.
    pub(super) prefix: String,
    /// The option with which it would let other tasks end after one has failed, where it is missing.
    pub(super) lets_end: Option<&'static str>,
}

/// A program that runs a task in many packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of a program")]
pub(super) enum PackageRunner {
    Turbo,
    Nx,
    Lerna,
    Pnpm,
}

/// What is looked at of a project, by paths from its root.
pub(super) trait Project {
    /// The text of a file.
    fn text(&self, file: &Path) -> Option<String>;
    /// The names of the folders in a folder.
    fn folders(&self, folder: &Path) -> Vec<String>;
}

/// Finds the runners behind `command`, in the order in which they seem to run.
pub(super) fn recognise(command: &TestCommand, project: &dyn Project) -> Vec<Found> {
    let mut search = Search {
        project,
        found: Vec::new(),
        visited: Vec::new(),
        commands: 0,
    };
    let root = Place::default();
    match command {
        TestCommand::Shell(script) => search.script(script, root),
        TestCommand::Args(words) => {
            let words: Vec<String> = words
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            search.command(&words, &root);
        }
    }
    search.found
}

/// Where a command is looked at.
#[derive(Debug, Clone, Default)]
struct Place {
    dir: PathBuf,
    depth: usize,
    /// In a container, on another machine, or with a cleared environment.
    elsewhere: bool,
    /// In a script with branches, of which not all are taken.
    branches: bool,
    package: Option<Package>,
}

impl Place {
    fn deeper(&self) -> Place {
        Place {
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    fn in_dir(&self, dir: &str) -> Place {
        let mut to = self.dir.clone();
        for part in Path::new(dir).components() {
            match part {
                Component::ParentDir => {
                    to.pop();
                }
                Component::Normal(name) => to.push(name),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        Place {
            dir: to,
            ..self.clone()
        }
    }

    fn elsewhere(&self) -> Place {
        Place {
            elsewhere: true,
            ..self.clone()
        }
    }
}

struct Search<'a> {
    project: &'a dyn Project,
    found: Vec<Found>,
    /// Scripts that were looked into, so that those that call each other end.
    visited: Vec<(PathBuf, String)>,
    commands: usize,
}

impl Search<'_> {
    /// Looks at every command of a shell script.
    fn script(&mut self, script: &str, at: Place) {
        if at.depth > DEPTH {
            return;
        }
        let mut at = at.deeper();
        at.branches |= has_branches(script);
        let mut outer = Vec::new();
        for part in words::split(script) {
            match part {
                Part::Open => outer.push(at.clone()),
                Part::Close => at = outer.pop().unwrap_or(at),
                Part::Command(words) => match words.as_slice() {
                    [cd, dir, ..] if cd == "cd" || cd == "pushd" => at = at.in_dir(dir),
                    words => self.command(words, &at),
                },
            }
        }
    }

    /// Looks at a task by its name, once.
    fn task(&mut self, kind: &str, name: &str, script: Option<String>, at: &Place) -> bool {
        let Some(script) = script else {
            return false;
        };
        let key = (at.dir.clone(), format!("{kind} {name}"));
        if !self.visited.contains(&key) {
            self.visited.push(key);
            self.script(&script, at.clone());
        }
        true
    }

    fn command(&mut self, words: &[String], at: &Place) {
        self.commands += 1;
        if self.commands > COMMANDS || at.depth > DEPTH {
            return;
        }
        let start = words.iter().take_while(|word| is_assignment(word)).count();
        let Some((program, arguments)) = words.split_at(start).1.split_first() else {
            return;
        };
        let call = Call {
            program,
            name: base_name(program),
            arguments,
            assignments: words.split_at(start).0,
        };
        if !wrappers::look(self, &call, at) {
            programs::look(self, &call, at);
        }
    }

    fn add(&mut self, runner: Runner, call: &Call<'_>, at: &Place) {
        self.add_found(runner, call, at, true);
    }

    fn add_guess(&mut self, runner: Runner, call: &Call<'_>, at: &Place) {
        self.add_found(runner, call, at, false);
    }

    fn add_found(&mut self, runner: Runner, call: &Call<'_>, at: &Place, sure: bool) {
        let mut words = vec![call.program.to_owned()];
        words.extend_from_slice(call.arguments);
        if runner == Runner::Rspec {
            let options = self.file(at, ".rspec").unwrap_or_default();
            let assigned = call.assignments.iter();
            let assigned = assigned.filter_map(|word| word.strip_prefix("SPEC_OPTS="));
            let options = assigned.chain([options.as_str()]);
            words.extend(options.flat_map(str::split_whitespace).map(str::to_owned));
        }
        self.found.push(Found {
            runner,
            dir: at.dir.clone(),
            reachable: !at.elsewhere,
            sure: sure && !at.branches,
            words,
            package: at.package.clone(),
        });
    }

    fn file(&self, at: &Place, name: &str) -> Option<String> {
        let path = Path::new(name);
        if path.is_absolute() {
            return None;
        }
        self.project.text(&at.in_dir(name).dir)
    }

    fn folders(&self, at: &Place) -> Vec<String> {
        self.project.folders(&at.dir)
    }

    fn first_file(&self, at: &Place, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.file(at, name))
    }
}

/// A program with its arguments.
struct Call<'a> {
    program: &'a str,
    /// The last part of its path.
    name: &'a str,
    arguments: &'a [String],
    /// The variables that are set for it alone.
    assignments: &'a [String],
}

impl<'a> Call<'a> {
    fn has(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }

    /// The first argument that is no option; `with_value` are options whose value is the next word.
    fn positional(&self, with_value: &[&str]) -> Option<(&'a str, &'a [String])> {
        let rest = skip_options(self.arguments, with_value);
        let (first, rest) = rest.split_first()?;
        Some((first, rest))
    }

    /// The value of an option, given as `--x value`, `--x=value` or, for a single letter, `-xvalue`.
    fn option(&self, names: &[&str]) -> Option<&'a str> {
        self.options(names).first().copied()
    }

    /// The values of an option that may be given more than once.
    fn options(&self, names: &[&str]) -> Vec<&'a str> {
        let mut values = Vec::new();
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            let after = names.iter().find_map(|name| {
                let value = word.strip_prefix(name)?;
                let is_joined =
                    value.is_empty() || value.starts_with('=') || !name.starts_with("--");
                is_joined.then_some(value)
            });
            match after {
                Some("") => values.extend(words.next().map(String::as_str)),
                Some(value) => values.push(value.strip_prefix('=').unwrap_or(value)),
                None => {}
            }
        }
        values
    }
}

/// Leaves out options at the beginning, up to and with `--`.
fn skip_options<'a>(words: &'a [String], with_value: &[&str]) -> &'a [String] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        if word == "--" {
            return after;
        }
        if !word.starts_with(['-', '+']) || word == "-" {
            return rest;
        }
        rest = after;
        if with_value.contains(&word.as_str()) {
            rest = rest.split_first().map_or(rest, |(_, after)| after);
        }
    }
    rest
}

/// Whether some commands of a script may be left out although all is well.
fn has_branches(script: &str) -> bool {
    script.contains("||")
        || script.split(['\n', ';', '&']).any(|part| {
            matches!(
                part.split_whitespace().next(),
                Some("if" | "case" | "while")
            )
        })
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|char: char| char.is_ascii_digit())
            && name
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || char == '_')
    })
}

fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    [".exe", ".cmd", ".bat", ".phar"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name)
}

#[cfg(test)]
impl Found {
    /// One in the root of a project.
    pub(super) fn of(runner: Runner) -> Found {
        Found {
            runner,
            dir: PathBuf::new(),
            reachable: true,
            sure: true,
            words: Vec::new(),
            package: None,
        }
    }
}

#[cfg(test)]
mod tests;
