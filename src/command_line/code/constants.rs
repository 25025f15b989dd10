//! What is known about the names in a program.

use std::collections::HashMap;

use super::super::limits;
use super::super::scope::Shell;
use super::super::text;
use super::tokens::Language;

/// What names stand for, and what a program can ask about its surroundings.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Constants {
    /// Variables that were assigned literals; a list is one item a line.
    names: HashMap<String, String>,
    /// Variables of the environment that the command itself sets.
    environment: HashMap<String, String>,
    /// What the attributes of objects were assigned, whichever object it is.
    attributes: HashMap<String, String>,
    /// What the program passes to its own functions: by function and parameter, one value a line.
    passed: HashMap<(String, String), String>,
    pub(super) cwd: String,
}

impl Constants {
    /// What a program started here would find: its arguments, the environment, the directory.
    pub(super) fn around(shell: &Shell<'_>, language: Language, arguments: &[String]) -> Self {
        let mut constants = Constants {
            cwd: shell.cwd.clone(),
            ..Constants::default()
        };
        for name in shell.variables.keys() {
            if let Some(value) = shell.variable(name) {
                constants.environment.insert(name.clone(), value);
            }
        }
        if language == Language::JavaScript {
            constants.insert("__dirname", shell.cwd.clone());
        }
        if !arguments.is_empty() {
            for name in ["argv", "args"] {
                constants.insert(name, arguments.join("\n"));
            }
        }
        constants
    }

    pub(super) fn insert(&mut self, name: &str, value: String) {
        self.names.insert(name.to_owned(), value);
    }

    pub(super) fn insert_attribute(&mut self, name: &str, value: String) {
        self.attributes.insert(name.to_owned(), value);
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&String> {
        self.attributes.get(name)
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.names.remove(name);
    }

    /// Puts a value in place of another, and returns that.
    pub(super) fn replace(&mut self, name: &str, value: String) -> Option<String> {
        self.names.insert(name.to_owned(), value)
    }

    /// What a parameter of one of the program's functions may be.
    pub(super) fn passed(&self, function: &str, parameter: &str) -> Option<String> {
        let key = (function.to_owned(), parameter.to_owned());
        self.passed.get(&key).cloned()
    }

    /// A parameter of one of the program's functions may be this as well.
    pub(super) fn pass(&mut self, function: &str, parameter: &str, value: &str) {
        let key = (function.to_owned(), parameter.to_owned());
        let passed = self.passed.entry(key).or_default();
        let is_new = !passed.split('\n').any(|one| one == value);
        if is_new && passed.len() + value.len() <= limits::MAX_MATCHED {
            if !passed.is_empty() {
                passed.push('\n');
            }
            passed.push_str(value);
        }
    }

    pub(super) fn enter(&mut self, directory: &str) {
        self.cwd = directory.to_owned();
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&String> {
        self.names.get(name)
    }

    pub(super) fn variable(&self, name: &str) -> String {
        let value = self.environment.get(name).cloned();
        value.unwrap_or_else(text::unknown)
    }
}
