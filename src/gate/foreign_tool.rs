//! Which files a tool that nobody knows, such as one of an MCP server, may be about to write.

use serde_json::Value;

use super::foreign_command::{git_command, makes_folder, may_run};

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

/// Words in the name of a tool that changes files, whatever its fields are called.
const CHANGING: &[&str] = &[
    "append", "apply", "copy", "create", "delete", "edit", "insert", "modify", "move", "patch",
    "put", "remove", "rename", "replace", "save", "touch", "update", "write",
];

/// The paths that such a call may write: every string in a field that sounds like a path, and every one
/// that looks like a path where the call changes files or brings more than that, unless the tool's name
/// says that it only asks and no field sounds like content. A tool without any is judged by what it did.
pub(super) fn may_write(name: &str, input: &Value) -> Vec<String> {
    let mut found = Found::default();
    found.look(input, "");
    // Editors with several commands say in a field which one it is.
    let asks = input
        .get("command")
        .and_then(Value::as_str)
        .is_some_and(|command| ASKING.contains(&command));
    // What is judged as a command needs no guessing.
    let is_command = git_command(name, input).is_some() || makes_folder(name, input).is_some();
    if asks || is_command || (only_asks(name) && !found.content) {
        return Vec::new();
    }
    let changes = words(name).any(|word| CHANGING.contains(&&*word));
    // The words of a command are judged as a command.
    let runs = may_run(name, input).is_some();
    if !runs && (changes || found.content || found.other) {
        found.paths.append(&mut found.looks);
    }
    found.paths
}

#[derive(Default)]
struct Found {
    paths: Vec<String>,
    /// What looks like a path in a field that does not sound like one.
    looks: Vec<String>,
    content: bool,
    /// Text that is no path.
    other: bool,
}

/// One word with a folder or an ending, as files are called, and no address.
fn looks_like_a_path(text: &str) -> bool {
    let is_word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    let has_ending = text.rsplit_once('.').is_some_and(|(stem, ending)| {
        let named = ending.starts_with(|c: char| c.is_ascii_alphabetic());
        !stem.is_empty() && named && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    is_word && !text.contains("://") && (text.contains('/') || has_ending)
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
        let path = text.strip_prefix("file://").unwrap_or(text);
        if is_path && one_line {
            self.paths.push(path.to_string());
        } else if looks_like_a_path(path) {
            self.looks.push(path.to_string());
        } else {
            self.other = true;
        }
    }
}

/// Servers' names and tools' names are joined in many ways, so every word counts.
fn only_asks(name: &str) -> bool {
    let has = |list: &[&str]| words(name).any(|word| list.contains(&&*word));
    has(ASKING) && !has(ACTING)
}

/// The words of a name in lower case, whichever way it is written.
pub(super) fn words(name: &str) -> impl Iterator<Item = String> + '_ {
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
    use crate::clients::tests::any_json;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn any_input_is_read_without_panic(input in any_json()) {
            may_write("x", &input);
        }
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
            (
                "mcp__git__git_add",
                json!({"repo_path": "/repo", "files": ["a.rs"]}),
                vec![],
            ),
            (
                "mcp__files__create_directory",
                json!({"path": "tests/unit"}),
                vec![],
            ),
            ("think", json!({"thought": "about src/a.py"}), vec![]),
            (
                "odd_tool",
                json!({"zzz": "src/a.py", "blub": "x"}),
                vec!["src/a.py"],
            ),
            (
                "odd_tool",
                json!({"a": {"b": [{"c": "a.py"}]}, "d": "x = 1"}),
                vec!["a.py"],
            ),
            (
                "odd_tool",
                json!({"zzz": "file:///repo/a.rs", "d": "x"}),
                vec!["/repo/a.rs"],
            ),
            ("SuperDelete", json!({"zzz": "src/a.py"}), vec!["src/a.py"]),
            ("run_tests", json!({"pattern": "tests/a.py"}), vec![]),
            (
                "search_code",
                json!({"query": "src/a.py", "mode": "fast"}),
                vec![],
            ),
            (
                "open_page",
                json!({"where": "https://example.com/a.js", "d": "x"}),
                vec![],
            ),
            ("odd", json!([1, null, "x"]), vec![]),
        ];
        for (name, input, wanted) in cases {
            assert_eq!(may_write(name, &input), wanted, "{name}");
        }
    }
}
