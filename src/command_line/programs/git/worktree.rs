//! Verbs that change the worktree or the index.

use super::super::super::options::{FLAGS, Takes};
use super::super::super::scope::Shell;
use super::super::copies::exists;
use super::super::{listings, patches};
use super::{GitCall, emit, refs};
use crate::rules::shell_gate::GitAction;

fn overwrites(shell: &Shell<'_>, how: &'static str) {
    emit(shell, GitAction::OverwriteWorktree { how });
}

fn drops(shell: &Shell<'_>, how: &'static str) {
    emit(shell, GitAction::DropChanges { how });
}

/// Whether a commit is the one that HEAD is at.
fn is_head(name: &str) -> bool {
    matches!(name, "HEAD" | "@" | "HEAD^0" | "HEAD~0")
}

/// `reset`: with paths or to HEAD it only unstages; to a commit it moves the branch.
pub(super) fn reset(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("U", "pathspec-from-file unified");
    let options = call.options(&takes);
    if options.has("--hard --merge --keep") {
        return match options.operands.as_slice() {
            [] => drops(shell, "git reset --hard"),
            [target] if is_head(target) => drops(shell, "git reset --hard"),
            _ => overwrites(shell, "git reset --hard"),
        };
    }
    let before_paths = options.before_dashes.unwrap_or(options.operands.len());
    let target = options
        .operands
        .get(..before_paths)
        .and_then(|operands| operands.first());
    let has_paths = options.operands.len() > 1 || options.has("-p --patch --pathspec-from-file");
    let moves = target.is_some_and(|target| {
        let stays = is_head(target);
        let is_path = options.before_dashes.is_none()
            && shell
                .known_path(target)
                .is_some_and(|path| exists(shell, &path));
        !stays && !is_path && !has_paths
    });
    if moves {
        emit(shell, GitAction::MoveBranch { how: "git reset" });
    }
}

pub(super) fn checkout(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("bB", "orphan conflict pathspec-from-file unified");
    let options = call.options(&takes);
    if options.has("-f --force -p --patch --pathspec-from-file --ours --theirs -m --merge") {
        overwrites(shell, "git checkout");
    }
    if let Some(branch) = options.value("-B") {
        refs::changes_branch(shell, branch, "git checkout");
    }
    if let Some(branch) = options.value("-b -B --orphan") {
        emit(
            shell,
            GitAction::SwitchBranch {
                to: Some(branch.to_owned()),
            },
        );
        return;
    }
    let is_only_path = |word: &String| {
        word.contains(['*', '?', '['])
            || word.starts_with(':')
            || matches!(word.as_str(), "." | "..")
            || word.ends_with('/')
            || shell
                .known_path(word)
                .is_some_and(|path| exists(shell, &path))
    };
    match (options.operands.as_slice(), options.before_dashes) {
        ([], _) if options.has("-d --detach") => {
            emit(shell, GitAction::SwitchBranch { to: None });
        }
        ([], _) => {}
        ([target], Some(1)) => emit(
            shell,
            GitAction::SwitchBranch {
                to: Some(target.clone()),
            },
        ),
        ([target], None) if !is_only_path(target) => emit(
            shell,
            GitAction::SwitchBranch {
                to: Some(target.clone()),
            },
        ),
        // From the index, or from where HEAD is.
        (_, Some(0)) => drops(shell, "git checkout"),
        ([first, ..], _) if is_head(first) || is_only_path(first) => drops(shell, "git checkout"),
        _ => overwrites(shell, "git checkout"),
    }
}

pub(super) fn switch(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("cC", "create force-create orphan conflict");
    let options = call.options(&takes);
    if options.has("-f --force --discard-changes -m --merge") {
        overwrites(shell, "git switch");
    }
    if let Some(branch) = options.value("-C --force-create") {
        refs::changes_branch(shell, branch, "git switch");
    }
    let created = options.value("-c -C --create --force-create --orphan");
    let to = created
        .map(str::to_owned)
        .or_else(|| options.operands.first().cloned());
    if to.is_some() || options.has("-d --detach") {
        emit(shell, GitAction::SwitchBranch { to });
    }
}

pub(super) fn restore(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("sU", "source conflict pathspec-from-file");
    let options = call.options(&takes);
    let only_index = options.has("-S --staged") && !options.has("-W --worktree");
    match options.value("-s --source") {
        _ if only_index => {}
        Some(source) if !is_head(source) => overwrites(shell, "git restore"),
        Some(_) | None => drops(shell, "git restore"),
    }
}

pub(super) fn clean(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("e", "exclude");
    let options = call.options(&takes);
    if options.has("-n --dry-run") {
        return;
    }
    match options.has("-x -X") {
        true => overwrites(shell, "git clean -x"),
        false => emit(shell, GitAction::Clean),
    }
}

pub(super) fn stash(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let verb = call.arguments.first().map_or("push", String::as_str);
    match verb {
        "list" | "show" | "create" => {}
        "pop" | "apply" | "branch" | "drop" | "clear" | "store" => overwrites(shell, "git stash"),
        _ => emit(shell, GitAction::Stash),
    }
}

pub(super) fn read_tree(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "index-output prefix exclude-per-directory");
    let options = call.options(&takes);
    if !options.has("-n --dry-run --index-output") {
        overwrites(shell, "git read-tree");
    }
}

