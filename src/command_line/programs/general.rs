//! Programs without a model of their own: a path that is mentioned may be written, unless the
//! program is known to read, or is asked only to look. The loop sees afterwards what it did.

use std::path::PathBuf;

use super::super::ShellEffect;
use super::super::code::foreign;
use super::super::limits;
use super::super::scope::{Outcome, Shell};
use super::super::stream::Stream;
use super::super::text::{self, UNKNOWN};
use super::known::{self, Manner};
use super::{copies, filters, outputs, runners};
use crate::command_line::text::is_one_of;
use crate::rules::shell_gate::Evasion;
use crate::rules::start_up::names_word;

/// The variable that switches git-tcr off.
const SWITCH: &str = "GIT_TCR";
/// What these programs do is named by this.
const HOW: &str = "program";
/// Names in a path that are tried as the first of another.
const MAX_NAMES: usize = 20;

/// Looks at a call of any program.
pub(super) fn call<'c>(shell: &mut Shell<'c>, name: &str, arguments: &[String]) -> Outcome<'c> {
    let is_own = name.contains('/')
        && shell
            .known_path(name)
            .is_some_and(|path| shell.is_inside(&path));
    let name = text::base_name(name);
    let found = known::known(name);
    let (manner, options) = (
        found.map(|(manner, _)| manner),
        found.map_or("", |(_, own)| own),
    );
    // A rule of a makefile, or a line of JSON.
    if !name
        .chars()
        .all(|c| c.is_alphanumeric() || "+-._[".contains(c))
    {
        return Outcome::opaque();
    }
    runners::wrapped(shell, arguments);
    let speaks = match manner {
        Some(Manner::Reads) => false,
        Some(Manner::Shell) => run_shell(shell, arguments),
        Some(_) => read_code(shell, texts(shell, arguments)),
        // Of a program that nobody here knows, what has spaces in it may as well be prose.
        None => {
            let texts = texts(shell, arguments).into_iter();
            read_code(shell, texts.filter(|text| text.contains('(')).collect())
        }
    };
    // What formatters and the like are fed are names, and the verbs of those that take commands.
    let typed = match manner {
        Some(Manner::OnRequest) => shell.input().text(),
        _ => String::new(),
    };
    let verb = arguments.iter().find(|word| !word.starts_with('-'));
    let verb = verb.map_or(
        typed.split_whitespace().next().unwrap_or(""),
        String::as_str,
    );
    let writes = match manner {
        _ if given(arguments, known::LOOKS) => false,
        // A project's own programs are for the loop to judge.
        None => {
            let looks = is_one_of(verb, known::LOOKING_VERBS) || looks_by_name(name);
            !is_own && !looks && !outputs::names_one(arguments)
        }
        Some(Manner::Reads) => given(arguments, options),
        Some(Manner::OnRequest) => {
            given(arguments, known::WRITES)
                || given(arguments, options)
                || is_one_of(verb, known::WRITING_VERBS)
        }
        Some(Manner::Writes | Manner::Unpacks) => !given(&letters(arguments), options),
        Some(Manner::Runs | Manner::Shell) => speaks,
        Some(Manner::Edits) => {
            let texts = texts(shell, arguments);
            texts.iter().chain(arguments).any(|text| saves(text))
        }
        Some(Manner::Last) => false,
    };
    // Where it is told where to put things, the rest is what it takes them from.
    let places = match manner {
        Some(Manner::Unpacks) => values_of(arguments, "-C -D -d"),
        _ => Vec::new(),
    };
    let named = match manner {
        None => without_inputs(arguments),
        Some(_) if places.is_empty() => arguments.to_vec(),
        Some(_) => places,
    };
    if writes {
        mention(shell, &named);
    }
    match manner {
        Some(Manner::OnRequest) if writes => {
            let names: Vec<String> = typed.split_whitespace().map(str::to_owned).collect();
            mention(shell, &names);
        }
        Some(Manner::Last) => mention(
            shell,
            arguments
                .get(arguments.len().saturating_sub(1).max(1)..)
                .unwrap_or(&[]),
        ),
        Some(Manner::Runs) => mention(shell, &values_of(arguments, options)),
        Some(Manner::Unpacks) if writes => {
            let is_folder = |word: &&String| {
                shell
                    .known_path(word)
                    .is_some_and(|path| shell.is_directory(&path))
            };
            arguments
                .iter()
                .filter(is_folder)
                .for_each(|folder| shell.write_into(folder, HOW));
        }
        _ => {}
    }
    outputs::generic(shell, arguments);
    match manner {
        // What inline code prints may be a command spelled in a way that is not seen through here.
        Some(Manner::Runs) if arguments.iter().any(|word| is_code(word)) => {
            Outcome::text(text::disguised())
        }
        Some(Manner::Reads) | None => Outcome::opaque(),
        _ => filters::recoded(shell, |_| None),
    }
}

