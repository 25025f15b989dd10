//! Which tools there are, as a table: each is a command line of `git tcr`. Nothing that only
//! people may do is among them.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// One tool.
pub(super) struct Row {
    pub(super) name: &'static str,
    description: &'static str,
    /// The command it stands for.
    words: &'static [&'static str],
    parameters: &'static [Parameter],
    /// Whether it leaves everything as it is.
    reads_only: bool,
}

/// One argument of a tool.
struct Parameter {
    name: &'static str,
    description: &'static str,
    kind: Kind,
    place: Place,
    required: bool,
}

enum Kind {
    Flag,
    Number,
    Text,
    Texts,
    OneOf(&'static [&'static str]),
}

/// Where an argument goes on the command line.
enum Place {
    /// `--name`, or `--name=value`.
    Option(&'static str),
    /// After the options.
    Operand,
}

/// Every tool.
pub(super) const TOOLS: &[Row] = &[
    Row {
        name: "status",
        description: "Where the work stands: phase, mode, cycle, last test results, and what may be written now.",
        words: &["status"],
        parameters: &[],
        reads_only: true,
    },
    Row {
        name: "run",
        description: "Run the tests and act: green is committed, red is reverted (and kept for recover_show).",
        words: &["run"],
        parameters: &[
            Parameter {
                name: "force",
                description: "Run the tests even if the result for this very tree is known.",
                kind: Kind::Flag,
                place: Place::Option("--force"),
                required: false,
            },
            Parameter {
                name: "report_only",
                description: "Only report: commit and revert nothing.",
                kind: Kind::Flag,
                place: Place::Option("--report"),
                required: false,
            },
        ],
        reads_only: false,
    },
    Row {
        name: "check",
        description: "Check one gate without changing anything: do the tests fail validly (red), pass (green), stay the same (refactor)?",
        words: &["check"],
        parameters: &[
            Parameter {
                name: "gate",
                description: "The gate.",
                kind: Kind::OneOf(&["red", "green", "refactor"]),
                place: Place::Operand,
                required: true,
            },
            Parameter {
                name: "tests",
                description: "Only these tests, by the end of their names.",
                kind: Kind::Texts,
                place: Place::Operand,
                required: false,
            },
        ],
        reads_only: true,
    },
    Row {
        name: "phase",
        description: "Declare a phase: refactor once the tests pass, red to write the next test, done at the end of a spec cycle.",
        words: &["phase"],
        parameters: &[
            Parameter {
                name: "phase",
                description: "The phase to go to.",
                kind: Kind::OneOf(&["refactor", "red", "done"]),
                place: Place::Operand,
                required: true,
            },
            Parameter {
                name: "why",
                description: "Why; needed to go back from green to mend a test.",
                kind: Kind::Text,
                place: Place::Option("--why"),
                required: false,
            },
        ],
        reads_only: false,
    },
    Row {
        name: "log",
        description: "What happened on this branch, newest first.",
        words: &["log"],
        parameters: &[Parameter {
            name: "count",
            description: "How many entries.",
            kind: Kind::Number,
            place: Place::Option("--count"),
            required: false,
        }],
        reads_only: true,
    },
    Row {
        name: "recover_list",
        description: "What was reverted on this branch, newest first.",
        words: &["recover", "list"],
        parameters: &[],
        reads_only: true,
    },
    Row {
        name: "recover_show",
        description: "What one reverted entry holds, as a diff.",
        words: &["recover", "show"],
        parameters: &[Parameter {
            name: "number",
            description: "The entry's number.",
            kind: Kind::Number,
            place: Place::Operand,
            required: true,
        }],
        reads_only: true,
    },
    Row {
        name: "evidence",
        description: "The evidence of the last spec cycle, as an in-toto statement.",
        words: &["evidence"],
        parameters: &[],
        reads_only: true,
    },
    Row {
        name: "smells",
        description: "Anti-patterns in tests and in changes: where, why, and what to do about each.",
        words: &["smells"],
        parameters: &[Parameter {
            name: "files",
            description: "Only these files; by default what changed.",
            kind: Kind::Texts,
            place: Place::Operand,
            required: false,
        }],
        reads_only: true,
    },
    Row {
        name: "squash_preview",
        description: "What the squash would make of the work: commits, messages, the body for a pull request. A person does the squash.",
        words: &["squash", "--dry-run"],
        parameters: &[Parameter {
            name: "by_cycle",
            description: "One commit per cycle.",
            kind: Kind::Flag,
            place: Place::Option("--by-cycle"),
            required: false,
        }],
        reads_only: true,
    },
];

impl Row {
    /// The tool of a name.
    pub(super) fn find(name: &str) -> Option<&'static Row> {
        TOOLS.iter().find(|row| row.name == name)
    }

    /// How clients see it.
    pub(super) fn tool(&self) -> Tool {
        let mut properties = JsonObject::new();
        for parameter in self.parameters {
            properties.insert(parameter.name.into(), parameter.schema());
        }
        let required: Vec<&str> = self
            .parameters
            .iter()
            .filter(|parameter| parameter.required)
            .map(|parameter| parameter.name)
            .collect();
        let mut schema = JsonObject::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        schema.insert("required".into(), json!(required));
        schema.insert("additionalProperties".into(), false.into());
        let annotations = ToolAnnotations::new()
            .read_only(self.reads_only)
            .destructive(false)
            .open_world(false);
        Tool::new(self.name, self.description, schema).with_annotations(annotations)
    }

