//! Task runners, where the command itself wrote the file with the tasks: `npm run`, `make`, `just`.
//! What is in files that were there before is for the loop to judge.

use serde_json::Value;

use super::super::code::{self, Language};
use super::super::limits;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::{Call, quoted};
use super::super::text;
use super::general;

/// Variables of a file with tasks that are followed.
const MAX_VALUES: usize = 100;

/// Where the tasks of a program are, and what they are written in.
enum Tasks {
    /// Scripts by name, below this key.
    Json(&'static str),
    /// Each line, or each text in quotes, may be a command.
    Lines,
    /// Code of a language.
    Code(Language),
}

fn files_of(program: &str) -> &'static [(&'static str, Tasks)] {
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "node" => &[("package.json", Tasks::Json("scripts"))],
        "deno" => &[
            ("deno.json", Tasks::Json("tasks")),
            ("deno.jsonc", Tasks::Json("tasks")),
            ("package.json", Tasks::Json("scripts")),
        ],
        "composer" => &[("composer.json", Tasks::Json("scripts"))],
        "task" => &[
            ("Taskfile.yml", Tasks::Lines),
            ("Taskfile.yaml", Tasks::Lines),
        ],
        "mise" => &[("mise.toml", Tasks::Lines), (".mise.toml", Tasks::Lines)],
        "pipenv" => &[("Pipfile", Tasks::Lines)],
        "poe" | "pdm" | "hatch" => &[("pyproject.toml", Tasks::Lines)],
        "rake" => &[("Rakefile", Tasks::Code(Language::Ruby))],
        "nox" => &[("noxfile.py", Tasks::Code(Language::Python))],
        "inv" | "invoke" => &[("tasks.py", Tasks::Code(Language::Python))],
        "gulp" => &[("gulpfile.js", Tasks::Code(Language::JavaScript))],
        "grunt" => &[("Gruntfile.js", Tasks::Code(Language::JavaScript))],
        _ => &[],
    }
}

/// Runs the tasks a call asks for, as far as the command spells them out.
pub(super) fn run_tasks(shell: &mut Shell<'_>, call: &Call<'_>) {
    let mut inside = shell.clone();
    if let Some(folder) = folder_of(call.arguments) {
        inside.cwd = shell.absolute(&folder);
    }
    for (file, tasks) in files_of(call.name) {
        let Some(written) = inside.stream_of(file).map(|stream| stream.text()) else {
            continue;
        };
        match tasks {
            Tasks::Json(key) => run_scripts(&mut inside, &written, key, call.arguments),
            Tasks::Lines => run_lines(&mut inside, &written),
            Tasks::Code(language) => {
                code::run(&mut inside, &written, *language, call.name, &[]);
            }
        }
    }
}

/// `npm --prefix FOLDER`, `pnpm -C FOLDER`, `yarn --cwd FOLDER`.
fn folder_of(arguments: &[String]) -> Option<String> {
    let names = ["--prefix", "--cwd", "--dir", "-C"];
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if names.contains(&argument.as_str()) {
            return rest.next().cloned();
        }
        let attached = argument.split_once('=');
        if let Some((_, folder)) = attached.filter(|(name, _)| names.contains(name)) {
            return Some(folder.to_owned());
        }
    }
    None
}

fn run_scripts(shell: &mut Shell<'_>, manifest: &str, key: &str, arguments: &[String]) {
    let manifest: Value = serde_json::from_str(manifest).unwrap_or(Value::Null);
    let Some(scripts) = manifest.get(key).and_then(Value::as_object) else {
        return;
    };
    for (name, script) in scripts {
        let Some(at) = arguments.iter().position(|a| calls(a, name)) else {
            continue;
        };
        let rest: Vec<String> = arguments.iter().skip(at + 1).cloned().collect();
        let rest = rest.strip_prefix(&["--".to_owned()]).unwrap_or(&rest);
        let command = script.get("command").unwrap_or(script);
        let several = command.as_array().map(Vec::as_slice);
        for text in several.unwrap_or(std::slice::from_ref(command)) {
            if let Some(text) = text.as_str() {
                shell.run_if_shell(&format!("{text} {}", quoted(rest)));
            }
        }
    }
}

/// Whether a word on the command line runs a script: by its name, or before or after another.
fn calls(word: &str, script: &str) -> bool {
    let word = match word {
        "t" | "tst" => "test",
        "i" | "ci" | "add" => "install",
        "--run" => return false,
        other => other,
    };
    let around = |prefix: &str| script.strip_prefix(prefix) == Some(word);
    word == script || around("pre") || around("post") || (word == "install" && script == "prepare")
}

