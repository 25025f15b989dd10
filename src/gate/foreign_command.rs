//! Commands that tools nobody knows, such as those of an MCP server, run for an agent.

use serde_json::Value;

use super::foreign_tool::words;
use crate::clients::SHELL_FOLDER;
use crate::command_line::quoted;

/// A command that a tool runs for an agent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ForeignCommand {
    /// As a shell would read it.
    pub text: String,
    /// The folder it runs in, if the call names one.
    pub cwd: Option<String>,
    /// The tool is one that runs shell commands by its very name.
    pub is_shell: bool,
}

/// The shell command that such a call would run, if its name and fields say that it runs one.
pub(super) fn may_run(name: &str, input: &Value) -> Option<ForeignCommand> {
    const RUNNING: &[&str] = &[
        "bash", "command", "commands", "exec", "execute", "process", "run", "sh", "shell",
        "terminal", "zsh",
    ];
    const FIELDS: &[&str] = &["command", "cmd", "script", "commands", "argv"];
    // Text that is typed into a process which is already there.
    const TYPED: &[&str] = &["input", "chars", "keys", "text"];
    let has = |list: &[&str]| words(name).any(|word| list.contains(&&*word));
    if let Some(command) = git_command(name, input).or_else(|| makes_folder(name, input)) {
        return Some(command);
    }
    // A list of words is a command, whatever the tool is called.
    let is_list = |field: &str| input.get(field).is_some_and(Value::is_array);
    let listed = FIELDS.iter().any(|field| is_list(field));
    if !has(RUNNING) && !has(&["eval", "evaluate"]) && !listed {
        return None;
    }
    let types = has(&["process", "shell", "terminal"]);
    let fields = FIELDS.iter().filter(|field| has(RUNNING) || is_list(field));
    let mut fields = fields.chain(TYPED.iter().filter(|_| types));
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
        is_shell: has(SHELLS),
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

/// Verbs of git that tools are called by.
const GIT_VERBS: &[&str] = &[
    "add",
    "am",
    "apply",
    "bisect",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "diff",
    "fetch",
    "init",
    "log",
    "merge",
    "mv",
    "notes",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "revert",
    "rm",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
    "worktree",
];

/// `mcp__git__git_checkout {"repo_path": …, "branch_name": "main"}` is `git checkout main`.
pub(super) fn git_command(name: &str, input: &Value) -> Option<ForeignCommand> {
    let words: Vec<String> = words(name).collect();
    let at = words.iter().rposition(|word| word == "git")?;
    let called = words.get(at + 1..).unwrap_or(&[]).join("-");
    let verb = match called.as_str() {
        "create-branch" | "delete-branch" | "rename-branch" => "branch",
        "diff-staged" | "diff-unstaged" => "diff",
        verb => GIT_VERBS.iter().find(|known| **known == verb)?,
    };
    let mut command = vec!["git".to_owned(), verb.to_owned()];
    let mut cwd = None;
    for (field, value) in input.as_object()? {
        if is_folder_of_repository(field) {
            cwd = value.as_str().map(str::to_owned);
            continue;
        }
        command.extend(git_arguments(verb, field, value));
    }
    if called == "delete-branch" {
        command.push("-D".to_owned());
    }
    Some(ForeignCommand {
        text: quoted(&command),
        cwd,
        is_shell: true,
    })
}

fn is_folder_of_repository(field: &str) -> bool {
    matches!(
        field,
        "repo" | "repo_path" | "repoPath" | "repository" | "path"
    ) || SHELL_FOLDER.contains(&field)
}

/// Flags become options, and texts operands, but for those that only say something.
fn git_arguments(verb: &str, field: &str, value: &Value) -> Vec<String> {
    let option = || words(field).collect::<Vec<_>>().join("-");
    match value {
        Value::Bool(true) => vec![format!("--{}", option())],
        Value::String(mode) if field == "mode" && verb == "reset" => vec![format!("--{mode}")],
        Value::String(_)
            if matches!(
                option().as_str(),
                "message" | "author" | "date" | "format" | "start-timestamp" | "end-timestamp"
            ) =>
        {
            Vec::new()
        }
        Value::String(text) if !text.is_empty() => vec![text.clone()],
        Value::Array(list) => texts(list),
        _ => Vec::new(),
    }
}

/// `create_directory {"path": …}` is `mkdir -p`: an empty folder is nothing to git.
pub(super) fn makes_folder(name: &str, input: &Value) -> Option<ForeignCommand> {
    let words: Vec<String> = words(name).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let makes = has(&["mkdir"])
        || has(&["create", "make"]) && has(&["directory", "directories", "dir", "folder"]);
    let fields = input.as_object().filter(|_| makes)?;
    let mut folders = Vec::new();
    for (field, value) in fields {
        match (field.as_str(), value) {
            ("path" | "paths" | "directory" | "dir" | "folder", Value::String(folder)) => {
                folders.push(folder.clone());
            }
            ("path" | "paths" | "directories" | "folders", Value::Array(list)) => {
                folders.extend(texts(list));
            }
            (_, Value::Bool(_) | Value::Number(_) | Value::Null) => {}
            // It makes more than folders.
            _ => return None,
        }
    }
    Some(ForeignCommand {
        text: format!("mkdir -p -- {}", quoted(&folders)),
        cwd: None,
        is_shell: true,
    })
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
    fn tools_of_git_are_commands_of_git() {
        for (name, input, wanted) in [
            (
                "mcp__git__git_checkout",
                json!({"repo_path": "/r", "branch_name": "main"}),
                Some("'git' 'checkout' 'main'"),
            ),
            (
                "git_commit",
                json!({"message": "rm a", "noVerify": true, "amend": false}),
                Some("'git' 'commit' '--no-verify'"),
            ),
            (
                "mcp__git__git_reset",
                json!({"path": "/r", "mode": "hard"}),
                Some("'git' 'reset' '--hard'"),
            ),
            (
                "mcp__git__git_diff_unstaged",
                json!({"repo_path": "/r"}),
                Some("'git' 'diff'"),
            ),
            (
                "mcp__files__create_directory",
                json!({"path": "a b"}),
                Some("mkdir -p -- 'a b'"),
            ),
            ("mcp__github__create_branch", json!({"branch": "x"}), None),
            (
                "create_folder_from_template",
                json!({"path": "a", "template": "b"}),
                None,
            ),
            (
                "interact_with_process",
                json!({"pid": 1, "input": "rm a"}),
                Some("rm a"),
            ),
            (
                "mcp__node__eval",
                json!({"code": "f()"}),
                Some("'node' '-e' 'f()'"),
            ),
            ("browser_evaluate", json!({"script": "a > b"}), None),
        ] {
            let found = may_run(name, &input).map(|command| command.text);
            assert_eq!(found.as_deref(), wanted, "{name}");
        }
        let input = json!({"repo_path": "/r", "files": ["a"]});
        let added = may_run("mcp__git__git_add", &input);
        assert_eq!(added.and_then(|command| command.cwd).as_deref(), Some("/r"));
    }
}
