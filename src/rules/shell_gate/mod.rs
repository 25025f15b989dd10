//! Which git actions, `git tcr` commands and tricks are denied to agents, and why.
//!
//! Facts only: what is said about a denial is worded elsewhere.

mod git;
mod tcr;

pub use git::{Branches, GitAction, Pushed, judge_git};
pub use tcr::{TcrCommand, judge_certifier, judge_tcr};

/// A way to shift the ground the rules stand on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Evasion {
    /// A variable of git-tcr's own is set.
    ToolVariable(String),
    /// A variable that steers the test run or the hooks is set around a command that runs them.
    SteersHooks(String),
    /// Programs from an unusual place come first for a command that runs hooks.
    SearchPath,
    /// A function or another file takes the place of a program.
    ShadowedCommand(String),
    /// The processes of git-tcr are ended.
    EndsTool,
    /// git-tcr is uninstalled.
    RemovesTool,
    /// A file that is read at start-up is made to switch git-tcr off.
    StartUpFile,
    /// A coding agent is started without its hooks.
    UnguardedAgent(&'static str),
    /// Code is hidden in an encoding and run.
    DisguisedCode,
}

/// Why something is denied to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DenyReason {
    /// It would overwrite or throw away work in the worktree.
    LosesWork,
    /// It would move the current branch under git-tcr.
    MovesBranch,
    /// It would leave the WIP branch.
    LeavesWipBranch,
    /// It would rewrite or undo recorded steps.
    RewritesHistory,
    /// It would keep hooks from running.
    SkipsHooks,
    /// It would change configuration that hooks and records depend on.
    ChangesConfig {
        /// The key, if it is known.
        key: Option<String>,
    },
    /// It would change refs or notes that belong to git-tcr.
    ChangesRecords,
    /// It would delete or move the WIP branch or the base branch.
    ChangesWipBranch,
    /// It would publish the WIP branch or git-tcr's refs.
    PublishesWip,
    /// It would make recovery impossible.
    DropsRecovery,
    /// It would hide changes from git.
    HidesChanges,
    /// It would work outside the guarded worktree.
    OtherWorktree,
    /// It would point git at something else.
    ForeignRepository,
    /// It would run a hook by hand.
    RunsHook,
    /// It is for people to decide.
    PeoplesCommand {
        /// The command.
        command: String,
    },
    /// Tests are certified under the identity of the call, and this is another one.
    NotTheCaller {
        /// The identity of the call; none where the client can't tell its agents apart.
        identity: Option<String>,
    },
    /// It would disarm git-tcr itself.
    Disarms(Evasion),
}

impl DenyReason {
    /// Whether it is denied even where git-tcr is switched off: whatever protects the switch itself.
    pub fn holds_when_off(&self) -> bool {
        match self {
            DenyReason::SkipsHooks
            | DenyReason::ChangesConfig { .. }
            | DenyReason::ChangesRecords
            | DenyReason::DropsRecovery
            | DenyReason::RunsHook
            | DenyReason::PeoplesCommand { .. }
            | DenyReason::Disarms(_) => true,
            DenyReason::LosesWork
            | DenyReason::NotTheCaller { .. }
            | DenyReason::MovesBranch
            | DenyReason::LeavesWipBranch
            | DenyReason::RewritesHistory
            | DenyReason::ChangesWipBranch
            | DenyReason::PublishesWip
            | DenyReason::HidesChanges
            | DenyReason::OtherWorktree
            | DenyReason::ForeignRepository => false,
        }
    }
}

/// Judges a trick; none of them is allowed.
pub fn judge_evasion(evasion: &Evasion) -> DenyReason {
    DenyReason::Disarms(evasion.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_when_switched_off() {
        assert!(DenyReason::SkipsHooks.holds_when_off());
        assert!(!DenyReason::LosesWork.holds_when_off());
    }
}
