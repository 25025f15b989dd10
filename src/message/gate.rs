//! The gate's "no", with its reason and the way on.

use super::phase::next_step;
use super::{Message, Tone, step};
use crate::error::Error;
use crate::outcome::gate::{Denial, Objection, TestPlace, Way};
use crate::rules::Phase;
use crate::rules::shell_gate::DenyReason as CommandDenial;
use crate::rules::write_gate::{DenyReason, FrozenBy};

/// A tool call that was denied: what, why, the state it was decided on, the allowed next steps.
pub(crate) fn denial(denial: &Denial) -> Message {
    let (headline, why, hint) = match &denial.objection {
        Objection::Write {
            shown,
            class,
            reason,
            way,
            ..
        } => {
            let (why, hint) = write_denial(*reason, denial.phase, way.as_ref());
            (
                format!(
                    "denied: `{shown}` ({}) may not be written now",
                    class.name()
                ),
                why,
                hint,
            )
        }
        Objection::Command(reason) => {
            let (why, hint) = command_denial(reason);
            ("denied: this command may not be run here".into(), why, hint)
        }
        Objection::Unparsed(why) => (
            "denied: this command can't be understood before it runs".into(),
            why.clone(),
            "write it in a simpler way, or in several calls".into(),
        ),
        Objection::UnreadablePatch => (
            "denied: this patch names no file".into(),
            "what it would change can't be judged".into(),
            "name each file: `*** Update File: PATH`".into(),
        ),
    };
    let state = format!(
        "phase `{}`, mode `{}`, branch `{}`",
        denial.phase, denial.mode, denial.branch
    );
    let mut message = Message::new(Tone::Bad, headline).fact(why).fact(state);
    if let Some(diff) = &denial.drift {
        message = message.fact(beginning(diff));
    }
    message.hint(hint)
}

