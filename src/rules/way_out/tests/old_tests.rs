//! What became of the old tests?

use super::*;

rows! {
    tests_that_are_gone {
        changed(moved()), [WHOLE => without_old()] => "old moved to new";
        changed(renamed()), [WHOLE => without_old()] => "old renamed";
        changed(Change::Removed), [WHOLE => without_old(), OLD => misses_removed("old", End::CantLoad)]
            => "old removed with its code";
        changed(Change::Removed), [WHOLE => without_old(), OLD => misses_removed("old", FAILS)]
            => "old removed with its code";
        changed(Change::Removed), [WHOLE => without_old(), OLD => ran(&[("old", PASSES)])]
            => "old removed";
        changed(Change::Removed), [WHOLE => without_old(), OLD => ran(&[("old", FAILS)])]
            => "old removed";
        changed(Change::Removed), [WHOLE => without_old(), OLD => none(NoAnswer::NoLab)]
            => "old unknown: no_lab";
        // The same text, and it is not run any more.
        changed(Change::Same), [WHOLE => without_old(), OLD => ran(&[("old", PASSES)])]
            => "old removed";
        changed(Change::Same), [WHOLE => ran(&[("new", PASSES), ("old", End::Skipped)]), OLD => ran(&[("old", PASSES)])]
            => "old removed";
        changed(TEXT), [WHOLE => ran(&[("new", PASSES), ("old", End::Skipped)]), OLD => ran(&[("old", PASSES)])]
            => "old removed";
        changed(Change::Same), [WHOLE => ran(&[("new", PASSES), ("old", End::Skipped)]), OLD => ran(&[("old", End::Skipped)])]
            => "old unknown: not_run";
        // Moved to where nobody runs it.
        changed(Change::Moved("nowhere".to_owned())), [WHOLE => without_old(), OLD => ran(&[("old", PASSES)])]
            => "old removed";
        // It did not pass before.
        was(Before::Failed, Change::Removed), [WHOLE => without_old()] => "";
        was(Before::Skipped, Change::Removed), [WHOLE => without_old()] => "";
        was(Before::Unknown, Change::Removed), [WHOLE => without_old(), BEFORE => ran(&[("old", FAILS)])] => "";
        was(Before::Unknown, Change::Removed), [WHOLE => without_old(), BEFORE => ran(&[("old", PASSES)]), OLD => ran(&[("old", FAILS)])]
            => "old removed";
        was(Before::Unknown, Change::Removed), [WHOLE => without_old(), BEFORE => none(NoAnswer::NoLab), OLD => none(NoAnswer::NoLab)]
            => "old unknown: no_lab";
    }

    tests_that_the_harness_switches_off {
        nothing().with(|g| g.harness = true), [WHOLE => works()] => "";
        nothing().with(|g| { g.harness = true; g.knows_old = false; }),
            [WHOLE => works(), OLD => ran(&[("old", PASSES), ("hidden", PASSES), ("dying", FAILS)])]
            => "hidden removed";
    }

    tests_that_changed {
        changed(Change::Same), [WHOLE => works()] => "";
        changed(NAMES), [WHOLE => works()] => "old renamed";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", FAILS)]), OLD => ran(&[("old", FAILS)])]
            => "old respecified";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", FAILS)]), OLD => ran(&[("old", End::CantLoad)])]
            => "old respecified";
        changed(TEXT), [WHOLE => works(), ALONE => cant_load(false), EMPTY => ran(&[("old", FAILS)]), OLD => cant_load(false)]
            => "old respecified";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", FAILS)])]
            => "old weakened";
        changed(TEXT), [WHOLE => works(), ALONE => none(NoAnswer::NoTime), OLD => ran(&[("old", FAILS)])]
            => "old unknown: no_time";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => none(NoAnswer::NoTime)]
            => "old unknown: no_time";
        was(Before::Failed, TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)])] => "";
        was(Before::Unknown, TEXT), [WHOLE => works(), BEFORE => none(NoAnswer::NoLab), ALONE => none(NoAnswer::NoLab)]
            => "old unknown: not_run";
    }

    changed_tests_that_both_pass {
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => ran(&[("old", FAILS)]), NEW_EMPTY => ran(&[("old", PASSES)])]
            => "old weakened";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => ran(&[("old", FAILS)]), NEW_EMPTY => ran(&[("old", FAILS)])]
            => "old kept";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => ran(&[("old", PASSES)])]
            => "old kept";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => none(NoAnswer::NotHollow)]
            => "old unknown: not_hollow";
        // What dies while it loads says nothing of what the test checks.
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => cant_load(false)]
            => "old unknown: cant_load";
        changed(TEXT), [WHOLE => works(), ALONE => ran(&[("old", PASSES)]), OLD => ran(&[("old", PASSES)]),
                        OLD_EMPTY => ran(&[("old", FAILS)]), NEW_EMPTY => ran(&[])]
            => "old unknown: not_run";
    }

    tests_with_another_name_and_text {
        changed(rewritten()), [WHOLE => without_old(), ALONE => ran(&[("new", FAILS)]), OLD => ran(&[("old", FAILS)])]
            => "old respecified";
        changed(rewritten()), [WHOLE => without_old(), ALONE => ran(&[("new", PASSES)]), OLD => ran(&[("old", FAILS)])]
            => "old weakened";
        changed(rewritten()), [WHOLE => without_old(), ALONE => ran(&[("new", PASSES)]), OLD => ran(&[("old", PASSES)]),
                               OLD_EMPTY => ran(&[("old", FAILS)]), NEW_EMPTY => ran(&[("new", PASSES)])]
            => "old weakened";
        changed(rewritten()), [WHOLE => without_old(), ALONE => ran(&[("new", PASSES)]), OLD => ran(&[("old", PASSES)]),
                               OLD_EMPTY => ran(&[("old", FAILS)]), NEW_EMPTY => ran(&[("new", FAILS)])]
            => "old kept";
        // Nobody runs what it became.
        changed(Change::Rewritten("nowhere".to_owned())), [WHOLE => without_old(), OLD => ran(&[("old", PASSES)])]
            => "old removed";
    }
}
