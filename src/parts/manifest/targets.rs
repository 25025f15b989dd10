//! Targets with recipes, as makefiles and justfiles have them: the test targets, what they depend
//! on and the variables they use steer the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::entry::{Key, Part};
use super::pieces::{self, Piece};

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Rule {
        targets: Vec<String>,
        needs: Vec<String>,
    },
    Variable {
        name: String,
    },
    /// Reaches every recipe: `include`, `export`, `set shell`.
    Global,
    Other,
}

/// Some lines that belong together.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// Without layout and comments.
    pub(super) value: String,
    pub(super) span: Range<usize>,
    /// The conditions it stands under.
    pub(super) conditions: Vec<String>,
    /// Conditions stand between its recipe lines.
    pub(super) is_torn: bool,
}

/// What a block names beside what it depends on.
pub(super) struct Mentioned {
    pub(super) targets: BTreeSet<String>,
    pub(super) variables: BTreeSet<String>,
}

/// What the two formats differ in.
pub(super) struct Recipes {
    pub(super) mentioned: fn(&Block) -> Mentioned,
    /// Whether a target or a variable of this name reaches everything.
    pub(super) is_global: fn(&str) -> bool,
}

/// The blocks as pieces, each with its part.
pub(super) fn pieces_of(blocks: Vec<Block>, recipes: &Recipes) -> Vec<Piece> {
    let steering = steering_of(&blocks, recipes);
    let mut found: Vec<Piece> = blocks
        .into_iter()
        .enumerate()
        .map(|(at, block)| Piece {
            part: match steering.contains(&at) {
                true => Part::Steering,
                false => Part::About,
            },
            key: key_of(&block),
            is_bound: !block.conditions.is_empty(),
            value: block.value,
            span: block.span,
            alone: None,
        })
        .collect();
    pieces::number(&mut found);
    found
}

fn key_of(block: &Block) -> Key {
    let mut key = match &block.kind {
        Kind::Rule { targets, .. } => vec!["target".to_owned(), targets.join(" ")],
        Kind::Variable { name } => vec!["variable".to_owned(), name.clone()],
        Kind::Global | Kind::Other => vec!["line".to_owned(), block.value.clone()],
    };
    key.extend(block.conditions.iter().cloned());
    key
}

fn is_test_target(name: &str) -> bool {
    if name.contains('%') {
        return builds(name, "test") || builds(name, "check");
    }
    const STARTS: &[&str] = &[
        "test",
        "check",
        "unittest",
        "unit-test",
        "unit_test",
        "spec",
    ];
    STARTS.iter().any(|start| {
        let rest = name.strip_prefix(start);
        rest.is_some_and(|rest| {
            rest.is_empty() || rest == "s" || rest.starts_with(['-', '_', ':', '.', '/'])
        })
    })
}

const MOST_PATTERNS: usize = 500;

/// The blocks that the test targets reach.
fn steering_of(blocks: &[Block], recipes: &Recipes) -> BTreeSet<usize> {
    let mut index = Index::of(blocks);
    let begins = |block: &Block| match &block.kind {
        Kind::Rule { targets, .. } => targets
            .iter()
            .any(|target| is_test_target(target) || (recipes.is_global)(target)),
        Kind::Variable { name } => (recipes.is_global)(name),
        Kind::Global => true,
        Kind::Other => false,
    };
    let mut open: Vec<usize> = (0..blocks.len())
        .filter(|at| blocks.get(*at).is_some_and(begins))
        .collect();
    // Too many to try each of them on each name: then all of them count.
    if index.patterns.len() > MOST_PATTERNS {
        open.extend(index.patterns.drain(..).map(|(_, at)| at));
    }
    let mut reached: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(block) = open.pop().and_then(|at| blocks.get(at)) {
        let mut mentioned = (recipes.mentioned)(block);
        match &block.kind {
            Kind::Rule { needs, .. } => mentioned.targets.extend(needs.iter().cloned()),
            // A list of targets, for whoever depends on the variable.
            Kind::Variable { .. } => {
                let words = block.value.split_whitespace().map(str::to_owned);
                mentioned.targets.extend(words);
            }
            Kind::Global | Kind::Other => {}
        }
        for at in index.named_by(&mentioned) {
            if reached.insert(at) {
                open.push(at);
            }
        }
    }
    reached
}

/// Where targets and variables are.
struct Index<'a> {
    targets: BTreeMap<&'a str, Vec<usize>>,
    /// Targets with `%`.
    patterns: Vec<(&'a str, usize)>,
    variables: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn of(blocks: &'a [Block]) -> Index<'a> {
        let mut index = Index {
            targets: BTreeMap::new(),
            patterns: Vec::new(),
            variables: BTreeMap::new(),
        };
        for (at, block) in blocks.iter().enumerate() {
            match &block.kind {
                Kind::Rule { targets, .. } => {
                    for target in targets.iter().filter(|target| *target != ".PHONY") {
                        match target.contains('%') {
                            true => index.patterns.push((target, at)),
                            false => index.targets.entry(target).or_default().push(at),
                        }
                    }
                }
                Kind::Variable { name } => index.variables.entry(name).or_default().push(at),
                Kind::Global | Kind::Other => {}
            }
        }
        index
    }

    fn named_by(&self, mentioned: &Mentioned) -> Vec<usize> {
        let mut found = Vec::new();
        for name in &mentioned.targets {
            found.extend(self.targets.get(name.as_str()).into_iter().flatten());
            let patterns = self.patterns.iter();
            let named = patterns.filter(|(pattern, _)| builds(pattern, name));
            found.extend(named.map(|(_, at)| at));
        }
        for name in &mentioned.variables {
            found.extend(self.variables.get(name.as_str()).into_iter().flatten());
        }
        found
    }
}

/// Whether a pattern makes what is named.
fn builds(target: &str, name: &str) -> bool {
    match target.split_once('%') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => target == name,
    }
}
