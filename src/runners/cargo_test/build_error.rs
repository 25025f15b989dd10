//! Why cargo could not build the tests.

/// The first error of the compiler, with its place: `error[E0425]: no such thing`, then ` --> src/lib.rs:2:14`.
#[derive(Default)]
pub(super) struct PlacedError<'a> {
    announced: Option<&'a str>,
    pub(super) error: Option<String>,
}

impl<'a> PlacedError<'a> {
    pub(super) fn take(&mut self, line: &'a str) {
        let announced = self.announced.take();
        if line.starts_with("error: ") || line.starts_with("error[") {
            self.announced = Some(line);
        } else if let (Some(error), Some(place)) =
            (announced, line.trim_start().strip_prefix("--> "))
        {
            self.error
                .get_or_insert_with(|| format!("{place}: {error}"));
        }
    }
}

/// What cargo says when there is nothing to test.
pub(super) fn build_error(line: &str) -> Option<&str> {
    let is_error = line.starts_with("error: could not compile ")
        || line.starts_with("error: failed to run custom build command")
        || line.starts_with("error: no such command: ")
        || line.starts_with("error: no test target named ")
        || line.starts_with("error: no test target matches")
        || line.starts_with("error: failed to parse manifest")
        || line.starts_with("error: could not find `Cargo.toml`")
        || line.starts_with("error: unexpected argument ")
        || line.starts_with("error: failed to load manifest")
        || line.starts_with("error: failed to select a version")
        || line.starts_with("error: package ID specification")
        || line.starts_with("error[E");
    is_error.then_some(line)
}

#[cfg(test)]
mod tests {
    use super::super::CargoText;
    use crate::runners::formats::collect::Told;

    fn error(text: &str) -> Option<String> {
        let cargo = CargoText::read(text).expect("its output");
        let report = Told::alone(cargo.report()).expect("it tells something");
        report
            .load_errors
            .first()
            .map(|error| error.message.clone())
    }

    #[test]
    fn the_first_error_is_told_with_its_place() {
        let end = "error: could not compile `b` (test \"it\") due to 1 previous error\n";
        let warning = "warning: unused\n --> src/lib.rs:1:1\n";
        for (said, expected) in [
            (
                "error[E0425]: cannot find `nope`\n --> b/tests/it.rs:2:14\n  |\n",
                "b/tests/it.rs:2:14: error[E0425]: cannot find `nope`",
            ),
            (
                "error: expected `;`\n  --> src/lib.rs:3:1\nerror: other\n --> x.rs:1:1\n",
                "src/lib.rs:3:1: error: expected `;`",
            ),
            ("", end.trim_end()),
        ] {
            let text = format!("{warning}{said}{end}");
            assert_eq!(error(&text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_a_test_prints_of_other_code_is_no_error_of_the_build() {
        let text = "     Running tests/ui.rs (target/debug/deps/ui-0123456789abcdef)\n\nrunning 1 test\n\
            error: expected `;`\n --> fixture.rs:1:1\ntest x ... ok\n\n\
            test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(error(text), None);
    }
}
