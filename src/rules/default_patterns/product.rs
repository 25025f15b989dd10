//! Source, manifests and docs, by name.

use super::{Name, among, contains, starts_with_any};
use crate::languages::Language;

/// Build descriptions written in a programming language: as editable as any manifest.
const MANIFESTS: &[&str] = &[
    "build.sc",
    "build.zig",
    "conanfile.py",
    "extconf.rb",
    "mix.exs",
    "package.swift",
    "premake5.lua",
    "project.clj",
    "rakefile.rb",
    "setup.py",
    "xmake.lua",
    "gruntfile.js",
    "gulpfile.js",
    "gulpfile.ts",
];

/// What tools leave beside the files they work on: neither written by hand nor read by people.
const CACHES: &[&str] = &[
    "__pycache__",
    ".hypothesis",
    ".mypy_cache",
    ".nox",
    ".nyc_output",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".venv",
    "node_modules",
];

/// A file that a tool keeps for itself, also below a folder of tests.
pub(in crate::rules) fn is_cache(name: &Name) -> bool {
    name.components.iter().any(|part| among(part, CACHES))
}

/// A programming-language file that builds into the product.
pub(in crate::rules) fn is_source(name: &Name) -> bool {
    let base = name.base();
    let builds = among(base, MANIFESTS) || base.ends_with(b".gradle.kts");
    name.language().is_some() && !builds && !configures_a_tool(name)
}

/// `eslint.config.js`. Tools look for their settings at the root of a package; what lies in a
/// folder of source is part of the product, whatever it is called.
fn configures_a_tool(name: &Name) -> bool {
    const OF_SOURCE: &[&str] = &["app", "lib", "source", "src"];
    name.language().is_some_and(Language::holds_settings)
        && contains(name.base(), b".config.")
        && !name.folders().iter().any(|part| among(part, OF_SOURCE))
}

const DOC_EXTENSIONS: &[&str] = &[
    // prose
    "adoc",
    "asciidoc",
    "creole",
    "doc",
    "docx",
    "epub",
    "markdown",
    "md",
    "mdc",
    "mdown",
    "mdx",
    "mkd",
    "odt",
    "org",
    "pdf",
    "pptx",
    "qmd",
    "rdoc",
    "rmd",
    "rst",
    "rtf",
    "tex",
    "texi",
    "textile",
    "wiki",
    // pictures
    "avif",
    "bmp",
    "drawio",
    "excalidraw",
    "gif",
    "ico",
    "jpeg",
    "jpg",
    "mermaid",
    "mmd",
    "png",
    "psd",
    "puml",
    "svg",
    "tif",
    "tiff",
    "webp",
];

/// Prose by name, bare or as `.txt`.
const DOC_NAMES: &[&str] = &[
    "authors",
    "changelog",
    "changes",
    "code_of_conduct",
    "contributing",
    "contributors",
    "copying",
    "copyright",
    "credits",
    "governance",
    "history",
    "install",
    "licence",
    "license",
    "maintainers",
    "news",
    "notice",
    "patents",
    "readme",
    "roadmap",
    "security",
    "support",
    "thanks",
    "todo",
    "unlicense",
    "upgrading",
];

/// Names with a variant behind them: `LICENSE-MIT`, `README.de`.
const DOC_NAME_STARTS: &[&str] = &[
    "changelog-",
    "changelog.",
    "copying-",
    "copying.",
    "licence-",
    "licence.",
    "licence_",
    "license-",
    "license.",
    "license_",
    "notice-",
    "notice.",
    "readme-",
    "readme.",
    "readme_",
];

/// Structured data keeps being data, whatever its stem (`license.json`).
const NOT_PROSE: &[&str] = &[
    "json", "yaml", "yml", "toml", "xml", "ini", "csv", "html", "lock",
];

/// Prose, pictures, licences.
pub(in crate::rules) fn is_docs(name: &Name) -> bool {
    let extension = name.extension();
    let plain = extension.is_empty() || extension == b"txt";
    let in_docs_folder = name
        .folders()
        .iter()
        .any(|part| among(part, &["doc", "docs", "documentation"]));
    among(extension, DOC_EXTENSIONS)
        || (plain && among(name.stem(), DOC_NAMES))
        || (extension == b"txt" && in_docs_folder)
        || (starts_with_any(name.base(), DOC_NAME_STARTS)
            && name.language().is_none()
            && !among(extension, NOT_PROSE))
}
