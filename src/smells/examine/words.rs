//! What is called, and what its name says.

pub(super) use crate::languages::test_words::head;

/// The last name of what is called: `toBe` of `expect(x).not.toBe`.
pub(super) fn last(called: &str) -> &str {
    let called = called.trim_end().trim_end_matches('!');
    let called = without_types(called);
    let start = called
        .char_indices()
        .rev()
        .find(|(_, c)| !(c.is_alphanumeric() || "_?$".contains(*c)))
        .map_or(0, |(at, c)| at + c.len_utf8());
    &called[start..]
}

/// What is called without the type arguments at its end: `parse` of `parse::<u8>`.
fn without_types(called: &str) -> &str {
    if !called.ends_with('>') {
        return called;
    }
    let mut depth = 0_usize;
    for (at, c) in called.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return called[..at].trim_end_matches(':');
        }
    }
    called
}

/// Whether a name says that nothing is to go wrong, which a call alone can show.
pub(super) fn expects_no_error(name: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "success", "succeed", "succeeds", "successful", "pass", "passes", "passing", "ok",
        "smoke", "noop", "nop", "nops", "import", "imports", "compile", "compiles", "unpin",
        "send", "sync", "accept", "accepts", "accepted", "allow", "allows", "allowed", "assert",
        "works",
    ];
    const PAIRS: &[(&str, &[&str])] = &[
        (
            "not",
            &[
                "raise", "fail", "throw", "crash", "panic", "hang", "error", "block", "leak",
                "warn",
            ],
        ),
        (
            "no",
            &[
                "error",
                "errors",
                "crash",
                "panic",
                "exception",
                "warning",
                "op",
            ],
        ),
        (
            "doesnt",
            &[
                "raise", "fail", "throw", "crash", "panic", "hang", "error", "block", "leak",
            ],
        ),
        ("does", &["nothing"]),
        ("can", &["be"]),
    ];
    let name = name.replace([' ', '-', '.', '\''], "_");
    let all: Vec<String> = words(&name).collect();
    all.iter().any(|word| WORDS.contains(&word.as_str()))
        || all.windows(2).any(|pair| {
            PAIRS.iter().any(|(first, seconds)| {
                pair.first().is_some_and(|word| word == first)
                    && pair
                        .get(1)
                        .is_some_and(|word| seconds.iter().any(|second| word.starts_with(second)))
            })
        })
}

/// Whether the clock of a test is one that it turns itself.
pub(super) fn turns_the_clock(text: &str) -> bool {
    #[rustfmt::skip]
    const WAYS: &[&str] = &[
        "start_paused", "time::pause", "time::advance", "FakeTimer", "fakeTimers", "mock.timers",
        "freeze_time", "travel_to", "FakeClock", "fake_clock", "MockClock", "TestScheduler",
    ];
    WAYS.iter().any(|way| text.contains(way))
}

/// Whether a test is about sleeping itself.
pub(super) fn is_about_sleep(name: &str) -> bool {
    words(&name.replace(' ', "_")).any(|word| word == "sleep")
}

/// Whether what is entered or called ends what runs in it before its time.
pub(super) fn cuts_short(heading: &str) -> bool {
    #[rustfmt::skip]
    const WAYS: &[&str] = &[
        "timeout", "fail_after", "fail_at", "move_on_after", "move_on_at", "CancelScope",
        "wait_for", "raises", "assertRaises", "Promise.race", "Promise.any",
    ];
    let lower = heading.to_lowercase();
    WAYS.iter().any(|way| lower.contains(&way.to_lowercase()))
}

