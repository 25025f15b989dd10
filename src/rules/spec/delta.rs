//! What a new spec changes in the one it takes the place of: `## ADDED`, `## MODIFIED` with BEFORE
//! and AFTER, `## REMOVED Requirements`.

use super::scenarios::{heading, slug, visible_lines, without_keyword};
use super::{Spec, lines_ended_by_newline};

/// A delta, read.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Delta {
    /// Titles of requirements that are new.
    pub added: Vec<String>,
    /// Titles of requirements that change.
    pub modified: Vec<String>,
    /// Titles of requirements that go.
    pub removed: Vec<String>,
}

/// What is wrong with a delta.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDelta {
    /// It says nothing.
    #[error("it has no requirement under `## ADDED`, `## MODIFIED` or `## REMOVED Requirements`")]
    Empty,
    /// A modified requirement has to show both sides.
    #[error("modified requirement `{0}` has no BEFORE and AFTER")]
    OneSided(String),
    /// It does not fit the specs.
    #[error("requirement `{title}` is said to be {is}, but {fact}")]
    Mismatch {
        /// The requirement.
        title: String,
        /// What the delta says.
        is: &'static str,
        /// What the specs say.
        fact: &'static str,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Added,
    Modified,
    Removed,
}

/// Reads a delta and holds it against the old and the new spec.
pub fn read_delta(text: &str, old: &Spec, new: &Spec) -> Result<Delta, BadDelta> {
    let delta = parse(&lines_ended_by_newline(text))?;
    let has = |spec: &Spec, title: &str| {
        let wanted = slug(title);
        spec.requirements.iter().any(|own| slug(own) == wanted)
    };
    let mismatch = |title: &String, is, fact| {
        Err(BadDelta::Mismatch {
            title: title.clone(),
            is,
            fact,
        })
    };
    for title in delta.added.iter().chain(&delta.modified) {
        if !has(new, title) {
            return mismatch(title, "added or modified", "the new spec does not have it");
        }
    }
    for title in delta.modified.iter().chain(&delta.removed) {
        if !has(old, title) {
            return mismatch(
                title,
                "modified or removed",
                "the old spec does not have it",
            );
        }
    }
    for title in &delta.added {
        if has(old, title) {
            return mismatch(title, "added", "the old spec has it");
        }
    }
    for title in &delta.removed {
        if has(new, title) {
            return mismatch(title, "removed", "the new spec still has it");
        }
    }
    Ok(delta)
}

fn parse(text: &str) -> Result<Delta, BadDelta> {
    let mut delta = Delta::default();
    let mut section = None;
    let mut sides: Vec<(String, bool, bool)> = Vec::new();
    for (_, line) in visible_lines(text) {
        match heading(line) {
            Some((1 | 2, title)) => section = section_of(title),
            Some((3, title)) => {
                let title = without_keyword(title, "Requirement")
                    .unwrap_or(title)
                    .to_owned();
                match section {
                    Some(Section::Added) => delta.added.push(title),
                    Some(Section::Removed) => delta.removed.push(title),
                    Some(Section::Modified) => {
                        delta.modified.push(title.clone());
                        sides.push((title, false, false));
                    }
                    None => {}
                }
            }
            Some(_) | None => {
                // What is removed may be listed without headings.
                if section == Some(Section::Removed)
                    && let Some(item) = line.trim_start().strip_prefix(['-', '*'])
                {
                    let item = item.trim().trim_matches(['`', '*']);
                    let title = without_keyword(item, "Requirement").unwrap_or(item);
                    delta.removed.push(title.trim_matches('`').to_owned());
                }
                if let (Some(Section::Modified), Some((_, before, after))) =
                    (section, sides.last_mut())
                {
                    *before |= line.contains("BEFORE");
                    *after |= line.contains("AFTER");
                }
            }
        }
    }
    if let Some((title, ..)) = sides.iter().find(|(_, before, after)| !(*before && *after)) {
        return Err(BadDelta::OneSided(title.clone()));
    }
    if delta == Delta::default() {
        return Err(BadDelta::Empty);
    }
    Ok(delta)
}

fn section_of(title: &str) -> Option<Section> {
    match title
        .split_whitespace()
        .next()?
        .to_ascii_uppercase()
        .as_str()
    {
        "ADDED" => Some(Section::Added),
        "MODIFIED" => Some(Section::Modified),
        "REMOVED" => Some(Section::Removed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(requirements: &[&str]) -> Spec {
        let mut text = String::new();
        for title in requirements {
            text.push_str(&format!(
                "### Requirement: {title}\n#### Scenario: {title} works\n"
            ));
        }
        super::super::read_spec(&text).expect("a spec")
    }

    #[test]
    fn a_delta_is_held_against_both_specs() {
        let (old, new) = (spec(&["A", "B"]), spec(&["A", "C"]));
        let good = "## ADDED Requirements\n### Requirement: C\n\n## MODIFIED Requirements\n### Requirement: A\n\
                    BEFORE: x\nAFTER: y\n\n## REMOVED Requirements\n- B\n";
        let delta = read_delta(good, &old, &new).expect("it fits");
        assert_eq!(
            (delta.added, delta.modified, delta.removed),
            (vec!["C".into()], vec!["A".into()], vec!["B".into()])
        );
        for (text, wrong) in [
            ("", "no requirement under"),
            ("# words\n### C\n", "no requirement under"),
            ("## ADDED Requirements\n", "no requirement under"),
            ("```\n## ADDED\n### C\n```\n", "no requirement under"),
            ("## ADDED\n### A\n", "the old spec has it"),
            ("## ADDED\n### D\n", "the new spec does not have it"),
            ("## REMOVED Requirements\n### A\n", "still has it"),
            (
                "## REMOVED Requirements\n### D\n",
                "the old spec does not have it",
            ),
            ("## MODIFIED\n### A\nBEFORE x\n", "no BEFORE and AFTER"),
        ] {
            let error = read_delta(text, &old, &new).unwrap_err().to_string();
            assert!(error.contains(wrong), "{text:?}: {error}");
        }
    }
}
