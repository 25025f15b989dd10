//! Makefiles: the test targets, what they depend on and the variables they use steer the tests.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Unreadable;
use super::entry::{Change, Format, Key};
use super::pieces::{self, Piece};
use super::targets::{self, Block, Kind, Mentioned, Recipes};

pub(super) const MAKEFILE: Format = Format {
    read: |text| Ok(pieces::entries(&read(text)?)),
    take,
    effect: |change: &Change<'_>| change.part,
};

fn read(text: &str) -> Result<Vec<Piece>, Unreadable> {
    Ok(targets::pieces_of(blocks_of(text)?, &RECIPES))
}

const RECIPES: Recipes = Recipes {
    mentioned,
    is_global: |name| GLOBAL_TARGETS.contains(&name) || GLOBAL_VARIABLES.contains(&name),
};

fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let is_torn = |text: &str| blocks_of(text).is_ok_and(|b| b.iter().any(|block| block.is_torn));
    if is_torn(base) || is_torn(from) {
        return None;
    }
    let (ours, theirs) = (read(base).ok()?, read(from).ok()?);
    pieces::take((base, &ours), (from, &theirs), keys)
}

/// Lines joined where a backslash ends them, each with its place.
fn logical_lines(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut goes_on = false;
    for (span, line) in pieces::lines(text) {
        match found.last_mut() {
            Some((whole, joined)) if goes_on => {
                whole.end = span.end;
                joined.pop();
                joined.push(' ');
                joined.push_str(line.trim_start());
            }
            Some(_) | None => found.push((span, line.to_owned())),
        }
        goes_on = line.ends_with('\\');
    }
    found
}

fn blocks_of(text: &str) -> Result<Vec<Block>, Unreadable> {
    let mut found: Vec<Block> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    // Whether a line with a tab belongs to the rule before it, and whether a definition is open.
    let (mut in_rule, mut in_definition) = (false, false);
    for (span, line) in logical_lines(text) {
        let word = line.split_whitespace().next().unwrap_or_default();
        if in_definition || (in_rule && line.starts_with('\t')) {
            in_definition = in_definition && word != "endef";
            if let Some(last) = found.last_mut() {
                last.value.push('\n');
                if last.conditions != conditions {
                    last.is_torn = true;
                    last.value.push_str(&format!("{conditions:?} "));
                }
                last.value.push_str(line.trim());
                last.span.end = span.end;
            }
            continue;
        }
        let code = without_comment(&line).trim();
        if code.is_empty() {
            continue;
        }
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => conditions.push(code.to_owned()),
            "else" => match conditions.last_mut() {
                Some(last) => *last = format!("{last} {code}"),
                None => return Err(Unreadable::at(text, span.start, "`else` without `if`")),
            },
            "endif" => {
                if conditions.pop().is_none() {
                    return Err(Unreadable::at(text, span.start, "`endif` without `if`"));
                }
            }
            _ => {
                let block = block_of(code, span, &conditions);
                in_rule = matches!(block.kind, Kind::Rule { .. } | Kind::Global);
                in_definition = word == "define";
                found.push(block);
            }
        }
    }
    if in_definition || !conditions.is_empty() {
        return Err(Unreadable::at(text, text.len(), "a block is not closed"));
    }
    Ok(found)
}

/// Without what follows `#`, unless a backslash takes its meaning away.
fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| !line.get(..*at).unwrap_or_default().ends_with('\\');
    let at = line.match_indices('#').map(|(at, _)| at).find(is_comment);
    at.map_or(line, |at| line.get(..at).unwrap_or_default())
}

fn block_of(code: &str, span: Range<usize>, conditions: &[String]) -> Block {
    let word = code.split_whitespace().next().unwrap_or_default();
    let kind = match word {
        "include" | "-include" | "sinclude" | "vpath" | "export" | "unexport" | "load" => {
            Kind::Global
        }
        "define" => Kind::Variable {
            name: code
                .split_whitespace()
                .nth(1)
                .unwrap_or_default()
                .to_owned(),
        },
        _ => variable_or_rule(code),
    };
    Block {
        kind,
        value: code.split_whitespace().collect::<Vec<_>>().join(" "),
        span,
        conditions: conditions.to_vec(),
        is_torn: false,
    }
}

fn variable_or_rule(code: &str) -> Kind {
    let equals = code.find('=');
    let colon = code.find(':');
    let assigns = |colon: usize, equals: usize| {
        let between = code.get(colon..equals).unwrap_or_default();
        between.chars().all(|c| c == ':')
    };
    match (colon, equals) {
        (Some(colon), Some(equals)) if colon < equals && !assigns(colon, equals) => {
            rule(code, colon)
        }
        (Some(colon), None) => rule(code, colon),
        (_, Some(equals)) => {
            let name = code.get(..equals).unwrap_or_default();
            let name = name.trim_end_matches([':', '+', '?', '!']).trim();
            let name = name.split_whitespace().next_back().unwrap_or_default();
            Kind::Variable {
                name: name.to_owned(),
            }
        }
        // What it makes is not known: rules, perhaps.
        (None, None) if code.starts_with('$') => Kind::Global,
        (None, None) => Kind::Other,
    }
}

fn rule(code: &str, colon: usize) -> Kind {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let (targets, rest) = code.split_at_checked(colon).unwrap_or((code, ""));
    // A target that is called by a variable may be any target.
    if targets.contains('$') {
        return Kind::Global;
    }
    let rest = rest.trim_start_matches(':');
    let needs = rest.split(';').next().unwrap_or_default();
    Kind::Rule {
        targets: words(targets),
        needs: words(needs),
    }
}

/// Targets whose rules reach everything, and variables that do.
const GLOBAL_TARGETS: &[&str] = &[
    ".IGNORE",
    ".ONESHELL",
    ".DEFAULT",
    ".EXPORT_ALL_VARIABLES",
    ".POSIX",
];
const GLOBAL_VARIABLES: &[&str] = &[
    "SHELL",
    ".SHELLFLAGS",
    "MAKEFLAGS",
    ".DEFAULT_GOAL",
    "VPATH",
    ".RECIPEPREFIX",
];

fn mentioned(block: &Block) -> Mentioned {
    Mentioned {
        targets: block.value.lines().flat_map(made_by).collect(),
        variables: variables_in(&block.value),
    }
}

/// What a recipe asks another make for.
fn made_by(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_make = |word: &&str| {
        let word = word.trim_start_matches(['@', '-', '+']);
        ["$(MAKE)", "${MAKE}", "make", "gmake"].contains(&word)
    };
    match words.iter().position(is_make) {
        Some(at) => words
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .map(|word| (*word).to_owned())
            .collect(),
        None => Vec::new(),
    }
}

fn variables_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('$') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let inner = rest.strip_prefix(['(', '{']);
        let name: String = inner
            .unwrap_or(rest)
            .chars()
            .take_while(|c| c.is_alphanumeric() || "_-.".contains(*c))
            .take(if inner.is_some() { usize::MAX } else { 1 })
            .collect();
        found.insert(name);
    }
    // `$(call name,…)` and `$(foreach x,$(LIST),…)` name more in their arguments.
    for call in text.split("$(call ").skip(1) {
        let name = call.split([',', ')']).next().unwrap_or_default();
        found.insert(name.trim().to_owned());
    }
    found
}
