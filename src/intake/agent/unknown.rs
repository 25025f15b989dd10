//! Which files a tool that nobody knows, such as one of an MCP server, may be about to write.

use serde_json::Value;

use super::tools::SHELL_FOLDER;
use crate::intake::shell::quoted;

/// Words in the name of a field that holds a path.
const PATH_WORDS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "filenames",
    "filepaths",
    "dir",
    "directory",
    "folder",
    "uri",
    "target",
    "source",
    "destination",
    "dest",
    "src",
    "dst",
    "notebook",
    "output",
    "outfile",
    "relativepath",
    "absolutepath",
];

/// Words in the name of a field that holds what is to be written.
const CONTENT_WORDS: &[&str] = &[
    "content",
    "contents",
    "text",
    "body",
    "data",
    "code",
    "patch",
    "diff",
    "edit",
    "edits",
    "changes",
    "replacement",
    "replacements",
    "replace",
    "repl",
    "new",
    "old",
    "insert",
    "append",
    "command",
    "commands",
    "cmd",
    "script",
    "chars",
    "source",
    "value",
];

/// Words in the name of a tool that only asks.
const ASKING: &[&str] = &[
    "analyze",
    "blame",
    "check",
    "count",
    "describe",
    "diagnostics",
    "diff",
    "explain",
    "fetch",
    "find",
    "get",
    "glob",
    "grep",
    "help",
    "history",
    "info",
    "inspect",
    "list",
    "log",
    "lookup",
    "ls",
    "outline",
    "overview",
    "query",
    "read",
    "resolve",
    "search",
    "show",
    "stat",
    "status",
    "tree",
    "view",
];

/// Words in the name of a tool that acts, whatever else it says.
const ACTING: &[&str] = &[
    "add", "append", "apply", "commit", "copy", "create", "delete", "edit", "exec", "execute",
    "insert", "make", "mkdir", "modify", "move", "patch", "push", "put", "remove", "rename",
    "replace", "run", "save", "set", "touch", "update", "upload", "write",
];

/// The paths that such a call may write: every string in a field that sounds like a path, unless
/// the tool's name says that it only asks and no field sounds like content. A tool without any is
/// judged by what it did.
pub fn may_write(name: &str, input: &Value) -> Vec<String> {
    let mut found = Found::default();
    found.look(input, "");
    // Editors with several commands say in a field which one it is.
    let asks = input
        .get("command")
        .and_then(Value::as_str)
        .is_some_and(|command| ASKING.contains(&command));
    if asks || (only_asks(name) && !found.content) {
        return Vec::new();
    }
    found.paths
}

/// A command that a tool runs for an agent.
#[derive(Debug, PartialEq, Eq)]
pub struct ForeignCommand {
    /// As a shell would read it.
    pub text: String,
    /// The folder it runs in, if the call names one.
    pub cwd: Option<String>,
    /// The tool is one that runs shell commands by its very name.
    pub is_shell: bool,
}

/// The shell command that such a call would run, if its name and fields say that it runs one.
pub fn may_run(name: &str, input: &Value) -> Option<ForeignCommand> {
    const RUNNING: &[&str] = &[
        "bash", "command", "commands", "exec", "execute", "process", "run", "sh", "shell",
        "terminal", "zsh",
    ];
    const FIELDS: &[&str] = &["command", "cmd", "script", "commands", "argv"];
    if !words(name).any(|word| RUNNING.contains(&&*word)) {
        return None;
    }
    let mut fields = FIELDS.iter();
    let command = fields.find_map(|field| command_text(field, input.get(field)?));
    let command = command.or_else(|| program_text(name, input))?;
    let arguments = input.get("args").or(input.get("arguments"));
    let text = match arguments.and_then(Value::as_array) {
        Some(arguments) => format!("{command} {}", quoted(&texts(arguments))),
        None => command,
    };
    let mut folders = SHELL_FOLDER.iter();
    let cwd = folders.find_map(|field| input.get(field)?.as_str());
    const SHELLS: &[&str] = &["bash", "sh", "shell", "terminal", "zsh"];
    Some(ForeignCommand {
        text,
        cwd: cwd.map(str::to_owned),
        is_shell: words(name).any(|word| SHELLS.contains(&&*word)),
    })
}

