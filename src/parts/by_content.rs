//! The class of a file by its content, where the name does not tell.

use crate::languages::Language;
use crate::rules::path_class::PathClass;

/// How much of a file is looked at.
const LOOKED_AT: usize = 64 * 1024;

/// What the content of a file says of its class, where the name says `other` or next to nothing:
/// `None` leaves it to the name.
///
/// Asked for files that the name makes `other`, or `docs` for want of an ending.
pub fn class_by_content(path: &[u8], content: &[u8]) -> Option<PathClass> {
    let head = content.get(..LOOKED_AT).unwrap_or(content);
    let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let text = String::from_utf8_lossy(head);
    let is_script = names_no_format(base) && Language::of_text(&text).is_some();
    let is_program = Language::of_path(path).is_some_and(|language| {
        is_program_of_settings(language, base) && language.exports_functions(&text)
    });
    (is_script || is_program).then_some(PathClass::Source)
}

/// Endings of files that are never programs, whatever they begin with.
const DATA: &[&str] = &[
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "toml",
    "xml",
    "html",
    "htm",
    "css",
    "scss",
    "sass",
    "less",
    "sql",
    "csv",
    "tsv",
    "ini",
    "cfg",
    "conf",
    "properties",
    "lock",
    "md",
    "rst",
    "adoc",
    "svg",
    "png",
    "proto",
    "graphql",
    "j2",
    "tmpl",
    "tpl",
    "hbs",
    "ejs",
    "mustache",
    "erb",
    "diff",
    "patch",
    "log",
];

/// No ending, or one that says nothing.
fn names_no_format(base: &[u8]) -> bool {
    let dot = base
        .iter()
        .rposition(|byte| *byte == b'.')
        .filter(|at| *at > 0);
    let Some(extension) = dot.and_then(|at| base.get(at + 1..)) else {
        return true;
    };
    let extension = extension.to_ascii_lowercase();
    !DATA.iter().any(|known| known.as_bytes() == extension)
}

/// `prices.config.js`: a tool's settings by its name.
fn is_program_of_settings(language: Language, base: &[u8]) -> bool {
    let mut parts = base.windows(8);
    language.holds_settings() && parts.any(|part| part.eq_ignore_ascii_case(b".config."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_by_their_first_line() {
        let table: &[(&str, &str, bool)] = &[
            ("bin/run", "#!/bin/sh\necho\n", true),
            ("bin/run", "#!/usr/bin/env python3.11\nprint()\n", true),
            ("tool", "#!/usr/bin/env -S node --no-warnings\n", true),
            ("tool", "#!/usr/bin/env -S uv run --script\n", true),
            ("tool.cgi", "#!/usr/bin/perl -w\n", true),
            ("bin/run", "#!/usr/bin/cat\n", false),
            ("bin/run", "# just notes\n", false),
            ("data.json", "#!/bin/sh\n", false),
            ("notes.md", "#!/bin/sh\n", false),
            ("empty", "", false),
            ("x", "#!", false),
            ("gen/main", "package main\n\nfunc main() {}\n", true),
            (
                "gen/main.txt",
                "// Code\n\npackage main\n\nfunc main() {}\n",
                true,
            ),
            ("notes", "package deals for the summer\nfunc \n", false),
            ("a.proto", "package shop;\nfunc x\n", false),
            ("a", "package main\n", false),
        ];
        for (path, content, is_source) in table {
            let class = class_by_content(path.as_bytes(), content.as_bytes());
            assert_eq!(class.is_some(), *is_source, "{path}: {content}");
        }
        assert_eq!(class_by_content(b"a", b"\xff\xfe\x00"), None);
    }

    #[test]
    fn settings_that_hold_functions_are_source() {
        let table: &[(&str, &str, bool)] = &[
            (
                "prices.config.js",
                "export function discount(c) {\n}\n",
                true,
            ),
            ("a.config.ts", "export const total = (x) => x + 1;\n", true),
            ("a.config.cjs", "exports.total = function (x) {};\n", true),
            ("a.config.cjs", "module.exports.total = (x) => x;\n", true),
            (
                "eslint.config.mjs",
                "export default [{ rules: {} }];\n",
                false,
            ),
            (
                "site.config.ts",
                "export const site = { name: 'x' };\n",
                false,
            ),
            (
                "next.config.js",
                "module.exports = { webpack: (c) => c };\n",
                false,
            ),
            ("a.json", "export function x() {}\n", false),
        ];
        for (path, content, is_source) in table {
            let class = class_by_content(path.as_bytes(), content.as_bytes());
            assert_eq!(class.is_some(), *is_source, "{path}: {content}");
        }
    }
}
