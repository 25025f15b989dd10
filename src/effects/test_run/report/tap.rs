//! TAP 12 to 14: plans, subtests, YAML blocks, skips, todos, bail-outs.

use std::io::BufRead;

use serde_json::Value;

use super::collect::{Collector, Outcome, cut};
use super::source::Lines;
use super::{ReadError, bats, cause};
use crate::policy::judge::Report;
use crate::policy::verdict::Cause;

/// Deeper subtests are taken as part of the outer ones.
const DEEPEST: usize = 32;
/// How much of a YAML block or of comments is kept.
const KEPT: usize = 8_000;

/// Reads a TAP stream of the test script `name`, which may be empty.
pub(super) fn read(name: &str, input: &mut dyn BufRead) -> Result<Report, ReadError> {
    let mut lines = Lines::new(input);
    let mut tap = Tap {
        name: name.to_owned(),
        ..Tap::default()
    };
    tap.levels.push(Level::default());
    let mut any = false;
    while let Some(line) = lines.next_line().map_err(ReadError::Io)? {
        any = true;
        tap.line(line);
    }
    if any && !tap.is_tap {
        return Err(ReadError::OtherFormat);
    }
    Ok(tap.finish())
}

/// Whether a line can only be TAP's.
pub(super) fn is_telling(line: &str) -> bool {
    line.starts_with("TAP version 1") || plan(line).is_some()
}

#[derive(Default)]
struct Tap {
    name: String,
    levels: Vec<Level>,
    is_tap: bool,
    /// The line of the block's indentation, and what it said so far.
    yaml: Option<(usize, String)>,
    /// Seen in Node's stream only: there a todo that passed was never run.
    is_node: bool,
    /// The file named by a comment (Deno).
    file: String,
    bailed: Option<String>,
    collector: Collector,
}

/// Results of one depth that wait for the result of their parent.
#[derive(Default)]
struct Level {
    points: Vec<Point>,
    planned: Option<usize>,
    skipped_all: bool,
    seen: usize,
}

/// One `ok` or `not ok` line, with what followed it.
#[derive(Default)]
struct Point {
    ok: bool,
    number: String,
    path: Vec<String>,
    directive: Option<Directive>,
    reason: String,
    notes: String,
    has_children: bool,
    child_failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Directive {
    Skip,
    Todo,
}

impl Tap {
    fn line(&mut self, line: &str) {
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        if self.in_yaml(indent, body) {
            return;
        }
        let depth = (indent / 4).min(DEEPEST);
        if body == "---" {
            self.yaml = Some((indent, String::new()));
        } else if let Some(comment) = body.strip_prefix('#') {
            self.comment(depth, comment.strip_prefix(' ').unwrap_or(comment));
        } else if let Some((ok, rest)) = result(body) {
            self.is_tap = true;
            self.result(depth, ok, rest);
        } else if let Some((count, skip_all)) = plan(body) {
            self.is_tap = true;
            let level = self.level(depth);
            level.planned = Some(level.planned.unwrap_or(0) + count);
            level.skipped_all |= skip_all;
        } else if body.starts_with("TAP version 1") && indent == 0 {
            self.is_tap = true;
        } else if let Some(why) = body.strip_prefix("Bail out!") {
            self.is_tap = true;
            self.bailed = Some(why.trim().to_owned());
        }
    }

    /// Takes a line that belongs to a YAML block.
    fn in_yaml(&mut self, indent: usize, body: &str) -> bool {
        let Some((begin, text)) = &mut self.yaml else {
            return false;
        };
        if body == "..." && indent == *begin {
            let text = std::mem::take(text);
            let depth = begin.saturating_sub(2) / 4;
            self.yaml = None;
            self.note(depth, &text);
        } else if indent < *begin && result(body).is_some() {
            // A block that was never closed.
            self.yaml = None;
            return false;
        } else if text.len() < KEPT {
            text.push_str(&" ".repeat(indent.saturating_sub(*begin)));
            text.push_str(cut(body, KEPT));
            text.push('\n');
        }
        true
    }

