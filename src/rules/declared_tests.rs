use super::*;

const GREEN: Option<TreeResult> = Some(TreeResult {
    verdict: Verdict::Green,
    confirmed: true,
});
const RED: Option<TreeResult> = Some(TreeResult {
    verdict: Verdict::Red,
    confirmed: true,
});

const STANDING: Standing = Standing {
    mode: Mode::Both,
    phase: Phase::Red,
    cycle: CycleKind::Free,
    oracle_frozen: false,
    result: GREEN,
    accepted: GREEN,
    dirty: false,
    tests_wait: false,
    test_bug_open: false,
    step_open: false,
    by_agent: true,
};

const READY: DoneFacts = DoneFacts {
    lint_clean: true,
    artifacts_there: true,
};

const CERTIFIED: FreezeFacts = FreezeFacts {
    verdict: ValidatorVerdict::Pass,
    every_test_qualifies: true,
    every_scenario_named: true,
    validator: Validator::Independent,
};

fn to(phase: Phase) -> Declaration {
    Declaration::Phase {
        to: phase,
        with_reason: true,
        abandon: false,
        done: READY,
    }
}

fn standing(cycle: CycleKind, phase: Phase) -> Standing {
    let oracle_frozen =
        cycle == CycleKind::Spec && matches!(phase, Phase::Green | Phase::Refactor | Phase::Done);
    Standing {
        cycle,
        phase,
        oracle_frozen,
        ..STANDING
    }
}

#[test]
fn every_phase_from_every_phase_on_a_green_tree() {
    use CycleKind::{Free, Spec};
    use Phase::{Done, Green, Plan, Red, Refactor};
    let wrong = |needs| Err(Refusal::WrongPhase { needs });
    let table = [
        (Free, Red, Red, Err(Refusal::AlreadyThere)),
        (Free, Green, Red, Ok(Declared::BackToRed)),
        (Free, Refactor, Red, Ok(Declared::Enter(Red))),
        (Free, Plan, Red, wrong(Plan)),
        (Free, Done, Red, Ok(Declared::StartFreeCycle)),
        (Spec, Red, Red, Err(Refusal::AlreadyThere)),
        (Spec, Green, Red, Err(Refusal::OracleFrozen)),
        (Spec, Refactor, Red, Err(Refusal::OracleFrozen)),
        (Spec, Plan, Red, wrong(Plan)),
        (Spec, Done, Red, Ok(Declared::StartFreeCycle)),
        (Free, Red, Refactor, Ok(Declared::Enter(Refactor))),
        (Free, Green, Refactor, Ok(Declared::Enter(Refactor))),
        (Free, Refactor, Refactor, Err(Refusal::AlreadyThere)),
        (Free, Plan, Refactor, wrong(Red)),
        (Free, Done, Refactor, wrong(Red)),
        (Spec, Red, Refactor, wrong(Green)),
        (Spec, Green, Refactor, Ok(Declared::Enter(Refactor))),
        (Spec, Refactor, Refactor, Err(Refusal::AlreadyThere)),
        (Spec, Plan, Refactor, wrong(Red)),
        (Spec, Done, Refactor, wrong(Red)),
        (Free, Red, Done, Err(Refusal::NoSpecCycle)),
        (Free, Green, Done, Err(Refusal::NoSpecCycle)),
        (Free, Refactor, Done, Err(Refusal::NoSpecCycle)),
        (Free, Plan, Done, Err(Refusal::NoSpecCycle)),
        (Free, Done, Done, Err(Refusal::AlreadyThere)),
        (Spec, Red, Done, wrong(Green)),
        (Spec, Green, Done, Ok(Declared::Done { abandoned: false })),
        (
            Spec,
            Refactor,
            Done,
            Ok(Declared::Done { abandoned: false }),
        ),
        (Spec, Plan, Done, wrong(Green)),
        (Spec, Done, Done, Err(Refusal::AlreadyThere)),
    ];
    for (cycle, from, asked, expected) in table {
        let found = declare(&standing(cycle, from), to(asked));
        assert_eq!(found, expected, "{cycle:?} {from} > {asked}");
    }
    for cycle in [Free, Spec] {
        for from in Phase::ALL {
            assert_eq!(
                declare(&standing(cycle, from), to(Green)),
                Err(Refusal::ByResultOnly)
            );
            assert_eq!(
                declare(&standing(cycle, from), to(Plan)),
                Err(Refusal::ByStartOnly)
            );
        }
    }
}

