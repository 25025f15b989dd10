//! Languages that put a function before its arguments without commas: Lisp, Haskell, OCaml, Tcl.
//!
//! As with the other languages, calls that write, remove or run something are known by name.

use std::collections::HashMap;

use super::super::scope::Shell;
use super::super::text;

/// How a program of the language is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Dialect {
    /// `(function argument …)`.
    Lisp,
    /// `function argument …`, of Haskell and OCaml.
    Applied,
    /// `command word …`, where words need no quotes.
    Tcl,
}

/// Tokens of one call that are looked at.
const MAX_CALL: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Text(String),
    Word(String),
    End,
}

/// What a call does with its arguments.
enum Act {
    /// Writes the argument at this place.
    Write(usize),
    /// Writes the first argument if a later one is a mode for writing.
    Open,
    Delete,
    Copy,
    Move,
    Run,
}

/// Reports what a program does to files it names, and runs the commands it runs.
pub(in super::super) fn run(
    shell: &mut Shell<'_>,
    program: &str,
    dialect: Dialect,
    how: &'static str,
) {
    if !text::is_known(program) {
        return;
    }
    let tokens = tokens(program, dialect);
    let names = named_texts(&tokens);
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else {
            continue;
        };
        let is_known = match dialect {
            Dialect::Tcl => matches!(word.as_str(), "file" | "open" | "exec"),
            Dialect::Lisp | Dialect::Applied => act_of(word).is_some(),
        };
        if !is_known {
            continue;
        }
        let arguments = arguments(&tokens, at + 1, &names, dialect);
        let (act, arguments) = match dialect {
            Dialect::Tcl => tcl_act(word, &arguments),
            Dialect::Lisp | Dialect::Applied => (act_of(word), arguments.as_slice()),
        };
        if let Some(act) = act {
            perform(shell, &act, arguments, how);
        }
    }
}

fn perform(shell: &mut Shell<'_>, act: &Act, arguments: &[Vec<String>], how: &'static str) {
    let text_at = |at: usize| arguments.get(at).and_then(|argument| argument.first());
    let write = |at: usize| {
        if let Some(file) = text_at(at).filter(|file| !file.is_empty()) {
            shell.write(file, how);
        }
    };
    match act {
        Act::Write(at) => write(*at),
        Act::Open => {
            let all = arguments.iter().flatten().collect::<Vec<_>>();
            if let Some((file, modes)) = all.split_first()
                && modes.iter().any(|mode| is_write_mode(mode))
            {
                shell.write(file, how);
            }
        }
        Act::Delete => {
            for file in arguments.iter().flatten() {
                shell.delete(file, how);
            }
        }
        Act::Copy => write(1),
        Act::Move => {
            if let Some(file) = text_at(0) {
                shell.delete(file, how);
            }
            write(1);
        }
        Act::Run => {
            let words: Vec<String> = arguments.iter().flatten().cloned().collect();
            match words.as_slice() {
                [] => {}
                [command] => drop(shell.run_if_shell(command)),
                _ => drop(shell.clone().run_words(words)),
            }
        }
    }
}

fn is_write_mode(mode: &str) -> bool {
    matches!(
        mode,
        ":output" | ":io" | ":append" | "WriteMode" | "AppendMode" | "ReadWriteMode"
    ) || (mode.len() <= 3 && (mode.starts_with(['w', 'a']) || mode.contains('+')))
}

/// The function without the module it comes from: `System.Directory.removeFile`, `io/delete-file`.
fn act_of(word: &str) -> Option<Act> {
    let (module, name) = match word.rfind(['.', '/', ':']) {
        Some(at) => (word.get(..at)?, word.get(at + 1..)?),
        None => ("", word),
    };
    let of_system = ["Sys", "Unix", "fs", "io", "process", "p"]
        .iter()
        .any(|known| module.ends_with(known));
    Some(match name {
        "with-temp-file"
        | "write-file"
        | "with-output-to-file"
        | "call-with-output-file"
        | "open-output-file"
        | "spit"
        | "writeFile"
        | "appendFile"
        | "open_out"
        | "open_out_bin" => Act::Write(0),
        "with_open_text" | "with_open_bin" | "with_open" | "write_all"
            if module.ends_with("Out_channel") =>
        {
            Act::Write(0)
        }
        "display-to-file" | "write-to-file" | "display-lines-to-file" => Act::Write(1),
        "append-to-file" | "write-region" | "open_out_gen" => Act::Write(2),
        "open-file" | "with-open-file" | "open" | "withFile" | "openFile" => Act::Open,
        "delete-file"
        | "delete-directory"
        | "delete-files"
        | "delete-tree"
        | "removeFile"
        | "removeDirectoryRecursive"
        | "removePathForcibly" => Act::Delete,
        "remove" | "unlink" | "rmdir" | "delete" | "delete-if-exists" if of_system => Act::Delete,
        "copy-file" | "copyFile" | "copy-directory" | "copy-directory/files" => Act::Copy,
        "copy" if of_system => Act::Copy,
        "rename-file" | "renameFile" | "renamePath" | "rename-file-or-directory" => Act::Move,
        "rename" | "move" if of_system => Act::Move,
        "system"
        | "system*"
        | "shell-command"
        | "shell-command-to-string"
        | "call-process"
        | "call-process-shell-command"
        | "start-process"
        | "process-file"
        | "run-program"
        | "run-shell-command"
        | "process*"
        | "callCommand"
        | "callProcess"
        | "readProcess"
        | "spawnCommand"
        | "spawnProcess"
        | "rawSystem"
        | "sh"
        | "shell"
        | "open_process_in" => Act::Run,
        "command" if of_system => Act::Run,
        _ => return None,
    })
}

