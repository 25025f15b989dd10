//! What a command would do to the repository through git, and what of it is denied.

use super::DenyReason;

/// Something a command would do to the repository through git.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GitAction {
    /// Files are overwritten from the index or a commit.
    OverwriteWorktree {
        /// The command that does it.
        how: &'static str,
    },
    /// Files go back to what the index or HEAD has of them.
    DropChanges {
        /// The command that does it.
        how: &'static str,
    },
    /// The current branch is moved to another commit.
    MoveBranch {
        /// The command that does it.
        how: &'static str,
    },
    /// HEAD goes to another branch or commit; `None` if it is not known to which.
    SwitchBranch {
        /// The branch or commit.
        to: Option<String>,
    },
    /// Untracked files are removed, ignored ones are not.
    Clean,
    /// Work is put aside by `git stash`.
    Stash,
    /// Commits are changed, replayed or undone.
    RewriteHistory {
        /// The command that does it.
        how: &'static str,
    },
    /// Hooks are passed by.
    SkipHooks {
        /// The command that does it.
        how: &'static str,
    },
    /// A configuration key is set or removed, lastingly or for one call, in lower case; `None` if
    /// it is not known which.
    Configure {
        /// The key.
        key: Option<String>,
    },
    /// A ref is created, moved or deleted, by its full name; `None` if it is not known which.
    ChangeRef {
        /// The ref.
        name: Option<String>,
        /// The command that does it.
        how: &'static str,
    },
    /// Refs are sent to another repository.
    Push(Vec<Pushed>),
    /// Notes are changed.
    EditNotes,
    /// Objects are made to stand for others.
    ReplaceObjects,
    /// What keeps lost work reachable is dropped.
    DropRecovery,
    /// Changes are hidden from git.
    HideChanges {
        /// The command that does it.
        how: &'static str,
    },
    /// Another worktree is made, moved or removed.
    OtherWorktree,
    /// A bisection is run.
    Bisect,
    /// Git is pointed at something else than the repository it runs in.
    ForeignRepository {
        /// The variable or option that does it.
        variable: &'static str,
    },
    /// Hooks are put in place from a template.
    ReplaceHooks,
    /// A hook is run by hand.
    RunHook,
}

/// Something that is pushed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pushed {
    /// Nothing is named: the current branch goes.
    CurrentBranch,
    /// Every branch, or every ref.
    AllBranches,
    /// One refspec; `None` for a side that is empty or not known.
    Ref {
        /// What is sent.
        from: Option<String>,
        /// What it becomes there.
        to: Option<String>,
    },
}

/// The branches the judgement depends on, without `refs/heads/`.
#[derive(Debug, Clone, Copy)]
pub struct Branches<'a> {
    /// The branch HEAD is on, if it is on one.
    pub current: Option<&'a str>,
    /// The WIP branch of the work at hand.
    pub wip: &'a str,
    /// The branch it will be squashed onto.
    pub base: &'a str,
}

impl GitAction {
    /// Whether it only drops or hides what is uncommitted: where nothing is, it does nothing.
    pub fn needs_changes(&self) -> bool {
        matches!(
            self,
            GitAction::DropChanges { .. } | GitAction::Clean | GitAction::Stash
        )
    }
}

/// Judges something done through git.
pub fn judge_git(action: &GitAction, branches: &Branches<'_>) -> Option<DenyReason> {
    match action {
        GitAction::OverwriteWorktree { .. }
        | GitAction::DropChanges { .. }
        | GitAction::Clean
        | GitAction::Stash => Some(DenyReason::LosesWork),
        GitAction::MoveBranch { .. } => Some(DenyReason::MovesBranch),
        GitAction::SwitchBranch { to } => {
            let stays = to
                .as_deref()
                .is_some_and(|to| short_name(to) == branches.wip);
            (!stays).then_some(DenyReason::LeavesWipBranch)
        }
        GitAction::RewriteHistory { .. } => Some(DenyReason::RewritesHistory),
        GitAction::SkipHooks { .. } | GitAction::ReplaceHooks => Some(DenyReason::SkipsHooks),
        GitAction::Configure { key } => {
            let harmless = key.as_deref().is_some_and(|key| !disarms(key));
            (!harmless).then(|| DenyReason::ChangesConfig { key: key.clone() })
        }
        GitAction::ChangeRef { name, .. } => judge_ref(name.as_deref(), branches),
        GitAction::Push(pushed) => pushed
            .iter()
            .any(|one| publishes_wip(one, branches))
            .then_some(DenyReason::PublishesWip),
        GitAction::EditNotes | GitAction::ReplaceObjects => Some(DenyReason::ChangesRecords),
        GitAction::DropRecovery => Some(DenyReason::DropsRecovery),
        GitAction::HideChanges { .. } => Some(DenyReason::HidesChanges),
        GitAction::OtherWorktree | GitAction::Bisect => Some(DenyReason::OtherWorktree),
        GitAction::ForeignRepository { .. } => Some(DenyReason::ForeignRepository),
        GitAction::RunHook => Some(DenyReason::RunsHook),
    }
}

fn short_name(name: &str) -> &str {
    name.strip_prefix("refs/heads/")
        .or_else(|| name.strip_prefix("heads/"))
        .unwrap_or(name)
}