/// The words of a name, in lower case: `assert`, `is`, `json` of `assertIsJson`.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let splits = c == '_' || c == '$' || (c.is_uppercase() && was_lower);
        if splits {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// Objects whose methods assert.
#[rustfmt::skip]
const ASSERTING_OBJECTS: &[&str] = &[
    "expect", "expectTypeOf", "assert", "should", "chai", "assertThat", "t", "Assert",
    "Assertions", "is_expected", "expectThat", "check", "tap", "QUnit", "require",
];

/// Methods of such objects that do not.
#[rustfmt::skip]
const NOT_ASSERTING: &[&str] = &[
    "Run", "Parallel", "Helper", "Log", "Logf", "Skip", "Skipf", "SkipNow", "Cleanup", "TempDir",
    "Setenv", "Name", "Context", "Deadline", "Chdir", "end", "test", "comment", "teardown",
    "before", "after", "beforeEach", "afterEach", "diagnostic", "log", "timeout", "context",
    "resolve", "skip", "todo", "extend", "use",
];

/// Whether a call is an assertion, told by what is called.
pub(super) fn asserts(called: &str) -> bool {
    let (head, last) = (head(called), last(called));
    let object = head.split(['.', ':']).next().unwrap_or_default();
    let by_name = last
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("assert"));
    let by_object = ASSERTING_OBJECTS.contains(&object) && !NOT_ASSERTING.contains(&last);
    // A module is loaded this way in JavaScript; it is an assertion in Go only with a method.
    let is_alone = head == object;
    match object {
        "t" | "check" | "tap" | "QUnit" | "require" => by_name || (by_object && !is_alone),
        // The suites of Go's testify.
        "s" | "suite" => by_name || matches!(last, "True" | "False" | "Equal" | "EqualValues"),
        _ => by_name || by_object || is_minitest_expectation(last),
    }
}

fn is_minitest_expectation(last: &str) -> bool {
    last.starts_with("must_")
        || last.starts_with("wont_")
        || last == "refute"
        || last.starts_with("refute_")
}

/// Whether a call may be an assertion, or hide one: a false alarm is worse than a miss.
pub(super) fn may_assert(called: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "assert", "asserts", "assertion", "asserting", "assertions", "expect", "expects",
        "expected", "expecting", "expectation", "should", "shouldnt", "must", "verify",
        "verifies", "verified", "verifier", "check", "checks", "checked", "checker", "ensure",
        "ensures", "raise", "raises", "raised", "throw", "throws", "thrown", "warns", "fail",
        "fails", "failed", "failure", "failing", "reject", "rejects", "rejected", "deny",
        "denied", "validate", "validates", "compare", "compares", "match", "matches", "matching",
        "snapshot", "approve", "approves", "equal", "equals", "eq", "same", "confirm", "require",
        "required", "roundtrip", "trip", "unwrap", "err", "panic", "panics", "unreachable",
        "satisfies", "flunk", "refute", "wont", "benchmark", "deprecated", "invalid", "valid",
        "prove", "done", "subtest", "tester",
    ];
    if asserts(called) {
        return true;
    }
    let name = last(called);
    let helper = [
        "_test", "do_test", "run_test", "test_", "runTest", "doTest", "run",
    ]
    .iter()
    .any(|start| name.starts_with(start) && name != "test_client" && name != "run");
    helper || words(name).any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a call waits for the clock.
pub(super) fn sleeps(called: &str, clocks: &[&str]) -> bool {
    const NAMES: &[&str] = &["sleep", "Sleep", "usleep", "sleep_ms", "time_nanosleep"];
    if !NAMES.contains(&last(called)) {
        return false;
    }
    let head = head(called);
    let object = head.split(['.', ':', '\\']).find(|part| !part.is_empty());
    object.is_some_and(|object| object == last(called) || clocks.contains(&object))
}

/// Whether a call declares a test or a group of tests.
pub(super) fn declares_group_or_test(head: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "it", "test", "describe", "context", "specify", "suite", "example", "feature", "scenario",
    ];
    head.split('.')
        .next()
        .is_some_and(|first| NAMES.contains(&first))
}