#[test]
fn start_and_plan_from_every_phase() {
    use CycleKind::{Free, Spec};
    for phase in Phase::ALL {
        let expected = match phase {
            Phase::Green => Err(Refusal::WrongPhase { needs: Phase::Red }),
            Phase::Plan | Phase::Red | Phase::Refactor | Phase::Done => {
                Ok(Declared::StartSpecCycle)
            }
        };
        assert_eq!(
            declare(&standing(Free, phase), Declaration::Start),
            expected
        );
        let expected = match phase {
            Phase::Done => Ok(Declared::StartSpecCycle),
            Phase::Plan | Phase::Red | Phase::Green | Phase::Refactor => {
                Err(Refusal::SpecCycleRuns)
            }
        };
        assert_eq!(
            declare(&standing(Spec, phase), Declaration::Start),
            expected
        );
        assert_eq!(
            declare(&standing(Free, phase), Declaration::Plan),
            Err(Refusal::NoSpecCycle)
        );
        let expected = match phase {
            Phase::Plan => Ok(Declared::Enter(Phase::Red)),
            Phase::Done => Err(Refusal::NoSpecCycle),
            Phase::Red | Phase::Green | Phase::Refactor => {
                Err(Refusal::WrongPhase { needs: Phase::Plan })
            }
        };
        assert_eq!(declare(&standing(Spec, phase), Declaration::Plan), expected);
    }
}

#[test]
fn freezing_needs_a_valid_red_and_an_independent_validator() {
    let red = Standing {
        result: RED,
        ..standing(CycleKind::Spec, Phase::Red)
    };
    let unconfirmed = Some(TreeResult {
        verdict: Verdict::Red,
        confirmed: false,
    });
    let broken = Some(TreeResult {
        verdict: Verdict::Broken,
        confirmed: true,
    });
    let table = [
        (red, CERTIFIED, Ok(Declared::FreezeOracle)),
        (
            red,
            FreezeFacts {
                verdict: ValidatorVerdict::Concerns,
                ..CERTIFIED
            },
            Ok(Declared::RecordConcerns),
        ),
        (
            red,
            FreezeFacts {
                verdict: ValidatorVerdict::Blocker,
                ..CERTIFIED
            },
            Ok(Declared::RecordConcerns),
        ),
        (
            red,
            FreezeFacts {
                validator: Validator::Author,
                ..CERTIFIED
            },
            Err(Refusal::ValidatorIsAuthor),
        ),
        (
            red,
            FreezeFacts {
                validator: Validator::Unknown,
                ..CERTIFIED
            },
            Err(Refusal::ValidatorUnknown),
        ),
        (
            red,
            FreezeFacts {
                every_test_qualifies: false,
                ..CERTIFIED
            },
            Err(Refusal::TestsDoNotQualify),
        ),
        (
            red,
            FreezeFacts {
                every_scenario_named: false,
                ..CERTIFIED
            },
            Err(Refusal::ScenarioUnnamed),
        ),
        (
            Standing {
                result: GREEN,
                ..red
            },
            CERTIFIED,
            Err(Refusal::NotValidlyRed),
        ),
        (
            Standing {
                result: broken,
                ..red
            },
            CERTIFIED,
            Err(Refusal::NotValidlyRed),
        ),
        (
            Standing {
                result: None,
                ..red
            },
            CERTIFIED,
            Err(Refusal::NotValidlyRed),
        ),
        (
            Standing {
                result: unconfirmed,
                ..red
            },
            CERTIFIED,
            Err(Refusal::Unconfirmed),
        ),
        (
            Standing {
                cycle: CycleKind::Free,
                ..red
            },
            CERTIFIED,
            Err(Refusal::NoSpecCycle),
        ),
        (
            Standing {
                phase: Phase::Green,
                ..red
            },
            CERTIFIED,
            Err(Refusal::WrongPhase { needs: Phase::Red }),
        ),
    ];
    for (standing, facts, expected) in table {
        assert_eq!(
            declare(&standing, Declaration::Freeze(facts)),
            expected,
            "{standing:?} {facts:?}"
        );
    }
}