    fn level(&mut self, depth: usize) -> &mut Level {
        while self.levels.len() <= depth {
            self.levels.push(Level::default());
        }
        self.levels
            .get_mut(depth)
            .expect("the loop above made the level")
    }

    fn comment(&mut self, depth: usize, comment: &str) {
        if comment.starts_with("Subtest: ") {
            self.is_tap = true;
            return;
        }
        if depth == 0
            && let Some(path) = comment.strip_prefix("./")
            && is_script(path)
        {
            self.file = path.to_owned();
            return;
        }
        self.note(depth, &format!("{comment}\n"));
    }

    fn note(&mut self, depth: usize, text: &str) {
        if let Some(point) = self.level(depth).points.last_mut()
            && point.notes.len() < KEPT
        {
            point.notes.push_str(text);
        }
    }

    fn result(&mut self, depth: usize, ok: bool, rest: &str) {
        let (number, rest) = split_number(rest);
        let (description, directive, reason) = split_directive(rest);
        let name = unescaped(strip_duration(description));
        let children = self.close_deeper(depth);
        let level = self.level(depth);
        level.seen += 1;
        let number = if number.is_empty() {
            level.seen.to_string()
        } else {
            number.to_owned()
        };
        let mut point = Point {
            ok,
            number,
            directive,
            reason: reason.to_owned(),
            has_children: !children.is_empty(),
            child_failed: children
                .iter()
                .any(|child| !child.ok && child.directive.is_none() || child.child_failed),
            ..Point::default()
        };
        if !name.is_empty() {
            point.path.push(name);
        }
        for mut child in children {
            let mut path = point.path.clone();
            path.append(&mut child.path);
            child.path = path;
            level.points.push(child);
        }
        level.points.push(point);
        if depth == 0 {
            self.flush(false);
        }
    }

    /// Takes the results that are deeper than `depth`; they are the children of what comes now.
    fn close_deeper(&mut self, depth: usize) -> Vec<Point> {
        let mut children = Vec::new();
        while self.levels.len() > depth + 1 {
            let Some(mut level) = self.levels.pop() else {
                break;
            };
            if level.planned.is_some_and(|planned| planned != level.seen) {
                self.collector.contradiction(format!(
                    "a subtest ran {} of its {} tests",
                    level.seen,
                    level.planned.unwrap_or(0)
                ));
            }
            for point in &mut level.points {
                if point.path.is_empty() {
                    point.path.push(format!("({})", point.number));
                }
            }
            children.append(&mut level.points);
        }
        children
    }

    /// Hands over the outermost results; the last one may still get notes.
    fn flush(&mut self, all: bool) {
        let Some(level) = self.levels.first_mut() else {
            return;
        };
        let keep = usize::from(!all);
        let count = level.points.len().saturating_sub(keep);
        let points: Vec<Point> = level.points.drain(..count).collect();
        for point in points {
            self.take(point);
        }
    }

    fn take(&mut self, point: Point) {
        let fields = Fields::of(&point.notes);
        self.is_node |= fields.duration;
        let outcome = self.outcome(&point, &fields);
        if point.has_children && (point.child_failed || !outcome.is_failure()) {
            return;
        }
        let message = fields.message(&point.notes);
        let description = point.path.join(" > ");
        if self.is_node && is_script(&description) && point.directive.is_none() {
            if outcome.is_failure() {
                self.collector.load_error(description, &message);
            }
            return;
        }
        if description == "setup_file failed" {
            let file = bats_file(&point.notes).unwrap_or(description);
            self.collector.load_error(file, &message);
            return;
        }
        let label = match (description.is_empty(), point.directive) {
            (true, Some(Directive::Skip)) => format!("(skip {}) {}", point.number, point.reason),
            (true, _) => format!("({})", point.number),
            (false, _) => description,
        };
        let script = if self.name.is_empty() {
            &self.file
        } else {
            &self.name
        };
        let id = if script.is_empty() {
            label
        } else {
            format!("{script} > {label}")
        };
        let file = if script.is_empty() {
            fields.file()
        } else {
            Some(script.clone())
        };
        self.collector.test(id, file, outcome, &message);
    }

