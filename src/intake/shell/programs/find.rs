//! `find` and `fd`: files by rule, and what is done to each.

use std::path::Path;

use super::super::options::{Options, Takes};
use super::super::pattern;
use super::super::scope::{Outcome, Shell};
use super::super::simple::{self, Call};
use super::super::stream::Stream;
use super::super::text::{self, UNKNOWN};
use super::listings;

/// Entries looked at before a directory stands for what is in it.
const MAX_ENTRIES: usize = 5_000;

/// A `find` expression, as far as it decides by name.
#[derive(Debug, Clone)]
enum Rule {
    /// True for a name (`-name`) or a path (`-path`).
    Name {
        pattern: String,
        whole_path: bool,
        ignores_case: bool,
    },
    Directory(bool),
    Not(Box<Rule>),
    All(Vec<Rule>),
    Any(Vec<Rule>),
    /// Something that can't be known before the command runs.
    Unknown,
    Always,
}

/// What `find` does with what it finds.
enum Action {
    Delete,
    Run(Vec<String>),
    Write(String),
}

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
    let mut parser = ExpressionParser {
        words: expression,
        at: 0,
        actions: Vec::new(),
        depth: (0, usize::MAX),
        format: None,
    };
    let rule = parser.any();
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
                for path in search.run(shell) {
                    shell.delete(&path, "find");
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

impl Rule {
    /// Whether the rule holds, where that can be told.
    fn holds(&self, path: &str, is_directory: bool) -> Option<bool> {
        match self {
            Rule::Name {
                pattern,
                whole_path,
                ignores_case,
            } => {
                let subject = if *whole_path {
                    path
                } else {
                    text::base_name(path)
                };
                Some(match ignores_case {
                    true => pattern::matches(&pattern.to_lowercase(), &subject.to_lowercase()),
                    false => pattern::matches(pattern, subject),
                })
            }
            Rule::Directory(wanted) => Some(*wanted == is_directory),
            Rule::Not(rule) => rule.holds(path, is_directory).map(|holds| !holds),
            Rule::All(rules) => agreed(rules, path, is_directory, false),
            Rule::Any(rules) => agreed(rules, path, is_directory, true),
            Rule::Unknown => None,
            Rule::Always => Some(true),
        }
    }
}

/// `decisive` if one rule says so, its opposite if all do, else unknown.
fn agreed(rules: &[Rule], path: &str, is_directory: bool, decisive: bool) -> Option<bool> {
    let answers: Vec<Option<bool>> = rules
        .iter()
        .map(|rule| rule.holds(path, is_directory))
        .collect();
    if answers.contains(&Some(decisive)) {
        return Some(decisive);
    }
    answers
        .iter()
        .all(|answer| *answer == Some(!decisive))
        .then_some(!decisive)
}

struct ExpressionParser<'a> {
    words: &'a [String],
    at: usize,
    actions: Vec<Action>,
    depth: (usize, usize),
    format: Option<String>,
}

impl ExpressionParser<'_> {
    fn next(&mut self) -> Option<String> {
        let word = self.words.get(self.at)?.clone();
        self.at += 1;
        Some(word)
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn any(&mut self) -> Rule {
        let mut rules = vec![self.all()];
        while matches!(self.peek(), Some("-o" | "-or" | ",")) {
            self.at += 1;
            rules.push(self.all());
        }
        match rules.len() {
            1 => rules.pop().unwrap_or(Rule::Always),
            _ => Rule::Any(rules),
        }
    }

    fn all(&mut self) -> Rule {
        let mut rules = Vec::new();
        while let Some(word) = self.peek() {
            match word {
                "-o" | "-or" | "," | ")" => break,
                "-a" | "-and" => self.at += 1,
                _ => rules.push(self.one()),
            }
        }
        Rule::All(rules)
    }

    fn one(&mut self) -> Rule {
        let Some(word) = self.next() else {
            return Rule::Always;
        };
        match word.as_str() {
            "!" | "-not" => Rule::Not(Box::new(self.one())),
            "(" => {
                let rule = self.any();
                self.at += 1;
                rule
            }
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename" => Rule::Name {
                pattern: self.next().unwrap_or_default(),
                whole_path: word.ends_with("path") || word.ends_with("wholename"),
                ignores_case: word.starts_with("-i"),
            },
            "-type" => match self.next().as_deref() {
                Some("d") => Rule::Directory(true),
                Some("f" | "l" | "p" | "s") => Rule::Directory(false),
                _ => Rule::Unknown,
            },
            "-maxdepth" | "-mindepth" => {
                let level = self.next().and_then(|level| level.parse().ok());
                match (word.as_str(), level) {
                    ("-maxdepth", Some(level)) => self.depth.1 = level,
                    (_, Some(level)) => self.depth.0 = level,
                    _ => {}
                }
                Rule::Always
            }
            "-delete" => self.action(Action::Delete),
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let words = self.command();
                self.action(Action::Run(words))
            }
            "-fprint" | "-fprint0" | "-fls" => {
                let file = self.next().unwrap_or_default();
                self.action(Action::Write(file))
            }
            "-fprintf" => {
                let file = self.next().unwrap_or_default();
                self.at += 1;
                self.action(Action::Write(file))
            }
            "-printf" => {
                self.format = self.next();
                Rule::Always
            }
            "-print" | "-print0" | "-depth" | "-mount" | "-xdev" | "-true" | "-follow"
            | "-prune" | "-quit" | "-noleaf" => Rule::Always,
            "-empty" | "-executable" | "-readable" | "-writable" | "-nouser" | "-nogroup"
            | "-ls" | "-daystart" => Rule::Unknown,
            "-false" => Rule::Not(Box::new(Rule::Always)),
            _ => {
                self.at += 1;
                Rule::Unknown
            }
        }
    }

    fn action(&mut self, action: Action) -> Rule {
        self.actions.push(action);
        Rule::Always
    }

    /// The words up to `;` or `+`.
    fn command(&mut self) -> Vec<String> {
        let mut words = Vec::new();
        while let Some(word) = self.next() {
            if word == ";" || (word == "+" && words.last().is_some_and(|last| last == "{}")) {
                break;
            }
            words.push(word);
        }
        words
    }
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
    let takes = Takes {
        short: "edEtcjS",
        long: &[
            "extension",
            "max-depth",
            "exclude",
            "type",
            "color",
            "threads",
            "size",
            "base-directory",
        ],
    };
    let options = Options::parse(before, &takes);
    let (name, roots) = match options.operands.split_first() {
        Some((name, roots)) => (Some(name.clone()), roots.to_vec()),
        None => (None, Vec::new()),
    };
    let rule = match (options.value(&["-e", "--extension"]), name) {
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

/// The words of a command as one text, for programs that hand them to a shell.
pub(super) fn as_text(words: &[String]) -> String {
    match words {
        [single] => single.clone(),
        _ => simple::quoted(words),
    }
}
