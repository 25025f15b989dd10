//! Which changes of refs git itself may make: nobody but git tcr moves its refs and notes, and the
//! WIP branch is neither deleted nor rewound.
//!
//! git tcr writes its refs in process, where no hook runs; whatever the hook sees is somebody else's.

/// One line of a ref transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefUpdate {
    /// The full name.
    pub name: String,
    /// Where it is to point, as hex; none if it is deleted.
    pub new: Option<String>,
}

/// What is known of the ref beside the update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefFacts {
    /// Where it points now. What git says of the old value is often nothing.
    pub current: Option<String>,
    /// Packing refs deletes the loose file of a ref that stays: the packed value is the same.
    pub is_packing: bool,
    /// The new commit has the current one in its history.
    pub moves_forward: bool,
    /// It is the WIP branch of an active base.
    pub is_wip: bool,
}

/// The answer to an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefDecision {
    /// Nothing is against it.
    Allow,
    /// It is refused.
    Deny(RefDenial),
}

/// Why an update is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefDenial {
    /// The ref belongs to git tcr.
    Own,
    /// The WIP branch would be gone.
    WipDeleted,
    /// The WIP branch would lose commits.
    WipRewound,
}

/// Whether a ref, or its name, concerns git tcr at all.
pub fn concerns_us(name: &str) -> bool {
    is_own(name) || name.starts_with("refs/heads/tcr/")
}

/// Whether a ref is one that only git tcr moves.
pub fn is_own(name: &str) -> bool {
    name.starts_with("refs/tcr/") || matches!(name, "refs/notes/tcr" | "refs/notes/tcr-results")
}

/// Decides one update of a ref.
pub fn decide_ref(update: &RefUpdate, facts: &RefFacts) -> RefDecision {
    let changes_nothing = update.new == facts.current || facts.is_packing;
    if !concerns_us(&update.name) || changes_nothing {
        return RefDecision::Allow;
    }
    if is_own(&update.name) {
        return RefDecision::Deny(RefDenial::Own);
    }
    match (facts.is_wip, &update.new) {
        (false, _) => RefDecision::Allow,
        (true, None) => RefDecision::Deny(RefDenial::WipDeleted),
        (true, Some(_)) if facts.current.is_none() || facts.moves_forward => RefDecision::Allow,
        (true, Some(_)) => RefDecision::Deny(RefDenial::WipRewound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(name: &str, new: Option<&str>, facts: &RefFacts) -> RefDecision {
        let update = RefUpdate {
            name: name.into(),
            new: new.map(str::to_owned),
        };
        decide_ref(&update, facts)
    }

    const AT_A: fn() -> RefFacts = || RefFacts {
        current: Some("a".into()),
        is_packing: false,
        moves_forward: false,
        is_wip: false,
    };

    #[test]
    fn own_refs_and_notes_are_nobody_else_s() {
        for name in [
            "refs/tcr/state/main",
            "refs/tcr/config",
            "refs/notes/tcr",
            "refs/notes/tcr-results",
        ] {
            for new in [Some("b"), None] {
                assert_eq!(
                    decide(name, new, &AT_A()),
                    RefDecision::Deny(RefDenial::Own),
                    "{name}"
                );
            }
            let created = RefFacts {
                current: None,
                ..AT_A()
            };
            assert_eq!(
                decide(name, Some("b"), &created),
                RefDecision::Deny(RefDenial::Own),
                "{name}"
            );
        }
    }

    #[test]
    fn what_changes_nothing_is_let_through() {
        for name in ["refs/tcr/config", "refs/heads/tcr/main"] {
            let wip = RefFacts {
                is_wip: true,
                ..AT_A()
            };
            assert_eq!(decide(name, Some("a"), &wip), RefDecision::Allow, "{name}");
            let packing = RefFacts {
                is_packing: true,
                ..wip
            };
            assert_eq!(decide(name, None, &packing), RefDecision::Allow, "{name}");
        }
    }

    #[test]
    fn the_wip_branch_only_moves_forward() {
        let wip = RefFacts {
            is_wip: true,
            ..AT_A()
        };
        let name = "refs/heads/tcr/main";
        assert_eq!(
            decide(name, None, &wip),
            RefDecision::Deny(RefDenial::WipDeleted)
        );
        assert_eq!(
            decide(name, Some("b"), &wip),
            RefDecision::Deny(RefDenial::WipRewound)
        );
        let forward = RefFacts {
            moves_forward: true,
            ..wip.clone()
        };
        assert_eq!(decide(name, Some("b"), &forward), RefDecision::Allow);
        let new = RefFacts {
            current: None,
            ..wip
        };
        assert_eq!(decide(name, Some("b"), &new), RefDecision::Allow);
    }

    #[test]
    fn branches_that_only_look_like_ours_are_ordinary() {
        for new in [Some("b"), None] {
            assert_eq!(
                decide("refs/heads/tcr/mine", new, &AT_A()),
                RefDecision::Allow
            );
            assert_eq!(decide("refs/heads/main", new, &AT_A()), RefDecision::Allow);
            assert_eq!(
                decide("refs/notes/tcr-like", new, &AT_A()),
                RefDecision::Allow
            );
        }
    }
}
