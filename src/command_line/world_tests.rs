//! A repository that exists only in memory, and the rules of the table applied to it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Analysis, ShellContext, ShellEffect, analyze};
use crate::rules::shell_gate::{self, Branches, DenyReason};
use crate::rules::{Mode, Phase};

pub(super) const ROOT: &str = "/home/dev/proj";
const HOME: &str = "/home/dev";

const FILES: [&str; 34] = [
    "src/calc.py",
    "src/parser.py",
    "src/calc.rs",
    "src/lib.rs",
    "src/calc_test.rs",
    "tests/test_calc.py",
    "tests/test_parser.py",
    "tests/conftest.py",
    "docs/guide.md",
    "scripts/build.sh",
    "SPEC.md",
    "README.md",
    "CHANGELOG.md",
    ".tcr.toml",
    "opencode.json",
    ".claude/settings.json",
    ".opencode/plugin/tcr.js",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".githooks/pre-commit",
    "Makefile",
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    ".gitignore",
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/hooks/pre-commit",
    ".git/info/exclude",
    ".git/refs/heads/main",
    ".git/logs/HEAD",
];

/// Files and links by absolute path.
pub(super) struct World {
    files: BTreeSet<PathBuf>,
    links: BTreeMap<PathBuf, PathBuf>,
    aliases: BTreeMap<String, String>,
}

impl World {
    pub(super) fn new() -> Self {
        let root = Path::new(ROOT);
        let mut files: BTreeSet<PathBuf> = FILES.iter().map(|file| root.join(file)).collect();
        for file in [
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".cargo/bin/git-tcr",
        ] {
            files.insert(Path::new(HOME).join(file));
        }
        files.insert(PathBuf::from("/tmp/notes.txt"));
        World {
            files,
            links: BTreeMap::new(),
            aliases: BTreeMap::new(),
        }
    }

    pub(super) fn with_file(mut self, path: &str) -> Self {
        self.files.insert(Path::new(ROOT).join(path));
        self
    }

    pub(super) fn with_link(mut self, path: &str, target: &str) -> Self {
        self.links
            .insert(Path::new(ROOT).join(path), PathBuf::from(target));
        self
    }

    pub(super) fn with_alias(mut self, name: &str, value: &str) -> Self {
        self.aliases.insert(name.to_owned(), value.to_owned());
        self
    }

    fn is_dir(&self, path: &Path) -> bool {
        let is_parent = |file: &PathBuf| file.starts_with(path) && file != path;
        self.files.iter().any(is_parent) || path == Path::new("/tmp")
    }

    fn list(&self, path: &Path) -> Vec<OsString> {
        let everything = self.files.iter().chain(self.links.keys());
        let below = everything.filter_map(|file| file.strip_prefix(path).ok());
        let names: BTreeSet<OsString> = below
            .filter_map(|below| below.iter().next())
            .map(OsString::from)
            .collect();
        names.into_iter().collect()
    }

    pub(super) fn with_context<T>(&self, use_it: impl FnOnce(&ShellContext<'_>) -> T) -> T {
        use_it(&ShellContext {
            cwd: Path::new(ROOT),
            repo_root: Path::new(ROOT),
            home: Some(Path::new(HOME)),
            variables: &|name| (name == "PATH").then(|| "/usr/local/bin:/usr/bin:/bin".to_owned()),
            is_dir: &|path| self.is_dir(path),
            list: &|path| self.list(path),
            read: &|_| None,
            git_alias: &|name| self.aliases.get(name).cloned(),
            resolve_link: &|path| self.links.get(path).cloned(),
        })
    }

    pub(super) fn analyze(&self, command: &str) -> Analysis {
        let command = command.replace("@REPO@", ROOT);
        self.with_context(|context| analyze(&command, context))
    }

    /// Why the command is denied in this state, if it is.
    pub(super) fn denial(&self, command: &str, state: State) -> Option<String> {
        match self.analyze(command) {
            Analysis::Unparsed { why } => Some(format!("unparsed: {why}")),
            Analysis::Effects(effects) => effects.iter().find_map(|effect| state.denial(effect)),
        }
    }
}

/// The state a decision is made in.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Protected,
    Spec,
    Test,
    Source,
    Other,
}