/// The first lines of a text, up to some words: a denial is to be read at a glance.
fn beginning(text: &str) -> String {
    const MOST_WORDS: usize = 30;
    let mut words = 0;
    let lines = text.lines().take_while(|line| {
        words += line.split_whitespace().count();
        words <= MOST_WORDS
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn write_denial(reason: DenyReason, phase: Phase, way: Option<&Way>) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    match reason {
        DenyReason::Protected => (
            "it steers git tcr, git or the client's hooks: only people write it".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: true } => (
            "the spec is frozen: a person supersedes it with another one".into(),
            ask,
        ),
        DenyReason::SpecSettled { frozen: false } => (
            "the spec is settled: it is written in `plan`".into(),
            next_step(phase).into(),
        ),
        DenyReason::PlanFirst => (
            "tests and source wait for the plan".into(),
            next_step(Phase::Plan).into(),
        ),
        DenyReason::NoFailingTest { content_unknown } => unasked(content_unknown, way),
        DenyReason::FailingTestElsewhere => (
            "the failing test is another project's".into(),
            match way {
                Some(Way::MakePass(test)) => format!("make `{test}` pass first"),
                _ => "make the failing test pass first".into(),
            },
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::FailingTest,
        } => (
            frozen(
                way,
                "tests that are there wait until the failing ones pass; new ones may be added",
            ),
            "`git tcr phase red --why TEXT`".into(),
        ),
        DenyReason::TestsFrozen {
            by: FrozenBy::Oracle,
        } => (
            frozen(way, "the certified tests are frozen until they pass"),
            step::WRONG_CERTIFIED_TEST.into(),
        ),
        DenyReason::OracleDrifted => (
            "spec or frozen tests differ from what was certified".into(),
            "git tcr run".into(),
        ),
        DenyReason::TestBugOpen => (
            "a test was reported as wrong: a person decides first".into(),
            ask,
        ),
    }
}

/// Source that no test asks for.
fn unasked(content_unknown: bool, way: Option<&Way>) -> (String, String) {
    let what = match content_unknown {
        true => "and that it is only a stub can't be seen",
        false => "and it is more than a stub",
    };
    match way {
        Some(Way::MendTest { file, line }) => (
            format!("the changed test does not parse, {what}"),
            format!("fix `{file}:{line}` first"),
        ),
        Some(Way::Refactor) => (
            format!(
                "no changed test asks for it, {what}; reshaping is declared, new behaviour begins \
                 with its test"
            ),
            "`git tcr phase refactor`".into(),
        ),
        Some(Way::WriteTest(TestPlace::File(file))) => (
            format!("no changed test asks for it, {what}"),
            format!("write a failing test in `{file}`"),
        ),
        Some(Way::WriteTest(TestPlace::Inside(file))) => (
            format!("no changed test asks for it, {what}"),
            format!("write a failing test in `{file}` itself, or below `tests/`"),
        ),
        Some(Way::WriteTest(TestPlace::Anywhere) | Way::MakePass(_) | Way::Steers(_)) | None => (
            format!("no changed test asks for it, {what}"),
            "write a failing test".into(),
        ),
    }
}

fn frozen(way: Option<&Way>, why: &str) -> String {
    match way {
        Some(Way::Steers(keys)) => {
            let keys: Vec<String> = keys.iter().take(3).map(|key| format!("`{key}`")).collect();
            format!("{} steers the tests; {why}", keys.join(", "))
        }
        _ => why.to_owned(),
    }
}

fn command_denial(reason: &CommandDenial) -> (String, String) {
    let ask = "ask the person at the keyboard".to_owned();
    let run = "git tcr run".to_owned();
    match reason {
        CommandDenial::LosesWork => (
            "it would overwrite or throw away work that is not committed".into(),
            "git tcr recover green".into(),
        ),
        CommandDenial::MovesBranch => ("it would move the branch under git tcr".into(), run),
        CommandDenial::LeavesWipBranch => ("it would leave the WIP branch".into(), ask),
        CommandDenial::RewritesHistory => ("it would rewrite recorded steps".into(), run),
        CommandDenial::SkipsHooks => ("it would pass by the hooks".into(), run),
        CommandDenial::ChangesConfig { key: Some(key) } => (
            format!("it would change `{key}`, which hooks and records depend on"),
            ask,
        ),
        CommandDenial::ChangesConfig { key: None } => (
            "it would change config that hooks and records depend on".into(),
            ask,
        ),
        CommandDenial::ChangesRecords => (
            "refs and notes of git tcr change through git tcr alone".into(),
            run,
        ),
        CommandDenial::ChangesWipBranch => (
            "the WIP branch and its base move through git tcr alone".into(),
            run,
        ),
        CommandDenial::PublishesWip => ("the WIP branch does not leave this machine".into(), ask),
        CommandDenial::DropsRecovery => ("it would make recovery impossible".into(), ask),
        CommandDenial::HidesChanges => ("it would hide changes from git".into(), run),
        CommandDenial::OtherWorktree => ("it would work outside the guarded worktree".into(), ask),
        CommandDenial::ForeignRepository => (
            "it would point git at something else".into(),
            "run git in the repository itself".into(),
        ),
        CommandDenial::RunsHook => ("hooks are run by git and by the client".into(), run),
        CommandDenial::PeoplesCommand { command } => {
            (format!("`git tcr {command}` is for people"), ask)
        }
        CommandDenial::NotTheCaller {
            identity: Some(identity),
        } => (
            format!("tests are certified under the identity of this very call, `{identity}`"),
            format!("git tcr freeze --verdict pass --by {identity}"),
        ),
        CommandDenial::NotTheCaller { identity: None } => (
            "this client can't tell its agents apart: only a person or `--auto` may freeze".into(),
            "git tcr freeze --auto".into(),
        ),
        CommandDenial::Disarms(_) => ("it would disarm git tcr".into(), ask),
    }
}

/// The gate itself failed: that is a denial, and the person has a way out.
pub(crate) fn failed(error: &Error) -> String {
    let mut message = super::error(error);
    message.headline = format!("denied: {}", message.headline);
    message
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .plain()
}

/// The gate was called for something that is not the moment before a tool call.
pub(crate) fn misused() -> String {
    Message::new(
        Tone::Bad,
        "denied: the gate is for the moment before a tool call",
    )
    .hint("git tcr install")
    .plain()
}

/// The gate did not come to an answer in time.
pub(crate) fn too_slow(seconds: u64) -> String {
    Message::new(Tone::Bad, format!("denied: not judged within {seconds} s"))
        .fact("a person can switch the hooks off with `GIT_TCR=off` in the client's environment")
        .hint("try it again, in several smaller calls")
        .plain()
}

/// A client's message that can't be read.
pub(crate) fn unreadable_payload(why: &str) -> String {
    Message::new(
        Tone::Bad,
        format!("denied: the client's message can't be read: {why}"),
    )
    .hint("update git tcr, or ask the person at the keyboard")
    .plain()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Mode, PathClass};

    fn text(reason: DenyReason, way: Option<Way>) -> String {
        let long = "packages/billing/src/main/java/com/example/billing/TaxCalculator.java";
        let objection = Objection::Write {
            path: long.into(),
            shown: long.into(),
            class: PathClass::Source,
            reason,
            way,
        };
        let made = denial(&Denial {
            objection,
            phase: Phase::Red,
            mode: Mode::Both,
            branch: "tcr/feature/a-rather-long-name".into(),
            drift: Some("--- a\n+++ b\n".repeat(40)),
        });
        assert_eq!(made.hints.len(), 1, "one way on");
        made.plain()
    }

    #[test]
    fn a_denial_is_short_and_names_one_way_on() {
        let unasked = DenyReason::NoFailingTest {
            content_unknown: true,
        };
        let frozen = |by| DenyReason::TestsFrozen { by };
        let mend = Way::MendTest {
            file: "tests/test_a.py".into(),
            line: 3,
        };
        let place = |place| Some(Way::WriteTest(place));
        let keys = [
            "scripts.test",
            "jest.testMatch",
            "jest.setupFiles",
            "jest.roots",
        ];
        let table = [
            (DenyReason::Protected, None, "ask the person"),
            (unasked, Some(mend), "fix `tests/test_a.py:3` first"),
            (unasked, Some(Way::Refactor), "`git tcr phase refactor`"),
            (
                unasked,
                place(TestPlace::File("tests/test_tax.py".into())),
                "in `tests/test_tax.py`",
            ),
            (
                unasked,
                place(TestPlace::Inside("src/tax.rs".into())),
                "in `src/tax.rs` itself",
            ),
            (unasked, place(TestPlace::Anywhere), "write a failing test"),
            (
                DenyReason::FailingTestElsewhere,
                Some(Way::MakePass("a > tests/x.py::y".into())),
                "make `a > tests/x.py::y` pass",
            ),
            (
                frozen(FrozenBy::FailingTest),
                Some(Way::Steers(keys.map(str::to_owned).to_vec())),
                "`git tcr phase red --why TEXT`",
            ),
            (frozen(FrozenBy::Oracle), None, "git tcr test-bug"),
            (DenyReason::OracleDrifted, None, "git tcr run"),
            (DenyReason::PlanFirst, None, "git tcr plan"),
            (DenyReason::TestBugOpen, None, "ask the person"),
            (
                DenyReason::SpecSettled { frozen: false },
                None,
                "git tcr run",
            ),
        ];
        for (reason, way, expected) in table {
            let text = text(reason, way);
            assert!(text.contains(expected), "{text}");
            let words = text.split_whitespace().count();
            assert!(words * 14 <= 120 * 10, "{words} words:\n{text}");
        }
    }
}
