//! The first `.tcr.toml` of a repository.

use std::fmt::Write;

use crate::detect::{Candidate, Detected, FoundProject};

/// A first `.tcr.toml`, short enough to be read, with the detected commands in it.
///
/// A lint command is only proposed: a project that is not clean yet could commit nothing.
pub(crate) fn render_first(detected: &Detected) -> String {
    let mut out = String::from(
        "# git tcr: failing test first, green is committed, red is taken back after a few tries.\n\
         # A change here takes effect when a person runs `git tcr install` again.\n\n",
    );
    out.push_str(&test_lines(detected));
    out.push_str(
        "\n\
         # How much is enforced: \"both\" (gate and loop), \"tdd\" (gate only), \"tcr\" (loop only),\n\
         # \"relaxed\" (only frozen is taken back), \"observe\" (only records) or \"off\".\n\
         mode = \"both\"\n\
         \n\
         # How many tries failing work has before it is taken back; 0 for strict TCR: at once.\n\
         patience = 5\n\
         \n\
         # How long one test run may take, in seconds.\n\
         timeout_s = 120\n",
    );
    out.push_str(
        "\n\
         # Which files are tests; the usual names of every common language are built in.\n\
         # tests = [\"tests/**\", \"*_test.py\"]\n\
         \n\
         # Files that are always writable and never judged: generated code, migrations.\n\
         # exempt = [\"generated/**\"]\n",
    );
    if let Some(lint) = &detected.lint {
        let (why, command) = (one_line(&lint.why), quoted(&lint.command));
        out.push_str("\n# A command that must be clean before a commit. ");
        let _ = write!(out, "Found: {why}.\n# lint = {command}\n");
    }
    for project in own_projects(detected) {
        out.push_str(&project_lines(project));
    }
    out
}

/// Projects become part of the config only where no command at the root runs their tests.
fn own_projects(detected: &Detected) -> impl Iterator<Item = (&FoundProject, &Candidate)> {
    detected
        .projects
        .iter()
        .filter(|project| !project.covered)
        .filter_map(|project| project.test.as_ref().map(|test| (project, test)))
}

fn test_lines(detected: &Detected) -> String {
    let Some(test) = &detected.test else {
        let what = match own_projects(detected).next() {
            Some(_) => "# How to run the tests that are in none of the projects below.",
            None => "# How to run the tests. Nothing was detected: please fill it in.",
        };
        return format!("{what}\n# test = \"make test\"\n");
    };
    let (why, command) = (one_line(&test.why), quoted(&test.command));
    let whence = match test.file.is_empty() {
        true => format!("How to run the tests, {why}."),
        false => format!("How to run the tests. Found: {why}."),
    };
    let mut lines = format!("# {whence}\ntest = {command}\n");
    let others = detected.candidates.iter().filter(|other| *other != test);
    for other in others.take(3) {
        let (why, command) = (one_line(&other.why), quoted(&other.command));
        let _ = writeln!(lines, "# or: test = {command}  ({why})");
    }
    lines
}

fn project_lines((project, test): (&FoundProject, &Candidate)) -> String {
    format!(
        "\n# Found: {}.\n[[project]]\npath = {}\ntest = {}\n",
        one_line(&test.why),
        quoted(&project.path),
        quoted(&test.command)
    )
}

/// A TOML string on one line, so that it can stand in a comment too.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Text that can't end the comment it stands in.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
