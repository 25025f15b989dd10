//! What follows from what was found out.

use super::*;

fn terms(accepts_unproven: bool, blocks_untested: bool) -> Terms {
    Terms {
        accepts_unproven,
        blocks_untested,
    }
}

#[test]
fn a_refusal_needs_an_answer() {
    let report = |given: Given, said: &[(Question, Answer)]| given.found(said).0;
    let unproven = report(
        cycle(&["new"]),
        &[(WHOLE, works()), (ALONE, ran(&[("new", PASSES)]))],
    );
    let cycles = BTreeSet::from([Whose::Cycle(1)]);
    assert_eq!(
        unproven.refusals(terms(false, false)),
        [Refusal::Unproven(cycles)]
    );
    assert_eq!(unproven.refusals(terms(true, true)), []);
    let untested = report(
        claim(Whose::Range, &[]).with(|given| given.functions.push(function(7, Body::Code))),
        &[
            (WHOLE, works()),
            (wide(1), hollow(&[("other", PASSES, &[])], &[7])),
        ],
    );
    assert_eq!(
        untested.refusals(terms(true, true)),
        [Refusal::Untested(BTreeSet::from([7]))]
    );
    assert_eq!(untested.refusals(terms(true, false)), []);
    let not_green = report(nothing(), &[(WHOLE, fails_beyond_names(true))]);
    assert_eq!(
        not_green.refusals(terms(true, false)),
        [Refusal::NotGreen(BTreeSet::new())]
    );
    let unknown = report(
        cycle(&["new"]).with(|given| given.functions.push(function(1, Body::Code))),
        &[
            (WHOLE, works()),
            (ALONE, none(NoAnswer::NoLab)),
            (narrow(1), none(NoAnswer::NoLab)),
        ],
    );
    assert_eq!(unknown.refusals(terms(false, true)), []);
    assert_eq!(unknown.ending(), Ending::CantTell);
    let named = unknown.trailers().gaps;
    assert_eq!(named, BTreeSet::from([Gap::NoAnswer(NoAnswer::NoLab)]));
}

#[test]
fn trailers_count_what_is_named() {
    let given = changed(TEXT).with(|given| {
        for id in ["first", "second"] {
            let old = OldTest {
                before: Before::Passed,
                change: Change::Removed,
            };
            given.old.insert(id.to_owned(), old);
        }
        given.harness = true;
        given.functions = vec![function(1, Body::Code)];
    });
    let mut old = ran(&[("old", FAILS), ("first", PASSES), ("second", FAILS)]);
    old.tests
        .get_mut("second")
        .expect("it ran")
        .misses_removed_names = true;
    let (report, _) = given.found(&[
        (WHOLE, works()),
        (ALONE, ran(&[("old", PASSES)])),
        (OLD, old),
        (wide(1), hollow(&[("other", PASSES, &[])], &[1])),
    ]);
    assert_eq!(
        told::report(&report),
        "first removed; old weakened; second removed with its code; f1 untested"
    );
    let expected = Trailers {
        weakened: 1,
        removed: 1,
        untested: 1,
        unproven: BTreeSet::new(),
        gaps: BTreeSet::new(),
        harness_changed: true,
    };
    assert_eq!(report.trailers(), expected);
    assert_eq!(report.ending(), Ending::Wanting);
}

#[test]
fn what_cant_be_read_is_named() {
    let given = nothing().with(|given| given.unreadable = true);
    let (report, _) = given.found(&[(WHOLE, works())]);
    assert_eq!(report.ending(), Ending::CantTell);
    assert_eq!(report.refusals(terms(false, true)), []);
}
