//! Does a test need what was added, and how often is it asked?

use super::*;

rows! {
    what_is_added_and_who_needs_it {
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("new", FAILS, &[])], &[1])]
            => "f1 needed by [new]";
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("new", PASSES, &[])], &[1]),
             empty_wide(3) => hollow(&[("new", PASSES, &[]), ("other", PASSES, &[])], &[1])]
            => "f1 called, not checked by [new]";
        // Another test of the suite checks it, or nobody can tell.
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("new", PASSES, &[])], &[1]),
             empty_wide(3) => hollow(&[("new", PASSES, &[]), ("other", FAILS, &[])], &[1])]
            => "f1 needed by [other]";
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("new", PASSES, &[])], &[1]),
             empty_wide(3) => none(NoAnswer::NoLab)]
            => "f1 unknown: no_lab";
        // An empty value can't be asked: nobody is accused.
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => none(NoAnswer::NotHollow)]
            => "f1 needed by [new]";
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(2) => hollow(&[("new", PASSES, &[])], &[])]
            => "f1 needed by [new]";
        // The rest is asked again, the suite last.
        functions(&[1, 2, 3]),
            [WHOLE => works(),
             narrow(1) => hollow(&[("new", STUB, &[1])], &[1, 2, 3]),
             narrow(2) => hollow(&[("new", PASSES, &[])], &[2, 3]),
             wide(3) => hollow(&[("new", PASSES, &[]), ("other", STUB, &[2])], &[2, 3]),
             wide(4) => hollow(&[("new", PASSES, &[]), ("other", PASSES, &[])], &[3]),
             empty_round(5) => hollow(&[("new", FAILS, &[]), ("other", FAILS, &[])], &[1, 2])]
            => "f1 needed by [new]; f2 needed by [other]; f3 untested";
        // A stub and a declaration need no test.
        nothing().with(|g| g.functions = vec![function(1, Body::Stub), function(2, Body::Declares)]), [WHOLE => works()]
            => "";
    }

    failures_that_show_no_number {
        functions(&[1]), [WHOLE => works(), narrow(1) => hollow(&[("new", FAILS, &[])], &[1])]
            => "f1 needed by [new]";
        functions(&[1, 2]),
            [WHOLE => works(),
             narrow(1) => hollow(&[("new", FAILS, &[])], &[1, 2]),
             narrow(2) => hollow(&[("new", FAILS, &[])], &[2]),
             narrow(3) => hollow(&[("new", PASSES, &[])], &[1]),
             wide(4) => hollow(&[("new", PASSES, &[]), ("other", PASSES, &[])], &[1])]
            => "f1 untested; f2 needed by [new]";
    }

    nothing_measured_is_never_green {
        functions(&[1]), [WHOLE => works(), narrow(1) => hollow(&[("new", PASSES, &[])], &[])]
            => "f1 unknown: not_hollow";
        functions(&[1]), [WHOLE => works(), narrow(1) => hollow(&[], &[1]), wide(2) => hollow(&[], &[1])]
            => "f1 unknown: not_run";
        functions(&[1]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", End::Unknown, &[])], &[1]),
             wide(2) => hollow(&[("other", PASSES, &[]), ("new", End::Unknown, &[])], &[1])]
            => "f1 unknown: not_run";
        functions(&[1]), [WHOLE => works(), narrow(1) => none(NoAnswer::NoLab)]
            => "f1 unknown: no_lab";
        functions(&[1, 2]),
            [WHOLE => works(), narrow(1) => hollow(&[("new", PASSES, &[])], &[1]), wide(2) => hollow(&[("new", PASSES, &[])], &[1])]
            => "f1 untested; f2 unknown: not_hollow";
        functions(&[1]), [WHOLE => works(), narrow(1) => cant_load(false)]
            => "f1 unknown: not_hollow";
        functions(&[1, 2]),
            [WHOLE => works(), narrow(1) => none(NoAnswer::NotHollow), narrow(2) => none(NoAnswer::NotHollow),
             narrow(3) => hollow(&[("new", STUB, &[1])], &[1]), empty_round(4) => hollow(&[("new", FAILS, &[])], &[1])]
            => "f1 needed by [new]; f2 unknown: not_hollow";
    }

    a_control_has_to_fail_before_anybody_is_accused {
        functions(&[1]).with(with_control),
            [WHOLE => works(), narrow(1) => hollow(&[("new", PASSES, &[])], &[1]),
             wide(2) => hollow(&[("new", PASSES, &[]), ("other", PASSES, &[])], &[1]), CONTROL => ran(&[("other", PASSES)])]
            => "f1 unknown: not_believed";
        functions(&[1]).with(with_control),
            [WHOLE => works(), narrow(1) => hollow(&[("new", PASSES, &[])], &[1]),
             wide(2) => hollow(&[("new", PASSES, &[]), ("other", PASSES, &[])], &[1]), CONTROL => ran(&[("other", STUB)])]
            => "f1 untested";
        cycle(&["new"]).with(with_control), [WHOLE => works(), ALONE => ran(&[("new", PASSES)]), CONTROL => none(NoAnswer::NoTime)]
            => "cycle 1 unknown: not_believed";
        cycle(&["new"]).with(with_control), [WHOLE => works(), ALONE => ran(&[("new", FAILS)])]
            => "cycle 1 proven by [new]";
    }
}

