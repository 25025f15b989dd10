//! The anti-patterns that are looked for in tests and changes, and how much each weighs.

use serde::{Deserialize, Serialize};

/// One anti-pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Source that was there before any test for it.
    ImplementationFirst,
    /// A test that came after what it tests, and never failed.
    TestAfter,
    /// More source in a green step than its tests ask for.
    UnaskedSource,
    /// The value a test expects, written into the source for the very input of the test.
    CopiedValue,
    /// Source that behaves differently while it is tested.
    TestAwareSource,
    /// A test that looks at nothing.
    NoAssertion,
    /// An assertion that can't fail.
    Tautology,
    /// A test that does not run.
    SkippedTest,
    /// A test that keeps the others from running.
    FocusedTest,
    /// A test that waits for the clock.
    SleepingTest,
    /// A test that mocks most of what it is about.
    ManyMocks,
    /// A test with a great many assertions.
    ManyAssertions,
    /// A test that acts and asserts again and again.
    ManyBehaviours,
}

/// What a finding does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A step that brings it is not committed.
    Block,
    /// It is shown.
    Warn,
    /// It is not looked for.
    Off,
}

/// More mocks than this in one test are too many.
pub const MOCKS: usize = 3;
/// More assertions than this in one test are too many.
pub const ASSERTIONS: usize = 25;
/// More rounds of acting and asserting than this in one test are too many.
pub const BEHAVIOURS: usize = 10;

impl Rule {
    /// Every rule, those about changes first.
    pub const ALL: [Rule; 13] = [
        Rule::ImplementationFirst,
        Rule::TestAfter,
        Rule::UnaskedSource,
        Rule::CopiedValue,
        Rule::TestAwareSource,
        Rule::NoAssertion,
        Rule::Tautology,
        Rule::SkippedTest,
        Rule::FocusedTest,
        Rule::SleepingTest,
        Rule::ManyMocks,
        Rule::ManyAssertions,
        Rule::ManyBehaviours,
    ];

    /// The name in the config, in comments and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Rule::ImplementationFirst => "implementation_first",
            Rule::TestAfter => "test_after",
            Rule::UnaskedSource => "unasked_source",
            Rule::CopiedValue => "copied_value",
            Rule::TestAwareSource => "test_aware_source",
            Rule::NoAssertion => "no_assertion",
            Rule::Tautology => "tautology",
            Rule::SkippedTest => "skipped_test",
            Rule::FocusedTest => "focused_test",
            Rule::SleepingTest => "sleeping_test",
            Rule::ManyMocks => "many_mocks",
            Rule::ManyAssertions => "many_assertions",
            Rule::ManyBehaviours => "many_behaviours",
        }
    }

    /// The rule of a name.
    pub fn of_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// What a finding does unless the config says otherwise: only what makes a green worthless
    /// keeps it from being committed.
    pub fn default_severity(self) -> Severity {
        match self {
            Rule::Tautology | Rule::FocusedTest => Severity::Block,
            Rule::ImplementationFirst
            | Rule::TestAfter
            | Rule::UnaskedSource
            | Rule::CopiedValue
            | Rule::TestAwareSource
            | Rule::NoAssertion
            | Rule::SkippedTest
            | Rule::SleepingTest
            | Rule::ManyMocks
            | Rule::ManyAssertions
            | Rule::ManyBehaviours => Severity::Warn,
        }
    }
}

impl Severity {
    /// The name in the config and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Block => "block",
            Severity::Warn => "warn",
            Severity::Off => "off",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_name_everywhere() {
        for rule in Rule::ALL {
            assert_eq!(serde_json::json!(rule), serde_json::json!(rule.name()));
            assert_eq!(Rule::of_name(rule.name()), Some(rule));
        }
        for severity in [Severity::Block, Severity::Warn, Severity::Off] {
            assert_eq!(
                serde_json::json!(severity),
                serde_json::json!(severity.name())
            );
        }
        assert_eq!(Rule::of_name("no-such-rule"), None);
    }
}
