//! The values of parameter expansions.

use std::collections::HashMap;

use super::limits;
use super::pattern;
use super::scope::{Shell, Variable};
use super::text;
use super::words::{CaseChange, Expansion, Operation, ReplaceAt};

/// One more than the highest number a process can have.
const NO_PROCESS: &str = "4194304";

impl Expansion {
    /// Whether the expansion may become several fields even between double quotes.
    pub(super) fn is_list(&self) -> bool {
        self.name == "@" || self.index.as_deref() == Some("@")
    }
}

impl Shell<'_> {
    /// The values an expansion is replaced by: one, or those of a list.
    pub(super) fn parameter(&mut self, expansion: &Expansion) -> Vec<String> {
        let index = expansion.index.as_ref().map(|index| match index.as_str() {
            "@" | "*" => index.clone(),
            _ => self.subscript(&expansion.name, index),
        });
        let mut values = self.parameter_values(&expansion.name, index.as_deref());
        if expansion.indirect {
            let name = values.unwrap_or_default().concat();
            values = self.parameter_values(&name, None);
        }
        let values = self.operate(expansion, values);
        self.session.spend(values.iter().map(String::len).sum());
        values
    }

    /// The key a subscript stands for: a name in the subscript of a plain array is a variable.
    fn subscript(&mut self, array: &str, index: &str) -> String {
        let key = self.expand_quoted(index);
        let has_key = |variables: &HashMap<String, Variable>| {
            variables
                .get(array)
                .is_some_and(|variable| variable.elements.iter().any(|(known, _)| *known == key))
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if has_key(&self.variables) || !key.chars().all(is_name) {
            return key;
        }
        match self.variables.get(&key).and(self.variable(&key)) {
            Some(value) => value,
            None => key,
        }
    }

    fn parameter_values(&self, name: &str, index: Option<&str>) -> Option<Vec<String>> {
        match name {
            "@" | "*" => return Some(self.positional.clone()),
            "#" => return Some(vec![self.positional.len().to_string()]),
            // The same number wherever it stands; none that a process has.
            "$" => return Some(vec![NO_PROCESS.to_owned()]),
            "?" | "!" | "-" => return Some(vec![text::unknown()]),
            "0" => {
                return Some(vec![
                    self.variable("0").unwrap_or_else(|| "bash".to_owned()),
                ]);
            }
            _ => {}
        }
        if let Ok(number) = name.parse::<usize>() {
            let value = self.positional.get(number.checked_sub(1)?)?;
            return Some(vec![value.clone()]);
        }
        let Some(index) = index else {
            return self.variable(name).map(|value| vec![value]);
        };
        let Some(variable) = self.variables.get(&self.referred(name)) else {
            return self.variable(name).map(|value| vec![value]);
        };
        let all = || variable.elements.iter().map(|(_, value)| value.clone());
        match index {
            "@" | "*" => Some(all().collect()),
            // Which element is meant can't be known, so it may be any of them.
            _ if !text::is_known(index) => Some(vec![all().collect::<Vec<_>>().join("\n")]),
            _ => {
                let key = index.trim_matches(['"', '\'']);
                let (_, value) = match key.parse::<i64>() {
                    Ok(-1) => variable.elements.last(),
                    _ => variable.elements.iter().find(|(k, _)| k == key),
                }?;
                Some(vec![value.clone()])
            }
        }
    }

    fn operate(&mut self, expansion: &Expansion, values: Option<Vec<String>>) -> Vec<String> {
        let is_empty = values
            .as_ref()
            .is_none_or(|values| values.iter().all(String::is_empty));
        let values_or_none = || values.clone().unwrap_or_default();
        match &expansion.operation {
            Operation::Value => values_or_none(),
            // The word is what is said before the shell ends.
            Operation::Error(word) if is_empty => {
                let word = word.clone();
                self.expand_to_text(&word);
                Vec::new()
            }
            Operation::Error(_) => values_or_none(),
            Operation::Length => vec![length(expansion, &values_or_none())],
            Operation::Names => vec![self.names(expansion)],
            Operation::Default(word) | Operation::Assign(word) if is_empty => {
                let word = word.clone();
                let value = self.expand_to_text(&word);
                if matches!(expansion.operation, Operation::Assign(_)) {
                    self.set(&expansion.name, value.clone());
                }
                vec![value]
            }
            // A substitution in the word that is not used does not run.
            Operation::Default(_) | Operation::Assign(_) => values_or_none(),
            Operation::Alternative(_) if is_empty => Vec::new(),
            Operation::Alternative(word) => {
                let word = word.clone();
                vec![self.expand_to_text(&word)]
            }
            Operation::StripPrefix { pattern, longest } => {
                let pattern = self.expand_to_pattern(pattern);
                each(values_or_none(), |v| {
                    pattern::strip_prefix(&pattern, v, *longest)
                })
            }
            Operation::StripSuffix { pattern, longest } => {
                let pattern = self.expand_to_pattern(pattern);
                each(values_or_none(), |v| {
                    pattern::strip_suffix(&pattern, v, *longest)
                })
            }
            Operation::Replace { pattern, with, at } => {
                let (pattern, with) = (self.expand_to_pattern(pattern), self.expand_to_text(with));
                each(values_or_none(), |v| replaced(v, &pattern, &with, *at))
            }
            Operation::Slice { offset, length } => {
                let offset = match offset.trim() {
                    "" => "0".to_owned(),
                    _ => self.arithmetic(offset),
                };
                let length = length.as_ref().map(|length| self.arithmetic(length));
                if expansion.is_list() || expansion.name == "*" {
                    sliced_list(values_or_none(), &offset, length.as_deref())
                } else {
                    each(values_or_none(), |v| sliced(v, &offset, length.as_deref()))
                }
            }
            Operation::Case(change) => each(values_or_none(), |v| change_case(v, *change)),
            Operation::Transform('P') => {
                let values = values_or_none();
                values.iter().for_each(|value| self.evaluated(value));
                values
            }
            Operation::Transform(kind) => each(values_or_none(), |v| match kind {
                'U' => v.to_uppercase(),
                'u' => change_case(v, CaseChange::UpperFirst),
                'L' => v.to_lowercase(),
                'E' => super::words::unescape_ansi_c(v),
                _ => v.to_owned(),
            }),
        }
    }

    fn names(&self, expansion: &Expansion) -> String {
        if let Some(variable) = self.variables.get(&expansion.name) {
            let keys: Vec<&str> = variable.elements.iter().map(|(k, _)| k.as_str()).collect();
            return keys.join(" ");
        }
        text::unknown()
    }
}

