//! The words of `git tcr status`.

use super::{Message, Tone, count, outcome, path_list, phase, project_tests, spec};
use crate::branch::off::Off;
use crate::branch::state::{State, Stats, Waiver};
use crate::git::refs;
use crate::outcome::spec::CycleStatus;
use crate::rules::Mode;

/// Where the work on a branch stands.
pub(crate) struct Facts<'a> {
    pub(crate) base: String,
    /// The branch that HEAD is on.
    pub(crate) branch: String,
    pub(crate) state: &'a State,
    pub(crate) mode: Mode,
    /// Why nothing is done here, if so.
    pub(crate) off: Option<Off>,
    pub(crate) test_command: Option<String>,
    /// The test commands of projects, by their folders.
    pub(crate) project_tests: Vec<(&'a str, String)>,
    pub(crate) config_differs: bool,
    pub(crate) in_flight: bool,
    pub(crate) on_base_beside_wip: bool,
    /// How often unfinished work is kept.
    pub(crate) patience: u64,
    /// Where the spec cycle stands.
    pub(crate) cycle: Option<CycleStatus>,
    pub(crate) next_step: String,
}

/// The same at a glance, for a status line.
pub(crate) fn line(state: &State, mode: Mode, patience: u64) -> String {
    if mode == Mode::Off {
        return "tcr off".into();
    }
    let mut parts = vec![format!("tcr {}, cycle {}", state.phase, state.cycle)];
    parts.extend(state.test_results.as_ref().map(outcome::verdict_and_counts));
    parts.extend(
        state
            .kept
            .as_ref()
            .map(|kept| tries_left(patience, kept.spent)),
    );
    parts.join(" · ")
}

fn tries_left(patience: u64, spent: u64) -> String {
    let left = patience.saturating_sub(spent);
    format!("{} left", count(left as usize, "try", "tries"))
}

/// Where the work stands, and the next step.
pub(crate) fn message(facts: &Facts<'_>) -> Message {
    let mut message = Message::new(Tone::Plain, headline(facts));
    message.facts.extend(of_the_work(facts));
    message.facts.extend(of_the_moment(facts));
    if facts.config_differs {
        message = message
            .fact("`.tcr.toml` differs from what was accepted, and is not obeyed")
            .hint("git tcr install");
    }
    if facts.on_base_beside_wip {
        return message.hint(format!("git switch tcr/{}", facts.base));
    }
    match facts.off {
        Some(off) => {
            let (why, hint) = phase::off(off, &facts.base);
            message.fact(why).hint(hint)
        }
        None => message.hint(facts.next_step.clone()),
    }
}

fn headline(facts: &Facts<'_>) -> String {
    let (state, branch) = (facts.state, &facts.branch);
    match facts.mode {
        Mode::Off => format!("off on `{}`", facts.base),
        mode => format!(
            "phase `{}`, cycle {}, mode `{mode}`, on `{branch}`",
            state.phase, state.cycle
        ),
    }
}

/// What may be done, and what was done so far.
fn of_the_work(facts: &Facts<'_>) -> Vec<String> {
    let state = facts.state;
    let mut lines = Vec::new();
    if facts.mode != Mode::Off {
        let allowed = spec::allowed_in(state, facts.mode);
        lines.push(format!("may be written now: {allowed}"));
        lines.extend(allowed_once(state));
    }
    lines.extend(facts.cycle.iter().flat_map(spec::status));
    if let Some(results) = &state.test_results {
        lines.push(format!("last run: {}", outcome::results(results)));
    }
    if !state.known_failures.is_empty() {
        let known = count(state.known_failures.len(), "test", "tests");
        lines.push(format!("known to fail since before: {known}"));
    }
    if !state.awaited.is_empty() {
        let awaited: Vec<String> = state.awaited.iter().cloned().collect();
        lines.push(format!("awaited: {}", path_list(&awaited)));
    }
    if let Some(kept) = &state.kept {
        let left = tries_left(facts.patience, kept.spent);
        let paths = path_list(&kept.paths);
        lines.push(format!("kept ({}, {left}): {paths}", kept.why));
    }
    lines.push(so_far(&state.stats));
    lines
}

/// Paths that a person allowed to be changed, whatever the phase.
fn allowed_once(state: &State) -> Option<String> {
    let path = |waiver: &Waiver| refs::name_of_component(waiver.path.as_str().into()).to_string();
    let paths: Vec<String> = state.waivers.iter().map(path).collect();
    (!paths.is_empty()).then(|| format!("allowed once: {}", path_list(&paths)))
}

fn so_far(stats: &Stats) -> String {
    format!(
        "so far: {}, {} taken back, {}",
        count(stats.commits as usize, "commit", "commits"),
        stats.reverts,
        count(stats.denials as usize, "denial", "denials"),
    )
}

/// What the next command will run and find.
fn of_the_moment(facts: &Facts<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(command) = &facts.test_command {
        lines.push(format!("test command: `{command}`"));
    }
    if !facts.project_tests.is_empty() {
        let tests = project_tests(facts.project_tests.iter().cloned());
        lines.push(format!("tests of projects: {tests}"));
    }
    if let Some(lab) = &facts.state.lab {
        lines.push(match (&lab.no_lab, &lab.form) {
            (Some(why), _) => format!("no lab, so tests come first, or stubs: {why}"),
            (None, form) => format!("lab: {}", form.as_deref().unwrap_or("not tried")),
        });
    }
    if facts.state.step.is_some() {
        lines.push("a longer step is open; `git tcr run` ends it".into());
    }
    if facts.in_flight {
        lines.push("a command is at work, or was ended; the next one finishes it".into());
    }
    lines
}
