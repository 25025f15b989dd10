//! Task runners, where the command itself wrote the file with the tasks: `npm run`, `make`, `just`.
//! What is in files that were there before is for the loop to judge.

use super::super::limits;
use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::stream::Stream;
use super::super::text;
use super::general;

/// Where the tasks of a program are. Those in a language of their own run as programs of it.
const FILES: &[(&str, &str)] = &[
    ("npm pnpm yarn bun node", "package.json"),
    ("deno", "deno.json deno.jsonc package.json"),
    ("composer", "composer.json"),
    ("task", "Taskfile.yml Taskfile.yaml"),
    ("mise", "mise.toml .mise.toml"),
    ("pipenv", "Pipfile"),
    ("poe pdm hatch", "pyproject.toml"),
    ("just", "justfile Justfile .justfile JUSTFILE"),
    ("make gmake", "GNUmakefile makefile Makefile"),
    ("rake", "Rakefile"),
    ("nox", "noxfile.py"),
    ("inv invoke", "tasks.py"),
    ("gulp", "gulpfile.js"),
    ("grunt", "Gruntfile.js"),
];

/// Runners of tasks that run nothing else.
pub(super) fn task_runner<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    run_tasks(shell, call);
    general::call(shell, call.name, call.arguments)
}

/// Runs all the tasks of a program, as far as the command spells them out.
pub(super) fn run_tasks(shell: &mut Shell<'_>, call: &Call<'_>) {
    let takes = Takes::new(
        "CfEd",
        "prefix cwd dir directory file justfile working-directory eval",
    );
    let options = Options::parse(call.arguments, &takes);
    let mut inside = shell.clone();
    if let Some(folder) = options.value("-C --prefix --cwd --dir --directory") {
        inside.cwd = shell.absolute(folder);
    }
    let usual = FILES
        .iter()
        .find(|(names, _)| names.split(' ').any(|name| name == call.name));
    let usual = usual.map_or("", |(_, files)| *files).split(' ');
    for file in options.values("-f --file --justfile").chain(usual) {
        let Some(written) = inside.stream_of(file).map(|stream| stream.text()) else {
            continue;
        };
        match interpreter_of(file) {
            // A task that runs another finds none: all of them run anyway.
            "sh" => {
                let place = inside.place(file, true);
                inside.remember(&place, Stream::empty(), false);
                run_lines(&mut inside, &written, &options.operands);
                inside.remember(&place, Stream::Text(written), false);
            }
            interpreter => {
                let words = vec![interpreter.to_owned(), file.to_owned()];
                inside.clone().run_words(words);
            }
        }
    }
    for recipe in options.values("-E --eval") {
        run_lines(&mut inside, recipe, &options.operands);
    }
}

/// Each line may be a command, behind what its format puts before it; so may a text in quotes.
fn run_lines(shell: &mut Shell<'_>, tasks: &str, operands: &[String]) {
    let mut inside = shell.clone();
    let mut script = String::new();
    let tasks = tasks.replace("\\\n", " ");
    let goal = operands.iter().find(|operand| !operand.contains('='));
    inside.set("goal", goal.cloned().unwrap_or_default());
    for line in operands.iter().map(String::as_str).chain(tasks.lines()) {
        if let Some((name, value)) = assignment(line) {
            inside.set(name, value);
        }
        for file in line
            .trim_start_matches('-')
            .strip_prefix("include ")
            .unwrap_or("")
            .split_whitespace()
        {
            if let Some(included) = shell
                .stream_of(file)
                .filter(|included| included.text() != tasks)
            {
                run_lines(shell, &included.text(), operands);
            }
        }
    }
    for line in tasks.lines() {
        if !line.starts_with(char::is_whitespace) {
            name_parameters(&mut inside, line, operands);
            run_script(&inside, &std::mem::take(&mut script));
        }
        let line = in_words_of_shells(line.trim());
        script.push_str(&format!("{line}\n"));
        let bare = line
            .trim_start_matches(['@', '-', ' '])
            .trim_start_matches("cmd: ");
        inside.run_if_shell(
            bare.strip_prefix("$(shell ")
                .map_or(bare, |inner| inner.trim_end_matches(')')),
        );
        for text in line.split(['"', '\'']).skip(1).step_by(2) {
            inside.run_if_shell(text);
        }
    }
    run_script(&inside, &script);
}

