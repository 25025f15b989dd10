//! The headings of a spec: requirements, and the scenarios below them.

/// One scenario.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Scenario {
    /// What it is called.
    pub title: String,
    /// The requirement it stands under.
    pub requirement: Option<String>,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its Given, When and Then lines.
    pub steps: Vec<Step>,
}

/// One line of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Step {
    /// What it is about; `And` and `But` go on with what was before.
    pub kind: StepKind,
    /// The words after the keyword.
    pub text: String,
}

/// What a line of a scenario is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// What is there before.
    Given,
    /// What happens.
    When,
    /// What comes of it.
    Then,
}

/// What was found in a spec.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) scenarios: Vec<Scenario>,
    pub(super) requirements: Vec<String>,
    pub(super) related: Vec<String>,
}

/// Reads the headings; what is in code fences, comments and front matter is not looked at.
pub(super) fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut requirement = None;
    let mut in_related = false;
    let mut in_scenario = false;
    for (line, content) in visible_lines(text) {
        if let Some((level, heading)) = heading(content) {
            in_scenario = false;
            match level {
                1 | 2 => {
                    requirement = None;
                    in_related = is_related(heading);
                }
                3 => {
                    let title = without_keyword(heading, "Requirement").unwrap_or(heading);
                    requirement = Some(title.to_owned());
                    outline.requirements.push(title.to_owned());
                }
                4 => {
                    if let Some(title) = without_keyword(heading, "Scenario") {
                        in_scenario = true;
                        outline.scenarios.push(Scenario {
                            title: title.to_owned(),
                            requirement: requirement.clone(),
                            line,
                            steps: Vec::new(),
                        });
                    }
                }
                _ => {}
            }
        } else if in_related {
            outline.related.extend(listed(content));
        } else if in_scenario && let Some(scenario) = outline.scenarios.last_mut() {
            let before = scenario.steps.last().map(|step| step.kind);
            scenario.steps.extend(step(content, before));
        }
    }
    outline
}

/// The lines that are Markdown text, with their numbers.
pub(super) fn visible_lines(text: &str) -> Vec<(usize, &str)> {
    let front = super::front_matter::front_matter(text).map_or(0, |(_, lines)| lines);
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut visible = Vec::new();
    for (at, line) in text.lines().enumerate().skip(front) {
        if let Some(open) = fence {
            if closes(line, open) {
                fence = None;
            }
            continue;
        }
        if in_comment {
            in_comment = !line.contains("-->");
            continue;
        }
        if let Some(opened) = fence_of(line) {
            fence = Some(opened);
            continue;
        }
        if let Some((before, after)) = line.split_once("<!--") {
            in_comment = !after.contains("-->");
            visible.push((at + 1, before));
            continue;
        }
        visible.push((at + 1, line));
    }
    visible
}

fn indented_little(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3 && !text.starts_with('\t')).then_some(text)
}

fn fence_of(line: &str) -> Option<(char, usize)> {
    let text = indented_little(line)?;
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == mark).count();
    let info = text.trim_start_matches(mark);
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes(line: &str, (mark, length): (char, usize)) -> bool {
    let Some(text) = indented_little(line) else {
        return false;
    };
    let found = text.chars().take_while(|c| *c == mark).count();
    found >= length && text.trim_start_matches(mark).trim().is_empty()
}

/// The level and the words of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let text = indented_little(line)?;
    let level = text.chars().take_while(|c| *c == '#').count();
    let rest = text.trim_start_matches('#');
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    if !is_heading {
        return None;
    }
    let words = rest.trim();
    let bare = words.trim_end_matches('#');
    // A closing row of `#` is no part of the title.
    let title = if bare.is_empty() || bare.ends_with([' ', '\t']) {
        bare.trim_end()
    } else {
        words
    };
    Some((level, title))
}

/// `Scenario 2: Title` without its keyword, its number and the sign between.
pub(super) fn without_keyword<'t>(heading: &'t str, keyword: &str) -> Option<&'t str> {
    let heading = heading.trim_matches('*');
    let start = heading.get(..keyword.len())?;
    let rest = heading.get(keyword.len()..)?;
    let ends_there = rest.is_empty() || !rest.starts_with(|c: char| c.is_alphanumeric());
    if !start.eq_ignore_ascii_case(keyword) || !ends_there {
        return None;
    }
    let rest = rest.trim_start_matches([' ', '\t', '*']);
    let numbered = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let title = match numbered.trim_start().chars().next() {
        Some(':' | '-' | '–' | '—' | ')') => numbered.trim_start(),
        Some(_) | None => rest,
    };
    Some(
        title
            .trim_start_matches([':', '-', '–', '—', ')', '*', ' ', '\t'])
            .trim(),
    )
}

fn is_related(heading: &str) -> bool {
    let heading = heading.to_ascii_lowercase();
    heading.starts_with("related") || heading.starts_with("triggers")
}

/// What a list item names: the target of a link, or its words.
fn listed(line: &str) -> Option<String> {
    let item = line.trim_start();
    let item = item.strip_prefix(['-', '*', '+'])?.trim();
    let target = item
        .split_once("](")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(target, _)| target);
    let word = item
        .split_whitespace()
        .next()
        .map(|word| word.trim_matches('`'));
    let named = target.or(word)?;
    (!named.is_empty()).then(|| named.to_owned())
}

fn step(line: &str, before: Option<StepKind>) -> Option<Step> {
    let text = line.trim_start();
    let text = text
        .strip_prefix(['-', '*', '+'])
        .map_or(text, str::trim_start);
    let text = text.trim_start_matches(['*', '_']);
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphabetic())?);
    let kind = match word.to_ascii_lowercase().as_str() {
        "given" => StepKind::Given,
        "when" => StepKind::When,
        "then" => StepKind::Then,
        "and" | "but" => before?,
        _ => return None,
    };
    let text = rest.trim_start_matches(['*', '_', ':', ' ', '\t']).trim();
    Some(Step {
        kind,
        text: text.to_owned(),
    })
}

/// The words of a title or of a test's name, in lower case, joined by `_`: `testUserLogsIn` and
/// `User logs in` agree in the words they share.
pub fn slug(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut words = String::new();
    let mut before = ' ';
    for (at, c) in letters.iter().copied().enumerate() {
        // An apostrophe is part of its word: `user's` is what people write as `users`.
        if matches!(c, '\'' | '’') && before.is_alphanumeric() {
            continue;
        }
        let next_is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins_a_word =
            c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_small));
        push_letter(&mut words, c, begins_a_word);
        before = c;
    }
    words.trim_end_matches('_').to_owned()
}

/// The same with words as they are written: `OpenID` is one.
pub(super) fn plain_slug(text: &str) -> String {
    let mut words = String::new();
    let apostrophes = ['\'', '’'];
    for c in text.chars().filter(|c| !apostrophes.contains(c)) {
        push_letter(&mut words, c, false);
    }
    words.trim_end_matches('_').to_owned()
}

fn push_letter(words: &mut String, c: char, begins_a_word: bool) {
    let apart = words.is_empty() || words.ends_with('_');
    if (begins_a_word || !c.is_alphanumeric()) && !apart {
        words.push('_');
    }
    if c.is_alphanumeric() {
        words.extend(c.to_lowercase());
    }
}