    /// The command line for a call, or what is wrong with its arguments.
    pub(super) fn command_line(&self, arguments: &JsonObject) -> Result<Vec<String>, String> {
        let known = |name: &str| self.parameters.iter().any(|known| known.name == name);
        if let Some(unknown) = arguments.keys().find(|name| !known(name)) {
            return Err(format!("`{}` has no argument `{unknown}`", self.name));
        }
        let mut line: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        line.push("--json".into());
        let mut operands = Vec::new();
        for parameter in self.parameters {
            let value = arguments
                .get(parameter.name)
                .filter(|value| !value.is_null());
            let Some(value) = value else {
                if parameter.required {
                    return Err(format!("the argument `{}` is missing", parameter.name));
                }
                continue;
            };
            let texts = parameter.texts(value)?;
            match (&parameter.place, &parameter.kind) {
                (Place::Operand, _) => operands.extend(texts),
                (Place::Option(option), Kind::Flag) => {
                    line.extend(texts.iter().map(|_| (*option).to_owned()));
                }
                (Place::Option(option), _) => {
                    line.extend(texts.iter().map(|text| format!("{option}={text}")));
                }
            }
        }
        if !operands.is_empty() {
            // Whatever they look like, they are no options.
            line.push("--".into());
            line.extend(operands);
        }
        Ok(line)
    }
}

impl Parameter {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Number => json!({"type": "integer", "minimum": 0}),
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::OneOf(names) => json!({"type": "string", "enum": names}),
        };
        schema["description"] = self.description.into();
        schema
    }

    /// A value as words; a flag that is not set has none.
    fn texts(&self, value: &Value) -> Result<Vec<String>, String> {
        let wrong = |wanted: &str| format!("the argument `{}` must be {wanted}", self.name);
        match self.kind {
            Kind::Flag => match value.as_bool() {
                Some(true) => Ok(vec![String::new()]),
                Some(false) => Ok(Vec::new()),
                None => Err(wrong("true or false")),
            },
            Kind::Number => match value.as_u64() {
                Some(number) => Ok(vec![number.to_string()]),
                None => Err(wrong("a whole number")),
            },
            Kind::Text => match value.as_str() {
                Some(text) => Ok(vec![without_nul(text)]),
                None => Err(wrong("a text")),
            },
            Kind::Texts => {
                let items = value.as_array().ok_or_else(|| wrong("a list of texts"))?;
                let text = |item: &Value| item.as_str().map(without_nul);
                let texts: Option<Vec<String>> = items.iter().map(text).collect();
                texts.ok_or_else(|| wrong("a list of texts"))
            }
            Kind::OneOf(names) => match value.as_str().filter(|text| names.contains(text)) {
                Some(text) => Ok(vec![text.to_owned()]),
                None => Err(wrong(&format!("one of {}", names.join(", ")))),
            },
        }
    }
}

/// No argument of a process can hold one.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shell_gate::{TcrCommand, judge_tcr};

    fn line(name: &str, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        let row = Row::find(name).expect("a tool");
        row.command_line(&arguments).map(|words| words.join(" "))
    }

    #[test]
    fn calls_become_command_lines() {
        for (name, arguments, expected) in [
            ("status", json!({}), "status --json"),
            ("run", json!({"force": true}), "run --json --force"),
            (
                "run",
                json!({"force": false, "report_only": null}),
                "run --json",
            ),
            (
                "check",
                json!({"gate": "red", "tests": ["--a", "b"]}),
                "check --json -- red --a b",
            ),
            (
                "phase",
                json!({"phase": "red", "why": "--force"}),
                "phase --json --why=--force -- red",
            ),
            ("log", json!({"count": 3}), "log --json --count=3"),
            (
                "recover_show",
                json!({"number": 7}),
                "recover show --json -- 7",
            ),
            (
                "squash_preview",
                json!({"by_cycle": true}),
                "squash --dry-run --json --by-cycle",
            ),
        ] {
            assert_eq!(line(name, arguments).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (name, arguments, expected) in [
            ("status", json!({"x": 1}), "`status` has no argument `x`"),
            ("check", json!({}), "the argument `gate` is missing"),
            (
                "check",
                json!({"gate": "blue"}),
                "the argument `gate` must be one of red, green, refactor",
            ),
            (
                "phase",
                json!({"phase": "plan"}),
                "the argument `phase` must be one of refactor, red, done",
            ),
            (
                "log",
                json!({"count": -1}),
                "the argument `count` must be a whole number",
            ),
            (
                "check",
                json!({"gate": "red", "tests": [1]}),
                "the argument `tests` must be a list of texts",
            ),
            (
                "run",
                json!({"force": "yes"}),
                "the argument `force` must be true or false",
            ),
        ] {
            assert_eq!(line(name, arguments), Err(expected.to_owned()));
        }
    }

    #[test]
    fn no_tool_is_one_that_agents_may_not_use() {
        for row in TOOLS {
            let words: Vec<String> = row.words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(judge_tcr(&TcrCommand::new(&words)), None, "{}", row.name);
        }
    }
}