impl State {
    pub(super) const GREEN: State = State {
        phase: Phase::Green,
        mode: Mode::Both,
    };

    fn denial(self, effect: &ShellEffect) -> Option<String> {
        let denied = match effect {
            ShellEffect::Write { path, .. } | ShellEffect::Delete { path, .. } => {
                self.denies_path(path)
            }
            ShellEffect::UnknownTarget { likely, .. } => {
                likely.as_ref().is_some_and(|path| self.denies_path(path))
            }
            ShellEffect::Attributes { path, .. } => {
                let class = class(path);
                class == Class::Protected || (class != Class::Source && self.denies_path(path))
            }
            ShellEffect::RewriteSome { folders, .. } => folders
                .iter()
                .all(|folder| self.denies_path(&folder.join("_"))),
            ShellEffect::MakeDirectory { path } => class(path) == Class::Protected,
            ShellEffect::Git(action) => {
                let branches = Branches {
                    current: Some("tcr/main"),
                    wip: "tcr/main",
                    base: "main",
                };
                self.holds(shell_gate::judge_git(action, &branches))
            }
            ShellEffect::Tcr(command) => self.holds(shell_gate::judge_tcr(command)),
            ShellEffect::Evasion(evasion) => self.holds(Some(shell_gate::judge_evasion(evasion))),
        };
        denied.then(|| format!("{effect:?}"))
    }

    fn holds(self, reason: Option<DenyReason>) -> bool {
        reason.is_some_and(|reason| self.mode != Mode::Off || reason.holds_when_off())
    }

    /// The table of phase and class, with the oracle frozen in green and refactor.
    pub(super) fn denies_path(self, path: &Path) -> bool {
        let frozen = matches!(self.phase, Phase::Green | Phase::Refactor);
        match (class(path), self.mode, self.phase) {
            (Class::Protected, _, _) => true,
            (_, Mode::Off, _) | (Class::Other, _, _) => false,
            (Class::Spec | Class::Test, Mode::Tcr, _) => frozen,
            (Class::Source, Mode::Tcr, _) => false,
            (Class::Spec, _, phase) => !matches!(phase, Phase::Plan | Phase::Done),
            (Class::Test, _, phase) => frozen || phase == Phase::Plan,
            (Class::Source, _, phase) => matches!(phase, Phase::Plan | Phase::Red),
        }
    }
}

fn class(path: &Path) -> Class {
    let folded = PathBuf::from(path.to_string_lossy().to_lowercase());
    if folded.file_name().is_some_and(|name| name == "git-tcr") {
        return Class::Protected;
    }
    let Ok(below) = folded.strip_prefix(ROOT) else {
        let user = [
            ".claude",
            ".codex",
            ".gemini",
            ".cursor",
            ".config/opencode",
            ".config/git-tcr",
        ];
        let guarded = user
            .iter()
            .any(|name| folded.starts_with(Path::new(HOME).join(name)));
        return if guarded {
            Class::Protected
        } else {
            Class::Other
        };
    };
    let first = below
        .iter()
        .next()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    let name = below
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    let is_cache = below.iter().any(|part| part == "__pycache__");
    match first {
        ".git" | ".claude" | ".opencode" | ".codex" | ".gemini" | ".cursor" | ".githooks"
        | ".tcr.toml" | "opencode.json" => Class::Protected,
        _ if is_cache => Class::Other,
        "spec.md" => Class::Spec,
        "tests" => Class::Test,
        _ if below == Path::new(".cargo/config.toml") => Class::Test,
        _ if matches!(
            name,
            "conftest.py" | "pytest.ini" | "tox.ini" | "sitecustomize.py" | "usercustomize.py"
        ) =>
        {
            Class::Test
        }
        "src" if name.ends_with("_test.rs") => Class::Test,
        "src" => Class::Source,
        _ => Class::Other,
    }
}
