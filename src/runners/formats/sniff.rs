//! Which runners an output is from, by lines that hardly anything else prints.

use std::sync::LazyLock;

use regex::RegexSet;

use super::super::{RUNNERS, Runner};
use super::text;

/// Whose output this looks like; more than one runner may have worked for one command.
pub fn sniff_text(output: &str) -> Vec<&'static Runner> {
    static TELLING: LazyLock<(Vec<&Runner>, RegexSet)> = LazyLock::new(|| {
        let all = RUNNERS.iter().flat_map(|runner| {
            let lines = runner.telling.iter();
            lines.map(|line| (*runner, format!("(?m)(?:{line})")))
        });
        let (runners, lines): (Vec<&Runner>, Vec<String>) = all.unzip();
        let set = RegexSet::new(lines).expect("the patterns are constant");
        (runners, set)
    });
    let (of, set) = &*TELLING;
    let output = text::plain(output);
    let matched = set.matches(&output).into_iter();
    let mut runners: Vec<&'static Runner> = matched.filter_map(|at| of.get(at).copied()).collect();
    runners.dedup();
    // These print, or are printed by, what others look for.
    let hidden: Vec<&str> = (runners.iter())
        .flat_map(|runner| runner.hides)
        .copied()
        .collect();
    runners.retain(|runner| !hidden.contains(&runner.name));
    runners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_runners_may_share_an_output() {
        let names = |output: &str| -> Vec<&str> {
            let runners = sniff_text(output);
            runners.iter().map(|runner| runner.name).collect()
        };
        let output = "===== test session starts =====\n1 passed in 0.01s\n\n RUN  v3.1.0 /x\n Test Files  1 passed (1)\n";
        assert_eq!(names(output), ["pytest", "vitest"]);
        assert_eq!(names("hello\n"), Vec::<&str>::new());
        assert_eq!(names("1..2\nok 1\nok 2\n"), ["TAP"]);
    }
}
