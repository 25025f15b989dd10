//! Justfiles.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Unreadable;
use super::entry::{Change, Format, Key};
use super::pieces::{self, Piece};
use super::targets::{self, Block, Kind, Mentioned, Recipes};

pub(super) const JUSTFILE: Format = Format {
    read: |text| Ok(pieces::entries(&read(text)?)),
    take,
    effect: |change: &Change<'_>| change.part,
};

const RECIPES: Recipes = Recipes {
    mentioned,
    is_global: |_| false,
};

fn read(text: &str) -> Result<Vec<Piece>, Unreadable> {
    Ok(targets::pieces_of(blocks_of(text)?, &RECIPES))
}

fn take(base: &str, from: &str, keys: &[Key]) -> Option<String> {
    let (ours, theirs) = (read(base).ok()?, read(from).ok()?);
    pieces::take((base, &ours), (from, &theirs), keys)
}

fn blocks_of(text: &str) -> Result<Vec<Block>, Unreadable> {
    let mut found: Vec<Block> = Vec::new();
    // Attributes belong to the recipe that follows them.
    let mut attributes: Option<(usize, String)> = None;
    for (span, line) in pieces::lines(text) {
        let code = line.trim();
        if code.is_empty() {
            continue;
        }
        if line.starts_with([' ', '\t']) {
            let Some(recipe) = found.last_mut() else {
                return Err(Unreadable::at(
                    text,
                    span.start,
                    "a recipe line without a recipe",
                ));
            };
            recipe.value.push('\n');
            recipe.value.push_str(code);
            recipe.span.end = span.end;
        } else if code.starts_with('#') {
            continue;
        } else if code.starts_with('[') {
            let (start, mut words) = attributes.take().unwrap_or((span.start, String::new()));
            words.push_str(code);
            attributes = Some((start, words));
        } else {
            let mut block = block_of(code, span);
            if let Some((start, words)) = attributes.take() {
                block.span.start = start;
                block.value.insert_str(0, &words);
            }
            found.push(block);
        }
    }
    Ok(found)
}

fn block_of(code: &str, span: Range<usize>) -> Block {
    Block {
        kind: kind_of(code),
        value: code.split_whitespace().collect::<Vec<_>>().join(" "),
        span,
        conditions: Vec::new(),
        is_torn: false,
    }
}

fn kind_of(code: &str) -> Kind {
    let word = code.split_whitespace().next().unwrap_or_default();
    let assigned = code.split_once(":=");
    match (word, assigned) {
        ("set" | "import" | "import?" | "mod" | "mod?" | "export" | "unexport", _) => Kind::Global,
        ("alias", Some((left, right))) => Kind::Rule {
            targets: left.split_whitespace().skip(1).map(str::to_owned).collect(),
            needs: vec![right.trim().to_owned()],
        },
        (_, Some((name, _))) if !name.contains(':') => Kind::Variable {
            name: name.trim().to_owned(),
        },
        (_, _) => match code.split_once(':') {
            Some((head, needs)) => Kind::Rule {
                targets: vec![name_of(head)],
                needs: words_of(needs),
            },
            None => Kind::Other,
        },
    }
}

/// `@name param="x"` without the parameters.
fn name_of(head: &str) -> String {
    let word = head.split_whitespace().next().unwrap_or_default();
    word.trim_start_matches('@').to_owned()
}

/// Names, in brackets or not.
fn words_of(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.split(|c: char| !is_name(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// `just other` in a recipe, and `{{ variable }}` anywhere.
fn mentioned(block: &Block) -> Mentioned {
    let mut targets = BTreeSet::new();
    for line in block.value.lines() {
        let mut words = line.split_whitespace();
        if words.any(|word| {
            word.trim_start_matches(['@', '-']) == "just" || word == "{{just_executable()}}"
        }) {
            targets.extend(words.map(str::to_owned));
        }
    }
    let inner = block.value.split("{{").skip(1);
    let inner = inner.filter_map(|rest| rest.split("}}").next());
    let variables = match block.kind {
        Kind::Variable { .. } => words_of(&block.value).into_iter().collect(),
        Kind::Rule { .. } | Kind::Global | Kind::Other => inner.flat_map(words_of).collect(),
    };
    Mentioned { targets, variables }
}
