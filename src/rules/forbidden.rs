//! Changes that are in the worktree though the gate's table does not allow them, whoever made them
//! and however.

use super::path_class::{PathClass, Protection};
use super::phase::{Mode, Phase};
use super::write_gate::{Change, DenyReason, GateState, TestPart, decide_write};

/// One changed path, as the loop found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathChange {
    /// The path from the root.
    pub path: Vec<u8>,
    /// Its class; `Mixed` where the old or the new content holds both parts.
    pub class: PathClass,
    /// Why it is protected, if it is.
    pub protection: Option<Protection>,
    /// What happened to it.
    pub change: Change,
    /// The other side of a rename.
    pub renamed_with: Option<Vec<u8>>,
    /// A person waived the rules for it.
    pub waived: bool,
    /// See [`GateState::project_unlocked`].
    pub project_unlocked: bool,
}

/// A change that should not be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The path from the root.
    pub path: Vec<u8>,
    /// What the rules have against it, or against the other side of its rename.
    pub reason: DenyReason,
    /// What is to be done about it.
    pub remedy: Remedy,
}

/// What is done about a change that should not be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The accepted content comes back; the present one is kept in the snapshot.
    Undo,
    /// The accepted source part comes back, the test part stays. Where they can't be told apart
    /// the file stays as it is, uncommitted.
    UndoSourcePart,
    /// The accepted test part comes back, the source part stays; else as above.
    UndoTestPart,
    /// The parts can't be told apart: the file stays, uncommitted, and is named.
    KeepUncommitted,
    /// Only our own entries in the file are put back.
    PutBackOwnEntries,
    /// It stays and is not obeyed.
    LeaveAlone,
    /// It stays and is named.
    Report,
}

/// The changes that break the gate's table, with the other sides of their renames.
pub fn forbidden(state: &GateState, changes: &[PathChange]) -> Vec<Breach> {
    let mut breaches: Vec<Breach> = changes
        .iter()
        .filter_map(|change| breach(state, change))
        .collect();
    let partners: Vec<Breach> = changes
        .iter()
        .filter(|change| !breaches.iter().any(|b| b.path == change.path))
        .filter_map(|change| partner_of(&breaches, change))
        .collect();
    breaches.extend(partners);
    breaches
}

fn breach(state: &GateState, change: &PathChange) -> Option<Breach> {
    let state = GateState {
        waived: change.waived,
        project_unlocked: change.project_unlocked,
        ..*state
    };
    let reason = decide_write(&state, change.class, change.change).objection()?;
    Some(Breach {
        path: change.path.clone(),
        reason,
        remedy: remedy(&state, change, reason),
    })
}

/// Half a rename must not stay: a test moved into a source folder would be gone and doubled.
fn partner_of(breaches: &[Breach], change: &PathChange) -> Option<Breach> {
    let other = change.renamed_with.as_ref()?;
    let breach = breaches.iter().find(|breach| breach.path == *other)?;
    let remedy = match breach.remedy {
        Remedy::Undo | Remedy::UndoSourcePart | Remedy::UndoTestPart => Remedy::Undo,
        Remedy::Report => Remedy::Report,
        Remedy::KeepUncommitted => Remedy::KeepUncommitted,
        Remedy::PutBackOwnEntries | Remedy::LeaveAlone => return None,
    };
    Some(Breach {
        path: change.path.clone(),
        reason: breach.reason,
        remedy,
    })
}

fn remedy(state: &GateState, change: &PathChange, reason: DenyReason) -> Remedy {
    match change.protection {
        Some(Protection::OwnConfig) => Remedy::LeaveAlone,
        // A snapshot never holds these; should one be named, there is nothing to bring it back from.
        Some(Protection::Git) => Remedy::Report,
        Some(Protection::ClientFile) => unless_observing(state, Remedy::PutBackOwnEntries),
        Some(Protection::Hooks) => unless_observing(state, Remedy::Undo),
        Some(Protection::Configured) | None => by_mode(state, change, reason),
    }
}

