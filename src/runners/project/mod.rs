//! What is seen of a project where its test command is looked for: names and texts, nothing else; and
//! the commands that speak for themselves.

pub(crate) mod node;
pub(crate) mod python;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// No manifest that people write is longer.
const READ_LIMIT: u64 = 1 << 20;

/// A command that was found, and why it was thought of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The line for the shell.
    pub command: String,
    /// What speaks for it.
    pub why: String,
    /// The file that says so, from the folder it is run in.
    pub file: String,
}

/// How much a candidate says about what people want, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    Script,
    FrontDoor,
    Configured,
    Default,
    Fallback,
}

/// A test command, and what the ranking needs to know about it.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) candidate: Candidate,
    pub(crate) strength: Strength,
    /// The language it is for; none if it is for all.
    pub(crate) language: Option<&'static str>,
    pub(crate) covers_all: bool,
}

impl Offer {
    pub(crate) fn new(
        strength: Strength,
        language: Option<&'static str>,
        command: impl Into<String>,
        why: impl Into<String>,
        file: &str,
    ) -> Self {
        Offer {
            candidate: Candidate {
                command: command.into(),
                why: why.into(),
                file: file.to_owned(),
            },
            strength,
            language,
            covers_all: false,
        }
    }

    pub(crate) fn covering_all(self) -> Self {
        Offer {
            covers_all: true,
            ..self
        }
    }

    /// What the tools of a language do by default.
    pub(crate) fn by_default(
        language: &'static str,
        command: impl Into<String>,
        file: &str,
    ) -> Offer {
        let why = format!("`{file}`");
        Offer::new(Strength::Default, Some(language), command, why, file)
    }

    /// What a config file or a dependency names.
    pub(crate) fn configured(
        language: &'static str,
        command: impl Into<String>,
        file: &str,
    ) -> Offer {
        let why = format!("`{file}`");
        Offer::new(Strength::Configured, Some(language), command, why, file)
    }
}

/// Files and folders by path from the root, with `/` between.
pub(crate) trait Tree {
    /// The text of a file.
    fn read(&self, path: &str) -> Option<String>;
    /// Whether there is a file or folder.
    fn exists(&self, path: &str) -> bool;
    /// The names in a folder (`""` is the root), sorted, those of folders with `/` at the end.
    fn list(&self, dir: &str) -> Vec<String>;
}

/// A folder on disk. Links to folders are not followed.
#[derive(Debug, Clone)]
pub(crate) struct DirTree {
    root: PathBuf,
}

impl DirTree {
    /// The tree below `root`.
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        DirTree { root: root.into() }
    }
}

impl Tree for DirTree {
    fn read(&self, path: &str) -> Option<String> {
        let file = File::open(self.root.join(path)).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(READ_LIMIT).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.root.join(dir)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let folder = entry.file_type().ok()?.is_dir();
                Some(if folder { name + "/" } else { name })
            })
            .collect();
        names.sort_unstable();
        names
    }
}

/// One folder of a tree as the rules look at it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) tree: &'a dyn Tree,
    /// The folder, empty for the root, else with `/` at the end.
    pub(crate) dir: &'a str,
    /// Whether a program can be started.
    pub(crate) has_program: &'a dyn Fn(&str) -> bool,
}

impl<'a> Place<'a> {
    /// A path from the root.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.dir)
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.tree.exists(&self.path(name))
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        let text = self.tree.read(&self.path(name))?;
        Some(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    }

    /// Whether a file is there and says `word`.
    pub(crate) fn mentions(&self, name: &str, word: &str) -> bool {
        self.read(name).is_some_and(|text| text.contains(word))
    }

    pub(crate) fn toml(&self, name: &str) -> Option<toml::Table> {
        toml::from_str(&self.read(name)?).ok()
    }

    /// A JSON file, comments and trailing commas allowed.
    pub(crate) fn json(&self, name: &str) -> Option<serde_json::Value> {
        let text = self.read(name)?;
        serde_json::from_str(&text)
            .or_else(|_| serde_json::from_str(&without_comments(&text)))
            .ok()
    }