/// Each line may be a command, behind what its format puts before it; so may a text in quotes.
fn run_lines(shell: &mut Shell<'_>, tasks: &str) {
    for line in tasks.lines() {
        let line = line.trim();
        let bare = line.trim_start_matches("- ").trim_start_matches("cmd: ");
        shell.run_if_shell(bare);
        for text in line.split(['"', '\'']).skip(1).step_by(2) {
            shell.run_if_shell(text);
        }
    }
}

/// Runners of tasks that run nothing else.
pub(super) fn task_runner<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    run_tasks(shell, call);
    general::call(shell, call.name, call.arguments)
}

/// `npm pkg set scripts.NAME=COMMAND`: from then on there is such a script.
pub(super) fn note_scripts_set(shell: &Shell<'_>, call: &Call<'_>) {
    let set: Vec<(&str, &str)> = match call.arguments {
        [pkg, set, pairs @ ..] if pkg == "pkg" && set == "set" => {
            let pairs = pairs.iter().filter_map(|pair| pair.split_once('='));
            pairs
                .filter_map(|(key, value)| Some((key.strip_prefix("scripts.")?, value)))
                .collect()
        }
        [verb, name, script, ..] if verb == "set-script" => vec![(name, script)],
        _ => return,
    };
    let scripts: serde_json::Map<String, Value> = set
        .into_iter()
        .map(|(name, script)| (name.to_owned(), Value::from(script)))
        .collect();
    let manifest = serde_json::json!({ "scripts": scripts }).to_string();
    shell.remember_text("package.json", manifest);
}

/// `just RECIPE ARGUMENT…`, `just --command CMD ARGUMENT…`.
pub(super) fn just<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_command = |a: &String| matches!(a.as_str(), "--command" | "-c");
    let words = call.arguments.iter().skip_while(|a| !is_command(a)).skip(1);
    let words: Vec<String> = words.cloned().collect();
    shell.clone().run_words(words);
    let takes = Takes::new("fd", "justfile working-directory set");
    let options = Options::parse_leading(call.arguments, &takes);
    let usual = ["justfile", "Justfile", ".justfile", "JUSTFILE"];
    let given = options.value("-f --justfile");
    let files = given.into_iter().chain(usual);
    for file in files {
        if let Some(written) = shell.stream_of(file) {
            run_recipes(shell, &written.text(), &options.operands);
        }
    }
    Outcome::opaque()
}

/// The recipes of a justfile, with what `{{name}}` stands for put in.
fn run_recipes(shell: &mut Shell<'_>, justfile: &str, words: &[String]) {
    let arguments = words.get(1..).unwrap_or(&[]);
    let mut script = String::new();
    let mut values: Vec<(String, String)> = Vec::new();
    for line in justfile.lines() {
        if line.starts_with(char::is_whitespace) {
            let mut line = line.trim().trim_start_matches(['@', '-']).to_owned();
            for (name, value) in &values {
                put_in(&mut line, &format!("{{{{{name}}}}}"), value);
                put_in(&mut line, &format!("{{{{ {name} }}}}"), value);
            }
            if !line.starts_with("#!") {
                shell.run_if_shell(&line);
            }
            script.push_str(&line);
            script.push('\n');
        } else if let Some((name, value)) = line.split_once(":=") {
            let value = value.trim().trim_matches(['"', '\'']);
            if values.len() < MAX_VALUES {
                values.push((name.trim().to_owned(), value.to_owned()));
            }
        } else {
            run_script(shell, &std::mem::take(&mut script));
            let header = line.split(':').next().unwrap_or("");
            let parameters = header.split_whitespace().skip(1);
            let names = parameters.map(|name| name.trim_start_matches(['+', '*']));
            let names = names.map(|name| name.split('=').next().unwrap_or(name).to_owned());
            values.extend(names.zip(arguments.iter().cloned()));
        }
    }
    run_script(shell, &script);
}

/// A recipe that begins with the name of its interpreter is a script as a whole.
fn run_script(shell: &mut Shell<'_>, script: &str) {
    if script.starts_with("#!") {
        let name = format!("/dev/shm/{}", shell.session.fresh_name());
        shell.remember_text(&name, script.to_owned());
        shell.run_remembered(&name, &[]);
    }
}

