//! Output that tells, without any report, that no test runner ever got to work.

use std::sync::LazyLock;

use regex::Regex;

static PATTERNS: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = [
        // make, just, task runners
        r"No rule to make target",
        r"^make(\[\d+\])?: (\*\*\* No targets|'[^']*' is up to date\.|Nothing to be done for)",
        r"^error: (Justfile does not contain recipe|No justfile found|justfile does not contain recipe)",
        r"(?i)^task: Task .* does not exist",
        // npm, pnpm, yarn, bun
        r"(?i)^npm (error|ERR!) (Missing script|code ENOENT|Lifecycle script .* failed with error)",
        r"(?i)Error: no test specified",
        r"^\s*ERR_PNPM_NO_SCRIPT",
        r"(?i)^error Command .* not found\.",
        r#"^error: Script not found "#,
        // interpreters that do not find the runner
        r"No module named '?(pytest|unittest|nose2?|tox|nox)'?\s*$",
        r"^Error: Cannot find module '.*(jest|vitest|mocha|ava|tap)[^']*'",
        r"^ruby: No such file or directory -- ",
        r"^bundler: command not found: ",
        r"^error: no such (sub)?command: ",
        r"^Could not open input file: ",
        r"^\*\* \(Mix\) The task .* could not be found",
        r"^Can't open perl script ",
        r"^python[0-9.]*: can't open file ",
        // compilers and linkers
        r"^\S+:\d+:\d+: (fatal )?error: ",
        r"^collect2: error: ld returned ",
        r"^\S+: undefined reference to ",
        r"^error(\[E\d+\])?: could not compile ",
        // shells
        r"^(/bin/)?(ba|da|z)?sh: (line )?(\d+: )?.*: (command )?not found$",
        r"^env: .*: No such file or directory$",
    ];
    Regex::new(&format!("(?m)(?:{})", patterns.join("|"))).expect("the patterns are constant")
});

/// The line that tells, if there is one.
pub(super) fn telling_line(output: &str) -> Option<&str> {
    if output.trim_ascii().is_empty() {
        return None;
    }
    let found = PATTERNS.find(output)?;
    let before = output.get(..found.start())?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = output.get(start..)?.lines().next()?.trim();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::telling_line;

    #[test]
    fn output_without_a_runner_is_told_from_output_of_one() {
        for nothing in [
            "make: *** No rule to make target 'test'.  Stop.\n",
            "make: 'test' is up to date.\n",
            "make: Nothing to be done for 'test'.\n",
            "error: Justfile does not contain recipe `test`\n",
            "npm error Missing script: \"tset\"\n",
            "> echo \"Error: no test specified\" && exit 1\n\nError: no test specified\n",
            "/usr/bin/python3: No module named pytest\n",
            "error: no such command: `tset`\n",
            "calc.c:4:1: error: expected ';' before '}' token\n",
            "calc.o: undefined reference to `sub'\ncollect2: error: ld returned 1 exit status\n",
            "sh: 1: vitestt: not found\n",
            "bash: line 1: mochaa: command not found\n",
        ] {
            assert!(telling_line(nothing).is_some(), "{nothing}");
        }
        for something in [
            "",
            "1 passed",
            "assertion failed: user not found",
            "make: *** [Makefile:2: test] Error 1\n",
            "ModuleNotFoundError: No module named 'calc'\n",
        ] {
            assert_eq!(telling_line(something), None);
        }
    }
}
