//! The evidence of a cycle as Markdown, for a pull request.

use std::fmt::Write as _;

use serde_json::Value;

use super::short_id;

/// The document for people.
pub(crate) fn markdown(statement: &Value) -> String {
    let predicate = &statement["predicate"];
    let tcr = &predicate["tcr"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let id = |value: &Value| format!("`{}`", short_id(value.as_str().unwrap_or_default()));
    let mut out = format!("# Evidence: {}\n\n", text(&tcr["spec"]["id"]));
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "- **{name}**: {value}");
    };
    row(
        "Spec",
        format!(
            "`{}`, SHA-256 `{}`",
            text(&tcr["spec"]["path"]),
            text(&tcr["spec"]["hash"])
        ),
    );
    if tcr["plan"].is_object() {
        row(
            "Plan",
            format!(
                "`{}` by {}",
                text(&tcr["plan"]["path"]),
                names(&tcr["authors"]["plan"])
            ),
        );
    }
    row(
        "Red",
        format!(
            "{} failed at {}",
            tests(tcr["red"]["failed"].as_array().map_or(0, Vec::len)),
            id(&tcr["red"]["commit"])
        ),
    );
    row(
        "Certified",
        format!(
            "{} by {}, tests by {}",
            text(&tcr["validator"]["verdict"]),
            text(&tcr["validator"]["by"]),
            names(&tcr["authors"]["tests"])
        ),
    );
    let notes = text(&tcr["validator"]["notes"]);
    if !notes.trim().is_empty() {
        row("Notes", notes.trim().replace('\n', " "));
    }
    row(
        "Frozen",
        format!(
            "{} on branch `{}`",
            id(&tcr["oracle"]["commit"]),
            text(&tcr["base"])
        ),
    );
    row(
        "Green",
        format!(
            "{} passed, {} failed, {} skipped at {}, source by {}",
            tcr["green"]["passed"],
            tcr["green"]["failed"],
            tcr["green"]["skipped"],
            id(&tcr["green"]["commit"]),
            names(&tcr["authors"]["source"])
        ),
    );
    row(
        "Lint",
        match tcr["lint"]["clean"].as_bool() {
            None => "no lint command".into(),
            Some(true) => format!("clean: {}", text(&tcr["lint"]["command"])),
            Some(false) => format!("not clean: {}", text(&tcr["lint"]["command"])),
        },
    );
    out.push_str("\n| scenario | tests |\n| --- | --- |\n");
    for covered in tcr["scenarios"].as_array().into_iter().flatten() {
        let tests: Vec<String> = covered["tests"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|test| format!("`{}`", cell(test)))
            .collect();
        let _ = writeln!(
            out,
            "| {} | {} |",
            cell(&text(&covered["scenario"])),
            tests.join(", ")
        );
    }
    let bugs = tcr["test_bugs"].as_array().map_or(&[][..], Vec::as_slice);
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
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn tests(number: usize) -> String {
    super::count(number, "test", "tests")
}

fn names(list: &Value) -> String {
    let names: Vec<&str> = list
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    match names.is_empty() {
        true => "nobody known".into(),
        false => names.join(", "),
    }
}
