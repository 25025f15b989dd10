//! The pictures of the report, as SVG inside the page. Colours are classes, so that they follow the
//! reader's light or dark theme.

use std::fmt::Write as _;

use super::html::{Escaped, shortened};
use crate::branch::event::{Event, EventKind};
use crate::branch::summary::Bucket;
use crate::clock;
use crate::message::counts;
use crate::message::timeline::{EventTone, what};
use crate::rules::Phase;

const STEP: usize = 18;
const LANE: usize = 44;
const TOP: usize = 8;
const FOOT: usize = 24;

/// The class of an event in the style sheet.
pub(super) fn class_of(tone: EventTone) -> &'static str {
    match tone {
        EventTone::Red => "red",
        EventTone::Green => "green",
        EventTone::Refactor => "blue",
        EventTone::Commit => "plain",
        EventTone::Revert => "amber",
        EventTone::Denied => "violet",
        EventTone::Quiet => "quiet",
    }
}

/// The way through the phases: a lane for each, a line that goes from event to event.
pub(super) fn path(oldest_first: &[Event]) -> String {
    let lanes: Vec<Phase> = Phase::ALL
        .into_iter()
        .filter(|phase| {
            let is_usual = matches!(phase, Phase::Red | Phase::Green | Phase::Refactor);
            let is_used = |event: &Event| event.phase == *phase || event.next_phase == *phase;
            is_usual || oldest_first.iter().any(is_used)
        })
        .collect();
    let y = |phase: Phase| {
        let lane = lanes.iter().position(|lane| *lane == phase).unwrap_or(0);
        TOP + lane * LANE + LANE / 2
    };
    let x = |number: usize| STEP + number * STEP;
    let (width, bottom) = (STEP + x(oldest_first.len()), TOP + lanes.len() * LANE);
    let height = bottom + FOOT;
    let mut names = String::new();
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"the way through the phases, oldest step on the left\">"
    );
    for (number, lane) in lanes.iter().enumerate() {
        let class = lane_class(*lane);
        let _ = write!(names, "<span class=\"{class}\">{lane}</span>");
        let _ = write!(
            svg,
            "<rect class=\"lane {class}\" x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\" rx=\"4\"/>",
            TOP + number * LANE + 2,
            LANE - 4
        );
    }
    svg.push_str(&cycle_marks(oldest_first, &x, bottom));
    svg.push_str(&way(oldest_first, &x, &y));
    for (number, event) in oldest_first.iter().enumerate() {
        svg.push_str(&mark(event, x(number), y(event.phase)));
    }
    svg.push_str("</svg>");
    format!(
        "<div class=\"path\"><div class=\"lanes\">{names}</div><div class=\"scroll\" tabindex=\"0\">{svg}</div></div>"
    )
}

fn lane_class(phase: Phase) -> &'static str {
    match phase {
        Phase::Red => "red",
        Phase::Green => "green",
        Phase::Refactor => "blue",
        Phase::Plan | Phase::Done => "plain",
    }
}

/// The number of each cycle where it begins.
fn cycle_marks(events: &[Event], x: &dyn Fn(usize) -> usize, bottom: usize) -> String {
    let mut svg = String::new();
    let mut shown = None;
    let mut free_from = 0;
    for (number, event) in events.iter().enumerate() {
        // A declared phase still counts to the cycle that was just ended.
        if event.event == EventKind::Phase || shown == Some(event.cycle) {
            continue;
        }
        shown = Some(event.cycle);
        let at = x(number) - STEP / 2;
        let _ = write!(
            svg,
            "<line class=\"mark\" x1=\"{at}\" x2=\"{at}\" y1=\"{TOP}\" y2=\"{bottom}\"/>"
        );
        if at >= free_from {
            let label = event.cycle.to_string();
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\">{label}</text>",
                at + 3,
                bottom + 16
            );
            free_from = at + 12 + 7 * label.len();
        }
    }
    svg
}

fn way(events: &[Event], x: &dyn Fn(usize) -> usize, y: &dyn Fn(Phase) -> usize) -> String {
    let mut line = String::new();
    let half = STEP / 2;
    for (number, event) in events.iter().enumerate() {
        let (at, level) = (x(number), y(event.phase));
        if number == 0 {
            let _ = write!(line, "M{at} {level}");
        } else {
            // Arrives level, from the lane that the event before led to.
            let _ = write!(
                line,
                "C{} {} {} {level} {at} {level}",
                at - half,
                line_end(events, number, y),
                at - half
            );
        }
        if event.next_phase != event.phase && number + 1 == events.len() {
            let next = y(event.next_phase);
            let (bend, end) = (at + half, at + STEP);
            let _ = write!(line, "C{bend} {level} {bend} {next} {end} {next}");
        }
    }
    format!("<path class=\"way\" d=\"{line}\"/>")
}

fn line_end(events: &[Event], number: usize, y: &dyn Fn(Phase) -> usize) -> usize {
    let before = number.checked_sub(1).and_then(|before| events.get(before));
    before.map_or(0, |event| y(event.phase))
}

