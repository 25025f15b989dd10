//! The words of an audit: a table for the terminal, and Markdown for a job summary or a comment.

use std::fmt::Write as _;

use super::{Message, Tone, count, duration, path_list, short_id};
use crate::outcome::audit::{Audited, Document, Function, OldTest, Plan, Verdict};

/// More functions that are proven are not named one by one.
const MOST_PROVEN: usize = 12;

/// What was found.
pub(crate) fn audited(audited: &Audited) -> Message {
    let tone = match audited.verdict {
        Verdict::Proven | Verdict::Nothing => Tone::Good,
        Verdict::Wanting => Tone::Bad,
        Verdict::Unknown => Tone::Plain,
    };
    let range = &audited.range;
    let commits = count(range.commits, "commit", "commits");
    let headline = format!("{} ({commits}): {}", range.given, headline(audited.verdict));
    let mut message = Message::new(tone, headline);
    for document in &audited.changes {
        if let Some(commit) = &document.commit {
            let subject = document.subject.as_deref().unwrap_or_default();
            let verdict = word(document.verdict);
            message
                .facts
                .push(format!("{} {subject}: {verdict}", short_id(commit)));
        }
        let indent = if document.commit.is_some() { "  " } else { "" };
        let facts = facts(document).into_iter();
        message
            .facts
            .extend(facts.map(|fact| format!("{indent}{fact}")));
    }
    message.hints.extend(hint(audited));
    message
}

fn headline(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Nothing => "nothing in it asks for a test",
        Verdict::Proven => "all proven",
        Verdict::Unknown => "nothing speaks against it, and not all could be told",
        Verdict::Wanting => "not all is proven",
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Nothing => "nothing to ask",
        Verdict::Proven => "proven",
        Verdict::Unknown => "could not tell",
        Verdict::Wanting => "not proven",
    }
}

/// The questions with their answers, then what is worth a look.
fn facts(document: &Document) -> Vec<String> {
    if document.verdict == Verdict::Nothing {
        return Vec::new();
    }
    let mut facts: Vec<String> = questions(document)
        .into_iter()
        .map(|(question, answer)| format!("{question:<25} {answer}"))
        .collect();
    facts.extend(wanting(document));
    let proven = document.functions.iter().filter(|one| one.word == "proven");
    let proven: Vec<String> = proven.map(function).collect();
    facts.extend(proven.iter().take(MOST_PROVEN).cloned());
    if let Some(more) = proven
        .len()
        .checked_sub(MOST_PROVEN)
        .filter(|more| *more > 0)
    {
        facts.push(format!("… and {more} more functions proven"));
    }
    facts
}

/// The four questions, each with its answer.
fn questions(document: &Document) -> Vec<(&'static str, String)> {
    vec![
        ("does it work?", works(document)),
        ("did a test ask for it?", asked(document)),
        ("do old tests still hold?", old_tests(document)),
        ("is all of it tested?", needed(document)),
    ]
}

fn works(document: &Document) -> String {
    let works = &document.works;
    let known = match works.known_failures.len() {
        0 => String::new(),
        known => format!(", {known} failed before as well"),
    };
    let passing = count(works.passing, "test passes", "tests pass");
    match works.answer {
        "green" => format!("yes, {passing}{known}"),
        "not_green" => not_green(document),
        "not_asked" => "nothing to run for".into(),
        _ => format!("could not tell{}", because(document)),
    }
}

fn asked(document: &Document) -> String {
    let asked = &document.asked;
    match asked.answer {
        "proven" if asked.by.is_empty() => "proven by the functions".into(),
        "proven" => format!("yes: {}", path_list(&asked.by)),
        "unproven" => unproven(document),
        "nothing" => "nothing to ask for".into(),
        _ => format!("could not tell{}", because(document)),
    }
}

fn old_tests(document: &Document) -> String {
    let number = |wanted: &dyn Fn(&&OldTest) -> bool| {
        document
            .old_tests
            .iter()
            .filter(|test| wanted(test))
            .count()
    };
    let less = number(&|test| test.is_less());
    let unknown = number(&|test| test.fate == "unknown");
    let respecified = number(&|test| test.fate == "respecified");
    match (less, unknown) {
        (0, 0) if document.works.answer == "unknown" => "could not tell".into(),
        (0, 0) if respecified > 0 => format!("yes, {respecified} ask for something else now"),
        (0, 0) => "yes".into(),
        (0, unknown) => format!("could not tell of {unknown}"),
        (less, _) => format!("no, {}", count(less, "checks less", "check less")),
    }
}