    fn outcome(&self, point: &Point, fields: &Fields) -> Outcome {
        match (point.ok, point.directive) {
            (_, Some(Directive::Skip)) | (false, Some(Directive::Todo)) => Outcome::Skipped,
            (true, Some(Directive::Todo)) if self.is_node => Outcome::Skipped,
            (true, _) => Outcome::Passed,
            (false, None) => fields.cause(&point.notes),
        }
    }

    fn finish(mut self) -> Report {
        let orphans = self.close_deeper(0);
        if !orphans.is_empty() {
            self.collector
                .contradiction("a subtest ended without the result of its parent");
            if let Some(level) = self.levels.first_mut() {
                level.points.extend(orphans);
            }
        }
        self.flush(true);
        let (planned, seen, skipped_all) = self.levels.first().map_or((None, 0, false), |level| {
            (level.planned, level.seen, level.skipped_all)
        });
        if let Some(why) = &self.bailed {
            self.collector
                .contradiction(format!("the test script bailed out: {why}"));
        }
        if skipped_all && seen == 0 && !self.name.is_empty() {
            let name = self.name.clone();
            self.collector
                .test(name.clone(), Some(name), Outcome::Skipped, "");
        }
        match planned {
            Some(planned) if planned > seen => {
                self.collector.contradiction(format!(
                    "{}only {seen} of {planned} planned tests ran",
                    if self.name.is_empty() {
                        String::new()
                    } else {
                        format!("`{}`: ", self.name)
                    }
                ));
            }
            Some(planned) if planned < seen => {
                self.collector
                    .contradiction(format!("{seen} tests ran, but {planned} were planned"));
            }
            _ => {}
        }
        self.collector
            .ended(planned.is_some() && self.bailed.is_none());
        self.collector.finish()
    }
}

/// The shallow fields of a YAML block, or of a line of JSON in its place.
#[derive(Default)]
struct Fields {
    kind: String,
    code: String,
    failure_type: String,
    message: String,
    location: String,
    duration: bool,
    any: bool,
}

impl Fields {
    fn of(notes: &str) -> Fields {
        let mut fields = Fields::default();
        if let Ok(Value::Object(object)) = serde_json::from_str::<Value>(notes.trim()) {
            fields.any = true;
            fields.message = object
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            return fields;
        }
        let mut lines = notes.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            let target = match key {
                "name" => &mut fields.kind,
                "code" => &mut fields.code,
                "failureType" => &mut fields.failure_type,
                "error" | "message" => &mut fields.message,
                "location" => &mut fields.location,
                "duration_ms" => {
                    fields.duration = true;
                    continue;
                }
                _ => continue,
            };
            if !target.is_empty() {
                continue;
            }
            fields.any = true;
            if value.starts_with('|') || value.starts_with('>') {
                while let Some(more) =
                    lines.next_if(|line| line.starts_with(' ') || line.trim().is_empty())
                {
                    target.push_str(more.trim_start_matches("  "));
                    target.push('\n');
                }
            } else {
                target.push_str(value.trim_matches(['\'', '"']));
            }
        }
        fields
    }

