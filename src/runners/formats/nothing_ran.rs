//! Output that tells, without any report, that no test runner ever got to work.

use std::sync::LazyLock;

use regex::Regex;

use super::RUNNERS;

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
        r"^ruby: No such file or directory -- ",
        r"^bundler: command not found: ",
        r"^error: no such (sub)?command: ",
        r"^Could not open input file: ",
        r"^Can't open perl script ",
        r"^python[0-9.]*: can't open file ",
        // runners that were called the wrong way, or found nothing to run
        r"(?i)^(?:[\w. -]+: )?(?:error: )?(?:unknown|unrecognized|unexpected|invalid|bad)(?: command line)? (?:option|argument|flag)s?:? [`'-]",
        r"^\S+(?: -m \w+)?: error: (?:unrecognized arguments|the following arguments are required|argument -)",
        // files that an interpreter could not load
        r"^\S+:\d+:.* \((?:SyntaxError|LoadError)\)$",
        // compilers and linkers
        r"^\S+:\d+:\d+: (fatal )?error: ",
        r"^collect2: error: ld returned ",
        r"^\S+: undefined reference to ",
        r"^error(\[E\d+\])?: could not compile ",
        // shells
        r"^(/bin/)?(ba|da|z)?sh: (line )?(\d+: )?.*: (command )?not found$",
        r"^env: .*: No such file or directory$",
    ];
    let escaped = |names: Vec<&str>| {
        let names: Vec<String> = names.into_iter().map(regex::escape).collect();
        names.join("|")
    };
    let modules = escaped(
        RUNNERS
            .iter()
            .flat_map(|one| one.programs)
            .copied()
            .collect(),
    );
    let packages = escaped(
        RUNNERS
            .iter()
            .flat_map(|one| one.packages)
            .copied()
            .collect(),
    );
    let own = RUNNERS.iter().flat_map(|one| one.nothing_ran);
    let mut all: Vec<String> = patterns
        .iter()
        .chain(own)
        .map(|&one| one.to_owned())
        .collect();
    // Interpreters that do not find the runner.
    all.push(format!(r"No module named '?(?:tox|nox|{modules})'?\s*$"));
    all.push(format!(
        r"^Error: Cannot find module '.*(?:{packages})[^']*'"
    ));
    Regex::new(&format!("(?m)(?:{})", all.join("|"))).expect("the patterns are constant")
});

/// The line that tells, if there is one.
pub(crate) fn telling_line(output: &str) -> Option<&str> {
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
            "ImportError while loading conftest '/p/tests/conftest.py'.\n",
            "usage: python3 -m unittest [-h]\npython3 -m unittest: error: unrecognized arguments: --bad\n",
            "invalid option: --bad\n\nPlease use --help for a listing of valid options\n",
            "Error: Bad command line option '--bad'\n",
            "Error: Test file \"/p/nope.bats\" does not exist\n",
            "error: unexpected argument '--bad' found\n",
            "node: bad option: --bad\n",
            "CACError: Unknown option `--bad`\n",
            "stat /p/nope: directory not found\n",
            "Could not find '/p/nope.test.js'\n",
            "** (Mix) Could not invoke task \"test\": 1 error found!\n",
            "error: No test modules found\n",
            "error: Type checking failed.\n",
            "error: SyntaxError: Unexpected token `=`.\n",
            "error: Import 'file:///p/nope.test.js' failed, not found.\n",
            "error: Module not found \"file:///p/nope.js\".\n",
            "<internal:/usr/lib/ruby/kernel_require.rb>:85:in `require': cannot load such file -- nope (LoadError)\n",
            "test/a_test.rb:3: syntax error, unexpected end-of-input (SyntaxError)\n",
        ] {
            assert!(telling_line(nothing).is_some(), "{nothing}");
        }
        for something in [
            "",
            "1 passed",
            "assertion failed: user not found",
            "make: *** [Makefile:2: test] Error 1\n",
            "ModuleNotFoundError: No module named 'calc'\n",
            "Error: test_b(T): an invalid option: --bad\n",
            "expected an error: unknown option, got nothing\n",
        ] {
            assert_eq!(telling_line(something), None);
        }
    }
}