/// `make`: its recipes are not in the command unless it wrote them, but `--eval` and `SHELL=` are.
pub(super) fn make<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("CfIjloWE", "directory file eval jobs");
    let options = Options::parse(call.arguments, &takes);
    let mut makefiles: Vec<String> = options.values("-E --eval").map(str::to_owned).collect();
    let given: Vec<&str> = options.values("-f --file").collect();
    let usual = vec!["GNUmakefile", "makefile", "Makefile"];
    let files = if given.is_empty() { usual } else { given };
    let spelled_out = files.into_iter().filter_map(|file| shell.stream_of(file));
    makefiles.extend(spelled_out.map(|makefile| makefile.text()));
    let shells = call
        .arguments
        .iter()
        .filter_map(|a| a.strip_prefix("SHELL="));
    for program in shells {
        shell.run_text_in_child(&format!("{program} -c :"));
    }
    for makefile in makefiles {
        let whole = with_included(shell, &makefile.replace("\\\n", " "));
        run_makefile(shell, &whole, &options.operands);
    }
    Outcome::opaque()
}

/// A makefile and those that it includes, as far as the command wrote them.
fn with_included(shell: &Shell<'_>, makefile: &str) -> String {
    let mut whole = makefile.to_owned();
    for line in makefile.lines() {
        let files = line.trim_start_matches('-').strip_prefix("include ");
        for file in files.unwrap_or("").split_whitespace() {
            if let Some(included) = shell.stream_of(file) {
                whole.push('\n');
                whole.push_str(&included.text());
            }
        }
    }
    whole
}

fn run_makefile(shell: &mut Shell<'_>, makefile: &str, operands: &[String]) {
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let assignments = makefile.lines().filter(|line| !line.starts_with('\t'));
    let mut values: Vec<(String, String)> = operands
        .iter()
        .map(String::as_str)
        .chain(assignments)
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim().trim_end_matches([':', '?', '+']).trim(), value))
        .filter(|(name, _)| !name.is_empty() && is_name(name))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .take(MAX_VALUES)
        .collect();
    let goals = operands.iter().find(|operand| !operand.contains('='));
    values.extend(goals.map(|goal| ("@".to_owned(), goal.clone())));
    for line in makefile.split(['\n', ';']) {
        let recipe = line.trim().trim_start_matches(['@', '-']);
        let recipe = recipe
            .split_once("$(shell ")
            .map_or(recipe, |(_, inner)| inner.trim_end_matches(')'));
        if !recipe.is_empty() && !recipe.ends_with(':') {
            shell.run_if_shell(&filled(recipe, &values));
        }
    }
}

/// A recipe with the values of its variables, as the shell gets to see it.
fn filled(recipe: &str, values: &[(String, String)]) -> String {
    let mut recipe = recipe.to_owned();
    for (name, value) in values {
        put_in(&mut recipe, &format!("$({name})"), value);
        put_in(&mut recipe, &format!("${{{name}}}"), value);
        if name == "@" {
            put_in(&mut recipe, "$@", value);
        }
    }
    recipe.replace("$$", "$")
}

/// Puts a value in where it is asked for, unless the text has grown too long to follow.
fn put_in(text: &mut String, spelling: &str, value: &str) {
    if text.len() <= limits::MAX_MATCHED && text.contains(spelling) {
        *text = text.replace(spelling, value);
    }
}

/// The program that runs a script the command wrote, where its first line names none.
pub(in super::super) fn interpreter_of(name: &str) -> &'static str {
    let extension = text::base_name(name).rsplit_once('.').map(|(_, end)| end);
    match extension.unwrap_or("") {
        "py" => "python3",
        "js" | "cjs" | "mjs" | "ts" | "mts" | "cts" | "jsx" | "tsx" => "node",
        "rb" => "ruby",
        "pl" => "perl",
        "php" => "php",
        "lua" => "lua",
        "tcl" => "tclsh",
        "ps1" => "pwsh",
        "nu" => "nu",
        "fish" => "fish",
        "R" | "r" => "Rscript",
        "jl" => "julia",
        "exs" | "ex" => "elixir",
        "hs" | "lhs" => "runghc",
        "ml" => "ocaml",
        "clj" | "cljs" => "bb",
        "scm" => "guile",
        "rkt" => "racket",
        "lisp" => "sbcl",
        "nim" | "nims" => "nim",
        "cr" => "crystal",
        "groovy" => "groovy",
        // Languages with braces, which are read alike.
        "go" | "rs" | "c" | "cc" | "cpp" | "java" | "kt" | "kts" | "scala" | "swift" | "dart"
        | "zig" => "java",
        _ => "sh",
    }
}