    fn cause(&self, notes: &str) -> Outcome {
        match self.failure_type.as_str() {
            "" => {}
            "testCodeFailure" | "subtestsFailed" => {
                if self.code == "ERR_ASSERTION" {
                    return Outcome::Failed(Cause::Assertion);
                }
                let kind = if self.kind.is_empty() {
                    "Error"
                } else {
                    &self.kind
                };
                return cause::of_raised(kind, &self.message);
            }
            _ => return Outcome::Inconclusive,
        }
        if notes.contains("in test file ") {
            return bats::of_diagnostics(notes);
        }
        if !self.kind.is_empty() {
            return cause::of_raised(&self.kind, &self.message);
        }
        let words = if self.any { &self.message } else { notes };
        cause::of_text(words, Cause::Assertion)
    }

    fn message(&self, notes: &str) -> String {
        match (self.kind.is_empty(), self.message.is_empty()) {
            (_, true) => notes.to_owned(),
            (true, false) => self.message.clone(),
            (false, false) => format!("{}: {}", self.kind, self.message),
        }
    }

    fn file(&self) -> Option<String> {
        let (path, _) = self.location.rsplit_once(':')?;
        let (path, _) = path.rsplit_once(':')?;
        Some(path.to_owned())
    }
}

fn bats_file(notes: &str) -> Option<String> {
    let line = notes.lines().find(|line| line.contains(".bats: line "))?;
    let (path, _) = line.trim_start().split_once(": line ")?;
    Some(path.to_owned())
}

fn is_script(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension,
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx"
    )
}

fn result(body: &str) -> Option<(bool, &str)> {
    let (ok, rest) = match body.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, body.strip_prefix("ok")?),
    };
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((ok, rest.trim_start()))
}

/// `1..4`, and whether it skips the whole script.
fn plan(body: &str) -> Option<(usize, bool)> {
    let rest = body.strip_prefix("1..")?;
    let (count, rest) = match rest.find(|byte: char| !byte.is_ascii_digit()) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let rest = rest.trim();
    if !(rest.is_empty() || rest.starts_with('#')) {
        return None;
    }
    let skips = rest
        .trim_start_matches('#')
        .trim_start()
        .get(..4)
        .is_some_and(|word| word.eq_ignore_ascii_case("skip"));
    Some((count.parse().ok()?, skips))
}

fn split_number(rest: &str) -> (&str, &str) {
    let end = rest
        .find(|byte: char| !byte.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    if !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return ("", rest);
    }
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    (number, rest.strip_prefix("- ").unwrap_or(rest))
}

/// Splits off ` # SKIP reason`; a `#` with a backslash in front is part of the name.
fn split_directive(rest: &str) -> (&str, Option<Directive>, &str) {
    for (at, _) in rest.match_indices('#').rev() {
        let before = rest.get(..at).unwrap_or_default();
        if before.ends_with('\\') || !(before.is_empty() || before.ends_with([' ', '\t'])) {
            continue;
        }
        let after = rest.get(at + 1..).unwrap_or_default().trim_start();
        let word = after
            .split(|byte: char| !byte.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let directive = if word.eq_ignore_ascii_case("skip") || word.eq_ignore_ascii_case("skipped")
        {
            Directive::Skip
        } else if word.eq_ignore_ascii_case("todo") {
            Directive::Todo
        } else {
            continue;
        };
        let reason = after.get(word.len()..).unwrap_or_default().trim();
        let name = before.strip_suffix([' ', '\t']).unwrap_or(before);
        return (strip_dash(name), Some(directive), reason);
    }
    (strip_dash(rest), None, "")
}

fn strip_dash(name: &str) -> &str {
    if name.trim() == "-" { "" } else { name }
}

/// bats adds how long a test took.
fn strip_duration(name: &str) -> &str {
    let Some((before, after)) = name.rsplit_once(" # in ") else {
        return name;
    };
    match after.trim_end().split_once(' ') {
        Some((number, "ms" | "sec")) if number.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => name,
    }
}

fn unescaped(name: &str) -> String {
    if !name.contains('\\') {
        return name.to_owned();
    }
    let mut plain = String::with_capacity(name.len());
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(next @ ('#' | '\\'))) => {
                plain.push(*next);
                characters.next();
            }
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
