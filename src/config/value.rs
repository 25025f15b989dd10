//! The words a config value can be.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rules::smell::Severity;
use crate::rules::{Mode, RedNeeds};

/// What makes the loop run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Each tool call that changed something.
    Edit,
    /// The end of the agent's turn.
    Turn,
    /// Only `git tcr run`.
    Manual,
}

/// What is done about added code that no test needs, on the way out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    /// It is named.
    #[default]
    Warn,
    /// It is refused.
    Block,
}

/// When the validator is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidatorOn {
    /// Before the tests are frozen.
    Freeze,
    /// Before a green commit, about over-implementation.
    Green,
}

/// A command the user gave: a line for the shell, or a program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CommandLine {
    /// Given as a string; the shell reads it.
    Shell(String),
    /// Given as an array; started as it is, without a shell.
    Args(Vec<String>),
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandLine::Shell(line) => f.write_str(line),
            CommandLine::Args(args) => {
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    f.write_str(&shell_quoted(arg))?;
                }
                Ok(())
            }
        }
    }
}

/// One argument as a person would type it in a shell.
fn shell_quoted(arg: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}

/// A type whose values are a few fixed names.
pub(super) trait Choice: Copy + 'static {
    /// Every value with the name it has in the config.
    const CHOICES: &'static [(&'static str, Self)];
}

impl Choice for Mode {
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("both", Mode::Both),
        ("tdd", Mode::Tdd),
        ("tcr", Mode::Tcr),
        ("relaxed", Mode::Relaxed),
        ("observe", Mode::Observe),
        ("off", Mode::Off),
    ];
}

impl Choice for RedNeeds {
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("error", RedNeeds::Error),
        ("stub", RedNeeds::Stub),
        ("assertion", RedNeeds::Assertion),
    ];
}

impl Choice for Trigger {
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("edit", Trigger::Edit),
        ("turn", Trigger::Turn),
        ("manual", Trigger::Manual),
    ];
}

impl Choice for Needed {
    const CHOICES: &'static [(&'static str, Self)] =
        &[("warn", Needed::Warn), ("block", Needed::Block)];
}

impl Choice for Severity {
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("block", Severity::Block),
        ("warn", Severity::Warn),
        ("off", Severity::Off),
    ];
}

impl Choice for ValidatorOn {
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("freeze", ValidatorOn::Freeze),
        ("green", ValidatorOn::Green),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sealed copy writes these words with serde, people write them in TOML: same words.
    fn names_agree_with_serde<T: Choice + Serialize>() {
        for (name, value) in T::CHOICES {
            assert_eq!(
                serde_json::to_value(value).unwrap(),
                serde_json::json!(name)
            );
        }
    }

    #[test]
    fn one_name_per_value() {
        names_agree_with_serde::<Mode>();
        names_agree_with_serde::<RedNeeds>();
        names_agree_with_serde::<Trigger>();
        names_agree_with_serde::<Needed>();
        names_agree_with_serde::<Severity>();
        names_agree_with_serde::<ValidatorOn>();
        assert_eq!(Mode::CHOICES.len(), Mode::ALL.len());
    }

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let args = |list: &[&str]| {
            CommandLine::Args(list.iter().map(|s| s.to_string()).collect()).to_string()
        };
        assert_eq!(
            CommandLine::Shell("npm test && echo ok".into()).to_string(),
            "npm test && echo ok"
        );
        assert_eq!(args(&["pytest", "-q"]), "pytest -q");
        assert_eq!(args(&["sh", "-c", "a b"]), "sh -c 'a b'");
        assert_eq!(args(&["echo", "it's", ""]), r"echo 'it'\''s' ''");
    }
}
