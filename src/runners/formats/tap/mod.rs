//! TAP 12 to 14: plans, subtests, YAML blocks, skips, todos, bail-outs.

use std::io::BufRead;

use super::collect::{Collector, Outcome, cut};
use super::source::Lines;
use super::{Format, ReadError};
use crate::rules::verdict::Report;

mod line;
mod notes;

use line::{Directive, plan, result, split_directive, split_number, strip_duration, unescaped};
use notes::Fields;

/// Deeper subtests are taken as part of the outer ones.
const DEEPEST: usize = 32;
/// How much of a YAML block or of comments is kept.
const KEPT: usize = 8_000;

/// The Test Anything Protocol.
pub(crate) static TAP: Format = Format::of("TAP", read);

/// Reads a TAP stream of the test script `name`, which may be empty.
pub(crate) fn read(name: &str, input: &mut dyn BufRead) -> Result<Report, ReadError> {
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
pub(crate) fn is_telling(line: &str) -> bool {
    line.starts_with("TAP version 1") || line.starts_with("Bail out!") || plan(line).is_some()
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
    /// The last lines that are no TAP since the last result: what a script said before it died.
    printed: String,
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
    /// What was printed before it.
    printed: String,
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
        } else if !body.is_empty() && self.printed.len() < KEPT {
            self.printed.push_str(cut(line, KEPT));
            self.printed.push('\n');
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
        let printed = match depth {
            0 => std::mem::take(&mut self.printed),
            _ => String::new(),
        };
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
            printed,
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
        if outcome.is_failure() && self.is_no_test(&description, &point, &fields, &message) {
            return;
        }
        if self.is_node && is_script(&description) && point.directive.is_none() {
            if outcome.is_failure() {
                self.collector.load_error(description, &message);
            }
            return;
        }
        if fields.suite && point.directive.is_none() && !point.has_children {
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
        self.collector.test(&id, file.as_deref(), outcome, &message);
    }

    /// Takes a `not ok` by which a producer tells of something else than a test that failed.
    fn is_no_test(
        &mut self,
        description: &str,
        point: &Point,
        fields: &Fields,
        message: &str,
    ) -> bool {
        let last = point.path.last().map_or("", String::as_str);
        // node-tap, of a test that was running when its process ended.
        if last == "test unfinished" {
            let (of, _) = description.rsplit_once(" > ").unwrap_or((description, ""));
            self.collector.unfinished(of);
            return true;
        }
        let Some(what) = load_error_in(description, point, fields) else {
            return false;
        };
        let printed = point.printed.trim();
        let (words, all) = match printed.lines().rfind(|line| is_raised(line)) {
            Some(line) => (line, printed),
            None => (message, message),
        };
        let words = if words.is_empty() { description } else { words };
        self.collector.load_error_told(what, words, all);
        true
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
                .test(&name, Some(&name), Outcome::Skipped, "");
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

/// What could not be loaded or came to nothing, where a producer of TAP tells so by a `not ok`.
fn load_error_in<'a>(description: &'a str, point: &Point, fields: &Fields) -> Option<&'a str> {
    // busted
    let suite = description.strip_prefix("suite ");
    if let Some(path) = suite.filter(|path| path.contains('.') && !path.contains(' ')) {
        return Some(path);
    }
    // ava
    let ends = [
        " exited with a non-zero exit code: ",
        " exited due to ",
        " failed to exit",
    ];
    if let Some(at) = ends.iter().find_map(|end| description.find(end)) {
        return description.get(..at);
    }
    let starts = [
        "Uncaught exception in ",
        "Unhandled rejection in ",
        "No tests found in ",
        "Failed to load ",
    ];
    if let Some(path) = (starts.iter()).find_map(|start| description.strip_prefix(start)) {
        return Some(path.trim_end_matches(','));
    }
    // qunit
    let is_global = description == "global failure" || description.ends_with(" > global failure");
    let is_nothing = matches!(description, "No tests were run." | "no tests were run");
    // An error outside of a test, named by what was raised.
    let raised = fields.raised();
    let is_named_by_error = point.path.len() == 1
        && !raised.is_empty()
        && description.starts_with(raised)
        && is_raised(description);
    // node-tap: the process of a script failed, and no test in it.
    let is_script = fields.is_of_process() && !point.child_failed;
    (is_global || is_nothing || is_named_by_error || is_script).then_some(description)
}

/// Whether a line begins with the class of an error.
fn is_raised(line: &str) -> bool {
    super::cause::leading_type(line).is_some()
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

#[cfg(test)]
mod tests;