fn with_control(given: &mut Given) {
    given.control = Some(Control {
        number: 99,
        tests: set(&["other"]),
    });
}

#[test]
fn questions_are_aimed() {
    let given = cycle(&["new"]).with(|given| {
        let old = OldTest {
            before: Before::Passed,
            change: TEXT,
        };
        given.old.insert("old".to_owned(), old);
        given.functions = vec![function(1, Body::Code), function(2, Body::Code)];
    });
    let (_, asks) = given.found(&[
        (WHOLE, works()),
        (ALONE, ran(&[("new", FAILS), ("old", End::CantLoad)])),
        (EMPTY, ran(&[("old", FAILS)])),
        (OLD, ran(&[("old", FAILS)])),
        (narrow(1), hollow(&[("new", STUB, &[1])], &[1, 2])),
        (narrow(2), hollow(&[("new", PASSES, &[])], &[2])),
        (wide(3), hollow(&[("new", PASSES, &[])], &[2])),
        (empty_round(4), hollow(&[("new", FAILS, &[])], &[1])),
    ]);
    let aimed = |tests: &[&str]| Aim::Tests(set(tests));
    let expected = [
        (Aim::Suite, &[][..]),
        (aimed(&["new", "old"]), &[]),
        (aimed(&["old"]), &[]),
        (aimed(&["old"]), &[]),
        (aimed(&["new"]), &[1, 2]),
        (aimed(&["new"]), &[2]),
        (Aim::Suite, &[2]),
        (aimed(&["new"]), &[1]),
    ];
    let asked = asks.iter().map(|ask| (&ask.aim, &ask.hollow));
    for ((aim, hollow), (expected_aim, expected_hollow)) in asked.zip(&expected) {
        assert_eq!(aim, expected_aim);
        assert_eq!(hollow, &expected_hollow.iter().copied().collect());
    }
    assert_eq!(asks.len(), expected.len());
}

#[test]
fn without_aim_four_suites_are_the_most() {
    let given = cycle(&["new"]).with(|given| {
        given.can.aim = false;
        given.functions = vec![function(1, Body::Code)];
        let old = OldTest {
            before: Before::Passed,
            change: Change::Removed,
        };
        given.old.insert("old".to_owned(), old);
    });
    given.ends(
        &[
            (WHOLE, without_old()),
            (ALONE, cant_load(false)),
            (EMPTY, ran(&[("new", PASSES)])),
            (NOT_IMPLEMENTED, ran(&[("new", STUB)])),
        ],
        "cycle 1 proven by [new]; old unknown: no_time; f1 unknown: no_time",
    );
    given.ends(
        &[
            (WHOLE, without_old()),
            (ALONE, ran(&[("new", FAILS)])),
            (OLD, ran(&[("old", PASSES)])),
            (wide(1), hollow(&[("new", STUB, &[1])], &[1])),
        ],
        "cycle 1 proven by [new]; old removed; f1 needed by [new]",
    );
}

#[test]
fn rounds_are_bounded() {
    let numbers: Vec<Number> = (1..=20).collect();
    let given = functions(&numbers);
    let shown: Vec<[Number; 1]> = numbers.iter().map(|number| [*number]).collect();
    let mut answers = BTreeMap::from([(WHOLE, works())]);
    let mut rounds = 0;
    let report = loop {
        match next(&given.range(&answers)) {
            Next::Ask(ask) => {
                let mut answer = hollow(&[("new", STUB, &[])], &numbers);
                let first = usize::try_from(rounds).expect("small");
                let test = answer.tests.get_mut("new").expect("it ran");
                test.shows = shown[first].into_iter().collect();
                answers.insert(ask.question, answer);
                rounds += 1;
            }
            Next::Done(report) => break report,
        }
    };
    assert_eq!(rounds, MOST_ROUNDS + 1, "and one with empty values");
    let unknown = report.functions.values();
    let unknown = unknown.filter(|need| **need == Need::Unknown(Gap::Rounds));
    assert_eq!(unknown.count(), 10);
}
