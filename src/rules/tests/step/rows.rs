//! The rows of each phase.

use super::*;

rows! {
    tests_in_green {
        green(T::Added, S::Same), [ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, awaits [asked asked_too new]";
        green(T::Added, S::Same), [ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        green(T::Added, S::Same), [ALONE => ran(&[NEW_PASSES, ASKED_PASSES])]
            => "taken back: frozen, tests";
        green(T::Added, S::Same), [ALONE => ran(&[NEW_FAILS, ASKED_PASSES])]
            => "taken back: frozen, tests";
        green(T::Added, S::Same), [ALONE => cant_load()]
            => "kept: unloadable";
        green(T::Added, S::Code), [ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        green(T::Added, S::Code), [ALONE => cant_load(), EMPTY => ran(&[NEW_FAILS])]
            => "commit red of empty, awaits [asked asked_too new]";
    }

    source_in_green {
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_FAILS, ALSO_FAILS])]
            => "kept: red_still, counted";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES, ALSO_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, OLD_PASSES])]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Code).spec(), [AWAITED => ran(&[ASKED_PASSES, ALSO_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES])]
            => "commit green of whole, awaits []";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES, ALSO_FAILS]), WHOLE => ran(&[ASKED_PASSES, ALSO_FAILS])]
            => "commit partial green of whole, awaits [asked_too]";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES, ALSO_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, OLD_FAILS])]
            => "kept: lost, counted";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => gone(&[ASKED_PASSES, ALSO_PASSES], Gone::Missing)]
            => "kept: lost, counted";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => gone(&[ASKED_PASSES, ALSO_PASSES], Gone::Moved)]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, ("old", Outcome::Skipped, Before::Passed)])]
            => "kept: lost, counted";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, ("known", FAILED, Before::Failed)])]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, ("old", Outcome::Flaky, Before::Passed)])]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Same).and_other(), [AWAITED => ran(&[ASKED_FAILS, ALSO_FAILS])]
            => "kept: red_still, counted";
    }

    the_rest_of_a_quick_round {
        green(T::Same, S::Code).rest_of_quick_round(), [WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES])]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Code).rest_of_quick_round(), [WHOLE => ran(&[ASKED_FAILS, ALSO_FAILS])]
            => "kept: red_still, counted";
        green(T::Same, S::Code).rest_of_quick_round().with(|g| g.suite_is_quick = false),
            [AWAITED => ran(&[ASKED_FAILS, ALSO_FAILS])]
            => "kept: red_still, counted";
    }

    nothing_is_counted_for_what_did_not_run {
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES, ("old", Outcome::Unknown, Before::Passed)])]
            => "kept: unknown";
        green(T::Same, S::Code), [AWAITED => ran(&[("asked", Outcome::Unknown, Before::Failed)])]
            => "kept: unknown";
        green(T::Same, S::Code), [AWAITED => cant_load()]
            => "kept: unloadable";
        green(T::Same, S::Code), [AWAITED => none(NoAnswer::Broken)]
            => "kept: broken";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => none(NoAnswer::NoTime)]
            => "kept: no_time";
        green(T::Same, S::Code), [AWAITED => ran(&[ASKED_PASSES]), WHOLE => none(NoAnswer::Void)]
            => "kept: void";
        refactor(T::Same, S::Code), [WHOLE => ran(&[("old", Outcome::Unknown, Before::Passed)])]
            => "kept: unknown";
    }

    source_in_green_without_aim {
        green(T::Same, S::Code).unaimed(), [WHOLE => ran(&[ASKED_FAILS, ALSO_FAILS])]
            => "kept: red_still, counted";
        green(T::Same, S::Code).unaimed(), [WHOLE => ran(&[ASKED_PASSES, ALSO_PASSES])]
            => "commit green of whole, next cycle, awaits []";
        green(T::Same, S::Code).unaimed(), [WHOLE => said(true, false, true)]
            => "kept: beyond_tests, counted";
        green(T::Same, S::Code).unaimed(), [WHOLE => said(false, true, true)]
            => "kept: red_still, counted";
    }

    the_refactor_row {
        refactor(T::Same, S::Code), [WHOLE => ran(&[OLD_PASSES])]
            => "commit refactor of whole";
        refactor(T::Changed, S::Code).spec(), [WHOLE => ran(&[OLD_PASSES])]
            => "commit refactor of whole";
        refactor(T::Changed, S::Code), [WHOLE => gone(&[OLD_PASSES], Gone::Moved)]
            => "commit refactor of whole";
        refactor(T::Changed, S::Code), [WHOLE => gone(&[OLD_PASSES], Gone::Removed)]
            => "kept: test_removed";
        refactor(T::Same, S::Code), [WHOLE => gone(&[OLD_PASSES], Gone::Missing)]
            => "kept: lost, counted";
        refactor(T::Same, S::Code), [WHOLE => ran(&[OLD_FAILS])]
            => "kept: lost, counted";
        refactor(T::Same, S::Code), [WHOLE => ran(&[("old", Outcome::Skipped, Before::Passed)])]
            => "kept: lost, counted";
        refactor(T::Same, S::Code), [WHOLE => cant_load()]
            => "kept: unloadable";
        refactor(T::Same, S::Code), [WHOLE => said(true, false, true)]
            => "kept: beyond_tests, counted";
        refactor(T::Same, S::Code),
            [WHOLE => ran(&[("old", FAILED, Before::Unknown)]), BEFORE => ran(&[("old", FAILED, Before::Unknown)])]
            => "kept: red_still, counted";
    }

    tests_added_in_refactor {
        refactor(T::Added, S::Same), [WHOLE => ran(&[NEW_FAILS]), ALONE => ran(&[NEW_FAILS])]
            => "commit red of alone, to green, awaits [new]";
        refactor(T::Added, S::Code), [WHOLE => ran(&[NEW_PASSES]), ALONE => ran(&[NEW_PASSES])]
            => "commit test of alone";
        refactor(T::Added, S::Same), [WHOLE => cant_load(), ALONE => cant_load()]
            => "kept: unloadable";
        refactor(T::Added, S::Code), [WHOLE => ran(&[NEW_FAILS, OLD_FAILS])]
            => "kept: lost, counted";
    }

    source_in_red {
        red(T::Same, S::Code), [] => "taken back: unasked, source";
        red(T::Same, S::Code).spec(), [] => "taken back: unasked, source";
        red(T::Same, S::Code).with(|g| g.tests_came_along = true), [] => "kept: unproven";
        red(T::Same, S::Stub), [] => "kept: stub";
        red(T::Same, S::Declares), [] => "kept: stub";
        red(T::Same, S::NoGrammar), [] => "kept: stub";
        red(T::Same, S::Stub).spec(), [] => "kept: stub";
    }

    chores {
        red(T::Same, S::Same).and_other(), [WHOLE => ran(&[OLD_PASSES])]
            => "commit chore of whole";
        red(T::Same, S::Same).with(|g| g.changed.layout = true), [WHOLE => ran(&[OLD_PASSES])]
            => "commit chore of whole";
        red(T::Same, S::Same).and_other().spec(), [WHOLE => ran(&[OLD_PASSES])]
            => "commit chore of whole";
        red(T::Same, S::Same).and_other(), [WHOLE => ran(&[OLD_FAILS])]
            => "kept: lost";
        red(T::Same, S::Same).and_other(), [WHOLE => none(NoAnswer::Broken)]
            => "kept: broken";
        // Tests of a spec fail before they are certified.
        red(T::Same, S::Same).and_other().spec().with(|g| { g.awaited.insert("asked".to_owned()); }),
            [WHOLE => ran(&[ASKED_FAILS])]
            => "commit chore of whole";
        green(T::Same, S::Same).with(|g| g.changed.layout = true), [] => "nothing";
    }

    nothing_changed {
        red(T::Same, S::Same), [] => "nothing";
        red(T::Same, S::Same).with(|g| g.changed.docs = true), [] => "nothing";
        red(T::Same, S::Same).with(|g| { g.changed.docs = true; g.is_settling = true; }), []
            => "commit docs of whole";
        green(T::Same, S::Same).with(|g| { g.changed.docs = true; g.is_settling = true; }), []
            => "commit docs of whole";
        red(T::Same, S::Same).with(|g| { g.failing_since_fork.insert("old".to_owned()); g.is_settling = true; }), []
            => "awaits old";
        red(T::Same, S::Same).spec().with(|g| { g.failing_since_fork.insert("old".to_owned()); g.is_settling = true; }), []
            => "nothing";
        green(T::Same, S::Same).with(|g| { g.failing_since_fork.insert("old".to_owned()); g.is_settling = true; }), []
            => "nothing";
    }
}
