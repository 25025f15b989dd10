//! Does it work, and does a test ask for it?

use super::*;

rows! {
    the_whole_works_or_is_refused {
        nothing(), [WHOLE => works()] => "";
        nothing(), [WHOLE => ran(&[("known", FAILS), ("other", PASSES)])] => "";
        nothing(), [WHOLE => ran(&[("other", End::Flaky)])] => "";
        was(Before::Passed, Change::Same), [WHOLE => ran(&[("old", FAILS)])] => "not green [old]";
        nothing(), [WHOLE => fails_beyond_names(true)] => "not green []";
        nothing(), [WHOLE => fails_beyond_names(false)] => "not green []";
        nothing(), [WHOLE => cant_load(false)] => "not green []";
        nothing(), [WHOLE => cant_load(true)] => "whole unknown: environment";
        nothing(), [WHOLE => none(NoAnswer::NoLab)] => "whole unknown: no_lab";
        nothing(), [WHOLE => ran(&[])] => "whole unknown: nothing_measured";
        nothing(), [WHOLE => ran(&[("old", PASSES), ("other", End::Unknown)])]
            => "whole unknown: not_run";
        // Nothing else is asked of what does not work.
        cycle(&["new"]).with(|g| g.functions.push(function(1, Body::Code))), [WHOLE => ran(&[("new", FAILS)])]
            => "not green [new]; cycle 1 unknown: not_green; f1 unknown: not_green";
    }

    what_fails_in_both_trees_is_a_known_failure {
        nothing(), [WHOLE => ran(&[("other", FAILS)]), BEFORE => ran(&[("other", FAILS)])] => "";
        nothing(), [WHOLE => ran(&[("other", FAILS)]), BEFORE => ran(&[("other", PASSES)])]
            => "not green [other]";
        was(Before::Failed, Change::Same), [WHOLE => ran(&[("old", FAILS)])] => "";
        cycle(&["new"]), [WHOLE => ran(&[("new", FAILS)])]
            => "not green [new]; cycle 1 unknown: not_green";
    }

    a_cycle_is_proven_by_a_test_that_fails_without_it {
        cycle(&["new"]), [WHOLE => works(), ALONE => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]), [WHOLE => works(), ALONE => ran(&[("new", PASSES)])]
            => "cycle 1 unproven [new]";
        cycle(&["new", "other"]), [WHOLE => works(), ALONE => ran(&[("new", FAILS), ("other", PASSES)])]
            => "cycle 1 proven by [new], not [other]";
        cycle(&["new"]), [WHOLE => works(), ALONE => ran(&[("new", End::CantLoad)]), EMPTY => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]), [WHOLE => works(), ALONE => cant_load(false), EMPTY => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]),
            [WHOLE => works(), ALONE => cant_load(false), EMPTY => ran(&[("new", PASSES)]), NOT_IMPLEMENTED => ran(&[("new", STUB)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]),
            [WHOLE => works(), ALONE => cant_load(false), EMPTY => ran(&[("new", PASSES)]), NOT_IMPLEMENTED => ran(&[("new", PASSES)])]
            => "cycle 1 unproven [new]";
        cycle(&["new"]), [WHOLE => works(), ALONE => none(NoAnswer::NotHollow), EMPTY => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]).with(|g| g.claims[0].declares_only = true), [WHOLE => works()]
            => "cycle 1 nothing to prove";
    }

    blunted_from_the_source {
        // Tests that the range leaves alone pass on functions that it leaves alone, empty.
        cycle(&["new"]).with(|g| g.acts = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", PASSES)]),
             NOW => ran(&[("old", PASSES), ("other", PASSES)]), THEN => ran(&[("old", PASSES), ("other", FAILS)])]
            => "cycle 1 unproven [new]";
        cycle(&["new"]).with(|g| g.acts = true),
            [WHOLE => works(), ALONE => cant_load(false), SPARED => ran(&[("new", PASSES)]),
             NOW => ran(&[("old", PASSES)]), THEN => ran(&[("old", FAILS)])]
            => "cycle 1 unproven [new]";
        // A value outside of functions is the answer: the others notice.
        cycle(&["new"]).with(|g| g.acts = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", PASSES)]),
             NOW => ran(&[("old", FAILS), ("other", FAILS)])]
            => "cycle 1 proven by [new]";
        // Tests that need none of the functions did not need them before.
        cycle(&["new"]).with(|g| g.names_library = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", PASSES)]),
             NOW => ran(&[("old", PASSES), ("other", FAILS)]), THEN => ran(&[("old", PASSES)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]).with(|g| { g.acts = true; g.names_library = true; }),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
        cycle(&["new"]).with(|g| g.names_library = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => none(NoAnswer::NotHollow)]
            => "cycle 1 proven by [new]";
        // Nobody can tell.
        cycle(&["new"]).with(|g| g.names_library = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", PASSES)]), NOW => none(NoAnswer::NotHollow)]
            => "cycle 1 unproven [new]";
        cycle(&["new"]).with(|g| g.acts = true),
            [WHOLE => works(), ALONE => ran(&[("new", FAILS)]), SPARED => ran(&[("new", PASSES)]), NOW => none(NoAnswer::NotHollow)]
            => "cycle 1 proven by [new]";
    }

    what_a_cycle_waited_for_is_run {
        cycle(&["gone"]).with(|g| g.switched_off.extend(set(&["gone"]))), [WHOLE => works()]
            => "not green [gone]; cycle 1 unknown: not_green";
    }

    what_could_not_be_asked_is_unknown {
        cycle(&["new"]), [WHOLE => works(), ALONE => none(NoAnswer::NoLab)]
            => "cycle 1 unknown: no_lab";
        cycle(&["new"]), [WHOLE => works(), ALONE => none(NoAnswer::NoTime)]
            => "cycle 1 unknown: no_time";
        cycle(&["new"]), [WHOLE => works(), ALONE => ran(&[])]
            => "cycle 1 unknown: not_run";
        cycle(&["new"]), [WHOLE => works(), ALONE => ran(&[("new", End::Skipped)])]
            => "cycle 1 unknown: not_run";
        cycle(&["new", "other"]), [WHOLE => works(), ALONE => ran(&[("new", PASSES), ("other", End::Unknown)])]
            => "cycle 1 unknown: not_run";
        cycle(&["new"]),
            [WHOLE => works(), ALONE => cant_load(false), EMPTY => cant_load(false), NOT_IMPLEMENTED => cant_load(false)]
            => "cycle 1 unknown: cant_load";
        cycle(&["new"]),
            [WHOLE => works(), ALONE => cant_load(false), EMPTY => none(NoAnswer::NotHollow), NOT_IMPLEMENTED => none(NoAnswer::NotHollow)]
            => "cycle 1 unknown: not_hollow";
        cycle(&["new"]),
            [WHOLE => works(), ALONE => cant_load(false), EMPTY => none(NoAnswer::NotHollow), NOT_IMPLEMENTED => ran(&[("new", STUB)])]
            => "cycle 1 proven by [new]";
        cycle(&["taken_out_again"]), [WHOLE => works()]
            => "cycle 1 unknown: tests_gone";
        cycle(&[]), [WHOLE => works()]
            => "cycle 1 unknown: nothing_measured";
        cycle(&["new"]), [WHOLE => none(NoAnswer::NoLab)]
            => "whole unknown: no_lab; cycle 1 unknown: no_lab";
        cycle(&["new"]).with(|g| { g.can.name_tests = false; g.functions.push(function(1, Body::Code)); }),
            [WHOLE => ran(&[])]
            => "cycle 1 unknown: unconfirmed; f1 unknown: unconfirmed";
    }

    a_range_as_one_change {
        claim(Whose::Range, &["new"]), [WHOLE => works(), ALONE => ran(&[("new", FAILS)])]
            => "range proven by [new]";
        claim(Whose::Range, &["new"]).with(|g| g.values = true), [WHOLE => works(), ALONE => ran(&[("new", PASSES)])]
            => "range unproven [new]";
        // Nothing was added that a test could ask for: tests alone, or code that only moved.
        claim(Whose::Range, &["new"]), [WHOLE => works(), ALONE => ran(&[("new", PASSES)])]
            => "range nothing to prove";
        claim(Whose::Range, &[]), [WHOLE => works()]
            => "range nothing to prove";
        claim(Whose::Range, &[]).with(|g| g.values = true), [WHOLE => works()]
            => "range unknown: nothing_measured";
        // A refactoring without test changes: the functions speak for themselves.
        claim(Whose::Range, &[]).with(|g| g.functions.push(function(1, Body::Code))),
            [WHOLE => works(), wide(1) => hollow(&[("other", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("other", FAILS, &[])], &[1])]
            => "range proven by [other]; f1 needed by [other]";
        claim(Whose::Range, &[]).with(|g| g.functions.push(function(1, Body::Code))),
            [WHOLE => works(), wide(1) => hollow(&[("other", PASSES, &[])], &[1])]
            => "range unproven []; f1 untested";
    }
}
