//! Options and operands, as `getopt_long` tells them apart.

/// Which options of a program take a value.
pub(super) struct Takes {
    /// Letters whose value is the rest of the word or the next one.
    short: &'static str,
    /// Long names, with spaces between, whose value follows `=` or is the next word.
    long: &'static str,
}

impl Takes {
    pub(super) const fn new(short: &'static str, long: &'static str) -> Self {
        Takes { short, long }
    }

    /// Whether the value of this letter follows it.
    pub(super) fn takes_letter(&self, letter: char) -> bool {
        self.short.contains(letter)
    }
}

/// No option takes a value.
pub(super) const FLAGS: Takes = Takes::new("", "");

/// The arguments of a command, sorted out.
#[derive(Debug, Default)]
pub(super) struct Options {
    /// `-x` and `--long`, with their values, in order.
    given: Vec<(String, Option<String>)>,
    pub(super) operands: Vec<String>,
    /// How many of the operands stand before `--`.
    pub(super) before_dashes: Option<usize>,
}

impl Options {
    /// Sorts arguments where options may stand anywhere.
    pub(super) fn parse(arguments: &[String], takes: &Takes) -> Self {
        Self::read(arguments, takes, false)
    }

    /// Sorts arguments where the first operand ends the options, as in `env` or `xargs`.
    pub(super) fn parse_leading(arguments: &[String], takes: &Takes) -> Self {
        Self::read(arguments, takes, true)
    }

    fn read(arguments: &[String], takes: &Takes, leading: bool) -> Self {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--" {
                options.before_dashes = Some(options.operands.len());
                break;
            }
            if let Some(long) = argument.strip_prefix("--") {
                options.long(long, takes, &mut rest);
            } else if argument.len() > 1 && argument.starts_with('-') {
                options.short(argument, takes, &mut rest);
            } else {
                options.operands.push(argument.clone());
                if leading {
                    break;
                }
            }
        }
        options.operands.extend(rest.cloned());
        options
    }

    fn long<'a>(&mut self, name: &str, takes: &Takes, rest: &mut impl Iterator<Item = &'a String>) {
        let (name, mut value) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (name, None),
        };
        if value.is_none()
            && takes
                .long
                .split_whitespace()
                .any(|long| is_abbreviation(name, long))
        {
            value = rest.next().cloned();
        }
        self.given.push((format!("--{name}"), value));
    }

    fn short<'a>(
        &mut self,
        word: &str,
        takes: &Takes,
        rest: &mut impl Iterator<Item = &'a String>,
    ) {
        let mut letters = word.chars().skip(1);
        while let Some(letter) = letters.next() {
            if takes.short.contains(letter) {
                let attached: String = letters.collect();
                let value = if attached.is_empty() {
                    rest.next().cloned()
                } else {
                    Some(attached)
                };
                self.given.push((format!("-{letter}"), value));
                return;
            }
            self.given.push((format!("-{letter}"), None));
        }
    }

    /// Whether one of these options is given; long ones may be abbreviated.
    pub(super) fn has(&self, names: &str) -> bool {
        self.given.iter().any(|(given, _)| is_one_of(given, names))
    }

    /// The value of the last of these options that has one.
    pub(super) fn value(&self, names: &str) -> Option<&str> {
        self.values(names).last()
    }

    /// The values of all these options.
    pub(super) fn values(&self, names: &str) -> std::vec::IntoIter<&str> {
        let named = self
            .given
            .iter()
            .filter(|(given, _)| is_one_of(given, names));
        let values: Vec<&str> = named.filter_map(|(_, value)| value.as_deref()).collect();
        values.into_iter()
    }
}

fn is_one_of(given: &str, names: &str) -> bool {
    names.split_whitespace().any(
        |name| match (given.strip_prefix("--"), name.strip_prefix("--")) {
            (Some(given), Some(name)) => is_abbreviation(given, name),
            _ => given == name,
        },
    )
}

/// Whether `given` is `full` or a beginning of it, as GNU programs and git accept it.
pub(super) fn is_abbreviation(given: &str, full: &str) -> bool {
    !given.is_empty() && full.starts_with(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn values_attached_and_apart() {
        let takes = Takes::new("o", "output");
        for text in ["-o x a", "-ox a", "a --output x", "--out=x a", "-vox a"] {
            let options = Options::parse(&words(text), &takes);
            assert_eq!(options.value("-o --output"), Some("x"), "{text}");
            assert_eq!(options.operands, ["a"], "{text}");
        }
    }

    #[test]
    fn dashes_and_leading_operands_end_the_options() {
        let options = Options::parse(&words("a -- -o"), &FLAGS);
        assert_eq!(options.operands, ["a", "-o"]);
        let options = Options::parse_leading(&words("-v rm -f x"), &FLAGS);
        assert_eq!(options.operands, ["rm", "-f", "x"]);
    }
}