fn each(values: Vec<String>, change: impl Fn(&str) -> String) -> Vec<String> {
    let known = |value: String| match text::is_known(&value) {
        true if value.len() > limits::MAX_MATCHED => text::unknown(),
        true => change(&value),
        false => value,
    };
    values.into_iter().map(known).collect()
}

fn length(expansion: &Expansion, values: &[String]) -> String {
    if expansion.is_list() || expansion.index.as_deref() == Some("*") {
        return values.len().to_string();
    }
    match values.first() {
        Some(value) if !text::is_known(value) => text::unknown(),
        Some(value) => value.chars().count().to_string(),
        None => "0".to_owned(),
    }
}

fn replaced(value: &str, pattern: &str, with: &str, at: ReplaceAt) -> String {
    match at {
        ReplaceAt::Start => {
            let rest = pattern::strip_prefix(pattern, value, true);
            if rest.len() < value.len() {
                format!("{with}{rest}")
            } else {
                value.to_owned()
            }
        }
        ReplaceAt::End => {
            let rest = pattern::strip_suffix(pattern, value, true);
            if rest.len() < value.len() {
                format!("{rest}{with}")
            } else {
                value.to_owned()
            }
        }
        ReplaceAt::First => pattern::replace(pattern, value, with, true),
        ReplaceAt::Everywhere => pattern::replace(pattern, value, with, false),
    }
}

fn bounds(count: usize, offset: &str, length: Option<&str>) -> Option<(usize, usize)> {
    let total = i64::try_from(count).ok()?;
    let offset = offset.parse::<i64>().ok()?;
    let start = if offset < 0 { total + offset } else { offset }.clamp(0, total);
    let end = match length {
        None => total,
        Some(length) => match length.parse::<i64>().ok()? {
            length if length < 0 => total + length,
            length => start.saturating_add(length),
        },
    };
    let end = end.clamp(start, total);
    Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
}

fn sliced(value: &str, offset: &str, length: Option<&str>) -> String {
    let characters: Vec<char> = value.chars().collect();
    match bounds(characters.len(), offset, length) {
        Some((start, end)) => characters.get(start..end).unwrap_or(&[]).iter().collect(),
        None => text::unknown(),
    }
}

fn sliced_list(values: Vec<String>, offset: &str, length: Option<&str>) -> Vec<String> {
    // `${@:1}` counts from one, `${array[@]:0}` from zero; taking one more is on the safe side.
    match bounds(values.len(), offset, length) {
        Some((start, end)) => {
            let start = start.saturating_sub(1);
            values.get(start..end.max(start)).unwrap_or(&[]).to_vec()
        }
        None => values,
    }
}

fn change_case(value: &str, change: CaseChange) -> String {
    let mut chars = value.chars();
    match change {
        CaseChange::Upper => value.to_uppercase(),
        CaseChange::Lower => value.to_lowercase(),
        CaseChange::UpperFirst => match chars.next() {
            Some(first) => first
                .to_uppercase()
                .chain(chars.flat_map(|c| [c]))
                .collect(),
            None => String::new(),
        },
        CaseChange::LowerFirst => match chars.next() {
            Some(first) => first
                .to_lowercase()
                .chain(chars.flat_map(|c| [c]))
                .collect(),
            None => String::new(),
        },
    }
}