/// A command is a text, or a list of its words; `commands` are texts one after the other.
fn command_text(field: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) if field == "commands" => Some(texts(list).join("\n")),
        Value::Array(list) => Some(quoted(&texts(list))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// Code that is run without a file, as a shell would have it run: Python unless the call says else.
fn program_text(name: &str, input: &Value) -> Option<String> {
    let code = input.get("code")?.as_str()?.to_owned();
    let language = input.get("language").and_then(Value::as_str).unwrap_or("");
    let mut hints = words(name).chain(words(language));
    let program = hints.find_map(|word| match word.as_str() {
        "bash" | "sh" | "shell" | "zsh" => Some(["sh", "-c"]),
        "javascript" | "js" | "node" | "typescript" | "ts" => Some(["node", "-e"]),
        "ruby" => Some(["ruby", "-e"]),
        _ => None,
    });
    let [program, option] = program.unwrap_or(["python3", "-c"]);
    Some(quoted(&[program.to_owned(), option.to_owned(), code]))
}

fn texts(list: &[Value]) -> Vec<String> {
    let texts = list.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

#[derive(Default)]
struct Found {
    paths: Vec<String>,
    content: bool,
}

impl Found {
    /// `field` is the nearest name above the value: a list has the name of its field.
    fn look(&mut self, value: &Value, field: &str) {
        match value {
            Value::String(text) => self.take(text, field),
            Value::Array(entries) => entries.iter().for_each(|entry| self.look(entry, field)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.content |= words(name).any(|word| CONTENT_WORDS.contains(&&*word));
                    self.look(value, name);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn take(&mut self, text: &str, field: &str) {
        let is_path = words(field).any(|word| PATH_WORDS.contains(&&*word));
        let one_line = !text.is_empty() && !text.contains('\n');
        if is_path && one_line {
            let path = text.strip_prefix("file://").unwrap_or(text);
            self.paths.push(path.to_string());
        }
    }
}

/// Servers' names and tools' names are joined in many ways, so every word counts.
fn only_asks(name: &str) -> bool {
    let has = |list: &[&str]| words(name).any(|word| list.contains(&&*word));
    has(ASKING) && !has(ACTING)
}

/// The words of a name in lower case, whichever way it is written.
fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    let mut starts: Vec<usize> = vec![0];
    let mut before = ' ';
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && before.is_lowercase() {
            starts.push(at);
        }
        before = c;
    }
    starts.push(name.len());
    starts
        .windows(2)
        .filter_map(|pair| name.get(*pair.first()?..*pair.last()?))
        .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_of_unknown_tools() {
        let command = json!({"command": "rm a"});
        for (name, input, wanted) in [
            ("mcp__shell__execute", &command, Some("rm a")),
            ("start_process", &json!({"cmd": "ls"}), Some("ls")),
            (
                "mcp__shell__run",
                &json!({"command": "bash", "args": ["-c", "rm a"]}),
                Some("bash '-c' 'rm a'"),
            ),
            (
                "exec",
                &json!({"command": ["rm", "a b"]}),
                Some("'rm' 'a b'"),
            ),
            (
                "run_commands",
                &json!({"commands": ["cd a", "rm b"]}),
                Some("cd a\nrm b"),
            ),
            (
                "mcp__ide__executeCode",
                &json!({"code": "print(1)"}),
                Some("'python3' '-c' 'print(1)'"),
            ),
            (
                "run_code",
                &json!({"code": "rm a", "language": "bash"}),
                Some("'sh' '-c' 'rm a'"),
            ),
            ("mcp__db__query", &command, None),
            ("run_tests", &json!({"path": "tests"}), None),
        ] {
            let found = may_run(name, input).map(|command| command.text);
            assert_eq!(found.as_deref(), wanted, "{name}");
        }
        let is_shell = |name| may_run(name, &command).map(|command| command.is_shell);
        assert_eq!(is_shell("mcp__shell__execute"), Some(true));
        assert_eq!(is_shell("mcp__db__execute"), Some(false));
        let inside = json!({"command": "rm -r hooks", "cwd": ".git"});
        let found = may_run("mcp__shell__execute", &inside);
        assert_eq!(
            found.and_then(|command| command.cwd).as_deref(),
            Some(".git")
        );
    }

    #[test]
    fn an_editor_that_is_told_to_show_writes_nothing() {
        let path = "tests/a.py";
        let view = json!({"command": "view", "path": path});
        let replace = json!({"command": "str_replace", "path": path, "old_str": "a"});
        assert!(may_write("str_replace_editor", &view).is_empty());
        assert_eq!(may_write("str_replace_editor", &replace), [path]);
    }

    #[test]
    fn paths_of_unknown_tools() {
        let cases = [
            (
                "mcp__files__write_file",
                json!({"path": "src/a.py", "content": "x"}),
                vec!["src/a.py"],
            ),
            (
                "mcp__files__read_text_file",
                json!({"path": "src/a.py"}),
                vec![],
            ),
            (
                "mcp__files__read_and_replace",
                json!({"path": "src/a.py"}),
                vec!["src/a.py"],
            ),
            (
                "mcp__files__get",
                json!({"path": "src/a.py", "newText": "x"}),
                vec!["src/a.py"],
            ),
            (
                "github-mcp-server-get_file_contents",
                json!({"path": "src/a.py"}),
                vec![],
            ),
            (
                "MCP:move_file",
                json!({"source": "a.py", "destination": "b.py"}),
                vec!["a.py", "b.py"],
            ),
            (
                "mcp__serena__replace_symbol_body",
                json!({"relative_path": "a.rs", "body": "x"}),
                vec!["a.rs"],
            ),
            (
                "batch",
                json!({"calls": [{"filePath": "a.rs"}, {"filePath": "b.rs"}]}),
                vec!["a.rs", "b.rs"],
            ),
            (
                "save",
                json!({"uri": "file:///repo/a.rs"}),
                vec!["/repo/a.rs"],
            ),
            (
                "multi",
                json!({"paths": ["a", "b"], "deep": {"file": "c"}}),
                vec!["a", "b", "c"],
            ),
            (
                "mcp__git__git_diff_unstaged",
                json!({"repo_path": "/repo"}),
                vec![],
            ),
            ("think", json!({"thought": "about src/a.py"}), vec![]),
            ("odd", json!([1, null, "x"]), vec![]),
        ];
        for (name, input, wanted) in cases {
            assert_eq!(may_write(name, &input), wanted, "{name}");
        }
    }
}
