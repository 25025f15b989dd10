//! Who handles which verb of git.

use super::super::super::scope::Shell;
use super::{GitCall, config, history, output, refs, remote, worktree};

type VerbHandler = for<'s, 'c, 'a, 'b> fn(&'s mut Shell<'c>, &'a GitCall<'b>);

/// Verbs that change nothing in the repository or its worktree.
pub(super) const READING: &str = "annotate blame cat-file check-attr check-ignore check-mailmap check-ref-format cherry \
     commit-tree count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck \
     get-tar-commit-id grep hash-object help log ls-files ls-remote ls-tree merge-base \
     merge-tree mktree name-rev patch-id range-diff rev-list rev-parse shortlog show \
     show-branch show-index show-ref status stripspace var verify-commit verify-pack verify-tag \
     version whatchanged write-tree";

/// The handler of a verb; verbs of git without one do nothing that matters here.
pub(super) fn lookup(verb: &str) -> Option<VerbHandler> {
    Some(match verb {
        "am" => worktree::am,
        "apply" => worktree::apply,
        "bisect" => worktree::bisect,
        "branch" => refs::branch,
        "checkout" => worktree::checkout,
        "checkout-index" => worktree::checkout_index,
        "cherry-pick" | "revert" | "rebase" | "replay" => history::replay,
        "clean" => worktree::clean,
        "clone" => remote::clone,
        "commit" => history::commit,
        "config" => config::config,
        "fetch" => remote::fetch,
        "ls-remote" => remote::ls_remote,
        "filter-branch" | "filter-repo" | "absorb" | "revise" | "undo" => history::filter,
        "fast-import" => refs::fast_import,
        "gc" | "prune" | "reflog" | "repack" => refs::housekeeping,
        "hook" => history::hook,
        "lfs" => history::lfs,
        "init" | "init-db" => remote::init,
        "merge" => history::merge,
        "mv" => worktree::mv,
        "notes" => refs::notes,
        "pull" => remote::pull,
        "push" | "send-pack" => remote::push,
        "read-tree" => worktree::read_tree,
        "replace" => refs::replace,
        "reset" => worktree::reset,
        "restore" => worktree::restore,
        "rm" => worktree::rm,
        "sparse-checkout" => worktree::sparse_checkout,
        "stash" => worktree::stash,
        "submodule" => worktree::submodule,
        "subtree" => worktree::subtree,
        "switch" => worktree::switch,
        "symbolic-ref" => refs::symbolic_ref,
        "update-index" => worktree::update_index,
        "update-ref" => refs::update_ref,
        "worktree" => worktree::worktree,
        "archive" | "fast-export" | "interpret-trailers" | "mailinfo" | "mailsplit" | "bundle"
        | "bugreport" | "diagnose" | "difftool" | "format-patch" | "grep" | "merge-file"
        | "mergetool" => output::write,
        "diff" | "log" | "show" | "shortlog" | "range-diff" | "diff-tree" | "diff-index"
        | "diff-files" | "whatchanged" | "rev-list" => output::write,
        "add" | "tag" | "remote" | "rerere" | "pack-refs" | "maintenance" | "merge-index"
        | "unpack-objects" | "index-pack" | "stage" | "request-pull" | "credential" | "gui"
        | "citool" | "send-email" | "imap-send" | "update-server-info" | "unpack-file"
        | "mktag" | "column" => nothing,
        _ => return None,
    })
}

fn nothing(_: &mut Shell<'_>, _: &GitCall<'_>) {}
