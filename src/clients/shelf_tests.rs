//! The shelf is the only place that knows a client: what it says of one is nowhere else in the code.

use std::path::{Path, PathBuf};

use super::Client;

/// Names that are words of every day as well: as such they are looked for only as a whole text.
const EVERYDAY: &[&str] = &[
    "cursor", "pi", "continue", "cline", "goose", "droid", "generic",
];

/// A text or a name in the code, and whether it is a text.
type Word = (String, bool);

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What would give a client away, in lower case.
fn signs() -> Vec<String> {
    let mut signs: Vec<String> = Vec::new();
    for client in Client::all() {
        let names = [client.name, client.title, client.user_folder.otherwise];
        let lists = [
            client.programs,
            client.signs,
            client.marks,
            client.variables,
            client.variables_past_hooks,
            client.protected,
            client.guarded,
        ];
        let all = names.into_iter().chain(lists.concat());
        signs.extend(all.map(|sign| sign.trim_end_matches(['*', '_', '/']).to_lowercase()));
    }
    signs.extend(
        signs
            .clone()
            .iter()
            .map(|sign| sign.replace(['-', ' '], "_")),
    );
    signs.extend(signs.clone().iter().map(|sign| sign.replace('_', "")));
    signs.sort();
    signs.dedup();
    signs
}

/// The production code of a file as words: comments and tests are left out. What is said of the
/// command line is a text, though it is written as a comment.
fn words(code: &str, is_help: bool) -> Vec<Word> {
    let code = match code.find("#[cfg(test)]\nmod tests") {
        Some(at) => code.get(..at).unwrap_or_default(),
        None => code,
    };
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            let line = rest.split('\n').next().unwrap_or_default();
            if is_help && line.starts_with("///") {
                words.push((line.to_owned(), true));
            }
            line.len()
        } else if first == '"' {
            let end = end_of_text(rest);
            words.push((rest.get(1..end - 1).unwrap_or_default().to_owned(), true));
            end
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            let hashes = rest.chars().skip(1).take_while(|c| *c == '#').count();
            let close = format!("\"{}", "#".repeat(hashes));
            let body = rest.get(hashes + 2..).unwrap_or_default();
            let end = body.find(&close).unwrap_or(body.len());
            words.push((body.get(..end).unwrap_or_default().to_owned(), true));
            (hashes + 2 + end + close.len()).min(rest.len())
        } else if rest.starts_with("'\"'") {
            3
        } else if first.is_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            words.push((rest.get(..end).unwrap_or_default().to_owned(), false));
            end
        } else {
            first.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    words
}

fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len()
}

fn names(word: &Word, sign: &str) -> bool {
    let (text, is_text) = (word.0.to_lowercase(), word.1);
    if EVERYDAY.contains(&sign) {
        return is_text && text == sign;
    }
    if !is_text {
        return sign.len() > 4 && text.contains(sign);
    }
    text.match_indices(sign).any(|(at, _)| {
        let is_end = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + sign.len()..).unwrap_or_default();
        is_end(before.chars().next_back()) && is_end(after.chars().next())
    })
}

/// The files of production code outside the shelf.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let declared = ["mod.rs", "lib.rs"].map(|name| std::fs::read_to_string(folder.join(name)));
    let declared: String = declared.into_iter().flatten().collect();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_for_tests = name == "tests"
            || name.ends_with("_tests")
            || declared.contains(&format!("#[cfg(test)]\nmod {name};"))
            || declared.contains(&format!("#[cfg(test)]\npub(crate) mod {name};"));
        if is_for_tests || path == project("src/clients") {
            continue;
        }
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn no_client_is_known_outside_the_shelf() {
    let signs = signs();
    let mut all = Vec::new();
    files(&project("src"), &mut all);
    assert!(all.len() > 300, "the code was not found");
    let mut told = Vec::new();
    for path in all {
        let code = std::fs::read_to_string(&path).unwrap();
        for word in words(&code, path.starts_with(project("src/cli"))) {
            let known = signs.iter().find(|sign| names(&word, sign));
            told.extend(known.map(|sign| format!("{}: `{sign}` in {word:?}", path.display())));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn what_would_name_a_client_is_seen() {
    let signs = signs();
    let seen = |code: &str| {
        let words = words(code, false);
        words
            .iter()
            .any(|word| signs.iter().any(|sign| names(word, sign)))
    };
    for code in [
        "match client { Client::ClaudeCode => 1 }",
        "let codex_home = 1;",
        "f(\".gemini/settings.json\")",
        "f(r#\"start `copilot` here\"#)",
        "let a = '\"'; f(\"CLAUDE_CODE_SIMPLE\")",
        "f(\"cursor\")",
    ] {
        assert!(seen(code), "{code}");
    }
    for code in [
        "// Claude Code does so",
        "let mut cursor = tree.walk();",
        "f(\"the cursor moves\")",
        "f(\"a decoded code\")",
    ] {
        assert!(!seen(code), "{code}");
    }
}

#[test]
fn every_client_is_in_the_table_and_has_its_files() {
    for client in Client::callers() {
        let name = client.name();
        assert!(
            project(&format!("fixtures/agents/{name}.json")).is_file(),
            "{name}"
        );
    }
    for entry in std::fs::read_dir(project("src/clients")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.contains("const PROFILE: Profile") && !path.ends_with("shelf_tests.rs") {
            let name = path
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .replace('_', "-");
            let is_known = Client::callers().any(|client| client.name() == name);
            assert!(is_known, "{name}");
        }
    }
}