/// `file delete FILE`, `open FILE MODE`, `exec WORD…`; flags are no files.
fn tcl_act<'a>(word: &str, arguments: &'a [Vec<String>]) -> (Option<Act>, &'a [Vec<String>]) {
    let is_flag = |argument: &Vec<String>| argument.iter().all(|text| text.starts_with('-'));
    let after = |from: usize| {
        let rest = arguments.get(from..).unwrap_or(&[]);
        let flags = rest.iter().take_while(|argument| is_flag(argument)).count();
        rest.get(flags..).unwrap_or(&[])
    };
    let verb = arguments.first().and_then(|argument| argument.first());
    match (word, verb.map(String::as_str)) {
        ("file", Some("delete")) => (Some(Act::Delete), after(1)),
        ("file", Some("copy" | "link")) => (Some(Act::Copy), after(1)),
        ("file", Some("rename")) => (Some(Act::Move), after(1)),
        ("open", _) => (Some(Act::Open), arguments),
        ("exec", _) => (Some(Act::Run), after(0)),
        _ => (None, &[]),
    }
}

/// The arguments from here to the end of the call; each is the texts in it.
fn arguments(
    tokens: &[Token],
    from: usize,
    names: &HashMap<&str, &str>,
    dialect: Dialect,
) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut depth = 0usize;
    for token in tokens.iter().skip(from).take(MAX_CALL) {
        let text = match token {
            Token::Close if depth == 0 => break,
            Token::End if depth == 0 && dialect != Dialect::Lisp => break,
            Token::Close => {
                depth -= 1;
                continue;
            }
            Token::Open => {
                if depth == 0 {
                    found.push(Vec::new());
                }
                depth += 1;
                continue;
            }
            Token::End => continue,
            Token::Text(text) => Some(text.clone()),
            Token::Word(word) => {
                let name = word.trim_start_matches('$');
                let known = names.get(name).map(|text| (*text).to_owned());
                let bare = dialect == Dialect::Tcl && !word.starts_with('$');
                let is_mode = is_write_mode(word);
                known.or_else(|| (bare || is_mode).then(|| word.clone()))
            }
        };
        if depth == 0 {
            found.push(text.into_iter().collect());
        } else if let (Some(last), Some(text)) = (found.last_mut(), text) {
            last.push(text);
        }
    }
    found
}

/// `(define name "text")`, `let name = "text"`, `set name text`, `(let ((name "text")) …)`.
fn named_texts(tokens: &[Token]) -> HashMap<&str, &str> {
    let mut names = HashMap::new();
    for window in tokens.windows(3) {
        match window {
            [
                Token::Word(before),
                Token::Word(name),
                Token::Text(text) | Token::Word(text),
            ] if matches!(
                before.as_str(),
                "define" | "def" | "set" | "setq" | "defvar" | "defparameter"
            ) =>
            {
                names.insert(name.as_str(), text.as_str());
            }
            [Token::Word(name), Token::Word(equals), Token::Text(text)] if equals == "=" => {
                names.insert(name.as_str(), text.as_str());
            }
            [Token::Open, Token::Word(name), Token::Text(text)] if act_of(name).is_none() => {
                names.insert(name.as_str(), text.as_str());
            }
            _ => {}
        }
    }
    names
}

fn tokens(program: &str, dialect: Dialect) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            ';' if dialect == Dialect::Lisp => rest.find('\n').unwrap_or(rest.len()),
            '#' if dialect == Dialect::Tcl => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let (text, length) = quoted(rest);
                found.push(Token::Text(text));
                length
            }
            '(' | '[' | '{' => {
                found.push(Token::Open);
                1
            }
            ')' | ']' | '}' => {
                found.push(Token::Close);
                1
            }
            ';' | '\n' => {
                found.push(Token::End);
                1
            }
            _ if c.is_whitespace() || matches!(c, '\'' | '`' | ',') => c.len_utf8(),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "()[]{}\";,".contains(c);
                let length = rest.find(is_end).unwrap_or(rest.len()).max(c.len_utf8());
                found.push(Token::Word(rest.get(..length).unwrap_or("").to_owned()));
                length
            }
        };
        rest = rest.get(length..).unwrap_or("");
    }
    found
}

/// A text in double quotes, and how much of the program it takes.
fn quoted(program: &str) -> (String, usize) {
    let mut text = String::new();
    let mut escaped = false;
    for (at, c) in program.char_indices().skip(1) {
        match c {
            _ if std::mem::take(&mut escaped) => text.push(c),
            '\\' => escaped = true,
            '"' => return (text, at + 1),
            _ => text.push(c),
        }
    }
    (text, program.len())
}