pub(super) fn checkout_index(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "prefix stage");
    let options = call.options(&takes);
    match options.value("--prefix") {
        Some(prefix) => shell.write_into(prefix, "git checkout-index"),
        None if options.has("-n --no-create --temp") && !options.has("-f --force") => {}
        None => overwrites(shell, "git checkout-index"),
    }
}

const APPLY: Takes = Takes::new(
    "pC",
    "directory exclude include whitespace build-fake-ancestor patch-format resolvemsg inaccurate-eof",
);

pub(super) fn apply(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&APPLY);
    let only_looks = options.has("--stat --numstat --summary --check") && !options.has("--apply");
    if !only_looks {
        apply_patches(shell, call, "git apply");
    }
}

pub(super) fn am(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&APPLY);
    if options.has("--abort --quit --show-current-patch") {
        return;
    }
    if options.has("-n --no-verify") {
        emit(
            shell,
            GitAction::SkipHooks {
                how: "git am --no-verify",
            },
        );
    }
    apply_patches(shell, call, "git am");
    emit(shell, GitAction::RewriteHistory { how: "git am" });
}

fn apply_patches(shell: &Shell<'_>, call: &GitCall<'_>, how: &'static str) {
    let options = call.options(&APPLY);
    let strip = options
        .value("-p")
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let root = shell.context().repo_root.to_string_lossy().into_owned();
    let directory = match options.value("--directory") {
        Some(directory) => format!("{root}/{directory}"),
        None => shell.cwd.clone(),
    };
    let mut diffs: Vec<String> = options
        .operands
        .iter()
        .map(|file| patches::read(shell, file))
        .collect();
    if diffs.is_empty() {
        diffs.push(shell.input().text());
    }
    for diff in diffs {
        if options.has("-R --reverse") {
            patches::check_reverse(shell, &diff, "git apply -R");
        }
        patches::apply(shell, &diff, strip, &directory, how);
    }
}

pub(super) fn rm(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "pathspec-from-file");
    let options = call.options(&takes);
    if options.has("-n --dry-run") {
        return;
    }
    let listed = options
        .value("--pathspec-from-file")
        .and_then(|file| shell.stream_of(file))
        .map(|stream| stream.text())
        .unwrap_or_default();
    let listed = listed.split(['\n', '\0']).filter(|path| !path.is_empty());
    for path in options.operands.iter().map(String::as_str).chain(listed) {
        for path in listings::of_pathspec(shell, path) {
            shell.delete(&path, "git rm");
        }
    }
}

pub(super) fn mv(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&FLAGS);
    if options.has("-n --dry-run") {
        return;
    }
    let words: Vec<String> = std::iter::once("mv".to_owned())
        .chain(options.operands)
        .collect();
    shell.clone().run_words(words);
}

pub(super) fn update_index(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("", "cacheinfo chmod index-version");
    let options = call.options(&takes);
    if options.has(
        "--skip-worktree --assume-unchanged --fsmonitor-valid --index-info --force-untracked-cache",
    ) {
        emit(
            shell,
            GitAction::HideChanges {
                how: "git update-index",
            },
        );
    }
    for entry in options.values("--cacheinfo") {
        // In one word, or the old way in three: the mode, the object and the path.
        match entry.splitn(3, ',').nth(2) {
            Some(path) => shell.write(path, "git update-index"),
            None => options
                .operands
                .iter()
                .for_each(|path| shell.write(path, "git update-index")),
        }
    }
    if options.has("--force-remove --remove") {
        for path in &options.operands {
            shell.delete(path, "git update-index");
        }
    }
}

pub(super) fn sparse_checkout(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    if !matches!(
        call.arguments.first().map(String::as_str),
        Some("list" | "check-rules") | None
    ) {
        emit(
            shell,
            GitAction::HideChanges {
                how: "git sparse-checkout",
            },
        );
    }
}

pub(super) fn worktree(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    if !matches!(
        call.arguments.first().map(String::as_str),
        Some("list" | "prune" | "lock" | "unlock") | None
    ) {
        emit(shell, GitAction::OtherWorktree);
    }
}

pub(super) fn bisect(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    match call.arguments.split_first() {
        Some((verb, words)) if verb == "run" => {
            emit(shell, GitAction::Bisect);
            shell.clone().run_words(words.to_vec());
        }
        Some((verb, _))
            if matches!(
                verb.as_str(),
                "log" | "view" | "visualize" | "terms" | "help"
            ) => {}
        Some(_) => emit(shell, GitAction::Bisect),
        None => {}
    }
}

/// `subtree add --prefix=DIRECTORY`, and the verbs that merge into it.
pub(super) fn subtree(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let takes = Takes::new("Pmb", "prefix message branch onto annotate");
    let options = call.options(&takes);
    let verb = options.operands.first().map_or("", String::as_str);
    if let Some(prefix) = options.value("-P --prefix")
        && matches!(verb, "add" | "merge" | "pull")
    {
        shell.write_into(prefix, "git subtree");
    }
}

/// `submodule foreach 'command'` runs it in each.
pub(super) fn submodule(shell: &mut Shell<'_>, call: &GitCall<'_>) {
    let options = call.options(&FLAGS);
    if let Some((verb, words)) = options.operands.split_first()
        && verb == "foreach"
    {
        let text = words.join(" ");
        shell.run_text_in_child(&text);
    }
}
