//! A spec as the rules see it: its scenarios, its state, and the hash that freezes it.

pub mod coverage;
pub mod delta;
pub mod front_matter;
pub mod plan;
mod scenarios;

use sha2::{Digest, Sha256};

pub use front_matter::{BadFrontMatter, Yaml};
pub use scenarios::{Scenario, Step, StepKind, slug};

/// What a spec says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// `id` of the front matter.
    pub id: Option<String>,
    /// `prd` of the front matter: the document that the spec belongs to.
    pub prd: Option<String>,
    /// The scenarios in their order; there is at least one.
    pub scenarios: Vec<Scenario>,
    /// The titles of the requirements.
    pub requirements: Vec<String>,
    /// What is listed under `## Related / Triggers`.
    pub related: Vec<String>,
}

/// Why a spec can't start a cycle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecRefusal {
    /// It has no scenario.
    #[error("it has no `#### Scenario: TITLE` heading")]
    NoScenario,
    /// Two scenarios would be named by the same tests.
    #[error("scenario `{title}` is there twice, in lines {first} and {second}")]
    Duplicate {
        /// The title.
        title: String,
        /// The line of the first.
        first: usize,
        /// The line of the second.
        second: usize,
    },
    /// A scenario without a title can't be named by a test.
    #[error("the scenario in line {line} has no title that a test could name")]
    Untitled {
        /// The line.
        line: usize,
    },
    /// Its front matter says that it is not in force.
    #[error("its status is `{0}`, not `active`")]
    NotActive(String),
    /// Its front matter can't be read.
    #[error(transparent)]
    FrontMatter(#[from] BadFrontMatter),
}

/// Reads a spec; refused unless it can start a cycle.
pub fn read_spec(text: &str) -> Result<Spec, SpecRefusal> {
    let text = lines_ended_by_newline(text);
    let front = active_front_matter(&text)?;
    let outline = scenarios::outline(&text);
    let scenarios = outline.scenarios;
    if scenarios.is_empty() {
        return Err(SpecRefusal::NoScenario);
    }
    for (at, scenario) in scenarios.iter().enumerate() {
        let own = slug(&scenario.title);
        if own.is_empty() {
            return Err(SpecRefusal::Untitled {
                line: scenario.line,
            });
        }
        let earlier = scenarios.iter().take(at);
        if let Some(first) = earlier.into_iter().find(|other| slug(&other.title) == own) {
            return Err(SpecRefusal::Duplicate {
                title: scenario.title.clone(),
                first: first.line,
                second: scenario.line,
            });
        }
    }
    let field = |name: &str| {
        let value = front.as_ref()?.get(name)?.text()?;
        Some(value.to_owned())
    };
    Ok(Spec {
        id: field("id"),
        prd: field("prd"),
        scenarios,
        requirements: outline.requirements,
        related: outline.related,
    })
}

/// Reads the document that a spec belongs to: only its state matters.
pub fn check_prd(text: &str) -> Result<(), SpecRefusal> {
    active_front_matter(&lines_ended_by_newline(text)).map(drop)
}

fn active_front_matter(text: &str) -> Result<Option<Yaml>, SpecRefusal> {
    let (front, _) = front_matter::front_matter(text)?;
    if let Some(status) = front.as_ref().and_then(|front| front.get("status")) {
        match status.text() {
            Some(active) if active.eq_ignore_ascii_case("active") => {}
            other => return Err(SpecRefusal::NotActive(other.unwrap_or_default().into())),
        }
    }
    Ok(front)
}

fn lines_ended_by_newline(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The text whose hash counts: line ends are `\n`, white space at the end of lines and blank lines
/// at the end are gone, one newline ends it.
fn normalised(text: &str) -> String {
    let text = lines_ended_by_newline(text);
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let said = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    let mut out = lines.get(..said).unwrap_or_default().join("\n");
    out.push('\n');
    out
}

/// The normalised SHA-256 of a spec, in hex.
pub fn normalised_hash(text: &str) -> String {
    let digest = Sha256::digest(normalised(text).as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A spec with its front matter saying that another one took its place.
pub fn marked_superseded(text: &str, by: &str) -> String {
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let marks = format!("status: superseded{ends}superseded_by: {by}{ends}");
    let is_fence = |line: &str| matches!(line.trim_end(), "---" | "...");
    let mut lines = text.split_inclusive('\n');
    let has_front = matches!(
        front_matter::front_matter(&lines_ended_by_newline(text)),
        Ok((Some(_), _))
    );
    if !has_front {
        return format!("---{ends}{marks}---{ends}{ends}{text}");
    }
    let mut out = lines.next().unwrap_or_default().to_owned();
    let mut inside = true;
    for line in lines {
        let replaced = line.starts_with("status:") || line.starts_with("superseded_by:");
        if inside && is_fence(line) {
            out.push_str(&marks);
            inside = false;
        } else if inside && replaced {
            continue;
        }
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests;
