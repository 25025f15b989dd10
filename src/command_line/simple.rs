//! Simple commands: assignments, words, redirections, and who is called.

use std::rc::Rc;

use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use super::limits;
use super::paths;
use super::programs;
use super::redirects::Redirections;
use super::scope::{Outcome, Shell, Variable};
use super::text;

/// A command with its words expanded.
pub(super) struct Call<'a> {
    /// The program, as the tables spell it.
    pub(super) name: &'static str,
    pub(super) arguments: &'a [String],
}

impl<'c> Shell<'c> {
    pub(super) fn run_simple(&mut self, simple: &ast::SimpleCommand) -> Outcome<'c> {
        let mut redirections = Redirections::default();
        let mut assignments = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                Item::AssignmentWord(assignment, _) => assignments.push(assignment),
                other => {
                    self.word_item(other, &mut redirections, &mut Vec::new());
                }
            }
        }
        let mut words = Vec::new();
        let mut declared = Vec::new();
        if let Some(word) = &simple.word_or_name {
            words.extend(self.expand(&word.value));
        }
        let declares = words.first().is_some_and(|name| {
            matches!(
                name.as_str(),
                "declare" | "typeset" | "local" | "export" | "readonly"
            )
        });
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                Item::AssignmentWord(assignment, _) if declares => {
                    declared.push(assignment_name(assignment));
                    self.assign(assignment);
                }
                Item::AssignmentWord(_, word) => words.extend(self.expand(&word.value)),
                other => self.word_item(other, &mut redirections, &mut words),
            }
        }
        words.extend(declared);
        for (number, file) in std::mem::take(&mut redirections.read) {
            if let Some(path) = self.known_path(&file) {
                let place = paths::descriptor_path(&number.to_string());
                self.session.links.borrow_mut().insert(place, path);
            }
        }
        let last = words.last().cloned();
        let outcome = self.with_input(redirections.input.take(), |shell| {
            shell.run_with_environment(&assignments, words)
        });
        if let Some(last) = last {
            self.set("_", last);
        }
        Outcome {
            output: self.close(redirections.opened, outcome.output),
            status: outcome.status,
        }
    }

    fn word_item(
        &mut self,
        item: &Item,
        redirections: &mut Redirections<'c>,
        words: &mut Vec<String>,
    ) {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect, redirections),
            Item::Word(word) => {
                if std::mem::take(&mut redirections.next_word_is_file) {
                    for name in self.expand(&word.value) {
                        self.write(&name, "redirection");
                    }
                }
                words.extend(self.expand(&word.value));
            }
            Item::AssignmentWord(_, word) => words.extend(self.expand(&word.value)),
            Item::ProcessSubstitution(_, subshell) => {
                let output = self.clone().run_list(&subshell.list).output;
                let mut pipes = self.session.pipes.borrow_mut();
                let name = format!("/dev/fd/{}", 63 + pipes.len());
                pipes.insert(name.clone(), output);
                match words.last_mut().filter(|word| word.ends_with('=')) {
                    Some(option) => option.push_str(&name),
                    None => words.push(name),
                }
            }
        }
    }

    /// Assignments before a command hold for that command only; alone they stay.
    fn run_with_environment(
        &mut self,
        assignments: &[&ast::Assignment],
        words: Vec<String>,
    ) -> Outcome<'c> {
        if words.is_empty() {
            for assignment in assignments {
                self.assign(assignment);
            }
            // With `set -a`, or if it was exported before, others get to see it as well.
            let names: Vec<String> = assignments.iter().map(|a| assignment_name(a)).collect();
            let switches = names.iter().filter(|name| *name == "GIT_TCR");
            programs::check_environment(self, switches.map(String::as_str));
            return Outcome::silent();
        }
        let mut outer: Vec<(String, Option<Variable>)> = Vec::new();
        for assignment in assignments {
            let name = assignment_name(assignment);
            outer.push((name.clone(), self.variables.get(&name).cloned()));
            self.assign(assignment);
            self.export(&name);
        }
        let names = outer.iter().map(|(name, _)| name.as_str());
        programs::check_environment(self, names);
        let outcome = self.run_words(words);
        for (name, variable) in outer.into_iter().rev() {
            match variable {
                Some(variable) => self.variables.insert(name, variable),
                None => self.variables.remove(&name),
            };
        }
        outcome
    }

    /// Runs a command given as words that are already expanded.
    pub(super) fn run_words(&mut self, words: Vec<String>) -> Outcome<'c> {
        if words.len() > limits::MAX_WORDS {
            self.session.give_up("a command in it has too many words");
        }
        if !self.session.step() {
            return Outcome::opaque();
        }
        let Some((name, arguments)) = words.split_first() else {
            return Outcome::silent();
        };
        if let Some(body) = self.functions.get(name).map(Rc::clone) {
            return self.run_function(&body, arguments);
        }
        if let Some(expansion) = self.aliases.remove(name) {
            // After a blank at its end the next word may be an alias as well.
            let next = arguments
                .first()
                .filter(|_| expansion.ends_with(char::is_whitespace))
                .and_then(|next| self.aliases.get(next));
            let line = match (next, arguments.split_first()) {
                (Some(next), Some((_, rest))) => {
                    format!("{expansion} {next} {}", quoted(rest))
                }
                _ => format!("{expansion} {}", quoted(arguments)),
            };
            let outcome = self.run_text(&line);
            self.aliases.insert(name.clone(), expansion);
            return outcome;
        }
        if !text::is_known(name) {
            return Outcome::opaque();
        }
        self.deeper(|shell| programs::run(shell, name, arguments))
    }

    pub(super) fn assign(&mut self, assignment: &ast::Assignment) {
        let (name, index) = match &assignment.name {
            ast::AssignmentName::VariableName(name) => (name.clone(), None),
            ast::AssignmentName::ArrayElementName(name, index) => {
                (name.clone(), Some(self.expand_quoted(index)))
            }
        };
        let mut elements = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => {
                let key = index.clone().unwrap_or_else(|| "0".to_owned());
                vec![(key, self.expand_to_text(&word.value))]
            }
            ast::AssignmentValue::Array(items) => self.array(items),
        };
        let name = self.referred(&name);
        let variable = self.variables.entry(name.clone()).or_default();
        match (&assignment.value, index) {
            (ast::AssignmentValue::Scalar(_), None) if assignment.append => {
                let before = variable.elements.first().map_or("", |(_, value)| value);
                if let Some((_, value)) = elements.first_mut() {
                    value.insert_str(0, before);
                }
                variable.elements = elements;
            }
            (ast::AssignmentValue::Scalar(_), Some(key)) => {
                variable.elements.retain(|(k, _)| *k != key);
                variable.elements.append(&mut elements);
            }
            (ast::AssignmentValue::Array(_), _) if assignment.append => {
                let start = variable.elements.len();
                for (at, (_, value)) in elements.into_iter().enumerate() {
                    variable.elements.push(((start + at).to_string(), value));
                }
            }
            _ => variable.elements = elements,
        }
        self.check_size(&name);
    }

    fn array(&mut self, items: &[(Option<ast::Word>, ast::Word)]) -> Vec<(String, String)> {
        let mut elements: Vec<(String, String)> = Vec::new();
        for (key, word) in items {
            match key {
                Some(key) => {
                    let key = self.expand_to_text(&key.value);
                    elements.push((key, self.expand_to_text(&word.value)));
                }
                None => {
                    for value in self.expand(&word.value) {
                        elements.push((elements.len().to_string(), value));
                    }
                }
            }
        }
        elements
    }
}

fn assignment_name(assignment: &ast::Assignment) -> String {
    match &assignment.name {
        ast::AssignmentName::VariableName(name)
        | ast::AssignmentName::ArrayElementName(name, _) => name.clone(),
    }
}

/// Words as text a shell reads back as the same words.
pub(crate) fn quoted(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}
