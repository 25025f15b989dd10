//! The words for findings in tests and changes.

use crate::outcome::smells::{Smell, Smells};
use crate::rules::smell::{ASSERTIONS, BEHAVIOURS, MOCKS, Rule, Severity};
use crate::rules::timeline::OutOfOrder;
use crate::smells::{AllowProblem, BadAllow, Finding, Trouble};

use super::{Message, Tone, count, short_id};

/// Why a finding is one.
pub(crate) fn why(finding: &Finding) -> String {
    let test = match &finding.test {
        Some(name) => format!("test `{name}`"),
        None => "this".to_owned(),
    };
    let quoted = &finding.quoted;
    match finding.rule {
        Rule::NoAssertion => format!("{test} looks at nothing that comes of it"),
        Rule::Tautology => format!("`{quoted}` can't fail"),
        Rule::SkippedTest => format!("`{quoted}`: {test} does not run"),
        Rule::FocusedTest => format!("`{quoted}` keeps all other tests from running"),
        Rule::SleepingTest => format!("`{quoted}`: {test} waits for the clock"),
        Rule::ManyMocks => format!("{test} has {} mocks (more than {MOCKS})", finding.count),
        Rule::ManyAssertions => format!(
            "{test} has {} assertions (more than {ASSERTIONS})",
            finding.count
        ),
        Rule::ManyBehaviours => format!(
            "{test} acts and asserts {} times (more than {BEHAVIOURS})",
            finding.count
        ),
        Rule::CopiedValue => format!("`{quoted}` is what a test expects, for the test's own input"),
        Rule::TestAwareSource => format!("`{quoted}`: what is tested is not what runs"),
        Rule::ImplementationFirst | Rule::TestAfter | Rule::UnaskedSource => quoted.clone(),
    }
}

/// Why the order of work is a finding.
pub(crate) fn why_out_of_order(found: &OutOfOrder) -> String {
    let counterpart = found.counterpart.as_deref();
    match (found.rule, counterpart, found.lines) {
        (Rule::UnaskedSource, _, Some((source, tests))) => format!(
            "{} of source for {} of tests",
            count(source, "line", "lines"),
            count(tests, "line", "lines")
        ),
        (Rule::TestAfter, Some(source), _) => format!("it came after `{source}`, which it tests"),
        (Rule::TestAfter, None, _) => "its new tests passed at once".into(),
        (_, Some(test), _) => format!("it was there before its test `{test}`"),
        (_, None, _) => "it was there before any test for it".into(),
    }
}

/// What to do about a finding.
pub(crate) fn fix(rule: Rule) -> &'static str {
    match rule {
        Rule::ImplementationFirst => "write the failing test first, then the code that passes it",
        Rule::TestAfter => "break the code once and see the test fail",
        Rule::UnaskedSource => "take out what no test needs, or write the test that needs it",
        Rule::CopiedValue => "compute the value; a second example in the test forces it",
        Rule::TestAwareSource => "pass in what has to differ",
        Rule::NoAssertion => {
            "assert what the call is to bring about, or say in its name what it is for"
        }
        Rule::Tautology => "compare what the code gave with what it should give",
        Rule::SkippedTest => "make it run, or delete it",
        Rule::FocusedTest => "let the others run too",
        Rule::SleepingTest => "wait for the event itself, or pass in a clock",
        Rule::ManyMocks => "test with the real parts, or split what needs so many",
        Rule::ManyAssertions | Rule::ManyBehaviours => "one test per behaviour",
    }
}

/// Why a file was not looked at as a whole.
pub(crate) fn trouble(path: &str, trouble: Trouble) -> String {
    match trouble {
        Trouble::TooLarge => format!("`{path}` is too large to be looked at"),
        Trouble::NotText => format!("`{path}` is not UTF-8, and was not looked at"),
        Trouble::DoesNotParse { line } => format!(
            "`{path}` does not parse at line {line}; it was looked at as far as it could be read"
        ),
        Trouble::TooComplex => format!("`{path}` is too complex to be looked at"),
    }
}

/// A file that was named and can't be looked at.
pub(crate) fn unknown_language(path: &str) -> String {
    format!("`{path}` is in no language that can be looked at")
}

/// A comment that does not count.
pub(crate) fn bad_allow(path: &str, bad: &BadAllow) -> String {
    let line = bad.line;
    match &bad.problem {
        AllowProblem::NoReason(rule) => {
            let name = rule.name();
            format!(
                "`{path}:{line}` gives no reason, so it allows nothing: `tcr:allow {name}: REASON`"
            )
        }
        AllowProblem::UnknownRule(name) => {
            format!("`{path}:{line}` allows nothing: there is no rule `{name}`")
        }
    }
}

/// All that was found.
pub(crate) fn smells(smells: &Smells) -> Message {
    let looked_at = format!(
        "{} in {}",
        count(smells.tests, "test", "tests"),
        count(smells.files, "file", "files")
    );
    let headline = match smells.findings.len() {
        0 => format!("nothing found; looked at {looked_at}"),
        found => format!(
            "{}, {}; looked at {looked_at}",
            count(found, "finding", "findings"),
            blocking(smells.blocking())
        ),
    };
    let tone = match (smells.findings.is_empty(), smells.blocking()) {
        (true, _) => Tone::Good,
        (false, 0) => Tone::Plain,
        (false, _) => Tone::Bad,
    };
    let mut message = Message::new(tone, headline);
    for smell in &smells.findings {
        message = message.fact(line(smell)).fact(format!("  {}", smell.fix));
    }
    if smells.allowed > 0 {
        let allowed = count(smells.allowed, "finding is", "findings are");
        message = message.fact(format!("{allowed} allowed by a comment with a reason"));
    }
    message.facts.extend(smells.notes.iter().cloned());
    if !smells.findings.is_empty() {
        message = message.hint(
            "mend them; or say why not, in a comment: `tcr:allow RULE: REASON`; or `[smells]` in `.tcr.toml`",
        );
    }
    message
}

fn blocking(number: usize) -> String {
    match number {
        0 => "none blocks a commit".into(),
        1 => "1 blocks a commit".into(),
        number => format!("{number} block a commit"),
    }
}

fn line(smell: &Smell) -> String {
    let at = match smell.line {
        0 => smell.file.clone(),
        line => format!("{}:{line}", smell.file),
    };
    let commit = match &smell.commit {
        Some(commit) => format!(" (`{}`)", short_id(commit)),
        None => String::new(),
    };
    let rule = smell.rule.name();
    format!(
        "{at}: {} {rule}: {}{commit}",
        smell.severity.name(),
        smell.why
    )
}

/// The new findings of a step, in one line.
pub(crate) fn in_one_line(findings: &[Smell]) -> Option<String> {
    const NAMED: usize = 3;
    if findings.is_empty() {
        return None;
    }
    let named: Vec<String> = findings
        .iter()
        .take(NAMED)
        .map(|smell| {
            let at = match smell.line {
                0 => smell.file.clone(),
                line => format!("{}:{line}", smell.file),
            };
            format!("`{at}` {} ({})", smell.rule.name(), smell.severity.name())
        })
        .collect();
    let more = match findings.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("smells: {}{more}", named.join(", ")))
}

/// What has to be mended before a step is committed, a line each.
pub(crate) fn to_mend(findings: &[Smell]) -> Vec<String> {
    let blocking = findings
        .iter()
        .filter(|smell| smell.severity == Severity::Block);
    blocking
        .map(|smell| {
            format!(
                "{}:{}: {}; {}",
                smell.file, smell.line, smell.why, smell.fix
            )
        })
        .collect()
}