/// How the equality of two values is asserted.
pub(super) fn compares_equal(last: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "toBe", "toEqual", "toStrictEqual", "equal", "equals", "strictEqual", "deepEqual",
        "deepStrictEqual", "same", "is", "eq", "eql", "eqv", "be", "isEqualTo", "isSameAs",
        "Equal", "EqualValues", "Exactly", "assertEqual", "assertEquals", "assertSame",
        "assertIs", "assert_equal", "assert_same", "assert_eq", "must_equal", "toBeEqual",
    ];
    NAMES.contains(&last)
}

/// What has to be of this truth, where that is asserted.
pub(super) fn wants_truth(last: &str) -> Option<bool> {
    match last {
        "assertTrue" | "assert_true" | "assert" | "ok" | "True" | "toBeTruthy" | "isTrue"
        | "toBeTrue" | "be_truthy" | "truthy" => Some(true),
        "assertFalse" | "assert_false" | "refute" | "False" | "toBeFalsy" | "isFalse"
        | "toBeFalse" | "be_falsey" | "notOk" | "falsy" => Some(false),
        _ => None,
    }
}

/// The truth of what is the same whatever its other parts are; `None` for all else.
pub(super) fn settled_truth(text: &str) -> Option<bool> {
    let either = ["|| true", "or True", "or true"];
    match either.iter().any(|end| text.ends_with(end)) {
        true => Some(true),
        false => literal_truth(text),
    }
}

/// The truth of a value that is written out; `None` for all else.
pub(super) fn literal_truth(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_what_is_called() {
        for (called, first, name) in [
            ("self.assertEqual", "self.assertEqual", "assertEqual"),
            ("expect(a(b)).not.toBe", "expect", "toBe"),
            ("it.each([1, 2])", "it.each", ""),
            ("assert_eq!", "assert_eq", "assert_eq"),
            ("parse::<u8>", "parse::", "parse"),
            (
                "util.assertEqual<A<B>, C>",
                "util.assertEqual",
                "assertEqual",
            ),
            ("$this->assertTrue", "$this->assertTrue", "assertTrue"),
            ("", "", ""),
            ("größe.prüfe", "größe.prüfe", "prüfe"),
        ] {
            assert_eq!((head(called), last(called)), (first, name), "{called}");
        }
    }

    #[test]
    fn assertions_by_name() {
        for (called, strictly, perhaps) in [
            ("self.assertEqual", true, true),
            ("expect(a).toBe", true, true),
            ("expect", true, true),
            ("assert.Equal", true, true),
            ("t.Errorf", true, true),
            ("t.Run", false, false),
            ("t.equal", true, true),
            ("require", false, true),
            ("require.NoError", true, true),
            ("assert_eq!", true, true),
            ("result.unwrap", false, true),
            ("pytest.raises", false, true),
            ("check_output", false, true),
            ("client.get", false, false),
            ("app.test_client", false, false),
            ("_test_parse", false, true),
            ("wont_be", true, true),
            ("must_equal", true, true),
        ] {
            assert_eq!(asserts(called), strictly, "{called}");
            assert_eq!(may_assert(called), perhaps, "{called}");
        }
    }

    #[test]
    fn only_the_clock_lets_a_test_sleep() {
        let clocks = &["time", "std", "thread", "Thread", "TimeUnit"];
        for (called, waits) in [
            ("time.sleep", true),
            ("std::thread::sleep", true),
            ("thread::sleep", true),
            ("sleep", true),
            ("Thread.sleep", true),
            ("time.Sleep", true),
            ("TimeUnit.SECONDS.sleep", true),
            ("dog.sleep", false),
            ("sleepy", false),
            ("", false),
        ] {
            assert_eq!(sleeps(called, clocks), waits, "{called}");
        }
    }

    #[test]
    fn names_that_say_that_nothing_is_to_go_wrong() {
        for (name, says) in [
            ("test_success", true),
            ("max_permits_doesnt_panic", true),
            ("does not throw on empty input", true),
            ("testNoErrors", true),
            ("value_validator_can_be_none", true),
            ("test_add", false),
            ("adds two numbers", false),
            ("test_no_content", false),
        ] {
            assert_eq!(expects_no_error(name), says, "{name}");
        }
    }
}
