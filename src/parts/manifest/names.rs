//! Which files are manifests and lock files, by name.

use super::entry::Format;
use super::{
    composer, deno, gemfile, go_mod, gradle, ini, justfile, makefile, marked_lines, package_json,
    properties, toml_manifest, xml,
};

fn base_name(path: &[u8]) -> String {
    let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    String::from_utf8_lossy(base).to_ascii_lowercase()
}

pub(super) fn format_of(path: &[u8]) -> Option<&'static Format> {
    let name = base_name(path);
    let format = match name.as_str() {
        "package.json" => &package_json::FORMAT,
        "composer.json" => &composer::FORMAT,
        "deno.json" | "deno.jsonc" => &deno::FORMAT,
        "cargo.toml" => &toml_manifest::CARGO_TOML,
        "pyproject.toml" => &toml_manifest::PYPROJECT,
        "pipfile" => &toml_manifest::PIPENV,
        "setup.cfg" => &ini::SETUP_CFG,
        "pom.xml" => &xml::POM,
        "go.mod" | "go.work" => &go_mod::GO_MOD,
        "gemfile" | "gems.rb" => &gemfile::GEMFILE,
        "gradle.properties" => &properties::GRADLE_PROPERTIES,
        "makefile" | "gnumakefile" => &makefile::MAKEFILE,
        "justfile" | ".justfile" => &justfile::JUSTFILE,
        "rakefile" | "rakefile.rb" => &marked_lines::RAKEFILE,
        "cmakelists.txt" => &marked_lines::CMAKE_LISTS,
        "mix.exs" => &marked_lines::MIX,
        "build.sbt" => &marked_lines::SBT,
        "package.swift" => &marked_lines::PACKAGE_SWIFT,
        "setup.py" => &marked_lines::SETUP_PY,
        ".npmrc" => &properties::NPMRC,
        _ if name.ends_with(".versions.toml") => &toml_manifest::VERSION_CATALOGUE,
        _ if name.ends_with(".gradle") || name.ends_with(".gradle.kts") => &gradle::GRADLE,
        _ if name.ends_with(".gemspec") => &gemfile::GEMSPEC,
        _ if name.ends_with(".just") => &justfile::JUSTFILE,
        _ if name.ends_with(".mk") => &makefile::MAKEFILE,
        _ => return None,
    };
    Some(format)
}

const LOCK_FILES: &[&str] = &[
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "composer.lock",
    "conda-lock.yml",
    "deno.lock",
    "flake.lock",
    "gemfile.lock",
    "gems.locked",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "buildscript-gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.resolved",
    "packages.lock.json",
    "pdm.lock",
    "pipfile.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "pylock.toml",
    "stack.yaml.lock",
    "uv.lock",
    "verification-metadata.xml",
    "yarn.lock",
];

/// Whether a file of this name holds the exact versions of dependencies.
pub fn is_lock_file(path: &[u8]) -> bool {
    LOCK_FILES.contains(&base_name(path).as_str())
}

/// Whether a file of this name is nothing but a list of dependencies, such as `requirements.txt`.
pub fn is_dependency_list(path: &[u8]) -> bool {
    let name = base_name(path);
    let in_folder = path
        .split(|byte| *byte == b'/')
        .rev()
        .nth(1)
        .is_some_and(|folder| folder.eq_ignore_ascii_case(b"requirements"));
    let is_list = name.ends_with(".txt") || name.ends_with(".in");
    is_list && (name.starts_with("requirements") || name.starts_with("constraints") || in_folder)
        || [
            "environment.yml",
            "environment.yaml",
            "cpanfile",
            "gopkg.toml",
        ]
        .contains(&name.as_str())
}

/// Whether a file is only used by those who call its program: a new one changes no test command.
pub(super) fn is_only_called_by_name(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    name == b"justfile" || name == b".justfile" || name.ends_with(b".just")
}