#[test]
fn what_stands_in_the_way_is_named() {
    let free_red = standing(CycleKind::Free, Phase::Red);
    let spec_green = standing(CycleKind::Spec, Phase::Green);
    let done = |done| Declaration::Phase {
        to: Phase::Done,
        with_reason: false,
        abandon: false,
        done,
    };
    let table = [
        (
            Standing {
                accepted: RED,
                ..free_red
            },
            to(Phase::Refactor),
            Refusal::NotGreen,
        ),
        (
            Standing {
                accepted: None,
                ..free_red
            },
            to(Phase::Refactor),
            Refusal::NotGreen,
        ),
        (
            Standing {
                dirty: true,
                ..standing(CycleKind::Free, Phase::Green)
            },
            to(Phase::Refactor),
            Refusal::Dirty,
        ),
        (
            Standing {
                dirty: true,
                phase: Phase::Refactor,
                ..free_red
            },
            to(Phase::Red),
            Refusal::Dirty,
        ),
        (
            Standing {
                dirty: true,
                phase: Phase::Done,
                ..free_red
            },
            to(Phase::Red),
            Refusal::Dirty,
        ),
        (
            Standing {
                dirty: true,
                ..free_red
            },
            Declaration::Start,
            Refusal::Dirty,
        ),
        (
            Standing {
                step_open: true,
                ..free_red
            },
            Declaration::Step,
            Refusal::AlreadyThere,
        ),
        (
            Standing {
                mode: Mode::Off,
                ..free_red
            },
            Declaration::Step,
            Refusal::Off,
        ),
        (
            Standing {
                result: RED,
                ..spec_green
            },
            done(READY),
            Refusal::NotGreen,
        ),
        (
            Standing {
                dirty: true,
                ..spec_green
            },
            done(READY),
            Refusal::Dirty,
        ),
        (
            Standing {
                test_bug_open: true,
                ..spec_green
            },
            done(READY),
            Refusal::TestBugOpen,
        ),
        (
            Standing {
                test_bug_open: true,
                ..spec_green
            },
            to(Phase::Refactor),
            Refusal::TestBugOpen,
        ),
        (
            spec_green,
            done(DoneFacts {
                lint_clean: false,
                ..READY
            }),
            Refusal::LintFindings,
        ),
        (
            spec_green,
            done(DoneFacts {
                artifacts_there: false,
                ..READY
            }),
            Refusal::ArtifactsMissing,
        ),
    ];
    for (standing, what, refusal) in table {
        assert_eq!(
            declare(&standing, what),
            Err(refusal),
            "{standing:?} {what:?}"
        );
    }
}

#[test]
fn going_back_needs_a_reason_and_parks_what_is_there() {
    let green = Standing {
        result: RED,
        dirty: true,
        ..standing(CycleKind::Free, Phase::Green)
    };
    let without = Declaration::Phase {
        to: Phase::Red,
        with_reason: false,
        abandon: false,
        done: READY,
    };
    assert_eq!(declare(&green, without), Err(Refusal::ReasonMissing));
    assert_eq!(declare(&green, to(Phase::Red)), Ok(Declared::BackToRed));
}

#[test]
fn only_a_person_gives_up() {
    let abandon = Declaration::Phase {
        to: Phase::Done,
        with_reason: false,
        abandon: true,
        done: READY,
    };
    for phase in [Phase::Plan, Phase::Red, Phase::Green, Phase::Refactor] {
        let agent = Standing {
            dirty: true,
            result: RED,
            ..standing(CycleKind::Spec, phase)
        };
        assert_eq!(declare(&agent, abandon), Err(Refusal::PersonOnly));
        let person = Standing {
            by_agent: false,
            ..agent
        };
        assert_eq!(
            declare(&person, abandon),
            Ok(Declared::Done { abandoned: true })
        );
    }
}

#[test]
fn what_waits_in_red_may_become_a_refactoring() {
    for result in [GREEN, RED, None] {
        let waiting = Standing {
            result,
            dirty: true,
            ..STANDING
        };
        assert_eq!(
            declare(&waiting, to(Phase::Refactor)),
            Ok(Declared::Enter(Phase::Refactor))
        );
    }
}

#[test]
fn a_step_opens_at_any_time() {
    for dirty in [false, true] {
        let standing = Standing { dirty, ..STANDING };
        assert_eq!(
            declare(&standing, Declaration::Step),
            Ok(Declared::OpenStep)
        );
    }
}
