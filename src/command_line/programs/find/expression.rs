//! The expression of `find`: which files it holds for, as far as names decide, and what is done to
//! them.

use super::super::super::pattern;
use super::super::super::text;

/// How deep brackets and negations may nest; the stack grows with them.
const MAX_NESTING: usize = 100;

/// A `find` expression, as far as it decides by name.
#[derive(Debug, Clone)]
pub(super) enum Rule {
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
pub(super) enum Action {
    Delete,
    Run(Vec<String>),
    Write(String),
}

impl Rule {
    /// Whether the rule holds, where that can be told.
    pub(super) fn holds(&self, path: &str, is_directory: bool) -> Option<bool> {
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

pub(super) struct ExpressionParser<'a> {
    words: &'a [String],
    at: usize,
    nested: usize,
    /// It could not be read to its end.
    pub(super) too_deep: bool,
    pub(super) actions: Vec<Action>,
    pub(super) depth: (usize, usize),
    /// How what is found is printed, if not one path a line.
    pub(super) format: Option<String>,
}

impl<'a> ExpressionParser<'a> {
    pub(super) fn new(words: &'a [String]) -> Self {
        ExpressionParser {
            words,
            at: 0,
            nested: 0,
            too_deep: false,
            actions: Vec::new(),
            depth: (0, usize::MAX),
            format: None,
        }
    }

    fn next(&mut self) -> Option<String> {
        let word = self.words.get(self.at)?.clone();
        self.at += 1;
        Some(word)
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    pub(super) fn any(&mut self) -> Rule {
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
            "!" | "-not" => self.deeper(|parser| Rule::Not(Box::new(parser.one()))),
            "(" => self.deeper(|parser| {
                let rule = parser.any();
                parser.at += 1;
                rule
            }),
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

    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Rule) -> Rule {
        self.nested += 1;
        self.too_deep |= self.nested > MAX_NESTING;
        let rule = match self.too_deep {
            true => Rule::Unknown,
            false => parse(self),
        };
        self.nested -= 1;
        rule
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
