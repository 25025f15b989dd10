//! A call of a program, as far as runners look at it, and what was found behind a command.

use std::path::PathBuf;

use super::Runner;

/// A program with its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) program: &'a str,
    /// The last part of its path.
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [String],
    /// The variables that are set for it alone.
    pub(crate) assignments: &'a [String],
}

impl<'a> Call<'a> {
    pub(crate) fn has(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }

    /// The first argument that is no option; `with_value` are options whose value is the next word.
    pub(crate) fn positional(&self, with_value: &[&str]) -> Option<(&'a str, &'a [String])> {
        let rest = skip_options(self.arguments, with_value);
        let (first, rest) = rest.split_first()?;
        Some((first, rest))
    }

    /// The value of an option, given as `--x value`, `--x=value` or, for a single letter, `-xvalue`.
    pub(crate) fn option(&self, names: &[&str]) -> Option<&'a str> {
        self.options(names).first().copied()
    }

    /// The values of an option that may be given more than once.
    pub(crate) fn options(&self, names: &[&str]) -> Vec<&'a str> {
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

/// A call, and the files around it.
pub(crate) struct Look<'a> {
    pub(crate) call: &'a Call<'a>,
    /// The interpreter that runs the program, by what its scripts are written in: `python`, `node`,
    /// `ruby`, `php`, `perl`; none if it runs by itself.
    pub(crate) host: Option<&'a str>,
    /// The text of a file, as seen from where the program starts.
    pub(crate) read: &'a dyn Fn(&str) -> Option<String>,
}

impl Look<'_> {
    /// Whether the program is one of these.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.call.name)
    }

    /// The text of the first of these files that is there; nothing if none is.
    pub(crate) fn first_file(&self, names: &[&str]) -> String {
        let text = names.iter().find_map(|name| (self.read)(name));
        text.unwrap_or_default()
    }
}

/// How sure it is that a call starts a runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It is named.
    Sure,
    /// It is told by words in a file, or the like.
    Guess,
}

impl Sign {
    pub(crate) fn sure_if(is_it: bool) -> Option<Sign> {
        is_it.then_some(Sign::Sure)
    }

    pub(crate) fn guess_if(may_be: bool) -> Option<Sign> {
        may_be.then_some(Sign::Guess)
    }
}

/// A runner that a command seems to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The runner.
    pub(crate) runner: &'static Runner,
    /// Where it starts, from the root of the project.
    pub(crate) dir: PathBuf,
    /// Whether our environment and our files reach it; not in a container.
    pub(crate) reachable: bool,
    /// Whether it must have run if all is well: it is named, and not in one of several branches.
    pub(crate) sure: bool,
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// What runs it in one package of many.
    pub(crate) package: Option<Package>,
}

impl Found {
    /// Whether a word begins so.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.words.iter().any(|word| word.starts_with(text))
    }

    /// Whether the program is looked for on PATH, where one of ours may stand before it.
    pub(crate) fn is_by_name(&self) -> bool {
        let program = self.words.first();
        program.is_some_and(|program| !program.contains('/'))
    }

    /// The option that is one of these, without its value.
    pub(crate) fn option_among(&self, options: &[&str]) -> Option<&str> {
        let is_one = |word: &&str| options.contains(&word.split('=').next().unwrap_or_default());
        self.words.iter().skip(1).map(String::as_str).find(is_one)
    }

    /// One in the root of a project.
    #[cfg(test)]
    pub(crate) fn of(runner: &'static Runner) -> Found {
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

/// A package whose task is run by a program that does so in many, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    /// The program.
    pub(crate) by: PackageRunner,
    /// What it puts in front of each line that the task prints.
    pub(crate) prefix: String,
    /// The option with which it would let other tasks end after one has failed, where it is missing.
    pub(crate) lets_end: Option<&'static str>,
}

/// A program that runs a task in many packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of a program")]
pub(crate) enum PackageRunner {
    Turbo,
    Nx,
    Lerna,
    Pnpm,
    Bun,
}

/// Leaves out options at the beginning, up to and with `--`.
pub(crate) fn skip_options<'a>(words: &'a [String], with_value: &[&str]) -> &'a [String] {
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

/// The last part of the path of a program, without what some systems add.
pub(crate) fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    [".exe", ".cmd", ".bat", ".phar"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name)
}
