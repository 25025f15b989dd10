//! What a run of the lint command comes to.

use super::verdict::Exit;

/// What a run of the lint command comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LintVerdict {
    /// Nothing to fix.
    Clean,
    /// It found something.
    Findings,
    /// It said nothing about the code, for this reason.
    Failed(String),
}

/// Reads the end of the lint command. A linter that is missing or was cut short found nothing out,
/// and that is not the same as finding nothing.
pub fn lint_verdict(exit: &Exit) -> LintVerdict {
    match exit {
        Exit::Code(0) => LintVerdict::Clean,
        Exit::Code(126) => LintVerdict::Failed("it can't be executed".into()),
        Exit::Code(127) => LintVerdict::Failed("it was not found".into()),
        Exit::Code(_) => LintVerdict::Findings,
        Exit::Signal(number) => LintVerdict::Failed(format!("it was killed by signal {number}")),
        Exit::Timeout => LintVerdict::Failed("it took longer than `timeout_s`".into()),
        Exit::NotStarted(why) => LintVerdict::Failed(why.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_exit_of_its_own_says_something_about_the_code() {
        assert_eq!(lint_verdict(&Exit::Code(0)), LintVerdict::Clean);
        for code in [1, 2, 101, 255] {
            assert_eq!(lint_verdict(&Exit::Code(code)), LintVerdict::Findings);
        }
        for exit in [
            Exit::Code(126),
            Exit::Code(127),
            Exit::Signal(9),
            Exit::Timeout,
            Exit::NotStarted("no such folder".into()),
        ] {
            let verdict = lint_verdict(&exit);
            assert!(
                matches!(verdict, LintVerdict::Failed(_)),
                "{exit:?}: {verdict:?}"
            );
        }
    }
}