fn needed(document: &Document) -> String {
    let all = document.functions.len();
    let proven = document.functions.iter().filter(|one| one.word == "proven");
    match (all, proven.count()) {
        (0, _) => "no function was added or changed".into(),
        (all, proven) if all == proven => {
            format!("yes, {}", count(all, "function", "functions"))
        }
        (all, proven) => format!("{proven} of {}", count(all, "function", "functions")),
    }
}

fn because(document: &Document) -> String {
    match (&document.no_answer, document.why_unknown.as_slice()) {
        (Some(words), _) => format!(": {}", words.lines().next().unwrap_or_default()),
        (None, []) => String::new(),
        (None, why) => {
            let said: Vec<&str> = why.iter().map(|why| gap(why)).collect();
            format!(": {}", said.join("; "))
        }
    }
}

/// What is not as it should be, a line each.
fn wanting(document: &Document) -> Vec<String> {
    let tests = document.old_tests.iter();
    let tests = tests.filter(|test| test.is_less() || test.fate == "unknown");
    let functions = document.functions.iter().filter(|one| one.word != "proven");
    let harness = document.harness_changed.iter();
    tests
        .map(old_test)
        .chain(functions.map(function))
        .chain(harness.map(|path| harness_line(path)))
        .collect()
}

fn harness_line(path: &str) -> String {
    harness(path)
}

/// A file that steers the tests.
pub(crate) fn harness(path: &str) -> String {
    format!("{path}: steers how the tests are found or run, and changed")
}

/// Tests fail.
pub(crate) fn not_green(document: &Document) -> String {
    match document.works.failing.as_slice() {
        [] => "no, the tests do not come to an end".into(),
        failing => format!("no, failing: {}", path_list(failing)),
    }
}

/// Its tests pass without it.
pub(crate) fn unproven(document: &Document) -> String {
    match document.asked.but.as_slice() {
        [] => "no: every test passes without it".into(),
        tests => format!("no, these pass without the source: {}", path_list(tests)),
    }
}

/// What became of a test.
pub(crate) fn old_test(test: &OldTest) -> String {
    let name = match &test.file {
        Some(file) => format!("{file} {}", test.test),
        None => test.test.clone(),
    };
    let what = match test.fate {
        "weakened" => "weakened: it passes where it failed before".to_owned(),
        "removed" => "removed, and its code is still there".to_owned(),
        "skipped" => "skipped now".to_owned(),
        "not_run" => "no longer run".to_owned(),
        _ => format!("unknown: {}", gap(test.why.unwrap_or_default())),
    };
    format!("{name}: {what}")
}

/// What is known of a function.
pub(crate) fn function(one: &Function) -> String {
    let place = format!("{}:{} {}", one.path, one.line, one.name);
    let tests = path_list(&one.tests);
    match one.word {
        "proven" => format!("{place}: proven by {tests}"),
        "called_not_checked" => {
            format!("{place}: called, not checked: {tests} pass with an empty value in its place")
        }
        "untested" => format!("{place}: untested: every test passes without it"),
        _ => format!("{place}: unknown: {}", gap(one.why.unwrap_or_default())),
    }
}

/// Why nobody can tell.
fn gap(name: &str) -> &'static str {
    match name {
        "no_lab" => "there is no place to run experiments",
        "no_time" => "the time was up",
        "broken" => "the run broke off",
        "void" => "files changed while the tests ran",
        "not_hollow" => "its language can't be taken apart",
        "unconfirmed" => "the runner does not say which tests ran",
        "cant_load" => "the tests can't be loaded without it",
        "not_run" => "the tests were not run",
        "tests_gone" => "none of its tests is left",
        "not_green" => "the tests do not pass",
        "environment" => "a package is missing",
        "nothing_measured" => "no test ran",
        "rounds" => "there would have been more to ask",
        "not_believed" => "a broken program made no test fail",
        _ => "no answer",
    }
}