fn mark(event: &Event, x: usize, y: usize) -> String {
    let tone = EventTone::of(event);
    let class = class_of(tone);
    let shape = match tone {
        EventTone::Red | EventTone::Green | EventTone::Refactor | EventTone::Commit => {
            format!("<circle class=\"dot {class}\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>")
        }
        EventTone::Revert => {
            let (left, right, up, down) = (x - 4, x + 4, y - 4, y + 4);
            format!(
                "<g class=\"cross {class}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"7\"/><path d=\"M{left} {up}L{right} {down}M{right} {up}L{left} {down}\"/></g>"
            )
        }
        EventTone::Denied => {
            let (left, right, up, down) = (x - 6, x + 6, y - 6, y + 6);
            format!(
                "<path class=\"dot {class}\" d=\"M{x} {up}L{right} {y}L{x} {down}L{left} {y}Z\"/>"
            )
        }
        EventTone::Quiet => {
            format!("<circle class=\"dot {class}\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>")
        }
    };
    let mut title = format!("cycle {}: {}", event.cycle, what(event));
    if let Some(tests) = event.tests {
        let _ = write!(title, ", {}", counts(tests));
    }
    if !event.note.is_empty() {
        let _ = write!(title, "\n{}", shortened(&event.note, 200));
    }
    format!(
        "<a href=\"#c{}\"><title>{}</title>{shape}</a>",
        event.cycle,
        Escaped(&title)
    )
}

/// The whole course of a long history: what was committed upwards, what was taken back downwards.
pub(super) fn course(course: &[Bucket]) -> String {
    let up = |bucket: &Bucket| bucket.red + bucket.green + bucket.refactor + bucket.other;
    let down = |bucket: &Bucket| bucket.reverts + bucket.denials;
    let most_up = course.iter().map(up).max().unwrap_or(0).max(1);
    let most_down = course.iter().map(down).max().unwrap_or(0);
    let (columns, height) = (course.len().max(1), most_up + most_down);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {} {height}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"commits upwards, reverts and denials downwards, oldest on the left\">",
        columns * 10
    );
    for (number, bucket) in course.iter().enumerate() {
        let x = number * 10 + 1;
        let mut y = most_up;
        for (class, amount) in [
            ("red", bucket.red),
            ("green", bucket.green),
            ("blue", bucket.refactor),
            ("plain", bucket.other),
        ] {
            y -= amount;
            svg.push_str(&cell(class, x, y, amount));
        }
        let mut y = most_up;
        for (class, amount) in [("amber", bucket.reverts), ("violet", bucket.denials)] {
            svg.push_str(&cell(class, x, y, amount));
            y += amount;
        }
    }
    svg.push_str("</svg>");
    format!("{svg}{}", ends(course))
}

fn cell(class: &str, x: usize, y: u64, height: u64) -> String {
    if height == 0 {
        return String::new();
    }
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"8\" height=\"{height}\"/>")
}

/// Passing, failing and skipped tests in the course of time, one above the other.
pub(super) fn tests(course: &[Bucket]) -> Option<String> {
    let counted: Vec<_> = course.iter().filter_map(|bucket| bucket.tests).collect();
    let all = |number: usize| {
        let tests = counted.get(number).copied().unwrap_or_default();
        [
            tests.passed,
            tests.passed + tests.failed,
            tests.passed + tests.failed + tests.skipped,
        ]
    };
    let most = (0..counted.len()).map(|number| all(number)[2]).max()?;
    if most == 0 || counted.len() < 2 {
        return None;
    }
    // A run counts until the next one, and some room is left above the most.
    const STEP: usize = 10;
    const UNIT: usize = 20;
    let (width, height) = (counted.len() * STEP, most * UNIT + most.div_ceil(2));
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"tests over time, at most {most}\">"
    );
    let level = |number: usize, layer: Option<usize>| {
        let tests = layer.and_then(|layer| all(number).get(layer).copied());
        height - tests.unwrap_or(0) * UNIT
    };
    for (layer, class) in [(2, "quiet"), (1, "red"), (0, "green")] {
        let edge = |layer: Option<usize>| {
            (0..counted.len()).flat_map(move |number| {
                let y = level(number, layer);
                [(number * STEP, y), ((number + 1) * STEP, y)]
            })
        };
        let upper: Vec<_> = edge(Some(layer)).collect();
        let mut lower: Vec<_> = edge(layer.checked_sub(1)).collect();
        lower.reverse();
        if upper.iter().rev().eq(lower.iter()) {
            continue;
        }
        let (upper, lower) = (points(&upper), points(&lower));
        let _ = write!(
            svg,
            "<polygon class=\"{class}\" points=\"{upper} {lower}\"/><polyline class=\"{class}\" points=\"{upper}\"/>"
        );
    }
    svg.push_str("</svg>");
    Some(format!(
        "<div class=\"scale\"><span>{most}</span><span>0</span></div>{svg}{}",
        ends(course)
    ))
}

fn points(points: &[(usize, usize)]) -> String {
    let points = points.iter().map(|(x, y)| format!("{x},{y}"));
    points.collect::<Vec<_>>().join(" ")
}

/// When the picture begins and ends: the days, or the times of the one day.
fn ends(course: &[Bucket]) -> String {
    let offset = clock::local_offset();
    let moment = |bucket: Option<&Bucket>| {
        let at = bucket.and_then(|bucket| clock::parse(&bucket.at));
        at.map(|at| clock::day_and_time(at, offset))
            .unwrap_or_default()
    };
    let (first, last) = (moment(course.first()), moment(course.last()));
    let (first, last) = match first.0 == last.0 {
        true => (format!("{} {}", first.0, first.1), last.1),
        false => (first.0, last.0),
    };
    format!("<div class=\"ends\"><span>{first}</span><span>{last}</span></div>")
}