fn unless_observing(state: &GateState, remedy: Remedy) -> Remedy {
    match state.mode {
        Mode::Observe => Remedy::Report,
        Mode::Both | Mode::Tdd | Mode::Tcr | Mode::Relaxed | Mode::Off => remedy,
    }
}

fn by_mode(state: &GateState, change: &PathChange, reason: DenyReason) -> Remedy {
    match state.mode {
        Mode::Tdd | Mode::Observe | Mode::Off => Remedy::Report,
        Mode::Relaxed if !reason.is_frozen() => Remedy::Report,
        Mode::Both | Mode::Tcr | Mode::Relaxed => match (change.class, change.change) {
            (PathClass::Mixed, Change::Parts { tests, .. }) => undo_part(state.phase, tests),
            (PathClass::Mixed, Change::Unknown | Change::Content) => Remedy::KeepUncommitted,
            (_, _) => Remedy::Undo,
        },
    }
}

/// Which part of a file that holds both the phase does not allow to change.
fn undo_part(phase: Phase, tests: TestPart) -> Remedy {
    match (phase, tests) {
        (Phase::Plan | Phase::Done, _) | (_, TestPart::Same | TestPart::Layout) => Remedy::Undo,
        (Phase::Red, TestPart::Added | TestPart::Changed) => Remedy::UndoSourcePart,
        (Phase::Green | Phase::Refactor, TestPart::Added | TestPart::Changed) => {
            Remedy::UndoTestPart
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::phase::CycleKind;
    use crate::rules::write_gate::{Oracle, SourcePart};

    fn state(mode: Mode, phase: Phase) -> GateState {
        GateState {
            mode,
            phase,
            ..GateState::FREE_RED
        }
    }

    fn change(path: &str, class: PathClass) -> PathChange {
        PathChange {
            path: path.into(),
            class,
            protection: None,
            change: Change::Content,
            renamed_with: None,
            waived: false,
            project_unlocked: true,
        }
    }

    fn remedies(state: &GateState, changes: &[PathChange]) -> Vec<(String, Remedy)> {
        forbidden(state, changes)
            .into_iter()
            .map(|b| (String::from_utf8(b.path).expect("text"), b.remedy))
            .collect()
    }

    #[test]
    fn every_mode_has_its_remedy() {
        let test = change("t", PathClass::Test);
        for (mode, expected) in [
            (Mode::Both, Some(Remedy::Undo)),
            (Mode::Tdd, Some(Remedy::Report)),
            (Mode::Relaxed, Some(Remedy::Undo)),
            (Mode::Observe, Some(Remedy::Report)),
            (Mode::Tcr, None),
            (Mode::Off, None),
        ] {
            let found = forbidden(&state(mode, Phase::Green), std::slice::from_ref(&test));
            assert_eq!(found.first().map(|b| b.remedy), expected, "{mode}");
        }
        let source = change("src/a.py", PathClass::Source);
        let unasked = remedies(&state(Mode::Relaxed, Phase::Red), &[source]);
        assert_eq!(unasked, [("src/a.py".into(), Remedy::Report)]);
        let certified = GateState {
            oracle: Oracle::Frozen,
            cycle: CycleKind::Spec,
            ..state(Mode::Tcr, Phase::Green)
        };
        assert_eq!(remedies(&certified, &[test]), [("t".into(), Remedy::Undo)]);
    }

    #[test]
    fn what_is_allowed_is_no_breach() {
        let mut waived = change("src/w.py", PathClass::Source);
        waived.waived = true;
        let mut stub = change("src/s.py", PathClass::Source);
        stub.change = Change::Stub;
        let changes = [
            waived,
            stub,
            change("t", PathClass::Test),
            change("README.md", PathClass::Docs),
            change("Cargo.toml", PathClass::Other),
        ];
        assert_eq!(forbidden(&state(Mode::Both, Phase::Red), &changes), []);
    }

    #[test]
    fn protected_files_are_treated_by_kind() {
        let table = [
            (
                Protection::OwnConfig,
                Remedy::LeaveAlone,
                Remedy::LeaveAlone,
                Remedy::LeaveAlone,
            ),
            (
                Protection::ClientFile,
                Remedy::PutBackOwnEntries,
                Remedy::PutBackOwnEntries,
                Remedy::Report,
            ),
            (
                Protection::Hooks,
                Remedy::Undo,
                Remedy::Undo,
                Remedy::Report,
            ),
            (
                Protection::Configured,
                Remedy::Undo,
                Remedy::Undo,
                Remedy::Report,
            ),
            (
                Protection::Git,
                Remedy::Report,
                Remedy::Report,
                Remedy::Report,
            ),
        ];
        for (protection, both, relaxed, observe) in table {
            let mut changed = change("p", PathClass::Protected);
            changed.protection = Some(protection);
            for (mode, expected) in [
                (Mode::Both, both),
                (Mode::Relaxed, relaxed),
                (Mode::Observe, observe),
            ] {
                let found = remedies(&state(mode, Phase::Red), std::slice::from_ref(&changed));
                assert_eq!(found, [("p".into(), expected)], "{protection:?} in {mode}");
            }
        }
    }

    fn renamed(from: (&str, PathClass), to: (&str, PathClass)) -> [PathChange; 2] {
        let mut pair = [change(from.0, from.1), change(to.0, to.1)];
        pair[0].renamed_with = Some(to.0.into());
        pair[1].renamed_with = Some(from.0.into());
        pair
    }

    #[test]
    fn a_rename_across_classes_is_undone_as_a_pair() {
        let pair = renamed(
            ("tests/a.py", PathClass::Test),
            ("src/a.py", PathClass::Source),
        );
        let both = remedies(&state(Mode::Both, Phase::Green), &pair);
        let expected = [
            ("tests/a.py".to_owned(), Remedy::Undo),
            ("src/a.py".to_owned(), Remedy::Undo),
        ];
        assert_eq!(both, expected);
        let tdd = remedies(&state(Mode::Tdd, Phase::Green), &pair);
        assert!(tdd.iter().all(|(_, remedy)| *remedy == Remedy::Report));
        assert_eq!(tdd.len(), 2);
    }

    #[test]
    fn a_rename_out_of_a_file_that_is_left_alone_keeps_its_other_side() {
        let mut pair = renamed(
            (".tcr.toml", PathClass::Protected),
            ("old.toml", PathClass::Other),
        );
        pair[0].protection = Some(Protection::OwnConfig);
        let found = remedies(&state(Mode::Both, Phase::Red), &pair);
        assert_eq!(found, [(".tcr.toml".to_owned(), Remedy::LeaveAlone)]);
    }

    #[test]
    fn of_a_file_with_both_parts_only_the_forbidden_part_goes() {
        use SourcePart as S;
        use TestPart as T;
        let table = [
            (
                Phase::Red,
                Change::Parts {
                    tests: T::Changed,
                    source: S::Changed,
                },
                Some(Remedy::UndoSourcePart),
            ),
            (
                Phase::Red,
                Change::Parts {
                    tests: T::Same,
                    source: S::Changed,
                },
                Some(Remedy::Undo),
            ),
            (
                Phase::Red,
                Change::Parts {
                    tests: T::Changed,
                    source: S::Stub,
                },
                None,
            ),
            (
                Phase::Green,
                Change::Parts {
                    tests: T::Changed,
                    source: S::Changed,
                },
                Some(Remedy::UndoTestPart),
            ),
            (
                Phase::Green,
                Change::Parts {
                    tests: T::Same,
                    source: S::Changed,
                },
                None,
            ),
            (
                Phase::Plan,
                Change::Parts {
                    tests: T::Changed,
                    source: S::Same,
                },
                Some(Remedy::Undo),
            ),
            (Phase::Red, Change::Content, Some(Remedy::KeepUncommitted)),
            (Phase::Green, Change::Content, Some(Remedy::KeepUncommitted)),
        ];
        for (phase, what, expected) in table {
            let mut mixed = change("src/a.rs", PathClass::Mixed);
            mixed.change = what;
            let found = forbidden(&state(Mode::Both, phase), &[mixed]);
            assert_eq!(
                found.first().map(|b| b.remedy),
                expected,
                "{phase} {what:?}"
            );
        }
    }
}