/// Whether a name says that the program tests, checks or shows something.
fn looks_by_name(name: &str) -> bool {
    let mut parts = known::LOOKING_NAMES.split_whitespace();
    foreign::reads(name) || parts.any(|part| name.starts_with(part) || name.ends_with(part))
}

/// The arguments, and each of the letters of `-dc`.
fn letters(arguments: &[String]) -> Vec<String> {
    let joined = arguments
        .iter()
        .filter(|word| word.starts_with('-') && !word.starts_with("--"));
    let letters = joined.flat_map(|word| word.chars().skip(1).map(|letter| format!("-{letter}")));
    arguments.iter().cloned().chain(letters).collect()
}

/// Whether one of some options is among the arguments.
fn given(arguments: &[String], options: &str) -> bool {
    let name = |word: &str| word.split('=').next().unwrap_or("").to_owned();
    arguments
        .iter()
        .any(|word| is_one_of(word, options) || is_one_of(&name(word), options))
}

/// The arguments without the options that say what is read, and what follows them.
fn without_inputs(arguments: &[String]) -> Vec<String> {
    let is_input = |word: &str| is_one_of(word.split('=').next().unwrap_or(""), known::INPUTS);
    let before = std::iter::once("").chain(arguments.iter().map(String::as_str));
    let kept = arguments.iter().zip(before).filter(|(word, before)| {
        let follows = is_input(before) && !before.contains('=');
        !is_input(word) && !follows
    });
    kept.map(|(word, _)| word.clone()).collect()
}

/// What follows some options, in the same word or as the next one.
fn values_of(arguments: &[String], options: &str) -> Vec<String> {
    let next = arguments.iter().zip(arguments.iter().skip(1));
    let apart = next
        .filter(|(option, _)| is_one_of(option, options))
        .map(|(_, value)| value.clone());
    let attached = arguments.iter().filter_map(|word| {
        let mut options = options.split_whitespace();
        options
            .find_map(|option| word.strip_prefix(option))
            .map(str::to_owned)
    });
    apart.chain(attached).collect()
}

fn is_code(text: &str) -> bool {
    text.contains([' ', '(', '\n', '\\', '`'])
}

/// The texts that may be code: among the words, in files that the command wrote, or coming in.
fn texts(shell: &Shell<'_>, arguments: &[String]) -> Vec<String> {
    let words = arguments.iter().filter(|word| is_code(word)).cloned();
    let mut found: Vec<String> = words.collect();
    found.extend(shell.input().known().map(str::to_owned));
    let piped = arguments.iter().filter_map(|word| shell.stream_of(word));
    let written = found
        .iter()
        .chain(arguments)
        .flat_map(|text| shell.written_in(text));
    let more: Vec<String> = piped.map(|stream| stream.text()).chain(written).collect();
    found.extend(more);
    found.retain(|text| text::is_known(text) && !text.is_empty());
    found
}

/// Reads the code that a program is given, and says whether some of it writes.
fn read_code(shell: &mut Shell<'_>, texts: Vec<String>) -> bool {
    let mut writes = false;
    for text in texts {
        writes |= speak(shell, &text);
    }
    writes
}

