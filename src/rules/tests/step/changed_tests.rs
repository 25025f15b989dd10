//! The row of changed tests.

use super::*;

rows! {
    tests_without_source {
        red(T::Added, S::Same), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        red(T::Added, S::Same).spec(), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, awaits [new]";
        red(T::Added, S::Same), [ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        red(T::Added, S::Same), [ALONE => cant_load()]
            => "kept: unloadable";
        red(T::Added, S::Same), [ALONE => no_load(false, false)]
            => "kept: does_not_parse";
        red(T::Added, S::Same), [ALONE => none(NoAnswer::Broken)]
            => "kept: broken";
        red(T::Added, S::Same), [ALONE => none(NoAnswer::NoTime)]
            => "kept: no_time";
        red(T::Changed, S::Same), [ALONE => gone(&[OLD_PASSES], Gone::Removed)]
            => "commit test of alone";
        red(T::Changed, S::Same), [ALONE => gone(&[OLD_PASSES], Gone::Moved)]
            => "commit test of alone";
    }

    what_makes_a_red {
        // An unchanged one that fails by assertion asks; one that dies does not.
        red(T::Changed, S::Same), [ALONE => ran(&[OLD_FAILS])]
            => "commit red of alone, to green, awaits [old]";
        red(T::Changed, S::Same), [ALONE => ran(&[("old", DIED, Before::Passed)])]
            => "kept: unchanged_die";
        red(T::Changed, S::Same), [ALONE => ran(&[NEW_FAILS, ("old", DIED, Before::Passed)])]
            => "commit red of alone, to green, awaits [new old]";
        // A known failure only if the step changes it.
        red(T::Changed, S::Same), [ALONE => ran(&[("known", FAILED, Before::Failed)])]
            => "commit test of alone";
        red(T::Changed, S::Same).with(|g| { g.known.insert("new".to_owned()); }),
            [ALONE => ran(&[("new", FAILED, Before::Failed)])]
            => "commit red of alone, to green, awaits [new]";
        // Skipped before counts as new, failing before does not.
        red(T::Changed, S::Same), [ALONE => ran(&[("old", FAILED, Before::Skipped)])]
            => "commit red of alone, to green, awaits [old]";
        red(T::Changed, S::Same), [ALONE => ran(&[("old", FAILED, Before::Failed)])]
            => "kept: no_red";
        // Nobody knows: the accepted tree is asked.
        red(T::Changed, S::Same),
            [ALONE => ran(&[("old", FAILED, Before::Unknown)]), BEFORE => ran(&[OLD_PASSES])]
            => "commit red of alone, to green, awaits [old]";
        red(T::Changed, S::Same),
            [ALONE => ran(&[("old", FAILED, Before::Unknown)]), BEFORE => ran(&[OLD_FAILS])]
            => "kept: no_red";
        red(T::Changed, S::Same),
            [ALONE => ran(&[("old", FAILED, Before::Unknown)]), BEFORE => none(NoAnswer::NoLab)]
            => "kept: no_red";
        // A flaky one is never a red, an unknown one never a pass.
        red(T::Added, S::Same), [ALONE => ran(&[("new", Outcome::Flaky, Before::Absent)])]
            => "commit test of alone";
        red(T::Added, S::Same), [ALONE => ran(&[("new", Outcome::Unknown, Before::Absent)])]
            => "kept: unknown";
        // A cause that does not count.
        red(T::Added, S::Same).with(|g| g.red_needs = RedNeeds::Assertion),
            [ALONE => ran(&[("new", DIED, Before::Absent)])]
            => "kept: no_red";
        // Which ones fail can't be told: only a pattern of the config makes it a red.
        red(T::Added, S::Same), [ALONE => said(false, true, true)]
            => "commit red of alone, to green, awaits []";
        red(T::Added, S::Same), [ALONE => said(false, true, false)]
            => "kept: unconfirmed";
        red(T::Added, S::Same), [ALONE => said(true, false, true)]
            => "kept: beyond_tests";
    }

    tests_that_switch_others_off {
        red(T::Changed, S::Same), [ALONE => gone(&[OLD_PASSES], Gone::Missing)]
            => "kept: lost";
        red(T::Changed, S::Same), [ALONE => ran(&[("old", Outcome::Skipped, Before::Passed)])]
            => "kept: lost";
        red(T::Changed, S::Same), [ALONE => ran(&[("new", Outcome::Skipped, Before::Passed)])]
            => "commit test of alone";
    }

    tests_with_a_stub {
        red(T::Added, S::Stub), [EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::NoGrammar), [EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Declares), [EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Stub).spec(), [EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, awaits [new]";
        red(T::Added, S::Stub), [EMPTY => cant_load()]
            => "kept: unloadable";
        red(T::Added, S::Stub), [EMPTY => ran(&[("old", DIED, Before::Passed)])]
            => "kept: unchanged_die";
        red(T::Added, S::Stub), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        red(T::Added, S::Stub), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        red(T::Added, S::Stub), [EMPTY => ran(&[NEW_PASSES]), ALONE => none(NoAnswer::NoLab)]
            => "kept: no_lab";
    }

    an_empty_value_may_be_the_right_code {
        red(T::Added, S::Stub),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), NOT_IMPLEMENTED => ran(&[NEW_FAILS])]
            => "commit red of not implemented, to green, awaits [new]";
        red(T::Added, S::Stub),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), NOT_IMPLEMENTED => ran(&[NEW_PASSES])]
            => "kept: unproven";
    }

    without_a_grammar {
        red(T::Added, S::NoGrammar), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        red(T::Added, S::NoGrammar), [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load()]
            => "kept: no_answer";
        red(T::Added, S::NoGrammar), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
    }

    what_is_only_declared {
        red(T::Added, S::Declares),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), WHOLE => ran(&[NEW_PASSES])]
            => "commit declared of whole, next cycle";
        red(T::Added, S::Declares).spec(),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), WHOLE => ran(&[NEW_PASSES])]
            => "commit declared of whole";
        red(T::Added, S::Declares),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), WHOLE => ran(&[OLD_FAILS])]
            => "kept: lost, counted";
        red(T::Added, S::Declares), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        green(T::Added, S::Declares),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(),
             WHOLE => ran(&[NEW_PASSES, ASKED_PASSES, ALSO_FAILS])]
            => "commit declared of whole, awaits [asked_too]";
        green(T::Added, S::Declares),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(),
             WHOLE => ran(&[NEW_PASSES, ASKED_PASSES, ALSO_PASSES])]
            => "commit declared of whole, next cycle, awaits []";
        // A template that the tests can't load without is as good as a declaration.
        red(T::Added, S::Same).and_other(),
            [ALONE => cant_load(), EMPTY => ran(&[NEW_PASSES]), WHOLE => ran(&[NEW_PASSES])]
            => "commit declared of whole, next cycle";
        red(T::Added, S::Same).and_other(), [ALONE => cant_load(), EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Same).and_other(), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
    }

    tests_with_code {
        red(T::Added, S::Code), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        red(T::Added, S::Code).spec(), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, awaits [new]";
        red(T::Added, S::Code), [ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        red(T::Added, S::Code), [ALONE => no_load(false, false)]
            => "kept: does_not_parse";
        red(T::Added, S::Code), [ALONE => none(NoAnswer::NoLab)]
            => "kept: no_lab";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => ran(&[NEW_PASSES]), NOT_IMPLEMENTED => ran(&[NEW_FAILS])]
            => "commit red of not implemented, to green, awaits [new]";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => ran(&[NEW_PASSES]), NOT_IMPLEMENTED => ran(&[NEW_PASSES])]
            => "kept: unproven";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => cant_load()]
            => "kept: unloadable";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => none(NoAnswer::NoLab)]
            => "kept: no_lab";
    }

    tests_that_name_what_is_new {
        // Alone they would hardly load: the hollow tree is asked first, and is enough if they fail.
        red(T::Added, S::Code).naming_what_is_new(), [EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Code).naming_what_is_new(), [EMPTY => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        red(T::Added, S::Code).naming_what_is_new(),
            [EMPTY => ran(&[NEW_PASSES]), ALONE => cant_load(), NOT_IMPLEMENTED => ran(&[NEW_FAILS])]
            => "commit red of not implemented, to green, awaits [new]";
        red(T::Added, S::Code).naming_what_is_new(), [EMPTY => cant_load(), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        // Where each question costs the suite, and where tests may steer what is awaited: in order.
        red(T::Added, S::Code).naming_what_is_new().unaimed(), [WHOLE => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        green(T::Added, S::Code).naming_what_is_new(), [ALONE => ran(&[NEW_FAILS, ASKED_FAILS])]
            => "commit red of alone, awaits [asked asked_too new]";
    }

    tests_that_cannot_stand_alone_are_asked_with_hollow_bodies {
        red(T::Added, S::Code), [ALONE => none(NoAnswer::NotHollow), EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
        red(T::Added, S::Code),
            [ALONE => none(NoAnswer::NotHollow), EMPTY => ran(&[NEW_PASSES]), NOT_IMPLEMENTED => ran(&[NEW_PASSES])]
            => "kept: unproven";
    }

    one_form_says_nothing_and_the_other_does {
        red(T::Added, S::Code),
            [ALONE => cant_load(), EMPTY => none(NoAnswer::NotHollow), NOT_IMPLEMENTED => ran(&[NEW_FAILS])]
            => "commit red of not implemented, to green, awaits [new]";
        red(T::Added, S::Code),
            [ALONE => cant_load(), EMPTY => none(NoAnswer::NotHollow), NOT_IMPLEMENTED => none(NoAnswer::NotHollow)]
            => "kept: no_answer";
        red(T::Added, S::Code).with(|g| g.red_needs = RedNeeds::Stub),
            [ALONE => cant_load(), EMPTY => ran(&[("new", DIED, Before::Absent)]),
             NOT_IMPLEMENTED => ran(&[("new", Outcome::Failed(Cause::Stub), Before::Absent)])]
            => "commit red of not implemented, to green, awaits [new]";
    }

    only_touched_tests_count_where_bodies_are_hollow {
        red(T::Added, S::Code),
            [ALONE => cant_load(), EMPTY => ran(&[NEW_PASSES, OLD_FAILS]), NOT_IMPLEMENTED => ran(&[NEW_PASSES, OLD_FAILS])]
            => "kept: unproven";
        red(T::Added, S::Code), [ALONE => cant_load(), EMPTY => ran(&[NEW_FAILS, OLD_FAILS])]
            => "commit red of empty, to green, awaits [new]";
    }

    a_missing_package_may_be_the_environment {
        red(T::Added, S::Code), [ALONE => no_load(true, true), BEFORE => cant_load()]
            => "kept: broken";
        red(T::Added, S::Code),
            [ALONE => no_load(true, true), BEFORE => ran(&[OLD_PASSES]), EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, to green, awaits [new]";
    }

    a_command_that_cant_be_aimed_asks_for_proof_when_all_is_green {
        red(T::Added, S::Code).unaimed(), [WHOLE => ran(&[NEW_FAILS])]
            => "kept: red_still, counted";
        red(T::Added, S::Code).unaimed(), [WHOLE => cant_load()]
            => "kept: unloadable";
        red(T::Added, S::Code).unaimed(), [WHOLE => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
    }
}

#[test]
fn a_test_that_hangs_without_the_source_and_ends_with_it_asks_for_it() {
    const HANGS: Line = ("new", Outcome::Hung, Before::Absent);
    let step = red(TestsPart::Added, SourceKind::Code);
    let mut answers = BTreeMap::from([(ALONE, ran(&[HANGS, OLD_PASSES]))]);
    assert_eq!(step.next(&answers), Next::Ask(WHOLE));

    answers.insert(WHOLE, ran(&[NEW_PASSES, OLD_PASSES]));
    assert_eq!(step.next(&answers), Next::AskAgain(ALONE));

    let mut twice = ran(&[("new", DIED, Before::Absent), OLD_PASSES]);
    twice.ran_again = true;
    answers.insert(ALONE, twice);
    let Next::Decide(Decision::Commit(commit)) = step.next(&answers) else {
        panic!("it fails, shown twice");
    };
    assert_eq!((commit.label, commit.tree), (Label::Red, ALONE));
}

#[test]
fn a_test_that_hangs_with_the_source_too_says_nothing() {
    const HANGS: Line = ("new", Outcome::Hung, Before::Absent);
    let hangs = ran(&[HANGS, OLD_PASSES]);
    let step = red(TestsPart::Added, SourceKind::Code);
    step.ends(
        &[(ALONE, hangs.clone()), (WHOLE, hangs.clone())],
        "kept: unknown",
    );
    let tests_only = red(TestsPart::Added, SourceKind::Same);
    tests_only.ends(&[(ALONE, hangs)], "kept: unknown");
}