/// `NAME := VALUE`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim().trim_end_matches([':', '?', '+', ' ']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value = value.trim().trim_matches(['"', '\'']);
    (is_name && !line.starts_with('\t')).then_some((name, value))
}

/// `x file:` is called with a file.
fn name_parameters(shell: &mut Shell<'_>, header: &str, operands: &[String]) {
    let header = header.split(':').next().unwrap_or("");
    let names = header
        .split_whitespace()
        .skip(1)
        .map(|name| name.trim_start_matches(['+', '*']));
    for (name, value) in names.zip(operands.iter().skip(1)) {
        shell.set(name.split('=').next().unwrap_or(name), value.clone());
    }
}

/// `$(NAME)`, `{{name}}` and `$@` as a shell spells them.
fn in_words_of_shells(line: &str) -> String {
    if line.len() > limits::MAX_MATCHED {
        return text::unknown();
    }
    let mut spelled = line
        .replace("{{", "${")
        .replace("}}", "}")
        .replace("$@", "$goal")
        .replace("$$", "$");
    let mut from = 0;
    while let Some(at) = spelled
        .get(from..)
        .and_then(|rest| rest.find("$("))
        .map(|at| at + from)
    {
        let inner = spelled.get(at + 2..).unwrap_or("");
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let end = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
        if inner.get(end..).is_some_and(|rest| rest.starts_with(')')) {
            spelled.replace_range(at + 2 + end..at + 3 + end, "}");
            spelled.replace_range(at + 1..at + 2, "{");
        }
        from = at + 2;
    }
    spelled.replace("${ ", "${").replace(" }", "}")
}

/// A recipe that begins with the name of its interpreter is a script as a whole.
fn run_script(shell: &Shell<'_>, script: &str) {
    if let Some(at) = script.find("#!") {
        let name = format!("/dev/shm/{}", shell.session.fresh_name());
        shell.remember_text(&name, script.get(at..).unwrap_or("").to_owned());
        shell.clone().run_remembered(&name, &[]);
    }
}

/// `npm pkg set scripts.NAME=COMMAND`: from then on there is such a script.
pub(super) fn note_scripts_set(shell: &Shell<'_>, call: &Call<'_>) {
    let scripts: Vec<&str> = match call.arguments {
        [pkg, set, pairs @ ..] if pkg == "pkg" && set == "set" => {
            let pairs = pairs.iter().filter_map(|pair| pair.split_once('='));
            pairs.map(|(_, script)| script).collect()
        }
        [verb, _, script, ..] if verb == "set-script" => vec![script],
        _ => return,
    };
    shell.remember_text("package.json", scripts.join("\n"));
}

/// `just RECIPE ARGUMENT…`, `just --command CMD ARGUMENT…`.
pub(super) fn just<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let is_command = |a: &String| matches!(a.as_str(), "--command" | "-c");
    let words = call.arguments.iter().skip_while(|a| !is_command(a)).skip(1);
    let words: Vec<String> = words.cloned().collect();
    shell.clone().run_words(words);
    run_tasks(shell, call);
    Outcome::opaque()
}

/// `make`: its recipes are not in the command unless it wrote them, but `--eval` and `SHELL=` are.
pub(super) fn make<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let shells = call
        .arguments
        .iter()
        .filter_map(|a| a.strip_prefix("SHELL="));
    for program in shells {
        shell.run_text_in_child(&format!("{program} -c :"));
    }
    run_tasks(shell, call);
    Outcome::opaque()
}

/// The program that runs a script the command wrote, where its first line names none.
pub(in super::super) fn interpreter_of(name: &str) -> &'static str {
    let name = text::base_name(name);
    let extension = name.rsplit_once('.').map_or(name, |(_, end)| end);
    match extension {
        "py" => "python3",
        "js" | "cjs" | "mjs" | "ts" | "mts" | "cts" | "jsx" | "tsx" => "node",
        "rb" | "Rakefile" => "ruby",
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
