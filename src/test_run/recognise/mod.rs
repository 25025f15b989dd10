//! Which test runners are behind a command, also behind task runners, wrappers and scripts.
//!
//! A guess by names and by what the project's manifests say. Where it is wrong, a report is asked for
//! that never comes, and the output is read instead.

mod interpreters;
mod monorepos;
mod task_runners;
mod tasks;
mod words;
mod workspaces;
mod wrappers;

use std::path::{Component, Path, PathBuf};

use super::TestCommand;
use crate::runners::command::{
    Call, Found, Look, Package, PackageRunner, Sign, base_name, skip_options,
};
use crate::runners::{RUNNERS, Runner};
use words::Part;

/// How many scripts may call each other.
const DEPTH: usize = 8;
/// How many commands are looked at in all.
const COMMANDS: usize = 400;

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
        if !wrappers::look(self, &call, at) && !self.known(&call, None, &call, at) {
            interpreters::look(self, &call, at);
        }
    }

    /// Adds the runners that a program is; `false` if it is none. An interpreter is `host` to the program,
    /// and what was called in its stead is `outer`.
    fn known(
        &mut self,
        program: &Call<'_>,
        host: Option<&str>,
        outer: &Call<'_>,
        at: &Place,
    ) -> bool {
        let mut found = Vec::new();
        let read = |name: &str| self.file(at, name);
        let look = Look {
            call: program,
            host,
            read: &read,
        };
        for runner in RUNNERS {
            if let Some(sign) = runner.sign_in(&look) {
                found.push((*runner, sign, (runner.more_words)(&look)));
            }
        }
        let is_known = !found.is_empty();
        for (runner, sign, more) in found {
            self.add(runner, sign, outer, at);
            if let Some(added) = self.found.last_mut() {
                added.words.extend(more);
            }
        }
        is_known
    }

    /// Adds the first runner that the text of a script tells, which `host` runs; `false` if it tells none.
    fn told(&mut self, host: &str, script: &str, call: &Call<'_>, at: &Place) -> bool {
        let runner = RUNNERS
            .iter()
            .find(|runner| runner.is_told_by(host, script));
        if let Some(runner) = runner {
            self.add(runner, Sign::Guess, call, at);
        }
        runner.is_some()
    }

    fn add(&mut self, runner: &'static Runner, sign: Sign, call: &Call<'_>, at: &Place) {
        let mut words = vec![call.program.to_owned()];
        words.extend_from_slice(call.arguments);
        self.found.push(Found {
            runner,
            dir: at.dir.clone(),
            reachable: !at.elsewhere,
            sure: sign == Sign::Sure && !at.branches,
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

#[cfg(test)]
mod tests;
