//! The evidence of a cycle as Markdown, for a pull request.

use std::fmt::Write as _;

use serde_json::Value;

use super::short_id;

/// The document for people.
pub(crate) fn markdown(statement: &Value) -> String {
    let tcr = &statement["predicate"]["tcr"];
    let mut out = format!("# Evidence: {}\n\n", text(&tcr["spec"]["id"]));
    for (name, value) in facts(tcr) {
        let _ = writeln!(out, "- **{name}**: {value}");
    }
    add_scenarios(&mut out, &tcr["scenarios"]);
    add_test_bugs(&mut out, &tcr["test_bugs"]);
    out
}

/// What happened, in its order.
fn facts(tcr: &Value) -> Vec<(&'static str, String)> {
    let (plan, red, green) = (&tcr["plan"], &tcr["red"], &tcr["green"]);
    let (spec, authors, validator) = (&tcr["spec"], &tcr["authors"], &tcr["validator"]);
    let mut facts = vec![(
        "Spec",
        format!(
            "`{}`, SHA-256 `{}`",
            text(&spec["path"]),
            text(&spec["hash"])
        ),
    )];
    if plan.is_object() {
        let by = names(&authors["plan"]);
        facts.push(("Plan", format!("`{}` by {by}", text(&plan["path"]))));
    }
    let failed = tests(red["failed"].as_array().map_or(0, Vec::len));
    facts.push(("Red", format!("{failed} failed at {}", id(&red["commit"]))));
    facts.push((
        "Certified",
        format!(
            "{} by {}, tests by {}",
            text(&validator["verdict"]),
            text(&validator["by"]),
            names(&authors["tests"])
        ),
    ));
    let notes = text(&validator["notes"]).trim();
    if !notes.is_empty() {
        facts.push(("Notes", notes.replace('\n', " ")));
    }
    let frozen = id(&tcr["oracle"]["commit"]);
    let base = text(&tcr["base"]);
    facts.push(("Frozen", format!("{frozen} on branch `{base}`")));
    facts.push((
        "Green",
        format!(
            "{} passed, {} failed, {} skipped at {}, source by {}",
            green["passed"],
            green["failed"],
            green["skipped"],
            id(&green["commit"]),
            names(&authors["source"])
        ),
    ));
    let lint = &tcr["lint"];
    let lint = match lint["clean"].as_bool() {
        None => "no lint command".into(),
        Some(true) => format!("clean: {}", text(&lint["command"])),
        Some(false) => format!("not clean: {}", text(&lint["command"])),
    };
    facts.push(("Lint", lint));
    facts.extend(proof(&tcr["proof"]));
    facts
}

/// What the way out found, each of it where it is true.
fn proof(proof: &Value) -> Vec<(&'static str, String)> {
    let place = |one: &Value| {
        format!(
            "`{}:{} {}`",
            text(&one["path"]),
            one["line"],
            text(&one["name"])
        )
    };
    let shown = |one: &Value| match one.as_str() {
        Some(test) => format!("`{test}`"),
        None if one["cycle"].is_u64() => names(&one["tests"]),
        None if list(&one["tests"]).is_empty() => place(one),
        None => format!("{} by {}", place(one), names(&one["tests"])),
    };
    let kinds = [
        ("Proven by", "proven"),
        ("Unproven", "unproven"),
        ("Needed", "needed"),
        ("Called, not checked", "called_not_checked"),
        ("Needed by no test", "untested"),
        ("Tests weakened", "tests_weakened"),
        ("Tests removed", "tests_removed"),
        ("Could not tell", "why_unknown"),
    ];
    let kinds = kinds.into_iter().filter_map(|(name, key)| {
        let items: Vec<String> = list(&proof[key]).iter().map(shown).collect();
        (!items.is_empty()).then(|| (name, items.join(", ")))
    });
    kinds.collect()
}

fn add_scenarios(out: &mut String, scenarios: &Value) {
    out.push_str("\n| scenario | tests |\n| --- | --- |\n");
    for covered in list(scenarios) {
        let tests: Vec<String> = list(&covered["tests"])
            .iter()
            .filter_map(Value::as_str)
            .map(|test| format!("`{}`", cell(test)))
            .collect();
        let scenario = cell(text(&covered["scenario"]));
        let _ = writeln!(out, "| {scenario} | {} |", tests.join(", "));
    }
}

fn add_test_bugs(out: &mut String, bugs: &Value) {
    let bugs = list(bugs);
    if !bugs.is_empty() {
        out.push_str("\n## Test bugs\n\n");
    }
    for bug in bugs {
        let _ = writeln!(
            out,
            "- {}: `{}:{}` {} (reported by {}, decided by {})",
            text(&bug["status"]),
            text(&bug["file"]),
            bug["line"],
            text(&bug["text"]),
            text(&bug["by"]),
            text(&bug["decided_by"])
        );
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn id(value: &Value) -> String {
    format!("`{}`", short_id(text(value)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn tests(number: usize) -> String {
    super::count(number, "test", "tests")
}

fn names(authors: &Value) -> String {
    let names: Vec<&str> = list(authors).iter().filter_map(Value::as_str).collect();
    match names.is_empty() {
        true => "nobody known".into(),
        false => names.join(", "),
    }
}