/// Reads a program; where it writes, its arguments may be written as well.
pub(super) fn run_code(shell: &mut Shell<'_>, code: &str, arguments: &[String]) {
    if speak(shell, code) {
        mention(shell, arguments);
    }
}

/// What code speaks of where it writes may be written. Says whether it writes.
fn speak(shell: &mut Shell<'_>, code: &str) -> bool {
    let is_outside = |path: &str| is_outside(shell, path);
    let found = foreign::spoken(code, &is_outside);
    if let Err(why) = limits::check_program(found.brackets.chars()) {
        shell.session.give_up(why);
    }
    if found.writes {
        let asks = code.to_lowercase().contains("env");
        let variables = shell
            .exported_names()
            .into_iter()
            .filter(|name| asks && names_word(code, name));
        let values: Vec<String> = variables.filter_map(|name| shell.exported(&name)).collect();
        for path in found.paths.iter().chain(&values) {
            mention(shell, std::slice::from_ref(path));
            if found.unpacks && known_folder(shell, path) {
                shell.write_into(path, HOW);
            }
        }
        found
            .elsewhere
            .iter()
            .for_each(|path| shell.write(path, HOW));
    }
    for command in &found.commands {
        run_apart(shell, command);
    }
    for script in &found.scripts {
        shell.clone().with_input(Some(Stream::empty()), |shell| {
            shell.run_text_in_child(script)
        });
    }
    for (path, written) in &found.contents {
        shell.remember_text(path, written.clone());
    }
    if sets_switch(code) {
        emit_switch(shell);
    }
    found.writes
}

fn known_folder(shell: &Shell<'_>, path: &str) -> bool {
    let known = shell.known_path(path);
    known.is_some_and(|path| shell.is_directory(&path))
}

/// Whether a path is absolute, and neither below the repository's root nor above it.
fn is_outside(shell: &Shell<'_>, path: &str) -> bool {
    let root = &shell.context().repo_root;
    let known = shell.known_path(path).filter(|_| path.starts_with('/'));
    known.is_some_and(|path| !path.starts_with(root) && !root.starts_with(&path))
}

/// Runs a command that takes nothing in.
fn run_apart(shell: &mut Shell<'_>, command: &str) {
    shell
        .clone()
        .with_input(Some(Stream::empty()), |shell| shell.run_if_shell(command));
}

/// The statements of a shell of its own kind: those that read like any other's are run, of others
/// the words are looked at. One that writes what another names may write whatever is named.
fn run_shell(shell: &mut Shell<'_>, arguments: &[String]) -> bool {
    let is_option =
        |word: &String| word.starts_with('-') || matches!(word.as_str(), "/c" | "/k" | "//c");
    let words: Vec<String> = arguments
        .iter()
        .filter(|word| !is_option(word))
        .cloned()
        .collect();
    let mut found = texts(shell, &words);
    if found.is_empty() {
        found.push(words.join(" "));
    }
    let mut writes_others = false;
    for text in &found {
        let whole = foreign::spoken(text, &|_| false);
        for statement in text.split(['\n', ';', '|', '{', '}']) {
            let statement = statement.trim().trim_start_matches(['&', '^', '(']);
            let spoken = foreign::spoken(statement, &|_| false);
            let verb = statement.split_whitespace().next().unwrap_or("");
            let runs = matches!(verb, "source" | "eval" | "iex" | "Invoke-Expression");
            let names = spoken.paths.iter().any(|path| !path.starts_with('$'));
            let writes = spoken.writes || statement.contains('>');
            if writes && !names || runs && whole.writes {
                writes_others = true;
            }
            let posix = statement.replace(" (", " $(");
            if shell.reads_as_shell(&posix) {
                run_apart(shell, &posix);
            } else if writes {
                mention(shell, &spoken.paths);
            }
        }
        if writes_others {
            mention(shell, &whole.named);
        }
        if sets_switch(text) || text.contains(SWITCH) && text.contains("set ") {
            emit_switch(shell);
        }
    }
    writes_others
}