    /// Why a file that is there is no TOML or JSON, as its name says it is.
    pub(crate) fn unreadable(&self, name: &str) -> Option<String> {
        let text = self.read(name)?;
        if name.ends_with(".toml") {
            let error = toml::from_str::<toml::Table>(&text).err()?;
            let start = error.span().map_or(0, |span| span.start);
            let line = text.get(..start).unwrap_or(&text).matches('\n').count() + 1;
            let what = error.message().trim_end().replace('\n', ", ");
            return Some(format!("{what} at line {line}"));
        }
        match self.json(name) {
            Some(_) => None,
            None => serde_json::from_str::<serde_json::Value>(&text)
                .err()
                .map(|error| error.to_string()),
        }
    }

    /// The names in a folder below this one.
    pub(crate) fn list(&self, dir: &str) -> Vec<String> {
        self.tree.list(self.path(dir).trim_end_matches('/'))
    }

    /// The first of `names` that is there.
    pub(crate) fn first<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.exists(name))
    }

    /// The first file right here whose name `fits`.
    pub(crate) fn first_named(&self, fits: impl Fn(&str) -> bool) -> Option<String> {
        self.list("").into_iter().find(|name| fits(name))
    }

    /// Whether a folder, or one right in it, has a file whose name ends so.
    pub(crate) fn has_named(&self, dir: &str, end: &str) -> bool {
        self.has_prefixed(dir, "", end)
    }

    pub(crate) fn has_prefixed(&self, dir: &str, start: &str, end: &str) -> bool {
        let fits = |name: &String| name.starts_with(start) && name.ends_with(end);
        self.list(dir).iter().any(fits) || self.has_named_below(dir, start, end)
    }

    /// Whether a folder right in this one has a file whose name begins and ends so.
    pub(crate) fn has_named_below(&self, dir: &str, start: &str, end: &str) -> bool {
        let fits = |name: &String| name.starts_with(start) && name.ends_with(end);
        let names = self.list(dir).into_iter();
        names
            .filter(|name| name.ends_with('/'))
            .take(50)
            .any(|sub| self.list(&format!("{dir}/{sub}")).iter().any(fits))
    }

    /// The same folder's root, where lock files of a workspace are.
    pub(crate) fn root(&self) -> Place<'a> {
        Place { dir: "", ..*self }
    }
}

/// JSON with comments and trailing commas as plain JSON.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                out.push(c);
                while let Some(inner) = chars.next() {
                    out.push(inner);
                    match inner {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut last = ' ';
                chars.next();
                for inner in chars.by_ref() {
                    if last == '*' && inner == '/' {
                        break;
                    }
                    last = inner;
                }
            }
            (']' | '}', _) => {
                let kept = out.trim_end();
                if let Some(without) = kept.strip_suffix(',') {
                    out.truncate(without.len());
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        let text = r#"{
            // a comment, "quoted"
            "a": "// no \" comment", /* one
            more */ "b": [1, 2, /* x */ ],
        }"#;
        let value: serde_json::Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"a": "// no \" comment", "b": [1, 2]})
        );
        for broken in ["\"", "\"\\", "/*", "/", "//", ",]", "é/"] {
            without_comments(broken);
        }
    }

    #[test]
    fn a_folder_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("b")).unwrap();
        std::fs::write(at("b/c"), "text").unwrap();
        std::fs::write(at("a"), b"\xff").unwrap();
        let tree = DirTree::new(dir.path());
        assert_eq!(tree.list(""), ["a", "b/"]);
        assert_eq!(tree.list("b"), ["c"]);
        assert_eq!(tree.list("none"), [""; 0]);
        assert_eq!(tree.read("b/c").as_deref(), Some("text"));
        assert_eq!(tree.read("a").as_deref(), Some("\u{fffd}"));
        assert_eq!(tree.read("b"), None);
        assert!(tree.exists("b") && tree.exists("b/c") && !tree.exists("c"));
    }
}