fn hint(audited: &Audited) -> Option<String> {
    let is_why = |why: &[&str]| {
        let mut documents = audited.changes.iter();
        documents.any(|one| one.why_unknown.iter().any(|name| why.contains(name)))
    };
    match audited.verdict {
        Verdict::Nothing | Verdict::Proven => None,
        Verdict::Wanting => {
            Some("write a test that fails without the code, then `git tcr audit`".into())
        }
        Verdict::Unknown if is_why(&["no_lab", "environment", "nothing_measured", "broken"]) => {
            Some("`git tcr audit --setup CMD` makes a fresh checkout ready, e.g. `npm ci`".into())
        }
        Verdict::Unknown if is_why(&["no_time"]) => {
            Some("give it more time: `git tcr audit --budget 30m`".into())
        }
        Verdict::Unknown => Some("`git tcr audit --json` has all that is known".into()),
    }
}

/// What a rule of code scanning is about.
pub(crate) fn rule(id: &str) -> &'static str {
    match id {
        "not-green" => "The tests do not pass",
        "unproven" => "The tests of the change pass without its source",
        "weakened" => "A test checks less than before",
        "removed" => "A test was removed, and its code is still there",
        "skipped" => "A test is skipped now",
        "not_run" => "A test is no longer run",
        "untested" => "No test needs this function",
        "called_not_checked" => "Tests call this function and do not check what it does",
        "harness" => "What steers the tests changed",
        _ => "It could not be told",
    }
}

/// What can be done at once.
pub(crate) fn plan(plan: &Plan) -> Message {
    let number = count(plan.experiments.len(), "experiment", "experiments");
    let range = &plan.range.given;
    let mut message = Message::new(Tone::Plain, format!("{range}: {number} at once"));
    for one in &plan.experiments {
        message
            .facts
            .push(format!("{:<16} {}", one.id, one.question));
    }
    message.hint("git tcr audit --run ID --out FILE, then git tcr audit --merge FILE…")
}

/// What it will cost, before anything runs.
pub(crate) fn estimate(changes: usize, functions: usize) -> String {
    let each = match changes {
        1 => String::new(),
        many => format!("{many} commits, for each "),
    };
    format!(
        "{each}at most four runs of the suite, the rest aimed; {} to ask about",
        count(functions, "function", "functions")
    )
}

/// What runs now, and how long the rest may take.
pub(crate) fn running(number: usize, what: &str, left_ms: Option<u64>) -> String {
    match left_ms {
        Some(left) => format!("{number}. {what} (at most {} left)", duration(left)),
        None => format!("{number}. {what}"),
    }
}

/// The same as Markdown.
pub(crate) fn markdown(audited: &Audited) -> String {
    let mut text = format!(
        "### `git tcr audit {}`: {}\n\n",
        audited.range.given,
        headline(audited.verdict)
    );
    for document in &audited.changes {
        if let Some(commit) = &document.commit {
            let subject = document.subject.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "**{} {}**: {}\n",
                short_id(commit),
                plain(subject),
                word(document.verdict)
            );
        }
        if document.verdict == Verdict::Nothing {
            continue;
        }
        text.push_str("| question | answer |\n| --- | --- |\n");
        for (question, answer) in questions(document) {
            let _ = writeln!(text, "| {question} | {} |", cell(&answer));
        }
        text.push('\n');
        for line in wanting(document) {
            let _ = writeln!(text, "- {}", plain(&line));
        }
        let proven = document.functions.iter().filter(|one| one.word == "proven");
        let proven: Vec<String> = proven.map(function).collect();
        if !proven.is_empty() {
            let number = count(proven.len(), "function", "functions");
            let _ = writeln!(text, "\n<details><summary>{number} proven</summary>\n");
            for line in proven {
                let _ = writeln!(text, "- {}", plain(&line));
            }
            text.push_str("\n</details>\n");
        }
        text.push('\n');
    }
    text
}

/// Text that no sign of Markdown steers.
fn plain(text: &str) -> String {
    let mut safe = String::new();
    let mut is_code = false;
    for sign in text.chars() {
        is_code ^= sign == '`';
        if !is_code && matches!(sign, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '@') {
            safe.push('\\');
        }
        safe.push(sign);
    }
    safe
}

fn cell(text: &str) -> String {
    plain(text).replace('|', "\\|").replace('\n', " ")
}