fn emit_switch(shell: &Shell<'_>) {
    let name = SWITCH.to_owned();
    shell.emit(ShellEffect::Evasion(Evasion::ToolVariable(name)));
}

/// Whether commands of an editor write the file: `w`, `wq`, `x`.
fn saves(commands: &str) -> bool {
    let unquoted = commands.split(['"', '\'']).step_by(2);
    let mut words =
        unquoted.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.any(|word| is_one_of(word, known::SAVES))
}

/// `$env:GIT_TCR = 'off'`, `System.put_env("GIT_TCR", "off")`.
fn sets_switch(text: &str) -> bool {
    text.split(SWITCH).skip(1).any(|rest| {
        let rest = rest.trim_start_matches(['"', '\'', ']', ')', ' ']);
        rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(',')
    })
}

/// Whatever the words name may be written: files that are there, or could be, and those of the
/// files in a folder that need it.
fn mention(shell: &Shell<'_>, words: &[String]) {
    let mut folders = Vec::new();
    for word in words
        .iter()
        .filter(|word| !word.contains(char::is_whitespace))
    {
        for piece in named_in(word) {
            mention_one(shell, piece, &mut folders);
        }
    }
    if !folders.is_empty() {
        shell.emit(ShellEffect::RewriteSome { folders, how: HOW });
    }
}

/// The word, and what is in it after the marks that options and settings put before a path.
fn named_in(word: &str) -> impl Iterator<Item = &str> {
    let attached = word
        .get(2..)
        .filter(|_| word.starts_with('-') && !word.starts_with("--"));
    let whole = Some(word).filter(|word| !word.starts_with('-'));
    let parts = word.split(['=', ':', ',', '@']).skip(1);
    whole
        .into_iter()
        .chain(attached)
        .chain(parts)
        .filter(|piece| !piece.is_empty())
}

fn mention_one(shell: &Shell<'_>, piece: &str, folders: &mut Vec<PathBuf>) {
    let piece = piece.strip_suffix("/...").unwrap_or(piece);
    // Of a pattern, the folder that it looks in.
    let pattern = piece.find(['*', '?', '{']).and_then(|at| piece.get(..at));
    let piece = match pattern {
        Some(start) => match start.rfind('/') {
            Some(end) => start.get(..end).unwrap_or(""),
            None => return,
        },
        None => piece,
    };
    let Some(path) = shell.known_path(piece) else {
        if piece.contains(UNKNOWN) {
            shell.write(piece, HOW);
        }
        return;
    };
    if shell.is_directory(&path) {
        if shell.is_inside(&path) && path != shell.context().repo_root {
            folders.push(path);
        }
    } else if let Some(file) = file_in(shell, piece) {
        shell.write(&file, HOW);
    } else if piece.contains('/') || copies::exists(shell, &path) {
        shell.write(piece, HOW);
    }
}

/// The file that is there under a part of a path: `/files/src/a.py/key`.
fn file_in(shell: &Shell<'_>, path: &str) -> Option<String> {
    let is_file = |path: &&str| {
        let found = shell.known_path(path);
        let found = found.filter(|found| shell.is_inside(found) && !shell.is_directory(found));
        found.is_some_and(|found| copies::exists(shell, &found))
    };
    if path.contains("://") {
        return None;
    }
    let root = shell.context().repo_root.to_str()?;
    let starts = path
        .match_indices('/')
        .map(|(at, _)| at + 1)
        .take(MAX_NAMES);
    let below = path.find(root).into_iter().chain(starts);
    below
        .filter_map(|start| path.get(start..))
        .find_map(|part| {
            let above = std::iter::successors(Some(part), |part| {
                part.rsplit_once('/').map(|(above, _)| above)
            });
            above.take(MAX_NAMES).find(is_file).map(str::to_owned)
        })
}
