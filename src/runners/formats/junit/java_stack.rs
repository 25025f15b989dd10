//! What the stack of a Java test tells: whether JUnit was at work on what stands before or after each test.

use super::Failure;
use super::case::Case;

/// Whether a failure is one of a set-up or tear-down.
pub(super) fn is_of_fixture(case: &Case, failure: &Failure) -> bool {
    let frames = frames(&failure.text);
    if frames.iter().any(|frame| is_of_junit(frame)) {
        return frames.iter().any(|frame| is_call_of_fixture(frame));
    }
    let Some((class, method)) = frames.last().and_then(|frame| split_frame(frame)) else {
        return false;
    };
    // Surefire may cut the stack down to the test's class, and then its last frame is what JUnit called.
    let is_own_class = |class: &str| class == case.classname;
    let tested = method_of_name(&case.name);
    is_own_class(class) && tested.is_some_and(|tested| tested != method_of_frame(method))
}

/// The frames of what was raised, without those of its causes: `calc.CalcTest.adds(CalcTest.java:7)`.
fn frames(stack: &str) -> Vec<&str> {
    stack
        .lines()
        .map(str::trim_start)
        .take_while(|line| !line.starts_with("Caused by: ") && !line.starts_with("Suppressed: "))
        .filter_map(|line| line.strip_prefix("at "))
        .collect()
}

/// Frames that stand below those of the test, unless they were cut.
fn is_of_junit(frame: &str) -> bool {
    ["org.junit.", "java.base/", "jdk.internal.", "sun.reflect."]
        .iter()
        .any(|prefix| frame.starts_with(prefix))
}

fn is_call_of_fixture(frame: &str) -> bool {
    [
        ".interceptBeforeEachMethod(",
        ".interceptAfterEachMethod(",
        ".RunBefores.invokeMethod(",
        ".RunAfters.invokeMethod(",
    ]
    .iter()
    .any(|call| frame.contains(call))
}

fn split_frame(frame: &str) -> Option<(&str, &str)> {
    frame.split_once('(')?.0.rsplit_once('.')
}

/// A lambda is named after the method it is in: `lambda$adds$0`.
fn method_of_frame(method: &str) -> &str {
    let inner = method.strip_prefix("lambda$");
    inner
        .and_then(|inner| inner.rsplit_once('$'))
        .map_or(method, |(outer, _)| outer)
}

/// The method in `adds`, `adds()`, `adds[1]`, `adds(int)[1]` or `adds{int}[1]`; none if the name may be words
/// for people.
fn method_of_name(name: &str) -> Option<&str> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    let end = name.find(|char| !is_part(char)).unwrap_or(name.len());
    let (method, rest) = name.split_at(end);
    let is_method = !method.is_empty() && (rest.is_empty() || rest.starts_with(['(', '[', '{']));
    is_method.then_some(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_fixture(name: &str, frames: &[&str]) -> bool {
        let case = Case {
            name: name.to_owned(),
            classname: "calc.CalcTest".to_owned(),
            ..Case::default()
        };
        let failure = Failure {
            text: format!(
                "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>\n\tat {}\n",
                frames.join("\n\tat ")
            ),
            ..Failure::default()
        };
        is_of_fixture(&case, &failure)
    }

    #[test]
    fn the_last_frame_of_a_stack_that_was_cut_is_what_junit_called() {
        let check = "calc.CalcTest.check(CalcTest.java:5)";
        for (name, frame, expected) in [
            ("adds", "calc.CalcTest.prepare(CalcTest.java:7)", true),
            ("adds[1]", "calc.CalcTest.prepare(CalcTest.java:7)", true),
            ("adds", "calc.CalcTest.adds(CalcTest.java:9)", false),
            ("adds()", "calc.CalcTest.adds(CalcTest.java:9)", false),
            ("adds(int)[1]", "calc.CalcTest.adds(CalcTest.java:9)", false),
            ("adds{int}[2]", "calc.CalcTest.adds(CalcTest.java:9)", false),
            (
                "adds",
                "calc.CalcTest.lambda$adds$0(CalcTest.java:9)",
                false,
            ),
            // Of a class that the test's one extends, or of one it calls.
            ("adds", "calc.Base.run(Base.java:3)", false),
            // Words for people.
            ("adds two", "calc.CalcTest.addsTwo(CalcTest.java:9)", false),
        ] {
            assert_eq!(
                is_fixture(name, &[check, frame]),
                expected,
                "{name} {frame}"
            );
        }
        assert!(!is_fixture("adds", &[]));
    }

    #[test]
    fn a_whole_stack_says_what_junit_was_at() {
        let before = "org.junit.jupiter.engine.extension.TimeoutExtension.interceptBeforeEachMethod(X.java:1)";
        let test =
            "org.junit.jupiter.engine.extension.TimeoutExtension.interceptTestMethod(X.java:1)";
        let own = "calc.CalcTest.prepare(CalcTest.java:7)";
        assert!(is_fixture("adds", &[own, before]));
        assert!(!is_fixture("adds", &[own, test]));
    }
}
