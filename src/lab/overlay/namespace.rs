//! Namespaces and privileges of the inner stages.

use std::fs;

use rustix::process::{Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, clear_ambient_capability_set,
    configure_capability_in_ambient_set, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs,
};

use super::super::no_lab::{NoLab, Step};
use super::spec::Privilege;

/// Whether this process may mount without a namespace of users.
pub(super) fn may_mount() -> bool {
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// This process dies when the thread that started it does.
pub(super) fn die_with_parent() -> Result<(), NoLab> {
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| NoLab::refused(Step::Privileges, error))
}

/// Mounts of its own from here on, and processes of its own for the children.
pub(super) fn leave(privilege: Privilege) -> Result<(), NoLab> {
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    let own = UnshareFlags::NEWNS | UnshareFlags::NEWPID;
    match privilege {
        Privilege::Root => unshare(own),
        Privilege::User => {
            unshare(own | UnshareFlags::NEWUSER)?;
            // The same ids inside: tools look at who owns a file.
            for (file, line) in [
                ("/proc/self/setgroups", "deny".to_owned()),
                ("/proc/self/uid_map", format!("{uid} {uid} 1")),
                ("/proc/self/gid_map", format!("{gid} {gid} 1")),
            ] {
                fs::write(file, line).map_err(|error| NoLab::refused(Step::Mapping, error))?;
            }
            Ok(())
        }
    }
}

#[expect(
    deprecated,
    reason = "its successor is `unsafe` for the sake of file descriptor tables, which are not unshared here"
)]
fn unshare(flags: UnshareFlags) -> Result<(), NoLab> {
    rustix::thread::unshare(flags).map_err(|error| NoLab::refused(Step::Namespace, error))
}

/// The right to mount survives the start of the next stage, also for an ordinary user.
pub(super) fn keep_mounting() -> Result<(), NoLab> {
    let refused = |error| NoLab::refused(Step::Privileges, error);
    let mut sets = capabilities(None).map_err(refused)?;
    // To give up the bounding set takes a right too.
    for right in [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP] {
        sets.inheritable |= right & sets.permitted;
        set_capabilities(None, sets).map_err(refused)?;
        if sets.permitted.contains(right) {
            configure_capability_in_ambient_set(right, true).map_err(refused)?;
        }
    }
    Ok(())
}

/// Gives up what the namespace lent, for good: the command could take the mounts away again. The
/// administrator keeps every other right, as tests may need them in the worktree too.
pub(super) fn give_up(privilege: Privilege) -> Result<(), NoLab> {
    let refused = |error| NoLab::refused(Step::Privileges, error);
    let lent = match privilege {
        Privilege::Root => CapabilitySet::SYS_ADMIN,
        Privilege::User => CapabilitySet::all(),
    };
    set_no_new_privs(true).map_err(refused)?;
    clear_ambient_capability_set().map_err(refused)?;
    for right in CapabilitySet::all()
        .iter()
        .filter(|one| lent.contains(*one))
    {
        // Unknown to an older kernel, or never held.
        let _ = remove_capability_from_bounding_set(right);
    }
    let now = capabilities(None).map_err(refused)?;
    let kept = CapabilitySets {
        effective: now.effective - lent,
        permitted: now.permitted - lent,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, kept).map_err(refused)
}
