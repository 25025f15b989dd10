//! `find` and `fd`: files by rule, and what is done to each.

mod expression;

use std::path::Path;

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text::{self, UNKNOWN};
use super::listings;
use expression::{Action, ExpressionParser, Rule};

/// Entries looked at before a directory stands for what is in it.
const MAX_ENTRIES: usize = 5_000;

struct Search {
    roots: Vec<String>,
    rule: Rule,
    depth: (usize, usize),
    /// How what is found is printed, if not one path a line.
    format: Option<String>,
}

pub(super) fn find<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let starts_expression =
        |a: &&String| a.starts_with('-') || matches!(a.as_str(), "(" | "!" | ")");
    let global = |a: &&String| {
        matches!(
            a.as_str(),
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" | "-d"
        )
    };
    let mut globals = 0;
    while let Some(argument) = call.arguments.get(globals) {
        match argument.as_str() {
            "-D" => globals += 2,
            level if level.starts_with("-O") => globals += 1,
            _ if global(&argument) => globals += 1,
            _ => break,
        }
    }
    let rest = call.arguments.get(globals..).unwrap_or(&[]);
    let roots_end = rest
        .iter()
        .position(|a| starts_expression(&a))
        .unwrap_or(rest.len());
    let (roots, expression) = rest.split_at(roots_end);
    let mut parser = ExpressionParser::new(expression);
    let rule = parser.any();
    if parser.too_deep {
        shell.session.give_up("an expression in it nests too deep");
    }
    let search = Search {
        roots: if roots.is_empty() {
            vec![".".to_owned()]
        } else {
            roots.to_vec()
        },
        rule,
        depth: parser.depth,
        format: parser.format,
    };
    let actions = parser.actions;
    act(shell, search, actions)
}

fn act<'c>(shell: &mut Shell<'c>, search: Search, actions: Vec<Action>) -> Outcome<'c> {
    let prints = actions.is_empty();
    for action in actions {
        match action {
            Action::Delete => {
                let found = search.run(shell);
                let is_complete = found.iter().all(|path| text::is_known(path));
                for path in &found {
                    if !is_complete || !is_plain_folder(shell, path) {
                        shell.delete(path, "find");
                    }
                }
            }
            Action::Write(file) => shell.write(&file, "find"),
            Action::Run(words) => for_each(shell, &words, |shell| search.run(shell)),
        }
    }
    if !prints {
        return Outcome::opaque();
    }
    let shell = shell.clone();
    Outcome::printing(Stream::lazy(move || {
        search
            .run(&shell)
            .into_iter()
            .map(|path| match &search.format {
                Some(format) => listings::formatted(format, &path),
                None => path + "\n",
            })
            .collect()
    }))
}

/// `-delete` removes a folder only once it is empty: what was in it is found by itself. Inside of
/// git's own even an empty one matters.
fn is_plain_folder(shell: &Shell<'_>, path: &str) -> bool {
    let is_linked = is_link(shell, Path::new(&shell.absolute(path)));
    let path = shell.known_path(path).filter(|_| !is_linked);
    path.is_some_and(|path| {
        let is_in_git = path
            .parent()
            .is_some_and(|above| above.iter().any(|name| name == ".git"));
        shell.is_directory(&path) && !is_in_git
    })
}

/// Runs a command for each item; only if it would do something at all are the items looked up.
pub(super) fn for_each(
    shell: &mut Shell<'_>,
    words: &[String],
    items: impl FnOnce(&Shell<'_>) -> Vec<String>,
) {
    let before = shell.session.effect_count();
    run_for(shell, words, &text::unknown());
    if shell.session.effect_count() == before {
        return;
    }
    shell.session.forget_effects_after(before);
    for item in items(shell) {
        run_for(shell, words, &item);
    }
}

fn run_for(shell: &mut Shell<'_>, words: &[String], item: &str) {
    let words: Vec<String> = words.iter().map(|word| word.replace("{}", item)).collect();
    shell.clone().run_words(words);
}

impl Search {
    fn run(&self, shell: &Shell<'_>) -> Vec<String> {
        let mut found = Vec::new();
        let mut budget = MAX_ENTRIES;
        for root in self.roots.iter().flat_map(|root| root.split('\n')) {
            if !text::is_known(root) {
                found.push(root.to_owned());
                continue;
            }
            self.visit(shell, root, 0, &mut found, &mut budget);
            if budget == 0 {
                found.push(format!("{}/{UNKNOWN}", root.trim_end_matches('/')));
            }
        }
        found
    }

    fn visit(
        &self,
        shell: &Shell<'_>,
        path: &str,
        level: usize,
        found: &mut Vec<String>,
        budget: &mut usize,
    ) {
        if *budget == 0 || level > self.depth.1 {
            return;
        }
        *budget = if shell.session.may_look() {
            *budget - 1
        } else {
            0
        };
        let absolute = shell.resolve(&shell.absolute(path), level == 0);
        let is_directory =
            shell.is_directory(&absolute) && (level == 0 || !is_link(shell, &absolute));
        if level >= self.depth.0 && self.rule.holds(path, is_directory) != Some(false) {
            found.push(path.to_owned());
        }
        if !is_directory {
            return;
        }
        for name in (shell.context().list)(&absolute) {
            let below = format!("{}/{}", path.trim_end_matches('/'), name.to_string_lossy());
            self.visit(shell, &below, level + 1, found, budget);
        }
    }
}

fn is_link(shell: &Shell<'_>, path: &Path) -> bool {
    (shell.context().resolve_link)(path).is_some()
}

/// `fd -x`: the pattern is a regular expression, so every file may be meant.
pub(super) fn fd<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_run = |a: &String| matches!(a.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
    let split = call
        .arguments
        .iter()
        .position(is_run)
        .unwrap_or(call.arguments.len());
    let (before, after) = call.arguments.split_at(split);
    let takes = Takes::new(
        "edEtcjS",
        "extension max-depth exclude type color threads size base-directory",
    );
    let options = Options::parse(before, &takes);
    let (name, roots) = match options.operands.split_first() {
        Some((name, roots)) => (Some(name.clone()), roots.to_vec()),
        None => (None, Vec::new()),
    };
    let rule = match (options.value("-e --extension"), name) {
        (Some(extension), _) => Rule::Name {
            pattern: format!("*.{extension}"),
            whole_path: false,
            ignores_case: false,
        },
        (None, Some(name)) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => Rule::Name {
            pattern: format!("*{name}*"),
            whole_path: false,
            ignores_case: true,
        },
        _ => Rule::Unknown,
    };
    let roots = if roots.is_empty() {
        vec![".".to_owned()]
    } else {
        roots
    };
    let search = Search {
        roots,
        rule,
        depth: (0, usize::MAX),
        format: None,
    };
    let actions = match after.split_first() {
        Some((_, words)) => {
            let mut words: Vec<String> =
                words.iter().filter(|word| *word != ";").cloned().collect();
            if !words.iter().any(|word| word.contains("{}")) {
                words.push("{}".to_owned());
            }
            vec![Action::Run(words)]
        }
        None => Vec::new(),
    };
    act(shell, search, actions)
}
