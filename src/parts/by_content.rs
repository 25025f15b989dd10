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
    let is_script = names_no_format(base) && (has_shebang(head) || is_go(head));
    let is_program = is_script_config(path, base) && exports_functions(head);
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

/// Programs that a first line may name.
const INTERPRETERS: &[&str] = &[
    "awk",
    "bash",
    "bun",
    "crystal",
    "dart",
    "dash",
    "deno",
    "elixir",
    "escript",
    "expect",
    "fish",
    "gawk",
    "gjs",
    "go",
    "groovy",
    "guile",
    "java",
    "jruby",
    "julia",
    "kotlin",
    "ksh",
    "lua",
    "luajit",
    "nim",
    "node",
    "nodejs",
    "nu",
    "ocaml",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "pypy",
    "python",
    "racket",
    "raku",
    "rdmd",
    "rscript",
    "ruby",
    "runghc",
    "runhaskell",
    "rust-script",
    "sbcl",
    "scala",
    "scala-cli",
    "sh",
    "swift",
    "tclsh",
    "ts-node",
    "tsx",
    "uv",
    "wish",
    "zsh",
];

fn has_shebang(head: &[u8]) -> bool {
    let Some(rest) = head.strip_prefix(b"#!") else {
        return false;
    };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    line.split_whitespace().any(|word| {
        let program = word.rsplit('/').next().unwrap_or_default();
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        INTERPRETERS.contains(&program)
    })
}

/// A package clause, with a function somewhere below it.
fn is_go(head: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(head) else {
        return false;
    };
    let code = |line: &&str| !line.trim().is_empty() && !line.starts_with("//");
    let mut lines = text.lines().filter(code);
    let is_clause = |line: &str| {
        let name = line.strip_prefix("package ").map(str::trim);
        name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    };
    lines.next().is_some_and(is_clause) && lines.any(|line| line.starts_with("func "))
}

/// `prices.config.js`: a tool's settings by its name.
fn is_script_config(path: &[u8], base: &[u8]) -> bool {
    Language::of_path(path) == Some(Language::JavaScript)
        && base
            .windows(8)
            .any(|part| part.eq_ignore_ascii_case(b".config."))
}

/// Functions that others can load by name: settings are one value, exported as such.
fn exports_functions(head: &[u8]) -> bool {
    const STARTS: &[&str] = &["export function", "export async function", "export class"];
    let text = String::from_utf8_lossy(head);
    text.lines().any(|line| {
        STARTS.iter().any(|start| line.starts_with(start)) || exports_a_function_value(line)
    })
}

/// `export const f = (x) => …`, `exports.f = function …`.
fn exports_a_function_value(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "export const ",
        "export let ",
        "exports.",
        "module.exports.",
    ];
    let rest = STARTS.iter().find_map(|start| line.strip_prefix(start));
    rest.and_then(|rest| rest.split_once('='))
        .map(|(_, value)| value.trim_start())
        .is_some_and(|value| {
            value.starts_with("function") || value.starts_with("async ") || value.contains("=>")
        })
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