/// Keys on which hooks, the worktree or the record depend.
fn disarms(key: &str) -> bool {
    const KEYS: [&str; 14] = [
        "core.hookspath",
        "core.bare",
        "core.worktree",
        "core.excludesfile",
        "core.attributesfile",
        "core.sparsecheckout",
        "core.sparsecheckoutcone",
        "core.ignorestat",
        "core.trustctime",
        "core.repositoryformatversion",
        "init.templatedir",
        "gc.pruneexpire",
        "gc.reflogexpire",
        "gc.reflogexpireunreachable",
    ];
    const SECTIONS: [&str; 5] = ["tcr", "include", "includeif", "extensions", "hook"];
    // A section that is named as a whole is removed or renamed, with all that it holds.
    const AS_A_WHOLE: [&str; 3] = ["notes", "core", "replace"];
    match key.split_once('.') {
        Some((section, _)) => SECTIONS.contains(&section) || KEYS.contains(&key),
        None => SECTIONS.contains(&key) || AS_A_WHOLE.contains(&key),
    }
}

fn judge_ref(name: Option<&str>, branches: &Branches<'_>) -> Option<DenyReason> {
    let Some(name) = name else {
        return Some(DenyReason::ChangesRecords);
    };
    let covers = |whole: &str| covers(name, whole);
    if ["refs/tcr/", "refs/notes/", "refs/replace/"]
        .iter()
        .any(|records| covers(records))
    {
        return Some(DenyReason::ChangesRecords);
    }
    let wip = format!("refs/heads/{}", branches.wip);
    let base = format!("refs/heads/{}", branches.base);
    let is_branch =
        matches!(name, "HEAD" | "@") || covers(&wip) || covers(&base) || covers("refs/heads/tcr/");
    if is_branch {
        return Some(DenyReason::ChangesWipBranch);
    }
    (name == "refs/stash").then_some(DenyReason::LosesWork)
}

/// Whether a ref or a pattern of refs reaches `protected`: a ref, or all below it if it ends in a
/// slash.
fn covers(name: &str, protected: &str) -> bool {
    match name.split_once('*') {
        Some((start, _)) => protected.starts_with(start) || start.starts_with(protected),
        None if protected.ends_with('/') => name.starts_with(protected),
        None => name == protected,
    }
}

fn publishes_wip(pushed: &Pushed, branches: &Branches<'_>) -> bool {
    let is_wip = |name: &str| {
        // `HEAD~0` and `tcr/main^{}` are as much of it.
        let name = name.split(['~', '^']).next().unwrap_or(name);
        let is_current = matches!(name, "HEAD" | "@")
            && branches
                .current
                .is_none_or(|current| current == branches.wip);
        let full = if name.starts_with("refs/") {
            name.to_owned()
        } else {
            format!("refs/heads/{name}")
        };
        let is_tool_branch = covers(&full, "refs/heads/tcr/") || short_name(name) == branches.wip;
        is_current || is_tool_branch || covers(name, "refs/tcr/") || covers(name, "refs/notes/tcr")
    };
    match pushed {
        Pushed::CurrentBranch => branches
            .current
            .is_none_or(|current| current == branches.wip),
        Pushed::AllBranches => true,
        Pushed::Ref {
            from: None,
            to: None,
        } => true,
        Pushed::Ref { from, to } => {
            from.as_deref().is_some_and(is_wip) || to.as_deref().is_some_and(is_wip)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANCHES: Branches<'static> = Branches {
        current: Some("tcr/main"),
        wip: "tcr/main",
        base: "main",
    };

    fn change(name: &str) -> GitAction {
        GitAction::ChangeRef {
            name: Some(name.to_owned()),
            how: "git update-ref",
        }
    }

    #[test]
    fn refs() {
        for (name, denied) in [
            ("refs/tcr/state/main", true),
            ("refs/notes/tcr", true),
            ("refs/heads/tcr/main", true),
            ("refs/heads/main", true),
            ("HEAD", true),
            ("refs/*", true),
            ("refs/heads/*", true),
            ("refs/remotes/origin/*", false),
            ("refs/heads/other", false),
            ("refs/tags/v1", false),
        ] {
            assert_eq!(
                judge_git(&change(name), &BRANCHES).is_some(),
                denied,
                "{name}"
            );
        }
        let unknown = GitAction::ChangeRef {
            name: None,
            how: "git update-ref",
        };
        assert!(judge_git(&unknown, &BRANCHES).is_some());
    }

    #[test]
    fn pushes() {
        let one = |from: &str, to: &str| {
            GitAction::Push(vec![Pushed::Ref {
                from: Some(from.to_owned()),
                to: Some(to.to_owned()),
            }])
        };
        for (action, denied) in [
            (one("tcr/main", "tcr/main"), true),
            (one("HEAD", "main"), true),
            (one("refs/tcr/*", "refs/tcr/*"), true),
            (one("refs/heads/*", "refs/heads/*"), true),
            (one("v1", "v1"), false),
            (one("main", "main"), false),
            (GitAction::Push(vec![Pushed::CurrentBranch]), true),
            (GitAction::Push(vec![Pushed::AllBranches]), true),
        ] {
            assert_eq!(
                judge_git(&action, &BRANCHES).is_some(),
                denied,
                "{action:?}"
            );
        }
        let on_base = Branches {
            current: Some("main"),
            ..BRANCHES
        };
        assert_eq!(
            judge_git(&GitAction::Push(vec![Pushed::CurrentBranch]), &on_base),
            None
        );
    }

    #[test]
    fn configuration() {
        for (key, denied) in [
            ("core.hookspath", true),
            ("tcr.mode", true),
            ("includeif.gitdir:/x.path", true),
            ("core", true),
            ("user.name", false),
            ("alias.st", false),
            ("core.editor", false),
            ("color.ui", false),
        ] {
            let action = GitAction::Configure {
                key: Some(key.to_owned()),
            };
            assert_eq!(judge_git(&action, &BRANCHES).is_some(), denied, "{key}");
        }
    }
}
