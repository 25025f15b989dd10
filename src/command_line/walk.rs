//! Walking the syntax tree the way a shell would run it, every branch taken.

use std::cell::RefCell;
use std::rc::Rc;

use brush_parser::ast;

use super::pattern;
use super::redirects::Redirections;
use super::scope::{Outcome, Shell, Variables};
use super::stream::Stream;
use super::text;

/// How often a loop body is looked at, one item or line each.
const MAX_ROUNDS: usize = 64;

impl<'c> Shell<'c> {
    pub(super) fn run_program(&mut self, program: &ast::Program) -> Outcome<'c> {
        let mut output = Stream::empty();
        for list in &program.complete_commands {
            output = output.then(self.run_list(list).output);
        }
        Outcome::printing(output)
    }

    pub(super) fn run_list(&mut self, list: &ast::CompoundList) -> Outcome<'c> {
        self.run_items(&list.0)
    }

    fn run_items(&mut self, items: &[ast::CompoundListItem]) -> Outcome<'c> {
        let mut outcome = Outcome::silent();
        for (at, ast::CompoundListItem(and_or, separator)) in items.iter().enumerate() {
            self.run_others(items.get(at..).unwrap_or(&[]));
            if self.session.gave_up() {
                break;
            }
            let next = match separator {
                ast::SeparatorOperator::Async => self.clone().run_and_or(and_or),
                ast::SeparatorOperator::Sequence => self.run_and_or(and_or),
            };
            outcome = Outcome {
                output: outcome.output.then(next.output),
                status: next.status,
            };
        }
        outcome
    }

    /// Looks at what follows a branch with the values the variables may have instead.
    fn run_others(&mut self, items: &[ast::CompoundListItem]) {
        for variables in std::mem::take(&mut self.others) {
            if self.session.may_fork() {
                let mut other = self.clone();
                other.variables = variables;
                other.run_items(items);
            }
        }
    }

    /// After branches: each of the values the variables had on the way is one they may have now.
    fn keep_others(&mut self, seen: Vec<Variables>) {
        let is_same = |name: &String, a: &Variables, b: &Variables| a.get(name) == b.get(name);
        for variables in seen {
            let mut names = variables.keys().chain(self.variables.keys());
            let differs =
                names.any(|name| name != "_" && !is_same(name, &variables, &self.variables));
            if differs && !self.others.contains(&variables) {
                self.others.push(variables);
            }
        }
    }

    fn run_and_or(&mut self, list: &ast::AndOrList) -> Outcome<'c> {
        if list.additional.is_empty() {
            return self.run_pipeline(&list.first);
        }
        let mut seen = Vec::new();
        let outcome = self.run_alternatives(list, &mut seen);
        self.keep_others(seen);
        outcome
    }

    fn run_alternatives(
        &mut self,
        list: &ast::AndOrList,
        seen: &mut Vec<Variables>,
    ) -> Outcome<'c> {
        let stops_on_failure = self.stops_on_failure;
        let mut outcome = Outcome::silent();
        let mut current = &list.first;
        let mut rest = list.additional.iter();
        loop {
            let next = rest.next();
            self.stops_on_failure = stops_on_failure || next.is_some_and(guards_what_follows);
            let before = self.cwd.clone();
            let result = self.run_pipeline(current);
            if next.is_some() {
                seen.push(self.variables.clone());
            }
            outcome = Outcome {
                output: outcome.output.then(result.output),
                status: result.status,
            };
            match next {
                None => break,
                Some(ast::AndOr::And(pipeline)) => current = pipeline,
                Some(ast::AndOr::Or(pipeline)) => {
                    // What follows `||` runs where a failed `cd` left the shell.
                    let after = std::mem::replace(&mut self.cwd, before);
                    let result = self.run_pipeline(pipeline);
                    outcome.output = outcome.output.then(result.output);
                    self.cwd = after;
                    match rest.next() {
                        None => break,
                        Some(ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline)) => {
                            current = pipeline
                        }
                    }
                }
            }
        }
        self.stops_on_failure = stops_on_failure;
        outcome
    }

    fn run_pipeline(&mut self, pipeline: &ast::Pipeline) -> Outcome<'c> {
        let mut outcome = match pipeline.seq.as_slice() {
            [single] => self.run_command(single),
            stages => self.run_stages(stages),
        };
        if pipeline.bang {
            outcome.status = outcome.status.map(|ok| !ok);
        }
        outcome
    }

    fn run_stages(&mut self, stages: &[ast::Command]) -> Outcome<'c> {
        let mut outcome = Outcome::printing(self.input());
        for (index, stage) in stages.iter().enumerate() {
            let mut inner = self.clone();
            if index > 0 {
                inner.stdin = Rc::new(RefCell::new(outcome.output));
            }
            outcome = inner.run_command(stage);
            self.session.spend(outcome.output.len());
            if index + 1 == stages.len() {
                // zsh runs the last stage in the shell itself.
                self.variables = inner.variables;
            }
        }
        outcome
    }

    fn run_command(&mut self, command: &ast::Command) -> Outcome<'c> {
        if !self.session.step() {
            return Outcome::opaque();
        }
        match command {
            ast::Command::Simple(simple) => self.run_simple(simple),
            ast::Command::Compound(compound, redirects) => {
                self.redirected(redirects.as_ref(), |shell| shell.run_compound(compound))
            }
            ast::Command::Function(definition) => {
                let body = Rc::new(definition.body.clone());
                self.functions.insert(definition.fname.value.clone(), body);
                Outcome::silent()
            }
            ast::Command::ExtendedTest(test, redirects) => {
                self.redirected(redirects.as_ref(), |shell| {
                    shell.run_test(&test.expr);
                    Outcome::silent()
                })
            }
        }
    }

    pub(super) fn run_function(
        &mut self,
        body: &ast::FunctionBody,
        arguments: &[String],
    ) -> Outcome<'c> {
        let ast::FunctionBody(compound, redirects) = body;
        let outer = std::mem::replace(&mut self.positional, arguments.to_vec());
        let outcome = self.deeper(|shell| {
            shell.redirected(redirects.as_ref(), |shell| shell.run_compound(compound))
        });
        self.positional = outer;
        outcome
    }

    fn redirected(
        &mut self,
        redirects: Option<&ast::RedirectList>,
        run: impl FnOnce(&mut Self) -> Outcome<'c>,
    ) -> Outcome<'c> {
        let Some(ast::RedirectList(list)) = redirects else {
            return run(self);
        };
        let mut redirections = Redirections::default();
        for redirect in list {
            self.redirect(redirect, &mut redirections);
        }
        let outcome = self.with_input(redirections.input, run);
        Outcome {
            output: self.close(redirections.opened, outcome.output),
            status: outcome.status,
        }
    }

    /// Runs something with another standard input.
    pub(super) fn with_input(
        &mut self,
        input: Option<Stream<'c>>,
        run: impl FnOnce(&mut Self) -> Outcome<'c>,
    ) -> Outcome<'c> {
        let Some(input) = input else {
            return run(self);
        };
        let outer = std::mem::replace(&mut self.stdin, Rc::new(RefCell::new(input)));
        let outcome = run(self);
        self.stdin = outer;
        outcome
    }

    fn run_compound(&mut self, compound: &ast::CompoundCommand) -> Outcome<'c> {
        use ast::CompoundCommand as Compound;
        match compound {
            Compound::BraceGroup(group) => self.run_list(&group.list),
            Compound::Subshell(subshell) => self.clone().run_list(&subshell.list),
            Compound::Coprocess(coprocess) => self.clone().run_command(&coprocess.body),
            Compound::IfClause(clause) => self.run_if(clause),
            Compound::ForClause(clause) => self.run_for(clause),
            Compound::CaseClause(clause) => self.run_case(clause),
            Compound::WhileClause(clause) | Compound::UntilClause(clause) => self.run_while(clause),
            Compound::Arithmetic(command) => {
                self.arithmetic(&command.expr.value);
                Outcome::silent()
            }
            Compound::ArithmeticForClause(clause) => self.run_counting_for(clause),
        }
    }

    fn run_if(&mut self, clause: &ast::IfClauseCommand) -> Outcome<'c> {
        let condition = self.run_list(&clause.condition).output;
        let mut seen = vec![self.variables.clone()];
        let mut output = condition.then(self.run_list(&clause.then).output);
        seen.push(self.variables.clone());
        for branch in clause.elses.iter().flatten() {
            if let Some(condition) = &branch.condition {
                output = output.then(self.run_list(condition).output);
            }
            output = output.then(self.run_list(&branch.body).output);
            seen.push(self.variables.clone());
        }
        let always_branches = clause
            .elses
            .iter()
            .flatten()
            .any(|branch| branch.condition.is_none());
        if always_branches {
            seen.remove(0);
        }
        self.keep_others(seen);
        Outcome::printing(output)
    }

    fn run_for(&mut self, clause: &ast::ForClauseCommand) -> Outcome<'c> {
        let mut items = Vec::new();
        match &clause.values {
            Some(words) => {
                for word in words {
                    items.extend(self.expand(&word.value));
                }
            }
            None => items.clone_from(&self.positional),
        }
        if items.len() > MAX_ROUNDS {
            items.truncate(MAX_ROUNDS);
            items.push(text::unknown());
        }
        let mut output = Stream::empty();
        for item in items {
            self.set(&clause.variable_name, item);
            output = output.then(self.run_list(&clause.body.list).output);
        }
        Outcome::printing(output)
    }

    fn run_counting_for(&mut self, clause: &ast::ArithmeticForClauseCommand) -> Outcome<'c> {
        for expression in [&clause.initializer, &clause.condition, &clause.updater]
            .into_iter()
            .flatten()
        {
            self.arithmetic(&expression.value);
        }
        self.run_list(&clause.body.list)
    }

    fn run_while(&mut self, clause: &ast::WhileOrUntilClauseCommand) -> Outcome<'c> {
        let ast::WhileOrUntilClauseCommand(condition, body, _) = clause;
        let mut output = Stream::empty();
        for round in 0..MAX_ROUNDS {
            let unread = self.unread();
            let tested = self.run_list(condition);
            output = output.then(tested.output);
            if tested.status == Some(false) && round > 0 {
                break;
            }
            output = output.then(self.run_list(&body.list).output);
            // Only a loop that reads has something new in its next round.
            if self.unread() == unread || self.session.gave_up() {
                break;
            }
        }
        Outcome::printing(output)
    }

    /// How much is left to read, where that is known.
    fn unread(&self) -> Option<usize> {
        match &*self.stdin.borrow() {
            Stream::Text(text) => Some(text.len()),
            Stream::Lazy(_) => None,
        }
    }

    fn run_case(&mut self, clause: &ast::CaseClauseCommand) -> Outcome<'c> {
        let value = self.expand_to_text(&clause.value.value);
        let mut output = Stream::empty();
        let mut seen = Vec::new();
        for item in &clause.cases {
            let mut may_match = !text::is_known(&value);
            for word in &item.patterns {
                let pattern = self.expand_to_pattern(&word.value);
                may_match |= !text::is_known(&pattern) || pattern::matches(&pattern, &value);
            }
            if let Some(list) = item.cmd.as_ref().filter(|_| may_match) {
                output = output.then(self.run_list(list).output);
                seen.push(self.variables.clone());
            }
        }
        self.keep_others(seen);
        Outcome::printing(output)
    }

    fn run_test(&mut self, test: &ast::ExtendedTestExpr) {
        use ast::ExtendedTestExpr as Test;
        match test {
            Test::And(left, right) | Test::Or(left, right) => {
                self.run_test(left);
                self.run_test(right);
            }
            Test::Not(inner) | Test::Parenthesized(inner) => self.run_test(inner),
            Test::UnaryTest(predicate, word) => {
                let value = self.expand_to_text(&word.value);
                if matches!(
                    predicate,
                    ast::UnaryPredicate::ShellVariableIsSetAndAssigned
                ) {
                    self.evaluated(&value);
                }
            }
            Test::BinaryTest(predicate, left, right) => {
                use ast::BinaryPredicate as Predicate;
                let sides = [left, right].map(|word| self.expand_to_text(&word.value));
                let is_arithmetic = matches!(
                    predicate,
                    Predicate::ArithmeticEqualTo
                        | Predicate::ArithmeticNotEqualTo
                        | Predicate::ArithmeticLessThan
                        | Predicate::ArithmeticLessThanOrEqualTo
                        | Predicate::ArithmeticGreaterThan
                        | Predicate::ArithmeticGreaterThanOrEqualTo
                );
                if is_arithmetic {
                    sides.iter().for_each(|side| self.evaluated(side));
                }
            }
        }
    }
}

/// Whether a failure of the command before keeps the rest from running here: `a && b`, or
/// `a || exit`.
fn guards_what_follows(next: &ast::AndOr) -> bool {
    match next {
        ast::AndOr::And(_) => true,
        ast::AndOr::Or(pipeline) => pipeline.seq.iter().any(|command| {
            matches!(command, ast::Command::Simple(simple)
                if simple.word_or_name.as_ref().is_some_and(|word| matches!(word.value.as_str(), "exit" | "return")))
        }),
    }
}
