//! Options with which a runner names its tests and runs none of them. Some report them as passed.

use crate::runners::command::Found;

/// The call of a runner that was only asked for its tests, if all of its calls were.
pub(super) fn lists_only(found: &[Found]) -> Option<String> {
    let of = |one: &'_ Found| one.option_among(one.runner.lists_only).map(str::to_owned);
    found
        .iter()
        .filter(|one| one.sure)
        .find(|one| {
            found
                .iter()
                .filter(|other| other.runner == one.runner)
                .all(|other| of(other).is_some())
        })
        .and_then(|one| {
            let program = one.words.first()?;
            Some(format!("{program} {}", of(one)?))
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::recognise::recognise;
    use super::super::{OnDisk, TestCommand};
    use super::lists_only;

    #[test]
    fn runners_that_were_only_asked_for_their_tests() {
        let listed = |command: &str| {
            let command = TestCommand::Shell(command.to_owned());
            lists_only(&recognise(&command, &OnDisk(Path::new("/nowhere"))))
        };
        for (command, call) in [
            ("rspec --dry-run", "rspec --dry-run"),
            ("bundle exec rspec -f d --dry-run spec", "rspec --dry-run"),
            ("mocha --dry-run", "mocha --dry-run"),
            ("pytest && mocha --dry-run", "mocha --dry-run"),
            ("prove -D t", "prove -D"),
            ("SPEC_OPTS=--dry-run rspec", "rspec --dry-run"),
            ("deno test --no-run", "deno --no-run"),
        ] {
            assert_eq!(listed(command).as_deref(), Some(call), "{command}");
        }
        for command in [
            "rspec",
            "pytest --collect-only && pytest",
            "echo --dry-run && rspec",
            "rspec spec/dry-run_spec.rb",
        ] {
            assert_eq!(listed(command), None, "{command}");
        }
    }
}
